"""`my format`: how letters are put is asked for by mail, kept for one person, and changed back as easily."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from tests.support.standing import seated

FRANCE, ENGLAND = "france@players.test", "england@players.test"
ORDERS = {FRANCE: "A Par - Bur\nA Mar - Bur\nF Bre - Eng", ENGLAND: "F Lon - Eng\nF Edi - Nth\nA Lvp - Yor"}


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    stage = seated(tmp_path, {"nmr": "hold", "reminders": "none"})
    stage.begin()
    yield stage
    stage.close()


def said(stage: LocalJudge, line: str, by: str = FRANCE) -> str:
    stage.send(by, line, subject="baltic")
    return " ".join(stage.inbox(by)[-1].text.split())


def played(stage: LocalJudge) -> dict[str, ReceivedLetter]:
    for player, orders in ORDERS.items():
        stage.send(player, orders, subject="baltic")
    deadline = stage.game("baltic").deadline
    assert deadline is not None
    stage.advance(to=deadline.at)
    return {player: next(one for one in stage.inbox(player) if "results" in one.subject) for player in ORDERS}


def page_of(letter: ReceivedLetter) -> str:
    body = letter.message.get_body(("html",))
    return "" if body is None else str(body.get_content())


def test_spoken_letters_come_in_sentences_to_whoever_asked_and_nobody_else(stage: LocalJudge) -> None:
    assert "They are put in sentences, without tables, for the ear." in said(stage, "my format spoken")
    letters = played(stage)
    text = " ".join(letters[FRANCE].text.split())
    assert "army Paris to Burgundy: failed, bounced with French army Marseilles" in text
    assert "-----" not in text and "<table" not in page_of(letters[FRANCE]) and page_of(letters[FRANCE])
    assert "(A Paris - Burgundy)" in letters[ENGLAND].text and "<table" in page_of(letters[ENGLAND])


def test_a_spoken_letter_can_be_answered_with_the_letter_below(stage: LocalJudge) -> None:
    """The line above which answers are written stays what it is."""
    said(stage, "my format spoken")
    letter = stage.inbox(FRANCE)[-1]
    quoted = "\n".join(f"> {line}" for line in letter.lines)
    stage.send(FRANCE, f"A Par - Gas\n\n{quoted}", to=letter.reply_to, subject=f"Re: {letter.subject}")
    answer = " ".join(stage.inbox(FRANCE)[-1].text.split())
    assert "1. A Paris - Gascony" in answer and "ignored" not in answer


def test_terse_letters_have_codes(stage: LocalJudge) -> None:
    assert "They are terse" in said(stage, "my format: terse")
    letters = played(stage)
    assert "(A PAR - BUR)" in letters[FRANCE].text and "(A Paris - Burgundy)" not in letters[FRANCE].text
    assert len(letters[FRANCE].text) < 0.8 * len(letters[ENGLAND].text)


def test_explanations_come_though_the_game_has_none(stage: LocalJudge) -> None:
    assert "Reports explain in sentences what failed." in said(stage, "my format explain")
    letters = played(stage)
    assert "IN SENTENCES" in letters[FRANCE].text and "In sentences" in page_of(letters[FRANCE])
    assert "IN SENTENCES" not in letters[ENGLAND].text


@pytest.mark.parametrize(
    "lines",
    [
        ("my format spoken explain", "my format usual, no explanations"),
        ("my format terse, explain", "my format no terse no explain"),
        ("my format spoken", "my format spoken off"),
        ("my format explain", "my format explain: no"),
        ("my format no maps", "my format with maps"),
    ],
)
def test_every_wish_is_taken_back_as_it_was_made(stage: LocalJudge, lines: tuple[str, str]) -> None:
    before = said(stage, "my format").partition("LINE BY LINE")[2].partition("Proof")[0]
    changed = said(stage, lines[0]).partition("Your letters")[2].partition("Proof")[0]
    after = said(stage, lines[1]).partition("Your letters")[2].partition("Proof")[0]
    assert after in before or after.split() == before.partition("Your letters")[2].split()
    assert changed != after


def test_a_wish_stays_where_another_is_made(stage: LocalJudge) -> None:
    said(stage, "my format spoken")
    text = said(stage, "my format no maps")
    assert "for the ear" in text and "with maps" not in text


def test_a_form_that_is_none_is_answered_with_those_that_are(stage: LocalJudge) -> None:
    text = said(stage, "my format shouted")
    there_are = "text, html, maps, calendar, spoken, terse, usual, explain and njudge"
    assert f'"shouted" is not a form of a letter; there are {there_are}.' in text
