"""`judge map draw --game`: pictures of a game on this judge."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from judge.cli import cli
from tests.support.standing import seated


def drawn(tmp_path: Path, *words: str) -> Result:
    config = tmp_path / "judge.toml"
    config.write_text('[judge]\ndomain = "judge.test"\n', encoding="utf-8")
    return CliRunner().invoke(cli, ["--config", str(config), "map", "draw", "standard", *words])


def test_a_game_is_drawn_as_it_stands(tmp_path: Path) -> None:
    stage = seated(tmp_path)
    stage.begin()
    stage.stop()
    out = tmp_path / "out" / "baltic.svg"
    out.parent.mkdir()
    told = drawn(tmp_path, str(out), "--game", "baltic")
    assert told.exit_code == 0, told.output
    text = out.read_text(encoding="utf-8")
    assert text.count("data-unit=") == 22
    assert "baltic \xb7 version 1" in text and "Before Spring 1901 moves" in text


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    stage = seated(tmp_path)
    stage.begin()
    stage.stop()
    assert "there is no game nowhere" in drawn(tmp_path, "x.svg", "--game", "nowhere").output
    told = drawn(tmp_path, "x.svg", "--game", "baltic", "--phase", "X1999")
    assert told.exit_code == 1 and "baltic has played no phase X1999" in told.output
