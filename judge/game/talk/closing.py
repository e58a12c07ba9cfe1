"""Votes closed: whether they passed, and whether they end the game. Not voting counts as nay.

Draws and concessions need every active player; amendments of the house rules need the majority of them; a poll binds
nobody. A draw or a concession that all want is carried out when the turn would be processed, at the latest at its
deadline, whether orders are in or not; every other vote closes with the next results of moves, before
these are adjudicated, and none ever silently.

Few players do not end a game by themselves: with fewer than two of them, or with a player at fewer than half of the
powers that are left, the Gamemaster has the last word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.board.phase import PhaseKind
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Refusal
from judge.game.core.events import LadderStep, VoteCalled, VoteCast, VoteClosed
from judge.game.core.evolve import Feature
from judge.game.core.model import Begun, Game
from judge.game.core.parts import Ballot
from judge.languages import moment_mark, tell, together

DRAW, CONCESSION, AMENDMENT, POLL = "draw", "concession", "amendment", "poll"
UNANIMOUS = (DRAW, CONCESSION)
"""Kinds that every active player must want; the others go by majority."""

WORD = "word"
"""The step of the ladder at which the Gamemaster is asked for their word."""

EXTENSION = "extension"
"""The kind that has its own time, and is void once its turn is played."""


PAUSE = "pause"
"""A vote on putting the game on hold for a while, or on ending that; it has its own time, too."""

GO_ON = "go on"
"""The text of a vote that ends a pause; else it is the moment at which the game goes on, as ISO text."""

OWN_TIME = (EXTENSION, PAUSE)
"""Kinds that close as soon as they are decided, at the latest with the turn in which they were called."""


@dataclass(frozen=True, slots=True)
class CarryVote(Command):
    """The Gamemaster's word that a draw or a concession may end the game although few play it."""

    vote: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteAllowed(ev.Event, told="number"):
    """The Gamemaster's word for vote `number`."""

    number: int


def sharing(game: Game, ballot: Ballot | VoteCalled) -> tuple[str, ...]:
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
    """Record the Gamemaster's word for a vote that all want and few play; refused for any other vote."""
    ballot = game.votes.get(command.vote)
    if ballot is None:
        return Refusal("no-such-vote", tell("Vote {vote} is not open.", vote=command.vote), mend="status")
    if ballot not in wanted_by_all(game):
        return Refusal(
            "not-wanted",
            tell(
                "Vote {vote} does not have the ayes of all active players; your consent changes nothing.",
                vote=command.vote,
            ),
        )
    if not lacks_word(game, ballot):
        return Decision(
            said=tell(
                "Vote {vote} does not need your consent; it is carried when the turn is processed.", vote=command.vote
            )
        )
    said = tell(
        "Vote {vote} is carried out when the turn would be processed, at the latest at its deadline.", vote=command.vote
    )
    return Decision((VoteAllowed(at=context.now, by=context.seat, number=command.vote),), said=said)


def close_votes(game: Begun, now: datetime) -> tuple[ev.Event, ...]:
    """Close the votes that end with the turn processed now. One that ends the game takes all others with it."""
    if (last := decided(game)) is not None:
        how = "draw" if last.kind == DRAW else "concession"
        return (*close_all(game, now, "phase"), ev.GameEnded(at=now, how=how, powers=sharing(game, last)))
    if game.position.phase.kind is PhaseKind.MOVES:
        ballots = [ballot for _, ballot in sorted(game.votes.items()) if not _stays_open(game, ballot, now)]
        return tuple(_closed(game, ballot, now, "phase") for ballot in ballots)
    return tuple(_closed(game, ballot, now, "phase") for ballot in game.votes.values() if ballot.kind in OWN_TIME)


def _stays_open(game: Game, ballot: Ballot, now: datetime) -> bool:
    """Whether a turn that is played before the moment that a vote's call named leaves it open: somebody relies on that
    moment and has not voted, and their ballot may still decide it.
    """
    if ballot.until is None or now >= ballot.until or ballot.kind in OWN_TIME:
        return False
    said = [ballot.votes.get(seat.id) for seat in game.active_seats]
    if None not in said:
        return False
    if ballot.kind in UNANIMOUS:
        return False not in said
    ayes, nays = said.count(True), said.count(False)
    return ballot.kind == POLL or 2 * ayes <= len(said) < 2 * (len(said) - nays)


def named_close(game: Game) -> datetime | None:
    """The moment that the call of a vote names for its close, as the game stands: the deadline of the moves."""
    if game.deadline is None or game.deadline.called or game.held_since is not None or not isinstance(game, Begun):
        return None
    return game.deadline.at if game.phase.kind is PhaseKind.MOVES else None


def settles(game: Game, ballot: Ballot) -> bool | None:
    """How a vote on more time or a pause is decided by the ballots that are in: True carried, False lost, None not
    yet.
    """
    said = [ballot.votes.get(seat.id) for seat in game.active_seats]
    need = len(said) if ballot.kind == PAUSE and game.settings.pause_vote == "all" else len(said) // 2 + 1
    if said.count(True) >= need:
        return True
    return False if said.count(True) + said.count(None) < need else None


def closed_vote(game: Game, ballot: Ballot, now: datetime, *, passed: bool, why: str) -> VoteClosed:
    """The end of a vote that has its own time, with everybody's ballot."""
    return VoteClosed(at=now, number=ballot.number, passed=passed, ballots=_said_by(game, ballot), why=why)


