"""Machines that answer machines fall silent: two judges, a judge and a simple answering program, a judge and itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.config import Bounds, Config
from judge.service.trust.patience import HABITS, PAILS, Sort, read
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import RawMail, rehearsal_config
from tests.service.conftest import kind_of, last_mail, person_of

FRANCE = player_of("FRANCE")
MARKS = (b"X-Judge-Loop", b"Auto-Submitted", b"Precedence", b"X-Auto-Response-Suppress", b"List-Id", b"List-Help")
"""What tells a program that it reads another program's letter (RFC 3834)."""


def elsewhere(var: Path) -> Config:
    return replace(rehearsal_config(var), domain="other.test")


@pytest.fixture
def judges(tmp_path: Path) -> Iterator[tuple[LocalJudge, LocalJudge]]:
    """Two judges; each has the other as a player of a game."""
    here, there = LocalJudge(tmp_path / "here"), LocalJudge(tmp_path / "there", config=elsewhere, seed=2)
    for stage, other in ((here, there), (there, here)):
        seat_everybody(stage, "baltic")
        stage.begin()
        with stage.judge.store.write() as unit:
            unit.people.add_address(person_of(stage, FRANCE).id, other.address, stage.now, verified=True, primary=True)
    yield here, there
    here.close()
    there.close()


def without_marks(raw: bytes) -> bytes:
    """The letter as a mail program forwards it that strips what it does not know."""
    head, gap, body = raw.partition(b"\r\n\r\n")
    return b"\r\n".join(line for line in head.split(b"\r\n") if not line.startswith(MARKS)) + gap + body


def converse(here: LocalJudge, there: LocalJudge, *, marked: bool, rounds: int = 200) -> int:
    """Carry every letter of each to the other until nobody writes any more; returns how many letters went."""
    read = {here: len(here.everything()), there: len(there.everything())}
    carried = 0
    here.send(player_of("ENGLAND"), "press to France\nAre you a machine?", subject="baltic")
    for _ in range(rounds):
        before = carried
        for author, reader in ((here, there), (there, here)):
            fresh = author.everything()[read[author] :]
            read[author] += len(fresh)
            for letter in (one for one in fresh if one.to.endswith("@" + reader.judge.config.domain)):
                raw = letter.raw if marked else without_marks(letter.raw)
                sender = letter.header("From").partition("<")[2].rstrip(">")
                reader.offer(RawMail(raw, sender, (letter.to,)))
                carried += 1
        if carried == before:
            return carried
    raise AssertionError("they go on for ever")


def test_two_judges_that_have_each_other_as_players_fall_silent(judges: tuple[LocalJudge, LocalJudge]) -> None:
    here, there = judges
    assert converse(here, there, marked=True) == 1
    assert last_mail(there).state == "ignored" and "auto-submitted" in (last_mail(there).reason or "")


def test_they_fall_silent_even_if_every_mark_of_a_machine_is_lost(judges: tuple[LocalJudge, LocalJudge]) -> None:
    here, there = judges
    assert 1 < converse(here, there, marked=False) <= 40


AWAY = (
    "I am on a boat until Monday.",
    "I am out of the office and will be back on {day}. Ticket {number}.",
    "Thank you for your message.\nhelp\nIt was received at {hour}.",
)
"""What answering programs write that bear no mark of one."""


@pytest.mark.parametrize(
    ("period", "mails"), [(timedelta(minutes=7), 60), (timedelta(hours=1), 60), (timedelta(days=1), 30)], ids=str
)
@pytest.mark.parametrize("text", AWAY)
def test_a_program_without_marks_gets_ever_fewer_answers(
    table: LocalJudge, text: str, period: timedelta, mails: int
) -> None:
    before = len(answers_to(table, FRANCE))
    for number in range(mails):
        now = table.now
        words = text.format(day=f"{now:%A %d %B}", number=1000 + number, hour=f"{now:%H:%M}")
        table.send(FRANCE, words, subject="Re: baltic")
        table.clock.set(now + period)
    assert len(answers_to(table, FRANCE)) - before <= (30 if period >= timedelta(days=1) else 20)
    assert last_mail(table).reason or period >= timedelta(days=1), "what is silent says why"


