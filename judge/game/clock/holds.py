"""Games on hold, by the Gamemaster or by a vote: deadlines are suspended until a named day or a resumption."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from judge.board.phase import PhaseKind
from judge.game.clock.schedule import GraceMoved, moved, moved_on, on_short_notice, pace_of
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Refusal, Role
from judge.game.core.events import VoteCalled, VoteCast
from judge.game.core.evolve import Feature, OwnClock, unblocked
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Ballot
from judge.game.talk.ballots import Vote, may_not_vote, vote
from judge.game.talk.closing import GO_ON, OVERTAKEN, PAUSE, closed_vote, closing, pause_end, settles
from judge.languages import moment_mark, tell, together, told_later
from judge.pace import Pace, later, spell_span, zone_info

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class HoldGame(Command):
    """Stop the calendar; at `until` it goes on by itself."""

    reason: str = ""
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """End a hold: the time lost is given back, on the days of the calendar."""

    deadline: datetime | None = None


def hold(game: Game, command: HoldGame, context: Context) -> Decision | Refusal:
    """Stop the calendar. A game that is on hold already gets another day on which it goes on."""
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", tell("{game} is not running.", game=game.key))
    if command.until is not None and command.until <= context.now:
        return Refusal("in-the-past", tell("That moment has passed already; the game goes on as it is."))
    if game.held_since is not None and (command.until == game.held_until or game.replay is not None):
        return Refusal("held", tell("{game} is on hold already.", game=game.key))
    reason = command.reason or game.held_reason
    event = ev.GameHeld(at=context.now, by=context.seat, reason=reason, until=command.until)
    ends = (
        tell("it goes on by itself on {until}", until=moment_mark(command.until))
        if command.until
        else tell("it goes on when you send: resume")
    )
    return Decision((event,), said=tell("{game} is on hold; {ends}.", game=game.key, ends=ends))


def resume(game: Game, command: Resume, context: Context) -> Decision | Refusal:
    """Resume, with the lost time added to the deadline, or with the deadline that is named."""
    if not isinstance(game, Running) or game.held_since is None:
        return Refusal("not-held", tell("{game} is not on hold.", game=game.key))
    if game.replay is not None:
        return Refusal(
            "replay", tell("{phase} waits to be processed again.", phase=game.replay.phase), mend="rollforward"
        )
    if command.deadline is not None and command.deadline <= context.now:
        return Refusal("in-the-past", tell("That moment has passed already."), mend="resume")
    if command.deadline is not None and (sudden := on_short_notice(game, command.deadline, context.now)) is not None:
        return sudden
    resumed = ev.GameResumed(at=context.now, by=context.seat or str(context.actor.role))
    if command.deadline is None and game.deadline.called:
        return Decision(
            (resumed, *_grace_again(game, context, game.held_since)), said=tell("{game} goes on.", game=game.key)
        )
    at = command.deadline or _deadline_again(game, game.held_since, context.now)
    event = moved(game, at, context, why="resumed")
    return Decision(
        (resumed, event),
        said=together(
            tell("{game} goes on, due by {deadline}.", game=game.key, deadline=moment_mark(event.deadline)),
            moved_on(game, event),
        ),
    )


def goes_on(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    """What happens on the day that was named when the game was put on hold; nothing before it."""
    if game.held_until is None or now < game.held_until:
        return ()
    decision = resume(game, Resume(), Context(Actor(Role.JUDGE, "judge"), now))
    return decision.events if isinstance(decision, Decision) else ()


def _deadline_again(game: Running, held: datetime, now: datetime) -> datetime:
    """The present deadline after a hold, on a day of the calendar."""
    kind, settings = game.position.phase.kind, game.settings
    pace = pace_of(game, game.position.phase)
    least = settings.min_phase if kind is PhaseKind.MOVES else settings.min_minor
    if pace.interval is not None:
        least = min(least, pace.interval / 2)
    lost_since = max(held, _set_anew(game))
    return _given_back(game, game.deadline.at, pace, since=lost_since, least=least, now=now)


def _grace_again(game: Running, context: Context, held: datetime) -> tuple[ev.Event, ...]:
    """The same grace with the time back that it lost; nothing where it has no end."""
    deadline, by = game.deadline, context.seat or str(context.actor.role)
    if deadline.grace is None:
        return ()
    since = max(held, deadline.grace_set_at or held)
    until = _given_back(game, deadline.grace, Pace(interval=DAY), since=since, least=DAY, now=context.now)
    return (GraceMoved(at=context.now, by=by, until=until, version=deadline.version, why="resumed"),)


def _given_back(game: Game, old: datetime, pace: Pace, *, since: datetime, least: timedelta, now: datetime) -> datetime:
    """The point of the calendar nearest to a moment and what it lost `since` then.

    It is no earlier than the moment was, and leaves at least half of what was left of it, or the `least` time of such
    a phase: an hour's hold does not cost a week.
    """
    wanted = old + (now - since)
    left = (old - since) / 2 if old > since else game.settings.min_notice
    earliest = max(old, now + min(left, least))
    points = [point for point in _points(game, old, pace, max(wanted, earliest)) if point >= earliest]
    return min(points, key=lambda point: (abs(point - wanted), wanted - point))


def _points(game: Game, old: datetime, pace: Pace, last: datetime) -> Iterator[datetime]:
    """An old deadline, and those that a calendar offers after it, to two beyond `last`: the points of a grid, or its
    hour on every day. What goes by hours goes on at once.
    """
    zone = zone_info(game.settings.zone)
    yield old
    if pace.interval is not None and pace.interval < DAY:
        yield last
        return
    offered = pace.points(old, zone) if pace.grid else (later(old, DAY * days, zone) for days in range(1, 10_000))
    beyond = 0
    for point in offered:
        yield point
        beyond += point > last
        if beyond == 2:
            return


_NAMED = ("set", "replacement", "resumed", "reopened")
"""Why a deadline was moved when that did not add to it, but put another in its place."""


def _set_anew(game: Running) -> datetime:
    """Since when the present deadline runs: the turn's opening, or the last time that it was computed from the moment.

    Somebody may process a game on hold, name another deadline, or push one that had passed; such a deadline has lost
    nothing before it was set.
    """
    due = game.deadline.at
    for grant in reversed(game.deadline.grants):
        due -= grant.added
        if grant.why in _NAMED or due < grant.at:
            return grant.at
    return game.turn_opened_at or game.created_at


def _held(game: Game, event: ev.GameHeld) -> Game:
    return altered(game, held_since=game.held_since or event.at, held_reason=event.reason, held_until=event.until)


def _resumed(game: Game, event: ev.GameResumed) -> Game:
    return altered(unblocked(game, event.at), held_since=None, held_reason="", held_until=None)


LONGEST = timedelta(days=21)
"""A pause is for a while; the players may vote for another."""
USUAL = timedelta(days=7)
"""How long a pause is where nobody says."""
REASON = told_later("the players have voted for a pause")


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
        return Refusal(
            "held",
            tell("{game} is on hold already.", game=game.key),
            mend="propose resume" if paused(game) else "status",
        )
    until = command.until or later(context.now, command.by or USUAL, zone_info(game.settings.zone))
    if until <= context.now:
        return Refusal("in-the-past", tell("That moment has passed already."), mend="propose pause 7 days")
    if until - context.now > LONGEST:
        return Refusal(
            "too-long", tell("A pause is at most {longest}.", longest=spell_span(LONGEST)), mend="propose pause 21 days"
        )
    return _called(game, until.isoformat(), f"a pause until {moment_mark(until)}", context)


def call_go_on(game: Game, command: CallGoOnVote, context: Context) -> Decision | Refusal:
    """Open a vote on ending a pause; refused where the players have voted for none."""
    if (refusal := _may_not(game, context)) is not None:
        return refusal
    if not paused(game):
        sentence = tell("{game} is on hold by the Gamemaster's word, who lets it go on.", game=game.key)
        return Refusal(
            "not-paused",
            sentence if game.held_since else tell("{game} is not paused.", game=game.key),
            mend="press to GM",
        )
    return _called(game, GO_ON, tell("the end of the pause"), context)


def _called(game: Game, text: str, what: str, context: Context) -> Decision | Refusal:
    for ballot in game.votes.values():
        if ballot.kind == PAUSE and ballot.text == text:
            return vote(game, Vote(aye=True, vote=ballot.number), context)
    number = game.votes_called + 1
    called = VoteCalled(at=context.now, by=context.seat, number=number, kind=PAUSE, text=text)
    cast = VoteCast(at=context.now, by=context.seat, number=number, seat=context.seat, aye=True)
    need = (
        tell("every active player has to say aye")
        if game.settings.pause_vote == "all"
        else tell("most players have to say aye")
    )
    said = tell(
        "Vote {number} on {what} is called; {need}, and yours is the first aye. {closing}",
        number=number,
        what=what,
        need=need,
        closing=closing(game, PAUSE, text),
    )
    return Decision((called, cast), said=said)


def _may_not(game: Game, context: Context) -> Refusal | None:
    if (refusal := may_not_vote(game, context.actor)) is not None:
        return refusal
    if game.settings.pause_vote == "off":
        sentence = tell(
            "In {game} only the Gamemaster puts the game on hold. You may ask them, or the others for time.",
            game=game.key,
        )
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


def _hold_before(act: ev.GameHeld, before: Callable[[], Game]) -> Command:
    """What takes a hold back: the one before it stands again, or the game goes on."""
    game = before()
    return HoldGame(game.held_reason, game.held_until) if game.held_since is not None else Resume()


FEATURE = Feature(
    evolve={ev.GameHeld: _held, ev.GameResumed: _resumed},
    decide={HoldGame: hold, Resume: resume, CallPauseVote: call_pause, CallGoOnVote: call_go_on},
    gm_only=(HoldGame, Resume),
    undo={ev.GameHeld: _hold_before},
    follow={VoteCast: after_vote, ev.GameResumed: after_resuming},
    clock=OwnClock(next_end, overtaken),
)
