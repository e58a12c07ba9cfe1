"""More time for a turn: free extensions, extension votes, and the Gamemaster's own.

Three brakes keep a turn from sliding away: each grant has a longest length, what players add to one turn has a cap,
and the same request within minutes is one request, however often the mail came.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from judge.game.clock.schedule import moved, moved_on, not_running
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Extend, Refusal, Role
from judge.game.core.events import VoteCalled, VoteCast
from judge.game.core.evolve import Feature, OwnClock
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Ballot, Grant, Seat
from judge.game.filing.standing import standings
from judge.game.talk.closing import EXTENSION as KIND
from judge.game.talk.closing import OWN_TIME, closed_vote, closing, settles
from judge.languages import moment_mark, tell, together
from judge.pace import later, read_span, show_span, spell_span, zone_info

SAME_REQUEST = timedelta(minutes=10)
"""The same words within this time are the same request."""
AHEAD = timedelta(hours=24)
"""A free extension is asked for this long before the deadline."""
PLAYERS_GRANTS = ("extension", "vote")
"""Why a deadline moved when players moved it; these count against the cap."""


@dataclass(frozen=True, slots=True)
class CallExtensionVote(Command):
    """Ask the active players for more time; it costs nobody a free extension. None: the usual length."""

    by: timedelta | None = None


def extend(game: Game, command: Extend, context: Context) -> Decision | Refusal:
    """Push the deadline: the GM at any time, a player with one of their free extensions."""
    if not isinstance(game, Running):
        return not_running(game)
    if game.practice is not None:
        return Refusal(
            "alone", tell("{game} is a board for one person: nobody waits there, and nobody is late.", game=game.key)
        )
    asked = f"{show_span(command.by) if command.by else 'extension'} {command.reason}".strip()
    if (grant := _just_granted(game, context, asked)) is not None:
        return Decision(said=tell("That was granted already, at {at}; nothing was added.", at=moment_mark(grant.at)))
    if context.actor.role in (Role.GM, Role.OPERATOR):
        return _by_gm(game, command, context, asked)
    seat = game.seats.get(context.seat)
    if seat is None or context.actor.role is not Role.PLAYER:
        return Refusal(
            "no-seat", tell("Only the players of {game} and its Gamemaster extend deadlines.", game=game.key)
        )
    if seat not in game.active_seats:
        return Refusal(
            "out",
            tell("Your power is out of the game, so you cannot move the deadlines of {game}.", game=game.key),
            clause="4C",
        )
    if game.courtesy:
        return _on_correction(game, command, context, asked)
    if seat.offer:
        return _to_replacement(game, command, context, asked)
    return _to_player(game, seat, command, context, asked)


def _by_gm(game: Running, command: Extend, context: Context, asked: str) -> Decision | Refusal:
    span = command.by or game.settings.extension_length
    if (refusal := _too_long(game, span, mend="help deadline")) is not None:
        return refusal
    at = _pushed(game, max(game.deadline.promised, context.now), span)
    event = moved(game, at, context, why="extended", reason=command.reason, asked=asked)
    return Decision(
        (event,),
        said=together(tell("The deadline is extended, and everybody is told."), moved_on(game, event)),
    )


def _on_correction(game: Running, command: Extend, context: Context, asked: str) -> Decision | Refusal:
    """A position was corrected: more time for whoever asks first, which counts against nobody."""
    most = game.settings.extension_length
    at = _pushed(game, max(game.deadline.promised, context.now), min(command.by or most, most))
    event = moved(game, at, context, why="correction", asked=asked)
    said = tell("The deadline is moved because of the correction; this does not count against anybody.")
    return Decision((event,), said=together(said, moved_on(game, event)))


def _to_replacement(game: Running, command: Extend, context: Context, asked: str) -> Decision | Refusal:
    """Somebody who has just taken over gets time to get acquainted, once; it counts against nothing."""
    most = game.settings.takeover_extension
    span = min(command.by or most, most)
    at = _pushed(game, max(game.deadline.promised, context.now), span)
    event = moved(game, at, context, why="takeover", asked=asked)
    return Decision(
        (event,),
        said=together(tell("You have more time; it does not count as an extension."), moved_on(game, event)),
    )


def _to_player(game: Running, seat: Seat, command: Extend, context: Context, asked: str) -> Decision | Refusal:
    settings, left = game.settings, game.extensions_left(seat)
    if (refusal := _passed(game, context)) is not None:
        return refusal
    if not left:
        return Refusal(
            "none-left",
            tell("You have used all your free extensions. You may ask the others."),
            mend="call extension vote",
        )
    if game.deadline.at - (game.held_since or _asked_at(context)) < AHEAD:
        return Refusal(
            "too-late",
            tell("A free extension must be asked for at least 24 hours before the deadline. You may ask the others."),
            mend="call extension vote",
            clause="4C",
        )
    span = command.by or settings.extension_length
    if (refusal := _too_long(game, span) or _over_cap(game, span)) is not None:
        return refusal
    at = _pushed(game, game.deadline.at, span)
    event = moved(game, at, context, why="extension", asked=asked, free=True, span=span)
    said = together(tell("Your extension is granted; you have {left} left.", left=left - 1), moved_on(game, event))
    if not game.settings.early:
        return Decision((event,), said=said)
    return Decision((event, *_waiting(game, seat, context)), said=together(said, _overtaken(game, seat)))


def _waiting(game: Running, seat: Seat, context: Context) -> tuple[ev.WaitChanged, ...]:
    """Whoever asks for time while others' orders are missing does not want these to end the turn at once: they wait
    until the deadline that there was.
    """
    if seat.wait or not _others_missing(game, seat):
        return ()
    return (ev.WaitChanged(at=context.now, by=seat.id, seat=seat.id, on=True, until=game.deadline.at),)


def next_end(game: Game) -> datetime | None:
    """When the first wait ends by itself; None where none does, and while the game is on hold."""
    if not isinstance(game, Running) or game.held_since is not None:
        return None
    return min((s.wait_until for s in game.seats.values() if s.wait and s.wait_until is not None), default=None)


def waits_over(game: Game, now: datetime, lot: Any) -> tuple[ev.Event, ...]:
    """The waits that end by themselves at a moment: the deadline that there was when an extension was asked for."""
    if (end := next_end(game)) is None or end > now:
        return ()
    over = [s.id for s in game.seats.values() if s.wait and s.wait_until is not None and s.wait_until <= now]
    return tuple(ev.WaitChanged(at=now, seat=seat, on=False) for seat in over)


def _overtaken(game: Running, seat: Seat) -> str:
    """That an extension does not stop a turn for which everything comes in, and what does."""
    if seat.wait and seat.wait_until is None:
        return tell("The turn waits for it, as you have asked.")
    if not _others_missing(game, seat) and not seat.wait:
        return tell(
            "Once everybody's orders are in, yours too, the turn is processed all the same; `wait` keeps it open until "
            "the new deadline."
        )
    return tell(
        "Once everybody's orders are in, yours too, the turn is processed all the same, but not before {until}; `wait` "
        "keeps it open until the new deadline, `ready` ends the waiting.",
        until=moment_mark(seat.wait_until or game.deadline.at),
    )


def _others_missing(game: Running, seat: Seat) -> bool:
    return any(not one.settled for one in standings(game) if one.power not in seat.powers)


# --- by vote ------------------------------------------------------------------------------------------------------


def call_vote(game: Game, command: CallExtensionVote, context: Context) -> Decision | Refusal:
    """Ask the active players; it passes with the majority of all of them, and costs the caller nothing."""
    if not isinstance(game, Running):
        return not_running(game)
    if context.actor.role is not Role.PLAYER or context.seat not in {seat.id for seat in game.active_seats}:
        return Refusal("no-vote", tell("Only players whose power is still in the game call votes."), clause="9B")
    if (open_ := open_vote(game)) is not None:
        return Refusal(
            "vote-open",
            tell("Extension vote {open} is open; vote on that one.", open=open_.number),
            f"aye {open_.number}",
        )
    if (refusal := _passed(game, context)) is not None:
        return refusal
    span = command.by or game.settings.extension_length
    if (refusal := _too_long(game, span) or _over_cap(game, span)) is not None:
        return refusal
    number = game.votes_called + 1
    called = VoteCalled(at=context.now, by=context.seat, number=number, kind=KIND, text=show_span(span))
    cast = VoteCast(at=context.now, by=context.seat, number=number, seat=context.seat, aye=True)
    need = _majority(game)
    said = tell(
        "Extension vote {number} is called; {need} ayes are needed, and yours is the first. {closing}",
        number=number,
        need=need,
        closing=closing(game, KIND),
    )
    return Decision((called, cast), said=said)


def open_vote(game: Game) -> Ballot | None:
    """The extension vote that is open, or None; there is never more than one."""
    return next((ballot for ballot in game.votes.values() if ballot.kind == KIND), None)


def after_vote(game: Game, event: VoteCast) -> tuple[ev.Event, ...]:
    """An extension vote closes as soon as it is decided either way."""
    ballot = game.votes.get(event.number)
    if ballot is None or ballot.kind != KIND or not isinstance(game, Running):
        return ()
    carried = settles(game, ballot)
    if carried is None:
        return ()
    if carried:
        return _carried(game, ballot, event.at)
    return (closed_vote(game, ballot, event.at, passed=False, why="decided"),)


def close_at_deadline(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    """The deadline has come and what was to be decided before it was not carried: never a silent end. What was
    called in the grace after it closes with the turn.
    """
    due = game.deadline.at if game.deadline is not None else now
    open_ = [one for _, one in sorted(game.votes.items()) if one.kind in OWN_TIME and one.called_at < due]
    return tuple(closed_vote(game, ballot, now, passed=False, why="deadline") for ballot in open_)


def _carried(game: Running, ballot: Ballot, now: datetime) -> tuple[ev.Event, ...]:
    at = _pushed(game, game.deadline.at, read_span(ballot.text))
    judge = Actor(Role.JUDGE, "judge")
    asked, span = f"vote {ballot.number}", read_span(ballot.text)
    event = moved(game, at, Context(judge, now), why="vote", reason="", asked=asked, span=span)
    return closed_vote(game, ballot, now, passed=True, why="decided"), event


def _majority(game: Game) -> int:
    return len(game.active_seats) // 2 + 1


def _passed(game: Running, context: Context) -> Refusal | None:
    """Once the deadline has passed, neither a free extension nor a vote moves it."""
    clock = game.held_since or _asked_at(context)  # on hold it has not passed: it is set anew when the game goes on
    if clock < game.deadline.at and not game.deadline.called:
        return None
    sentence = tell(
        "The deadline has passed, so neither a free extension nor a vote moves it. Ask your Gamemaster for time."
    )
    return Refusal("too-late", sentence, clause="4C")


def _asked_at(context: Context) -> datetime:
    """A request counts from its arrival at our site, however long it lay there unread."""
    return min(context.now, context.actor.arrived or context.now)


# --- the brakes ---------------------------------------------------------------------------------------------------


def _just_granted(game: Running, context: Context, asked: str) -> Grant | None:
    for grant in game.deadline.grants:
        if grant.by == context.seat and grant.asked == asked and context.now - grant.at <= SAME_REQUEST:
            return grant
    return None


def _too_long(game: Game, span: timedelta, *, mend: str = "") -> Refusal | None:
    if span <= game.settings.max_extension:
        return None
    most = show_span(game.settings.max_extension)
    sentence = tell("One extension is at most {max_extension}.", max_extension=spell_span(game.settings.max_extension))
    return Refusal("too-long", sentence, mend=mend or f"extend {most}")


def _over_cap(game: Running, span: timedelta) -> Refusal | None:
    """What players add to one turn has an end."""
    added = sum((grant.added for grant in game.deadline.grants if grant.why in PLAYERS_GRANTS), timedelta())
    cap = game.settings.extension_cap
    if added + span <= cap:
        return None
    return Refusal("cap", tell("Players may add at most {cap} to one turn. Ask your Gamemaster.", cap=spell_span(cap)))


def _pushed(game: Game, at: datetime, span: timedelta) -> datetime:
    return later(at, span, zone_info(game.settings.zone))


FEATURE = Feature(
    decide={Extend: extend, CallExtensionVote: call_vote},
    follow={VoteCast: after_vote},
    clock=OwnClock(next_end, waits_over, stage=Stage.RUNNING),
)
