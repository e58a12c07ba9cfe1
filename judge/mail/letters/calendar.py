"""The deadline that a letter names, as a calendar file (RFC 5545, published as RFC 5546 has it).

An entry is one turn's deadline for one reader: a later letter that names another moment for it bears the same UID and a
higher SEQUENCE, so that calendars move the entry and never make a second one. While the game is on hold the entry is
tentative and rings no alarm. A turn that was played ahead of its deadline, or is played no more, is cancelled.
Nobody is an attendee, and no address in the file opens anything: calendars are shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.mail.letters.mime import CalendarPart
from judge.mail.letters.press import Printer

_CALLS = frozenset({"started", "results", "takeover", "corrected"})
"""Kinds of letters that name a deadline to everybody; a notice does where it tells that one was moved or is on hold."""

_ALARMS = (timedelta(hours=24), timedelta(hours=3))
_FOLD = 75
"""Octets of a line without its line end (RFC 5545, 3.1)."""


def deadlines_of(
    kind: str, view: Mapping[str, Any], *, uid: str, organizer: str, now: datetime, press: Printer
) -> CalendarPart | None:
    """The calendar file of a letter as it was frozen, None for one that calls for nothing. Raises TemplateError.

    `uid`: of whatever is the reader's in this game, with `{turn}` for the phase that the deadline is for;
    `organizer`: the judge's own address; `now`: the letter's date.
    """
    entries = [*_played_early(view, uid, organizer, now, press), *_called_for(kind, view, uid, organizer, now, press)]
    if not entries:
        return None
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Judge//Deadlines//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH",
        *(line for entry in entries for line in entry), "END:VCALENDAR",
    ]  # fmt: skip
    return CalendarPart("".join(f"{folded}\r\n" for line in lines for folded in fold(line)))


Lines = list[str]

_RANK = {"CONFIRMED": 0, "TENTATIVE": 1, "CANCELLED": 2}
"""What may become of one version of a deadline, in this order: a hold ends with a new version."""


def _called_for(
    kind: str, view: Mapping[str, Any], uid: str, organizer: str, now: datetime, press: Printer
) -> Iterator[Lines]:
    desk, turn = view.get("desk") or {}, (view.get("reply") or {}).get("turn", "")
    due = desk.get("due")
    told = kind in _CALLS or (kind == "notice" and (view.get("deadline_moved") or _on_hold(due)))
    if not told or not turn or not isinstance(due, Mapping) or (desk["idle"] and view["frame"]["to"] != "Gamemaster"):
        return  # letters of earlier versions had a finished text for a moment
    at = datetime.fromisoformat(due["at"])
    if at > now:
        summary, words = _words(view, press, view["frame"]["phase"])
        status = "TENTATIVE" if _on_hold(due) else "CONFIRMED"
        yield _entry(uid.format(turn=turn), desk["version"], at, now, organizer, status, summary, words)


def _on_hold(due: Any) -> bool:
    """Whether that moment will pass without anything."""
    note = due.get("note") if isinstance(due, Mapping) else None
    return isinstance(note, Mapping) and note.get("say") == "due-on-hold"


def _played_early(view: Mapping[str, Any], uid: str, organizer: str, now: datetime, press: Printer) -> Iterator[Lines]:
    """The deadline of the turn that was just played, or that will not be, where that came first."""
    closed = view.get("closes")
    if closed and (at := datetime.fromisoformat(closed["due_at"])) > now:
        summary, words = _words(view, press, view.get("phase") or view["frame"]["phase"], played=True)
        uid = uid.format(turn=closed["turn"])
        yield _entry(uid, closed["version"], at, now, organizer, "CANCELLED", summary, words)


def _words(view: Mapping[str, Any], press: Printer, phase: str, *, played: bool = False) -> tuple[str, str]:
    """Summary and description."""
    facts = {
        "frame": view["frame"],
        "desk": view.get("desk"),
        "ended": "sentence" in view,
        "phase": phase,
        "played": played,
    }
    summary, _, words = press.sheet("_deadline.txt", facts).strip().partition("\n")
    return summary, words.strip()


def _entry(
    uid: str, version: int, at: datetime, now: datetime, organizer: str, status: str, summary: str, words: str
) -> Lines:
    alarms = [before for before in _ALARMS if at - before > now and status == "CONFIRMED"]
    return [
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"SEQUENCE:{len(_RANK) * version + _RANK[status]}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(at)}",
        f"SUMMARY:{escaped(summary)}",
        f"DESCRIPTION:{escaped(words)}",
        f"ORGANIZER:mailto:{organizer}",
        f"STATUS:{status}",
        "TRANSP:TRANSPARENT",
        *(line for before in alarms for line in _alarm(before, summary)),
        "END:VEVENT",
    ]


def _alarm(before: timedelta, summary: str) -> Lines:
    hours = int(before.total_seconds()) // 3600
    return [
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{escaped(summary)}",
        f"TRIGGER:-PT{hours}H",
        "END:VALARM",
    ]  # fmt: skip


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    """A value of type TEXT (RFC 5545, 3.3.11); control characters become blanks, so that no line can be begun.

    >>> escaped("Paris, Rome; Bern\\nand so on")
    'Paris\\\\, Rome\\\\; Bern\\\\nand so on'
    """
    plain = text.replace("\r\n", "\n")
    if not plain.isprintable():
        plain = "".join(c if c == "\n" or c.isprintable() else " " for c in plain)
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def fold(line: str) -> Iterator[str]:
    """A content line in pieces of at most 75 octets, each but the first begun by a blank; no character is broken.

    >>> [len(piece.encode()) for piece in fold("SUMMARY:" + "é" * 60)]
    [74, 55]
    """
    if len(line) <= _FOLD and line.isascii():
        yield line
        return
    rest, blank = line.encode("utf-8"), ""
    while len(rest) + len(blank) > _FOLD:
        cut = _FOLD - len(blank)
        while rest[cut] & 0xC0 == 0x80:  # in the middle of a character
            cut -= 1
        yield blank + rest[:cut].decode("utf-8")
        rest, blank = rest[cut:], " "
    yield blank + rest.decode("utf-8")
