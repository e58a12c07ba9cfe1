"""During a rollback nobody orders, except by `amend`; `reopen` lets everybody order a phase again."""

from datetime import timedelta

import pytest

from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import from_json, to_json
from judge.game.core.evolve import rebuild
from judge.game.office.rulings import OrderAs
from judge.game.repair.rewriting import PhaseReopened, Reopen, RollBack, RollForward
from tests.support.builders import Table

WEST = {
    "FRANCE": ("A Par - Bur", "A Mar - Spa", "F Bre - MAO"),
    "ENGLAND": ("F Lon - NTH", "F Edi - NWG", "A Lvp - Yor"),
}


def slug(result: Decision | Refusal) -> str:
    assert isinstance(result, Refusal), result
    return result.slug


def on_file(table: Table, power: str) -> set[str]:
    sheet = table.game.sheets.get(power)
    return {line.order for line in sheet.lines} if sheet else set()


def as_france(*lines: str, amends: bool = False) -> OrderAs:
    return OrderAs("FRANCE", tuple(cmd.OrderLine(n, text) for n, text in enumerate(lines, 1)), amends=amends)


@pytest.fixture
def back(table: Table) -> Table:
    """Spring was played, and taken back a day later."""
    table.all_orders(WEST).process()
    table.now += timedelta(days=1)
    table.tell(RollBack("S1901M", "three mails were lost"), table.gm)
    return table


def test_the_gamemaster_orders_for_nobody_during_a_rollback(back: Table) -> None:
    assert slug(back.tell(as_france("A Par - Pic"), back.gm)) == "replay"
    assert "A PAR - BUR" in on_file(back, "FRANCE")


def test_what_was_read_wrongly_is_amended(back: Table) -> None:
    assert isinstance(back.tell(as_france("A Par - Pic", amends=True), back.gm), Decision)
    back.tell(RollForward(), back.gm)
    assert back.game.position is not None
    assert {str(unit) for unit in back.game.position.of("FRANCE")} == {"A PIC", "A SPA", "F MAO"}


def test_there_is_nothing_to_amend_in_a_turn_under_way(table: Table) -> None:
    assert slug(table.tell(as_france("A Par - Pic", amends=True), table.gm)) == "no-replay"


def test_a_player_who_goes_during_a_rollback_leaves_the_orders_of_then(back: Table) -> None:
    """With the same orders: also those of a power whose player has changed since."""
    back.tell(cmd.Vacate("FRANCE"), back.gm)
    back.tell(cmd.Assign("FRANCE", 8), back.gm)
    assert "A PAR - BUR" in on_file(back, "FRANCE")


def test_a_reopened_phase_is_ordered_anew_and_its_orders_stand_until_then(back: Table) -> None:
    back.tell(Reopen("S1901M"), back.gm)
    assert back.game.replay is None and back.game.held_since is None
    back.orders("FRANCE", "A Par - Pic")
    assert on_file(back, "FRANCE") == {"A PAR - PIC", "A MAR - SPA", "F BRE - MAO"}
    assert on_file(back, "ENGLAND") == {"F LON - NTH", "F EDI - NWG", "A LVP - YOR"}


def test_reopening_takes_back_what_was_not_taken_back_yet(table: Table) -> None:
    table.all_orders(WEST).process().process()
    table.tell(Reopen("S1901M", "three mails were lost"), table.gm)
    assert str(table.game.phase) == "S1901M" and table.game.replay is None
    assert "A PAR - BUR" in on_file(table, "FRANCE")


def test_it_has_at_least_the_whole_time_of_such_a_phase(back: Table) -> None:
    back.now += timedelta(days=90)
    back.tell(Reopen("S1901M"), back.gm)
    assert back.game.deadline is not None
    assert back.game.deadline.at - back.now >= back.game.settings.min_phase
    assert not back.game.deadline.called and not back.game.deadline.late


def test_it_is_not_processed_early_because_everything_was_in_from_the_beginning(table: Table) -> None:
    table.tell(cmd.ChangeSettings("early", "yes"), table.gm)
    table.all_orders(dict.fromkeys(table.game.board.powers, ("all hold",))).process()
    table.tell(Reopen("S1901M", "three mails were lost"), table.gm)
    due = table.running.deadline.at
    table.orders("FRANCE", "A Par - Pic")
    table.tick(due - timedelta(minutes=1))
    assert str(table.game.phase) == "S1901M"
    table.tick(due)
    assert [(e.phase, e.version) for e in table.last if isinstance(e, ev.PhaseAdjudicated)] == [("S1901M", 2)]
    assert table.game.reopened == "S1901M" and str(table.game.phase) == "F1901M"


def test_no_version_of_a_phase_is_adjudicated_twice(table: Table) -> None:
    for _ in range(3):
        table.all_orders(WEST).process()
        table.tell(Reopen("S1901M", "once more"), table.gm)
    played = [(e.phase, e.version) for e in table.events if isinstance(e, ev.PhaseAdjudicated)]
    assert played == [("S1901M", 1), ("S1901M", 2), ("S1901M", 3)]


def test_a_game_that_was_on_hold_stays_on_hold(table: Table) -> None:
    table.all_orders(WEST).process()
    table.tell(HoldGame("holidays"), table.gm)
    table.tell(RollBack(), table.gm)
    said = table.tell(Reopen("S1901M", "lost"), table.gm)
    assert isinstance(said, Decision) and "still on hold" in said.said
    assert table.game.held_reason == "holidays"
    table.tell(Resume(), table.gm)
    assert table.game.held_since is None


def test_it_needs_a_phase_that_was_played_and_a_reason(back: Table) -> None:
    assert slug(back.tell(Reopen("F1901M", "lost"), back.gm)) == "wrong-phase"
    assert slug(back.tell(Reopen("", "lost"), back.gm)) == "which-phase"
    assert slug(back.tell(Reopen("S1901M", "lost"), back.player("FRANCE"))) == "gm-only"
    back.tell(RollForward(), back.gm)
    assert slug(back.tell(Reopen("S1901M"), back.gm)) == "no-reason"
    assert slug(back.tell(Reopen("F1905M", "lost"), back.gm)) == "no-such-results"


def test_what_was_ordered_for_a_later_phase_is_kept_until_it_comes(table: Table) -> None:
    table.all_orders(WEST).process()
    table.orders("FRANCE", "A Bur - Mun")
    table.tell(Reopen("S1901M", "lost"), table.gm)
    assert table.game.kept["FRANCE"]["F1901M"] == (("A Burgundy - Munich",),)


def test_the_log_rebuilds_a_reopened_phase(back: Table) -> None:
    back.tell(Reopen("S1901M"), back.gm)
    back.orders("FRANCE", "A Par - Pic")
    [opened] = [event for event in back.events if isinstance(event, PhaseReopened)]
    assert opened.reason == "three mails were lost"
    stored = [from_json(type(e).__name__, e.VERSION, to_json(e)) for e in back.events]
    assert rebuild(stored, lambda settings: back.game.system) == back.game
