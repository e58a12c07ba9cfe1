"""Press and votes: what players say to each other through the judge, and what they decide together.

The privacy of press lives here and in the letter writer: a press letter is made from decoded text, the
colour and the claimed name alone. Unsigned press carries nothing that differs from author to author.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Colour
from judge.game.core.model import Game
from judge.game.core.parts import Ballot
from judge.game.settings.spans import read_span
from judge.game.talk.ballots import EXTENSION, NO_PLAYER, NO_WORD, UNANIMOUS, closing, lacks_word, sharing
from judge.game.talk.recall import PressRecalled
from judge.game.talk.veil import longest_veil
from judge.report.core import times
from judge.report.core.batch import Batch
from judge.report.core.cast import Cast, shown_name
from judge.report.core.facts import Said, Text, Who, say
from judge.report.core.frame import Reader, who
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import power_name

EVERYBODY, GM, OBSERVERS = "ALL", "GM", "OBSERVERS"


@dataclass(frozen=True, slots=True)
class PressView:
    """Words relayed. `source`: who signed white press; `claims`: the name that black press gives itself; `to`: all who
    get it; `answer`: the line that answers it, "" for unsigned press; `official`: from the Gamemaster."""

    number: int
    colour: str
    source: Said | None
    claims: str
    to: Said
    text: str
    answer: str
    official: bool = False
    copy: bool = False
    """The Gamemaster's copy in a game whose press is watched: `source` is the author, signed or not."""


@dataclass(frozen=True, slots=True)
class Clipping:
    """Broadcast press repeated in a report: colour, signature as far as there is one, text."""

    colour: str
    source: Text
    text: str


def press_letters(batch: Batch) -> Iterator[Letter]:
    """Press to each of its readers but the author, whose receipt is the echo."""
    for seq, event in batch.numbered():
        if not isinstance(event, ev.PressSent) or event.postal:
            continue
        source, claims = signature(batch.after, batch.cast, event)
        to = addressees(batch.after, event.to)
        wait = timedelta() if event.by == GM_SEAT else batch.after.settings.recall
        for reader in batch.readers(observers=True):
            if reader.seat == GM_SEAT and _watched(batch.after, event):
                yield replace(_copy(batch, event, seq, reader, to), wait=wait)
            if reader.seat == event.by or not _addressed(batch.after, reader, event.to):
                continue
            answer = f"press to {power_word(batch.after, event.by)}" if source else ""
            view = PressView(
                event.number, event.colour, source, claims, to, event.text, answer, official=event.by == GM_SEAT
            )
            letter = batch.letter(Kind.PRESS, str(seq), reader, view)
            veil = timedelta() if source else longest_veil(batch.after, event.at)
            yield replace(letter, topic=_topic(batch.after, event, reader), veil=veil, wait=wait)


def _watched(game: Game, event: ev.PressSent) -> bool:
    """Whether the Gamemaster gets a copy, because the game is set so and they are not addressed themselves."""
    return game.settings.watch_press and event.by != GM_SEAT and GM not in event.to and EVERYBODY not in event.to


def _copy(batch: Batch, event: ev.PressSent, seq: int, reader: Reader, to: Said) -> Letter:
    """The Gamemaster's copy names the author, whatever the press calls itself."""
    game = batch.after
    source = signed(game, event.by, shown_name(game, batch.cast, event.by))
    claims = event.dateline if event.colour == Colour.BLACK else ""
    view = PressView(event.number, event.colour, source, claims, to, event.text, "", copy=True)
    letter = batch.letter(Kind.PRESS, str(seq), reader, view)
    return replace(letter, topic=f"{game.key}/press/watched")


def power_word(game: Game, seat: str) -> str:
    """The word that addresses a seat in a press command: its first power, or GM."""
    powers = game.seats[seat].powers if seat in game.seats else ()
    return power_name(powers[0], game.board) if powers else "GM" if seat == GM_SEAT else "all"


def _topic(game: Game, event: ev.PressSent, reader: Reader) -> str:
    """Signed letters between two seats make one thread; broadcasts another; each unsigned one stands alone."""
    if event.colour != Colour.WHITE:
        return f"{game.key}/press/{event.number}"
    if EVERYBODY in event.to:
        return f"{game.key}/press"
    return f"{game.key}/press/{'-'.join(sorted((event.by, reader.slot)))}"


def signature(game: Game, cast: Cast, event: ev.PressSent, *, former: bool = False) -> tuple[Said | None, str]:
    """(who signed, what the unsigned press claims to be). `former`: somebody else sits there by now."""
    if event.colour == Colour.BLACK:
        return None, event.dateline or "nobody"
    if event.colour == Colour.GREY:
        return None, ""
    return signed(game, event.by, shown_name(game, cast, event.by), former=former), ""


def signed(game: Game, seat: str, name: str, *, former: bool = False) -> Said:
    """A seat and the name of whoever holds it, "" where that is a secret."""
    return say("signed", who=who(game, seat), name="" if former else name, former=former)


def addressees(game: Game, to: Iterable[str]) -> Said:
    """All to whom press goes."""
    others = {GM: "gm", EVERYBODY: "everybody", OBSERVERS: "observers"}
    return say(
        "addressees",
        to=[Who(others[name]) if name in others else Who("powers", (power_name(name, game.board),)) for name in to],
    )


def has_followed(batch: Batch, press: ev.PressSent) -> bool:
    """Whether the seat that press of the last turns came from has another player by now."""
    every = iter((*batch.earlier, *batch.events))
    for event in every:
        if event is press:
            break
    return any(isinstance(event, ev.SeatFilled) and event.seat == press.by for event in every)


