"""Votes: called, cast, closed. Proposers are public at once, ballots at the close, silence is nay (B62, B63)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from judge.board.phase import Phase
from judge.game import events as ev
from judge.game.commands import Actor, ProposeDraw, Role, Vote
from judge.game.decision import Decision
from judge.game.model import Ballot, Game, Stage
from judge.game.refusal import Refusal

Lot = Callable[[], int]


def propose_draw(game: Game, command: ProposeDraw, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Call a draw vote; it closes with the results of this turn."""
    if (refusal := _may_not_vote(game, actor)) is not None:
        return refusal
    if any(ballot.kind == "draw" for ballot in game.votes.values()):
        return Refusal("vote-open", "A draw vote is open already; vote on that one.", mend="aye")
    if not _late_enough(game):
        season = game.settings.draw_from
        return Refusal("too-early", f"Draws may be proposed only once {season} is over.", clause="draw_from")
    shares = command.powers or game.survivors
    if game.settings.dias and set(shares) != set(game.survivors):
        return Refusal("dias", "In this game a draw includes all survivors.", mend="draw")
    number = game.votes_called + 1
    called = ev.VoteCalled(at=now, by=actor.seat, number=number, kind="draw", powers=tuple(shares))
    cast = ev.VoteCast(at=now, by=actor.seat, number=number, seat=actor.seat, aye=True)
    return Decision((called, cast), said=f"Draw vote {number} is called; your own vote is counted as aye.")


def vote(game: Game, command: Vote, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Cast or change a ballot; the last one before the close counts (B66)."""
    if (refusal := _may_not_vote(game, actor)) is not None:
        return refusal
    if not game.votes:
        return Refusal("no-vote", "No vote is open.")
    if command.vote == 0 and len(game.votes) > 1:
        numbers = ", ".join(str(number) for number in sorted(game.votes))
        return Refusal("which-vote", f"Several votes are open: {numbers}. Name the one you mean.")
    number = command.vote or next(iter(game.votes))
    if number not in game.votes:
        return Refusal("no-such-vote", f"Vote {number} is not open.")
    word = "aye" if command.aye else "nay"
    event = ev.VoteCast(at=now, by=actor.seat, number=number, seat=actor.seat, aye=command.aye)
    return Decision((event,), said=f"Your {word} on vote {number} is counted; you may change it until the close.")


def close_votes(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    """Close every open vote with the phase (B65); a draw that passes ends the game before adjudication (B67)."""
    events: list[ev.Event] = []
    for ballot in game.votes.values():
        closed = _closed(game, ballot, now)
        events.append(closed)
        if closed.passed and ballot.kind == "draw":
            events.append(ev.GameEnded(at=now, how="draw", powers=ballot.powers))
            break
    return tuple(events)


def _closed(game: Game, ballot: Ballot, now: datetime) -> ev.VoteClosed:
    words = {True: "aye", False: "nay", None: "silent"}
    ballots = {seat.id: words[ballot.votes.get(seat.id)] for seat in game.active_seats}
    passed = bool(ballots) and all(word == "aye" for word in ballots.values())
    return ev.VoteClosed(at=now, number=ballot.number, passed=passed, ballots=ballots, why="phase")


def _may_not_vote(game: Game, actor: Actor) -> Refusal | None:
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", f"{game.key} is not running; there is nothing to vote on.")
    if actor.role is not Role.PLAYER or actor.seat not in {seat.id for seat in game.active_seats}:
        return Refusal("no-vote", "Only players whose power is still in the game vote.", clause="9B")
    return None


def _late_enough(game: Game) -> bool:
    """`draw_from` F1905: only once Fall 1905 is over (B61)."""
    named = game.settings.draw_from
    if not named or game.position is None:
        return True
    last = Phase.read(named + "M")
    phase = game.position.phase
    if phase.year != last.year:
        return phase.year > last.year
    order = "SUFW"
    return order.index(phase.season) > order.index(last.season) or (phase.season == last.season and phase.kind != "M")
