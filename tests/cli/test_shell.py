"""Completion in the shell and man pages: each comes from the commands themselves, so each command has both."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from tests.cli.test_no_traceback import names


def invoke(*words: str, env: dict[str, str] | None = None) -> str:
    result = CliRunner().invoke(cli, list(words), env=env, prog_name="judge")
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize(("begun", "offered"), [("judge qua", "quarantine"), ("judge game arch", "archive")])
def test_words_are_completed(begun: str, offered: str) -> None:
    words = begun.split()
    said = invoke(
        env={"_JUDGE_COMPLETE": "bash_complete", "COMP_WORDS": begun, "COMP_CWORD": str(len(words) - 1)},
    )
    assert said.splitlines() == [f"plain,{offered}"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_asks_the_judge(shell: str) -> None:
    script = invoke("completion", shell)
    assert f"_JUDGE_COMPLETE={shell}_complete" in script


def test_the_script_for_bash_is_one() -> None:
    subprocess.run(["bash", "-n"], input=invoke("completion", "bash").encode(), check=True)


def test_every_command_has_a_page_that_names_its_options(tmp_path: Path) -> None:
    invoke("man", "--to", str(tmp_path))
    pages = {path.stem for path in tmp_path.glob("*.1")}
    assert pages >= {"judge-" + name.replace(" ", "-") for name in names()}
    page = (tmp_path / "judge-game-archive.1").read_text()
    assert re.search(r"^\.SH OPTIONS", page, re.MULTILINE)
    assert "judge\\-game\\-archive" in page
    top = (tmp_path / "judge.1").read_text()
    assert all(f"\n.B {name.split()[0]}\n" in top for name in names())


@pytest.mark.skipif(shutil.which("man") is None, reason="no man here")
def test_man_formats_every_page_without_a_warning(tmp_path: Path) -> None:
    invoke("man", "--to", str(tmp_path))
    pages = [str(path) for path in tmp_path.glob("*.1")]
    done = subprocess.run(["man", "--warnings=w", "-l", *pages], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "SYNOPSIS" in done.stdout


def test_the_version_names_the_commit_and_says_that_a_checkout_is_interpreted() -> None:
    from judge.release import release

    said = invoke("--version").strip()
    assert said == f"judge {release()}"
    if (Path(__file__).resolve().parents[2] / ".git").exists():
        assert re.fullmatch(r"judge \d+\.\d+\.\d+ \([0-9a-f]{7,}\+?\), interpreted", said)
