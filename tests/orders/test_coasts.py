"""A coast may be written in any usual way; one that the place does not have is asked back, with those that it has.

Every place of every board whose coasts have names, each coast in each phrasing, from a sea beside it.
"""

from __future__ import annotations

from types import MappingProxyType

import pytest

from judge.board.model import COAST_NAMES, Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.reader import read_line
from judge.orders.reading import Reading
from tests.support.archipelago import board_named

WAYS = """{place}/{code}|{place} ({code})|{place} {code}|{place}({code})|{place}-{code}|{place}, {code}|{place},{code}
{place} {n}.c.|{place} ({n}.c.)|{place} {name}|{place} ({name})|{place} (the {name})|{place}, {name}|{place} - {name}
{place}, the {name}|{place}'s {name}|the {name} of {place}|{name} of {place}|{long} of {place}|{place} on the {name}
{place} ({long})|{place} {d} shore|the {d} shore of {place}|{place} along the {d}ern shore|{place} [{code}]
{place}_{code}|{place}:{code}|{place} {n}. coast|{place}({d} Coast)""".replace("\n", "|").split("|")

BARE = """{place} {d}|{d} {place}|{place} {d}ern|{d}ern {place}|{place}, {d}|{place} - {d}|{place}-{d}|{place} ({d})
{place}/{d}|{place} ({n})|{place}/{n}|{place} [{n}]""".replace("\n", "|").split("|")
"""A direction alone, which is a coast only where the place has it."""


def _written(way: str, place: str, coast: str) -> str:
    name = COAST_NAMES[coast]
    d = name.partition(" ")[0]
    return way.format(place=place, code=coast, n=coast[0], name=name, long=f"{d}ern coast", d=d)


def _read(board: Board, start: str, goal: str) -> Reading:
    power = next(iter(board.powers))
    unit = Unit(1, "F", start, power)
    position = Position(board, Phase.read(f"S{board.first_phase.year + 1}M"), (unit,), MappingProxyType({}))
    found = read_line(f"F {start} - {goal}", position, power)
    assert len(found) == 1, f"F {start} - {goal}: {found}"
    return found[0]


@pytest.mark.parametrize("key", ["standard", "european", "global2"])
def test_each_phrasing_of_a_coast_is_that_coast_or_is_told_that_there_is_none(key: str) -> None:
    board, wrong = board_named(key), []
    for code, province in board.provinces.items():
        for coast, name in COAST_NAMES.items() if province.coasts else ():
            has, goal = coast in province.coasts, f"{code}/{coast}"
            starts = [at for at in board.provinces if board.can_stand("F", at)]
            reached = {at: {to for to in board.reach("F", at, "S") if to.startswith(f"{code}/")} for at in starts}
            near = [at for at, to in reached.items() if (goal in to if has else len(to) > 1)]
            for way in WAYS if near else ():
                for place in (code, province.name):
                    text = _written(way, place, coast)
                    found = _read(board, near[0], text)
                    right = (
                        str(found.order) == f"F {near[0]} - {goal}"
                        if has
                        else found.problem is not None and f"{province.name} has no {name};" in found.problem.sentence
                    )
                    if not right:
                        wrong.append(f"F {near[0]} - {text}: {found.problem or found.order}")
    assert not wrong, "\n".join(wrong)


def test_what_looks_like_a_coast_behind_a_place_that_has_none_is_another_place() -> None:
    """The English Channel is written "EC"; Brest has one shore."""
    found = _read(board_named("standard"), "BRE", "EC")
    assert found.order is None


@pytest.mark.parametrize("key", ["standard", "european", "global2"])
def test_a_direction_alone_is_that_coast_or_has_the_line_asked_back_or_noted(key: str) -> None:
    board, wrong = board_named(key), []
    for code, province in board.provinces.items():
        starts = [at for at in board.provinces if province.coasts and board.can_stand("F", at)]
        for start in starts:
            reached = {to.partition("/")[2] for to in board.reach("F", start, "S") if to.startswith(f"{code}/")}
            for coast in COAST_NAMES if reached else ():
                for way in BARE:
                    text = _written(way, province.name, coast)
                    found = _read(board, start, text)
                    noted = found.problem is not None or found.corrected or "words-ignored" in found.notes
                    if coast in province.coasts:
                        noted = noted and coast not in reached
                        noted = noted or str(found.order) == f"F {start} - {code}/{coast}"
                    if not noted:
                        wrong.append(f"F {start} - {text}: {found.problem or found.order}")
    assert not wrong, "\n".join(wrong)
