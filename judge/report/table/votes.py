"""Votes as letters and reports tell them: the call, what is open, and the ballots once it is closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.game.clock.ladder import UNVOTED, unvoted
from judge.game.core import events as ev
from judge.game.core.events import VoteCalled, VoteClosed
from judge.game.core.model import Game
from judge.game.core.parts import Ballot, ballot_lines
from judge.game.talk.closing import (
    EXTENSION,
    GO_ON,
    NO_PLAYER,
    NO_WORD,
    OVERTAKEN,
    PAUSE,
    UNANIMOUS,
    closing,
    lacks_word,
    sharing,
)
from judge.pace import read_span
from judge.report.core import naming
from judge.report.core.audience import Batch
from judge.report.core.letter import Kind, Letter, Reader, moment, who
from judge.report.core.naming import Said, Text, Who, power_name, say


@dataclass(frozen=True, slots=True)
class OpenVote:
    """A vote that waits for ballots: its number, what it is about, who called it."""

    number: int
    about: Said
    proposer: Who
    kind: str
    choices: tuple[str, ...] = ()
    """Of a poll that is answered with one of them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Who chose what in a poll."""

    choice: str
    voters: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class ClosedVote:
    """A vote that is over, with everybody's ballot: names of powers."""

    number: int
    about: Text
    passed: bool
    ayes: tuple[Said, ...]
    nays: tuple[Said, ...]
    silent: tuple[Said, ...]
    outcome: str = ""
    """PASSED or FAILED; YES or NO where it only answers a question."""
    note: Text = ""
    """What the ballots alone do not explain."""
    chosen: tuple[Chosen, ...] = ()
    """Of a poll with choices of its own, in their order."""


@dataclass(frozen=True, slots=True)
class VoteView:
    """Either a call (`open`) or a result (`closed`); `ballots` are the lines to reply with, `terms` says
    what it takes to pass."""

    open: OpenVote | None
    closed: tuple[ClosedVote, ...]
    ballots: tuple[str, ...] = ()
    voter: bool = False
    terms: Said | None = None
    again: bool = False
    """Whether it reminds somebody who has not voted."""


def _terms(game: Game, kind: str, text: str, reader: Reader) -> Said:
    """What it takes to pass, and when it closes."""
    said = closing(game, kind, text) if game.position is not None else ""
    said = naming.spelled(said, game.settings.zone, reader.member.zone)
    return say("vote-terms", kind=kind, closing=said, all=game.settings.pause_vote == "all")


def vote_letters(batch: Batch) -> Iterator[Letter]:
    """The call to all who may vote; the result to everybody, unless another letter of this batch tells it."""
    for seq, event in batch.numbered():
        if isinstance(event, VoteCalled):
            yield from _calls(batch, seq, event)
        elif isinstance(event, ev.LadderStep) and event.kind == UNVOTED:
            yield from _reminders(batch, seq, event.number)
    closed = closed_votes(batch)
    if not closed or batch.tells_results or batch.has(ev.GameEnded) or done_at_once(batch):
        return
    for reader in batch.told(*batch.every(VoteClosed), doer=True):
        yield batch.letter(Kind.VOTE, f"{batch.after.seq}/closed", reader, VoteView(None, closed))


def done_at_once(batch: Batch) -> tuple[ClosedVote, ...]:
    """The votes that were closed together with what they decided, which is everybody's news: one notice tells both."""
    deeds = (ev.GameHeld, ev.GameResumed, ev.DeadlineSet)
    told = not batch.tells_results and not batch.has(ev.GameEnded)
    done = told and any(isinstance(event, deeds) and event.by not in batch.after.seats for event in batch.events)
    return closed_votes(batch) if done else ()


def _calls(batch: Batch, seq: int, event: VoteCalled) -> Iterator[Letter]:
    voters = {seat.id for seat in batch.after.active_seats}
    call = _open(batch.after, event.number, event, event.by)
    for reader in batch.told(event):
        ballots = ballot_lines(event.number, event.choices) if reader.seat in voters else ()
        terms = _terms(batch.after, "choice" if event.choices else event.kind, event.text, reader)
        yield batch.letter(Kind.VOTE, str(seq), reader, VoteView(call, (), ballots, voter=bool(ballots), terms=terms))


def _reminders(batch: Batch, seq: int, number: int) -> Iterator[Letter]:
    """To those alone who may vote and have not: nobody else learns of it."""
    game = batch.after
    silent, ballot = {seat.id for seat in unvoted(game, number)}, game.votes.get(number)
    if ballot is None:
        return
    call = _open(game, number, ballot, ballot.proposer)
    for reader in batch.readers():
        if reader.seat in silent:
            terms = _terms(game, "choice" if ballot.choices else ballot.kind, ballot.text, reader)
            view = VoteView(call, (), ballot.lines, voter=True, terms=terms, again=True)
            yield batch.letter(Kind.VOTE, f"{seq}/{number}", reader, view)


