"""Votes: called, cast, closed. Proposers are public at once, ballots at the close, silence is nay (B62, B63).

Draws and concessions need every active player; amendments of the house rules need the majority of them; a poll binds
nobody. All close with the results of the turn, before anything is adjudicated (B65, B67), and never silently (L05).
Extension votes have their own time: see `judge.game.extensions`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from judge.board.phase import Phase
from judge.game import events as ev
from judge.game.commands import Actor, FeatureCommand, ProposeDraw, Role, Vote
from judge.game.decision import Decision
from judge.game.model import Ballot, Game, Stage
from judge.game.refusal import Refusal

Lot = Callable[[], int]

DRAW, CONCESSION, AMENDMENT, POLL = "draw", "concession", "amendment", "poll"
UNANIMOUS = (DRAW, CONCESSION)
"""Kinds that every active player must want (B62); the others go by majority."""

LONGEST_QUESTION = 1000


@dataclass(frozen=True, slots=True)
class ProposeConcession(FeatureCommand):
    """Call a vote on conceding the game to one power."""

    power: str


@dataclass(frozen=True, slots=True)
class ProposePoll(FeatureCommand):
    """Ask the others a question that is answered with aye or nay and binds nobody."""

    question: str


def propose_draw(game: Game, command: ProposeDraw, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Call a draw vote; it closes with the results of this turn."""
    if (refusal := may_not_vote(game, actor) or _too_early(game)) is not None:
        return refusal
    shares = tuple(power for power in game.board.powers if power in (command.powers or game.survivors))
    gone = [power for power in shares if power not in game.survivors]
    if gone:
        return Refusal("no-survivor", f"{game.board.powers[gone[0]].name} is out of the game and shares in no draw.")
    if game.settings.dias and set(shares) != set(game.survivors):
        return Refusal("dias", "In this game a draw includes all survivors.", mend="draw")
    for ballot in game.votes.values():
        if ballot.kind == DRAW and set(ballot.powers) == set(shares):
            return _open_already(ballot)
    return call(game, DRAW, actor, now, powers=shares)


def propose_concession(
    game: Game, command: ProposeConcession, actor: Actor, now: datetime, lot: Lot
) -> Decision | Refusal:
    """Call a vote that names the winner (B64)."""
    if (refusal := may_not_vote(game, actor)) is not None:
        return refusal
    if not game.settings.concessions:
        return Refusal("no-concessions", f"{game.key} is not conceded; it is played or drawn.", clause="concessions")
    if (refusal := _too_early(game)) is not None:
        return refusal
    if command.power not in game.survivors:
        name = game.board.powers[command.power].name
        return Refusal("no-survivor", f"{name} is out of the game; nobody concedes to it.")
    for ballot in game.votes.values():
        if ballot.kind == CONCESSION and ballot.powers == (command.power,):
            return _open_already(ballot)
    return call(game, CONCESSION, actor, now, powers=(command.power,))


def propose_poll(game: Game, command: ProposePoll, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Ask a question."""
    if (refusal := may_not_propose(game, actor)) is not None:
        return refusal
    question = " ".join(command.question.split())
    if not question or len(question) > LONGEST_QUESTION:
        return Refusal(
            "no-question", f"A poll asks a question of at most {LONGEST_QUESTION} letters.", mend="poll: ...?"
        )
    for ballot in game.votes.values():
        if ballot.kind == POLL and ballot.text == question:
            return _open_already(ballot)
    return call(game, POLL, actor, now, text=question, own_aye=False)


def vote(game: Game, command: Vote, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Cast or change a ballot; the last one before the close counts (B66)."""
    if (refusal := may_not_vote(game, actor)) is not None:
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
    """Close every open vote with the phase (B65). A draw or a concession that passes ends the game before adjudication
    (B67); of several the one with the most sharers counts.
    """
    closed = {number: _closed(game, ballot, now) for number, ballot in sorted(game.votes.items())}
    final = [game.votes[n] for n, event in closed.items() if event.passed and game.votes[n].kind in UNANIMOUS]
    if not final:
        return tuple(closed.values())
    last = max(final, key=lambda ballot: len(ballot.powers))
    how = "draw" if last.kind == DRAW else "concession"
    return (*closed.values(), ev.GameEnded(at=now, how=how, powers=last.powers))


def _closed(game: Game, ballot: Ballot, now: datetime) -> ev.VoteClosed:
    words = {True: "aye", False: "nay", None: "silent"}
    ballots = {seat.id: words[ballot.votes.get(seat.id)] for seat in game.active_seats}
    passed = bool(ballots) and _passes(ballot.kind, list(ballots.values()))
    return ev.VoteClosed(at=now, number=ballot.number, passed=passed, ballots=ballots, why="phase")


def _passes(kind: str, ballots: list[str]) -> bool:
    """All of the active players, or more than half of them; in a poll, more ayes than nays. A vote on more time is
    void once the turn is played.
    """
    ayes = ballots.count("aye")
    if kind in UNANIMOUS:
        return ayes == len(ballots)
    if kind == POLL:
        return ayes > ballots.count("nay")
    return kind == AMENDMENT and ayes * 2 > len(ballots)


def call(
    game: Game,
    kind: str,
    actor: Actor,
    now: datetime,
    *,
    powers: tuple[str, ...] = (),
    text: str = "",
    own_aye: bool = True,
) -> Decision:
    """Open a vote. A player who proposes something is for it until he says otherwise; the Gamemaster has no vote."""
    number = game.votes_called + 1
    called = ev.VoteCalled(at=now, by=actor.seat, number=number, kind=kind, powers=powers, text=text)
    if actor.role is not Role.PLAYER or not own_aye:
        return Decision((called,), said=f"{kind.capitalize()} vote {number} is called; it closes with the results.")
    cast = ev.VoteCast(at=now, by=actor.seat, number=number, seat=actor.seat, aye=True)
    return Decision(
        (called, cast), said=f"{kind.capitalize()} vote {number} is called; your own vote is counted as aye."
    )


def _open_already(ballot: Ballot) -> Refusal:
    return Refusal(
        "vote-open", f"That vote is open already; vote on number {ballot.number}.", mend=f"aye {ballot.number}"
    )


def may_not_vote(game: Game, actor: Actor) -> Refusal | None:
    """Why this actor has no vote; None if he has one (B66a)."""
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", f"{game.key} is not running; there is nothing to vote on.")
    if actor.role is not Role.PLAYER or actor.seat not in {seat.id for seat in game.active_seats}:
        return Refusal("no-vote", "Only players whose power is still in the game vote.", clause="9B")
    return None


def may_not_propose(game: Game, actor: Actor) -> Refusal | None:
    """Amendments and polls come from any active player or the Gamemaster (B60)."""
    if actor.role is Role.GM and game.stage is Stage.RUNNING:
        return None
    return may_not_vote(game, actor)


def _too_early(game: Game) -> Refusal | None:
    if _late_enough(game):
        return None
    season = game.settings.draw_from
    return Refusal(
        "too-early", f"Draws and concessions may be proposed only once {season} is over.", clause="draw_from"
    )


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


DECIDE = {ProposeConcession: propose_concession, ProposePoll: propose_poll}
