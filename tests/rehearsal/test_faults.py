"""Whatever breaks under load, no mail is lost and no answer is false: `judge faults`, each at its smallest scale."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.testing.faults.machines import play
from judge.testing.faults.trial import FAULTS, Trial

LONG = {
    "clock-steps": "sweeps come every half minute",
    "many-mails": "thousands of mails",
    "relay-450": "put off as by relay-421, which closes the line as well",
    "relay-552": "refused for good as by relay-550",
}
"""Faults that only the long set plays, and why."""

NAMES = [pytest.param(name, marks=pytest.mark.long if name in LONG else ()) for name in FAULTS]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_and_nothing_false_is_said(name: str, tmp_path: Path) -> None:
    if FAULTS[name].root and os.geteuid() != 0:
        pytest.skip(f"{name}: only root can cause it")
    findings = play(name, tmp_path)
    assert findings.mails >= 40
    assert (findings.lost, findings.false) == ((), ())


@pytest.mark.long
def test_a_hundred_deaths(tmp_path: Path) -> None:
    findings = play("killed", tmp_path, scale=34)
    assert (findings.lost, findings.false) == ((), ())


def test_the_trial_sees_what_is_lost_and_what_is_false(tmp_path: Path) -> None:
    """A mail that goes out of the database behind the judge's back, a receipt without an order, a letter to another."""
    with Trial(tmp_path, games=1) as trial:
        trial.load(7)
        trial.recover()
        assert trial.findings().good
        first, second = trial.players.mails[:2]
        first.orders[next(iter(first.orders))] = "A Nowhere - Atlantis"
        second.message_id = "<never.seen@players.test>"
        findings = trial.findings()
    assert findings.lost == ("<never.seen@players.test> was taken, and is not in the database",)
    assert [line for line in findings.false if "A Nowhere - Atlantis" in line]
    assert not findings.good


def test_the_faults_can_be_listed_and_a_wrong_name_is_told(tmp_path: Path) -> None:
    listed = CliRunner().invoke(cli, ["faults", "--list"])
    assert listed.exit_code == 0
    assert all(name in listed.output for name in FAULTS)
    wrong = CliRunner().invoke(cli, ["faults", "flood"])
    assert wrong.exit_code == 2 and "there is no fault 'flood'" in wrong.output