def answers_to(stage: LocalJudge, address: str) -> list[ReceivedLetter]:
    return [letter for letter in stage.inbox(address) if kind_of(letter) in ("receipt", "help", "error")]


def test_a_program_is_told_once_that_it_gets_no_more_answers(table: LocalJudge) -> None:
    for number in range(30):
        table.send(FRANCE, f"I am on a boat until Monday. {number}", subject="Re: baltic")
    answers = answers_to(table, FRANCE)
    assert len(answers) == HABITS[Sort.EMPTY].free + 1
    assert "not answer more" in " ".join(answers[-1].text.split())
    assert "the same words again" in (last_mail(table).reason or "")
    table.send(FRANCE, "A Par - Bur", subject="Re: baltic")
    assert "ok: A Paris - Burgundy" in table.inbox(FRANCE)[-1].text


def test_orders_are_taken_although_nobody_is_answered_any_more(table: LocalJudge) -> None:
    most = int(PAILS[Sort.DONE][0].room)
    for number in range(most + 3):
        table.send(FRANCE, f"A Par - {('Bur', 'Pic', 'Gas')[number % 3]}", subject="baltic")
    answers = answers_to(table, FRANCE)
    assert len(answers) == most + 1
    assert "still carried out" in answers[-1].text and "receipt" not in answers[-1].text, "nothing false is promised"
    assert table.game("baltic").sheets["FRANCE"].number == most + 3


def test_nobody_whose_orders_were_taken_reads_that_their_mail_could_not_be_dealt_with(table: LocalJudge) -> None:
    """A server that was away brings the same words many times at once; each mail is carried out."""
    for _ in range(30):
        table.send(FRANCE, "A Par - Bur", subject="baltic")
    letters = [letter for letter in table.inbox(FRANCE) if kind_of(letter) in ("receipt", "error")]
    assert "error" in {kind_of(letter) for letter in letters}, "they are told once that answers cease"
    for letter in letters:
        assert "could not be dealt with" not in letter.subject and "Nothing was changed" not in letter.text


def test_fifteen_sensible_mails_in_an_hour_are_each_answered(table: LocalJudge) -> None:
    texts = [f"{verb} {rest}" for verb, rest in zip(("help", "set colour", "A Par -") * 5, range(15), strict=True)]
    texts[2::3] = [f"A Par - {place}" for place in ("Bur", "Pic", "Gas", "Bur", "Pic")]
    for text in texts:
        before = len(table.inbox(FRANCE))
        table.send(FRANCE, text, subject="baltic")
        assert len(table.inbox(FRANCE)) == before + 1, text
        table.advance(timedelta(minutes=4))


def test_our_own_letter_that_comes_back_is_recognised(table: LocalJudge) -> None:
    letter: ReceivedLetter = table.inbox(FRANCE)[0]
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
def test_machine_mail_is_neither_orders_nor_answered(table: LocalJudge, headers: dict[str, str]) -> None:
    before = len(table.everything())
    table.send(FRANCE, "A Par - Bur", subject="baltic", headers=headers)
    assert last_mail(table).state == "ignored" and "FRANCE" not in table.game("baltic").sheets
    assert len(table.everything()) == before


def test_our_letters_say_that_they_come_from_a_machine(table: LocalJudge) -> None:
    table.send(FRANCE, "A Par - Bur", subject="baltic")
    receipt, call = table.inbox(FRANCE)[-1], table.inbox(FRANCE)[0]
    assert (receipt.header("Auto-Submitted"), call.header("Auto-Submitted")) == ("auto-replied", "auto-generated")
    assert all(parcel.mail_from.startswith("judge+") for parcel in table.post.tried)


