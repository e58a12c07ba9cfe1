"""Statements at the end of a game: each player's last word on it, read by nobody before all have spoken.

A statement may be written at any time; the last one counts. When the game ends, those who have not written one are
asked to, by a day that the house rules set. All statements go round together in one letter as soon as everybody has
sent theirs or said that they have none, at the latest on that day. What comes later is handed round at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.game.core import events as ev
from judge.game.core.affairs import DiaryPage, Epilogue
from judge.game.core.commands import GM_SEAT, Actor, Command, Role
from judge.game.core.decision import Context, Decision, Lot, Refusal
from judge.game.core.model import Game, Stage
from judge.game.core.registry import Feature, OwnClock
from judge.game.talk.diaries import unfit_text
from judge.pace import later
from judge.spans import zone_info

REMINDED = timedelta(days=3)
"""How long before their day those are reminded who have not written yet; half-way where there is less time."""


@dataclass(frozen=True, slots=True)
class Statement(Command):
    """What a player has to say about the game as a whole; with `none`, that they have nothing to say."""

    text: str = ""
    none: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementMade(ev.Event, told="seat,made"):
    """A statement, of a player or of the Gamemaster; the last one counts. Without text: they have nothing to say."""

    seat: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementsCalled(ev.Event, told="until"):
    """The game is over and statements are sealed until `until`."""

    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementsReminded(ev.Event, told="seats"):
    """These seats have not written yet."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementsPublished(ev.Event, told=""):
    """All statements go round. `why`: "all" have spoken, or the "day" has come."""

    why: str


def sealed(game: Game) -> bool:
    """Whether statements on this game are still kept from everybody, although it is over."""
    return game.stage is Stage.ENDED and game.epilogue is not None and not game.epilogue.published


def silent(game: Game) -> tuple[str, ...]:
    """Seats whose players have neither written a statement nor said that they have none."""
    return tuple(seat.id for seat in game.seats.values() if seat.filled and seat.id not in game.statements)


def statement(game: Game, command: Statement, context: Context) -> Decision | Refusal:
    """Keep the statement until all have spoken; hand it round if they have."""
    governs = context.actor.role is Role.GM and context.seat == GM_SEAT
    if not governs and (context.actor.role is not Role.PLAYER or context.seat not in game.seats):
        return Refusal("no-seat", f"Only the players of {game.key} and its Gamemaster write that.")
    if command.none and game.stage is not Stage.ENDED:
        return Refusal("not-over", f"{game.key} is not over yet; you will be asked when it is.")
    if not command.none and (refusal := unfit_text(command.text)) is not None:
        return refusal
    event = StatementMade(at=context.now, by=context.seat, seat=context.seat, text=command.text.strip())
    return Decision((event,), said=_said(game, command, context.actor))


def _said(game: Game, command: Statement, actor: Actor) -> str:
    if command.none:
        return "Noted: you have nothing to say about the game."
    if game.stage is not Stage.ENDED:
        return "Your statement is kept until the game ends; another one replaces it."
    if not sealed(game):
        return "Your statement goes to everybody."
    if set(silent(game)) <= {actor.seat}:
        return "Your statement was the last one: now all of them go to everybody."
    return "Your statement is sealed until all have answered or the day has come; another one replaces it."


# --- when it is over ----------------------------------------------------------------------------------------------


def _call(game: Game, event: ev.GameEnded) -> tuple[ev.Event, ...]:
    """Ask for what is missing; where nothing is, the final letter has it all."""
    span = game.settings.statements
    if not span or game.practice is not None or game.position is None or not silent(game):
        return ()
    return (StatementsCalled(at=event.at, until=later(event.at, span, zone_info(game.settings.zone))),)


def _last_one(game: Game, event: StatementMade) -> tuple[ev.Event, ...]:
    if not sealed(game) or silent(game):
        return ()
    return (StatementsPublished(at=event.at, why="all"),)


def next_moment(game: Game) -> datetime | None:
    """When somebody is to be reminded, or the day has come."""
    if game.epilogue is None or not sealed(game):
        return None
    return game.epilogue.until if game.epilogue.reminded else _reminder_moment(game.epilogue)


def _reminder_moment(epilogue: Epilogue) -> datetime:
    return epilogue.until - min(REMINDED, (epilogue.until - epilogue.called_at) / 2)


def events_due(game: Game, now: datetime, lot: Lot) -> tuple[ev.Event, ...]:
    """Remind once; publish when the day has come. A reminder that a downtime made us miss is left out."""
    moment = next_moment(game)
    if game.epilogue is None or moment is None or now < moment:
        return ()
    if now >= game.epilogue.until:
        return (StatementsPublished(at=now, why="day"),)
    return (StatementsReminded(at=now, seats=silent(game)),)


# --- state --------------------------------------------------------------------------------------------------------


def _made(game: Game, event: StatementMade) -> Game:
    page = DiaryPage(event.seat, str(game.phase) if game.phase else "", event.text)
    return replace(game, statements=MappingProxyType({**game.statements, event.seat: page}))


def _called(game: Game, event: StatementsCalled) -> Game:
    return replace(game, epilogue=Epilogue(event.at, event.until))


def _reminded(game: Game, event: StatementsReminded) -> Game:
    return replace(game, epilogue=replace(game.epilogue, reminded=True) if game.epilogue else None)


def _published(game: Game, event: StatementsPublished) -> Game:
    return replace(game, epilogue=replace(game.epilogue, published=True) if game.epilogue else None)


FEATURE = Feature(
    evolve={
        StatementMade: _made,
        StatementsCalled: _called,
        StatementsReminded: _reminded,
        StatementsPublished: _published,
    },
    decide={Statement: statement},
    follow={ev.GameEnded: _call, StatementMade: _last_one},
    clock=OwnClock(next_moment, events_due, stage=Stage.ENDED),
)
