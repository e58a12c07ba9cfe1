"""Settings that name a season are held to the years of the game itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from tests.support.builders import Table
from tests.variants.rooms import enter

MAPS = Path(__file__).resolve().parents[2] / "maps"


@pytest.fixture(autouse=True)
def _rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch)


@pytest.mark.parametrize(("preset", "season", "known"), [
    ("standard", "J1905", False), ("standard", "F1905", True), ("standard", "W1905", True),
    ("long-year", "J1905", True), ("long-year", "U1905", False), ("february", "D1905", True),
])  # fmt: skip
@pytest.mark.parametrize("name", ["draw_from", "end_after"])
def test_a_season_that_the_years_do_not_have_is_refused(preset: str, name: str, season: str, *, known: bool) -> None:
    table = Table(MAPS, preset=preset)
    table.tell(cmd.ChangeSettings(name, season), table.gm)
    answer = table.answer
    assert isinstance(answer, Decision if known else Refusal)
    if isinstance(answer, Refusal):
        assert f"the years of this game have no season {season}" in answer.sentence