def empty_mails(stage: LocalJudge, count: int) -> int:
    """Somebody's program answers so many times; how many letters went to him."""
    before = len(stage.inbox(FRANCE))
    for number in range(count):
        stage.send(FRANCE, f"I am on a boat until Monday. {stage.numbered} {number}", subject="Re: baltic")
    return len(stage.inbox(FRANCE)) - before


def test_a_restart_forgets_no_answer(table: LocalJudge) -> None:
    free = int(HABITS[Sort.EMPTY].free)
    assert empty_mails(table, free - 1) == free - 1
    table.restart()
    assert empty_mails(table, 5) == 2, "the last free answer, and the word that there are no more"
    for _ in range(3):
        table.restart()
        assert empty_mails(table, 5) == 0
    assert "not answer more" in " ".join(table.inbox(FRANCE)[-1].text.split())


def test_a_second_process_gives_nobody_more_answers(table: LocalJudge, tmp_path: Path) -> None:
    """What counts lies in the database: a judge opened beside this one knows of every answer."""
    free = int(HABITS[Sort.EMPTY].free)
    assert empty_mails(table, 10) == free + 1
    with table.judge.store.read() as view:
        kept = view.contacts.patience(f"p{person_of(table, FRANCE).id}")
    assert read(kept).levels[Sort.EMPTY][0].answers == free


def count_answers(stage: LocalJudge, senders: list[str], text: str, every: timedelta, **how: object) -> int:
    """How many letters come of mails of an answering program, one after the other."""
    before = len(stage.everything())
    for number, sender in enumerate(senders):
        stage.send(sender, text.format(number), subject="Re: your mail", headers=how.get("headers"), vouched=bool(how))  # type: ignore[arg-type]
        stage.advance(every)
    return sum(letter.to in senders for letter in stage.everything()[before:])


def test_a_loop_ends_whatever_its_program_chooses_anew_for_each_mail(table: LocalJudge) -> None:
    """A new address, a new name at one domain, a new text a day: what the other side chooses buys it no answers."""
    minutes, day = timedelta(minutes=10), timedelta(days=1)
    thanks = "Thank you for your message. We will come back to you, number {}."
    assert count_answers(table, [f"desk+{n:04}@crm.test" for n in range(40)], thanks, minutes) <= 4
    assert count_answers(table, [f"case-{n:04}@help.test" for n in range(40)], thanks, minutes) <= 4
    thread = {"References": "<root@crm.test>", "In-Reply-To": "<root@crm.test>"}
    names = [f"{chr(97 + n % 26)}{chr(97 + n // 26)}x@crm2.test" for n in range(40)]
    assert count_answers(table, names, thanks, minutes, headers=thread) <= 24
    assert count_answers(table, ["away@else.test"] * 30, "Day {} without me; my colleague helps you.", day) <= 8


def test_all_strangers_together_get_so_many_answers_a_day(tmp_path: Path) -> None:
    def narrow(var: Path) -> Config:
        return replace(rehearsal_config(var), bounds=Bounds(strangers_a_day=6))

    stage = LocalJudge(tmp_path, config=narrow)
    stage.begin()
    senders = [f"{chr(97 + number)}nna@club{number}.test" for number in range(12)]
    assert count_answers(stage, senders, "list", timedelta(minutes=1)) == 6
    stage.close()


def test_orders_of_an_answering_program_are_answered_ever_more_rarely(table: LocalJudge) -> None:
    """The same orders, every seven minutes, in a text that changes."""
    before = len(table.inbox(FRANCE))
    for number in range(60):
        table.send(FRANCE, f"A Par - Bur\n\nOn the {number}th I am away.", subject=f"Re: baltic {number}")
        table.advance(timedelta(minutes=7))
    assert len(table.inbox(FRANCE)) - before <= 16
