"""Letters of the ladder and the calendar: hints, letters day by day, warnings, absences, excuses, overdue phases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from judge.game.clock.absences import AbsenceNoted, AbsencesEnded
from judge.game.clock.outages import GraceMoved
from judge.game.core.commands import GM_SEAT
from judge.game.core.events import DeadlineSet, Event, LadderStep
from judge.game.core.model import Game
from judge.game.filing.standing import seats_behind, standings
from judge.game.office.putting_back import GraceRestored
from judge.game.table.vacancies import PlayerExcused
from judge.game.talk.closing import WORD
from judge.report.core.batch import Batch
from judge.report.core.facts import Said, Who, say
from judge.report.core.frame import Reader, moment, who
from judge.report.core.letter import Kind, Letter
from judge.report.seat.desk import desk
from judge.report.table.awaiting import awaited_now
from judge.report.table.calls import LateView, behind, filed_by, lacking, slips_of
from judge.report.table.news import News, news
from judge.report.table.vacancies import asked_to_come, hopefuls
from judge.report.table.votes import about, votes_that_end

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
    return say("ways-on", power=left[0].title(), phase=str(game.phase)) if left else None


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


def _away(batch: Batch, event: AbsenceNoted, reader: Reader) -> Told:
    game, seat = batch.after, who(batch.after, event.seat)
    yield news("away", 3, seat=seat, since=moment(game, event.since), until=moment(game, event.until))


def _back(batch: Batch, event: AbsencesEnded, reader: Reader) -> Told:
    yield news("back", 2, seat=who(batch.after, event.seat))


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
    AbsenceNoted: _away,
    AbsencesEnded: _back,
    GraceMoved: _grace_moved,
    GraceRestored: _grace_restored,
    PlayerExcused: _excused,
}
"""Event -> what it says to a reader."""
