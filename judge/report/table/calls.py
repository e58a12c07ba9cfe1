"""Calls for orders and what follows when none come: reminders, the late call, warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from judge.game.clock.extensions import AHEAD
from judge.game.clock.ladder import only_slips
from judge.game.clock.outages import GraceMoved
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import DeadlineSet, Event, LadderStep
from judge.game.core.model import Game, Running
from judge.game.filing.standing import seats_behind, standings
from judge.game.office.undoing import GraceRestored
from judge.game.table.vacancies import PlayerExcused
from judge.game.talk.closing import WORD
from judge.report.core.batch import Batch
from judge.report.core.frame import Reader, moment, who
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import Moment, Said, Text, Who, power_name, say
from judge.report.seat.desk import Desk, desk, due, open_lines
from judge.report.seat.form import filed_lines
from judge.report.table.awaiting import awaited_now, called_late
from judge.report.table.news import News, news
from judge.report.table.vacancies import asked_to_come, hopefuls
from judge.report.table.votes import about, votes_that_end


@dataclass(frozen=True, slots=True)
class ReminderView:
    """What is missing, by when, and the form to send it with. `hours`: until the deadline, as the ladder has it;
    `extension`: until when a free extension may still be asked for, None where none is to be had any more; `gm`: who
    asks, where it is the Gamemaster and not the clock, in their own `words`."""

    desk: Desk
    hours: int
    missing: Said
    extension: Said | None
    gm: str = ""
    words: str = ""


def reminders(batch: Batch) -> Iterator[Letter]:
    """Only to those with something missing, once per rung and version of the deadline."""
    game = batch.after
    if not isinstance(game, Running):
        return
    for event in batch.every(ev.ReminderDue):
        for reader in batch.told(event):
            about = f"{game.phase}/d{event.version}/{event.rung}h"
            more_time = _may_extend(game, reader, event.at)
            at_desk = desk(game, reader.seat, reader.member, lacking=True)
            if more_time is None:
                at_desk = replace(at_desk, acts=tuple(act for act in at_desk.acts if act != "extension"))
            view = ReminderView(at_desk, event.rung, missing_orders(game, reader, event.at), more_time)
            yield batch.letter(Kind.REMINDER, about, reader, view)


def missing_orders(game: Running, reader: Reader, at: datetime) -> Said:
    """That orders are missing, all or some of them, how long there is still time, and what may end the game first."""
    left, votes = round((game.deadline.at - at).total_seconds() / 3600), votes_that_end(game)
    return say("reminded", lacking=lacking(game, reader.seat), due=due(game, reader.member), hours=left, votes=votes)


def _may_extend(game: Running, reader: Reader, at: datetime) -> Said | None:
    """Until when the reader may ask for a free extension, as a sentence; None if they have none left, or less than an
    hour to ask for it.
    """
    seat, last = game.seats[reader.seat], game.deadline.at - AHEAD
    if seat not in game.active_seats or not game.extensions_left(seat) or last - at < timedelta(hours=1):
        return None
    left = game.extensions_left(seat)
    return say("may-extend", until=moment(game, last), left=left, most=game.settings.extensions)


@dataclass(frozen=True, slots=True)
class LateView:
    """`personal`: to somebody who is late; the others read `late`, the powers of so many `players`. `grace`: the end of
    the suspension, None if it has none. `why`: what the late player's orders lack; `filed`: the orders that are here;
    `frozen`: whether the others' stand as they are; `plays`: whether the reader orders anything; `waits`: on a
    mail that came in time."""

    desk: Desk
    personal: bool
    late: tuple[str, ...]
    grace: Moment | None
    why: Said
    filed: tuple[Text, ...] = ()
    frozen: bool = False
    plays: bool = True
    waits: tuple[Text, ...] = ()
    players: int = 0
    slips: bool = False
    """Whether all that the reader lacks are lines to be put right: that costs nobody the seat."""


def lacking(game: Game, seat: str) -> Said:
    """What is missing of a late player's orders: lines to put right, or all of them."""
    held = game.seats.get(seat)
    filed = held is not None and any(filed_lines(game, power) for power in held.powers)
    return say("lacking", lines=len(open_lines(game, held)), filed=filed)


