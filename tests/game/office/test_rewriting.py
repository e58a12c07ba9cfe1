"""Results taken back, processed again with the same orders, positions corrected: versions, never deletions."""

from datetime import timedelta

from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import from_json, to_json
from judge.game.core.evolve import rebuild
from judge.game.core.model import Stage
from judge.game.filing.kept import MakePlan, UsePlan
from judge.game.filing.submitting import Undo
from judge.game.repair.correcting import CorrectPosition, PositionCorrected
from judge.game.repair.rewriting import Amend, RollBack, RolledBack, RollForward
from tests.support.builders import START, Table


def units(table: Table, power: str) -> set[str]:
    return {str(unit) for unit in table.running.position.of(power)}


def slug(result: Decision | Refusal) -> str:
    assert isinstance(result, Refusal), result
    return result.slug


def spring_played(table: Table) -> Table:
    table.orders("FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - MAO")
    return table.process()


# --- rollback -----------------------------------------------------------------------------------------------------


def test_a_rollback_restores_position_orders_and_chart_exactly(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    then = table.game
    table.process()
    table.tell(RollBack("S1901M", "support judged wrongly"), table.gm)
    now = table.game
    assert (now.position, now.sheets, now.chart) == (then.position, then.sheets, then.chart)
    assert now.replay is not None and now.replay.reason == "support judged wrongly"


def test_nothing_happens_to_a_game_that_was_taken_back_until_the_gamemaster_says_so(table: Table) -> None:
    spring_played(table)
    table.tell(RollBack("S1901M"), table.gm)
    assert slug(table.orders("FRANCE", "A Par - Pic")) == "replay"
    assert slug(table.tell(Resume(), table.gm)) == "replay"
    assert slug(table.tell(RollBack("S1901M"), table.gm)) == "replay"
    table.tick(START + timedelta(days=60))
    assert table.last == () and str(table.game.phase) == "S1901M"


def test_nobody_orders_with_hindsight_by_another_word(table: Table) -> None:
    table.orders("FRANCE", "A Par - Pic")
    spring_played(table)
    table.tell(RollBack("S1901M"), table.gm)
    then = table.game.sheets["FRANCE"]
    assert slug(table.tell(Undo(), table.player("FRANCE"))) == "replay"
    plan = MakePlan("other", ("A Par H",))
    assert isinstance(table.tell(plan, table.player("FRANCE")), Decision)
    assert slug(table.tell(UsePlan("other"), table.player("FRANCE"))) == "replay"
    assert table.game.sheets["FRANCE"] == then


def test_a_game_that_was_on_hold_before_is_on_hold_after_its_results_were_processed_again(table: Table) -> None:
    spring_played(table)
    table.tell(HoldGame("holidays"), table.gm)
    table.tell(RollBack(), table.gm)
    assert isinstance(result := table.tell(RollForward(), table.gm), Decision)
    assert "still on hold" in result.said
    assert (table.game.held_since, table.game.held_reason) == (table.now, "holidays")
    table.tell(Amend(reason="once more"), table.gm)
    assert table.game.held_reason == "holidays"
    table.tell(Resume(), table.gm)
    assert table.game.held_since is None


def test_rolling_forward_plays_the_same_orders_as_a_second_version(table: Table) -> None:
    spring_played(table)
    table.tell(RollBack(), table.gm)
    table.tell(RollForward(), table.gm)
    played = [event for event in table.last if isinstance(event, ev.PhaseAdjudicated)]
    assert [(event.phase, event.version) for event in played] == [("S1901M", 2)]
    assert units(table, "FRANCE") == {"A BUR", "A SPA", "F MAO"}
    assert table.game.replay is None and table.game.held_since is None


def test_to_process_is_to_roll_forward_and_the_phase_still_guards(table: Table) -> None:
    spring_played(table)
    table.tell(RollBack(), table.gm)
    assert slug(table.tell(cmd.Process("F1901M"), table.gm)) == "wrong-phase"
    table.tell(cmd.Process("S1901M"), table.gm)
    assert str(table.game.phase) == "F1901M" and table.game.results_version == 2


def test_later_phases_are_void_and_get_a_new_version_when_they_come_again(table: Table) -> None:
    spring_played(table)
    table.orders("FRANCE", "A Bur - Bel")
    table.process()
    table.tell(RollBack("S1901M"), table.gm)
    [back] = [event for event in table.last if isinstance(event, RolledBack)]
    assert back.void == ("S1901M", "F1901M")
    table.tell(RollForward(), table.gm)
    table.process()
    fall = next(event for event in table.last if isinstance(event, ev.PhaseAdjudicated))
    assert (fall.phase, fall.version) == ("F1901M", 2)


def test_orders_on_file_for_a_void_phase_are_kept_until_it_comes_again(table: Table) -> None:
    spring_played(table)
    table.orders("FRANCE", "A Bur - Mun")
    table.tell(RollBack("S1901M"), table.gm)
    assert table.game.kept["FRANCE"]["F1901M"] == (("A Burgundy - Munich",),), "as a line that is read back"


def test_deadlines_never_reuse_a_number_and_a_fresh_replay_keeps_the_deadline(table: Table) -> None:
    spring_played(table)
    due, number = table.running.deadline.at, table.running.deadline.version
    table.now += timedelta(hours=2)
    table.tell(RollBack(), table.gm)
    table.tell(RollForward(), table.gm)
    assert table.running.deadline.at == due and table.running.deadline.version > number


def test_a_replay_after_more_than_a_day_gives_the_whole_time_again(table: Table) -> None:
    spring_played(table)
    due = table.running.deadline.at
    table.now += timedelta(days=2)
    table.tell(RollBack(), table.gm)
    table.tell(RollForward(), table.gm)
    assert table.running.deadline.at >= due + timedelta(days=2)


def test_a_game_that_ended_by_mistake_runs_again(table: Table) -> None:
    spring_played(table)
    table.tell(cmd.EndGame("won"), table.gm)
    table.tell(RollBack("S1901M"), table.gm)
    assert table.game.stage is Stage.RUNNING and table.game.ending is None


def test_what_is_not_there_cannot_be_taken_back(table: Table) -> None:
    assert slug(table.tell(RollBack(), table.gm)) == "nothing-played"
    spring_played(table)
    assert slug(table.tell(RollBack("F1903M"), table.gm)) == "no-such-results"
    assert slug(table.tell(RollForward(), table.gm)) == "no-replay"
    assert slug(table.tell(RollBack(), table.player("FRANCE"))) == "gm-only"


def test_amending_is_taking_back_and_processing_in_one_go_for_the_last_results_only(table: Table) -> None:
    spring_played(table)
    table.tell(Amend("S1901M", "error of the judge"), table.gm)
    assert table.game.results_version == 2 and str(table.game.phase) == "F1901M"
    table.process()
    assert slug(table.tell(Amend("S1901M"), table.gm)) == "later-results"


def test_the_log_rebuilds_a_game_with_all_its_versions(table: Table) -> None:
    spring_played(table)
    table.tell(Amend(), table.gm)
    table.tell(CorrectPosition("A Bur at Gas"), table.gm)
    stored = [from_json(type(e).__name__, e.VERSION, to_json(e)) for e in table.events]
    again = rebuild(stored, lambda settings: table.game.system)
    assert again == table.game


# --- correct position ---------------------------------------------------------------------------------------------


def test_a_position_is_corrected_until_the_next_results_and_says_that_it_differs(table: Table) -> None:
    spring_played(table)
    table.tell(CorrectPosition("A Bur at Gas", reason="typing error"), table.gm)
    [event] = table.last
    assert isinstance(event, PositionCorrected)
    assert (event.phase, event.version, event.differs) == ("S1901M", 2, True)
    assert event.changes == ("A Burgundy is A Gascony",)
    assert units(table, "FRANCE") == {"A GAS", "A SPA", "F MAO"}


def test_going_back_to_what_the_results_say_differs_from_nothing(table: Table) -> None:
    spring_played(table)
    table.tell(CorrectPosition("A Bur at Gas"), table.gm)
    table.tell(CorrectPosition("A Gas at Bur"), table.gm)
    [event] = table.last
    assert isinstance(event, PositionCorrected) and not event.differs and event.version == 3


def test_an_error_found_after_the_next_results_stands(table: Table) -> None:
    spring_played(table).process()
    answer = table.tell(CorrectPosition("A Bur at Gas", "S1901M"), table.gm)
    assert slug(answer) == "too-late" and isinstance(answer, Refusal) and answer.clause == "6B"
    assert units(table, "FRANCE") == {"A BUR", "A SPA", "F MAO"}


def test_orders_of_a_unit_that_was_elsewhere_go_and_the_others_stand(table: Table) -> None:
    spring_played(table)
    table.orders("FRANCE", "A Bur - Mun", "A Spa - Por")
    table.tell(CorrectPosition("A Bur at Gas"), table.gm)
    assert [line.order for line in table.game.sheets["FRANCE"].lines] == ["A SPA - POR"]


def test_units_and_centres_can_be_added_and_taken_away(table: Table) -> None:
    spring_played(table)
    table.tell(CorrectPosition("remove A Spa; add France F Gulf of Lyon; centre Spain France"), table.gm)
    assert units(table, "FRANCE") == {"A BUR", "F MAO", "F LYO"}
    assert table.game.position is not None and table.game.position.owners["SPA"] == "FRANCE"


def test_corrections_that_make_no_sense_are_refused_with_a_reason(table: Table) -> None:
    for changes, reason in [
        ("", "no-change"),
        ("the unit in the west", "no-unit"),
        ("what a mess", "no-change"),
        ("A Lon at Wal", "no-unit"),
        ("A Par at NTH", "no-place"),
        ("F Bre at Spain", "which-coast"),
        ("A Par at Mar", "crowded"),
        ("A Par at Par", "no-change"),
        ("centre Burgundy France", "no-centre"),
    ]:
        assert slug(table.tell(CorrectPosition(changes), table.gm)) == reason, changes


def test_a_correction_gives_more_time_for_the_asking_once_and_it_counts_against_nobody(table: Table) -> None:
    spring_played(table)
    table.tell(CorrectPosition("A Bur at Gas"), table.gm)
    due = table.running.deadline.at
    table.tell(cmd.Extend(), table.player("TURKEY"))
    assert table.running.deadline.at == due + timedelta(hours=72)
    assert not table.game.extensions
    table.tell(cmd.Extend(), table.player("ITALY"))
    italy = table.game.seat_of("ITALY")
    assert italy is not None and italy.person is not None and table.game.extensions == {italy.person: 1}