def _addressed(game: Game, reader: Reader, to: tuple[str, ...]) -> bool:
    if EVERYBODY in to:
        return True
    if reader.seat == GM_SEAT:
        return GM in to
    if reader.seat == "":
        return OBSERVERS in to
    return any(power in to for power in game.seats[reader.seat].powers)


def clippings(batch: Batch) -> tuple[Clipping, ...]:
    """The players' broadcast press since the last report (B57)."""
    rows = []
    for event in _broadcasts(batch):
        if event.by != GM_SEAT:
            source, claims = signature(batch.after, batch.cast, event, former=has_followed(batch, event))
            rows.append(Clipping(event.colour, source or claims, event.text))
    return tuple(rows)


def announcements(batch: Batch) -> tuple[str, ...]:
    """The Gamemaster's own broadcasts since the last report: they stand among their notes, never among press (B55)."""
    return tuple(event.text for event in _broadcasts(batch) if event.by == GM_SEAT)


def _broadcasts(batch: Batch) -> Iterator[ev.PressSent]:
    every = (*batch.earlier, *batch.events)
    recalled = {event.number for event in every if isinstance(event, PressRecalled)}
    for event in every:
        if isinstance(event, ev.PressSent) and EVERYBODY in event.to and event.number not in recalled:
            yield event


# --- votes --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenVote:
    """A vote that waits for ballots: its number, what it is about, who called it."""

    number: int
    about: Said
    proposer: Who
    kind: str


@dataclass(frozen=True, slots=True)
class ClosedVote:
    """A vote that is over, with everybody's ballot (B63): names of powers."""

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


@dataclass(frozen=True, slots=True)
class VoteView:
    """Either a call (`open`) or a result (`closed`); `ballots` are the lines to reply with, `terms` says
    what it takes to pass."""

    open: OpenVote | None
    closed: tuple[ClosedVote, ...]
    ballots: tuple[str, ...] = ()
    voter: bool = False
    terms: Said | None = None


def _terms(game: Game, kind: str, reader: Reader) -> Said:
    """What it takes to pass, and when it closes."""
    closes = kind != EXTENSION and game.position is not None
    said = times.spelled(closing(game, kind), game.settings.zone, reader.member.zone) if closes else ""
    return say("vote-terms", kind=kind, closing=said)


def vote_letters(batch: Batch) -> Iterator[Letter]:
    """The call to all who may vote; the result to everybody, unless another letter of this batch tells it."""
    for seq, event in batch.numbered():
        if isinstance(event, ev.VoteCalled):
            yield from _calls(batch, seq, event)
    closed = closed_votes(batch)
    if not closed or batch.tells_results or batch.has(ev.GameEnded):
        return
    for reader in batch.readers():
        yield batch.letter(Kind.VOTE, f"{batch.after.seq}/closed", reader, VoteView(None, closed))


def _calls(batch: Batch, seq: int, event: ev.VoteCalled) -> Iterator[Letter]:
    voters = {seat.id for seat in batch.after.active_seats}
    call = _open(batch.after, event.number, event, event.by)
    for reader in batch.readers():
        if reader.seat == event.by:
            continue
        ballots = (f"AYE {event.number}", f"NAY {event.number}") if reader.seat in voters else ()
        terms = _terms(batch.after, event.kind, reader)
        yield batch.letter(Kind.VOTE, str(seq), reader, VoteView(call, (), ballots, voter=bool(ballots), terms=terms))


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


def _open(game: Game, number: int, vote: Ballot | ev.VoteCalled, by: str) -> OpenVote:
    return OpenVote(number, about(game, vote), who(game, by), vote.kind)


def closed_votes(batch: Batch) -> tuple[ClosedVote, ...]:
    """Every vote that these events closed."""
    known: dict[int, Ballot | ev.VoteCalled] = dict(batch.before.votes) if batch.before else {}
    known |= {event.number: event for event in batch.every(ev.VoteCalled)}
    return tuple(_closed(batch, event, known) for event in batch.every(ev.VoteClosed))


def _closed(batch: Batch, event: ev.VoteClosed, known: Mapping[int, Ballot | ev.VoteCalled]) -> ClosedVote:
    game, vote = batch.after, known.get(event.number)

    def those(word: str) -> tuple[Said, ...]:
        return tuple(say("somebody", who=who(game, seat)) for seat, ballot in event.ballots.items() if ballot == word)

    words = ("NO", "YES") if vote and vote.kind == "poll" else ("FAILED", "PASSED")
    subject = about(game, vote) if vote else "vote"
    return ClosedVote(
        event.number, subject, event.passed, those("aye"), those("nay"), those("silent"), words[event.passed],
        _explained(batch, event, known),
    )  # fmt: skip


def _explained(batch: Batch, event: ev.VoteClosed, known: Mapping[int, Ballot | ev.VoteCalled]) -> Text:
    """Why a vote that all wanted did not end the game: it lacked the Gamemaster's word, or another one counted."""
    if event.why in (NO_PLAYER, NO_WORD):
        return say("vote-in-vain", word=event.why == NO_WORD)
    final = [
        one.number for one in batch.every(ev.VoteClosed)
        if one.passed and (vote := known.get(one.number)) is not None and vote.kind in UNANIMOUS
    ]  # fmt: skip
    if event.number not in final or len(final) < 2:
        return ""
    counted = next((number for number in final if _is_the_end(batch.after, known[number])), event.number)
    return say("vote-of-several", counts=counted == event.number, other=counted)


def _is_the_end(game: Game, vote: Ballot | ev.VoteCalled) -> bool:
    return game.ending is not None and (vote.kind, sharing(game, vote)) == (game.ending.how, game.ending.powers)


def about(game: Game, ballot: Ballot | ev.VoteCalled) -> Said:
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
    )
