"""`judge outbox list`: what became of the letters to one address, and the youngest of many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.testing.casting import player_of
from tests.support.standing import seated

FRANCE = player_of("FRANCE")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    stage = seated(tmp_path)
    stage.begin()
    stage.send(FRANCE, "A Par - Bur", subject="baltic")
    stage.close()
    (tmp_path / "judge.toml").write_text('[judge]\ndomain = "judge.test"\n')
    return tmp_path


def listed(home: Path, *words: str) -> str:
    done = CliRunner().invoke(cli, ["--config", str(home / "judge.toml"), "outbox", "list", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_what_became_of_the_letters_to_one_address(home: Path) -> None:
    assert listed(home) == "The outbox is empty.\n"
    said = listed(home, "--to", FRANCE.upper())
    kinds = [line.split()[5] for line in said.splitlines()[1:]]
    assert kinds[-1] == "receipt" and "started" in kinds
    assert said.count("sent") == said.count(FRANCE) == len(kinds)
    assert listed(home, "--to", "nobody@x.test") == "There is no letter to nobody@x.test.\n"


def test_of_many_the_youngest(home: Path) -> None:
    every = [json.loads(line)["number"] for line in listed(home, "--all", "--json").splitlines()]
    assert every == sorted(every)
    youngest = [json.loads(line)["number"] for line in listed(home, "--all", "--limit", "2", "--json").splitlines()]
    assert youngest == every[-2:]
    assert "older ones" in listed(home, "--all", "--limit", "2") and "older ones" not in listed(home, "--all")
