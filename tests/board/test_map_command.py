"""judge map lint and judge map show, as a person and as a script see them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from judge.cli.map import map_group

BROKEN = Path(__file__).parents[1] / "broken" / "maps"


def run(*words: str) -> Result:
    return CliRunner().invoke(map_group, words)


def test_lint_prints_every_figure_of_the_standard_board() -> None:
    result = run("lint", "standard")
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.output.splitlines()]
    assert {"unit borders 504", "touching 206", "faces 133", "passages CON DEN KIE SWE", "right"} <= set(lines)
    assert "reach of AUSTRIA 4/8 (the printed table says 4/9)" in lines


def test_lint_without_a_name_checks_every_board() -> None:
    result = run("lint", "--json")
    assert result.exit_code == 0
    reports = [json.loads(line) for line in result.output.splitlines()]
    assert "standard" in [report["board"] for report in reports]
    assert all(report["ok"] for report in reports)


def test_lint_fails_on_a_wrong_board_and_says_why() -> None:
    result = run("lint", "removed-border", "--maps", str(BROKEN))
    assert result.exit_code == 1
    assert "! touching           205, expected 206" in result.output
    assert "such as BOH-TYR" in result.output


def test_lint_fails_on_a_board_that_cannot_be_loaded() -> None:
    result = run("lint", "no-toml", "--maps", str(BROKEN), "--json")
    assert result.exit_code == 1
    report = json.loads(result.output)
    assert not report["ok"]
    assert report["problems"][0].startswith("no-toml/board.toml:2: the file is no TOML")


def test_an_unknown_board_is_a_mistake_in_use() -> None:
    for command in ("lint", "show"):
        result = run(command, "atlantis")
        assert result.exit_code == 2
        assert 'there is no board "atlantis"; the boards are: ' in result.output


def test_a_folder_without_boards_is_a_mistake_in_use(tmp_path: Path) -> None:
    result = run("lint", "--maps", str(tmp_path))
    assert result.exit_code == 2
    assert "there are no boards in" in result.output


def test_show_prints_the_board() -> None:
    result = run("show", "standard")
    assert result.exit_code == 0
    assert "Russia (R, white): A WAR, A MOS, F SEV, F STP/SC" in result.output
    assert "STP  St Petersburg (coast, centre of Russia)\n     Army: FIN LVN MOS NWY\n" in result.output
    assert "     Fleet/SC: BOT FIN LVN\n" in result.output
    assert "Switzerland: Switzerland is not playable" in result.output


def test_show_for_machines_has_every_fact() -> None:
    board = json.loads(run("show", "standard", "--json").output)
    assert len(board["provinces"]) == 75
    assert board["provinces"]["STP"]["coasts"] == ["NC", "SC"]
    assert board["powers"]["RUSSIA"]["start"] == ["A WAR", "A MOS", "F SEV", "F STP/SC"]
    assert sum(2 * len(border["kinds"]) for border in board["borders"]) == 504
    assert board["ambiguous"]["tyr"] == ["TYR", "TYS"]


def test_show_of_a_broken_board_says_what_is_wrong() -> None:
    result = run("show", "army-at-sea", "--maps", str(BROKEN))
    assert result.exit_code == 1
    assert "armies cannot enter Baltic Sea" in result.output
