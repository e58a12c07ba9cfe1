"""Answers about the person who asks: what is on file, which games wait for them, all that is kept."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judge.game.core.model import Game, Running
from judge.game.talk.editors import edits
from judge.report.core.answer import Enclosure
from judge.report.core.frame import Member, Office, office_frame, who
from judge.report.core.letter import Kind, Letter, Reply, Thread, plain
from judge.report.core.naming import Moment, Said, Who, phase_fact, say
from judge.report.seat.desk import due, status_of


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
