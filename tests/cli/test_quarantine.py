"""`judge quarantine`: what made the judge stumble is listed, shown, tried again or dropped."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from judge.config import load_config
from judge.service.core.judge import open_judge
from judge.store.rows import NewMail


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A judge with one mail in quarantine."""
    path = tmp_path / "judge.toml"
    path.write_text('[judge]\ndomain = "judge.test"\n')
    judge = open_judge(load_config(path), upgrade=True)
    raw = b"From: france@players.test\r\nSubject: baltic\r\n\r\nlist\r\n"
    with judge.store.write() as unit:
        unit.inbox.put(NewMail(raw, "smtp", "smtp:1", judge.clock.now(), "france@players.test"))
        unit.inbox.quarantine(1, "Traceback ...\nRuntimeError: stumbled over a stone")
    judge.close()
    return path


def quarantine(config: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--config", str(config), "quarantine", *words])


def test_it_is_listed_for_people_and_for_scripts(config: Path) -> None:
    assert "stumbled over a stone" in quarantine(config, "list").output
    facts = json.loads(quarantine(config, "list", "--json").output)
    assert (facts["number"], facts["why"]) == (1, "RuntimeError: stumbled over a stone")


def test_it_is_shown_as_it_was_read_and_as_it_came(config: Path) -> None:
    shown = quarantine(config, "show", "1").output
    assert "Traceback" in shown and "From: france@players.test" in shown and "\nlist\n" in shown
    assert (
        quarantine(config, "show", "--raw", "1").stdout_bytes
        == b"From: france@players.test\r\nSubject: baltic\r\n\r\nlist\r\n"
    )


WORD = "heron-and-oak-41"
SIGNED = [f"password {WORD}", f"SIGN ON france@baltic {WORD}", f"RESIGN FRANCE@baltic {WORD}", f"> new password {WORD}"]


@pytest.mark.parametrize("encoding", ["7bit", "base64", "quoted-printable"])
@pytest.mark.parametrize("line", SIGNED)
def test_no_password_is_echoed_whoever_wrote_it_where(config: Path, line: str, encoding: str) -> None:
    letter = EmailMessage()
    letter["From"], letter["Subject"] = "france@players.test", f"SIGN ON france@baltic {WORD}"
    letter.set_content(f"{line}\nA Par - Bur\nAs I said, ({WORD}).\n", cte=encoding)
    judge = open_judge(load_config(config))
    with judge.store.write() as unit:
        unit.inbox.put(NewMail(bytes(letter), "smtp", "smtp:9", judge.clock.now(), "france@players.test"))
        unit.inbox.quarantine(2, f"Traceback ...\nRuntimeError: '{WORD}' is no word")
    judge.close()
    shown = quarantine(config, "show", "2").output
    assert "A Par - Bur" in shown and "RuntimeError: '****' is no word" in shown
    for output in (shown, quarantine(config, "list").output, quarantine(config, "list", "--json").output):
        assert WORD not in output


@pytest.mark.parametrize(("word", "said"), [("retry", "will be tried again"), ("drop", "is dropped")])
def test_it_is_settled_once(config: Path, word: str, said: str) -> None:
    assert said in quarantine(config, word, "1").output
    again = quarantine(config, word, "1")
    assert again.exit_code == 1 and "not in quarantine" in again.output
    assert "Nothing is in quarantine" in quarantine(config, "list").output


def test_what_is_held_until_it_is_confirmed_is_listed_too(config: Path) -> None:
    judge = open_judge(load_config(config))
    with judge.store.write() as unit:
        unit.inbox.put(NewMail(b"From: x@else.test\r\n\r\nA Par - Bur\r\n", "smtp", "smtp:2", judge.clock.now()))
        unit.inbox.hold(2, "key", reason="not proved", claims=("baltic 3 token",))
    judge.close()
    listed = quarantine(config, "list").output
    assert "Held until confirmed" in listed and "baltic seat 3" in listed
    facts = [json.loads(line) for line in quarantine(config, "list", "--json").output.splitlines()]
    assert [(one["number"], one["state"]) for one in facts] == [(1, "quarantined"), (2, "held")]
    assert quarantine(config, "drop", "2").exit_code == 0
