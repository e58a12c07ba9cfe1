"""A pause by vote: the active players put the game on hold for a while, and may end that by the same vote.

The Gamemaster's own holds are not touched by it, and the Gamemaster may end a pause at any time (`holds.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from judge.game.clock.holds import Resume, resume
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Running
from judge.game.core.moments import told
from judge.game.core.parts import Ballot
from judge.game.core.registry import Feature
from judge.game.core.votes import VoteCalled, VoteCast
from judge.game.talk.ballots import Vote, may_not_vote, vote
from judge.game.talk.closing import GO_ON, OVERTAKEN, PAUSE, closed_vote, closing, pause_end, settles
from judge.pace import later
from judge.spans import spell_span, zone_info

LONGEST = timedelta(days=21)
"""A pause is for a while; the players may vote for another."""
USUAL = timedelta(days=7)
"""How long a pause is where nobody says."""
REASON = "the players have voted for a pause"


@dataclass(frozen=True, slots=True)
class CallPauseVote(Command):
    """Ask the active players to stop the calendar: until a moment, or for a length of time from the vote on."""

    until: datetime | None = None
    by: timedelta | None = None


@dataclass(frozen=True, slots=True)
class CallGoOnVote(Command):
    """Ask the active players to end the pause for which they have voted."""


def call_pause(game: Game, command: CallPauseVote, context: Context) -> Decision | Refusal:
    """Open a vote on a pause; refused where the house rules know none, or while the game is on hold."""
    if (refusal := _may_not(game, context)) is not None:
        return refusal
    if game.held_since is not None:
        return Refusal("held", f"{game.key} is on hold already.", mend="propose resume" if paused(game) else "status")
    until = command.until or later(context.now, command.by or USUAL, zone_info(game.settings.zone))
    if until <= context.now:
        return Refusal("in-the-past", "That moment has passed already.", mend="propose pause 7 days")
    if until - context.now > LONGEST:
        return Refusal("too-long", f"A pause is at most {spell_span(LONGEST)}.", mend="propose pause 21 days")
    return _called(game, until.isoformat(), f"a pause until {told(until)}", context)


def call_go_on(game: Game, command: CallGoOnVote, context: Context) -> Decision | Refusal:
    """Open a vote on ending a pause; refused where the players have voted for none."""
    if (refusal := _may_not(game, context)) is not None:
        return refusal
    if not paused(game):
        sentence = f"{game.key} is on hold by the Gamemaster's word, who lets it go on."
        return Refusal("not-paused", sentence if game.held_since else f"{game.key} is not paused.", mend="press to GM")
    return _called(game, GO_ON, "the end of the pause", context)


def _called(game: Game, text: str, what: str, context: Context) -> Decision | Refusal:
    for ballot in game.votes.values():
        if ballot.kind == PAUSE and ballot.text == text:
            return vote(game, Vote(aye=True, vote=ballot.number), context)
    number = game.votes_called + 1
    called = VoteCalled(at=context.now, by=context.seat, number=number, kind=PAUSE, text=text)
    cast = VoteCast(at=context.now, by=context.seat, number=number, seat=context.seat, aye=True)
    need = "every active player has to say aye" if game.settings.pause_vote == "all" else "most players have to say aye"
    said = f"Vote {number} on {what} is called; {need}, and yours is the first aye. {closing(game, PAUSE, text)}"
    return Decision((called, cast), said=said)


def _may_not(game: Game, context: Context) -> Refusal | None:
    if (refusal := may_not_vote(game, context.actor)) is not None:
        return refusal
    if game.settings.pause_vote == "off":
        sentence = f"In {game.key} only the Gamemaster puts the game on hold. You may ask them, or the others for time."
        return Refusal("no-pause", sentence, mend="press to GM\nextension vote", clause="pause_vote")
    return None


def paused(game: Game) -> bool:
    """Whether the game is on hold because its players have voted for that."""
    return game.held_since is not None and game.held_reason == REASON


def after_vote(game: Game, event: VoteCast) -> tuple[ev.Event, ...]:
    """A vote on a pause closes as soon as it is decided, and what it decides is done at once."""
    ballot = game.votes.get(event.number)
    if ballot is None or ballot.kind != PAUSE or not isinstance(game, Running):
        return ()
    carried = settles(game, ballot)
    if carried is None:
        return ()
    closed = closed_vote(game, ballot, event.at, passed=carried, why="decided")
    return (closed, *_done(game, ballot, event.at)) if carried else (closed,)


def _done(game: Running, ballot: Ballot, now: datetime) -> tuple[ev.Event, ...]:
    if ballot.text != GO_ON:
        until = datetime.fromisoformat(ballot.text)
        stands = game.held_since is None and until > now
        return (ev.GameHeld(at=now, reason=REASON, until=until),) if stands else ()
    if not paused(game):
        return ()
    decision = resume(game, Resume(), Context(Actor(Role.JUDGE, "judge"), now))
    return decision.events if isinstance(decision, Decision) else ()


def next_end(game: Game) -> datetime | None:
    """When the first of the pauses that are voted on would be over."""
    ends = [end for one in game.votes.values() if (end := pause_end(one.kind, one.text)) is not None]
    return min(ends, default=None)


def overtaken(game: Game, now: datetime, lot: Any) -> tuple[ev.Event, ...]:
    """A vote on a pause that would be over by now closes."""
    gone = [one for one in game.votes.values() if (end := pause_end(one.kind, one.text)) is not None and end <= now]
    return tuple(closed_vote(game, ballot, now, passed=False, why=OVERTAKEN) for ballot in gone)


def after_resuming(game: Game, event: ev.GameResumed) -> tuple[ev.Event, ...]:
    """A vote on ending a pause closes when the game goes on without it."""
    gone = [one for one in game.votes.values() if (one.kind, one.text) == (PAUSE, GO_ON)]
    return tuple(closed_vote(game, ballot, event.at, passed=False, why=OVERTAKEN) for ballot in gone)


FEATURE = Feature(
    decide={CallPauseVote: call_pause, CallGoOnVote: call_go_on},
    follow={VoteCast: after_vote, ev.GameResumed: after_resuming},
    clock=(next_end, overtaken),
)
