"""A game that fills up: invitations, news of its seats and of its start, and letters to those who wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.core.commands import GM_SEAT
from judge.game.core.events import Event, GameEnded, GameStarted, PlayerJoined
from judge.game.core.model import Game, Stage
from judge.game.table.filling import (
    FillingSet,
    HopefulLeft,
    JoinedTold,
    ReserveJoined,
    SeatApplied,
    TurnedAway,
    is_full,
    place_in_line,
)
from judge.game.table.seating import StartCalledOff, StartScheduled, begins
from judge.game.table.vacancies import vacant_seats
from judge.languages import tell
from judge.report.core import naming
from judge.report.core.audience import Batch
from judge.report.core.houserules import deadline_rule
from judge.report.core.letter import Cast, Kind, Letter, Member, Reader, Thread, labelled, moment, office_frame, plain
from judge.report.core.naming import Said, say
from judge.report.seat.desk import desk
from judge.report.table.arrivals import preference_words
from judge.report.table.news import News, NoticeView, news


def _applied_news(batch: Batch, event: SeatApplied, reader: Reader) -> Iterator[News]:
    """To the Gamemaster, with what helps to decide."""
    if all(one.number != event.number for one in batch.after.gathering.applicants):
        return
    member = batch.cast.member(event.person)
    wishes = preference_words(batch.after, event.preferences)
    yield news(
        "seat-applied", 8, name=member.name, record=member.record, wishes=wishes, number=event.number,
        count=len(batch.after.seats), of=batch.after.settings.players,
    )  # fmt: skip


def _reserve_news(batch: Batch, event: ReserveJoined, reader: Reader) -> Iterator[News]:
    if place_in_line(batch.after, event.person):
        name = batch.cast.member(event.person).name
        yield news("reserve-joined", 3, name=name, count=len(batch.after.gathering.reserve))


def _left_news(batch: Batch, event: HopefulLeft, reader: Reader) -> Iterator[News]:
    yield news("hopeful-left", 2, name=batch.cast.member(event.person).name)


def joined_news(batch: Batch, event: PlayerJoined, reader: Reader) -> Iterator[News]:
    """To the Gamemaster, when the last seat is taken: who has joined since their last letter. Else the clock tells it
    once a day.
    """
    before = batch.before
    if reader.seat == event.seat or before is None or not is_full(batch.after):
        return  # their welcome says it
    last = batch.every(PlayerJoined)[-1]
    if event is last:
        fresh = [person for person in before.gathering.fresh if batch.after.seat_held_by(person) is not None]
        come = dict.fromkeys((*fresh, *(one.person for one in batch.every(PlayerJoined) if one.by != reader.seat)))
        yield _joined(batch, tuple(come), full=begins(batch.after) is None)


def _told_news(batch: Batch, event: JoinedTold, reader: Reader) -> Iterator[News]:
    fresh = batch.before.gathering.fresh if batch.before is not None else ()
    if come := tuple(person for person in fresh if batch.after.seat_held_by(person) is not None):
        yield _joined(batch, come, full=False)


def _joined(batch: Batch, come: tuple[int, ...], *, full: bool) -> News:
    game, names = batch.after, [batch.cast.member(person).name for person in come]
    return news("joined", 3, names=names, count=len(game.seats), of=game.settings.players, full=full)


def _filling_news(batch: Batch, event: FillingSet, reader: Reader) -> Iterator[News]:
    """That the table was not full in its time and waits on; the first time is in the house rules."""
    game = batch.after
    if not event.again or event.fill_by is None:
        return
    until, gm = moment(game, event.fill_by, reader.member), reader.seat == GM_SEAT
    yield news("not-full", 7, count=len(game.seats), of=game.settings.players, until=until, gm=gm)


def hopeful_letters(batch: Batch) -> Iterator[Letter]:
    """To those who would like a seat and have none: refused, put in line, or the game has begun or ended."""
    if batch.before is None:
        return
    for seq, event in batch.numbered():
        if isinstance(event, TurnedAway):
            yield _letter(batch, f"{seq}/turned-away", event.person, say("turned-away", **_of(batch), why=event.reason))
        elif isinstance(event, ReserveJoined) and event.by == GM_SEAT:
            yield _letter(batch, f"{seq}/in-line", event.person, say("put-in-line", **_of(batch)))
        elif isinstance(event, (GameStarted, GameEnded)) and batch.before.stage is Stage.OPEN:
            yield from _parting(batch, seq, ended=isinstance(event, GameEnded))


def _parting(batch: Batch, seq: int, *, ended: bool) -> Iterator[Letter]:
    """The game goes on without them, or is closed."""
    for one in batch.after.gathering.hopefuls:
        waits = place_in_line(batch.after, one.person) > 0
        said = say("begun-without", **_of(batch), ended=ended, waits=waits and not ended)
        yield _letter(batch, f"{seq}/hopeful", one.person, said)


def _of(batch: Batch) -> dict[str, str]:
    return {"game": batch.after.key}


def _letter(batch: Batch, about: str, person: int, said: Said) -> Letter:
    reader = Reader("", batch.cast.member(person))
    view = NoticeView(say("hopeful-in-short"), (said,), desk(batch.after, "", reader.member))
    return batch.letter(Kind.NOTICE, about, reader, view)


def scheduled_news(batch: Batch, event: StartScheduled, reader: Reader) -> Iterator[News]:
    """To everybody at the table; the last one to join reads it in their welcome."""
    if batch.starts or batch.after.begins != event.begins or _is_welcomed(batch, reader):
        return
    if batch.before is None:
        yield News(say("made-for-players"), weight=1)
    begins, gm = moment(batch.after, event.begins, reader.member), reader.seat == GM_SEAT
    yield news("start-scheduled", 8, seats=batch.after.settings.players, at=begins, gm=gm)


def called_off_news(batch: Batch, event: StartCalledOff, reader: Reader) -> Iterator[News]:
    """The seat that is free again, or the Gamemaster who takes the start into their hands; nothing where somebody from
    the reserve list took the seat at once.
    """
    if batch.after.begins is not None:
        return
    yield news("start-called-off", 7, free=event.free)


def _is_welcomed(batch: Batch, reader: Reader) -> bool:
    return any(event.seat == reader.seat for event in batch.every(PlayerJoined))


@dataclass(frozen=True, slots=True)
class InvitationView:
    """What the game is like. `personal`: an invitation, by word of `gm`, whose
    own words are `words`; else news of a game, to who wished for that. `vacant`: the powers that look for a player, of
    a game that runs; `players`, `wanted`: how full the table is; `until`: a written time, "" for none; `access`: what
    is asked of who joins by themselves; `again`: whether the reader was written to before."""

    game: str
    personal: bool
    gm: str
    variant: str
    pace: Said
    press: str
    players: int
    wanted: int
    vacant: str = ""
    phase: str = ""
    about: str = ""
    words: str = ""
    until: str = ""
    access: str = "open"
    anonymous: bool = False
    again: bool = False
    ends: Said | None = None
    """With which phase the game ends at the latest, and who wins then."""


def invitation(
    game: Game, cast: Cast, reader: Member, *, address: str, key: str, reply_as: str, until: datetime, words: str = "",
    again: bool = False,
) -> Letter:  # fmt: skip
    """To an address, with the token of its ticket in Reply-To; `reader` is nobody where we know no person."""
    shown = naming.short(until, reader.zone or game.settings.zone)
    view = _view(game, cast, personal=True, words=words, until=shown, again=again)
    return _invitation_letter(game, cast, reader, view, key, address=address, reply_as=reply_as)


def advertisement(game: Game, cast: Cast, reader: Member, *, key: str) -> Letter:
    """To somebody who wishes to hear of games."""
    return _invitation_letter(game, cast, reader, _view(game, cast, personal=False), key)


def _view(
    game: Game, cast: Cast, *, personal: bool, words: str = "", until: str = "", again: bool = False
) -> InvitationView:
    settings = game.settings
    running = game.stage is Stage.RUNNING
    return InvitationView(
        game=game.key,
        personal=personal,
        gm=cast.member(game.gm).name,
        variant=labelled(game),
        pace=deadline_rule(settings),
        press=" + ".join(map(tell, settings.press)) or "no",
        players=sum(seat.filled for seat in game.seats.values()),
        wanted=settings.players,
        vacant=game.named(power for seat in vacant_seats(game) for power in seat.powers) if running else "",
        phase=game.phase_title if running else "",
        about=settings.about,
        words=words,
        until=until,
        access=settings.access,
        anonymous=settings.anonymous,
        again=again,
        ends=say("invitation-ends", after=game.end_after, winner=settings.short_winner) if game.end_after else None,
    )


def _invitation_letter(
    game: Game, cast: Cast, reader: Member, view: InvitationView, key: str, *, address: str = "", reply_as: str = ""
) -> Letter:
    return Letter(
        kind=Kind.INVITATION,
        idem_key=key,
        view={"frame": plain(office_frame(reader, cast.office)), **plain(view)},
        game=game.key,
        person=reader.person,
        address=address,
        reply_as=reply_as,
        thread=Thread.ALONE,
    )


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    SeatApplied: _applied_news,
    ReserveJoined: _reserve_news,
    HopefulLeft: _left_news,
    FillingSet: _filling_news,
    PlayerJoined: joined_news,
    JoinedTold: _told_news,
    StartScheduled: scheduled_news,
    StartCalledOff: called_off_news,
}
"""For the table of notices."""
