"""What the ladder and the calendar say: hints, letters day by day, warnings, absences, excuses, overdue phases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.game.clock.absences import AbsenceNoted, AbsencesEnded
from judge.game.clock.ladder import LadderStep
from judge.game.clock.outages import GraceMoved
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.game.filing.standing import seats_behind, standings
from judge.game.settings.spans import spell_span
from judge.game.table.vacancies import PlayerExcused
from judge.game.talk.ballots import WORD
from judge.report import times
from judge.report.awaiting import awaited_now
from judge.report.batch import Batch
from judge.report.desk import desk
from judge.report.frame import Reader, seat_does, seat_title, seats_do
from judge.report.letter import Kind, Letter
from judge.report.naming import few, joined, kept
from judge.report.news import News, because, sentence_start
from judge.report.talk import about
from judge.report.turns import LateView, filed_by, lacking

Told = Iterator[News]


def grace_letters(batch: Batch) -> Iterator[Letter]:
    """To those who are late, day by day while the game waits for them: what is missing, until when, and the form."""
    zone = batch.after.settings.zone
    for event in batch.every(LadderStep):
        if event.kind != "grace" or batch.after.deadline is None:
            continue
        grace = batch.after.deadline.grace
        for reader in batch.readers():
            if reader.seat not in event.seats:
                continue
            view = LateView(
                desk=replace(desk(batch.after, reader.seat, reader.member), due="", due_own=""),
                personal=True,
                late=(),
                grace=times.deadline(grace, zone) if grace else "",
                grace_own=times.theirs(grace, zone, reader.member.zone) if grace else "",
                subject=times.short(grace, zone) if grace else "",
                why=lacking(batch.after, reader.seat),
                filed=filed_by(batch.after, reader.seat),
            )
            about = f"{batch.after.phase}/d{event.version}/day{event.number}"
            yield batch.letter(Kind.LATE, about, reader, view)


def _step(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    tell = _STEPS.get(event.kind)
    if tell is not None:
        yield from tell(batch, event, reader)


def _names(game: Game, seats: tuple[str, ...]) -> str:
    return joined(seat_title(game, seat) for seat in seats)


def _few(game: Game, seats: tuple[str, ...]) -> str:
    """For a subject."""
    return few([seat_title(game, seat) for seat in seats], "player")


def _hint(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    if reader.seat != GM_SEAT:
        return
    names = _names(batch.after, event.seats)
    sentence = f"{sentence_start(names)} did not answer two reminders. A word from you may help."
    yield News(sentence, f"no answer from {_few(batch.after, event.seats)}", 3)


def _grace(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    if reader.seat == GM_SEAT:
        names = _names(batch.after, event.seats)
        sentence = f"Still no orders from {names}, {_days(event.number)} after the deadline."
        yield News(sentence, f"waiting for {_few(batch.after, event.seats)}", 3)


def _days(number: int) -> str:
    return "a day" if number == 1 else f"{number} days"


def _standby(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    if reader.seat == GM_SEAT:
        names = _names(batch.after, event.seats)
        yield News(f"Whoever stands by has been told that {names} may need a player.", "standbys warned", 2)


def _waiting(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    have = seats_do(batch.after, event.seats, "has")
    sentence = f"The deadline has passed; {have} no player, so the phase waits for one. Your orders stay on file."
    yield News(sentence, f"waiting for a player for {_few(batch.after, event.seats)}", 6)


def _wanted(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    if reader.seat == GM_SEAT:
        names = _names(batch.after, event.seats)
        sentence = f"Nobody has taken {names} yet; whoever stands by has been asked again. You may also assign it."
        yield News(sentence, f"still no player for {names}", 4)


def _overdue(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    game = batch.after
    if reader.seat == GM_SEAT:
        every = "Every set that is needed is in, but for" if not seats_behind(game) else "For"
        why = f": {event.reason.rstrip('.')}." if event.reason else ". See what stands in the way."
        yield News(f"{every} {event.number} hours nothing has been processed{why}", f"{event.number} hours overdue", 8)
    elif event.number >= game.settings.results_within.total_seconds() / 3600:
        promised = spell_span(game.settings.results_within)
        why = "a mail is not confirmed yet" if awaited_now(game, event.at) else "there is a technical reason"
        sentence = f"Results were promised within {promised} and are late: {why}. {meanwhile(game, reader)}"
        yield News(sentence.strip(), "results delayed", 8)


def meanwhile(game: Game, reader: Reader) -> str:
    """What a delay means for the reader's own orders: what is on file stays there, what is missing may still come."""
    seat = game.seats.get(reader.seat)
    if seat is None or game.deadline is None:
        return ""
    asked = [one for one in standings(game) if one.power in seat.powers]
    if not asked:
        return ""
    if not any(one.late for one in asked):
        return "Your orders are on file and stay there."
    if seat.id in game.deadline.late:
        return "Your orders are still missing; they can come in as long as that lasts."
    return "Your orders are not in yet; as long as that lasts you may send them, and you are not called late."


