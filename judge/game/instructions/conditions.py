"""Conditional orders: "build A Paris if the German A Picardy retreats to Belgium, else build A Marseilles" (6E).

A condition rests on published facts alone: where units stand, who owns a centre, which retreats were made. What
others order or build at the same time is nobody's condition. Terms are joined from left to right: "X and Y or Z" is
"(X and Y) or Z". What goes on file is a `judge.game.instructions.kinds.Conditional`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from judge.board.model import Board
from judge.board.phase import Phase, PhaseKind
from judge.game.instructions.facts import Fact, Subject, Topic
from judge.game.instructions.factual import Trouble, read_fact
from judge.game.instructions.grouping import Terms, negated_terms, read_terms
from judge.orders.tokens import COMMENT

CLAUSE = "6E"

EXAMPLE = "if German A Picardy retreats to Belgium then build A Paris else build A Marseilles"
"""The form that is shown to who wrote something else."""

_CONDITION_WORD = re.compile(r"\b(?:if|unless|provided(?: that)?|in case)\b", re.IGNORECASE)
_ELSE = re.compile(r"(?<=\S)[\s,;.]*\b(?:or else|else|otherwise|if not)\b[\s,;:]*", re.IGNORECASE)
_THEN = re.compile(r"[\s,;]*\bthen\b[\s,:]*", re.IGNORECASE)
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Condition:
    """Facts joined from left to right; the first has the joint "AND"."""

    terms: Terms

    def __str__(self) -> str:
        words = [f"{joint} {fact}" for joint, fact in self.terms]
        return " ".join(words).removeprefix("AND ")

    def holds(self, asks: Callable[[Fact], bool]) -> bool:
        """Whether it is true, where `asks` says so of each fact."""
        value = True
        for joint, fact in self.terms:
            value = (value and asks(fact)) if joint == "AND" else (value or asks(fact))
        return value

    def negated(self) -> Condition:
        """Its contrary."""
        return Condition(negated_terms(self.terms))

    def words(self, board: Board) -> str:
        """As a sentence says it: "the German A Picardy retreats to Belgium"."""
        said = [f"{joint.lower()} {fact.words(board)}" for joint, fact in self.terms]
        return " ".join(said).removeprefix("and ")


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to go as it was written: under a condition, or (the last one) without; its order is text yet."""

    condition: Condition | None
    order: str


Ways = tuple[Alternative, ...]


def mentions_condition(text: str) -> bool:
    """Whether a line is to depend on something."""
    return _CONDITION_WORD.search(text) is not None and len(text) <= _LONGEST


def read_branches(text: str, board: Board, power: str, is_order: Callable[[str], bool]) -> Ways | Trouble | None:
    """A conditional order in parts; what is wrong with its condition; None for a line that is none.

    `is_order` says whether a text is an order: it tells where a condition ends that is followed by no mark.
    """
    text = COMMENT.sub("", text)
    if not mentions_condition(text):
        return None
    plain = re.sub(r"[\[\]]", " ", text).strip().rstrip(".")
    parts = [part.strip(" ,;") for part in _ELSE.split(plain)]
    branches: list[Alternative] = []
    for number, part in enumerate(parts):
        match = _CONDITION_WORD.search(part)
        if number and match is None:
            branches.append(Alternative(None, part))
            continue
        found = _branch(part, match, board, power, is_order)
        if isinstance(found, Trouble):
            return found
        branches.append(found)
    if any(branch.condition is None for branch in branches[:-1]):
        return Trouble("condition-unclear", f"There is more than one way out; write it like this: {EXAMPLE}")
    return tuple(branches)


def _branch(
    part: str, match: re.Match[str] | None, board: Board, power: str, is_order: Callable[[str], bool]
) -> Alternative | Trouble:
    """ "if X then ORDER", "if X, ORDER", "if X ORDER", "ORDER if X", and the same with unless. `match`: that word."""
    if match is None:
        return Trouble("condition-unclear", f"The condition comes first; write it like this: {EXAMPLE}")
    before, after = part[: match.start()].strip(" ,;:"), part[match.end() :].strip(" ,;:")
    if before and not is_order(before):
        return Trouble("condition-unclear", f'"{before[:60]}" is not an order; write it like this: {EXAMPLE}')
    if before:
        condition, order = _condition(after, board, power), before
    else:
        condition, order = _split(after, board, power, is_order)
    if isinstance(condition, Trouble):
        return condition
    return Alternative(condition.negated() if match[0].lower() == "unless" else condition, order)


