"""A seat that fell vacant: its player comes back once, somebody takes it over, or the Gamemaster excuses."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.clock.schedule import GraceMoved
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.table.vacancies import Claim, Excuse
from tests.game.waiting import (
    DAY,
    DUE,
    HOUR,
    begun,
    deadline,
    happened,
    orders_from,
    person,
    play_until,
    seat,
    silent_france,
    stranger,
    wall,
)
from tests.support.builders import Table


@pytest.fixture
def table() -> Table:
    return begun()


# --- coming back, and taking over -----------------------------------------------------------------------------------


def vacant_france() -> Table:
    table = silent_france()
    table.tick(DUE + 2 * DAY)
    return table


def test_the_former_player_may_come_back_once() -> None:
    table = silent_france()
    france = person(table, "FRANCE")
    table.tick(DUE + 2 * DAY)
    table.now = DUE + 2 * DAY + 8 * HOUR
    assert isinstance(table.tell(Claim("FRANCE"), stranger(france)), Decision)
    assert table.game.returns == {france: 1}
    orders_from(table)
    table.tick(table.now + timedelta(minutes=30))
    assert happened(table, ev.PhaseAdjudicated)


def test_and_not_a_second_time() -> None:
    table = vacant_france()
    table.tell(Claim(), stranger(3))
    play_until(table, table.now + 2 * DAY)
    assert not table.game.seats[seat(table, "FRANCE")].filled
    answer = table.tell(Claim(), stranger(3))
    assert isinstance(answer, Refusal) and answer.slug == "returned-once"


def test_coming_back_prolongs_nothing_but_by_a_day() -> None:
    """He has a day for his orders; the deadline stays, and no extension is offered."""
    table = vacant_france()
    table.tell(Claim(), stranger(3))
    [moved] = happened(table, GraceMoved)
    assert isinstance(moved, GraceMoved) and moved.until == table.now + DAY
    assert deadline(table).at == DUE
    answer = table.tell(cmd.Extend(), table.player("FRANCE"))
    assert isinstance(answer, Refusal)


def test_the_first_claim_wins() -> None:
    """The standby at 07:00, the former player at 07:05."""
    table = vacant_france()
    assert isinstance(table.tell(Claim("FRANCE"), stranger(8)), Decision)
    table.now += timedelta(minutes=5)
    answer = table.tell(Claim("FRANCE"), stranger(3))
    assert isinstance(answer, Refusal) and answer.slug == "taken"


def test_a_replacement_gets_a_whole_phase_and_an_extension_for_the_asking() -> None:
    """The orders of his predecessor are void."""
    table = silent_france()
    table.orders("FRANCE", "A Mun - Bur")
    table.tick(DUE + 2 * DAY)
    table.tell(Claim(), stranger(8))
    assert wall(deadline(table).at) == "Sat 16 Jan 00:00"
    assert "FRANCE" not in table.game.sheets
    assert isinstance(table.tell(cmd.Extend(), table.player("FRANCE")), Decision)
    assert wall(deadline(table).at) == "Sat 23 Jan 00:00"
    assert not table.game.extensions
    table.now += HOUR
    table.tell(cmd.Extend(), table.player("FRANCE"))
    assert table.game.extensions == {8: 1}, "the offer was made once"


CLAIMS = [
    ("the Gamemaster", lambda table: cmd.Actor(cmd.Role.GM, "gm", table.game.gm), "gm-plays"),
    ("another player", lambda table: table.player("ENGLAND"), "already-in"),
    ("nobody known", lambda table: cmd.Actor(cmd.Role.STRANGER), "who"),
]


@pytest.mark.parametrize(("who", "actor", "slug"), CLAIMS, ids=[row[0] for row in CLAIMS])
def test_who_may_not_claim(who: str, actor: object, slug: str) -> None:
    table = vacant_france()
    answer = table.tell(Claim(), actor(table))  # type: ignore[operator]
    assert isinstance(answer, Refusal) and answer.slug == slug, who


def test_whom_the_gamemaster_removed_comes_back_only_through_him(table: Table) -> None:
    france = person(table, "FRANCE")
    table.tell(cmd.Vacate("FRANCE", "forgery"), table.gm)
    answer = table.tell(Claim(), stranger(france))
    assert isinstance(answer, Refusal) and answer.slug == "barred"
    assert isinstance(table.tell(cmd.Assign("FRANCE", france), table.gm), Decision)


def test_of_two_vacant_powers_one_must_be_named(table: Table) -> None:
    table.tell(cmd.Leave(for_good=True), table.player("FRANCE"))
    table.tell(cmd.Leave(for_good=True), table.player("ITALY"))
    answer = table.tell(Claim(), stranger(8))
    assert isinstance(answer, Refusal) and answer.slug == "which-power"
    assert isinstance(table.tell(Claim("ITALY"), stranger(8)), Decision)


# --- forces of nature -----------------------------------------------------------------------------------------------


def test_excused_while_the_grace_lasts() -> None:
    """No NMR, the schedule shifts."""
    table = silent_france()
    table.now = DUE + HOUR
    answer = table.tell(Excuse("FRANCE", reason="storm"), table.gm)
    assert isinstance(answer, Decision)
    assert deadline(table).at == DUE + HOUR + 3 * DAY and deadline(table).late == ()


def test_excused_after_the_seat_fell_vacant_gives_it_back() -> None:
    table = vacant_france()
    table.tell(Excuse("FRANCE", reason="storm"), table.gm)
    assert person(table, "FRANCE") == 3 and table.game.returns == {}


def test_excused_after_he_came_back_makes_that_return_free() -> None:
    table = vacant_france()
    table.tell(Claim(), stranger(3))
    table.tell(Excuse("FRANCE", reason="storm"), table.gm)
    assert table.game.returns == {3: 0}


def test_a_replacement_who_has_not_begun_gives_way() -> None:
    table = vacant_france()
    table.tell(Claim(), stranger(8))
    table.tell(Excuse("FRANCE"), table.gm)
    assert person(table, "FRANCE") == 3


def test_too_late_once_the_replacement_has_begun() -> None:
    table = vacant_france()
    table.tell(Claim(), stranger(8))
    table.orders("FRANCE", "A Par H")
    answer = table.tell(Excuse("FRANCE"), table.gm)
    assert isinstance(answer, Refusal) and answer.slug == "begun"


def test_begun_may_mean_that_moves_are_printed() -> None:
    """What counts as having begun is a setting."""
    table = vacant_france()
    table.tell(cmd.ChangeSettings("begun", "moves"), table.gm)
    table.tell(Claim(), stranger(8))
    table.orders("FRANCE", "A Par H")
    assert isinstance(table.tell(Excuse("FRANCE"), table.gm), Decision)


def test_only_the_gamemaster_excuses() -> None:
    table = silent_france()
    answer = table.tell(Excuse("FRANCE"), table.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.slug == "gm-only"
