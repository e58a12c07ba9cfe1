"""What somebody's mail brings about for somebody else is told in the language of whoever reads it."""

from __future__ import annotations

import pytest

from judge.testing.casting import player_of
from judge.testing.stage import Playhouse
from judge.testing.theatre import GM
from tests.service.posting.test_bounces import bounce, call

FRANCE = player_of("FRANCE")
QUOTED = "> Your orders are not in yet. Send them at once to this address, or you will be replaced by somebody else."


def speaks_german(stage: Playhouse, who: str) -> None:
    stage.send(who, "my language Deutsch", subject="baltic")


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("author", ["english", "german"])
@pytest.mark.parametrize("reader", ["english", "german"])
def test_a_forgery_is_reported_to_the_gamemaster_in_their_own_language(
    table: Playhouse, author: str, reader: str
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


def test_whoever_bounces_the_gamemaster_hears_of_it_in_their_own_language(table: Playhouse) -> None:
    """The notice of a mail server has no language at all."""
    speaks_german(table, GM)
    bounce(table, call(table))
    told = table.inbox(GM)[-1]
    assert "ein Brief kam zurück: Frankreich" in told.subject
    assert "came back" not in told.text and "undeliverable" not in told.text
