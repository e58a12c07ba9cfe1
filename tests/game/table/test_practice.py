"""Practice games: who is asked for what, when a phase is played, how the game ends, and that nothing of it counts."""

from datetime import timedelta

import pytest

from judge.game.clock.clockwork import next_wake
from judge.game.core import commands as cmd
from judge.game.core.commands import Refusal
from judge.game.core.events import GameEnded, LateCalled, PhaseAdjudicated, ReminderDue
from judge.game.core.model import Stage
from judge.game.filing.standing import standings
from judge.game.office.reliability import counted
from judge.game.table.sandbox import KEPT, PHASES, GoOn
from judge.report.core.letter import Kind
from judge.report.mailing import letters_for
from tests.support.builders import Table, cast_of

HOLD = {"FRANCE": ("A Par H", "A Mar H", "F Bre H"), "GERMANY": ("A Ber - Mun", "A Mun - Bur", "F Kie H")}


@pytest.fixture
def alone(table: Table) -> Table:
    return table.practising("FRANCE")


def go_on(table: Table) -> None:
    """The player says `ready`, and the clock looks at the game."""
    table.tell(GoOn(), table.player("FRANCE"))
    table.tick(table.now)


def test_only_its_player_is_asked_for_orders(alone: Table) -> None:
    assert [one.power for one in standings(alone.game)] == ["FRANCE"]


def test_a_phase_is_played_as_soon_as_the_orders_are_complete(alone: Table) -> None:
    alone.orders("FRANCE", "A Par H", "A Mar H")
    assert next_wake(alone.game, alone.now) == alone.game.deadline.at  # type: ignore[union-attr]
    alone.orders("FRANCE", "F Bre H")
    assert next_wake(alone.game, alone.now) == alone.now
    assert str(alone.tick(alone.now).game.phase) == "F1901M"


def test_whoever_waits_is_waited_for(alone: Table) -> None:
    alone.tell(cmd.Wait(on=True), alone.player("FRANCE"))
    alone.orders("FRANCE", *HOLD["FRANCE"])
    assert str(alone.tick(alone.now).game.phase) == "S1901M"


def test_nobody_is_missed_and_others_stand(alone: Table) -> None:
    go_on(alone)
    event = next(event for event in alone.last if isinstance(event, PhaseAdjudicated))
    assert event.missing == ("FRANCE",)
    assert {unit.at for unit in alone.game.position.of("RUSSIA")} == {"MOS", "WAR", "SEV", "STP/SC"}  # type: ignore[union-attr]


def test_a_unit_that_is_driven_out_disbands_and_asks_nobody_for_a_retreat(alone: Table) -> None:
    alone.orders("FRANCE", "A Par - Bur", "A Mar H", "F Bre H")
    alone.tick(alone.now)
    alone.orders("FRANCE", "A Bur - Ruh", "A Mar - Bur", "F Bre H")
    alone.tick(alone.now)
    assert alone.game.stage is Stage.RUNNING
    alone.orders("FRANCE", "A Ruh - Mun", "A Bur S A Ruh - Mun", "F Bre H")
    alone.tick(alone.now)
    assert not alone.game.position.dislodged  # type: ignore[union-attr]
    assert [str(unit) for unit in alone.game.position.of("GERMANY")] == ["F KIE", "A BER"]  # type: ignore[union-attr]


def test_it_ends_after_three_phases_with_one_letter(alone: Table) -> None:
    for _ in range(PHASES):
        assert alone.game.stage is Stage.RUNNING
        go_on(alone)
    assert [event.how for event in alone.last if isinstance(event, GameEnded)] == ["practice"]
    letters = letters_for(alone.before, alone.last, alone.game, cast_of())
    assert [letter.kind for letter in letters] == [Kind.PRACTICE]


def test_it_counts_for_nobody(alone: Table) -> None:
    go_on(alone)
    assert alone.before is not None
    assert counted(alone.before, alone.last) == {}


def test_it_is_given_up_when_nothing_is_ordered_and_nobody_is_called_late(alone: Table) -> None:
    due = alone.game.deadline.at  # type: ignore[union-attr]
    for hours in range(0, 14 * 24 + 1, 12):
        alone.tick(min(alone.now + timedelta(hours=hours), due))
    assert alone.game.stage is Stage.ENDED
    assert not any(isinstance(event, (LateCalled, ReminderDue)) for event in alone.events)


def test_it_ends_when_its_player_leaves(alone: Table) -> None:
    alone.tell(cmd.Leave(for_good=True), alone.player("FRANCE"))
    assert alone.game.stage is Stage.ENDED


def test_it_is_cleared_away_once_when_it_is_long_over(alone: Table) -> None:
    alone.tell(cmd.Leave(for_good=True), alone.player("FRANCE"))
    assert next_wake(alone.game, alone.now) == alone.now + KEPT
    alone.tick(alone.now + KEPT)
    assert alone.game.practice is not None and alone.game.practice.cleared
    assert next_wake(alone.game, alone.now) is None and not alone.tick(alone.now + KEPT).last


def test_a_game_that_counts_does_not_go_on_like_that(table: Table) -> None:
    assert isinstance(table.tell(GoOn(), table.player("FRANCE")), Refusal)
