"""The first game is played by mail, end to end: made, joined, confirmed and played as the rulebook prints it.

Nobody does anything but write mails. Once on a stage in this process, once with a real daemon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.board.model import Board, province_of
from judge.board.names import gazetteer_of
from judge.mail.vocabulary.powers import read_power
from judge.service.core.persons import add_gm
from judge.testing.local import LocalJudge
from judge.testing.process import DaemonUnderTest
from judge.testing.transcript import ReceivedLetter, body_of
from judge.testing.under_test import GM, JudgeUnderTest

BOOK = Path(__file__).with_name("sample_game.txt")
START = datetime(2027, 1, 1, 12, 0, tzinfo=UTC)
GAME = "tannenburg"
PLAYERS = ("ada", "ben", "cleo", "dora", "emil", "fay", "gus")
PUBLISHED = {"AUSTRIA": 5, "ENGLAND": 5, "FRANCE": 5, "GERMANY": 6, "ITALY": 4, "RUSSIA": 4, "TURKEY": 5}
"""Centres at the end of 1902."""

_MOVE = re.compile(r"(\()?\b[AF] ([A-Z][^()]*?(?: \([a-z]c\))?) - ([A-Z][^()]*?)(?:\)|\s{2,}|$)")


@dataclass
class Season:
    """One block of the book: the phase, who mails what, and what is said of the outcome."""

    phase: str
    mails: list[tuple[str, str]] = field(default_factory=list)
    facts: dict[str, list[str]] = field(default_factory=dict)


def seasons() -> list[Season]:
    """The blocks of the book in order."""
    found: list[Season] = []
    for line in BOOK.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if re.fullmatch(r"[SFW]\d{4}[MRA]", line):
            found.append(Season(line))
        elif "|" in line:
            who, _, text = line.partition("|")
            found[-1].mails.append((who.strip(), text.strip()))
        elif line:
            name, _, items = line.partition(": ")
            found[-1].facts[name] = [item.strip() for item in items.split(",")]
    return found


@pytest.fixture(params=[LocalJudge, DaemonUnderTest], ids=["stage", "daemon"])
def under_test(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[JudgeUnderTest]:
    opened: JudgeUnderTest = request.param(tmp_path, start=START)
    yield opened
    opened.close()


def test_the_sample_game_is_played_by_mail(under_test: JudgeUnderTest) -> None:
    address = _gather(under_test)
    board = under_test.game(GAME).board
    for season in seasons():
        _play(under_test, season, lambda who: address[_power(board, who)])
    game = under_test.game(GAME)
    assert str(game.phase) == "S1903M"
    assert game.position is not None
    owned = list(game.position.owners.values())
    assert {power: owned.count(power) for power in PUBLISHED} == PUBLISHED
    for letter in _reports(under_test, address):
        assert _chart(board, letter) == PUBLISHED


def _gather(under_test: JudgeUnderTest) -> dict[str, str]:
    """The GM makes the game, seven players join and confirm, the lot falls. Returns power -> address."""
    password = add_gm(under_test.judge, GM).password
    under_test.begin()
    under_test.send(GM, f"create {GAME} preset standard\nmoves = 3d\npassword {password}", subject="a new game")
    _answer(under_test, GM, "open")
    wishes = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
    for name, wish in zip(PLAYERS, wishes, strict=True):
        player = f"{name}@players.test"
        under_test.send(player, f"join {GAME} prefer {wish}", subject="I should like to play", vouched=False)
        assert under_test.inbox(player)[-1].subject == "Please confirm your address"
        _answer(under_test, player, "confirm")
        assert "welcome" in under_test.inbox(player)[-1].subject
    _answer(under_test, GM, "start")
    game = under_test.game(GAME)
    found = {}
    with under_test.judge.store.read() as view:
        for seat in game.seats.values():
            assert seat.person is not None
            found[seat.powers[0]] = view.people.addresses(seat.person)[0].address
    return found


def _play(under_test: JudgeUnderTest, season: Season, address: Callable[[str], str]) -> None:
    """Mail a season's orders, let the clock run until the early processing, and hold the report to the book."""
    before = str(under_test.game(GAME).phase)
    assert before == season.phase or (before, season.phase) == ("F1902R", "W1902A")
    for who, text in season.mails:
        player = address(who)
        _answer(under_test, player, text)
        receipt = under_test.inbox(player)[-1]
        assert "refused" not in receipt.text and "NEEDS CORRECTION" not in receipt.text, receipt.text
    under_test.advance(timedelta(minutes=31))
    if season.phase == "F1902R":
        assert str(under_test.game(GAME).phase) == "F1902R", "the builds of the same turn are still to come"
        return
    everybody = {who: address(who) for who, _ in season.mails}
    for letter in _reports(under_test, everybody):
        _hold_to_the_book(under_test.game(GAME).board, letter, season)


def _hold_to_the_book(board: Board, letter: ReceivedLetter, season: Season) -> None:
    succeeded, failed = _moves(board, letter)
    if "fail" in season.facts:
        assert failed == set(season.facts["fail"])
    if "succeed" in season.facts:
        assert succeeded == set(season.facts["succeed"])
    for unit in season.facts.get("annihilated", []):
        place = board.provinces[unit.removeprefix("F ")].name
        assert f"F {place} has no retreat and is disbanded." in " ".join(letter.text.split())
    if "centres" in season.facts:
        pairs = (item.rsplit(" ", 1) for item in season.facts["centres"])
        assert _chart(board, letter) == {_power(board, who): int(number) for who, number in pairs}


def _reports(under_test: JudgeUnderTest, address: dict[str, str]) -> list[ReceivedLetter]:
    """The last results letter of each player and of the Gamemaster."""
    found = []
    for reader in (*address.values(), GM):
        letters = [letter for letter in under_test.inbox(reader) if ": results" in letter.subject]
        found.append(letters[-1])
    return found


def _answer(under_test: JudgeUnderTest, who: str, text: str) -> None:
    """Reply to the last letter that somebody got."""
    letter = under_test.inbox(who)[-1]
    headers = {"In-Reply-To": letter.message_id}
    under_test.send(who, text, to=letter.reply_to, subject=f"Re: {letter.subject}", headers=headers)


def _moves(board: Board, letter: ReceivedLetter) -> tuple[set[str], set[str]]:
    """Moves that took place and moves that failed, by a report: "RUH-BEL"."""
    succeeded: set[str] = set()
    failed: set[str] = set()
    orders = [order for line in body_of(letter) for order in re.split(r",(?:\s|$)", line.partition("as written:")[0])]
    for line in orders:
        match = _MOVE.search(line)
        if match is None or " S " in match[2] or " C " in match[2] or line.lstrip().startswith((">", "Reply with")):
            continue
        (failed if match[1] else succeeded).add(f"{_place(board, match[2])}-{_place(board, match[3])}")
    return succeeded, failed


def _chart(board: Board, letter: ReceivedLetter) -> dict[str, int]:
    """Centres by power, by a report's chart."""
    rows = re.findall(r"([A-Z][A-Za-z-]+)\s+(\d+) \(\d+\)", letter.text)
    return {_power(board, who): int(number) for who, number in rows}


def _place(board: Board, name: str) -> str:
    places = gazetteer_of(board).places(name.removesuffix(" via convoy"))
    assert len(places) == 1, name
    return province_of(places[0])


def _power(board: Board, name: str) -> str:
    power = read_power(name, board)
    assert isinstance(power, str), name
    return power
