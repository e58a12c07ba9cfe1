"""Votes: called, cast, closed. Proposers are public at once, ballots at the close, silence is nay (B62, B63).

Draws and concessions need every active player; amendments of the house rules need the majority of them; a poll binds
nobody. A draw or a concession that all want is carried out when the turn would be processed, at the latest at its
deadline, orders or none (B67, ruling 34); every other vote closes with the next results of moves, before these are
adjudicated (B65), and none ever silently (L05). Extension votes have their own time: see `judge.game.clock.extensions`.

Few players do not end a game by themselves: with fewer than two of them, or with a player at fewer than half of the
powers that are left, the Gamemaster has the last word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.board.phase import PhaseKind
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, ProposeDraw, Role, Vote
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import LadderStep
from judge.game.core.model import Begun, Game, Stage
from judge.game.core.moments import told
from judge.game.core.parts import Ballot
from judge.game.core.registry import Feature
from judge.game.filing.overtaken import TOO_LATE, vote_word

DRAW, CONCESSION, AMENDMENT, POLL = "draw", "concession", "amendment", "poll"
UNANIMOUS = (DRAW, CONCESSION)
"""Kinds that every active player must want (B62); the others go by majority."""

WORD = "word"
"""The step of the ladder at which the Gamemaster is asked for their word."""

EXTENSION = "extension"
"""The kind that has its own time, and is void once its turn is played."""

LONGEST_QUESTION = 1000


@dataclass(frozen=True, slots=True)
class ProposeConcession(Command):
    """Call a vote on conceding the game to one power."""

    power: str


@dataclass(frozen=True, slots=True)
class ProposePoll(Command):
    """Ask the others a question that is answered with aye or nay and binds nobody."""

    question: str


@dataclass(frozen=True, slots=True)
class CarryVote(Command):
    """The Gamemaster's word that a draw or a concession may end the game although few play it."""

    vote: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteAllowed(ev.Event, told="number"):
    """The Gamemaster's word for vote `number`."""

    number: int


def propose_draw(game: Game, command: ProposeDraw, context: Context) -> Decision | Refusal:
    """Call a draw vote; it closes with the results of this turn."""
    if (refusal := may_not_vote(game, context.actor) or _too_early(game)) is not None:
        return refusal
    shares = tuple(power for power in game.board.powers if power in (command.powers or game.sharers))
    if (refusal := _no_sharer(game, shares, "shares in no draw")) is not None:
        return refusal
    if game.settings.dias and set(shares) != set(game.sharers):
        return Refusal("dias", "In this game a draw includes all survivors that have a player.", mend="draw")
    for ballot in game.votes.values():
        if ballot.kind == DRAW and set(ballot.powers) == set(shares):
            return vote(game, Vote(aye=True, vote=ballot.number), context)  # whoever proposes it is for it
    return call(game, DRAW, context, powers=shares)


def propose_concession(game: Game, command: ProposeConcession, context: Context) -> Decision | Refusal:
    """Call a vote that names the winner (B64)."""
    if (refusal := may_not_vote(game, context.actor)) is not None:
        return refusal
    if not game.settings.concessions:
        return Refusal("no-concessions", f"{game.key} is not conceded; it is played or drawn.", clause="concessions")
    if (refusal := _too_early(game)) is not None:
        return refusal
    if (refusal := _no_sharer(game, (command.power,), "cannot be conceded to")) is not None:
        return refusal
    for ballot in game.votes.values():
        if ballot.kind == CONCESSION and ballot.powers == (command.power,):
            return vote(game, Vote(aye=True, vote=ballot.number), context)
    return call(game, CONCESSION, context, powers=(command.power,))


def _no_sharer(game: Game, powers: tuple[str, ...], so: str) -> Refusal | None:
    """Why one of these powers has no part in the result: it is out of the game, or nobody plays it."""
    gone = next((power for power in powers if power not in game.sharers), None)
    if gone is None:
        return None
    name, out = game.board.powers[gone].name, gone not in game.survivors
    why = "is out of the game" if out else "has no player"
    return Refusal("no-survivor" if out else "no-player", f"{name} {why} and {so}.")


def sharing(game: Game, ballot: Ballot | ev.VoteCalled) -> tuple[str, ...]:
    """Who shares if a draw or a concession is carried as the game stands: seats fall vacant and are taken over while
    a vote is open, and who has no player has no share.
    """
    if ballot.kind == DRAW and game.settings.dias:
        return game.sharers
    return tuple(power for power in ballot.powers if power in game.sharers)


