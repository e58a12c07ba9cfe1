"""Whatever happens in a game, letters name one truth: no moment that lies behind them as one to come, and what they say
of the others is what the clock waits for.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.game.clock.clockwork import early_moment, next_wake
from judge.game.clock.pausing import CallPauseVote
from judge.game.core import commands as cmd
from judge.game.core.model import Running
from judge.game.filing.standing import standings
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.game.talk.closing import AMENDMENT, DRAW, POLL, closing
from judge.report.core.cast import Member
from judge.report.reply.headline import soon
from judge.report.seat.desk import desk, due, due_said
from judge.report.seat.onfile import waiting_for
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"
NOBODY = Member(0, "")
_MARK = re.compile(r"<<([^>]+)>>")
GOOD, SLIP, SOME = ("all hold",), ("all hold", "A Gas - Bur"), ("A Par H", "A Bud H", "F Lon H", "A Ber H", "A Rom H")


def step(table: Table, dice: Random) -> None:
    """Something that people do, or time that goes by."""
    power = dice.choice([power for seat in table.game.seats.values() if seat.filled for power in seat.powers])
    player = table.player(power)
    deed = dice.randrange(8)
    if deed < 3:
        table.orders(power, *dice.choice((GOOD, GOOD, SLIP, SOME)))
    elif deed == 3:
        table.tell(cmd.Wait(on=dice.random() < 0.6), player)
    elif deed == 4:
        table.tell(cmd.Extend(timedelta(days=dice.randrange(1, 4))), player)
    elif deed == 5:
        table.tell(dice.choice((ProposeDraw(), Vote(aye=True), CallPauseVote())), player)
    else:
        _time_goes_by(table, dice)


def _time_goes_by(table: Table, dice: Random) -> None:
    """To the next moment that the clock wants, or some hours on; the clock strikes until nothing happens any more."""
    wake = next_wake(table.game, table.now)
    at = wake if wake is not None and wake > table.now and dice.random() < 0.7 else table.now + timedelta(hours=7)
    for _ in range(20):
        table.tick(at)
        if not table.last:
            return
    raise AssertionError("the clock does not come to rest")


def moments_to_come(table: Table) -> list[datetime]:
    """Every moment that letters would name as one to come, to anybody, as things stand."""
    game = table.game
    said = [closing(game, kind) for kind in (DRAW, POLL, AMENDMENT)]
    found = [datetime.fromisoformat(mark) for text in said for mark in _MARK.findall(text)]
    for seat in (*game.seats, "gm"):
        at_desk = desk(game, seat, NOBODY).due
        assert at_desk == due(game, NOBODY), "one deadline for everybody"
        if at_desk is not None and (not at_desk.note or getattr(at_desk.note, "key", "") == "due-grace"):
            found.append(at_desk.at)
    words = due_said(game)
    if words and not words.facts["held"] and words.facts["due"] is not None:  # type: ignore[union-attr]
        found.append(words.facts["due"].at)  # type: ignore[union-attr]
    return found


def check_what_is_said_of_the_others(table: Table) -> None:
    """Who reads that the others are all in, and is complete and ready, is told when the turn is played."""
    game = table.game
    assert isinstance(game, Running)
    if game.held_since is not None or not game.settings.early:
        return
    settled = {one.power: one.settled for one in standings(game)}
    for seat in game.seats.values():
        others = waiting_for(game, seat)
        if others is None or not seat.filled or seat.wait or not all(settled.get(one, True) for one in seat.powers):
            continue
        facts = others.facts
        if not (facts["missing"] or facts["unfinished"] or facts["waits"]):
            early = early_moment(game)
            assert early is not None or soon(game, game.deadline.at) is None
            assert all(settled.values()) or game.deadline.called


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000))
def test_letters_name_no_moment_past_and_the_clock_comes_to_rest(seed: int) -> None:
    dice = Random(seed)
    table = Table(MAPS).seated().started()
    table.tell(cmd.ChangeSettings("early", dice.choice(("yes", "no"))), table.gm)
    for _ in range(25):
        step(table, dice)
        if not isinstance(table.game, Running):
            return
        _settle(table)
        if not isinstance(table.game, Running):
            return
        assert all(moment >= table.now for moment in moments_to_come(table)), table.now
        wake = next_wake(table.game, table.now)
        assert wake is None or wake >= table.now
        check_what_is_said_of_the_others(table)


def _settle(table: Table) -> None:
    for _ in range(20):
        table.tick(table.now)
        if not table.last:
            return
