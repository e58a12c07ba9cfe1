"""Machines that answer machines fall silent: two judges, a judge and a simple answering program, a judge and itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.config import Config
from judge.service.limits import ANSWERS, EMPTY_ANSWERS, Tally
from judge.store.inbox import InboxView
from judge.store.rows import Heard
from judge.testing.casting import player_of, seat_everybody
from judge.testing.letters import Letter
from judge.testing.mails import RawMail
from judge.testing.stage import Stage
from judge.testing.theatre import rehearsal_config
from tests.service.conftest import kind_of, last_mail, person_of

FRANCE = player_of("FRANCE")
MARKS = (b"X-Judge-Loop", b"Auto-Submitted", b"Precedence", b"X-Auto-Response-Suppress", b"List-Id", b"List-Help")
"""What tells a program that it reads another program's letter (RFC 3834)."""


def elsewhere(var: Path) -> Config:
    return replace(rehearsal_config(var), domain="other.test")


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[tuple[Stage, Stage]]:
    """Two judges; each has the other as a player of a game."""
    here, there = Stage(tmp_path / "here"), Stage(tmp_path / "there", config=elsewhere, seed=2)
    for stage, other in ((here, there), (there, here)):
        seat_everybody(stage, "baltic")
        stage.begin()
        with stage.house.store.write() as unit:
            unit.people.add_address(person_of(stage, FRANCE).id, other.address, stage.now, verified=True, primary=True)
    yield here, there
    here.close()
    there.close()


def without_marks(raw: bytes) -> bytes:
    """The letter as a mail program forwards it that strips what it does not know."""
    head, gap, body = raw.partition(b"\r\n\r\n")
    return b"\r\n".join(line for line in head.split(b"\r\n") if not line.startswith(MARKS)) + gap + body


def converse(here: Stage, there: Stage, *, marked: bool, rounds: int = 200) -> int:
    """Carry every letter of each to the other until nobody writes any more; returns how many letters went."""
    read = {here: len(here.everything()), there: len(there.everything())}
    carried = 0
    here.send(player_of("ENGLAND"), "press to France\nAre you a machine?", subject="baltic")
    for _ in range(rounds):
        before = carried
        for author, reader in ((here, there), (there, here)):
            fresh = author.everything()[read[author] :]
            read[author] += len(fresh)
            for letter in (one for one in fresh if one.to.endswith("@" + reader.house.config.domain)):
                raw = letter.raw if marked else without_marks(letter.raw)
                sender = letter.header("From").partition("<")[2].rstrip(">")
                reader.offer(RawMail(raw, sender, (letter.to,)))
                carried += 1
        if carried == before:
            return carried
    raise AssertionError("they go on for ever")


def test_two_judges_that_have_each_other_as_players_fall_silent(judges: tuple[Stage, Stage]) -> None:
    here, there = judges
    assert converse(here, there, marked=True) == 1
    assert last_mail(there).state == "ignored" and "auto-submitted" in (last_mail(there).reason or "")


def test_they_fall_silent_even_if_every_mark_of_a_machine_is_lost(judges: tuple[Stage, Stage]) -> None:
    here, there = judges
    assert 1 < converse(here, there, marked=False) <= 4 * EMPTY_ANSWERS


def test_a_program_that_answers_every_letter_gets_a_few_answers_and_one_word_about_it(table: Stage) -> None:
    for number in range(3 * EMPTY_ANSWERS):
        table.send(FRANCE, f"I am on a boat until Monday. {number}", subject="Re: baltic")
    answers = [letter for letter in table.inbox(FRANCE) if kind_of(letter) in ("receipt", "error")]
    assert len(answers) == EMPTY_ANSWERS + 1
    assert "answer no more" in " ".join(answers[-1].text.split())
    assert "enough answers" in (last_mail(table).reason or "")
    table.advance(timedelta(hours=1))
    table.send(FRANCE, "Back again.", subject="Re: baltic")
    assert kind_of(table.inbox(FRANCE)[-1]) == "receipt"


def test_orders_are_taken_although_nobody_is_answered_any_more(table: Stage) -> None:
    for number in range(ANSWERS + 3):
        table.send(FRANCE, f"A Par - {('Bur', 'Pic', 'Gas')[number % 3]}", subject="baltic")
    answers = [letter for letter in table.inbox(FRANCE) if kind_of(letter) in ("receipt", "error")]
    assert len(answers) == ANSWERS + 1
    assert table.game("baltic").sheets["FRANCE"].number == ANSWERS + 3


