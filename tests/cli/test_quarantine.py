"""`judge quarantine`: what made the judge stumble is listed, shown, tried again or dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli import cli
from judge.config import load_config
from judge.service.house import open_house
from judge.store.rows import NewMail


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A judge with one mail in quarantine."""
    path = tmp_path / "judge.toml"
    path.write_text('[judge]\ndomain = "judge.test"\n')
    house = open_house(load_config(path), upgrade=True)
    raw = b"From: france@players.test\r\nSubject: baltic\r\n\r\nlist\r\n"
    with house.store.write() as unit:
        unit.inbox.put(NewMail(raw, "smtp", "smtp:1", house.clock.now(), "france@players.test"))
        unit.inbox.quarantine(1, "Traceback ...\nRuntimeError: stumbled over a stone")
    house.close()
    return path


def judge(config: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--config", str(config), "quarantine", *words])


def test_it_is_listed_for_people_and_for_scripts(config: Path) -> None:
    assert "stumbled over a stone" in judge(config, "list").output
    facts = json.loads(judge(config, "list", "--json").output)
    assert (facts["number"], facts["why"]) == (1, "RuntimeError: stumbled over a stone")


def test_it_is_shown_with_its_bytes(config: Path) -> None:
    shown = judge(config, "show", "1").output
    assert "Traceback" in shown and "From: france@players.test" in shown


@pytest.mark.parametrize(("word", "said"), [("retry", "will be tried again"), ("drop", "is dropped")])
def test_it_is_settled_once(config: Path, word: str, said: str) -> None:
    assert said in judge(config, word, "1").output
    again = judge(config, word, "1")
    assert again.exit_code == 1 and "not in quarantine" in again.output
    assert "Nothing is in quarantine" in judge(config, "list").output
