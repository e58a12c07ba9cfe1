"""Mail that is not read, or not to its end, is said to be so; nothing is dropped in silence."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from tests.support.standing import seated

FRANCE = player_of("FRANCE")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[LocalJudge]:
    stage = seated(tmp_path)
    stage.begin()
    yield stage
    stage.close()


def test_a_hostile_structure_is_answered_to_its_proved_sender_and_nothing_is_done(stage: LocalJudge) -> None:
    bomb = {"Content-Type": "multipart/mixed; boundary=b", **{f"X-{n}": "x" for n in range(400)}}
    stage.send(FRANCE, "A Par - Bur", subject="baltic", headers=bomb)
    assert "FRANCE" not in stage.game("baltic").sheets
    assert "plain text" in stage.inbox(FRANCE)[-1].text


def test_a_hostile_structure_from_a_stranger_is_met_with_silence(stage: LocalJudge) -> None:
    bomb = {f"X-{n}": "x" for n in range(400)}
    stage.send("mallory@players.test", "A Par - Bur", subject="baltic", headers=bomb)
    assert stage.inbox("mallory@players.test") == []


def test_lines_beyond_the_limit_are_counted_in_the_receipt(stage: LocalJudge) -> None:
    stage.send(FRANCE, "A Par - Bur\n" + "// a long story\n" * 3000, subject="baltic")
    assert "more lines were not read" in stage.inbox(FRANCE)[-1].text