def test_our_own_letter_that_comes_back_is_recognised(table: Stage) -> None:
    letter: Letter = table.inbox(FRANCE)[0]
    table.offer(RawMail(letter.raw, FRANCE, (table.address,)))
    assert (last_mail(table).state, last_mail(table).reason) == ("ignored", "own: x-judge-loop")


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"X-Autoreply": "yes"},
        {"Precedence": "bulk"},
        {"List-Id": "<friends.list.test>"},
        {"List-Unsubscribe": "<mailto:leave@list.test>"},
        {"Return-Path": "<>"},
    ],
    ids=str,
)
def test_machine_mail_is_neither_orders_nor_answered(table: Stage, headers: dict[str, str]) -> None:
    before = len(table.everything())
    table.send(FRANCE, "A Par - Bur", subject="baltic", headers=headers)
    assert last_mail(table).state == "ignored" and "FRANCE" not in table.game("baltic").sheets
    assert len(table.everything()) == before


def test_our_letters_say_that_they_come_from_a_machine(table: Stage) -> None:
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    receipt, call = table.inbox(FRANCE)[-1], table.inbox(FRANCE)[0]
    assert (receipt.header("Auto-Submitted"), call.header("Auto-Submitted")) == ("auto-replied", "auto-generated")
    assert all(parcel.mail_from.startswith("judge+") for parcel in table.post.tried)


def empty_mails(stage: Stage, count: int) -> int:
    """Somebody's program answers so many times; how many letters went to him."""
    before = len(stage.inbox(FRANCE))
    for number in range(count):
        stage.send(FRANCE, f"I am on a boat until Monday. {stage.numbered} {number}", subject="Re: baltic")
    return len(stage.inbox(FRANCE)) - before


def test_a_restart_forgets_no_answer(table: Stage) -> None:
    assert empty_mails(table, EMPTY_ANSWERS - 2) == EMPTY_ANSWERS - 2
    for _ in range(3):
        table.restart()
        assert empty_mails(table, 1) == 1
    for _ in range(3):
        table.restart()
        assert empty_mails(table, 5) == 0
    assert "answer no more" in " ".join(table.inbox(FRANCE)[-1].text.split())
    table.advance(timedelta(hours=1))
    assert empty_mails(table, 1) == 1


def test_orders_of_an_earlier_life_are_counted_as_orders(table: Stage) -> None:
    for number in range(ANSWERS - 1):
        table.send(FRANCE, f"A Par - {('Bur', 'Pic', 'Gas')[number % 3]}", subject="baltic")
    table.restart()
    assert empty_mails(table, 3) == 2, "the sixtieth answer, and the word that there are no more"


def test_two_processes_share_one_limit(table: Stage) -> None:
    processes = [table.house.answers, type(table.house.answers)()]
    before = len(table.inbox(FRANCE))
    for number in range(4 * EMPTY_ANSWERS):
        object.__setattr__(table.house, "answers", processes[number % 2])
        table.send(FRANCE, f"I am on a boat until Monday. {number}", subject="Re: baltic")
    assert len(table.inbox(FRANCE)) - before == EMPTY_ANSWERS + 1


def test_an_ordinary_evening_asks_the_inbox_once(table: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    whole = InboxView.heard_since

    def counting(view: InboxView, since: datetime, *, person: int | None = None) -> tuple[Heard, ...]:
        asked.append(person)
        return whole(view, since, person=person)

    monkeypatch.setattr(InboxView, "heard_since", counting)
    table.restart()
    for number in range(20):
        for power in ("FRANCE", "ENGLAND"):
            table.send(player_of(power), f"status\n// {number}", subject="baltic")
    assert asked == [None]


def test_others_are_asked_a_few_times_on_the_way_to_a_limit_not_for_every_mail() -> None:
    tally, noon = Tally(), datetime(1901, 3, 1, 12, tzinfo=UTC)
    asked = [mail for mail in range(1, 2 * ANSWERS) if tally.add("p1", mail, noon, empty=False).near]
    assert ANSWERS / 2 < asked[0] < asked[-1] <= ANSWERS
    assert len(asked) < 8
