"""Adjustments that depend on points that may come (clause 4): "if received 3 from Russia then A Ber B else F Kie B".

Who expects points writes adjustments for both cases. A gift itself never depends on anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from judge.board.position import Position
from judge.orders.model import Build, Disband, Order, Waive
from judge.orders.reader import read_line
from judge.orders.reading import ReadOptions
from judge.rules.business import Business, Deed, begun
from judge.variants.pulsipher1914.kinds import KINDS
from judge.variants.pulsipher1914.table import country_called

IF = "if received"
_FROM = re.compile(
    r"^(?:at least )?(?P<amount>\d{1,4})(?: (?:supply )?(?:points?|sps?))? from (?P<giver>[A-Za-z-]+)[\s,:;]*"
    r"(?:then\b[\s,:;]*)?",
    re.IGNORECASE,
)
_ELSE = re.compile(r"[\s,;.]*\b(?:or else|else|otherwise|if not)\b[\s,:;]*", re.IGNORECASE)
_END = re.compile(r"[\s,;.]*\bend ?if\b\W*$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[;,]\s*|\s+and\s+(?=\S+\s)", re.IGNORECASE)
_MOST = 12
_READING = ReadOptions(kinds=KINDS)

Gifts = Mapping[tuple[str, str], int]
"""(giver, receiver) -> the points that arrived."""


class Ways(NamedTuple):
    """What a line says: how much from whom, what then, and what otherwise."""

    amount: int
    giver: str
    then: tuple[str, ...]
    otherwise: tuple[str, ...]


def ways_of(deed: Deed) -> Ways | None:
    """A line with a condition; None where it has not that form."""
    text = _END.sub("", " ".join(deed.words))
    match = _FROM.match(text)
    if match is None or not (giver := country_called(match["giver"])):
        return None
    then, *other = _ELSE.split(text[match.end() :], maxsplit=1)
    otherwise = (other[0],) if other and other[0].lower().startswith(f"{IF} ") else _parts(other[0] if other else "")
    return Ways(int(match["amount"]), giver, _parts(then), otherwise)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip(" .") for part in _BETWEEN.split(text) if part.strip(" ."))


def received_slot(deed: Deed) -> str:
    """What a later line replaces: one about as many points from the same country."""
    ways = ways_of(deed)
    return f"{ways.amount} {ways.giver}" if ways else ""


def received_fault(position: Position, deed: Deed, business: Mapping[str, Business]) -> str:
    """Why such a line is none, whatever is given."""
    ways = ways_of(deed)
    if ways is None or not ways.then or len(ways.then) + len(ways.otherwise) > _MOST or ways.giver == deed.power:
        return "received-not-understood"
    for part in (*ways.then, *ways.otherwise):
        found = _meant(position, deed.power, part, business)
        if found is None:
            return "received-not-understood"
        if isinstance(found, Deed) and (fault := _deed_fault(position, found, business)):
            return fault
    return ""


def _deed_fault(position: Position, deed: Deed, business: Mapping[str, Business]) -> str:
    if deed.word == "give":
        return "gift-on-condition"
    if deed.word == IF:
        return received_fault(position, deed, business)
    return business[deed.word].fault(position, deed)


def _meant(position: Position, power: str, text: str, business: Mapping[str, Business]) -> Deed | Order | None:
    """An order or another line of the adjustments that stands under a condition."""
    if (line := begun(text, business)) is not None:
        return Deed(power, line[0], tuple(line[1].split()))
    readings = read_line(text, position, power, options=_READING)
    if len(readings) != 1 or readings[0].problem is not None:
        return None
    order = readings[0].order
    return order if isinstance(order, (Build, Disband, Waive)) else None


def due(position: Position, deed: Deed, gifts: Gifts, business: Mapping[str, Business]) -> Iterator[Deed | Order]:
    """What a line comes to, once it is known who gave what."""
    ways = ways_of(deed)
    if ways is None:
        return
    got = gifts.get((ways.giver, deed.power), 0) >= ways.amount
    for part in ways.then if got else ways.otherwise:
        found = _meant(position, deed.power, part, business)
        if isinstance(found, Deed) and found.word == IF:
            yield from due(position, found, gifts, business)
        elif found is not None:
            yield found
