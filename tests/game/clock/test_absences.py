"""Absences announced ahead: no new deadline falls into them, and they have an end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from judge.acts.absences import AbsenceNoted, Away, Back
from judge.game.core.commands import Decision, Refusal
from tests.game.waiting import (
    DAY,
    DUE,
    ZONE,
    begun,
    deadline,
    happened,
    orders_from,
    seat,
    wall,
)
from tests.support.builders import Table


@pytest.fixture
def table() -> Table:
    return begun()


def away(first: int, last: int) -> Away:
    """From the first of these days of January to the end of the last."""
    start = datetime(2027, 1, first, tzinfo=ZONE).astimezone(UTC)
    return Away(start, datetime(2027, 1, last, tzinfo=ZONE).astimezone(UTC) + DAY)


def test_future_deadlines_skip_an_absence_and_the_current_one_stays(table: Table) -> None:
    """5.1 step 20."""
    answer = table.tell(away(8, 16), table.player("FRANCE"))
    assert isinstance(answer, Decision)
    assert "no deadline that is set from now on" in answer.said and "falls into your absence" in answer.said
    assert deadline(table).at == DUE
    orders_from(table)
    table.tick(DUE)
    assert wall(deadline(table).at) == "Sat 23 Jan 00:00", "Friday the 15th is skipped"


def test_back_earlier(table: Table) -> None:
    table.tell(away(8, 16), table.player("FRANCE"))
    assert isinstance(table.tell(Back(), table.player("FRANCE")), Decision)
    orders_from(table)
    table.tick(DUE)
    assert wall(deadline(table).at) == "Sat 16 Jan 00:00"


def test_only_absences_of_those_who_are_asked_count(table: Table) -> None:
    """Nobody waits with his retreats for a player who has none to make."""
    table.all_orders({"FRANCE": ["A Mar - Bur"], "GERMANY": ["A Mun H"]})
    table.tell(away(9, 11), table.player("TURKEY"))
    orders_from(table, "FRANCE", "GERMANY")
    table.orders("FRANCE", "A Par H", "F Bre H")
    table.orders("GERMANY", "A Ber H", "F Kie H")
    table.tick(DUE)
    assert deadline(table).phase.kind == "M"
    assert wall(deadline(table).at) == "Sat 16 Jan 00:00"


ABSENCES = [
    ("fourteen days in all", [(10, 23)], ""),
    ("fifteen", [(10, 24)], "too-long"),
    ("two that make fifteen", [(10, 16), (17, 24)], "too-long"),
    ("four pieces", [(10, 10), (12, 12), (14, 14), (16, 16)], "too-many"),
]


@pytest.mark.parametrize(("what", "stretches", "slug"), ABSENCES, ids=[row[0] for row in ABSENCES])
def test_how_long_one_may_be_away(table: Table, what: str, stretches: list[tuple[int, int]], slug: str) -> None:
    answers = [table.tell(away(first, last), table.player("FRANCE")) for first, last in stretches]
    assert [one.slug for one in answers if isinstance(one, Refusal)] == ([slug] if slug else []), what


def test_the_same_absence_twice_is_one(table: Table) -> None:
    table.tell(away(10, 12), table.player("FRANCE"))
    table.tell(away(10, 12), table.player("FRANCE"))
    assert not happened(table, AbsenceNoted)
    assert len(table.game.seats[seat(table, "FRANCE")].absences) == 1


def test_the_gamemaster_may_note_a_longer_one_for_a_player(table: Table) -> None:
    longer = away(10, 30)
    assert isinstance(table.tell(Away(longer.since, longer.until, "FRANCE"), table.gm), Decision)
    assert isinstance(table.tell(longer, table.gm), Refusal), "whose, he must say"
