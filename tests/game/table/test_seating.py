"""Who sits where: opening, joining, starting, leaving, replacing."""

from judge.game.clock.holds import HoldGame
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.model import Stage
from tests.support.builders import GM, Table


def stranger(person: int) -> cmd.Actor:
    return cmd.Actor(cmd.Role.STRANGER, "", person)


def refused(result: Decision | Refusal) -> str:
    assert isinstance(result, Refusal), result
    assert result.sentence.endswith((".", "list"))
    return result.slug


def test_a_game_cannot_open_before_it_is_settled_what_missing_orders_mean(hall: Table) -> None:
    hall.tell(cmd.ChangeSettings("nmr", "grace"), hall.gm)
    hall.tell(cmd.ChangeSettings("nmr", ""), hall.gm)
    assert refused(hall.tell(cmd.Open(), hall.gm)) == "undecided"
    hall.tell(cmd.ChangeSettings("nmr", "hold"), hall.gm)
    hall.tell(cmd.Open(), hall.gm)
    assert hall.game.stage is Stage.OPEN


def test_nobody_joins_before_the_game_is_open_nor_when_it_is_full(hall: Table) -> None:
    assert refused(hall.tell(cmd.Join(), stranger(1))) == "not-open"
    hall.tell(cmd.ChangeSettings("reserve", "none"), hall.gm)
    hall.seated()
    assert refused(hall.tell(cmd.Join(), stranger(8))) == "full"


def test_nobody_joins_twice_and_the_gamemaster_not_at_all(hall: Table) -> None:
    hall.tell(cmd.Open(), hall.gm)
    hall.tell(cmd.Join(), stranger(1))
    assert refused(hall.tell(cmd.Join(), stranger(1))) == "already-in"
    assert refused(hall.tell(cmd.Join(), stranger(GM))) == "gm-plays"


def test_a_game_starts_only_with_every_seat_taken(hall: Table) -> None:
    hall.tell(cmd.Open(), hall.gm)
    hall.tell(cmd.Join(), stranger(1))
    assert refused(hall.tell(cmd.Start(), hall.gm)) == "not-full"


def test_the_lot_is_recorded_and_the_start_is_the_boards(table: Table) -> None:
    drawn = next(event for event in table.events if isinstance(event, ev.PowersDrawn))
    assert drawn.seed == table.game.seed == 7
    position = table.game.position
    assert position is not None
    assert len(position.units) == 22
    assert sum(1 for centre in position.board.centres if centre not in position.owners) == 12


def test_only_the_gamemaster_commands_the_game(table: Table) -> None:
    for command in (cmd.Process(), HoldGame(), cmd.ChangeSettings("zone", "UTC"), cmd.EndGame(), cmd.Note("x")):
        assert refused(table.tell(command, table.player("FRANCE"))) == "gm-only"


def test_who_leaves_takes_his_orders_with_him(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    table.tell(cmd.Leave(for_good=True), table.player("FRANCE"))
    seat = table.game.seat_of("FRANCE")
    assert seat is not None and not seat.filled
    assert "FRANCE" not in table.game.sheets


def test_a_replacement_has_a_new_tenure_and_comes_into_the_record(table: Table) -> None:
    before = table.game.seat_of("FRANCE")
    assert before is not None
    table.tell(cmd.Assign("FRANCE", 8), table.gm)
    after = table.game.seat_of("FRANCE")
    assert after is not None
    assert (after.person, after.tenure, after.past) == (8, before.tenure + 1, (before.person,))


def test_one_person_plays_one_seat(table: Table) -> None:
    other = table.game.seat_of("ITALY")
    assert other is not None and other.person is not None
    assert refused(table.tell(cmd.Assign("FRANCE", other.person), table.gm)) == "already-in"


def test_settings_that_the_game_stands_on_do_not_change_once_it_runs(table: Table) -> None:
    assert refused(table.tell(cmd.ChangeSettings("rules", "2000"), table.gm)) == "frozen"
    assert refused(table.tell(cmd.ChangeSettings("colour", "blue"), table.gm)) == "no-setting"
    assert refused(table.tell(cmd.ChangeSettings("zone", "Atlantis"), table.gm)) == "bad-setting"
