"""How often control may change package in five lives of a running game; a line of orders is read once.

The ceilings stand in the README of tests/bench, beside the bench that counts. They are counts, not times: the same in
every run. Whoever hands a value over whole instead of asking for it piece by piece lowers them; whoever needs more
rooms than a life has now says so there.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

from judge.game.instructions import kinds
from judge.orders import reader
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from tests.bench.lives import LIVES, measure

_TABLE = Path(__file__).parents[2] / "bench" / "README.md"
_ROW = re.compile(r"^\| `(\w+)` \|[^|]*\| (\d+) \|", re.MULTILINE)

CEILINGS = {life: int(most) for life, most in _ROW.findall(_TABLE.read_text(encoding="utf-8"))}


def test_every_life_has_a_ceiling() -> None:
    assert tuple(CEILINGS) == LIVES


def test_no_life_crosses_more_rooms_than_its_ceiling() -> None:
    counted = {life: found.of_package for life, found in measure(LIVES).items()}
    grown = {life: count for life, count in counted.items() if count > CEILINGS[life]}
    assert not grown, f"python -m tests.bench.lives --table {' '.join(grown)} shows where"


# --- A line of orders, from its mail to the report ----------------------------------------------------------------


_READERS = {
    function.__code__: function.__name__
    for function in (reader.read_line, reader.read_orders, kinds.instruction_of_text)
}


class Reading:
    """What was read as orders while the block ran: (what reads, the text) -> how often."""

    def __init__(self) -> None:
        self.texts: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> Reading:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and (name := _READERS.get(frame.f_code)):
            told = frame.f_locals
            self.texts[name, str(told.get("text", told.get("line")))] += 1


@pytest.fixture
def stage() -> LocalJudge:
    stage = LocalJudge()
    seat_everybody(stage, "baltic", {"moves": "7d", "nmr": "hold", "no_mistakes": "no", "reminders": "none"})
    stage.begin()
    return stage


def test_a_line_of_a_mail_is_read_as_an_order_once(stage: LocalJudge) -> None:
    with Reading() as found:
        stage.send(player_of("FRANCE"), "A Par - Bur\nF Bre - Mid\nA Mar S A Par - Bur", subject="baltic")
    assert found.texts == {("read_orders", "A Par - Bur\nF Bre - Mid\nA Mar S A Par - Bur"): 1}


def test_what_is_on_file_is_never_read_again(stage: LocalJudge) -> None:
    """Not by the receipt, not when the page is turned, not by the reports, not when the log is read from the disk."""
    france = "A Par - Bur\nF Bre - Mid\nif Italy owns Mar: A Mar - Spa else A Mar H"
    stage.send(player_of("FRANCE"), france, subject="baltic")
    stage.send(player_of("GERMANY"), "A Mun - Bur\nA Ber - Mun", subject="baltic")
    deadline = stage.game("baltic").deadline
    assert deadline is not None
    with Reading() as found:
        stage.advance(deadline.at - stage.now)
        stage.restart()
        stage.send(player_of("ITALY"), "history baltic", subject="baltic")
    assert stage.game("baltic").past
    assert "A Paris - Burgundy" in stage.inbox(player_of("ITALY"))[-1].text
    assert found.texts == {}
