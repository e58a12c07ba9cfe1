"""judge map draw: a set-up, a position, a phase with orders; SVG, PNG and PDF."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.map import map_group
from tests.draw.conftest import MAPS
from tests.draw.scenes import marked, texts

PHASE = {
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
}


def run(*words: str) -> Result:
    return CliRunner().invoke(map_group, ["draw", *words, "--maps", str(MAPS)])


def written(tmp_path: Path, phase: object) -> str:
    path = tmp_path / "phase.json"
    path.write_text(phase if isinstance(phase, str) else json.dumps(phase))
    return str(path)


def test_the_set_up_of_a_board(tmp_path: Path) -> None:
    out = tmp_path / "start.svg"
    assert run("standard", str(out)).exit_code == 0
    assert len(marked(out.read_text(), "data-unit")) == 22


def test_a_board_that_is_made_for_a_game_is_drawn_by_the_rules_of_that_game(tmp_path: Path) -> None:
    """Unless others are named: the railway of the European Variant, the continents of Global Diplomacy II."""
    out = tmp_path / "start.svg"
    for board, words in (("european", "railway"), ("global2", "Asia")):
        assert run(board, str(out)).exit_code == 0
        assert any(words in text for text in texts(out.read_text()))
        assert run(board, str(out), "--rules", "1976").exit_code == 0
        assert not any(words == text or "railway" in text for text in texts(out.read_text()))


def test_a_phase_with_its_orders_and_what_they_led_to(tmp_path: Path) -> None:
    phase, out = written(tmp_path, PHASE), tmp_path / "out.svg"
    assert run("standard", str(out), "--position", phase, "--stamp", "Speculation").exit_code == 0
    assert sorted(marked(out.read_text(), "data-order")) == ["A MUN - BUR", "A PAR - BUR", "F BRE H"]
    assert {"Fall 1901 moves", "Speculation"} <= set(texts(out.read_text()))
    assert run("standard", str(out), "--position", phase, "--after").exit_code == 0
    assert "Before Fall 1901 retreats" in texts(out.read_text())
    assert marked(out.read_text(), "data-order") == []


@pytest.mark.parametrize(("name", "begin"), [("out.png", b"\x89PNG"), ("out.pdf", b"%PDF"), ("out.SVG", b"<svg")])
def test_the_form_follows_the_name(tmp_path: Path, name: str, begin: bytes) -> None:
    assert run("standard", str(tmp_path / name), "--size", "300").exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(begin)


def test_the_board_of_a_rule_system(tmp_path: Path) -> None:
    out = tmp_path / "chaos.svg"
    assert run("standard", str(out), "--rules", "chaos").exit_code == 0
    assert "Ankara 1" in " ".join(texts(out.read_text())).replace("\xa0", "")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("atlantis", "x.svg"), 2, 'there is no board "atlantis"'),
        (("standard", "x.gif"), 2, "name a file that ends in .svg, .png or .pdf"),
        (("standard", "x.svg", "--rules", "nonsense"), 2, "nonsense"),
    ],
)
def test_what_cannot_be_drawn_is_told(tmp_path: Path, words: tuple[str, ...], code: int, sentence: str) -> None:
    result = run(words[0], str(tmp_path / words[1]), *words[2:])
    assert result.exit_code == code
    assert sentence in result.output


@pytest.mark.parametrize(
    "phase",
    ["{", "[]", "{}", '{"phase": "X1901M"}', PHASE | {"orders": {"FRANCE": ["A PAR dances"]}}, PHASE | {"units": 3}],
)
def test_a_file_that_is_no_phase_is_told(tmp_path: Path, phase: object) -> None:
    result = run("standard", str(tmp_path / "x.svg"), "--position", written(tmp_path, phase))
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert not (tmp_path / "x.svg").exists()
