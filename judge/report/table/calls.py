"""Calls for orders: reminders before a deadline, and the late call after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game.clock.extensions import AHEAD
from judge.game.clock.ladder import only_slips
from judge.game.clock.nudging import PlayersNudged
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Running
from judge.game.filing.standing import seats_behind, standings
from judge.report.core.batch import Batch
from judge.report.core.facts import Moment, Said, Text, Who, say
from judge.report.core.frame import Reader, moment
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import power_name
from judge.report.seat.desk import Desk, desk, due
from judge.report.seat.form import filed_lines
from judge.report.seat.openlines import open_lines
from judge.report.table.awaiting import called_late
from judge.report.table.votes import votes_that_end


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


def nudges(batch: Batch) -> Iterator[Letter]:
    """The Gamemaster's reminder, to those whom it names; after the deadline too."""
    game = batch.after
    for seq, event in batch.numbered():
        if not isinstance(event, PlayersNudged) or not isinstance(game, Running):
            continue
        hours = max(0, round((game.deadline.at - event.at).total_seconds() / 3600))
        for reader in batch.told(event):
            at_desk = desk(game, reader.seat, reader.member, lacking=True)
            missing = _missing(game, reader, event.at)
            if game.deadline.called:
                missing = say("nudged-late", lacking=lacking(game, reader.seat), due=due(game, reader.member))
            name = batch.cast.member(event.deputy or game.gm).name
            view = ReminderView(at_desk, hours, missing, None, gm=name, words=event.words)
            yield batch.letter(Kind.REMINDER, f"{seq}/nudge", reader, view)


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
            view = ReminderView(at_desk, event.rung, _missing(game, reader, event.at), more_time)
            yield batch.letter(Kind.REMINDER, about, reader, view)


def _missing(game: Running, reader: Reader, at: datetime) -> Said:
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
    `frozen`: whether the others' stand as they are (B29); `plays`: whether the reader orders anything; `waits`: on a
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
    """The late players first and personally, then everybody (B23)."""
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
