"""A game without names from beginning to end: no letter to a player tells who another one is, in no header or line."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from tests.support.standing import seated

GM = "gm@players.test"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
WATCHER = "olga@elsewhere.test"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> LocalJudge:
    """Orders, press of every colour, votes, extensions, lateness, somebody who leaves, somebody who takes over."""
    stage = seated(
        tmp_path_factory.mktemp("gunboat"),
        {"anonymous": "yes", "press": "white, grey, black", "nmr": "grace"},
        key="fog",
    )
    stage.begin()
    stage.send(WATCHER, "observe fog")
    _say(stage, player_of("FRANCE"), "A par-bur\nF bre-mao\nA mar-spa\npress to Germany: Shall we meet?")
    _say(stage, player_of("GERMANY"), "press grey to all: Nobody knows me.")
    _say(stage, player_of("ITALY"), "press black as Vienna to Russia: I am yours.")
    _say(stage, player_of("TURKEY"), "extension")
    _say(stage, player_of("ENGLAND"), "draw")
    _say(stage, player_of("RUSSIA"), "aye")
    _say(stage, player_of("AUSTRIA"), "leave for good")
    stage.send("hal@elsewhere.test", "claim fog Austria")
    _say(stage, player_of("FRANCE"), "status")
    _say(stage, player_of("FRANCE"), "list")
    _say(stage, GM, "process S1901M")
    _say(stage, GM, "confirm")
    stage.advance(timedelta(days=8))
    _say(stage, player_of("GERMANY"), "history")
    return stage


def _say(stage: LocalJudge, who: str, text: str) -> None:
    stage.send(who, text, to=stage.inbox(who)[-1].reply_to, subject="Re: [fog]")


def _secrets() -> dict[str, tuple[str, str]]:
    """Address -> what tells who its owner is."""
    known = {player_of(power): (player_of(power), f"Player {power.title()}") for power in POWERS}
    return known | {"hal@elsewhere.test": ("hal@elsewhere.test", "hal ")}


def _leaks(letter: ReceivedLetter) -> list[str]:
    whole = letter.raw.decode("utf-8", "replace")
    secrets = _secrets()
    return [
        secret
        for owner, told in secrets.items()
        if owner != letter.to
        for secret in told
        if secret in whole or secret in letter.text
    ]


def test_the_players_got_letters_worth_looking_at(played: LocalJudge) -> None:
    kinds = {letter.header("X-Judge-Kind") for letter in played.everything()}
    assert {"results", "press", "vote", "notice", "receipt", "status", "takeover", "late"} <= kinds


def test_no_letter_tells_a_player_or_an_observer_who_another_one_is(played: LocalJudge) -> None:
    found = {(str(letter), leak) for letter in played.everything() if letter.to != GM for leak in _leaks(letter)}
    assert not found


def test_the_gamemaster_knows_and_the_end_tells_everybody(played: LocalJudge) -> None:
    assert any("Player France" in letter.text for letter in played.inbox(GM))
    _say(played, GM, "end game thanks")
    _say(played, GM, "yes")
    last = played.inbox(player_of("TURKEY"))[-1]
    assert "Player France" in last.text
