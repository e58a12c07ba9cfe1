"""A rollback over several phases that is taken back: all of them count again, as if nothing had been said."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.board.position import position_to_json
from judge.game.clock.extensions import CallExtensionVote
from judge.game.clock.holds import HoldGame
from judge.game.clock.turnover import SplitTurn
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game, Stage
from judge.game.office.undoing import inverse
from judge.game.repair.correcting import CorrectPosition
from judge.game.repair.rewriting import PlayForward, RollBack, RollForward
from tests.support.builders import Table


@pytest.fixture
def year(table: Table) -> Table:
    """Spring 1902, with orders on file: everything of 1901 is played."""
    table.all_orders({"FRANCE": ["A Par - Bur", "A Mar - Spa", "F Bre - Mao"], "GERMANY": ["A Mun - Ruh"]}).process()
    table.all_orders({"FRANCE": ["A Bur - Bel", "F Mao - Por"], "GERMANY": ["F Kie - Den"]}).process()
    table.all_orders({"FRANCE": ["B A Par", "B F Bre", "B A Mar"], "GERMANY": ["B F Kie"]}).process()
    table.all_orders({"FRANCE": ["A Bel - Hol", "A Par - Bur"]})
    return table


def undo(table: Table) -> str:
    """Taking the Gamemaster's last act back, and what he is told."""
    place = max(number for number, event in enumerate(table.events) if event.by == cmd.GM_SEAT)
    command = inverse(table.events, place, lambda: rebuild(table.events[:place], table.systems))
    assert command is not None
    answer = table.tell(command, table.gm)
    assert isinstance(answer, Decision), answer
    return answer.said


def state(game: Game) -> dict[str, object]:
    """What a rollback takes back of a game."""
    assert game.position is not None
    return {
        "stage": game.stage,
        "position": position_to_json(game.position),
        "orders": {p: sorted(line.order for line in s.lines) for p, s in game.sheets.items() if s.lines},
        "chart": game.chart,
        "due": game.deadline.at if game.deadline else None,
        "held": game.held_since,
        "ending": (game.ending.how, game.ending.powers, game.ending.reason) if game.ending else None,
        "played": [played.event.phase for played in game.past],
        "after": [played.event.after for played in game.past],
        "split": game.split,
    }


@pytest.mark.parametrize("phase", ["S1901M", "F1901M", "W1901A"])
def test_every_phase_is_played_again_with_its_own_orders(year: Table, phase: str) -> None:
    was = state(year.game)
    year.tell(RollBack(phase, "a mistake of mine"), year.gm)
    said = undo(year)
    assert "processed again, with the same orders" in said
    assert state(year.game) == was
    assert rebuild(year.events, year.systems) == year.game


def test_the_answer_counts_the_phases(year: Table) -> None:
    year.tell(RollBack("S1901M"), year.gm)
    assert undo(year) == "The 3 phases from S1901M on are processed again, with the same orders."


def test_they_are_new_versions_of_the_results(year: Table) -> None:
    year.tell(RollBack("S1901M"), year.gm)
    undo(year)
    played = [(e.phase, e.version) for e in year.last if isinstance(e, ev.PhaseAdjudicated)]
    assert played == [("S1901M", 2), ("F1901M", 2), ("W1901A", 2)]


def test_a_winter_that_was_divided_is_divided_again(fallen: Table) -> None:
    fallen.tell(SplitTurn(), fallen.player("FRANCE"))
    fallen.orders("FRANCE", "A Bur - Gas")
    fallen.process()
    fallen.orders("GERMANY", "B F Kie")
    fallen.process()
    was = state(fallen.game)
    fallen.tell(RollBack("S1901M"), fallen.gm)
    undo(fallen)
    assert state(fallen.game) == was


def test_what_was_corrected_by_hand_is_corrected_again(year: Table) -> None:
    year.tell(RollBack("F1901M"), year.gm)
    year.tell(RollForward(), year.gm)
    year.tell(CorrectPosition("A Bel at Pic"), year.gm)
    year.all_orders({"FRANCE": ["B A Par"]}).process()
    year.tell(CorrectPosition("A Pic at Bur"), year.gm)
    was = state(year.game)
    year.tell(RollBack("S1901M"), year.gm)
    undo(year)
    assert state(year.game) == was


def test_a_game_that_had_ended_by_agreement_ends_again(year: Table) -> None:
    year.tell(cmd.EndGame("everybody has had enough"), year.gm)
    was = state(year.game)
    year.tell(RollBack("F1901M"), year.gm)
    assert year.game.stage is Stage.RUNNING
    undo(year)
    again = state(year.game)
    assert (again["stage"], again["ending"]) == (was["stage"], was["ending"]) and again["ending"] is not None


def test_a_game_on_hold_stays_on_hold_and_that_is_said(year: Table) -> None:
    year.tell(HoldGame("holidays"), year.gm)
    year.tell(RollBack("S1901M"), year.gm)
    assert "still on hold" in undo(year)
    assert year.game.held_reason == "holidays"


def test_open_votes_stay_open(year: Table) -> None:
    year.tell(CallExtensionVote(), year.player("ITALY"))
    year.tell(RollBack("S1901M"), year.gm)
    undo(year)
    assert list(year.game.votes) == [1]


def test_after_more_than_a_day_the_players_have_their_time_again(year: Table) -> None:
    assert year.game.deadline is not None
    due = year.game.deadline.at
    year.tell(RollBack("S1901M"), year.gm)
    year.now += timedelta(days=2)
    undo(year)
    assert year.game.deadline is not None and year.game.deadline.at > due


def test_where_the_judge_was_mended_meanwhile_it_says_what_did_not_come_again(fallen: Table) -> None:
    """Nobody is dislodged this time, so there are no retreats; what can be played is."""
    fallen.process()
    fallen.tell(RollBack("F1901M"), fallen.gm)
    fallen.game = replace(fallen.game, sheets={})
    assert undo(fallen) == "tannenburg is at S1902M: F1901R did not come again, because what went before has changed."
    assert str(fallen.game.phase) == "S1902M"


def test_there_must_be_something_to_play(year: Table) -> None:
    answer = year.tell(PlayForward(), year.gm)
    assert isinstance(answer, Refusal) and answer.slug == "no-replay"


def test_rolling_forward_by_command_says_that_only_the_first_phase_was_played(year: Table) -> None:
    year.tell(RollBack("S1901M"), year.gm)
    answer = year.tell(RollForward(), year.gm)
    assert isinstance(answer, Decision)
    assert answer.said == ("S1901M is processed again. From F1901M on the phases are played again, with new orders.")
    assert str(year.game.phase) == "F1901M"


def test_a_phase_processed_again_keeps_its_deadline_though_orders_were_on_file_for_the_next(table: Table) -> None:
    table.all_orders({"FRANCE": ["A Par - Bur"]}).process()
    table.orders("FRANCE", "A Bur - Bel")
    due = table.running.deadline.at
    table.now += timedelta(hours=2)
    table.tell(RollBack("S1901M"), table.gm)
    table.tell(RollForward(), table.gm)
    assert table.game.deadline is not None and table.running.deadline.at == due
    assert [line.order for line in table.game.sheets["FRANCE"].lines] == ["A BUR - BEL"]
