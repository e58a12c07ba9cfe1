"""Absences: a player says when they cannot send orders, and the calendar sets no deadline into that time.

A deadline that is set already stays (njudge and DPjudge have it so); the player is told, and may ask for an extension.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from types import MappingProxyType

from judge.acts.declared import Act
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Refusal, Role, over
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Absence, Seat
from judge.languages import tell, together, told_later
from judge.mail.dates import DateProblem, WrittenMoment, read_moment
from judge.mail.vocabulary.clauses import missing, no_more, plain
from judge.mail.vocabulary.model import GMS, PLAYERS, Clause, Reading, Unclear, Verb, named
from judge.mail.vocabulary.powers import is_power_word, read_power
from judge.pace import read_span, spell_span, to_wall, zone_info
from judge.report.core.audience import PUBLIC, Batch
from judge.report.core.letter import Reader, moment, who
from judge.report.table.news import News, news

MOST_PENDING = 3
"""Stretches that a player may have announced at a time."""


@dataclass(frozen=True, slots=True)
class Away(Command):
    """A player cannot send orders from `since` to `until`. The Gamemaster names the `power`; a player means their
    own.
    """

    since: datetime
    until: datetime
    power: str = ""


@dataclass(frozen=True, slots=True)
class Back(Command):
    """Absences announced before hold no longer."""

    power: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceNoted(ev.Event, told="seat,since,until"):
    """A player is away from `since` to `until`."""

    seat: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsencesEnded(ev.Event, told="seat"):
    """What a player had announced holds no longer."""

    seat: str


def _away(game: Game, command: Away, context: Context) -> Decision | Refusal:
    """Announce an absence; the Gamemaster may for others, and for longer."""
    seat = _seat(game, command.power, context.actor, f"away {{}} {_days(game, command)}")
    if isinstance(seat, Refusal):
        return seat
    if game.stage is Stage.RUNNING and seat not in game.active_seats:
        return Refusal(
            "out", tell("That power is out of the game: its player has nothing to order, and nobody waits for them.")
        )
    if command.until <= context.now:
        return Refusal("in-the-past", tell("That time is over already."))
    if command.until <= command.since:
        turned = _days(game, Away(command.until, command.since))
        return Refusal("wrong-way-round", tell("An absence ends after it begins."), mend=f"away {turned}")
    stretch = Absence(max(command.since, context.now), command.until)
    pending = [one for one in seat.absences if one.until > context.now]
    if any(one.since <= stretch.since and stretch.until <= one.until for one in pending):
        return Decision(said=tell("That is noted already."))
    if context.actor.role is Role.PLAYER and (refusal := _too_much(game, [*pending, stretch])) is not None:
        return refusal
    event = AbsenceNoted(at=context.now, by=context.seat, seat=seat.id, since=stretch.since, until=stretch.until)
    return Decision((event,), said=_what_it_does(game, stretch))


def _what_it_does(game: Game, stretch: Absence) -> str:
    said = tell("Noted: no deadline that is set from now on will fall into that time.")
    if game.deadline is None:
        return said
    said = together(said, tell("The current deadline stays as it is."))
    if not stretch.since < game.deadline.at <= stretch.until:
        return said
    falls = tell("It falls into your absence: send your orders before you go, or ask for an extension.")
    return together(said, falls)


def _back(game: Game, command: Back, context: Context) -> Decision | Refusal:
    """Withdraw every absence that the seat has announced."""
    seat = _seat(game, command.power, context.actor, "back {}")
    if isinstance(seat, Refusal):
        return seat
    if not any(one.until > context.now for one in seat.absences):
        return Decision(said=tell("No absence is noted, so there is nothing to change."))
    event = AbsencesEnded(at=context.now, by=context.seat, seat=seat.id)
    return Decision((event,), said=tell("Welcome back: deadlines are set as usual again."))


_WHOSE = told_later(
    "Say whose absence you mean. While you are away yourself, `hold until DATE` stops the "
    "calendar, or `deputy ADDRESS until DATE` lets somebody run the game."
)


def _seat(game: Game, power: str, actor: Actor, line: str) -> Seat | Refusal:
    """`line`: what a Gamemaster sends who names the power, {} for it."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    gm = actor.role in (Role.GM, Role.OPERATOR)
    if gm and not power:
        named = [power for seat in game.active_seats for power in seat.powers[:1]]
        mend = line.format(named[0].title()) if named else ""
        return Refusal("no-power", tell(_WHOSE), mend=mend)
    seat = game.seat_of(power) if power else game.seats.get(actor.seat)
    if seat is None or not seat.filled or not (gm or actor.role is Role.PLAYER):
        return Refusal("no-seat", tell("There is no such player in {game}.", game=game.key))
    if not gm and seat.id != actor.seat:
        return Refusal(
            "not-your-power",
            tell("You do not play {powers} in {game}.", powers=game.board.powers[power].told, game=game.key),
        )
    return seat


def _days(game: Game, command: Away) -> str:
    """The days of an absence as its author would write them, the last one included."""
    zone = zone_info(game.settings.zone)
    since, until = command.since.astimezone(zone), command.until.astimezone(zone) - timedelta(minutes=1)
    return f"{since.day} {since:%b %Y} to {until.day} {until:%b %Y}"


def _too_much(game: Game, stretches: list[Absence]) -> Refusal | None:
    """The limit holds for all that is announced together: two stretches end to end are one long one."""
    if len(stretches) > MOST_PENDING:
        return Refusal(
            "too-many",
            tell("At most {most_pending} absences may be noted at a time.", most_pending=MOST_PENDING),
            mend="back",
        )
    zone, most = zone_info(game.settings.zone), game.settings.max_absence
    total = sum((to_wall(one.until, zone) - to_wall(one.since, zone) for one in stretches), timedelta())
    if total <= most:
        return None
    days = spell_span(most)
    return Refusal(
        "too-long", tell("You may be away for at most {days} in all; ask your Gamemaster for more.", days=days)
    )


