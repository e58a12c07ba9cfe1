"""Calls for orders and what follows when none come: reminders, the late call, warnings.

Letters to people without a seat: a power needs a player, or may need one soon.

Letters about mails that wait to be confirmed: to the person who is to confirm, to the Gamemaster, to the others.

Each reads what is so for them: whether the turn waits at all, until when, what stands without the word, and how to end
the waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from judge.game.clock.clockwork import WordAwaited, holds_up, until_at_most
from judge.game.clock.extensions import AHEAD
from judge.game.clock.ladder import only_slips
from judge.game.clock.schedule import GraceMoved
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, HeldMail
from judge.game.core.events import DeadlineSet, Event, LadderStep
from judge.game.core.model import Game, Running
from judge.game.core.parts import Seat
from judge.game.core.reasons import reason_told
from judge.game.filing.standing import seats_behind, standings
from judge.game.office.undoing import GraceRestored
from judge.game.table.substitutes import SubstituteSought, line_to_take
from judge.game.table.vacancies import PlayerExcused, may_come
from judge.game.talk.closing import WORD
from judge.languages import tell
from judge.orders.spelled import listed, unit_text
from judge.report.core.audience import Batch
from judge.report.core.letter import Kind, Letter, Reader, moment, who
from judge.report.core.naming import Moment, Said, Text, Who, agreed, many, power_name, say
from judge.report.seat.desk import Desk, desk, due, filed_lines, open_lines
from judge.report.table.news import News, news
from judge.report.table.votes import about, votes_that_end

OF_MAIL = "mail:"
"""Prefix of a letter's `reply_as`: answers go to the confirmation of a held mail, by its number."""


@dataclass(frozen=True, slots=True)
class AwaitedView:
    """To the one whose word is awaited. `numbers`: of the mails; `came`: when the first of them did; `until`: how long
    the turn waits at most; `late`: the game waits for the reader's orders anyway; `others`: the numbers of the mails
    beside the one that this letter asks about, `asked`; `on_file`: what stands without the word."""

    numbers: Said
    came: Moment
    until: Moment
    late: bool
    asked: int
    others: tuple[str, ...]
    on_file: Said | None


def word_letters(batch: Batch) -> Iterator[Letter]:
    """One letter for each seat and phase; an answer to it is the word about the mail that came last."""
    game = batch.after
    for event in batch.every(WordAwaited):
        for reader in batch.readers():
            if reader.seat != event.seat:
                continue
            view = AwaitedView(
                numbers=_numbers(event.mails),
                came=moment(game, event.came),
                until=moment(game, event.until, reader.member),
                late=event.late,
                asked=event.mails[-1],
                others=tuple(map(str, event.mails[:-1])),
                on_file=on_file(game, event.seat),
            )
            letter = batch.letter(Kind.AWAITED, f"{event.phase}/{event.mails[-1]}", reader, view)
            yield replace(letter, reply_as=f"{OF_MAIL}{event.mails[-1]}")


def called_late(batch: Batch, reader: Reader) -> tuple[Text, ...]:
    """For the letter that calls somebody late: sentences about mails in their name that wait to be confirmed."""
    if reader.seat == GM_SEAT:
        return tuple(item.said for event in batch.every(WordAwaited) for item in _word_awaited(batch, event))
    return tuple(
        say("late-but-word", numbers=_numbers(event.mails), several=len(event.mails) > 1)
        for event in batch.every(WordAwaited)
        if event.seat == reader.seat
    )


def on_file(game: Game, seat: str) -> Said | None:
    """Which orders of a seat are on file, named by the moment of their receipt; None if there are none."""
    held = game.seats.get(seat)
    sheets = [game.sheets[power] for power in held.powers if power in game.sheets] if held else []
    filed = [sheet.filed_at for sheet in sheets if sheet.lines and sheet.filed_at is not None]
    return say("set-of", at=moment(game, max(filed))) if filed else None


def outlook(game: Game, mail: HeldMail | None, seat: str, now: datetime) -> Said | None:
    """For the letter that asks for a word: whether the turn waits for it, and what stands without it. `mail`: None
    where the turn never waits, as for a mail that our own server denies.
    """
    if not isinstance(game, Running) or now >= game.deadline.at or game.held_since is not None:
        return None
    due = moment(game, game.deadline.at)
    if mail is not None and holds_up(game, mail) and now < (last := until_at_most(game, seat)):
        return say("turn-waits-for-word", due=due, until=moment(game, last))
    return say("turn-waits-for-no-word", due=due, stands=on_file(game, seat))


def _told(batch: Batch, event: WordAwaited, reader: Reader) -> Iterator[News]:
    if reader.seat == GM_SEAT:
        yield from _word_awaited(batch, event)
    elif reader.seat != event.seat and not event.late:
        yield from _to_others(batch, event, reader)


def _word_awaited(batch: Batch, event: WordAwaited) -> Iterator[News]:
    game = batch.after
    yield news(
        "word-awaited", 8, numbers=_numbers(event.mails), mails=event.mails, who=who(game, event.seat), late=event.late,
        came=moment(game, event.came), until=moment(game, event.until),
    )  # fmt: skip
    despite = f"process {event.phase} despite {' '.join(map(str, event.mails))}"
    yield News(say("go-on-without", despite=despite))


def _to_others(batch: Batch, event: WordAwaited, reader: Reader) -> Iterator[News]:
    """Once, however many seats are waited for, and without saying which."""
    theirs = [one for one in batch.every(WordAwaited) if not one.late and one.seat != reader.seat]
    if theirs[0] is not event:
        return
    yield news("turn-waits", 8, until=moment(batch.after, max(one.until for one in theirs)))


