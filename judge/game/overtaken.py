"""A mail that was held and confirmed later counts from its own arrival (ruling 29): later mails go before it.

What later mails ordered stands, the rest of it is filed as if it had been heard when it came. If it came in time, its
author is not late, even where he was called so meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.game import events as ev
from judge.game.commands import Actor, FeatureCommand
from judge.game.decision import Decision
from judge.game.filed import FiledOrder, filed_from_json
from judge.game.model import Game
from judge.game.refusal import Refusal
from judge.game.standing import seats_behind

Lot = Callable[[], int]
Arrival = Callable[[ev.OrdersFiled], datetime]
"""When the mail came that filed a set."""


@dataclass(frozen=True, slots=True)
class CountOnTime(FeatureCommand):
    """The actor's orders came in time, though they were confirmed only after he was called late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateWithdrawn(ev.Event):
    """A seat that was called late was not: its orders had come in time."""

    seat: str
    version: int


def later_orders(
    game: Game, filed: Sequence[ev.OrdersFiled], since: datetime, arrival: Arrival
) -> frozenset[tuple[str, str, str]]:
    """(power, phase, what it orders) of every line that a mail which came after `since` has changed in this turn.

    `filed`: every set that was filed in the game, oldest first.
    """
    found: set[tuple[str, str, str]] = set()
    before: dict[str, set[FiledOrder]] = {}
    for event in filed:
        if event.phase != str(game.phase):
            continue
        lines = set(filed_from_json(event.lines, game.position, event.power)) if game.position else set()
        if arrival(event) > since:
            changed = lines ^ before.get(event.power, set())
            found |= {(event.power, *line.key) for line in changed}
        before[event.power] = lines
    return frozenset(found)


def count_on_time(game: Game, command: CountOnTime, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Take the late mark back, where there is one and nothing is missing any more."""
    deadline = game.deadline
    if deadline is None or actor.seat not in deadline.late or actor.arrived is None or actor.arrived > deadline.at:
        return Decision()
    if any(seat.id == actor.seat for seat in seats_behind(game)):
        return Decision()
    event = LateWithdrawn(at=now, by=actor.seat, seat=actor.seat, version=deadline.version)
    return Decision((event,), said="Your orders came in time: you are not late, and nothing is counted.")


def _withdrawn(game: Game, event: LateWithdrawn) -> Game:
    deadline = game.deadline
    if deadline is None or deadline.version != event.version:
        return game
    late = tuple(seat for seat in deadline.late if seat != event.seat)
    return replace(game, deadline=replace(deadline, late=late))


EVOLVE = {LateWithdrawn: _withdrawn}
DECIDE = {CountOnTime: count_on_time}
