"""A border that is closed in a season: the unit is told why, and nobody is offered what is closed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

from judge.adjudicate import adjudicate
from judge.adjudicate.legality import legality
from judge.board.load import load_board
from judge.board.model import Board, Closure, province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.daemon.robots import think
from judge.game.core.commands import Decision, Status
from judge.game.core.model import System
from judge.game.filing.judging import possible_only
from judge.orders.model import Hold, Move, Order, Support
from judge.orders.problems import suggest
from judge.orders.reader import read_line
from judge.report.mailing import letters_for
from judge.rules import RULES_1976
from tests.support.builders import Table, cast_of
from tests.support.ways import legal_moves

MAPS = Path(__file__).resolve().parents[3] / "maps"

SNOW = "The pass is snowed in until summer."
CLOSURES = f"""
[[closures]]
borders = ["PAR - BUR", "MAR - BUR"]
kinds = "A"
seasons = ["Spring"]
why = "{SNOW}"
"""


@pytest.fixture
def snowed_in(tmp_path: Path) -> Table:
    """A game on the standard board with snow on the passes into Burgundy, in Spring 1901."""
    folder = tmp_path / "maps" / "standard"
    folder.mkdir(parents=True)
    (folder / "board.toml").write_text((MAPS / "standard" / "board.toml").read_text() + CLOSURES)
    return Table(tmp_path / "maps").seated().started()


def refusal(table: Table, *lines: str) -> tuple[str, tuple[str, ...]]:
    answer = table.orders("FRANCE", *lines)
    assert isinstance(answer, Decision)
    (verdict,) = (each for each in answer.verdicts if each.status is Status.REFUSED)
    return verdict.sentence, verdict.candidates


def test_a_move_over_it_is_refused_with_its_sentence(snowed_in: Table) -> None:
    sentence, offered = refusal(snowed_in, "A Par - Bur")
    assert sentence == SNOW
    assert offered
    assert "A PAR - BUR" not in offered


def test_so_is_a_support_across_it(snowed_in: Table) -> None:
    sentence, offered = refusal(snowed_in, "A Par S A Mar - Bur")
    assert sentence == SNOW
    assert not any("BUR" in line for line in offered)


def test_a_slip_of_the_pen_does_not_lead_over_it(snowed_in: Table) -> None:
    _, offered = refusal(snowed_in, "A Par - Burgg")
    assert not any("BUR" in line for line in offered)


def test_in_another_season_it_is_open(snowed_in: Table) -> None:
    snowed_in.process()
    while str(snowed_in.game.phase) != "F1901M":
        snowed_in.process()
    answer = snowed_in.orders("FRANCE", "A Par - Bur")
    assert isinstance(answer, Decision)
    assert [verdict.status for verdict in answer.verdicts] == [Status.TAKEN]


def test_where_mistakes_are_allowed_the_report_says_it(tmp_path: Path) -> None:
    folder = tmp_path / "standard"
    folder.mkdir(parents=True)
    (folder / "board.toml").write_text((MAPS / "standard" / "board.toml").read_text() + CLOSURES)
    table = Table(tmp_path, {"no_mistakes": "no"}).seated().started()
    table.orders("FRANCE", "A Par - Bur")
    table.process()
    letters = [json.dumps(each.frozen()) for each in letters_for(table.before, table.last, table.game, cast_of())]
    assert any("The pass is snowed in until summer" in letter for letter in letters)


# -- On any board, in any season -----------------------------------------------------------------------------------


def closed_at_random(board: Board, chance: Random) -> Board:
    """The board with a third of its borders closed now and then."""
    borders = tuple(
        replace(each, closures=(Closure((chance.choice("SF"),), tuple(sorted(each.kinds)), f"{each.a} is shut."),))
        if chance.random() < 0.33
        else each
        for each in board.borders
    )
    return replace(board, borders=borders)


def somewhere(board: Board, season: str, chance: Random) -> Position:
    """Twenty units anywhere."""
    units: dict[str, Unit] = {}
    while len(units) < 20:
        kind, place = chance.choice("AF"), chance.choice(list(board.locations()))
        if board.can_stand(kind, place) and province_of(place) not in units:
            power = chance.choice(list(board.powers))
            units[province_of(place)] = Unit(len(units) + 1, kind, place, power, place)
    return Position(board, Phase.read(f"{season}1901M"), tuple(units.values()), MappingProxyType({}))


def proposals(position: Position, table: Table, chance: Random) -> Iterator[Order]:
    """Whatever the judge offers, itself or through its robots: moves, orders in place of wrong ones, readings."""
    for power in position.board.powers:
        yield from think(position, power, RULES_1976, chance)
    game = replace(table.game, system=System(position.board, RULES_1976), position=position)
    for unit in position.units:
        yield from (Move(unit, to) for to in legal_moves(position, unit, RULES_1976))
        to = chance.choice(list(position.board.provinces))
        other = chance.choice(position.units)
        for wrong in (Move(unit, to), Support(unit, other, to), Support(unit, other)):
            yield from suggest(wrong, position, lambda each: legality(each, position, RULES_1976) is None)
        for line in (
            f"{unit} - {to[:2]}",
            f"{unit} S {to}",
            str(unit),
            f"{unit} - {to}?",
            f"{unit} - {to} - {to}",
        ):
            for reading in read_line(line, position, unit.power):
                if reading.problem is not None:
                    offered = possible_only(game, reading.problem, position).candidates
                    yield from (each for each in offered if not isinstance(each, str))


@pytest.mark.parametrize("season", ["S", "F"])
@pytest.mark.parametrize("seed", range(4))
def test_no_proposal_is_refused(table: Table, season: str, seed: int) -> None:
    chance = Random(f"{season}{seed}")
    board = closed_at_random(load_board(MAPS / "standard"), chance)
    position = somewhere(board, season, chance)
    found = list(proposals(position, table, chance))
    assert sum(isinstance(each, Move) for each in found) > 20
    for order in found:
        fault = None if isinstance(order, Hold) else legality(order, position, RULES_1976)
        assert fault is None, (order, fault)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_offered_after_a_battle_is_open_too(seed: int) -> None:
    """Retreats: every option of a dislodged unit is over a border that is open."""
    chance = Random(seed)
    board = closed_at_random(load_board(MAPS / "standard"), chance)
    beaten = 0
    for _ in range(60):
        position = somewhere(board, "F", chance)
        orders = [order for power in board.powers for order in think(position, power, RULES_1976, chance)]
        for lost in adjudicate(position, orders, RULES_1976).after.dislodged:
            beaten += 1
            for to in lost.options:
                assert board.closure(lost.unit.kind, lost.unit.at, to, "F") is None
    assert beaten