def _numbers(mails: tuple[int, ...]) -> Said:
    """Mails by their numbers."""
    return say("mails", numbers=mails)


def awaited_now(game: Game, now: datetime) -> bool:
    """Whether the present phase waits for anybody's word."""
    return any(word.phase == str(game.phase) and now < word.until for word in game.awaited.values())


AWAITED: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {WordAwaited: _told}
"""Event -> what it says to a reader."""


MOST_NAMED = 7
"""Of those who wait for a power."""


@dataclass(frozen=True, slots=True)
class VacancyView:
    """`warning`: nobody is wanted yet; `units`, `centres`: what the power has; `due`: the deadline, None once it has
    passed, and while the game is on hold; `claim`: the line to reply with, "" where the
    Gamemaster says who plays; `offer`: how long the deadline moves for the asking."""

    warning: bool
    power: str
    units: tuple[str, ...]
    centres: str
    standing: str
    due: Moment | None
    claim: str
    offer: str
    press: str
    needs: str = "needs"
    """The verb of `power`, which may be several."""
    invited: str = ""
    """Where the Gamemaster says who plays: the line that takes the power at once, for whoever has an invitation."""
    until: Moment | None = None
    """Where its player only looks for a substitute: until when."""


def vacancy_letters(batch: Batch) -> Iterator[Letter]:
    """To the reserve list, standbys and readers of the openings: when a seat falls vacant, once a week while nobody
    takes it, and a warning while its player is late. Nobody who plays in the game is asked.
    """
    game = batch.after
    if not isinstance(game, Running) or batch.before is None:
        return
    for seq, event in batch.numbered():
        if isinstance(event, ev.SeatVacated):
            yield from _calls(batch, game, seq, (event.seat,), but=event.person)
        elif isinstance(event, SubstituteSought):
            yield from _calls(batch, game, seq, (event.seat,), until=event.until)
        elif isinstance(event, LadderStep) and event.kind == "wanted":
            yield from _calls(batch, game, seq, event.seats)
        elif isinstance(event, LadderStep) and event.kind == "standby" and not game.settings.hide_late:
            yield from _calls(batch, game, seq, event.seats, warning=True)


def _calls(
    batch: Batch, game: Running, seq: int, seats: tuple[str, ...], *, but: int | None = None, warning: bool = False,
    until: datetime | None = None,
) -> Iterator[Letter]:  # fmt: skip
    """`until`: a player looks for a substitute for so long."""
    alive = set(game.survivors)
    for key in seats:
        seat = game.seats[key]
        if seat.filled != (warning or until is not None) or not alive.intersection(seat.powers):
            continue
        for person in asked_to_come(batch, but=but, warning=warning):
            reader = Reader("", batch.cast.member(person))
            view = _view(game, seat, reader, warning=warning, at=batch.events[-1].at, until=until)
            yield batch.letter(Kind.VACANCY, f"{seq}/{key}", reader, view, yes="" if warning else view.claim)


def asked_to_come(batch: Batch, *, but: int | None = None, warning: bool = False) -> tuple[int, ...]:
    """The persons who get a letter about a seat that is vacant, or with `warning` may become so: the reserve list and
    the standbys; whoever reads of openings, too, where a seat is free and anybody may come. `but`: who has just left.
    """
    game = batch.after
    seated = {seat.person for seat in game.seats.values()} | {game.gm, but} | game.barred | game.gathering.turned_away
    seated |= {seat.substitute.person for seat in game.seats.values() if seat.substitute is not None}
    people = (*(one.person for one in game.gathering.reserve), *batch.cast.standbys)
    if not warning and game.settings.access == "open":
        people = (*people, *batch.cast.openings)
    return tuple(person for person in dict.fromkeys(people) if person not in seated)


def hopefuls(batch: Batch, *, but: int | None = None) -> tuple[str, ...]:
    """Those who wait for a power, and whom the Gamemaster alone can seat: names and addresses, for them to choose."""
    waiting = [batch.cast.member(one) for one in asked_to_come(batch, but=but) if not may_come(batch.after, one)]
    return tuple(f"{one.name} <{one.address}>" for one in waiting[:MOST_NAMED])


def _view(
    game: Running, seat: Seat, reader: Reader, *, warning: bool, at: datetime, until: datetime | None
) -> VacancyView:
    position = game.position
    units = tuple(unit_text(unit, game.board) for power in seat.powers for unit in position.of(power))
    centres = sum(len(position.centres(power)) for power in seat.powers)
    over = game.deadline.called or game.held_since is not None
    line = f"claim {game.key} {seat.powers[0].title()}" if until is None else line_to_take(game, seat)
    unasked = may_come(game, reader.member.person)
    invited = any(one.state == "open" and at <= one.until for one in game.gathering.invitations.values())
    return VacancyView(
        warning=warning,
        power=listed(power_name(power, game.board) for power in seat.powers),
        units=units,
        centres=many(centres, "centre"),
        standing=game.phase_title,
        due=None if over else moment(game, game.deadline.at, reader.member),
        claim=line if unasked else "",
        invited=line if invited and not unasked and until is None else "",
        offer=_days(game),
        press=" + ".join(map(tell, game.settings.press)) or tell("no press"),
        needs=agreed("needs", len(seat.powers)),
        until=moment(game, until, reader.member) if until is not None else None,
    )


def _days(game: Game) -> str:
    days = game.settings.takeover_extension.days
    return many(days, "day") if days else ""


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
        yield news("ladder-overdue", 8, behind=behind, hours=event.number, reason=reason_told(event.reason.rstrip(".")))
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
