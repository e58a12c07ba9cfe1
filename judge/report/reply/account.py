"""Answers about the person who asks: what is on file, which games wait for them, what they were told and have said, all
that is kept.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.core.commands import GM_SEAT
from judge.game.core.events import (
    Event,
    GameCreated,
    GamemasterChanged,
    PlayerJoined,
    PressSent,
    SeatFilled,
    SeatVacated,
)
from judge.game.core.model import Game, Running
from judge.game.talk.press import PressRecalled, edits
from judge.report.core.letter import (
    Enclosure,
    Kind,
    Letter,
    Member,
    Office,
    Plain,
    Reply,
    Thread,
    moment,
    office_frame,
    plain,
    who,
)
from judge.report.core.naming import Moment, PhaseFact, Said, Text, Who, phase_fact, power_name, say
from judge.report.seat.desk import due, status_of
from judge.report.table.talk import addressees


@dataclass(frozen=True, slots=True)
class AddressFact:
    """One address: whether letters go there, whether its owner has proved it, whether it is silenced by bounces."""

    address: str
    of_record: bool
    proved: bool
    silent: bool


@dataclass(frozen=True, slots=True)
class AccountView:
    """A person. `zone`: "" where none is known; `page`, `pictures`, `calendar`: what comes with a letter's text;
    `observes`: names of games, with `digest` in one letter now and then; `edits`: games of which they are an editor;
    `queues`: kinds of games waited for; `zines`: what they are to which zine, in words.
    """

    name: str
    zone: str
    addresses: tuple[AddressFact, ...]
    password: bool
    reminders: bool
    page: bool
    pictures: bool
    calendar: bool
    plays: tuple[tuple[str, str], ...] = ()
    """(as whom, in which game) for every game that is not over."""
    observes: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    digest: bool = False
    queues: tuple[str, ...] = ()
    zines: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def account_enclosure(view: AccountView) -> Enclosure:
    """The view as something to enclose in a receipt."""
    return Enclosure("account", plain(view))


@dataclass(frozen=True, slots=True)
class AgendaRow:
    """One game: `standing` says as whom, at which phase, and how the orders stand; `due`: None where nothing is."""

    game: str
    standing: Said
    due: Moment | None


@dataclass(frozen=True, slots=True)
class AgendaView:
    """The games that are not over, by what is due first."""

    games: tuple[AgendaRow, ...]
    ignored: tuple[str, ...] = ()


def agenda_view(games: Iterable[tuple[Game, str]], member: Member, now: datetime) -> Enclosure:
    """`games`: each with the reader's seat in it, "" for one that they only read."""
    running = sorted(games, key=lambda one: (not isinstance(one[0], Running), *_order(one[0])))
    return Enclosure("agenda", plain(AgendaView(tuple(_row(game, seat, member, now) for game, seat in running))))


def _order(game: Game) -> tuple[str, str]:
    return game.deadline.at.isoformat() if game.deadline is not None else "", game.key


def _row(game: Game, seat: str, member: Member, now: datetime) -> AgendaRow:
    held = game.seats.get(seat) or game.seat_played_by(member.person, now)
    phase = phase_fact(game, str(game.phase)) if game.phase is not None else None
    status = status_of(game, held) if held is not None and isinstance(game, Running) else None
    place = held.id if held is not None else seat
    role = who(game, place) if place else Who(_beside(game, member.person, now))
    return AgendaRow(game.key, say("agenda", of=role, phase=phase, status=status), due(game, member))


