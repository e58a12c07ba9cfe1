"""The answer to `my games`: what each game of a person asks of them and by when, the earliest deadline first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judge.game.core.model import Game, Running
from judge.game.office.offices import acting_deputy
from judge.game.talk.editors import edits
from judge.report.core.answer import Enclosure
from judge.report.core.cast import Member
from judge.report.core.facts import Moment, Said, Who, phase_fact, say
from judge.report.core.frame import who
from judge.report.core.letter import plain
from judge.report.seat.desk import due, status_of


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
    held = game.seats.get(seat)
    phase = phase_fact(game, str(game.phase)) if game.phase is not None else None
    status = status_of(game, held) if held is not None and isinstance(game, Running) else None
    role = who(game, seat) if seat else Who(_beside(game, member.person, now))
    return AgendaRow(game.key, say("agenda", of=role, phase=phase, status=status), due(game, member))


def _beside(game: Game, person: int, now: datetime) -> str:
    """What somebody without a seat is to a game."""
    if acting_deputy(game, person, now):
        return "deputy"
    return "editor" if edits(game, person) else "observer"
