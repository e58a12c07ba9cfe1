"""`judge game archive`: the record of a game, written as two files."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from judge.cli import cli
from judge.testing.local import LocalJudge
from tests.support.standing import seated


def test_the_record_of_a_game_becomes_two_files(tmp_path: Path) -> None:
    stage = seated(tmp_path)
    stage.begin()
    stage.stop()
    config = tmp_path / "judge.toml"
    config.write_text('[judge]\ndomain = "judge.test"\n', encoding="utf-8")
    told = CliRunner().invoke(
        cli, ["--config", str(config), "game", "archive", "baltic", "--folder", f"{tmp_path}/out"]
    )
    assert told.exit_code == 0, told.output
    assert (tmp_path / "out" / "baltic.txt").read_text(encoding="utf-8").startswith("BALTIC - Diplomacy (1976 rules)")
    found = json.loads((tmp_path / "out" / "baltic.json").read_text(encoding="utf-8"))
    assert (found["format"], found["version"], found["game"]) == ("judge-game", 1, "baltic")
    assert [len(units) for units in found["final"]["units"].values()] == [3, 3, 3, 3, 3, 4, 3]


def test_a_game_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    LocalJudge(tmp_path).stop()
    config = tmp_path / "judge.toml"
    config.write_text('[judge]\ndomain = "judge.test"\n', encoding="utf-8")
    told = CliRunner().invoke(cli, ["--config", str(config), "game", "archive", "nowhere"])
    assert told.exit_code == 1 and "there is no game nowhere" in told.output