def _stands(game: Game, ballot: Ballot) -> bool:
    """Whether a draw or a concession is still what was voted on: a draw of which one is left has become a victory,
    a concession to nobody has no winner.
    """
    shares = sharing(game, ballot)
    return bool(shares) and (len(shares) > 1 or ballot.kind == CONCESSION or shares == game.sharers)


def propose_poll(game: Game, command: ProposePoll, context: Context) -> Decision | Refusal:
    """Ask a question."""
    if (refusal := may_not_propose(game, context.actor)) is not None:
        return refusal
    question = " ".join(command.question.split())
    if not question or len(question) > LONGEST_QUESTION:
        return Refusal(
            "no-question", f"A poll asks a question of at most {LONGEST_QUESTION} letters.", mend="poll: ...?"
        )
    for ballot in game.votes.values():
        if ballot.kind == POLL and ballot.text == question:
            return _open_already(ballot)
    return call(game, POLL, context, text=question, own_aye=False)


def vote(game: Game, command: Vote, context: Context) -> Decision | Refusal:
    """Cast or change a ballot; the last one before the close counts (B66)."""
    if (refusal := may_not_vote(game, context.actor)) is not None:
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
    if (context.seat, "", vote_word(number)) in context.actor.later:
        return Refusal("overtaken", f"Your {word} on vote {number} {TOO_LATE}.")
    event = ev.VoteCast(at=context.now, by=context.seat, number=number, seat=context.seat, aye=command.aye)
    return Decision((event,), said=f"Your {word} on vote {number} is counted; you may change it until the close.")


def decided(game: Game) -> Ballot | None:
    """The open vote that would end the game if the turn were processed now: of several the one with most sharers."""
    final = [ballot for ballot in wanted_by_all(game) if not lacks_word(game, ballot)]
    return max(final, key=lambda ballot: (len(sharing(game, ballot)), -ballot.number), default=None)


def wanted_by_all(game: Game) -> tuple[Ballot, ...]:
    """Open draws and concessions to which every active player has said aye."""
    active = game.active_seats
    return tuple(
        ballot
        for _, ballot in sorted(game.votes.items())
        if ballot.kind in UNANIMOUS and active and all(ballot.votes.get(seat.id) for seat in active)
        if _stands(game, ballot)
    )


def lacks_word(game: Game, ballot: Ballot) -> bool:
    """Whether a vote that would end the game waits for the Gamemaster, because few play."""
    if ballot.allowed or game.practice is not None:
        return False
    left = [seat for seat in game.seats.values() if set(game.survivors).intersection(seat.powers)]
    return len(game.active_seats) < 2 or 2 * len(game.active_seats) < len(left)


def wants_word(game: Game, event: ev.Event) -> tuple[ev.Event, ...]:
    """The Gamemaster hears, once for each vote and deadline, that one waits for their word."""
    asked = game.deadline.steps.get(WORD, 0) if game.deadline is not None else 0
    waiting = [ballot.number for ballot in wanted_by_all(game) if lacks_word(game, ballot) and ballot.number > asked]
    if game.deadline is None or not waiting:
        return ()
    return (LadderStep(at=event.at, kind=WORD, number=max(waiting), seats=(), version=game.deadline.version),)


def carry_vote(game: Game, command: CarryVote, context: Context) -> Decision | Refusal:
    """Let a vote end the game."""
    ballot = game.votes.get(command.vote)
    if ballot is None:
        return Refusal("no-such-vote", f"Vote {command.vote} is not open.", mend="status")
    if ballot not in wanted_by_all(game):
        return Refusal(
            "not-wanted",
            f"Vote {command.vote} does not have the ayes of all active players; your word changes nothing.",
        )
    if not lacks_word(game, ballot):
        return Decision(said=f"Vote {command.vote} needs no word of yours; it is carried when the turn is processed.")
    said = f"Vote {command.vote} is carried out when the turn would be processed, at the latest at its deadline."
    return Decision((VoteAllowed(at=context.now, by=context.seat, number=command.vote),), said=said)


