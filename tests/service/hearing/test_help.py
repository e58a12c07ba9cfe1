"""The help as its readers get it: what people ask in their own words, and what is in the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from tests.service.conftest import kind_of, seat_address, staffed
from tests.support.standing import seated

FRANCE, GM = player_of("FRANCE"), "gm@players.test"
WATCHER = "watcher@else.test"
SCREEN = 42
"""Lines of a letter, its foot not counted, that are read without turning pages."""
CONTENTS = 100
"""Lines of the table of contents."""
WIDTH = 78


def _questions() -> Iterator[tuple[str, str, list[str]]]:
    for line in (Path(__file__).parent / "help-questions.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            who, asked, answer = (part.strip() for part in line.split("|"))
            yield who, asked, [part.strip() for part in answer.split(" / ")]


QUESTIONS = tuple(_questions())


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalJudge]:
    """The game baltic in its first turn, which somebody watches, and one in its first winter."""
    stage = seated(tmp_path_factory.mktemp("help"), config=staffed)
    stage.begin()
    stage.send(WATCHER, "register name Wanda zone UTC")
    stage.send(WATCHER, "confirm", to=stage.inbox(WATCHER)[-1].reply_to)
    stage.send(WATCHER, "observe baltic")
    yield stage
    stage.close()


@pytest.fixture(scope="module")
def winter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalJudge]:
    """The same game in Winter 1901: France has taken Spain."""
    stage = seated(tmp_path_factory.mktemp("winter"), {"nmr": "hold", "early": "no"}, config=staffed)
    stage.begin()
    for line in ("A Mar - Spa", "A Par - Bur"):
        stage.send(FRANCE, line, to=seat_address(stage, FRANCE))
        deadline = stage.game("baltic").deadline
        assert deadline is not None
        stage.advance(deadline.at - stage.now)
    assert str(stage.game("baltic").phase) == "W1901A"
    yield stage
    stage.close()


def body_of(text: str) -> list[str]:
    """A letter without the line for answers above it and its foot."""
    lines = text.splitlines()
    foot = max(number for number, line in enumerate(lines) if re.fullmatch(r"-{20,}", line))
    return [line for line in lines[1:foot] if not line.startswith("=-=")]


@pytest.mark.parametrize(("who", "asked", "answer"), QUESTIONS, ids=[f"{who}: {asked}" for who, asked, _ in QUESTIONS])
def test_what_people_ask_is_answered(who: str, asked: str, answer: list[str], request: pytest.FixtureRequest) -> None:
    stage: LocalJudge = request.getfixturevalue("winter" if who == "winter" else "stage")
    number = QUESTIONS.index((who, asked, answer))
    address = {"stranger": f"stranger{number}@else.test", "gm": GM, "observer": WATCHER}.get(who, FRANCE)
    stage.advance(timedelta(minutes=5))  # nobody gets all of this in an hour
    stage.send(address, asked, subject="" if who == "stranger" else "baltic", vouched=who != "stranger")
    letter = stage.inbox(address)[-1]
    assert kind_of(letter) in ("help", "receipt") or who == "stranger"
    said = " ".join(letter.text.split())
    assert [part for part in answer if part.lower() not in said.lower()] == [], letter.text
    lines = body_of(letter.text)
    most = CONTENTS if asked == "help all" else SCREEN if "ore: help" not in letter.text else 2 * SCREEN
    assert len(lines) <= most, "\n".join(lines)
    assert max(map(len, letter.text.splitlines())) <= WIDTH
    assert not re.search(r"\bNone\b|::|\{\{|Undefined", letter.text)


@pytest.mark.parametrize("who", [FRANCE, GM, WATCHER, "somebody@else.test"])
def test_the_overview_has_thirty_lines_or_so_and_begins_with_what_one_can_do(stage: LocalJudge, who: str) -> None:
    stage.send(who, "help", subject="baltic" if who != "somebody@else.test" else "")
    lines = body_of(stage.inbox(who)[-1].text)
    assert len(lines) <= 36, "\n".join(lines)
