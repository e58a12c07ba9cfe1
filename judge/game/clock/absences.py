"""Absences: a player says when they cannot send orders, and the calendar sets no deadline into that time.

A deadline that is set already stays (njudge and DPjudge have it so); the player is told, and may ask for an extension.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Role
from judge.game.core.decision import Context, Decision, Refusal, over
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Absence, Seat
from judge.game.core.registry import Feature
from judge.pace import to_wall
from judge.spans import spell_span, zone_info

MOST_PENDING = 3
"""Stretches that a player may have announced at a time."""


@dataclass(frozen=True, slots=True)
class Away(Command):
    """A player cannot send orders from `since` to `until`. The Gamemaster names the `power`; a player means their
    own.
    """

    since: datetime
    until: datetime
    power: str = ""


@dataclass(frozen=True, slots=True)
class Back(Command):
    """Absences announced before hold no longer."""

    power: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceNoted(ev.Event, told="seat,since,until"):
    """A player is away from `since` to `until`."""

    seat: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsencesEnded(ev.Event, told="seat"):
    """What a player had announced holds no longer."""

    seat: str


def away(game: Game, command: Away, context: Context) -> Decision | Refusal:
    """Announce an absence; the Gamemaster may for others, and for longer."""
    seat = _seat(game, command.power, context.actor, f"away {{}} {_days(game, command)}")
    if isinstance(seat, Refusal):
        return seat
    if game.stage is Stage.RUNNING and seat not in game.active_seats:
        return Refusal(
            "out", "That power is out of the game: its player has nothing to order, and nobody waits for them."
        )
    if command.until <= context.now:
        return Refusal("in-the-past", "That time is over already.")
    if command.until <= command.since:
        turned = _days(game, Away(command.until, command.since))
        return Refusal("wrong-way-round", "An absence ends after it begins.", mend=f"away {turned}")
    stretch = Absence(max(command.since, context.now), command.until)
    pending = [one for one in seat.absences if one.until > context.now]
    if any(one.since <= stretch.since and stretch.until <= one.until for one in pending):
        return Decision(said="That is noted already.")
    if context.actor.role is Role.PLAYER and (refusal := _too_much(game, [*pending, stretch])) is not None:
        return refusal
    event = AbsenceNoted(at=context.now, by=context.seat, seat=seat.id, since=stretch.since, until=stretch.until)
    return Decision((event,), said=_what_it_does(game, stretch))


def _what_it_does(game: Game, stretch: Absence) -> str:
    said = "Noted: no deadline that is set from now on will fall into that time."
    if game.deadline is None:
        return said
    said += " The current deadline stays as it is."
    if stretch.since < game.deadline.at <= stretch.until:
        said += " It falls into your absence: send your orders before you go, or ask for an extension."
    return said


def back(game: Game, command: Back, context: Context) -> Decision | Refusal:
    """Withdraw every absence that the seat has announced."""
    seat = _seat(game, command.power, context.actor, "back {}")
    if isinstance(seat, Refusal):
        return seat
    if not any(one.until > context.now for one in seat.absences):
        return Decision(said="No absence is noted, so there is nothing to change.")
    event = AbsencesEnded(at=context.now, by=context.seat, seat=seat.id)
    return Decision((event,), said="Welcome back: deadlines are set as usual again.")


_WHOSE = (
    "Say whose absence you mean. While you are away yourself, `hold until DATE` stops the calendar, or `deputy ADDRESS "
    "until DATE` lets somebody run the game."
)


def _seat(game: Game, power: str, actor: Actor, line: str) -> Seat | Refusal:
    """`line`: what a Gamemaster sends who names the power, {} for it."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    gm = actor.role in (Role.GM, Role.OPERATOR)
    if gm and not power:
        named = [power for seat in game.active_seats for power in seat.powers[:1]]
        mend = line.format(named[0].title()) if named else ""
        return Refusal("no-power", _WHOSE, mend=mend)
    seat = game.seat_of(power) if power else game.seats.get(actor.seat)
    if seat is None or not seat.filled or not (gm or actor.role is Role.PLAYER):
        return Refusal("no-seat", f"There is no such player in {game.key}.")
    if not gm and seat.id != actor.seat:
        return Refusal("not-your-power", f"You do not play {game.board.powers[power].name} in {game.key}.")
    return seat


def _days(game: Game, command: Away) -> str:
    """The days of an absence as its author would write them, the last one included."""
    zone = zone_info(game.settings.zone)
    since, until = command.since.astimezone(zone), command.until.astimezone(zone) - timedelta(minutes=1)
    return f"{since.day} {since:%b %Y} to {until.day} {until:%b %Y}"


def _too_much(game: Game, stretches: list[Absence]) -> Refusal | None:
    """The limit holds for all that is announced together: two stretches end to end are one long one."""
    if len(stretches) > MOST_PENDING:
        return Refusal("too-many", f"At most {MOST_PENDING} absences may be noted at a time.", mend="back")
    zone, most = zone_info(game.settings.zone), game.settings.max_absence
    total = sum((to_wall(one.until, zone) - to_wall(one.since, zone) for one in stretches), timedelta())
    if total <= most:
        return None
    days = spell_span(most)
    return Refusal("too-long", f"You may be away for at most {days} in all; ask your Gamemaster for more.")


def _noted(game: Game, event: AbsenceNoted) -> Game:
    seat = game.seats[event.seat]
    kept = tuple(one for one in seat.absences if one.until > event.at)
    return _put(game, replace(seat, absences=(*kept, Absence(event.since, event.until))))


def _ended(game: Game, event: AbsencesEnded) -> Game:
    return _put(game, replace(game.seats[event.seat], absences=()))


def _put(game: Game, seat: Seat) -> Game:
    return replace(game, seats=MappingProxyType({**game.seats, seat.id: seat}))


FEATURE = Feature(
    evolve={AbsenceNoted: _noted, AbsencesEnded: _ended},
    decide={Away: away, Back: back},
)
