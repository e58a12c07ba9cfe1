"""Fewer players than powers (XIV.2): powers that are nobody's, and World War I."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import MappingProxyType

import pytest

from judge.adjudicate import adjudicate
from judge.board.model import Board
from judge.board.position import Position
from judge.board.unit import Unit
from judge.game.clock.turnover import turn_page
from judge.game.core.events import GameEnded
from judge.game.core.model import Stage
from judge.orders.model import Order
from judge.orders.reader import read_line
from judge.rules.model import RULE_SYSTEMS
from judge.variants import rules_for
from judge.variants.few import SIDES
from tests.variants.test_whole_games import check_position, everybody_orders, rebuilt, started

Make = Callable[..., Position]

TWO = rules_for("two")


def orders(position: Position, *lines: str) -> list[Order]:
    """Each line is "FRANCE A Mar - Spa"."""
    read = (read_line(line.partition(" ")[2], position, line.partition(" ")[0]) for line in lines)
    return [reading.order for (reading,) in read if reading.order is not None]


@pytest.mark.parametrize(
    ("preset", "players", "year", "nobodys"),
    [
        ("six", 6, 1870, {"ITALY"}),
        ("five", 5, 1801, {"GERMANY", "ITALY"}),
        ("four", 4, 1901, set()),
        ("three", 3, 1901, set()),
        ("three-otherwise", 3, 1901, set()),
        ("two", 2, 1914, {"ITALY"}),
    ],
)
def test_each_table_has_its_players_and_its_year(preset: str, players: int, year: int, nobodys: set[str]) -> None:
    game = started(preset).game
    assert len(game.seats) == players
    assert game.phase is not None and game.phase.year == year
    assert set(game.unplayed) == nobodys


@pytest.mark.parametrize("preset", ["six", "five", "four", "three", "three-otherwise", "two"])
def test_robots_play_each_table_to_the_end_of_a_short_game(preset: str) -> None:
    """Nothing is refused, nobody stands where there is no room, the log rebuilds; whoever wins has a player."""
    year = int(RULE_SYSTEMS[preset].presets[preset].get("first_year", "1901"))
    settings = {"end_after": f"F{year + 4}", "short_winner": "units"}
    table, chance = started(preset, settings), Random(preset)
    while table.game.stage is Stage.RUNNING:
        everybody_orders(table, chance)
        table.process()
        check_position(table.game)
    ending = table.game.ending
    assert ending is not None and ending.how in ("limit", "win") and ending.powers
    assert all(table.game.seat_of(power) is not None for power in ending.powers)
    assert rebuilt(table).position == table.game.position


def test_what_a_neutral_power_has_to_remove_goes_as_in_civil_disorder(position: Make) -> None:
    winter = position("italy  A VEN, A ROM, F NAP", "owns italy ROM NAP", phase="W1901A")
    after = adjudicate(winter, (), rules_for("six")).after
    assert {str(unit) for unit in after.of("ITALY")} == {"A ROM", "A VEN"}, "all stand at home; the fleet goes first"


# -- World War I ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("year", "reached"), [(1901, "TYR"), (1902, "VEN")])
def test_italy_is_entered_only_after_the_first_year(position: Make, year: int, reached: str) -> None:
    before = position("austria  A TYR", "france  F ION", phase=f"S{year}M")
    after = adjudicate(before, orders(before, "AUSTRIA A Tyr - Ven"), TWO).after
    assert after.units[0].at == reached


def test_nobody_retreats_into_neutral_italy(position: Make) -> None:
    before = position("austria  A TYR", "germany  A MUN, A BOH", "france  A MAR")
    lines = ("GERMANY A Mun - Tyr", "GERMANY A Boh S A Mun - Tyr")
    (lost,) = adjudicate(before, orders(before, *lines), TWO).after.dislodged
    assert set(lost.options) == {"TRI", "VIE"}


@pytest.mark.parametrize(("lot", "side"), [(0, "ENGLAND"), (1, "AUSTRIA")])
def test_the_coin_is_flipped_before_the_first_adjustments(position: Make, lot: int, side: str) -> None:
    retreats = position("italy  A ROM", phase="F1901R")
    winter = adjudicate(retreats, (), TWO, lot=lot).after
    assert winter.marks["ITALY"]["joins"] == side
    assert TWO.authority(winter, "ITALY") is None, "it joins in Spring"
    spring = adjudicate(winter, (), TWO, lot=1 - lot).after
    assert TWO.authority(spring, "ITALY") == side
    later = adjudicate(replace(spring, phase=TWO.calendar.read("F1902R")), (), TWO, lot=1 - lot).after
    assert TWO.authority(later, "ITALY") == side, "once"


def test_twenty_four_units_of_a_side_win(board: Board) -> None:
    places = [code for code in board.provinces if board.can_stand("A", code)][:24]
    empty = Position(board, TWO.calendar.read("S1902M"), (), MappingProxyType({}))

    def with_units(count: int, joined: int) -> Position:
        units = [Unit(n, "A", at, ("ENGLAND", "FRANCE", "RUSSIA")[n % 3], at) for n, at in enumerate(places[:count], 1)]
        units += [Unit(90 + n, "A", at, "ITALY", at) for n, at in enumerate(places[count : count + joined])]
        marks = MappingProxyType({"ITALY": MappingProxyType({"joins": "ENGLAND"})})
        return replace(empty, units=tuple(units), marks=marks)

    assert TWO.winner(with_units(23, 0)) is None
    assert TWO.winner(with_units(24, 0)) in ("ENGLAND", "FRANCE", "RUSSIA")
    assert TWO.winner(with_units(21, 3)) in ("ENGLAND", "FRANCE", "RUSSIA", "ITALY"), "Italy counts for whom it joined"
    assert TWO.winner(with_units(20, 3)) is None


# -- Who wins where a player has several powers --------------------------------------------------------------------


@pytest.mark.parametrize(("choice", "winners"), [("no", set()), ("yes", {"AUSTRIA", "FRANCE"})])
def test_a_players_powers_win_together_only_where_that_was_agreed(board: Board, choice: str, winners: set[str]) -> None:
    """Victory is one Great Power's 18 centres, or their player's, as an option."""
    rules = rules_for("four").with_choices({"joint_victory": choice})
    owners = dict(zip(board.centres, ["AUSTRIA"] * 9 + ["FRANCE"] * 9 + ["RUSSIA"] * 16, strict=True))
    position = Position(board, rules.calendar.read("S1910M"), (), MappingProxyType(owners))
    assert ({rules.winner(position)} <= winners) if winners else rules.winner(position) is None


def test_the_powers_of_the_player_who_wins_are_all_named() -> None:
    """The game's own word for it: `GameEnded.powers`."""
    table = started("four", {"choices": "joint_victory=yes"})
    board = table.game.board
    owners = dict(zip(board.centres, ["AUSTRIA"] * 9 + ["FRANCE"] * 9 + ["RUSSIA"] * 16, strict=True))
    game = replace(table.running, position=replace(table.running.position, owners=MappingProxyType(owners)))
    ended = next(event for event in turn_page(game, table.now) if isinstance(event, GameEnded))
    assert (ended.how, set(ended.powers)) == ("win", {"AUSTRIA", "FRANCE"})