def _noted(game: Game, event: AbsenceNoted) -> Game:
    seat = game.seats[event.seat]
    kept = tuple(one for one in seat.absences if one.until > event.at)
    return _put(game, replace(seat, absences=(*kept, Absence(event.since, event.until))))


def _put(game: Game, seat: Seat) -> Game:
    return replace(game, seats=MappingProxyType({**game.seats, seat.id: seat}))


# --- words ----------------------------------------------------------------------------------------------------------

_RANGE = re.compile(
    r"\s+(?:to|until|till|til|through|thru|and)\s+|\s+[-–—]+\s+|\s*\.\.+\s*|\s+(?=for\s)", re.IGNORECASE
)
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")


def _read_away(clause: Clause) -> Reading:
    """`away 24 Mar to 2 Apr`, `away until 2 Apr`, `away tomorrow for 3 days`; a single date is that one day.

    A first day begins at midnight, a last day ends at midnight. The Gamemaster may name a power first.
    """
    power, dates = _power_first(clause)
    dates = re.sub(r"^(?:from|on|between|in)\s+", "", dates, flags=re.IGNORECASE)
    if not dates:
        return missing(tell("The date"), "away 24 Mar to 2 Apr")
    first, last = _bounds(dates)
    around = clause.around
    since = around.now
    if first:
        found = read_moment(first, now=around.now, zone=around.zone, default_time=time(), past=True)
        if isinstance(found, DateProblem):
            return Unclear(found.reason, found.sentence, tuple(f"away {text} to {last}" for text in found.candidates))
        since = max(since, found.at)
    until = _last_moment(last, since, clause)
    if isinstance(until, DateProblem):
        return Unclear(until.reason, until.sentence, tuple(f"away {first} to {text}" for text in until.candidates))
    if first == last and until.at - since > timedelta(days=1, hours=2):
        return Unclear("incomplete", tell("Until when? Write both dates."), (f"away {first} to DATE",))
    return Away(since, until.at, power)


def _last_moment(text: str, since: datetime, clause: Clause) -> WrittenMoment | DateProblem:
    """The end of an absence: a date as seen from today, unless that lies before its beginning, or is a length."""
    zone = clause.around.zone
    try:
        read_span(text)
    except (ValueError, OverflowError):
        found = read_moment(text, now=clause.around.now, zone=zone)
        if isinstance(found, DateProblem) or found.at > since:
            return found
    return read_moment(text, now=since, zone=zone)


def _power_first(clause: Clause) -> tuple[str, str]:
    """(power, dates) of "France 24 Mar to 2 Apr"; no power is no power."""
    rest = plain(clause.rest)
    word, _, dates = rest.partition(" ")
    board = clause.around.board
    power = is_power_word(word, board) if board and word.isalpha() else ""
    return (power, dates.strip()) if power else ("", rest)


def _bounds(dates: str) -> tuple[str, str]:
    """First and last day as written; the first is empty for "until 2 Apr" and "for two weeks"."""
    if match := re.match(r"(?:to|until|till|til|for)\s+(.+)", dates, re.IGNORECASE):
        return "", match[1]
    first, *more = _RANGE.split(dates, maxsplit=1)
    if not more:
        return dates, dates
    last = re.sub(r"^for\s+", "", more[0], flags=re.IGNORECASE)
    if _DAY.fullmatch(first.strip()) and (day := _DAY.search(last)):
        first = f"{first} {last[: day.start()]} {last[day.end() :]}"
    return first.strip(), last


def _read_back(clause: Clause) -> Reading:
    if no_more(clause.rest):
        return Back()
    power = read_power(plain(clause.rest), clause.around.board)
    return (
        Unclear("too-much", tell("`back` takes nothing after it."), ("back",))
        if isinstance(power, Unclear)
        else Back(power)
    )


def _news(batch: Batch, event: AbsenceNoted, reader: Reader) -> Iterator[News]:
    game, seat = batch.after, who(batch.after, event.seat)
    yield news("away", 3, seat=seat, since=moment(game, event.since), until=moment(game, event.until))


ACTS = (
    Act(
        Away,
        AbsenceNoted,
        _away,
        _noted,
        verb=Verb(
            "away",
            words=named(
                "away, i am away, i'm away, i will be away, i'll be away, i shall be away, i am on holiday, "
                "i'm on holiday, i will be on holiday, i am on vacation, i'm on vacation, on holiday, on vacation, "
                "absence, set absence, set holiday, set vacation"
            ),
            summary="No deadline is set while you are away; the present one stays.",
            usage=("away DATE to DATE", "away until DATE"),
            example="away 24 Mar to 2 Apr",
            read=_read_away,
            roles=PLAYERS | GMS,
            topic="time",
            after="propose resume",
        ),
        told=PUBLIC,
        news=_news,
    ),
    Act(
        Back,
        AbsencesEnded,
        _back,
        lambda game, event: _put(game, replace(game.seats[event.seat], absences=())),
        verb=Verb(
            "back",
            words=("back", "i am back", "i'm back", "not away", "no absence", "set no absence"),
            summary="Cancel the absences that you announced.",
            usage=("back",),
            example="back",
            read=_read_back,
            roles=PLAYERS | GMS,
            topic="time",
            after="away",
        ),
        told=PUBLIC,
        news=lambda batch, event, reader: iter((news("back", 2, seat=who(batch.after, event.seat)),)),
    ),
)
