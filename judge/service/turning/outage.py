"""Detects outages of the judge and jumps of the clock, and gives games the lost time back.

Three things are told apart. A silence of the heartbeat is an *outage*: mail that came meanwhile is read first, and what
an outage of more than two hours touched is moved by its length (`game.clock.outages`). A wall clock that departs from
the steady one by minutes has *stepped*: the door closes and no phase runs. A step that stays is taken to be the truth
after ten minutes (the machine slept, or somebody set its clock right), and the time jumped over is an outage: whoever
was right, nobody is late through it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.core.commands import Actor, Context, Decision, Role, Tick
from judge.game.core.model import Stage
from judge.game.decide import decide
from judge.service.core.house import House
from judge.service.core.keeper import GameChange
from judge.service.posting.outgoing import post_letters
from judge.service.turning.barrier import Outage
from judge.store import Conflict

log = logging.getLogger("judge.turn")

OUTAGE_FROM = timedelta(minutes=2)
"""A silence shorter than this is a restart, not an outage."""
STEP = timedelta(minutes=5)
"""A wall clock that departs from the steady one by more than this has stepped (architecture 3)."""
SETTLING = timedelta(minutes=10)
"""A step that stays for so long is taken to be the truth."""


def outage_between(last_seen: datetime | None, now: datetime) -> Outage | None:
    """The outage between the last heartbeat and now; None for a restart, a first start, or a clock behind itself.

    >>> from datetime import UTC
    >>> noon = datetime(2027, 1, 8, 12, tzinfo=UTC)
    >>> outage_between(noon, noon + timedelta(hours=3)).until == noon + timedelta(hours=3)
    True
    """
    if last_seen is None or now - last_seen <= OUTAGE_FROM:
        return None
    return Outage(last_seen, now)


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Both clocks at one moment: the wall's time, and seconds of the steady one."""

    wall: datetime
    steady: float

    def step_to(self, later: ClockReading) -> timedelta:
        """By how much the wall clock jumped in between."""
        return later.wall - self.wall - timedelta(seconds=later.steady - self.steady)


@dataclass(frozen=True, slots=True)
class ClockLook:
    """What a look at the clocks found: `step` is not zero while the wall clock is not believed; `outage` is a time
    that has to be made up for."""

    step: timedelta = timedelta()
    outage: Outage | None = None

    @property
    def sane(self) -> bool:
        return not self.step


@dataclass(frozen=True, slots=True)
class Watch:
    """What is remembered between two looks: the last good reading, and since when the wall clock stands elsewhere."""

    good: ClockReading
    jumped: ClockReading | None = None

    def look(self, now: ClockReading) -> tuple[Watch, ClockLook]:
        """The next state, and what it means."""
        step = self.good.step_to(now)
        if abs(step) <= STEP:
            back = self.good.wall if self.jumped is not None else None
            return Watch(now), ClockLook(outage=outage_between(back, now.wall))
        if self.jumped is None or abs(self.jumped.step_to(now)) > STEP:
            return Watch(self.good, now), ClockLook(step)
        if timedelta(seconds=now.steady - self.jumped.steady) < SETTLING:
            return Watch(self.good, self.jumped), ClockLook(step)
        return Watch(now), ClockLook(outage=outage_between(self.good.wall, now.wall))


def make_up(house: House, outage: Outage) -> int:
    """Give every running game the time back that an outage took from it; returns how many were touched.

    To be called before any phase is processed and before the heartbeat moves on. Asked again it changes nothing.
    """
    with house.store.read() as view:
        keys = [row.key for row in view.games.list(states=[Stage.RUNNING])]
    touched = 0
    for key in keys:
        try:
            touched += _make_up_one(house, key, outage)
        except Conflict:
            log.warning("made up for by somebody else", extra={"game": key})
        except Exception:
            log.exception("an outage could not be made up for", extra={"game": key})
    return touched


def _make_up_one(house: House, key: str, outage: Outage) -> bool:
    now = house.clock.now()
    command = Tick(away=(outage.since, outage.until))
    with house.store.write() as unit:
        game = house.keeper.load(unit, key)
        if game is None:
            return False
        decision = decide(game, command, Context(Actor(Role.JUDGE), now, house.lot, house.shelf))
        if not isinstance(decision, Decision) or not decision.events:
            return False
        change = GameChange(game, game)
        house.keeper.apply(change, decision.events)
        house.keeper.save(unit, change, now, house.entropy)
        post_letters(house, unit, change, now)
    house.keeper.settle(change)
    log.info("outage made up for", extra={"game": key})
    return True