def test_at_the_end_of_a_short_game_sides_are_counted_as_sides() -> None:
    """Whoever has most units by itself has not won World War I: its side has to."""
    table = started("two", {"end_after": "F1914", "short_winner": "units"})
    table.orders("ENGLAND", "Russia: A War - Gal", "Russia: F Sev - Rum")
    table.orders("AUSTRIA", "A Bud - Ser", "Germany: F Kie - Den")
    table.process()
    table.process()
    table.orders("AUSTRIA", "build A Bud", "Germany: build F Kie")
    ended = table.process().game
    assert ended.ending is not None and ended.position is not None
    units = Counter(unit.power for unit in ended.position.units)
    assert (units["AUSTRIA"], units["GERMANY"], units["RUSSIA"]) == (4, 4, 4)
    ally = ended.position.marks["ITALY"]["joins"]
    side = {"ENGLAND": SIDES[0], "AUSTRIA": SIDES[1]}[ally]
    assert set(ended.ending.powers) == {*side, "ITALY"}, "10 units, 11 units, and Italy's 3, which has joined"


@pytest.mark.parametrize("preset", ["six", "five", "four", "three", "three-otherwise", "two"])
def test_the_rules_in_words_name_every_power_that_is_dealt_otherwise(preset: str, board: Board) -> None:
    words = " ".join(line for block in RULE_SYSTEMS[preset].page for line in block.lines)
    rules = RULE_SYSTEMS[preset].rules
    for hand in rules.seats(board):
        assert len(hand) == 1 or all(board.powers[power].name in words for power in hand)
    for power in set(board.powers) - set(rules.for_players(board)):
        assert board.powers[power].name in words or (power == "ITALY" and "ITALY" in words)
