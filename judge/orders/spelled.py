"""How units, places and orders are spelled for people: "A Burgundy - Belgium", "German A Ruhr".

Orders and units are facts in codes. What is said of them to a person spells the names out, in a form that the reader of
orders takes back.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from judge.board.model import Board, Location
from judge.board.unit import ANY, NUMBER, Unit
from judge.languages import SPOKEN, Language, tell
from judge.orders.kinds import spelled_otherwise
from judge.orders.model import Build, Convoy, Disband, Hold, Misorder, Move, Order, Retreat, Support, Waive


def listed(words: Iterable[str], last: str = "and") -> str:
    """A list as a sentence says it.

    >>> listed(["Paris", "Gascony"], last="or"), listed(["A", "B", "C"])
    ('Paris or Gascony', 'A, B and C')
    """
    *most, end = list(map(str, words)) or [""]
    return f" {tell(last)} ".join(part for part in (", ".join(most), end) if part)


def place(location: Location, board: Board) -> str:
    """A place in words: "Burgundy", "St Petersburg (sc)"."""
    return board.spelled_in[SPOKEN.get().code].get(location, location)


def places(locations: Iterable[Location], board: Board) -> list[str]:
    """Several places in words."""
    return [place(location, board) for location in locations]


def order_words(order: Order, board: Board, *, adjusting: bool = False, reader: str = "") -> str:
    """An order with its places spelled out: "A Burgundy - Belgium VIA", "build F Brest", and when adjusting "remove A
    Paris". `reader`: a power to whom foreign units are named with their nationality where they are helped.
    """
    return _order_words(order, board, adjusting, reader, SPOKEN.get())


@lru_cache(maxsize=1 << 12)
def _order_words(order: Order, board: Board, adjusting: bool, reader: str, _language: Language) -> str:  # noqa: FBT001  a cache tells keywords from places
    match order:
        case Build(_, kind, at):
            return build_words(kind, at, board)
        case Waive():
            return tell("waive")
        case Move(unit, to, via) if type(order) is Move:
            return f"{unit_text(unit, board)} - {place(to, board)}{' VIA' if via else ''}"
        case Support(unit, of, to):
            goal = f" - {place(to, board)}" if to else ""
            return f"{unit_text(unit, board)} S {_helped(of, board, reader)}{goal}"
        case Convoy(unit, of, to):
            return f"{unit_text(unit, board)} C {_helped(of, board, reader)} - {place(to, board)}"
        case Retreat(unit, to):
            return f"{unit_text(unit, board)} R {place(to, board)}"
        case Disband(unit):
            return removal_words(unit, board) if adjusting else f"{unit_text(unit, board)} D"
        case Hold(unit) | Misorder(unit):
            return f"{unit_text(unit, board)} H"
    return spelled_otherwise(order, board)


def build_words(kind: str, at: Location, board: Board) -> str:
    """A build with its place spelled out: "build F Brest"."""
    return tell("build {kind} {place}", kind=kind, place=place(at, board))


def removal_words(unit: Unit, board: Board) -> str:
    """A removal with its place spelled out: "remove A Paris"."""
    return tell("remove {unit}", unit=unit_text(unit, board))


def _helped(unit: Unit, board: Board, reader: str) -> str:
    return foreign(unit, board) if reader and unit.power != reader else unit_text(unit, board)


def unit_text(unit: Unit, board: Board) -> str:
    """A unit as orders name it: "A Burgundy", "A Paris#2"; by the number of its marker, if it has one: "A2 Paris"."""
    where = place(unit.at, board)
    if not unit.marks:
        return f"{unit.kind} {where}"
    if (number := unit.mark(NUMBER)) and not unit.mark(ANY):
        return f"{unit.kind}{number} {where}"
    return f"{unit.kind} {where}{unit.number}"


def unit_texts(units: Iterable[Unit], board: Board) -> list[str]:
    """Several units as orders name them."""
    return [unit_text(unit, board) for unit in units]


def foreign(unit: Unit, board: Board) -> str:
    """A unit with its nationality: "German A Ruhr"."""
    return f"{adjective(unit.power, board)} {unit_text(unit, board)}"


def adjective(power: str, board: Board) -> str:
    """A power's adjective: "German"."""
    known = board.powers.get(power)
    return tell(known.adjective) if known else power.title()
