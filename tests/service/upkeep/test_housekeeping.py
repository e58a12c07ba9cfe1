"""What is kept for a while only is thrown away in time, once a day, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from judge.service.turning.sweep import COUNTS_KEPT, STRANGERS_KEPT, tidy, untidy
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from tests.service.conftest import agreed, last_mail, person_of, staffed
from tests.support.standing import seated

FRANCE = player_of("FRANCE")
NEW, OTHER = "jean@new.test", "jeanne@new.test"


def errands(stage: LocalJudge) -> int:
    with stage.judge.store.read() as view:
        return len(view.meta.all("errand."))


def ask_for(stage: LocalJudge, address: str) -> str:
    """France asks for another address; where the answer to the confirmation goes."""
    agreed(stage, FRANCE, f"my address {address}")
    return stage.inbox(address)[-1].reply_to


def test_a_question_that_nobody_answered_in_time_is_forgotten(table: LocalJudge) -> None:
    late = ask_for(table, NEW)
    table.advance(timedelta(days=2))
    in_time = ask_for(table, OTHER)
    assert errands(table) == 2
    table.advance(timedelta(days=2))
    assert errands(table) == 1
    table.send(OTHER, "confirm", to=in_time, vouched=False)
    assert person_of(table, OTHER) == person_of(table, FRANCE)
    table.send(NEW, "confirm", to=late, vouched=False)
    assert last_mail(table).reason == "a stranger's mail"
    with table.judge.store.read() as view:
        assert view.people.by_address(NEW) is None


def test_the_word_that_takes_a_change_back_is_kept_for_its_thirty_days(table: LocalJudge) -> None:
    table.send(NEW, "confirm", to=ask_for(table, NEW), vouched=False)
    undo = table.inbox(FRANCE)[-1].reply_to
    table.advance(timedelta(days=29))
    table.send(FRANCE, "undo", to=undo, vouched=False)
    with table.judge.store.read() as view:
        assert view.people.by_address(NEW) is None


def test_and_no_longer(table: LocalJudge) -> None:
    table.send(NEW, "confirm", to=ask_for(table, NEW), vouched=False)
    assert errands(table) == 2  # the confirmation, settled, and the way back
    table.advance(timedelta(days=4))
    assert errands(table) == 1
    table.advance(timedelta(days=27))
    assert errands(table) == 0


def test_counts_of_days_gone_by_are_forgotten(table: LocalJudge) -> None:
    today = table.now.date()
    table.send(FRANCE, "A Par - Bur", subject="baltic", vouched=False)
    with table.judge.store.read() as view:
        assert view.contacts.count(f"person:{person_of(table, FRANCE).id}", "unproved", today) == 1
    table.advance(COUNTS_KEPT + timedelta(days=1))
    with table.judge.store.read() as view:
        assert view.contacts.count(f"person:{person_of(table, FRANCE).id}", "unproved", today) == 0


def test_strangers_are_forgotten_when_they_have_been_silent_for_long(table: LocalJudge) -> None:
    table.send("early@else.test", "hello?")
    table.advance(timedelta(days=1))
    table.send("late@else.test", "hello?")
    table.advance(STRANGERS_KEPT)
    with table.judge.store.read() as view:
        assert view.contacts.get("early@else.test") is None
        assert view.contacts.get("late@else.test") is not None


def raw_kept(stage: LocalJudge) -> list[bool]:
    """Of each mail in order: whether its bytes are still there."""
    with stage.judge.store.read() as view:
        return [view.inbox.raw(mail.id) is not None for mail in view.inbox.list(limit=1000)]


def test_the_bytes_of_mails_are_kept_for_ever_unless_the_operator_wishes_otherwise(table: LocalJudge) -> None:
    table.send("who@else.test", "hello?")
    table.advance(timedelta(days=400))
    assert all(raw_kept(table))


def test_the_bytes_of_old_mails_go_but_not_those_of_a_game_that_runs(tmp_path: Path) -> None:
    stage = seated(tmp_path, config=lambda var: replace(staffed(var), keep_raw=timedelta(days=60)))
    stage.begin()
    stage.send("who@else.test", "hello?")
    stage.send(FRANCE, "A Par - Bur", subject="baltic")
    kept = len(raw_kept(stage))
    stage.advance(timedelta(days=59))
    assert all(raw_kept(stage))
    stage.advance(timedelta(days=2))
    assert raw_kept(stage)[kept - 2 :] == [False, True], "the game goes on"
    with stage.judge.store.read() as view:
        assert view.inbox.list(limit=1000)[kept - 2].digest, "what it was is known for ever"
    stage.close()


def test_once_a_day_is_enough(table: LocalJudge) -> None:
    with table.judge.store.read() as view:
        assert not untidy(view, table.now), "the first sweep has done it"
        assert untidy(view, table.now + timedelta(days=1))
    table.clock.set(table.now + timedelta(days=1))
    tidy(table.judge)
    with table.judge.store.read() as view:
        assert not untidy(view, table.now)
