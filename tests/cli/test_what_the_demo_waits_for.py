"""`judge inbox` says what the demo waits for, and never what was so before the letter above it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli, letterbox

YOU = "you@localhost"
LETTER, BEFORE, AFTER = 2_000_000_000, 1_000_000_000, 3_000_000_000
"""Moments, in nanoseconds: when the newest letter was written, and when the judge looked at its demo."""


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(letterbox, "_LONGEST_LOOK", 0.15)
    (tmp_path / "judge.toml").write_text(f'[paths]\nvar = "{tmp_path}"\n', encoding="utf-8")
    letters = tmp_path / "mail" / YOU / "new"
    letters.mkdir(parents=True)
    letter = letters / "1.letter"
    letter.write_bytes(b"Subject: set 1 for France - COMPLETE\r\n\r\nCOMPLETE\r\n")
    os.utime(letter, ns=(LETTER, LETTER))
    return tmp_path


@pytest.mark.parametrize(
    ("looked", "address", "said"), [(AFTER, YOU, True), (BEFORE, YOU, False), (AFTER, "a@b", False)]
)
def test_it_is_said_if_the_judge_has_looked_since(judge: Path, looked: int, address: str, *, said: bool) -> None:
    note = judge / "waiting.json"
    note.write_text(json.dumps({"address": address, "waits_for": "The game waits for Italy."}), encoding="utf-8")
    os.utime(note, ns=(looked, looked))
    shown = CliRunner().invoke(cli, ["--config", str(judge / "judge.toml"), "inbox", YOU])
    assert shown.exit_code == 0, shown.output
    assert "set 1 for France - COMPLETE" in shown.output
    assert ("The game waits for Italy." in shown.output) is said
