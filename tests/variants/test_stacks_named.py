"""Two units in one space: each has a name that orders keep, and that is read back as the same unit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

from judge.adjudicate import adjudicate
from judge.board.model import Board, Location, province_of
from judge.board.phase import Phase
from judge.board.position import Position, position_from_json, position_to_json, start_position
from judge.board.unit import Dislodged, Unit
from judge.game.core.commands import Decision, Status
from judge.orders.model import Convoy, Disband, Hold, Move, Order, Retreat, Support
from judge.orders.reader import read_line
from judge.orders.spelled import order_words
from judge.variants import rules_for
from tests.support.builders import Table

RULES = rules_for("capitals")
MAPS = Path(__file__).resolve().parents[2] / "maps"


def crowded(board: Board, kind: str, chance: Random) -> Position:
    """Two units of each power in its capital, alike as often as not, and some more around."""
    units: list[Unit] = []
    for province, (power, most, *_) in RULES.stacks(start_position(board)).items():
        kinds = "AF" if len(board.standings("F", province)) == 1 else "A"
        units += [Unit(0, chance.choice(kinds), province, power, province) for _ in range(most)]
    taken = {unit.at for unit in units}
    while len(units) < 26:
        unit_kind, at = chance.choice("AF"), chance.choice(list(board.locations()))
        if board.can_stand(unit_kind, at) and province_of(at) not in taken:
            taken.add(province_of(at))
            units.append(Unit(0, unit_kind, at, chance.choice(list(board.powers)), at))
    chance.shuffle(units)
    named = tuple(unit._replace(id=number) for number, unit in enumerate(units, 1))
    if kind != "R":
        return Position(board, Phase.read(f"{'S' if kind == 'M' else 'W'}1901{kind}"), named, MappingProxyType({}))
    beaten = tuple(Dislodged(unit, tuple(board.reach(unit.kind, unit.at))) for unit in named)
    return Position(board, Phase.read("S1901R"), (), MappingProxyType({}), beaten)


def any_order(position: Position, unit: Unit, options: tuple[Location, ...], chance: Random) -> Order:
    if position.phase.kind == "A":
        return Disband(unit)
    if position.phase.kind == "R":
        ways: list[Order] = [Disband(unit), *(Retreat(unit, to) for to in options)]
        return chance.choice(ways)
    other = chance.choice([each for each in position.units if each.id != unit.id])
    goals = position.board.reach(unit.kind, unit.at)
    choices: list[Order] = [Hold(unit), Support(unit, other), *(Move(unit, to) for to in goals)]
    choices += [Support(unit, other, to) for to in position.board.reach(other.kind, other.at)]
    if unit.kind == "F" and other.kind == "A":
        choices += [Convoy(unit, other, code) for code in ("LON", "BRE", "NAP") if code != other.at]
    return chance.choice(choices)


@pytest.mark.parametrize("kind", ["M", "R", "A"])
@pytest.mark.parametrize("seed", range(12))
def test_the_canonical_line_of_any_order_is_read_back(board: Board, kind: str, seed: int) -> None:
    chance = Random(f"{kind}{seed}")
    position = crowded(board, kind, chance)
    assert len({str(unit) for unit in position.units}) == len(position.units)
    everybody: list[tuple[Unit, tuple[Location, ...]]] = [(unit, ()) for unit in position.units]
    everybody += [(lost.unit, lost.options) for lost in position.dislodged]
    for unit, options in everybody:
        order = any_order(position, unit, options, chance)
        for line in (str(order), order_words(order, board, adjusting=kind == "A")):
            assert [reading.order for reading in read_line(line, position, unit.power)] == [order], line


def test_who_has_left_the_other_is_no_second_any_more(board: Board) -> None:
    armies = (Unit(1, "A", "PAR", "FRANCE"), Unit(2, "A", "PAR", "FRANCE"))
    before = Position(board, Phase.read("S1901M"), armies, MappingProxyType({}))
    first, second = before.units
    assert (str(first), str(second)) == ("A PAR#1", "A PAR#2")
    for left, names in ((first, ["A BUR", "A PAR"]), (second, ["A BUR", "A PAR"])):
        after = adjudicate(before, [Move(left, "BUR")], RULES).after
        assert sorted(str(unit) for unit in after.units) == names


def test_numbers_are_kept_where_a_position_is_stored(board: Board) -> None:
    position = crowded(board, "M", Random(1))
    assert position_from_json(position_to_json(position), board) == position
    bare = [{**each, "marks": {}} for each in position_to_json(position)["units"]]
    assert position_from_json({**position_to_json(position), "units": bare}, board) == position


# -- Two builds on one site ----------------------------------------------------------------------------------------


@pytest.fixture
def winter() -> Table:
    """France may build two in Paris: nobody stands there, and its other centres are taken or not its own."""
    table = Table(MAPS, {"players": "7"}, preset="capitals").seated().started()
    position = table.game.position
    assert position is not None
    owners = MappingProxyType({"PAR": "FRANCE", "MAR": "FRANCE", "BRE": "FRANCE"})
    units = (Unit(1, "A", "GAS", "FRANCE"), Unit(2, "A", "MAR", "GERMANY"), Unit(3, "A", "BRE", "GERMANY"))
    then = replace(position, phase=Phase.read("W1901A"), units=units, owners=owners)
    table.game = replace(table.game, position=then)
    return table


def filed(table: Table) -> list[str]:
    sheet = table.game.sheets.get("FRANCE")
    return [line.order for line in sheet.lines] if sheet else []


def statuses(answer: object) -> list[Status]:
    assert isinstance(answer, Decision)
    return [verdict.status for verdict in answer.verdicts]


def test_two_builds_on_one_site_are_two_builds(winter: Table) -> None:
    assert statuses(winter.orders("FRANCE", "build A Par", "build A Paris")) == [Status.TAKEN, Status.TAKEN]
    assert filed(winter) == ["A PAR B", "A PAR B"]
    winter.process()
    assert winter.game.position is not None
    assert [str(unit) for unit in winter.game.position.of("FRANCE")] == ["A GAS", "A PAR#1", "A PAR#2"]


def test_a_later_mail_takes_the_place_of_both(winter: Table) -> None:
    winter.orders("FRANCE", "build A Par", "build A Par")
    winter.orders("FRANCE", "build A Par")
    assert filed(winter) == ["A PAR B"]


def test_the_log_gives_both_back(winter: Table) -> None:
    winter.orders("FRANCE", "build A Par", "build A Par")
    (stored,) = (event for event in winter.last if hasattr(event, "lines"))
    assert [line.get("slot", 1) for line in stored.lines] == [1, 2]


# -- Two lines without numbers -------------------------------------------------------------------------------------


@pytest.fixture
def spring(winter: Table) -> Table:
    """Two French armies in Paris and one beside them."""
    position = winter.game.position
    assert position is not None
    units = (Unit(1, "A", "PAR", "FRANCE"), Unit(2, "A", "PAR", "FRANCE"), Unit(3, "A", "GAS", "FRANCE"))
    then = replace(position, phase=Phase.read("S1902M"), units=units)
    winter.game = replace(winter.game, position=then)
    return winter


def test_two_plain_lines_are_for_the_one_and_the_other(spring: Table) -> None:
    assert statuses(spring.orders("FRANCE", "A Par - Bur", "A Par - Bre", "A Gas H")) == [Status.TAKEN] * 3
    assert sorted(filed(spring)) == ["A GAS H", "A PAR#1 - BUR", "A PAR#2 - BRE"]


def test_a_third_line_is_for_the_one_that_has_been_ordered(spring: Table) -> None:
    answer = spring.orders("FRANCE", "A Par - Bur", "A Par - Bre", "A Par H")
    assert Status.REFUSED in statuses(answer), "two orders for the first of them are asked back"


def test_a_number_says_which(spring: Table) -> None:
    spring.orders("FRANCE", "A Par#2 - Bre", "A Par - Bur")
    assert sorted(filed(spring)) == ["A PAR#1 - BUR", "A PAR#2 - BRE"]
