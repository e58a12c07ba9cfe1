"""A table by the house rules, and somebody it waits for: what the tests of the ladder share.

The deadline is Friday 8 January 2027, 24:00 in New York.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from judge.game.clock.clockwork import next_wake
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.events import LadderStep
from judge.game.core.parts import Deadline
from judge.game.settings.bundles import PRESETS
from judge.pace import to_wall, zone_info
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"
HOUSE_RULES = dict(PRESETS["houserules-003"])
ZONE = zone_info("America/New_York")
DUE = datetime(2027, 1, 8, 23, 59, tzinfo=ZONE).astimezone(UTC) + timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def begun(**settings: str) -> Table:
    return Table(MAPS, HOUSE_RULES | settings).seated().started(DUE)


def deadline(table: Table) -> Deadline:
    return table.running.deadline


def orders_from(table: Table, *but: str) -> None:
    """Everybody holds, but for some."""
    for power in table.game.board.powers:
        units = table.running.position.of(power)
        if power not in but and units:
            table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in units])


def happened(table: Table, *kinds: type[ev.Event]) -> list[ev.Event]:
    return [event for event in table.last if isinstance(event, kinds)]


def step(table: Table, kind: str) -> list[tuple[int, tuple[str, ...]]]:
    return [(e.number, e.seats) for e in table.last if isinstance(e, LadderStep) and e.kind == kind]


def seat(table: Table, power: str) -> str:
    found = table.game.seat_of(power)
    assert found is not None
    return found.id


def person(table: Table, power: str) -> int:
    held = table.game.seat_of(power)
    assert held is not None and held.person is not None
    return held.person


def stranger(number: int) -> cmd.Actor:
    return cmd.Actor(cmd.Role.STRANGER, person=number)


def wall(moment: datetime | None) -> str:
    assert moment is not None
    return f"{to_wall(moment, ZONE):%a %d %b %H:%M}"


def play_until(table: Table, end: datetime) -> list[ev.Event]:
    """Let the clock strike whenever the game asks for it, and once too often each time."""
    seen: list[ev.Event] = []
    while (moment := next_wake(table.game, table.now)) is not None and moment <= end:
        table.tick(max(moment, table.now))
        seen += table.last
        table.tick(table.now)
        assert table.last == (), "nothing happens twice"
    table.tick(end)
    return [*seen, *table.last]


def silent_france() -> Table:
    """France has sent nothing, and the late call has been made."""
    table = begun()
    orders_from(table, "FRANCE")
    table.tick(DUE)
    return table