def _word(batch: Batch, event: LadderStep, reader: Reader) -> Told:
    ballot = batch.after.votes.get(event.number)
    if reader.seat != GM_SEAT or ballot is None:
        return
    reply = f"carry vote {event.number}"
    sentence = (
        f"All who play have said aye to vote {event.number}, {about(batch.after, ballot)}. With so few players "
        f"left it ends the game only with your word. Reply with: {kept(reply)}"
    )
    yield News(sentence, f"vote {event.number} waits for your word", 8)


_STEPS: dict[str, Callable[[Batch, LadderStep, Reader], Told]] = {
    "hint": _hint,
    "grace": _grace,
    "standby": _standby,
    "waiting": _waiting,
    "wanted": _wanted,
    "overdue": _overdue,
    WORD: _word,
}


def _away(batch: Batch, event: AbsenceNoted, reader: Reader) -> Told:
    gone = seat_does(batch.after, event.seat, "is")
    since, until = (_written(batch.after, moment) for moment in (event.since, event.until))
    sentence = f"{gone} away from {since} to {until}. Deadlines to come skip that time; the present one stays."
    yield News(sentence, f"{gone} away", 3)


def _back(batch: Batch, event: AbsencesEnded, reader: Reader) -> Told:
    back = f"{seat_does(batch.after, event.seat, 'is')} back"
    yield News(f"{back}; deadlines are set as usual again.", back, 2)


def _grace_moved(batch: Batch, event: GraceMoved, reader: Reader) -> Told:
    zone, old = batch.after.settings.zone, batch.before.deadline if batch.before is not None else None
    own = times.theirs(event.until, zone, reader.member.zone)
    until = _written(batch.after, event.until) + (f" (yours: {own})" if own else "")
    was, course = "", ""
    if old is not None and old.grace is not None:
        was, course = _written(batch.after, old.grace), times.apart(old.grace, event.until, zone)
    then = f", {course}; it would have ended {was}" if course else ""
    if event.why == "outage":
        yield News(f"The judge was out of reach for a while; the time of grace now ends {until}{then}.", "more time", 7)
    elif event.why == "returned":
        short = times.short(event.until, zone)
        yield News(f"The game waits for the orders until {until}.", f"grace until {short}", 4)
    elif event.why == "resumed":
        short = times.short(event.until, zone)
        yield News(f"The time of grace goes on, and now ends {until}{then}.", f"grace until {short}", 8)


def _excused(batch: Batch, event: PlayerExcused, reader: Reader) -> Told:
    excused = f"{seat_does(batch.after, event.seat, 'is')} excused"
    yield News(f"{excused}; what was missed does not count.{because(event.reason)}", excused, 7)


def _written(game: Game, moment: datetime) -> str:
    return times.deadline(moment, game.settings.zone)


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Told]] = {
    LadderStep: _step,
    AbsenceNoted: _away,
    AbsencesEnded: _back,
    GraceMoved: _grace_moved,
    PlayerExcused: _excused,
}
"""Event -> what it says to a reader."""