def _beside(game: Game, person: int, now: datetime) -> str:
    """What somebody without a seat is to a game."""
    if game.is_deputy(person, now):
        return "deputy"
    return "editor" if edits(game, person) else "observer"


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file that goes along: its name, media type and bytes in Base64."""

    name: str
    type: str
    base64: str


@dataclass(frozen=True, slots=True)
class DossierView:
    """How many mails from the reader and letters to them are in the file, and how many found no room there."""

    mails: int
    letters: int
    left_out: int
    files: tuple[PackedFile, ...]


def dossier_letter(
    member: Member, office: Office, data: bytes, *, mails: int, letters: int, left_out: int, day: str
) -> Letter:
    """The letter, to the address of record; one for a person and `day`."""
    file = PackedFile("my-data.zip", "application/zip", b64encode(data).decode("ascii"))
    return Letter(
        kind=Kind.DOSSIER,
        idem_key=f"judge/{Kind.DOSSIER}/p{member.person}/{day}",
        view={
            "frame": plain(office_frame(member, office)),
            "reply": plain(Reply()),
            **plain(DossierView(mails, letters, left_out, (file,))),
        },
        person=member.person,
        thread=Thread.ALONE,
    )


AT_HAND = 20
"""So many pieces of press stand in the letter itself, the last ones; the file has all."""


@dataclass(frozen=True, slots=True)
class PressPiece:
    """One piece of press. `sent`: by the reader; `source`: who signed it, `claims`: what black press calls itself."""

    at: Moment
    phase: PhaseFact | None
    number: int
    colour: str
    sent: bool
    source: Text | None
    claims: str
    to: Text
    text: str


@dataclass(frozen=True, slots=True)
class CorrespondenceView:
    """Press of one reader, oldest first. `others`: with whom, none for everybody; `since`, `until`: the bounds asked
    for; `shown`: how many of the last ones the letter prints.
    """

    game: str
    others: tuple[str, ...]
    since: str
    until: str
    pieces: tuple[PressPiece, ...]
    shown: int
    ignored: tuple[str, ...] = ()


def correspondence_view(
    game: Game, others: Sequence[str], stretch: tuple[str, str], pieces: Sequence[PressPiece]
) -> Enclosure:
    """The answer to `press with`."""
    names = tuple(power_name(one, game.board) for one in others)
    view = CorrespondenceView(game.key, names, *stretch, tuple(pieces), min(AT_HAND, len(pieces)))
    return Enclosure("correspondence", plain(view))


@dataclass(frozen=True, slots=True)
class PressLetter:
    """A letter of press as it was stored: when it was written, and the view that its reader got."""

    at: datetime
    view: Mapping[str, Any]


def got(game: Game, letter: PressLetter, phase: str) -> PressPiece:
    """Press that came, as it was told then."""
    told = letter.view
    source = Plain(told["source"]) if told["source"] else None
    return PressPiece(
        moment(game, letter.at), phase_fact(game, phase) if phase else None, told["number"], told["colour"],
        sent=False, source=source, claims=told["claims"], to=Plain(told["to"]), text=told["text"],  # type: ignore[arg-type]
    )  # fmt: skip


def sent(game: Game, event: PressSent, phase: str) -> PressPiece:
    """Press that the reader wrote."""
    claims = event.dateline if event.colour == "black" else ""
    return PressPiece(
        moment(game, event.at), phase_fact(game, phase) if phase else None, event.number, event.colour,
        sent=True, source=None, claims=claims, to=addressees(game, event.to), text=event.text,
    )  # fmt: skip


def written_by(events: Iterable[Event], person: int) -> Iterator[PressSent]:
    """The press that a person sent, from whatever seat was theirs at the time, but for what they recalled."""
    known = tuple(events)
    recalled = {event.number for event in known if isinstance(event, PressRecalled)}
    seats: set[str] = set()
    for event in known:
        if isinstance(event, (PlayerJoined, SeatFilled)):
            (seats.add if event.person == person else seats.discard)(event.seat)
        elif isinstance(event, GameCreated):
            (seats.add if event.gm == person else seats.discard)(GM_SEAT)
        elif isinstance(event, GamemasterChanged):
            (seats.add if event.person == person else seats.discard)(GM_SEAT)
        elif isinstance(event, SeatVacated):
            seats.discard(event.seat)
        elif isinstance(event, PressSent) and event.by in seats and event.number not in recalled:
            yield event


# --- letters ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PastLetter:
    """A letter that the reader got, or press that they sent: its subject and text, and where a word was found in it."""

    at: Moment
    phase: PhaseFact | None
    subject: Text
    text: str
    found: str = ""


@dataclass(frozen=True, slots=True)
class PastLettersView:
    """Letters of one reader about a game, oldest first. `words`: what was looked for; `more`: how many older ones there
    would be.
    """

    game: str
    since: str
    until: str
    words: tuple[str, ...]
    letters: tuple[PastLetter, ...]
    more: int = 0
    ignored: tuple[str, ...] = ()


def letters_view(
    game: Game, stretch: tuple[str, str], letters: Sequence[PastLetter], *, words: Sequence[str] = (), more: int = 0
) -> Enclosure:
    """The answer to `letters` and to `search`."""
    return Enclosure("letters", plain(PastLettersView(game.key, *stretch, tuple(words), tuple(letters), more)))


def past_letter(game: Game, at: datetime, phase: str, subject: Text, text: str, found: str = "") -> PastLetter:
    """One of them."""
    return PastLetter(moment(game, at), phase_fact(game, phase) if phase else None, subject, text, found)


def own_press(number: int, to: Said) -> Said:
    """What stands for a subject where the reader's own press is listed."""
    return say("own-press", number=number, to=to)


_AROUND = 30


def excerpt(text: str, word: str) -> str:
    """A word with what stands around it, on one line; "" where it does not stand there.

    >>> excerpt("We leave the Channel\\nempty this year.", "channel")
    'We leave the Channel empty this year.'
    """
    flat = " ".join(text.split())
    at = flat.casefold().find(word)
    if at < 0:
        return ""
    start, end = max(0, at - _AROUND), at + len(word) + _AROUND
    return f"{'...' if start else ''}{flat[start:end].strip()}{'...' if end < len(flat) else ''}"
