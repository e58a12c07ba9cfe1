"""What a command has to load before it does anything: whoever reads mail in a shell asks for it again and again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ALLOWED = {
    "judge", "judge.board", "judge.board.spelling", "judge.browser",
    "judge.browser.mailbox", "judge.cli", "judge.cli.common", "judge.cli.letterbox",
    "judge.clock", "judge.config", "judge.languages", "judge.pace", "judge.resources",
    "judge.transport", "judge.transport.listener", "judge.transport.maildir",
    "judge.transport.ports", "judge.transport.writing",
}  # fmt: skip
"""Modules of ours that `judge inbox` and `judge mail` load."""
LIBRARIES = {"click", "msgspec", "rapidfuzz", "typing_extensions"}
"""Of other people: what reading the configuration takes."""

PROGRAM = """
import json, sys
import click
from judge.cli import cli
try:
    cli.main(sys.argv[1:], standalone_mode=False)
except click.ClickException:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [("inbox", "you@localhost"), ("mail", "--from", "you@localhost", "--reply", "0", "A Par - Bur")],
    ids=lambda words: words[0],
)
def test_a_mail_program_loads_no_judge(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text('[paths]\nvar = "."\n', encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, "--config", "judge.toml", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stderr))
    assert {name for name in loaded if name.partition(".")[0] == "judge"} == ALLOWED
    others = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"judge"}
    assert {name for name in others if not name.startswith("_")} <= LIBRARIES | {"cython_runtime"}