def open_votes(game: Game) -> tuple[OpenVote, ...]:
    """Votes that wait for ballots; nobody learns how they stand."""
    return tuple(_open(game, one.number, one, one.proposer) for _, one in sorted(game.votes.items()))


def votes_that_end(game: Game) -> tuple[int, ...]:
    """The open votes that end the game at the deadline, orders or none, if all have said aye by then; whether they
    have, nobody learns before.
    """
    return tuple(
        number for number, one in sorted(game.votes.items()) if one.kind in UNANIMOUS and not lacks_word(game, one)
    )


def _open(game: Game, number: int, vote: Ballot | VoteCalled, by: str) -> OpenVote:
    return OpenVote(number, about(game, vote), who(game, by), vote.kind, vote.choices)


def closed_votes(batch: Batch) -> tuple[ClosedVote, ...]:
    """Every vote that these events closed."""
    known: dict[int, Ballot | VoteCalled] = dict(batch.before.votes) if batch.before else {}
    known |= {event.number: event for event in batch.every(VoteCalled)}
    return tuple(_closed(batch, event, known) for event in batch.every(VoteClosed))


def _closed(batch: Batch, event: VoteClosed, known: Mapping[int, Ballot | VoteCalled]) -> ClosedVote:
    game, vote = batch.after, known.get(event.number)

    def those(word: str) -> tuple[Said, ...]:
        return tuple(say("somebody", who=who(game, seat)) for seat, ballot in event.ballots.items() if ballot == word)

    choices = vote.choices if vote else ()
    words = (
        ("NO ANSWER", _favourite(event, choices))
        if choices
        else ("NO", "YES")
        if vote and vote.kind == "poll"
        else ("FAILED", "PASSED")
    )
    subject = about(game, vote) if vote else "vote"
    return ClosedVote(
        event.number, subject, event.passed, those("aye"), those("nay"), those("silent"), words[event.passed],
        _explained(batch, event, known), tuple(Chosen(choice, those(choice)) for choice in choices),
    )  # fmt: skip


def _favourite(event: VoteClosed, choices: tuple[str, ...]) -> str:
    """The choice with most voters, or all that have as many."""
    counts = {choice: sum(ballot == choice for ballot in event.ballots.values()) for choice in choices}
    return " / ".join(choice for choice, count in counts.items() if count == max(counts.values()))


def _explained(batch: Batch, event: VoteClosed, known: Mapping[int, Ballot | VoteCalled]) -> Text:
    """What is to be said of a vote with all ayes: why it did not end the game, or, if several passed at once, which one
    counts; "" where nothing is.
    """
    if event.why == OVERTAKEN:
        return say("vote-overtaken", pause=(vote := known.get(event.number)) is not None and _pauses(vote))
    if event.why in (NO_PLAYER, NO_WORD):
        return say("vote-in-vain", word=event.why == NO_WORD)
    final = [
        one.number for one in batch.every(VoteClosed)
        if one.passed and (vote := known.get(one.number)) is not None and vote.kind in UNANIMOUS
    ]  # fmt: skip
    if event.number not in final or len(final) < 2:
        return ""
    counted = next((number for number in final if _is_the_end(batch.after, known[number])), event.number)
    return say("vote-of-several", counts=counted == event.number, other=counted)


def _is_the_end(game: Game, vote: Ballot | VoteCalled) -> bool:
    return game.ending is not None and (vote.kind, sharing(game, vote)) == (game.ending.how, game.ending.powers)


def _pauses(ballot: Ballot | VoteCalled) -> bool:
    return ballot.kind == PAUSE and ballot.text != GO_ON


def about(game: Game, ballot: Ballot | VoteCalled) -> Said:
    """What is voted on. `all`: whether the draw is of all survivors, and `played`: of those alone who have a player."""
    powers = sharing(game, ballot) or ballot.powers
    return say(
        "vote-about",
        kind=ballot.kind,
        text=ballot.text,
        powers=[power_name(power, game.board) for power in powers],
        all=ballot.kind == "draw" and set(powers) == set(game.sharers),
        played=set(powers) != set(game.survivors),
        span=read_span(ballot.text) if ballot.kind == EXTENSION and ballot.text else None,
        until=moment(game, datetime.fromisoformat(ballot.text)) if _pauses(ballot) else None,
    )
