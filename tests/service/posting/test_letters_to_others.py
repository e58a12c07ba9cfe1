"""What somebody's mail brings about for somebody else is told in the language of whoever reads it."""

from __future__ import annotations

import re

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.posting.test_bounces import bounce, call

FRANCE = player_of("FRANCE")
QUOTED = "> Your orders are not in yet. Send them at once to this address, or you will be replaced by somebody else."


def speaks_german(stage: LocalJudge, who: str) -> None:
    stage.send(who, "my language Deutsch", subject="baltic")


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("author", ["english", "german"])
@pytest.mark.parametrize("reader", ["english", "german"])
def test_a_forgery_is_reported_to_the_gamemaster_in_their_own_language(
    table: LocalJudge, author: str, reader: str
) -> None:
    for who, language in ((FRANCE, author), (GM, reader)):
        if language == "german":
            speaks_german(table, who)
    table.send(FRANCE, f"report forgery\n{QUOTED}", subject="baltic")
    told, answered = table.inbox(GM)[-1], table.inbox(FRANCE)[-1]
    german, english = "eine Fälschung wird gemeldet", "a forgery is reported"
    assert (german if reader == "german" else english) in told.subject
    assert ("check phrase" in told.text) == (reader == "english")
    assert ("check phrase" in flat(answered.text)) == (author == "english")


def test_whoever_bounces_the_gamemaster_hears_of_it_in_their_own_language(table: LocalJudge) -> None:
    """The notice of a mail server has no language at all."""
    speaks_german(table, GM)
    bounce(table, call(table))
    told = table.inbox(GM)[-1]
    assert "ein Brief kam zurück: Frankreich" in told.subject
    assert "came back" not in told.text and "undeliverable" not in told.text


@pytest.mark.parametrize("author", ["english", "german"])
@pytest.mark.parametrize("reader", ["english", "german"])
def test_a_correction_is_told_in_the_language_of_its_reader(table: LocalJudge, author: str, reader: str) -> None:
    for who, language in ((GM, author), (FRANCE, reader)):
        if language == "german":
            speaks_german(table, who)
    table.send(GM, "correct position A Paris at Burgundy; remove A Munich; centre Belgium France", subject="baltic")
    told = flat(table.inbox(FRANCE)[-1].text)
    english = ("A Paris is A Burgundy", "A Munich is not on the board", "Belgium belongs to France")
    german = ("A Paris ist A Burgund", "A München ist nicht auf dem Brett", "Belgien gehört Frankreich")
    for one, other in zip(english, german, strict=True):
        assert (one in told) == (reader == "english"), told
        assert (other in told) == (reader == "german"), told


@pytest.mark.parametrize("reader", ["english", "german"])
def test_why_a_line_was_asked_back_is_told_in_the_language_of_whoever_asks(table: LocalJudge, reader: str) -> None:
    """A line stays open in the log, with the sentence that its author read."""
    if reader == "english":
        speaks_german(table, FRANCE)
    table.send(FRANCE, "A Par - Mosow\nF Bre - Ruhr\nA Xyz - Bur", subject="baltic")
    table.send(FRANCE, f"my language {'English' if reader == 'english' else 'Deutsch'}", subject="baltic")
    table.send(FRANCE, "status", subject="baltic")
    told = flat(table.inbox(FRANCE)[-1].text)
    assert "Mosow" in told and "Ruhr" in told
    assert ("cannot" in told) == (reader == "english"), told
    assert ("kann" in told) == (reader == "german"), told


def test_an_invitation_speaks_no_word_of_its_gamemasters_language(table: LocalJudge) -> None:
    """Whoever is not known here is written to in the usual language."""
    speaks_german(table, GM)
    table.send(
        GM, "create forum\npreset standard\nset access invitation\nset press white, grey\nopen\ninvite new@club.test"
    )
    told = table.inbox("new@club.test")[-1]
    assert "white + grey" in told.text and "Diplomacy (1976 rules)" in flat(told.text)
    assert not re.search(r"[äöüß]|weiße|Regeln|Presse", f"{told.subject}{told.text}")