def close_votes(game: Begun, now: datetime) -> tuple[ev.Event, ...]:
    """Close the votes that end with the turn processed now. One that ends the game takes all others with it."""
    if (last := decided(game)) is not None:
        how = "draw" if last.kind == DRAW else "concession"
        return (*close_all(game, now, "phase"), ev.GameEnded(at=now, how=how, powers=sharing(game, last)))
    if game.position.phase.kind is PhaseKind.MOVES:
        return close_all(game, now, "phase")
    return tuple(_closed(game, ballot, now, "phase") for ballot in game.votes.values() if ballot.kind == EXTENSION)


def close_all(game: Game, now: datetime, why: str) -> tuple[ev.VoteClosed, ...]:
    """Close whatever is open."""
    return tuple(_closed(game, ballot, now, why) for _, ballot in sorted(game.votes.items()))


def _closed(game: Game, ballot: Ballot, now: datetime, why: str) -> ev.VoteClosed:
    words = {True: "aye", False: "nay", None: "silent"}
    ballots = {seat.id: words[ballot.votes.get(seat.id)] for seat in game.active_seats}
    passed = bool(ballots) and _passes(ballot.kind, list(ballots.values()))
    if passed and ballot.kind in UNANIMOUS and not _stands(game, ballot):
        return ev.VoteClosed(at=now, number=ballot.number, passed=False, ballots=ballots, why=NO_PLAYER)
    if passed and ballot.kind in UNANIMOUS and lacks_word(game, ballot):
        return ev.VoteClosed(at=now, number=ballot.number, passed=False, ballots=ballots, why=NO_WORD)
    return ev.VoteClosed(at=now, number=ballot.number, passed=passed, ballots=ballots, why=why)


NO_WORD = "no-word"
"""Why a vote that all wanted was closed as failed: the Gamemaster, whom it needed, had said nothing."""


NO_PLAYER = "no-player"
"""Why a vote that all wanted was closed as failed: those who were to win or to share have no player any more."""


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
    context: Context,
    *,
    powers: tuple[str, ...] = (),
    text: str = "",
    own_aye: bool = True,
) -> Decision:
    """Open a vote. A player who proposes something is for it until they say otherwise; the Gamemaster has no vote."""
    number = game.votes_called + 1
    called = ev.VoteCalled(at=context.now, by=context.seat, number=number, kind=kind, powers=powers, text=text)
    if context.actor.role is not Role.PLAYER or not own_aye:
        return Decision((called,), said=f"{kind.capitalize()} vote {number} is called. {closing(game, kind)}")
    cast = ev.VoteCast(at=context.now, by=context.seat, number=number, seat=context.seat, aye=True)
    said = f"{kind.capitalize()} vote {number} is called; your own vote is counted as aye. {closing(game, kind)}"
    return Decision((called, cast), said=said)


def closing(game: Game, kind: str) -> str:
    """When a vote of a kind closes, as the game stands, in a sentence."""
    moves = isinstance(game, Begun) and game.phase.kind is PhaseKind.MOVES
    when = f", due by {told(game.deadline.at)}" if game.deadline is not None and moves else ""
    results = f"the results of {game.phase_title}{when}" if moves else "the results of the next moves"
    if kind not in UNANIMOUS:
        return f"It closes with {results}."
    return (
        "Once all have said aye the game ends when the turn would be processed, at the latest at its deadline, orders "
        f"or none; else the vote closes with {results}."
    )


def _open_already(ballot: Ballot) -> Refusal:
    return Refusal(
        "vote-open", f"That vote is open already; vote on number {ballot.number}.", mend=f"aye {ballot.number}"
    )


def may_not_vote(game: Game, actor: Actor) -> Refusal | None:
    """Why this actor has no vote; None if they have one (B66a)."""
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
    return game.calendar.is_over(named, game.position.phase)


def _allowed(game: Game, event: VoteAllowed) -> Game:
    votes = {**game.votes, event.number: replace(game.votes[event.number], allowed=True)}
    return replace(game, votes=MappingProxyType(votes))


FEATURE = Feature(
    evolve={VoteAllowed: _allowed},
    decide={
        ProposeDraw: propose_draw,
        Vote: vote,
        ProposeConcession: propose_concession,
        ProposePoll: propose_poll,
        CarryVote: carry_vote,
    },
    gm_only=(CarryVote,),
    follow={ev.VoteCast: wants_word, ev.SeatVacated: wants_word},
)
