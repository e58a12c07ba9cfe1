"""The body of a letter: text alone, or mixed{alternative{text, related{HTML, images}}, calendar, files}.

Built by hand from a few lines, so that the same letter has the same bytes on every Python. Text that is ASCII goes as
7bit, other text as quoted-printable; both stay far below 998 octets a line.
"""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from quopri import encodestring

from judge.mail.headers import clean_header

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
