"""Taking back the Gamemaster's last act: which acts have an inverse, and that it leaves the game as it was."""

from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

import pytest

from judge.acts.office import Deputize, DismissDeputy, HandOver
from judge.game.clock.holds import HoldGame
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game
from judge.game.office.rulings import Headline, ImportPosition, OrderAs, Reveal
from judge.game.office.undoing import inverse, why_not
from judge.game.repair.correcting import CorrectPosition
from judge.game.table.deciding import TakePreset
from judge.game.table.scoring import terms_of
from judge.game.table.vacancies import Excuse
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"


def taken_back(table: Table) -> Decision | Refusal | None:
    """The answer to taking the last act of the Gamemaster back; None where nothing undoes it."""
    place = max(number for number, event in enumerate(table.events) if event.by == cmd.GM_SEAT)
    command = inverse(table.events, place, lambda: rebuild(table.events[:place], table.systems))
    return table.tell(command, table.gm) if command is not None else None


def compared(game: Game, *but: str) -> dict[str, object]:
    """The fields of a game, except its count of events and those that an act and its inverse both move on."""
    return {f.name: getattr(game, f.name) for f in fields(game) if f.name not in ("seq", *but)}


def forming(table: Table) -> Table:
    return Table(MAPS, preset="")


def with_seasons(table: Table) -> Table:
    hall = Table(MAPS, preset="")
    hall.tell(cmd.ChangeSettings("draw_from", "F1903"), hall.gm)
    hall.tell(cmd.ChangeSettings("end_after", "W1910"), hall.gm)
    return hall


def running(table: Table) -> Table:
    return table


def played(table: Table) -> Table:
    return table.process()


IMPORT = ImportPosition("S1903M", "France: A Par, F Bre")


@pytest.mark.parametrize(
    ("at", "act", "but"),
    [
        (forming, cmd.ChangeSettings("press", "white"), ("decided",)),
        (forming, cmd.ChangeSettings("unplayed", "Italy"), ("decided", "system")),
        (forming, cmd.ChangeSettings("rules", "four"), ("decided", "system")),
        (forming, cmd.ChangeSettings("map", "european"), ("decided", "system")),
        (with_seasons, cmd.ChangeSettings("first_year", "1951"), ("decided", "system")),
        (forming, TakePreset("fast"), ()),
        (forming, IMPORT, ()),
        (running, cmd.ChangeSettings("press", "white"), ("decided", "rules_version")),
        (running, cmd.Note("Italy asked for a ruling."), ()),
        (running, Headline("Quiet in the west"), ()),
        (running, HoldGame("holidays"), ("deadline",)),
        (running, Deputize(8, Table(MAPS).now + timedelta(days=9)), ()),
        (running, HandOver(8), ()),
        (running, cmd.SetDeadline(Table(MAPS).now + timedelta(days=12)), ("deadline",)),
        (played, CorrectPosition("A Par at Gas; remove F Lon; centre Mun Austria"), ("versions", "courtesy",
            "results_version", "position", "sheets", "past")),
    ],
    ids=lambda value: type(value).__name__ if not callable(value) else getattr(value, "__name__", ""),
)  # fmt: skip
def test_an_act_and_its_inverse_leave_the_game_as_it_was(
    table: Table, at: Callable[[Table], Table], act: cmd.Command, but: tuple[str, ...]
) -> None:
    game = at(table)
    before = game.game
    assert isinstance(game.tell(act, game.gm), Decision)
    assert isinstance(taken_back(game), Decision)
    assert compared(game.game, *but) == compared(before, *but)


def test_a_deadline_goes_back_to_where_it_was(table: Table) -> None:
    was = table.running.deadline.at
    table.tell(cmd.SetDeadline(was + timedelta(days=2)), table.gm)
    taken_back(table)
    assert table.game.deadline is not None and table.running.deadline.at == was


def test_units_and_centres_go_back_to_where_they_were(table: Table) -> None:
    table.process()
    before = table.game.position
    table.tell(CorrectPosition("A Par at Gas; remove F Lon; centre Mun Austria"), table.gm)
    taken_back(table)
    now = table.game.position
    assert now is not None and before is not None
    assert sorted(map(str, now.units)) == sorted(map(str, before.units)) and now.owners == before.owners


def test_of_two_headlines_the_first_stands_again(table: Table) -> None:
    table.tell(Headline("Quiet in the west"), table.gm)
    table.tell(Headline("Noise in the east"), table.gm)
    taken_back(table)
    assert table.game.headline == "Quiet in the west"


