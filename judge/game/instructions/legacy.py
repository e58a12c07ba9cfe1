"""Orders on file as the first schema of events kept them: canonical text, read where it is met.

A BUR - PAR
A BUR R GAS OR PAR OR D
IF GERMANY A PIC R BEL AND NOT GERMANY A PIC R PAR THEN A PAR B ELSE A MAR B
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge.board.model import province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.game.instructions.conditions import Condition
from judge.game.instructions.facts import Fact, Subject, Topic
from judge.game.instructions.kinds import Branch, Conditional, Instruction, Ranked
from judge.orders.model import Disband, Misorder, Order, Retreat
from judge.orders.reader import read_line

OR = " OR "


def instruction_of_text(line: Mapping[str, Any], position: Position, power: str) -> Instruction | None:
    """The instruction of a stored line; None where its unit is not there."""
    phase = Phase.read(line["phase"])
    then = position if phase == position.phase else replace(position, phase=phase, dislodged=())
    if line.get("wrong"):
        unit = next((unit for unit in position.units if unit.id == line["unit"]), None)
        return Misorder(unit, line["text"], line["wrong"]) if unit else None
    return instruction_of(line["order"], then, power)


def instruction_of(text: str, position: Position, power: str) -> Instruction | None:
    """The instruction of a canonical text."""
    if not text.startswith("IF "):
        return _plain(text, position, power)
    branches = []
    for part in text.split(" ELSE "):
        condition, _, order = part.removeprefix("IF ").rpartition(" THEN ")
        bound = _plain(order, position, power)
        if bound is None:
            return None
        branches.append(Branch(condition_of(condition) if condition else None, bound))
    return Conditional(tuple(branches))


def _plain(text: str, position: Position, power: str) -> Order | Ranked | None:
    if OR not in text:
        return _order(text, position, power)
    orders = [_order(each, position, power) for each in ranked_texts(text)]
    found = [order for order in orders if isinstance(order, (Retreat, Disband))]
    return Ranked(tuple(found)) if len(found) == len(orders) else None


def ranked_texts(text: str) -> tuple[str, ...]:
    """The retreats of a list, each as an order of its own.

    >>> ranked_texts("A BUR R GAS OR PAR OR D")
    ('A BUR R GAS', 'A BUR R PAR', 'A BUR D')
    """
    head, *others = text.split(OR)
    subject = " ".join(head.split()[:2])
    return head, *(f"{subject} D" if place == "D" else f"{subject} R {place}" for place in others)


def _order(text: str, position: Position, power: str) -> Order | None:
    readings = read_line(text, position, power)
    return readings[0].order if len(readings) == 1 and readings[0].problem is None else None


def condition_of(text: str) -> Condition:
    """The condition of a canonical text."""
    pieces = re.split(r" (AND|OR) ", text)
    terms = [("AND", _fact(pieces[0])), *((j, _fact(p)) for j, p in zip(pieces[1::2], pieces[2::2], strict=True))]
    return Condition(tuple(terms))


def _fact(text: str) -> Fact:
    negated = text.startswith("NOT ")
    words = text.removeprefix("NOT ").split()
    if words[1] == "OWNS":
        return Fact(Topic.OWNS, Subject(words[0], "", words[2]), negated=negated)
    power = "" if words[0] == "ANY" else words[0]
    subject = Subject(power, words[1].replace("UNIT", ""), words[2])
    to = "" if len(words) < 5 or words[4] == "ANYWHERE" else province_of(words[4])
    return Fact(Topic(words[3]), subject, to, negated=negated)
