"""What examples of orders are, as pages of help are told them: lines by what they show, and facts of the board."""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.orders.spelled import place


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A place as pages name it: its code, its name, and the coasts that fleets must name."""

    code: str
    name: str
    coasts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A short form with several meanings: what is written, and the names that it can mean."""

    written: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    """Lines of orders by what they show, "" where the board or its rules have no such thing.

    `power`: whose units they are; `other`: another power, with its `adjective`. `moves`: one move in several ways
    of writing, likeliest first; `far`: one that its unit cannot make. `supported`, `carried`: the line of the unit
    that is helped. `others`: lines of the kinds of order that the rules have of their own, with what they do.
    `conditions`: orders on a condition. `now`: a line for each thing that the phase asks for. `places`: all of the
    board.

    What the rules say otherwise than those of 1976: `units_win`: how many units win, 0 where centres do; `own_cuts`:
    whether own attacks cut a support as foreign ones do, and none from the place that is supported into;
    `fleets_pass`: whether fleets change places along different coasts; `raised_at`: what the power may raise and where,
    () for anything in its home centres; `raised_beside`: whether where own units stand too, as many as are due;
    `stand_together`: whether units retreat to one place where several may stand; `any_fleet`: whether fleets take
    armies of other countries aboard.
    """

    power: str
    other: str
    adjective: str
    move: str = ""
    moves: tuple[str, ...] = ()
    far: str = ""
    stand: str = ""
    support: str = ""
    supported: str = ""
    support_hold: str = ""
    foreign: str = ""
    convoy: str = ""
    carried: str = ""
    via: str = ""
    rail: str = ""
    others: tuple[tuple[str, str], ...] = ()
    retreat: str = ""
    disband: str = ""
    build: str = ""
    build_fleet: str = ""
    build_coast: str = ""
    remove: str = ""
    coast: str = ""
    coast_place: NamedPlace | None = None
    conditions: tuple[str, ...] = ()
    ambiguous: tuple[ShortForm, ...] = ()
    places: tuple[NamedPlace, ...] = ()
    now: tuple[str, ...] = ()
    units_win: int = 0
    own_cuts: bool = False
    fleets_pass: bool = False
    raised_at: tuple[str, ...] = ()
    raised_beside: bool = False
    stand_together: bool = False
    any_fleet: bool = False


def named_place(board: Board, code: str) -> NamedPlace:
    """A place of a board, by its code."""
    one = board.provinces[code]
    return NamedPlace(code, one.name, tuple(coast.lower() for coast in one.coasts))


def two_coasts(board: Board) -> NamedPlace | None:
    """The first place with coasts that fleets must name."""
    return next((named_place(board, code) for code, one in board.provinces.items() if one.coasts), None)


def short_forms(board: Board) -> tuple[ShortForm, ...]:
    """Up to four short forms that mean several places, shortest first."""
    found = []
    for written in sorted(board.ambiguous, key=lambda text: (len(text), text)):
        places = gazetteer_of(board).places(written)
        if len(places) > 1:
            found.append(ShortForm(written, tuple(place(one, board) for one in places)))
    return tuple(found[:4])