def behind(game: Game, seat: str) -> Who:
    """The powers of a late seat whose orders the game waits for, without those that are complete."""
    powers = game.seats[seat].powers
    late = [one.power for one in standings(game) if one.late and one.power in powers]
    return Who("powers", tuple(power_name(power, game.board) for power in late or powers))


def slips_of(game: Game, seat: str) -> bool:
    """Whether a seat is late for lines to be put right alone, with orders on file."""
    held = game.seats.get(seat)
    return held is not None and held in seats_behind(game) and only_slips(game, held)


def filed_by(game: Game, seat: str) -> tuple[Text, ...]:
    """All orders on file of a seat, spelled out."""
    held = game.seats.get(seat)
    return tuple(line for power in (held.powers if held else ()) for line in filed_lines(game, power))


def late_calls(batch: Batch) -> Iterator[Letter]:
    """The late players first and personally, then everybody."""
    hidden = batch.after.settings.hide_late
    for event in batch.every(ev.LateCalled):
        if not event.seats or dismissed_at_once(batch):
            continue
        names = tuple(name for seat in event.seats for name in behind(batch.after, seat).names)
        everyone = sorted(batch.told(event), key=lambda reader: reader.seat not in event.seats)
        for reader in everyone:
            view = LateView(
                desk=replace(desk(batch.after, reader.seat, reader.member), due=None),
                personal=reader.seat in event.seats,
                late=() if hidden and reader.seat != GM_SEAT else names,
                grace=moment(batch.after, event.grace, reader.member) if event.grace else None,
                why=lacking(batch.after, reader.seat),
                slips=slips_of(batch.after, reader.seat),
                filed=filed_by(batch.after, reader.seat) if reader.seat in event.seats else (),
                frozen=batch.after.settings.freeze_others,
                plays=reader.seat in batch.after.seats,
                waits=called_late(batch, reader),
                players=len(event.seats),
            )
            yield batch.letter(Kind.LATE, f"{batch.after.phase}/d{event.version}", reader, view)


def dismissed_at_once(batch: Batch) -> bool:
    """Whether there is no time of grace, so that the events that call a player late also take the seat away."""
    return batch.has(ev.LateCalled) and any(event.why == "nmr" for event in batch.every(ev.SeatVacated))


Told = Iterator[News]


def grace_letters(batch: Batch) -> Iterator[Letter]:
    """To those who are late, day by day while the game waits for them: what is missing, until when, and the form."""
    for event in batch.every(LadderStep):
        if event.kind != "grace" or batch.after.deadline is None:
            continue
        grace = batch.after.deadline.grace
        for reader in batch.readers():
            if reader.seat not in event.seats:
                continue
            view = LateView(
                desk=replace(desk(batch.after, reader.seat, reader.member), due=None),
                personal=True,
                late=(),
                grace=moment(batch.after, grace, reader.member) if grace else None,
                why=lacking(batch.after, reader.seat),
                slips=slips_of(batch.after, reader.seat),
                filed=filed_by(batch.after, reader.seat),
            )
            about = f"{batch.after.phase}/d{event.version}/day{event.number}"
            yield batch.letter(Kind.LATE, about, reader, view)


