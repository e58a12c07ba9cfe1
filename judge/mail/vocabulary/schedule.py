"""Verbs about time: extensions, votes for one, absences, and the Gamemaster's excuse."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

from judge.game.clock.absences import Away, Back
from judge.game.clock.extensions import CallExtensionVote
from judge.game.clock.holds import CallGoOnVote, CallPauseVote
from judge.game.core.commands import Extend, SetDeadline
from judge.game.table.vacancies import Excuse
from judge.mail.dates import DateProblem, WrittenMoment, read_moment
from judge.mail.vocabulary.clauses import alone, missing, no_more, plain, read_when, split_reason
from judge.mail.vocabulary.model import GMS, PLAYERS, Clause, Reading, Unclear, Verb, VerbOfGm
from judge.mail.vocabulary.powers import is_power_word, read_power
from judge.spans import read_span

_BEFORE_SPAN = re.compile(r"^(?:(?:the\s+)?deadline|by|of|for|please|an?|\+)\s*", re.IGNORECASE)
_RANGE = re.compile(
    r"\s+(?:to|until|till|til|through|thru|and)\s+|\s+[-–—]+\s+|\s*\.\.+\s*|\s+(?=for\s+\d)", re.IGNORECASE
)
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?")


def _span(text: str) -> timedelta | Unclear | None:
    """A length of time; None where none is named."""
    head = _BEFORE_SPAN.sub("", text)
    if no_more(head):
        return None
    try:
        return read_span(head)
    except (ValueError, OverflowError):
        sentence = f'"{head[:60]}" is not a length of time; write one like 48h or 2 days.'
        return Unclear("no-span", sentence)


def _extend(clause: Clause) -> Reading:
    """`extension`, `extend 48h reason "..."`, and `extend to DATE`, which sets a deadline."""
    head, reason = split_reason(clause.rest)
    if match := re.match(r"(?:to|until|till)\s+(.+)", head, re.IGNORECASE):
        when = read_when(match[1], clause.around, "deadline")
        return when if isinstance(when, Unclear) else SetDeadline(when, reason, later=True)
    span = _span(head)
    return span if isinstance(span, Unclear) else Extend(span, reason)


def _call_vote(clause: Clause) -> Reading:
    span = _span(split_reason(clause.rest)[0])
    return span if isinstance(span, Unclear) else CallExtensionVote(span)


def _propose_pause(clause: Clause) -> Reading:
    """`propose pause`, `propose pause until DATE`, `propose pause for 10 days`."""
    rest = re.sub(r"^(?:of\s+)?(?:the\s+)?game\b", "", split_reason(clause.rest)[0], flags=re.IGNORECASE).strip()
    if match := re.match(r"(?:to|until|till|through)\s+(.+)", rest, re.IGNORECASE):
        when = read_when(match[1], clause.around, "propose pause until")
        return when if isinstance(when, Unclear) else CallPauseVote(until=when)
    span = _span(rest)
    return span if isinstance(span, Unclear) else CallPauseVote(by=span)


def _away(clause: Clause) -> Reading:
    """`away 24 Mar to 2 Apr`, `away until 2 Apr`, `away tomorrow for 3 days`; a single date is that one day.

    A first day begins at midnight, a last day ends at midnight. The Gamemaster may name a power first.
    """
    power, dates = _power_first(clause)
    dates = re.sub(r"^(?:from|on|between|in)\s+", "", dates, flags=re.IGNORECASE)
    if not dates:
        return missing("The date", "away 24 Mar to 2 Apr")
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
        return Unclear("incomplete", "Until when? Write both dates.", (f"away {first} to DATE",))
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
    """First and last day as written; the first is empty for "until 2 Apr"."""
    if match := re.match(r"(?:to|until|till|til)\s+(.+)", dates, re.IGNORECASE):
        return "", match[1]
    first, *more = _RANGE.split(dates, maxsplit=1)
    if not more:
        return dates, dates
    last = re.sub(r"^for\s+", "", more[0], flags=re.IGNORECASE)
    if _DAY.fullmatch(first.strip()) and (day := _DAY.search(last)):
        first = f"{first} {last[: day.start()]} {last[day.end() :]}"
    return first.strip(), last


def _back(clause: Clause) -> Reading:
    if no_more(clause.rest):
        return Back()
    power = read_power(plain(clause.rest), clause.around.board)
    return (
        Unclear("too-much", "`back` takes nothing after it.", ("back",)) if isinstance(power, Unclear) else Back(power)
    )


def _excuse(clause: Clause) -> Reading:
    """`excuse POWER [SPAN] [reason "..."]`."""
    head, reason = split_reason(clause.rest)
    match = re.match(r"(.*?)\s*(?:\b(?:by|for)\b\s*)?(\+?\d.*)?$", head)
    name, length = (match[1], match[2]) if match else (head, None)
    if not name:
        return missing("The power", "excuse Russia")
    power = read_power(name, clause.around.board)
    if isinstance(power, Unclear):
        return power
    span = _span(length or "")
    return span if isinstance(span, Unclear) else Excuse(power, span, reason)


VERBS: tuple[Verb, ...] = (
    Verb(
        "extend",
        words=(
            "extend",
            "extension",
            "extend deadline",
            "deadline extension",
            "extend the deadline",
            "set extension",
            "request extension",
            "request an extension",
            "i request an extension",
            "i need an extension",
            "i would like an extension",
            "i'd like an extension",
            "may i have an extension",
            "can i have an extension",
            "could i have an extension",
            "please extend",
        ),
        summary="More time: one of your free extensions; from the Gamemaster at any time.",
        usage=("extension", "extend SPAN", 'extend SPAN reason "..."'),
        example='extend 48h reason "power cut"',
        read=_extend,
        roles=PLAYERS | GMS,
        topic="time",
    ),
    Verb(
        "extension vote",
        words=(
            "extension vote",
            "call extension vote",
            "call an extension vote",
            "vote extension",
            "vote on extension",
            "propose extension",
        ),
        summary="Ask the others for more time; it costs none of your free extensions.",
        usage=("extension vote", "extension vote SPAN"),
        example="extension vote 48h",
        read=_call_vote,
        topic="time",
    ),
    Verb(
        "propose pause",
        words=(
            "propose pause",
            "propose a pause",
            "propose break",
            "propose a break",
            "pause vote",
            "call pause vote",
            "vote pause",
            "vote on a pause",
            "propose to pause",
        ),
        summary="Ask the others to pause the game for a while.",
        usage=("propose pause", "propose pause until DATE", "propose pause SPAN"),
        example="propose pause until 6 Jan",
        read=_propose_pause,
        topic="time",
    ),
    Verb(
        "propose resume",
        words=("propose resume", "propose end of pause", "propose the end of the pause", "propose to go on"),
        summary="Ask the others to end the pause for which they have voted.",
        usage=("propose resume",),
        example="propose resume",
        read=alone(CallGoOnVote(), "propose resume"),
        topic="time",
    ),
    Verb(
        "away",
        words=(
            "away",
            "i am away",
            "i'm away",
            "i will be away",
            "i'll be away",
            "i shall be away",
            "i am on holiday",
            "i'm on holiday",
            "i will be on holiday",
            "i am on vacation",
            "i'm on vacation",
            "on holiday",
            "on vacation",
            "absence",
            "set absence",
            "set holiday",
            "set vacation",
        ),
        summary="No deadline is set while you are away; the present one stays.",
        usage=("away DATE to DATE", "away until DATE"),
        example="away 24 Mar to 2 Apr",
        read=_away,
        roles=PLAYERS | GMS,
        topic="time",
    ),
    Verb(
        "back",
        words=("back", "i am back", "i'm back", "not away", "no absence", "set no absence"),
        summary="Cancel the absences that you announced.",
        usage=("back",),
        example="back",
        read=_back,
        roles=PLAYERS | GMS,
        topic="time",
    ),
    VerbOfGm(
        "excuse",
        words=("excuse",),
        summary="What a player missed does not count, and the schedule is adjusted.",
        usage=("excuse POWER", 'excuse POWER SPAN reason "..."'),
        example="excuse Russia 48h reason storm",
        read=_excuse,
        topic="lateness",
    ),
)
"""The rows, in the order in which help prints them."""
