"""Verbs of the Gamemaster: running a game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time

from judge.game.clock.holds import HoldGame, Resume
from judge.game.core.commands import Assign, EndGame, Note, Process, SetDeadline, Vacate
from judge.game.talk.closing import CarryVote
from judge.languages import tell
from judge.mail.dates import DateProblem, read_moment
from judge.mail.queries import ForPerson, PersonRequest
from judge.mail.vocabulary.clauses import ADDRESS, missing, no_more, plain, read_first_deadline, read_when, split_reason
from judge.mail.vocabulary.model import BodyRule, Clause, Reading, Unclear, Verb, VerbOfGm
from judge.mail.vocabulary.powers import read_power
from judge.pace import read_span
from judge.rules.calendar import read_phase


@dataclass(frozen=True, slots=True)
class VacateByAddress(PersonRequest):
    """`vacate ADDRESS`, `vacate NAME`: game command `Vacate` for the seat of whoever has this address, or this name."""

    address: str
    reason: str = ""


def read_deadline(clause: Clause) -> Reading:
    head, reason = split_reason(re.sub(r"^\s*(?:to|is|by)\b", "", clause.rest, flags=re.IGNORECASE))
    if not head:
        return missing(tell("The date"), "deadline 8 Jan 2027 23:59")
    when = read_when(head, clause.around, "deadline")
    return when if isinstance(when, Unclear) else SetDeadline(when, reason)


def _resume(clause: Clause) -> Reading:
    when = read_first_deadline(clause, "resume")
    return when if isinstance(when, Unclear) else Resume(when)


_DESPITE = re.compile(r"\bdespite\b(?:\s+mails?)?((?:[\s,#]|and|\d)+)", re.IGNORECASE)


def _process(clause: Clause) -> Reading:
    despite: tuple[int, ...] = ()
    rest = clause.rest.lstrip("! ")
    if match := _DESPITE.search(rest):
        despite = tuple(int(number) for number in re.findall(r"\d+", match[1]))
        behind = rest[match.end() :]  # "despite missing orders": `process` asks about those by itself
        if not despite and no_more(behind):
            return missing(tell("The number of a mail"), "process despite 12")
        rest = f"{rest[: match.start()]} {behind if despite else ''}"
    if no_more(rest):
        return Process("", despite)
    # A phase without its kind is the season's first, whatever is due now: "process F1901" twice plays no retreats.
    phase = read_phase(plain(rest), clause.around.calendar, clause.around.phase, here=False)
    if phase is None:
        told = tell(
            "so I did nothing. Write one like S1901M; to have the turn played at a certain time, write `deadline DATE`."
        )
        return Unclear("no-phase", tell('"{plain}" is not a phase, {told}', plain=plain(rest)[:60], told=told))
    return Process(phase, despite)


_UNTIL = re.compile(r"(?P<why>^|.*?\s)(?:until|till|til)\s+(?:the\s+)?(?P<date>.+)", re.IGNORECASE | re.DOTALL)
_FOR = re.compile(r"(?:for\s+)?(?P<span>\+?\d.*)", re.IGNORECASE)


def _hold(clause: Clause) -> Reading:
    """`hold`, `hold until DATE`, `hold for SPAN`, each with a reason; a date that cannot be read is asked back."""
    head, reason = split_reason(clause.rest)
    head = re.sub(r"^(?:the\s+)?(?:game|calendar)\b[\s:,]*", "", head, flags=re.IGNORECASE)
    head = re.sub(r"(?:until|till) further notice\b[\s:,]*", "", head, flags=re.IGNORECASE)
    head = re.sub(r"^for\s+(?:an?|one)\s+(?=day|week|hour)", "for 1 ", head, flags=re.IGNORECASE)
    if head.lower().split(" ")[0].strip(",") == "on":
        return Unclear("too-much", tell("`hold on` did not stop the calendar; `hold` does."), ("hold",))
    if match := _UNTIL.match(head):
        until = _day_to_come(match["date"], clause)
        return until if isinstance(until, Unclear) else HoldGame(reason or plain(match["why"]), until)
    if match := _FOR.fullmatch(head):
        return _hold_for(match["span"], reason, clause)
    if (match := _UNTIL.match(reason)) and isinstance(until := _day_to_come(match["date"], clause), datetime):
        return HoldGame(reason, until)
    return HoldGame(reason or head)


def _hold_for(text: str, reason: str, clause: Clause) -> Reading:
    try:
        return HoldGame(reason, clause.around.now + read_span(text))
    except (ValueError, OverflowError):
        sentence = tell(
            '"{text}" is not a length of time, so the game is not on hold. Write it like `hold for 3 days`.',
            text=text[:60],
        )
        return Unclear("no-span", sentence)


def _day_to_come(text: str, clause: Clause) -> datetime | Unclear:
    """The beginning of a day on which something goes on, or the hour of it that is named."""
    found = read_moment(plain(text), now=clause.around.now, zone=clause.around.zone, default_time=time())
    if isinstance(found, DateProblem):
        lines = tuple(f"hold until {candidate}" for candidate in found.candidates)
        return Unclear(found.reason, tell("{sentence} The game is not on hold.", sentence=found.sentence), lines)
    return found.at


def _carry(clause: Clause) -> Reading:
    number = re.fullmatch(
        r"(?:vote|draw|concession)?\s*(?:no\.?|number|#)?\s*(\d{1,6})", plain(clause.rest), re.IGNORECASE
    )
    if number is None:
        return missing(tell("The number of the vote"), "carry vote 1")
    return CarryVote(int(number[1]))


def read_assign(clause: Clause) -> Reading:
    """`assign FRANCE to ADDRESS`, or the other way round; `replace FRANCE with ADDRESS`."""
    match = ADDRESS.search(clause.rest)
    if match is None:
        return missing(tell("The address"), "assign France to standby@players.test")
    around = f"{clause.rest[: match.start()]} {clause.rest[match.end() :]}"
    others = re.sub(r"\b(?:to|as|for|is|with|by)\b", " ", around)
    power = read_power(plain(others.lower().replace("player", " ")) or "?", clause.around.board)
    return power if isinstance(power, Unclear) else ForPerson(Assign(power, 0), match[1])


def _vacate(clause: Clause) -> Reading:
    head, reason = split_reason(clause.rest)
    if not head:
        return missing(tell("The power"), "vacate France")
    if match := ADDRESS.fullmatch(plain(head)):
        return VacateByAddress(match[1], reason)
    power = read_power(head, clause.around.board)
    if not isinstance(power, Unclear):
        return Vacate(power, reason)
    return power if power.candidates else VacateByAddress(plain(head), reason)


def _note(clause: Clause) -> Reading:
    text = "\n".join(part for part in (clause.rest.strip().lstrip(":").strip(), clause.body) if part).strip("\n")
    return Note(text) if text.strip() else missing(tell("The text"), tell("note: Italy asked for a ruling."))


_OF_THE_GAME = re.compile(
    r"\s*(?:$|(?:the\s+|this\s+)*game\b|(?:in|by|as|with|because|after|without|reason)\b)", re.IGNORECASE
)
"""How the rest of "end ..." begins where the game is meant; "end become" is the end of something else."""


def _end(clause: Clause) -> Reading:
    """`end game REASON`, `end in a draw`."""
    if clause.word == "end" and not _OF_THE_GAME.match(clause.rest):
        said = plain(f"end {clause.rest}")[:60]
        return Unclear(
            "which-end", tell('"{said}" closed nothing: to close the game, write `end game`.', said=said), ("end game",)
        )
    how = re.sub(r"^(?:the\s+)?(?:this\s+)?(?:game)?\b[\s:,]*", "", plain(clause.rest), flags=re.IGNORECASE)
    if re.match(r"(?:(?:as|in|with)\s+)?(?:a\s+)?draw\b", how, re.IGNORECASE):
        return Unclear(
            "which-end",
            tell(
                "Nothing was closed. A draw is voted by the players: they write `draw`, and `carry "
                "vote NUMBER` gives your consent where few have a player. To close the game without a "
                "winner, send the line below."
            ),
            ("end game by agreement",),
        )
    return EndGame(re.sub(r"^(?:because|reason)\b[\s:,]*", "", how, flags=re.IGNORECASE).strip("\"'"))


VERBS: tuple[Verb, ...] = (
    VerbOfGm(
        "deadline",
        words=("deadline", "new deadline", "move deadline", "move deadline to"),
        summary="Set the deadline of this turn.",
        usage=("deadline DATE", 'deadline DATE reason "..."'),
        example="deadline 8 Jan 2027 23:59",
        read=read_deadline,
        topic="deadlines",
    ),
    VerbOfGm(
        "process",
        words=("process", "adjudicate", "process now", "run"),
        summary="Adjudicate the phase of the letter that you answer, or the one that you name, now.",
        usage=("process PHASE", "process", "process PHASE despite NUMBER"),
        example="process S1901M",
        read=_process,
        risky=True,
        topic="deadlines",
    ),
    VerbOfGm(
        "hold",
        words=("hold", "pause", "suspend", "stop the clock"),
        summary="Stop the calendar; with a day, it goes on by itself then.",
        usage=("hold", "hold until DATE", "hold for SPAN", 'hold until DATE reason "..."'),
        example='hold until 4 Mar reason "holidays"',
        read=_hold,
        after_orders=True,
        topic="deadlines",
    ),
    VerbOfGm(
        "resume",
        words=("resume", "continue", "unpause"),
        summary="Let the calendar run again.",
        usage=("resume", "resume deadline DATE"),
        example="resume",
        read=_resume,
        topic="deadlines",
    ),
    VerbOfGm(
        "carry vote",
        words=("carry vote", "carry", "carry out vote"),
        summary="Your consent to a draw or concession that all want, where few powers have a player left.",
        usage=("carry vote NUMBER",),
        example="carry vote 1",
        read=_carry,
        risky=True,
        topic="ending",
    ),
    VerbOfGm(
        "assign",
        words=("assign", "give", "appoint"),
        summary="Give a power to a player; `replace POWER with ADDRESS` is the same.",
        usage=("assign POWER to ADDRESS",),
        example="assign France to standby@players.test",
        read=read_assign,
        risky=True,
        topic="lateness",
    ),
    VerbOfGm(
        "vacate",
        words=("vacate", "eject", "dismiss", "remove player"),
        summary="Take a power from its player; before the start, remove who has joined.",
        usage=("vacate POWER", "vacate ADDRESS", "vacate NAME", 'vacate POWER reason "..."'),
        example="vacate France",
        read=_vacate,
        risky=True,
        topic="lateness",
    ),
    VerbOfGm(
        "note",
        words=("note", "comment", "gm note"),
        summary="A note from the Gamemaster for the next report.",
        usage=("note: TEXT",),
        example="note: Italy asked for a ruling.",
        read=_note,
        body=BodyRule.TEXT,
        ends=("endnote", "end note"),
        topic="telling",
    ),
    VerbOfGm(
        "end",
        words=("end game", "end the game", "end this game", "terminate", "close game", "end"),
        summary="Close the game without a winner.",
        usage=("end game REASON",),
        example="end game by agreement",
        read=_end,
        risky=True,
        topic="ending",
    ),
)
"""The rows, in the order in which help prints them."""
