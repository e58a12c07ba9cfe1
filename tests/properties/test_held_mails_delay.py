"""However many mails without proof there are, they hold a phase up for `held_wait` at most, and most not at all.

The model is the game alone: any mixture of held mails, of seats whose sets are complete, in part or not at all, under
every rule for missing orders that lets the turn go on. Every quarter of an hour the clock strikes.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.game.clock.clockwork import WordAwaited
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.filing.standing import State, standings
from tests.support.builders import START, Table

MAPS = Path(__file__).resolve().parents[2] / "maps"
WAIT = timedelta(hours=6)
DUE = START + timedelta(days=7)
SEATS = [str(number) for number in range(1, 8)]
POWERS = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]

MAILS = st.lists(
    st.builds(
        cmd.HeldMail,
        number=st.integers(1, 10_000),
        seat=st.sampled_from([*SEATS, "gm", "99"]),
        came=st.integers(-24, 24 * 9).map(lambda hours: START + timedelta(hours=hours)),
        token=st.booleans(),
    ),
    max_size=50,
)
FILED = st.lists(st.sampled_from(["all", "one", "none"]), min_size=7, max_size=7)


def table_with(filed: list[str], nmr: str) -> Table:
    table = Table(MAPS, {"nmr": nmr, "held_wait": "6h"}).seated().started(DUE)
    for power, how in zip(POWERS, filed, strict=True):
        units = [unit for unit in table.running.position.units if unit.power == power]
        lines = [f"{unit.kind} {unit.at} H" for unit in units]
        if how != "none":
            table.orders(power, *(lines if how == "all" else lines[:1]))
    return table


def play(table: Table, mails: list[cmd.HeldMail]) -> tuple[datetime, list[ev.Event]]:
    """Let the clock strike until the page is turned; when that was, and what happened."""
    seen: list[ev.Event] = []
    now = DUE - timedelta(hours=1)
    while str(table.game.phase) == "S1901M":
        assert now < DUE + timedelta(days=3), "the phase stands still"
        held = tuple(mail for mail in mails if mail.came <= now)
        table.now = now
        table.tell(cmd.Tick(held=held), cmd.Actor(cmd.Role.JUDGE))
        seen += table.last
        now += timedelta(minutes=15)
    return table.now, seen


def waited_for(table: Table, mails: list[cmd.HeldMail]) -> set[str]:
    """By the rule: seats for whose word the turn may wait."""
    states = {one.power: one.state for one in standings(table.game)}
    found = set()
    for mail in mails:
        seat = table.game.seats.get(mail.seat)
        in_time = START <= mail.came < DUE
        if seat is not None and in_time and (mail.token or states[seat.powers[0]] is not State.COMPLETE):
            found.add(seat.id)
    return found


@settings(max_examples=40, deadline=None)
@given(mails=MAILS, filed=FILED, nmr=st.sampled_from(["hold", "disorder", "removals"]))
def test_a_phase_waits_held_wait_at_most_and_only_where_it_must(
    mails: list[cmd.HeldMail], filed: list[str], nmr: str
) -> None:
    table = table_with(filed, nmr)
    expected = waited_for(table, mails)
    turned, seen = play(table, mails)
    assert turned == (DUE + WAIT if expected else DUE)
    told = [event.seat for event in seen if isinstance(event, WordAwaited)]
    assert sorted(told) == sorted(expected), "each seat is named once"


@settings(max_examples=20, deadline=None)
@given(mails=MAILS, late=st.sampled_from(POWERS), after=st.integers(1, 40))
def test_the_wait_runs_beside_the_grace(mails: list[cmd.HeldMail], late: str, after: int) -> None:
    """Somebody is late by so many hours: from then on nobody waits for longer than held_wait after the deadline."""
    filed = ["none" if power == late else "all" for power in POWERS]
    table = table_with(filed, "grace")
    table.now = DUE
    table.tell(cmd.Tick(held=tuple(mails)), cmd.Actor(cmd.Role.JUDGE))
    assert table.game.deadline is not None and table.game.deadline.called
    table.now = DUE + timedelta(hours=after)
    table.orders(late, *[f"{unit.kind} {unit.at} H" for unit in table.running.position.units if unit.power == late])
    ready = table.now + table.game.settings.early_delay
    table.now = max(ready, DUE + WAIT)
    table.tell(cmd.Tick(held=tuple(mails)), cmd.Actor(cmd.Role.JUDGE))
    assert str(table.game.phase) == "F1901M"
