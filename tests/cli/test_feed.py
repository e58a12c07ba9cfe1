"""`judge feed`: exit codes and answers as a mail server's pipe relies on them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from judge.config import Config
from judge.service.core.judge import open_judge
from judge.store.rows import LetterState
from tests.bench.full_judge import open_full_judge

MAIL = (
    b"From: ada@players.test\nTo: judge@judge.test\nSubject: list\nMessage-ID: <1@x>\n"
    b"Date: Fri, 1 Jan 2027 12:00:00 +0000\n\nlist\n"
)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "judge.toml"
    path.write_text('[judge]\ndomain = "judge.test"\n')
    return path


def feed(config: Path, *options: str, raw: bytes = MAIL) -> Result:
    return CliRunner().invoke(cli, ["--config", str(config), "feed", *options], input=raw)


def test_a_mail_is_taken_and_answered(config: Path) -> None:
    result = feed(config, "--json", "--sender", "ada@players.test")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.output)
    assert answer["verdict"] == "processed"
    assert [letter["to"] for letter in answer["letters"]] == ["ada@players.test"]
    assert set(answer) == {"file", "verdict", "reason", "commands", "unread", "letters", "read"}
    assert [line["as"] for line in answer["read"]] == ["said"] * len(answer["read"])


@pytest.mark.parametrize("mark", [b"", b"Auto-Submitted: auto-replied\n"], ids=["answered", "ignored"])
def test_a_second_copy_is_ignored(config: Path, mark: bytes) -> None:
    first = json.loads(feed(config, "--json", raw=mark + MAIL).output)
    assert first["verdict"] == ("ignored" if mark else "processed")
    again = json.loads(feed(config, "--json", raw=b"Received: by elsewhere\n" + mark + MAIL).output)
    assert (again["verdict"], again["reason"], again["letters"]) == ("ignored", "a duplicate of mail 1", [])


def test_a_dry_run_shows_the_letter_and_keeps_nothing(config: Path) -> None:
    dry = feed(config, "--dry-run", "--sender", "ada@players.test")
    assert dry.exit_code == 0 and "Subject:" in dry.output
    assert json.loads(feed(config, "--json", "--sender", "ada@players.test").output)["verdict"] == "processed"


@pytest.mark.parametrize(
    "raw", [b"", b"\0", b"\xff" * 100, b"From: " + b"(" * 5000, b"\n\n\n", MAIL.replace(b"list\n", b"\xe9\xe8\n")]
)
@pytest.mark.parametrize("option", ["--dry-run", "--json"])
def test_any_bytes_whatsoever_are_answered(config: Path, raw: bytes, option: str) -> None:
    result = feed(config, option, "--json", raw=raw)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["verdict"] in {"processed", "held", "ignored", "quarantined"}


def test_usage_errors_are_64_and_a_store_that_cannot_take_it_is_75(config: Path, tmp_path: Path) -> None:
    assert feed(config, "--nonsense").exit_code == 64
    assert feed(config, "--received", "yesterday").exit_code == 64
    assert feed(config, str(tmp_path / "missing.eml")).exit_code == 64
    config.write_text(f'[store]\nurl = "sqlite:///{config}/judge.db"\n')
    assert feed(config).exit_code == 75


def test_a_letter_that_shows_a_map_waits_for_the_daemon_which_draws(config: Path, tmp_path: Path) -> None:
    """And so do letters of the daemon's own that wait for their maps when the mail comes."""
    open_full_judge(tmp_path, 1).close()
    asked = MAIL.replace(b"Subject: list", b"Subject: game0").replace(b"\n\nlist", b"\n\nstatus")
    asked = asked.replace(b"ada@", b"gm.game0@")
    assert json.loads(feed(config, "--json", raw=asked).output)["verdict"] == "processed"
    assert json.loads(feed(config, "--json", "--sender", "ada@players.test").output)["verdict"] == "processed"
    judge = open_judge(Config(var=tmp_path))
    with judge.store.read() as view:
        states = {letter.kind: letter.state for letter in view.letters.list(limit=1000)}
    judge.close()
    assert (states["status"], states["list"]) == (LetterState.COMPOSING, LetterState.READY)
