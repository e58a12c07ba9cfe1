"""What is kept for a while only is thrown away in time, once a day, and nothing else is."""

from __future__ import annotations

from datetime import timedelta

from judge.service.housekeeping import COUNTS_KEPT, tidy
from judge.testing.casting import player_of
from judge.testing.stage import Stage
from tests.service.conftest import last_mail, person_of, seat_address

FRANCE = player_of("FRANCE")
NEW, OTHER = "jean@new.test", "jeanne@new.test"


def errands(stage: Stage) -> int:
    with stage.house.store.read() as view:
        return len(view.meta.all("errand."))


def ask_for(stage: Stage, address: str) -> str:
    """France asks for another address; where the answer to the confirmation goes."""
    stage.send(FRANCE, f"my address {address}", to=seat_address(stage, FRANCE))
    return stage.inbox(address)[-1].reply_to


def test_a_question_that_nobody_answered_in_time_is_forgotten(table: Stage) -> None:
    late = ask_for(table, NEW)
    table.advance(timedelta(days=2))
    in_time = ask_for(table, OTHER)
    assert errands(table) == 2
    table.advance(timedelta(days=2))
    assert errands(table) == 1
    table.send(OTHER, "confirm", to=in_time, vouched=False)
    assert person_of(table, OTHER) == person_of(table, FRANCE)
    table.send(NEW, "confirm", to=late, vouched=False)
    assert "nothing waits" in (last_mail(table).reason or "")
    with table.house.store.read() as view:
        assert view.people.by_address(NEW) is None


def test_the_word_that_takes_a_change_back_is_kept_for_its_thirty_days(table: Stage) -> None:
    table.send(NEW, "confirm", to=ask_for(table, NEW), vouched=False)
    undo = table.inbox(FRANCE)[-1].reply_to
    table.advance(timedelta(days=29))
    table.send(FRANCE, "undo", to=undo, vouched=False)
    with table.house.store.read() as view:
        assert view.people.by_address(NEW) is None


def test_and_no_longer(table: Stage) -> None:
    table.send(NEW, "confirm", to=ask_for(table, NEW), vouched=False)
    assert errands(table) == 1
    table.advance(timedelta(days=31))
    assert errands(table) == 0


def test_counts_of_days_gone_by_are_forgotten(table: Stage) -> None:
    today = table.now.date()
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    with table.house.store.read() as view:
        assert view.contacts.count(f"person:{person_of(table, FRANCE).id}", "unproved", today) == 1
    table.advance(COUNTS_KEPT + timedelta(days=1))
    with table.house.store.read() as view:
        assert view.contacts.count(f"person:{person_of(table, FRANCE).id}", "unproved", today) == 0


def test_once_a_day_is_enough(table: Stage) -> None:
    assert not tidy(table.house), "the first sweep has done it"
    table.clock.set(table.now + timedelta(days=1))
    assert tidy(table.house) and not tidy(table.house)