def test_a_game_goes_off_the_list_until_somebody_joins(table: Table) -> None:
    hall = Table(MAPS)
    hall.tell(cmd.Open(), hall.gm)
    assert isinstance(taken_back(hall), Decision)
    hall.tell(cmd.Open(), hall.gm)
    hall.tell(cmd.Join(), cmd.Actor(cmd.Role.STRANGER, "", 1))
    answer = taken_back(hall)
    assert isinstance(answer, Refusal) and answer.slug == "joined"


def test_a_note_that_was_printed_stays_printed(table: Table) -> None:
    table.tell(cmd.Note("Italy asked for a ruling."), table.gm)
    note = len(table.events) - 1
    table.process()
    command = inverse(table.events, note, lambda: table.game)
    answer = table.tell(command, table.gm)  # type: ignore[arg-type]
    assert isinstance(answer, Refusal) and answer.slug == "printed"


def test_a_player_who_was_taken_from_the_table_is_seated_again(table: Table) -> None:
    player = table.player("FRANCE").person
    table.tell(cmd.Vacate("FRANCE", "by mistake"), table.gm)
    assert isinstance(taken_back(table), Decision)
    assert table.player("FRANCE").person == player


def test_a_deputy_who_was_dismissed_is_back(table: Table) -> None:
    table.tell(Deputize(8, table.now + timedelta(days=9)), table.gm)
    deputy = table.game.deputy
    table.tell(DismissDeputy(), table.gm)
    taken_back(table)
    assert table.game.deputy == deputy


@pytest.mark.parametrize("act", [None, cmd.EndGame("by agreement"), Reveal()])
def test_what_everybody_has_read_is_not_taken_back(act: cmd.Command | None) -> None:
    table = Table(MAPS, {"anonymous": "yes"}).seated().started()
    if act is None:
        table.process()
    else:
        assert isinstance(table.tell(act, table.gm), Decision)
    assert taken_back(table) is None


def test_players_take_nothing_of_it_back(table: Table) -> None:
    table.tell(cmd.Note("Italy asked for a ruling."), table.gm)
    command = inverse(table.events, len(table.events) - 1, lambda: table.game)
    answer = table.tell(command, table.player("FRANCE"))  # type: ignore[arg-type]
    assert isinstance(answer, Refusal) and answer.slug == "gm-only"


def test_an_assignment_over_somebody_gives_the_seat_back(table: Table) -> None:
    table.tell(cmd.Assign("ITALY", 8), table.gm)
    assert isinstance(taken_back(table), Decision)
    seat = table.game.seat_of("ITALY")
    assert seat is not None and seat.person == 5 and 8 not in table.game.barred
    assert [(term.person, term.since) for term in terms_of(seat)] == [(5, "")]  # he was never gone, nor the other there


def test_an_assignment_to_a_vacant_seat_leaves_it_vacant(table: Table) -> None:
    table.tell(cmd.Vacate("ITALY", "by agreement"), table.gm)
    table.tell(cmd.Assign("ITALY", 8), table.gm)
    assert isinstance(taken_back(table), Decision)
    seat = table.game.seat_of("ITALY")
    assert seat is not None and not seat.filled and 8 not in table.game.barred


def test_orders_for_a_power_make_way_for_those_before_them(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur")
    table.tell(OrderAs("FRANCE", (cmd.OrderLine(1, "A Par H"),)), table.gm)
    assert isinstance(taken_back(table), Decision)
    assert [line.order for line in table.game.sheets["FRANCE"].lines] == ["A PAR - BUR"]


def test_but_not_for_those_after_them(table: Table) -> None:
    table.tell(OrderAs("FRANCE", (cmd.OrderLine(1, "A Par H"),)), table.gm)
    table.orders("FRANCE", "A Par - Bur")
    refused = taken_back(table)
    assert isinstance(refused, Refusal) and refused.slug == "changed-since"
    assert [line.order for line in table.game.sheets["FRANCE"].lines] == ["A PAR - BUR"]


def test_what_cannot_be_taken_back_says_why_and_what_to_do(table: Table) -> None:
    table.tell(Excuse("FRANCE", reason="ill"), table.gm)
    place = max(number for number, event in enumerate(table.events) if event.by == cmd.GM_SEAT)
    sentence, mend = why_not(table.events, place)
    assert sentence.startswith("An excuse cannot be taken back") and mend == "help deadline"
    table.process()
    sentence, mend = why_not(table.events, len(table.events) - 1)
    assert sentence.startswith("Results are out") and mend == "rollback"
