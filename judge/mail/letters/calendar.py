"""The deadline that a letter names, as a calendar file (RFC 5545, published as RFC 5546 has it).

An entry is one turn's deadline for one reader: a later letter that names another moment for it bears the same UID and a
higher SEQUENCE, so that calendars move the entry and never make a second one. While the game is on hold the entry is
tentative and rings no alarm. A turn that was played ahead of its deadline, or is played no more, is cancelled.
Nobody is an attendee, and no address in the file opens anything: calendars are shared.

The dozen lines of an entry are written here: made by a library they took more time than all else of a letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.mail.letters.mime import CalendarPart
from judge.mail.letters.rendering import Printer

_CALLS = frozenset({"started", "results", "takeover", "corrected"})
"""Kinds of letters that name a deadline to everybody; a notice does where it tells that one was moved or is on hold."""

Entries = Callable[[str, str, int], str]
"""(phase of the deadline, seat, its tenure) -> the UID of the entry."""

_ALARMS = ((timedelta(hours=24), "-P1D"), (timedelta(hours=3), "-PT3H"))


def deadlines_of(
    kind: str,
    view: Mapping[str, Any],
    *,
    uid: Entries,
    organizer: str,
    now: datetime,
    press: Printer,
) -> CalendarPart | None:
    """The calendar file of a letter as it was frozen, None for one that calls for nothing. Raises TemplateError.

    `uid`: that of an entry, by the phase that the deadline is for, a seat ("": the one that the letter is to) and its
    tenure; `organizer`: the judge's own address; `now`: the letter's date.
    """
    entries = [*_closed(view, uid, organizer, now, press), *_called_for(kind, view, uid, organizer, now, press)]
    if not entries:
        return None
    lines = [*_HEAD, *(line for entry in entries for line in entry), "END:VCALENDAR"]
    return CalendarPart("".join(f"{folded(line)}\r\n" for line in lines))


_HEAD = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Judge//Deadlines//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH")

Entry = tuple[str, ...]
"""The content lines of an entry, not folded."""

_RANK = {"CONFIRMED": 0, "TENTATIVE": 1, "CANCELLED": 2}
"""What may become of one version of a deadline, in this order: a hold ends with a new version."""


def _called_for(
    kind: str, view: Mapping[str, Any], uid: Entries, organizer: str, now: datetime, press: Printer
) -> Iterator[Entry]:
    desk, turn = view.get("desk") or {}, (view.get("reply") or {}).get("turn", "")
    due = desk.get("due")
    told = kind in _CALLS or (kind == "notice" and (view.get("deadline_moved") or _on_hold(due)))
    if not told or not turn or not isinstance(due, Mapping) or (desk["idle"] and view["frame"]["to"] != "Gamemaster"):
        return  # letters of earlier versions had a finished text for a moment
    at = datetime.fromisoformat(due["at"])
    if at > now:
        summary, words = _words(view, press, view["frame"]["phase"])
        status = "TENTATIVE" if _on_hold(due) else "CONFIRMED"
        entry = uid(turn, "", desk.get("tenure", 0))
        yield _entry(entry, desk["version"], at, now, organizer, status, summary, words)


def _on_hold(due: Any) -> bool:
    """Whether a deadline is that of a game on hold, so that nothing happens at it."""
    note = due.get("note") if isinstance(due, Mapping) else None
    return isinstance(note, Mapping) and note.get("say") == "due-on-hold"


def _closed(view: Mapping[str, Any], uid: Entries, organizer: str, now: datetime, press: Printer) -> Iterator[Entry]:
    """Cancelled entries: for the deadline of a turn that was played before it, or will not be played, and for the
    deadlines of a seat that the reader has lost.
    """
    closed = view.get("closes")
    if closed and (at := datetime.fromisoformat(closed["due_at"])) > now:
        seat = closed.get("seat", "")
        tenure = closed["tenure"] if seat else (view.get("desk") or {}).get("tenure", 0)
        phase = view.get("phase") or view["frame"]["phase"]
        summary, words = _words(view, press, phase, played=not seat, left=bool(seat))
        yield _entry(
            uid(closed["turn"], seat, tenure), closed["version"], at, now, organizer, "CANCELLED", summary, words
        )


def _words(
    view: Mapping[str, Any], press: Printer, phase: str, *, played: bool = False, left: bool = False
) -> tuple[str, str]:
    """Summary and description."""
    facts = {
        "frame": view["frame"],
        "desk": view.get("desk"),
        "ended": "sentence" in view,
        "phase": phase,
        "played": played,
        "left": left,
    }
    summary, _, words = press.sheet("_deadline.txt", facts).strip().partition("\n")
    return summary, words.strip()


def _entry(
    uid: str, version: int, at: datetime, now: datetime, organizer: str, status: str, summary: str, words: str
) -> Entry:
    title = escaped(summary)
    alarms = (_alarm(title, trigger) for before, trigger in _ALARMS if status == "CONFIRMED" and at - before > now)
    return (
        "BEGIN:VEVENT", f"SUMMARY:{title}", f"DTSTART:{_utc(at)}", f"DTSTAMP:{_utc(now)}", f"UID:{uid}",
        f"SEQUENCE:{len(_RANK) * version + _RANK[status]}", f"DESCRIPTION:{escaped(words)}",
        f"ORGANIZER:mailto:{organizer}", f"STATUS:{status}", "TRANSP:TRANSPARENT",
        *(line for alarm in alarms for line in alarm), "END:VEVENT",
    )  # fmt: skip


def _alarm(title: str, trigger: str) -> Entry:
    return ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{title}", f"TRIGGER:{trigger}", "END:VALARM")


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


_ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def escaped(text: str) -> str:
    r"""Words as a value of type TEXT (RFC 5545, 3.3.11), with line ends of one kind, and blanks for control characters,
    which some calendars take for line ends.

    >>> escaped("Orders; builds, too\nby\x0b noon")
    'Orders\\; builds\\, too\\nby  noon'
    """
    text = text.replace("\r\n", "\n")
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        text = "".join(c if c == "\n" or c.isprintable() else " " for c in text)
    return text.translate(_ESCAPES)


def folded(line: str) -> str:
    """A content line over as many lines of 75 octets at the most as it takes (RFC 5545, 3.1). No character is cut, and
    a backslash stays with what follows it, since some calendars unfold too late.
    """
    octets = line.encode()
    if len(octets) <= _LONGEST:
        return line
    parts, start, room = [], 0, _LONGEST
    while len(octets) - start > room:
        end = start + room
        while octets[end] & 0xC0 == 0x80 or (octets[end - 1] == _BACKSLASH and end > start + room // 2):
            end -= 1
        parts.append(octets[start:end])
        start, room = end, _LONGEST - 1
    return b"\r\n ".join((*parts, octets[start:])).decode()


_LONGEST = 75
_BACKSLASH = ord("\\")
