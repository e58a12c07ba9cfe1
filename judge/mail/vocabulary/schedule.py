"""Verbs about time: extensions, votes for one, and the Gamemaster's excuse."""

from __future__ import annotations

import re
from datetime import timedelta

from judge.game.clock.extensions import CallExtensionVote
from judge.game.clock.holds import CallGoOnVote, CallPauseVote
from judge.game.core.commands import Extend, SetDeadline
from judge.game.table.vacancies import Excuse
from judge.languages import tell
from judge.mail.vocabulary.clauses import alone, missing, no_more, read_when, split_reason
from judge.mail.vocabulary.model import GMS, PLAYERS, Clause, Reading, Unclear, Verb, VerbOfGm, named
from judge.mail.vocabulary.powers import read_power
from judge.pace import read_span

_BEFORE_SPAN = re.compile(r"^(?:(?:the\s+)?deadline|by|of|for|please|an?|\+)\s*", re.IGNORECASE)


def _span(text: str) -> timedelta | Unclear | None:
    """A length of time; None where none is named."""
    head = _BEFORE_SPAN.sub("", text)
    if no_more(head):
        return None
    try:
        return read_span(head)
    except (ValueError, OverflowError):
        sentence = tell('"{head}" is not a length of time; write one like 48h or 2 days.', head=head[:60])
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


def _excuse(clause: Clause) -> Reading:
    """`excuse POWER [SPAN] [reason "..."]`."""
    head, reason = split_reason(clause.rest)
    match = re.match(r"(.*?)\s*(?:\b(?:by|for)\b\s*)?(\+?\d.*)?$", head)
    name, length = (match[1], match[2]) if match else (head, None)
    if not name:
        return missing(tell("The power"), "excuse Russia")
    power = read_power(name, clause.around.board)
    if isinstance(power, Unclear):
        return power
    span = _span(length or "")
    return span if isinstance(span, Unclear) else Excuse(power, span, reason)


VERBS: tuple[Verb, ...] = (
    Verb(
        "extend",
        words=named(
            "extend, extension, extend deadline, deadline extension, extend the deadline, set extension, "
            "request extension, request an extension, i request an extension, i need an extension, "
            "i would like an extension, i'd like an extension, may i have an extension, can i have an extension, "
            "could i have an extension, please extend"
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
        words=named(
            "extension vote, call extension vote, call an extension vote, vote extension, vote on extension, "
            "propose extension"
        ),
        summary="Ask the others for more time; it costs none of your free extensions.",
        usage=("extension vote", "extension vote SPAN"),
        example="extension vote 48h",
        read=_call_vote,
        topic="time",
    ),
    Verb(
        "propose pause",
        words=named(
            "propose pause, propose a pause, propose break, propose a break, pause vote, call pause vote, vote pause, "
            "vote on a pause, propose to pause"
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
