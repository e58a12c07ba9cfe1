"""Retreats in order of liking: "A Bur - Gas, Par, or disband". The first that is open is made; none open: disbanded."""

from __future__ import annotations

import re

from judge.board.names import gazetteer_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.orders.model import Retreat
from judge.orders.reader import looks_like_order, read_line

_BREAK = re.compile(r"\s*(?:,\s*(?:or|then|else)?\b|;|/\s|>|\bor\b|\belse\b|\bthen\b)\s*", re.IGNORECASE)
_WORDS = re.compile(r"^(?:to|via|if not|failing that)\s+", re.IGNORECASE)
_DISBAND = re.compile(r"(?:disband(?:ed)?|d|otb|destroy(?:ed)?|remove(?:d)?)\.?", re.IGNORECASE)
_HEADING = re.compile(r"^\s*(?:retreats?|withdraw)\s*:?\s*(?=[a-z])", re.IGNORECASE)
_MOST = 12


def split_list(text: str, position: Position, power: str) -> tuple[str, ...] | None:
    """The orders that a list of retreats stands for, best first; None for a line that is no such list.

    "retreat: Gas, Par" is for the only unit of the power that must retreat.
    """
    if position.phase.kind is not PhaseKind.RETREATS or len(text) > 200:
        return None
    parts = [part for part in _BREAK.split(text.strip().rstrip(".")) if part]
    if not 2 <= len(parts) <= _MOST:
        return None
    unit, first = _subject(parts[0], position, power)
    if not unit:
        return None
    places = [first, *(_WORDS.sub("", part) for part in parts[1:])]
    orders = [_order(unit, place, position) for place in places]
    return tuple(orders) if all(orders) else None


def _subject(first: str, position: Position, power: str) -> tuple[str, str]:
    """The unit of a list, and the first place of it."""
    own = [lost.unit for lost in position.dislodged if lost.unit.power == power]
    for reading in read_line(first, position, power):
        if isinstance(reading.order, Retreat):
            return str(reading.order.unit), reading.order.to
    bare = _HEADING.sub("", first)
    if len(own) == 1 and bare != first and gazetteer_of(position.board).places(bare):
        return str(own[0]), bare
    return "", ""


def _order(unit: str, place: str, position: Position) -> str:
    if _DISBAND.fullmatch(place):
        return f"{unit} D"
    known = gazetteer_of(position.board).places(place)
    return f"{unit} R {place}" if known or not looks_like_order(place, position.board) else ""