def _step(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    tell = _STEPS.get(event.kind)
    if tell is not None:
        yield from tell(batch, event, reader)


def _late(game: Game, key: str) -> bool:
    return any(seat.id == key for seat in seats_behind(game))


def _all(game: Game, seats: tuple[str, ...]) -> list[Who]:
    return [who(game, seat) for seat in seats]


def _to_gamemaster(key: str, weight: int) -> Callable[[Batch, LadderStep, Reader], Told]:
    """A step that is the Gamemaster's affair alone."""

    def tell(batch: Batch, event: LadderStep, reader: Reader) -> Told:
        if reader.seat == GM_SEAT:
            owing = event.kind in ("hint", "grace")
            late = [key for key in event.seats if not owing or _late(batch.after, key)]
            seats = [behind(batch.after, key) for key in late] if owing else _all(batch.after, event.seats)
            partly = _all(batch.after, tuple(key for key in event.seats if key not in late))
            votes = votes_that_end(batch.after)
            ways = ways_to_go_on(batch.after, event.seats)
            asked = len(asked_to_come(batch, warning=event.kind == "standby"))
            filed = bool(event.seats) and all(filed_by(batch.after, seat) for seat in event.seats)
            powers = [name for one in seats for name in one.names]
            yield news(
                key, weight, seats=seats, number=event.number, votes=votes, asked=asked, ways=ways, filed=filed,
                powers=powers, hopefuls=hopefuls(batch), partly=partly,
            )  # fmt: skip

    return tell


def ways_to_go_on(game: Game, seats: tuple[str, ...]) -> Said | None:
    """How the Gamemaster goes on with a vacant seat: the lines that do it. None where no power of these is free."""
    vacant = [seat for key in seats if (seat := game.seats.get(key)) is not None and not seat.filled]
    left = [power for seat in vacant for power in seat.powers if power in game.survivors]
    return say("ways-on", power=left[0].title(), phase=str(game.phase), several=len(left) > 1) if left else None


def _waiting(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    filed = bool(filed_by(batch.after, reader.seat))
    yield news("ladder-waiting", 6, seats=_all(batch.after, event.seats), filed=filed)


def _overdue(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    game = batch.after
    if reader.seat == GM_SEAT:
        behind = bool(seats_behind(game))
        yield news("ladder-overdue", 8, behind=behind, hours=event.number, reason=event.reason.rstrip("."))
    elif event.number >= game.settings.results_within.total_seconds() / 3600:
        word, then = awaited_now(game, event.at), meanwhile(game, reader)
        yield news("results-overdue", 8, within=game.settings.results_within, awaited=word, meanwhile=then)


def meanwhile(game: Game, reader: Reader) -> Said | None:
    """What a delay means for the reader's own orders: what is on file stays there, what is missing may still come."""
    seat = game.seats.get(reader.seat)
    if seat is None or game.deadline is None:
        return None
    asked = [one for one in standings(game) if one.power in seat.powers]
    if not asked:
        return None
    return say("meanwhile", missing=any(one.late for one in asked), late=seat.id in game.deadline.late)


def landed(game: Game, event: DeadlineSet) -> Said | None:
    """Past whose absence and which holidays the calendar has moved a deadline on; None where it has not."""
    if not event.beyond and not event.holidays:
        return None
    beyond = [who(game, one) for one in event.beyond]
    return say("deadline-landed", beyond=beyond, holidays=event.holidays, next=event.why != "reopened")


def _word(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    ballot = batch.after.votes.get(event.number)
    last = [one for one in batch.every(LadderStep) if (one.kind, one.number) == (event.kind, event.number)][-1]
    if reader.seat == GM_SEAT and ballot is not None and event is last:
        yield news("ladder-word", 8, number=event.number, about=about(batch.after, ballot))


_STEPS: dict[str, Callable[[Batch, LadderStep, Reader], Told]] = {
    "hint": _to_gamemaster("ladder-hint", 3),
    "grace": _to_gamemaster("ladder-grace", 3),
    "standby": _to_gamemaster("ladder-standby", 2),
    "waiting": _waiting,
    "vacant": _to_gamemaster("ladder-vacant", 4),
    "wanted": _to_gamemaster("ladder-wanted", 4),
    "overdue": _overdue,
    WORD: _word,
}


def _grace_moved(batch: Batch, event: GraceMoved, reader: Reader) -> Told:
    old = batch.before.deadline if batch.before is not None else None
    until = moment(batch.after, event.until, reader.member)
    was = moment(batch.after, old.grace) if old is not None and old.grace is not None else None
    if event.why in ("outage", "returned", "resumed"):
        weight = {"outage": 7, "returned": 4, "resumed": 8}[event.why]
        yield news("grace-moved", weight, why=event.why, until=until, was=was)


def _grace_restored(batch: Batch, event: GraceRestored, reader: Reader) -> Told:
    old = batch.before.deadline if batch.before is not None else None
    until = moment(batch.after, event.until, reader.member) if event.until is not None else None
    was = moment(batch.after, old.at) if old is not None else None
    yield news("grace-restored", 8, until=until, was=was)


def _excused(batch: Batch, event: PlayerExcused, reader: Reader) -> Told:
    yield news("excused", 7, seat=who(batch.after, event.seat), reason=event.reason)


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Told]] = {
    LadderStep: _step,
    GraceMoved: _grace_moved,
    GraceRestored: _grace_restored,
    PlayerExcused: _excused,
}
"""Event -> what it says to a reader."""