def close_all(game: Game, now: datetime, why: str) -> tuple[VoteClosed, ...]:
    """The closing of every open vote, in the order of their numbers; `why` goes into each event."""
    return tuple(_closed(game, ballot, now, why) for _, ballot in sorted(game.votes.items()))


def _closed(game: Game, ballot: Ballot, now: datetime, why: str) -> VoteClosed:
    ballots = _said_by(game, ballot)
    passed = bool(ballots) and _passes(ballot.kind, list(ballots.values()))
    if passed and ballot.kind in UNANIMOUS and not _stands(game, ballot):
        return VoteClosed(at=now, number=ballot.number, passed=False, ballots=ballots, why=NO_PLAYER)
    if passed and ballot.kind in UNANIMOUS and lacks_word(game, ballot):
        return VoteClosed(at=now, number=ballot.number, passed=False, ballots=ballots, why=NO_WORD)
    return VoteClosed(at=now, number=ballot.number, passed=passed, ballots=ballots, why=why)


def _said_by(game: Game, ballot: Ballot) -> dict[str, str]:
    """Everybody's ballot, in a word: what they chose, "aye", "nay", "silent"."""
    words = {True: "aye", False: "nay", None: "silent"}
    return {seat.id: ballot.chosen.get(seat.id) or words[ballot.votes.get(seat.id)] for seat in game.active_seats}


OVERTAKEN = "overtaken"
"""Why a vote was closed undecided: what it asked for has come, or has come too late."""

NO_WORD = "no-word"
"""Why a vote that all wanted was closed as failed: the Gamemaster, whom it needed, had said nothing."""

NO_PLAYER = "no-player"
"""Why a vote that all wanted was closed as failed: those who were to win or to share have no player any more."""


def _passes(kind: str, ballots: list[str]) -> bool:
    """All of the active players, or more than half of them; in a poll, more ayes than nays, or any choice at all. A
    vote on more time is void once the turn is played.
    """
    ayes = ballots.count("aye")
    if kind in UNANIMOUS:
        return ayes == len(ballots)
    if kind == POLL:
        return ayes > ballots.count("nay") or any(word not in ("aye", "nay", "silent") for word in ballots)
    return kind == AMENDMENT and ayes * 2 > len(ballots)


def closing(game: Game, kind: str, text: str = "") -> str:
    """When a vote of a kind closes, as the game stands, in a sentence. `text`: what is voted on. No moment is named
    while the game is on hold: the deadline that there was passes without anything.
    """
    if kind in OWN_TIME:
        return _closing_in_its_time(game, kind, text)
    moves = isinstance(game, Begun) and game.phase.kind is PhaseKind.MOVES
    passed = game.deadline is not None and game.deadline.called
    named = named_close(game)
    results = tell(
        "the results of the next moves"
        if not moves
        else "the results of {phase_title}"
        if named is None
        else "the results of {phase_title}, due by {named}",
        phase_title=game.phase_title if moves else "",
        named=moment_mark(named) if named is not None else "",
    )
    if game.held_since is not None:
        results = tell("{results}, once the game goes on", results=results)
    early = ""
    if named is not None and game.settings.early:
        early = tell("If these come earlier, it stays open for whoever has not voted, unless it is decided.")
    if kind not in UNANIMOUS:
        return together(tell("It closes with {results}.", results=results), early)
    if passed or game.held_since is not None:
        ends = tell("the game ends") if passed else tell("the game ends with this turn")
        return tell(
            "Once all have said aye, {ends}, even if orders are missing; otherwise the vote closes with {results}.",
            ends=ends,
            results=results,
        )
    return together(
        tell(
            "Once all have said aye, the game ends when the turn would be processed, at the "
            "latest at its deadline, even if orders are missing; otherwise the vote closes with "
            "{results}.",
            results=results,
        ),
        early,
    )


def _closing_in_its_time(game: Game, kind: str, text: str) -> str:
    """When a vote on more time or a pause closes: as soon as it is decided, and at the latest when what it asks for
    comes too late.
    """
    decided = tell("It closes as soon as it is decided, at the latest")
    deadline, end = game.deadline, pause_end(kind, text)
    if kind == PAUSE and end is None:
        return tell("{decided} when the game goes on.", decided=decided)
    if game.held_since is not None or deadline is None:
        return (
            f"{decided} {moment_mark(end)}."
            if end is not None
            else tell("{decided} at the deadline, once the game goes on.", decided=decided)
        )
    if end is not None and (deadline.called or end < deadline.at):
        return f"{decided} {moment_mark(end)}."
    if deadline.called:
        return tell("{decided} when {phase_title} are processed.", decided=decided, phase_title=game.phase_title)
    return tell("{decided} at the deadline, {at}.", decided=decided, at=moment_mark(deadline.at))


def pause_end(kind: str, text: str) -> datetime | None:
    """Until when a pause is wanted; None for a vote on ending one, and for other kinds."""
    return datetime.fromisoformat(text) if kind == PAUSE and text != GO_ON else None


def _allowed(game: Game, event: VoteAllowed) -> Game:
    votes = {**game.votes, event.number: replace(game.votes[event.number], allowed=True)}
    return replace(game, votes=MappingProxyType(votes))


FEATURE = Feature(
    evolve={VoteAllowed: _allowed},
    decide={CarryVote: carry_vote},
    gm_only=(CarryVote,),
    grave=(CarryVote,),
    follow={VoteCast: wants_word, ev.SeatVacated: wants_word},
)
