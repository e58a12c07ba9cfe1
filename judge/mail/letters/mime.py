"""The body of a letter: text alone, or mixed{alternative{text, related{HTML, images}}, calendar, files}; and the
deadline that it names as a calendar file (RFC 5545).

Built by hand from a few lines, so that the same letter has the same bytes on every Python. Text that is ASCII goes as
7bit, other text as quoted-printable; both stay far below 998 octets a line.

An entry is one turn's deadline for one reader: a later letter that names another moment for it bears the same UID and a
higher SEQUENCE, so that calendars move the entry and never make a second one. While the game is on hold the entry is
tentative and rings no alarm. A turn that was played ahead of its deadline, or is played no more, is cancelled.
Nobody is an attendee, and no address in the file opens anything: calendars are shared.

The dozen lines of an entry are written here: made by a library they took more time than all else of a letter.
"""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from quopri import encodestring
from typing import Any

from judge.mail.headers import clean_header
from judge.mail.letters.rendering import Printer

Headers = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: one that the HTML shows as "cid:CID", or (`cid` "") one that goes along as a file of its `name`.

    `media_type` like "image/png"; `facts`: what the page is told of it; `mark`: what stands in the mail in place
    of its octets, which its sending fills in.
    """

    name: str
    media_type: str
    data: bytes = field(repr=False)
    cid: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    mark: bytes = b""


@dataclass(frozen=True, slots=True)
class CalendarPart:
    """The deadline as a calendar file; `method` PUBLISH or CANCEL (RFC 5546)."""

    text: str
    method: str = "PUBLISH"
    name: str = "deadline.ics"


@dataclass(frozen=True, slots=True)
class File:
    """A text that goes along as a file, or `data` that is none; `media_type` like "application/json"."""

    name: str
    media_type: str
    text: str = field(repr=False)
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class _BodyPart:
    headers: Headers
    body: bytes


def build_body(
    text: str,
    html: str,
    images: Sequence[Image],
    calendar: CalendarPart | None,
    *,
    files: Sequence[File] = (),
    boundary: str,
) -> tuple[Headers, bytes]:
    """(header lines, body) of a whole mail. `boundary` is a seed; it must not be guessable from a text."""
    part = _text_part("plain", text)
    if html:
        page = _text_part("html", html)
        if inline := [_image_part(image) for image in images if image.cid]:
            page = _multipart("related", [page, *inline], boundary + "r")
        part = _multipart("alternative", [part, page], boundary + "a")
    beside = [
        *([_calendar_part(calendar)] if calendar is not None else []),
        *(_image_part(image) for image in images if not (html and image.cid)),
        *(_file_part(file) for file in files),
    ]
    if beside:
        part = _multipart("mixed", [part, *beside], boundary + "m")
    return [("MIME-Version", "1.0"), *part.headers], part.body


def _text_part(subtype: str, text: str, *, top: str = "text") -> _BodyPart:
    if subtype == "html":
        text = _with_references(text)
    ascii_only = text.isascii() and all(len(line) <= 990 for line in text.split("\n"))
    ascii_only = ascii_only and (subtype != "html" or "\nFrom " not in text)
    charset, encoding = ("us-ascii", "7bit") if ascii_only else ("utf-8", "quoted-printable")
    octets = text.encode("ascii") if ascii_only else _quoted_printable(text)
    headers = [("Content-Type", f"{top}/{subtype}; charset={charset}"), ("Content-Transfer-Encoding", encoding)]
    return _BodyPart(headers, _crlf(octets))


def _with_references(page: str) -> str:
    """A page in ASCII, other characters as numeric references, so that it goes as it stands: shorter than quoted, and
    quicker. Style sheets know no references (HTML 13.1.2.1, raw text): one with other characters stays.
    """
    if page.isascii() or not page.partition("</style>")[0].isascii():
        return page
    return page.encode("utf-8", "replace").decode("utf-8").encode("ascii", "xmlcharrefreplace").decode("ascii")


def _quoted_printable(text: str) -> bytes:
    octets = encodestring(text.encode("utf-8", "replace"))
    # A line that begins with "From " is changed on its way by old mailbox formats, and a lone dot ends a message.
    lines = b"\n" + octets + b"\n"
    if b"\nFrom " not in lines and b"\n.\n" not in lines:
        return octets  # as nearly always
    return re.sub(rb"(?m)^(From |\.$)", lambda match: b"=%02X" % match[1][0] + match[1][1:], octets)


@lru_cache(maxsize=16)
def encoded(data: bytes) -> bytes:
    """The octets of a picture as they stand in a mail; the letters of one turn hold the same few."""
    return _crlf(encodebytes(data)).rstrip(b"\r\n")


def _image_part(image: Image) -> _BodyPart:
    name, cid = clean_header(image.name), clean_header(image.cid)
    headers = [
        ("Content-Type", f'{clean_header(image.media_type)}; name="{name}"'),
        ("Content-Transfer-Encoding", "base64"),
        ("Content-Disposition", f'{"inline" if cid else "attachment"}; filename="{name}"'),
    ]
    return _BodyPart([*headers, *([("Content-ID", f"<{cid}>")] if cid else [])], image.mark or encoded(image.data))


def _calendar_part(calendar: CalendarPart) -> _BodyPart:
    part = _text_part("calendar", calendar.text.replace("\r\n", "\n"))
    method, name = clean_header(calendar.method), clean_header(calendar.name)
    kind, encoding = part.headers
    headers = [
        (kind[0], f"{kind[1]}; method={method}"),
        encoding,
        ("Content-Disposition", f'attachment; filename="{name}"'),
    ]
    return _BodyPart(headers, part.body)


def _file_part(file: File) -> _BodyPart:
    if file.data:
        return _image_part(Image(file.name, file.media_type, file.data))
    top, _, subtype = clean_header(file.media_type).partition("/")
    part = _text_part(subtype, file.text, top=top)
    disposition = ("Content-Disposition", f'attachment; filename="{clean_header(file.name)}"')
    return _BodyPart([*part.headers, disposition], part.body)


def _multipart(subtype: str, parts: Sequence[_BodyPart], boundary: str) -> _BodyPart:
    mark = f"=_{boundary}".encode("ascii")
    body = b""
    for part in parts:
        head = "\r\n".join(f"{name}: {value}" for name, value in part.headers).encode("ascii")
        body += b"--" + mark + b"\r\n" + head + b"\r\n\r\n" + part.body + b"\r\n"
    body += b"--" + mark + b"--\r\n"
    return _BodyPart([("Content-Type", f'multipart/{subtype};\r\n boundary="{mark.decode("ascii")}"')], body)


def _crlf(octets: bytes) -> bytes:
    return octets.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


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