def _split(text: str, board: Board, power: str, is_order: Callable[[str], bool]) -> tuple[Condition | Trouble, str]:
    """The condition that begins a text, and the order behind it: the longest condition that leaves an order."""
    if match := _THEN.search(text):
        return _condition(text[: match.start()], board, power), text[match.end() :].strip()
    words = [word.start() for word in re.finditer(r"\S+", text)][1:]
    marked = [start for start in words if text[:start].rstrip().endswith((",", ";", ":"))]
    trouble: Condition | Trouble | None = None
    for start in (*reversed(marked), *reversed(words)):
        head, order = text[:start].strip(" ,;:"), text[start:]
        if not is_order(order):
            continue
        found = _condition(head, board, power)
        if isinstance(found, Condition):
            return found, order
        trouble = found if trouble is None or found.slug == "simultaneous" else trouble
    whole = _condition(text, board, power)
    if isinstance(whole, Condition):
        return Trouble("condition-unclear", f"The condition is clear, but no order follows it. {_form()}"), ""
    return trouble or whole, ""


def read_condition(text: str, board: Board, power: str) -> Condition | Trouble:
    """A condition by itself: "Germany A Bur and not Italy F Lyo"."""
    return _condition(text, board, power)


def read_head(text: str, board: Board, power: str, is_order: Callable[[str], bool]) -> tuple[Condition, str] | Trouble:
    """What follows IF at the head of a block: its condition, and the order behind it on the same line, or ""."""
    if not _THEN.search(text):
        whole = _condition(text, board, power)
        if isinstance(whole, Condition):
            return whole, ""
    condition, order = _split(text, board, power, is_order)
    return condition if isinstance(condition, Trouble) else (condition, order)


def _form() -> str:
    return f"Write it like this: {EXAMPLE}"


def _condition(text: str, board: Board, power: str) -> Condition | Trouble:
    """The facts of a condition. A part without a subject of its own goes on with the one before: "and not to Paris"."""
    if not text.strip(" ,;()"):
        return Trouble("condition-unclear", f"The condition is missing. {_form()}")
    terms = read_terms(text, lambda part, before: read_fact(part, board, power, before))
    return terms if isinstance(terms, Trouble) else Condition(terms)


# --- as events store it ---------------------------------------------------------------------------------------------


def condition_to_json(condition: Condition) -> list[dict[str, Any]]:
    """A condition as plain JSON: its facts, each with its joint."""
    return [
        {"joint": joint, "topic": fact.topic.value, "not": fact.negated, "to": fact.to, **asdict(fact.subject)}
        for joint, fact in condition.terms
    ]


def condition_from_json(data: Sequence[Mapping[str, Any]]) -> Condition:
    """The inverse of `condition_to_json`."""
    return Condition(
        tuple(
            (
                each["joint"],
                Fact(
                    Topic(each["topic"]),
                    Subject(each["power"], each["kind"], each["place"]),
                    each["to"],
                    negated=each["not"],
                ),
            )
            for each in data
        )
    )


def too_early(conditions: Iterable[Condition | None], phase: Phase) -> Trouble | None:
    """What nobody can know when a phase is played: retreats are ordered all at once, and moves before any retreat of
    their turn. Builds may depend on retreats.
    """
    about = {fact.topic for condition in conditions if condition for _, fact in condition.terms}
    if not about & {Topic.RETREATS, Topic.DISBANDS}:
        return None
    if phase.kind is PhaseKind.RETREATS:
        return Trouble("simultaneous", "Retreats are made all at once; no retreat can depend on another. Builds can.")
    if phase.kind is PhaseKind.MOVES:
        return Trouble(
            "simultaneous",
            "Moves are made all at once, and retreats after them; no move can depend on either. It can depend on where "
            "units stand and who owns what.",
        )
    return None
