"""The calendar of one game: when a turn is due, and who may move that."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from judge.board.phase import Phase
from judge.game import events as ev
from judge.game.commands import Actor, Extend, Hold, Resume, Role, SetDeadline
from judge.game.decision import Decision
from judge.game.model import Game, Stage
from judge.game.refusal import Refusal
from judge.game.settings import Settings, show_span, zone_info

Lot = Callable[[], int]


def first_deadline(game: Game, now: datetime) -> datetime:
    """When the first movement phase is due if the game starts now."""
    pace = game.settings.first_moves or game.settings.moves
    return pace.due(now, zone_info(game.settings.zone))


def next_deadline(settings: Settings, phase: Phase, now: datetime) -> datetime:
    """When a turn is due that opens now with `phase`, the first phase in which somebody has something to do."""
    pace = {"M": settings.moves, "R": settings.retreats, "A": settings.adjustments}[phase.kind]
    return pace.due(now, zone_info(settings.zone))


def _not_running(game: Game) -> Refusal | None:
    if game.stage is Stage.RUNNING and game.deadline is not None:
        return None
    return Refusal("not-running", f"{game.key} is not running, so it has no deadline.")


def set_deadline(game: Game, command: SetDeadline, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """The GM names a moment. Nearer than before only with `min_notice` to everybody (ruling 11a)."""
    if (refusal := _not_running(game)) is not None:
        return refusal
    assert game.deadline is not None
    if command.at <= now:
        return Refusal("in-the-past", "That moment has passed already.")
    if command.at < game.deadline.at and command.at < now + game.settings.min_notice:
        notice = show_span(game.settings.min_notice)
        return Refusal(
            "short-notice", f"A deadline comes nearer only with {notice} of notice to all.", clause="min_notice"
        )
    return Decision((_moved(game, command.at, actor, now, "set", command.reason),), said="The deadline is moved.")


def extend(game: Game, command: Extend, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Push the deadline: the GM at any time (B33), a player with one of his free extensions (B30)."""
    if (refusal := _not_running(game)) is not None:
        return refusal
    assert game.deadline is not None
    span = command.by or game.settings.extension_length
    if span > game.settings.max_extension:
        return Refusal("too-long", f"One extension is at most {show_span(game.settings.max_extension)}.")
    if actor.role in (Role.GM, Role.OPERATOR):
        at = max(game.deadline.at, now) + span
        return Decision((_moved(game, at, actor, now, "extended", command.reason),), said="The deadline is extended.")
    seat = game.seats.get(actor.seat)
    if seat is None or actor.role is not Role.PLAYER:
        return Refusal("no-seat", f"Only the players of {game.key} and its Gamemaster extend deadlines.")
    left = game.settings.extensions - seat.extensions_used
    if left <= 0:
        return Refusal("none-left", "You have used all your free extensions. Ask your Gamemaster.")
    if (game.deadline.at - now).total_seconds() < 24 * 3600:
        return Refusal("too-late", "A free extension must be asked for at least 24 hours before the deadline.")
    event = _moved(game, game.deadline.at + span, actor, now, "extension", "", free=True)
    return Decision((event,), said=f"Your extension is granted; you have {left - 1} left.")


def hold(game: Game, command: Hold, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Stop the calendar."""
    if game.held_since is not None:
        return Refusal("held", f"{game.key} is on hold already.")
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", f"{game.key} is not running.")
    return Decision((ev.GameHeld(at=now, by=actor.seat, reason=command.reason),), said=f"{game.key} is on hold.")


def resume(game: Game, command: Resume, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Run again. The time that the game stood still is added to the deadline, unless a new one is named."""
    if game.held_since is None:
        return Refusal("not-held", f"{game.key} is not on hold.")
    assert game.deadline is not None
    at = command.deadline or game.deadline.at + (now - game.held_since)
    if at <= now:
        at = now + game.settings.min_notice
    events = (ev.GameResumed(at=now, by=actor.seat), _moved(game, at, actor, now, "resumed", ""))
    return Decision(events, said=f"{game.key} goes on.")


def _moved(
    game: Game, at: datetime, actor: Actor, now: datetime, why: str, reason: str, *, free: bool = False
) -> ev.DeadlineSet:
    assert game.deadline is not None and game.position is not None
    return ev.DeadlineSet(
        at=now,
        by=actor.seat or str(actor.role),
        phase=str(game.position.phase),
        deadline=at,
        version=game.deadline.version + 1,
        why=why,
        reason=reason,
        free=free,
    )
