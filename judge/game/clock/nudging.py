"""`nudge`: the Gamemaster reminds those whose orders are missing, in words of their own. It counts as a reminder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType

from judge.game.clock.ladder import unfinished
from judge.game.core import events as ev
from judge.game.core.altering import altered
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Running
from judge.game.core.moments import told
from judge.game.core.parts import Seat
from judge.game.core.registry import Feature

BETWEEN_NUDGES = timedelta(hours=12)
"""How long a player is left in peace after a nudge."""


@dataclass(frozen=True, slots=True)
class Nudge(Command):
    """Remind those whose orders are missing, of these powers only if any are named. `words`: the Gamemaster's own."""

    powers: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersNudged(ev.Event, told="seats"):
    """Seats with something missing were reminded by the Gamemaster; `version`: of the deadline."""

    seats: tuple[str, ...]
    version: int
    words: str = ""


def nudge(game: Game, command: Nudge, context: Context) -> Decision | Refusal:
    """A reminder to whoever is missing, unless nobody is, or they were nudged a short while ago."""
    if not isinstance(game, Running):
        return Refusal("not-running", f"{game.key} is not running; no orders are due.", mend="status")
    if game.held_since is not None:
        return Refusal("on-hold", f"{game.key} is on hold; no orders are due.", mend="resume")
    missing = tuple(seat for seat in unfinished(game) if seat.filled)
    wanted = _wanted(game, command.powers, missing)
    if isinstance(wanted, Refusal):
        return wanted
    fresh = tuple(seat for seat in wanted if not _in_peace(game, seat, context))
    if not fresh:
        again = min(game.deadline.nudged[seat.id] for seat in wanted) + BETWEEN_NUDGES
        verb = "were" if len(wanted) > 1 else "was"
        sentence = f"{_names(game, wanted)} {verb} nudged already, and can be again from {told(again)} on."
        return Refusal("nudged", sentence)
    event = PlayersNudged(
        at=context.now, by=context.seat, seats=tuple(seat.id for seat in fresh), version=game.deadline.version,
        words=command.words,
    )  # fmt: skip
    said = f"{_names(game, fresh)} {'are' if len(fresh) > 1 else 'is'} reminded"
    left = [seat for seat in wanted if seat not in fresh]
    return Decision((event,), said=f"{said}; {_names(game, left)} a short while ago." if left else f"{said}.")


def _wanted(game: Running, powers: tuple[str, ...], missing: tuple[Seat, ...]) -> tuple[Seat, ...] | Refusal:
    if not missing:
        return Refusal("nobody-missing", "Nobody with a player is missing; everything is in.", mend="status")
    if not powers:
        return missing
    named = tuple(seat for seat in missing if set(powers).intersection(seat.powers))
    if named:
        return named
    seats = [game.seat_of(power) for power in powers]
    vacant = all(seat is None or not seat.filled for seat in seats)
    verb = "has" if len(powers) == 1 else "have"
    what = "no player" if vacant else "sent everything that is needed"
    sentence = f"{game.named(powers)} {verb} {what}; missing: {_names(game, missing)}."
    return Refusal("not-missing", sentence, mend="nudge")


def _in_peace(game: Running, seat: Seat, context: Context) -> bool:
    last = game.deadline.nudged.get(seat.id)
    return last is not None and context.now < last + BETWEEN_NUDGES


def _names(game: Game, seats: tuple[Seat, ...] | list[Seat]) -> str:
    return game.named(power for seat in seats for power in seat.powers)


def _nudged(game: Game, event: PlayersNudged) -> Game:
    """One reminder more for each: after two in vain the Gamemaster gets a hint, as for the judge's own."""
    deadline = game.deadline
    if deadline is None or deadline.version != event.version:
        return game
    prompted = {**deadline.prompted, **{seat: deadline.prompted.get(seat, 0) + 1 for seat in event.seats}}
    nudged = {**deadline.nudged, **dict.fromkeys(event.seats, event.at)}
    return altered(
        game,
        deadline=replace(deadline, prompted=MappingProxyType(prompted), nudged=MappingProxyType(nudged)),
    )


FEATURE = Feature(
    evolve={PlayersNudged: _nudged},
    decide={Nudge: nudge},
    gm_only=(Nudge,),
    undo={PlayersNudged: ("The letter has been read", "log")},
)
