"""Fifty forged mails in five phases: what they cost the table, in hours.

Forgers write in everybody's name, with our server's word against them or without any, to the judge and to the game, to
seats of which they know the reply address and to the Gamemaster's. The bound is computed from the rule before the phase
is played: nothing where no mail may be waited for, `held_wait` where one may.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import seat_address
from tests.service.trust.test_waiting_mail import HOUR, deadline, orders_from, phase

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
WAIT = 6 * HOUR


def forge(stage: LocalJudge, chance: random.Random, number: int) -> tuple[str, bool, bool]:
    """One forged mail; (in whose name, whether it went to the seat's own address, whether our server denies it)."""
    power, token, denied = chance.choice([*POWERS, "GM"]), chance.random() < 0.3, chance.random() < 0.5
    address = GM if power == "GM" else player_of(power)
    host = "else.test" if token else "players.test"
    verdict = f"dmarc=fail header.from={host}" if denied else "none"
    stage.send(
        f"forger{number}@else.test" if token else address,
        "extend 48h" if power == "GM" else f"A Par H\nF Lon H\nA Vie H\n// {number}",
        to=seat_address(stage, address) if token else chance.choice(["judge@judge.test", "judge+baltic@judge.test"]),
        headers={"Authentication-Results": f"mx.judge.test; {verdict}"},
    )
    return power, token, denied


def may_be_waited_for(forged: tuple[str, bool, bool], behind: str) -> bool:
    """The rule: no failed verdict, no Gamemaster's mail; to the live address, or for a seat that has not sent all."""
    power, token, denied = forged
    return not denied and power != "GM" and (token or power == behind)


def processed_at(stage: LocalJudge, due: datetime) -> datetime:
    """Let time go by until the phase is played, by the hour."""
    before = phase(stage)
    while phase(stage) == before:
        assert stage.now < due + timedelta(days=2), "the phase stands still"
        stage.advance(HOUR)
    return stage.now


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_fifty_forged_mails_cost_held_wait_a_phase_at_most(table: LocalJudge, seed: int) -> None:
    chance = random.Random(seed)
    table.send(GM, "set nmr hold\nset held wait 6h\nset early no\nset seasons 2", to=seat_address(table, GM))
    for round_ in range(5):
        behind = chance.choice([*POWERS, ""])
        orders_from(table, behind)
        due = deadline(table)
        table.advance(to=due - 20 * HOUR)
        forged = [forge(table, chance, 10 * round_ + number) for number in range(10)]
        delay = processed_at(table, due) - due
        waits = any(may_be_waited_for(one, behind) for one in forged)
        assert delay <= (WAIT if waits else timedelta()), f"{phase(table)}: {forged}"
