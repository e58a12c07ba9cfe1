"""Answers a line that is no order as it stands, with the most precise reason that can be found."""

from __future__ import annotations

import re

from judge.board.unit import Unit
from judge.orders import problems
from judge.orders.grammar import Tile, tile
from judge.orders.lexer import Lexed
from judge.orders.moving import no_subject
from judge.orders.prose import named_abroad
from judge.orders.verdicts import LineInWork, Piece, refused, verdict_of
from judge.orders.words import token_spans

LONG = 60
"""Words; a longer line that is no row of orders is read piece by piece only."""


def abroad(line: LineInWork, lexed: Lexed) -> Piece:
    """The answer to a line without the shape of an order. If it orders a unit in some place ("Army in Lapland ..."):
    what is wrong with the order if the unit exists, else that the board has no such place. Any other line is no order.
    """
    name = named_abroad(line.text)
    if not name:
        return refused(line, problems.not_an_order(line.text), None)
    if (subject := _subject_tile(lexed)) is not None and line.scene.subject(lexed, subject).units:
        return unread(line, lexed)
    kind = "A" if line.text[:1] in "aA" else "F"
    return refused(line, problems.no_such_place(name, line.scene.board, units=line.scene.mine(kind)), None)


def unit_of(line: LineInWork, lexed: Lexed) -> Unit | None:
    """The one unit that a line is for, as far as its beginning tells; None where it may be several or none."""
    subject = _subject_tile(lexed)
    units = line.scene.subject(lexed, subject).units if subject else ()
    return units[0] if len(units) == 1 else None


def _subject_tile(lexed: Lexed) -> Tile | None:
    """The unit and place with which a line begins, as the part of an order; None where it begins otherwise."""
    match = re.match(r"[NZ,]*(?:(U)N?(P)|(P)(U)|(P))", lexed.shape)
    if match is None:
        return None
    unit = max(match.start(1), match.start(4))
    at = max(match.start(2), match.start(3), match.start(5))
    return Tile("bare", 0, match.end(), -1, unit, at)


def _unfinished(line: LineInWork, unit: Unit | None) -> Piece:
    scene = line.scene
    return refused(line, problems.unfinished(unit, scene.board, scene.kind, scene.options.known), unit)


def unread(line: LineInWork, lexed: Lexed) -> Piece:
    """The answer to a line that was meant as an order and is none, with the most precise reason that can be found."""
    subject = _subject_tile(lexed)
    if subject is None:
        return _unfinished(line, None)
    units = line.scene.subject(lexed, subject).units
    if not units:
        verdict = no_subject(line.scene, lexed, subject)
        assert verdict.problem is not None
        return refused(line, verdict.problem, None)
    if subject.end == len(lexed.shape):
        return _unfinished(line, units[0])
    for end in range(min(len(lexed.shape), LONG) - 1, subject.end, -1):
        parts = tile(lexed.shape[:end], line.scene.kind)
        if parts is not None and len(parts) == 1:
            verdict = verdict_of(line.scene, lexed, parts[0])
            spans = token_spans(line.folded)
            rest = line.text[spans[lexed.tokens[end]][0] :]
            candidates = (verdict.order,) if verdict.order is not None else ()
            return refused(line, problems.left_over(line.text, rest, candidates), units[0])
    return _unfinished(line, units[0])
