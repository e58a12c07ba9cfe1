"""A letter as bytes: our own header lines, the text first, HTML and picture beside it, the calendar attached.

Composing is a pure function of what was stored and of where it goes. The same letter composed twice gives the same
bytes (boundaries included), and its headers reveal nothing that its reader may not know: identities are keyed hashes,
and From is always the judge's own domain.

Header values as ASCII: words that are not are encoded (RFC 2047), long values are folded, addresses are quoted.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from judge.mail.headers import LONGEST, clean_header
from judge.mail.letters.binding import Binding, bind
from judge.mail.letters.mime import CalendarPart, File, Image, build_body, deadlines_of
from judge.mail.letters.rendering import Printer, Sheets

LINE = 76
_PHRASE = re.compile(r"[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]*")
_LOCAL = r"(?:[^\s<>\"(),:;\[\]\\@]+|\"[^\"\\\r\n]*\")"
_ADDRESS = re.compile(rf"{_LOCAL}@(?:[^\s<>\"(),:;\[\]\\@\x80-\U0010ffff]+|\[[0-9A-Za-z:.]+\])")


def encode_header(name: str, value: str) -> str:
    """A cleaned value fit to stand after "Name: ": folded where it is long, encoded where it is not ASCII.

    >>> encode_header("Subject", "Grüße")
    '=?utf-8?b?R3LDvMOfZQ==?='
    """
    clean = _tame(value)
    if clean.isascii():
        return _fold(name, clean)
    return "\r\n ".join(f"=?utf-8?b?{b64encode(chunk.encode()).decode('ascii')}?=" for chunk in _chunks(clean))


def _tame(value: str, longest: int = LONGEST) -> str:
    """A cleaned value in which nothing looks like an encoded word: some readers decode what they find, and again."""
    return clean_header(value, longest=longest).replace("=?", "= ?")


def _chunks(text: str) -> list[str]:
    """Pieces of at most 39 octets of UTF-8 (an encoded word has 75 characters), never inside a character."""
    chunks = [""]
    for char in text:
        if len((chunks[-1] + char).encode()) > 39:
            chunks.append("")
        chunks[-1] += char
    return chunks


def _fold(name: str, value: str) -> str:
    """Break a long ASCII value at blanks into lines of at most 76 characters where that is possible."""
    lines = [""]
    room = LINE - len(name) - 2
    for word in value.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > room:
            lines.append(word)
            room = LINE - 1
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return "\r\n ".join(lines)


def _as_people_write(address: str) -> str:
    """An address whose local part is international, with its domain as people write it, not as Punycode."""
    local, _, domain = address.rpartition("@")
    if local.isascii():
        return address
    try:
        return f"{local}@{domain.encode('ascii').decode('idna')}"
    except UnicodeError:
        return address


def address_field(name: str, address: str) -> str:
    """A name and an address as one mailbox; raises ValueError for what is no address of the form name@domain.

    An international local part stands as it is: only a relay that knows SMTPUTF8 takes such a letter (RFC 6532).

    >>> address_field("France via Judge tannenburg", "judge@judge.test")
    'France via Judge tannenburg <judge@judge.test>'
    """
    unclean = clean_header(address).replace(" ", "") != address.replace(" ", "")
    if unclean or _ADDRESS.fullmatch(address) is None:
        raise ValueError("a letter needs an address of the form name@domain")
    display, address = _tame(name, longest=60), _as_people_write(address)
    if not display:
        return address
    if not display.isascii():
        return f"{encode_header('From', display)}\r\n <{address}>"
    if _PHRASE.fullmatch(display):
        return f"{display} <{address}>"
    quoted = display.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" <{address}>'


@dataclass(frozen=True, slots=True)
class Posting:
    """What a letter needs beside its stored view: where it goes, who sends it, the judge's identity.

    `to` and `to_name`: the recipient; `from_address`: the judge's own; `reply_to`: the seat's token address or the
    judge's own; `domain`: ours; `secret`: keys every identity; `identity`: the Message-ID that the letter was given
    when it was decided on, else it follows from its key; `instance`: names this judge to itself (loops);
    `unsubscribe`: an address that ends a subscription, `one_click`: a link that does so, each "" where there is none.
    `page`, `calendar`: whether the reader wants the letter as a page too, and deadlines as a calendar file;
    `explain`: and outcomes explained, `njudge`: and results in njudge's layout, too; `unhung`:
    how many of the letter's pictures do not come with it.
    """

    to: str
    to_name: str
    from_address: str
    reply_to: str
    date: datetime
    domain: str
    secret: bytes = field(repr=False)
    identity: str = ""
    instance: str = "judge"
    judge: str = "Judge"
    unsubscribe: str = ""
    one_click: str = ""
    images: Sequence[Image] = ()
    unhung: int = 0
    page: bool = True
    calendar: bool = True
    explain: bool = False
    njudge: bool = False


@dataclass(frozen=True, slots=True)
class Composed:
    """A mail ready to be stored and sent: `mime` has CRLF line ends and no line over 998 octets."""

    subject: str
    message_id: str
    mime: bytes
    text: str


def message_id(idem_key: str, secret: bytes, domain: str) -> str:
    """The Message-ID of a letter: the same for the same key, and opaque to everybody without the secret.

    >>> message_id("g/1/press/3", b"secret", "judge.test") == message_id("g/1/press/3", b"secret", "judge.test")
    True
    """
    return f"<{_digest('letter', idem_key, secret)}@{domain}>"


def message_ids(idem_keys: Iterable[str], secret: bytes, domain: str) -> list[str]:
    """The Message-IDs of several letters, in their order."""
    return [message_id(key, secret, domain) for key in idem_keys]


def root_id(topic: str, secret: bytes, domain: str) -> str:
    """The Message-ID of the root of a thread; no mail has it."""
    return f"<{_digest('thread', topic, secret)}@{domain}>"


def compose(kind: str, idem_key: str, stored: Mapping[str, Any], posting: Posting, press: Printer) -> Composed:
    """The bytes of a letter. `stored` is the JSON that `Letter.frozen()` wrote. Raises TemplateError for a broken
    template.
    """
    view = stored["view"]
    identity = posting.identity or message_id(idem_key, posting.secret, posting.domain)
    images = _hung(posting, identity)
    sheets = press.print(
        kind, view, page=posting.page, reply_to=posting.reply_to, unhung=posting.unhung,
        explain=posting.explain, njudge=posting.njudge,
        pictures=[{**image.facts, "cid": image.cid} for image in images if image.cid],
    )  # fmt: skip
    frame = press.spoken(view.get("frame", {}), kind)
    headers = _headers(kind, stored, frame, sheets, identity, posting)
    boundary = _digest("boundary", idem_key, posting.secret)
    body_headers, body = build_body(
        sheets.text, sheets.html, images, _calendar(kind, stored, posting, press),
        files=_files(kind, view, press), boundary=boundary,
    )  # fmt: skip
    lines = [_line(name, value) for name, value in (*headers, *body_headers)]
    mime = "\r\n".join(lines).encode("utf-8") + b"\r\n\r\n" + body
    return Composed(sheets.subject, identity, mime, sheets.text)


def _hung(posting: Posting, identity: str) -> list[Image]:
    """The pictures, each under an identity of its own in all the world (RFC 2392): some programs keep pictures by it.
    Without a page they go along as files.
    """
    inside = identity.strip("<>")
    hung = posting.images if posting.page else [replace(image, cid="") for image in posting.images]
    return [replace(image, cid=f"{n}.{inside}") if image.cid else image for n, image in enumerate(hung, 1)]


def _calendar(kind: str, stored: Mapping[str, Any], posting: Posting, press: Printer) -> CalendarPart | None:
    """The deadline for calendars: one entry for each tenure of a seat, whatever letter tells of it."""
    view = stored["view"]
    if not posting.calendar or not view.get("frame", {}).get("game"):
        return None

    def uid(turn: str, seat: str, tenure: int) -> str:
        again = f"/{tenure}" if tenure > 1 else ""
        whose = f"{view['frame']['game']}/{seat or stored['reply_as']}{again}"
        return f"{turn}.{_digest('deadline', whose, posting.secret)}@{posting.domain}".lower()

    return deadlines_of(kind, view, uid=uid, organizer=posting.from_address, now=posting.date, press=press)


def _files(kind: str, view: Mapping[str, Any], press: Printer) -> list[File]:
    """What goes along as files, with a letter or with a letter that a receipt encloses."""
    inside = ((enclosure["kind"], enclosure["view"]) for enclosure in view.get("enclosures", ()))
    return [file for sort, holder in ((kind, view), *inside) for file in files_of(sort, holder, press)]


_TOLD_AGAIN = ("letters", "correspondence")
"""Answers that go along whole, as a file."""


def files_of(kind: str, view: Mapping[str, Any], press: Printer) -> tuple[File, ...]:
    """The files of one kind of letter: of an archive its text and its record, both handbooks, of what has been told
    before all of it, of an export what it made, of an editor's results what a zine prints.

    Raises TemplateError.
    """
    if kind == "book":
        bound = bind(view, press, Binding.HTML)
        return tuple(File(name, "text/html", text) for name, text in bound.items())
    name = re.sub(r"[^A-Za-z0-9-]", "", str(view.get("game", "")))[:63] or "game"
    if kind == "results" and (print_of := view.get("printed")):
        return (File(_file_name(print_of["file"]), "text/plain", press.sheet("results/print.txt", view)),)
    if kind in _TOLD_AGAIN:
        return (File(f"{name}-{kind}.txt", "text/plain", press.sheet(f"{kind}/record.txt", view)),)
    if kind != "archive":
        return tuple(_file(each) for each in view.get("files", ()))
    record = json.dumps(press.spoken(view["record"], kind), ensure_ascii=False, indent=1)
    return (
        File(f"{name}.txt", "text/plain", press.sheet("archive/record.txt", view)),
        File(f"{name}.json", "application/json", f"{record}\n"),
    )


def _file(facts: Mapping[str, Any]) -> File:
    """A file that a view brings along; its name and type stand in headers, so they are ASCII whatever the view says."""
    kind = str(facts["type"]) if _MEDIA_TYPE.fullmatch(str(facts["type"])) else "application/octet-stream"
    return File(_file_name(facts["name"]), kind, str(facts.get("text", "")), b64decode(facts.get("base64", "")))


def _file_name(name: object) -> str:
    return re.sub(r"[^A-Za-z0-9.-]", "", str(name))[:80] or "file"


_MEDIA_TYPE = re.compile(r"[a-z]{1,20}/[a-z0-9.+-]{1,60}")


def _headers(
    kind: str, stored: Mapping[str, Any], frame: Mapping[str, Any], sheets: Sheets, identity: str, posting: Posting
) -> list[tuple[str, str]]:
    """Every header line but those of the body, in their order, cleaned and encoded."""
    game = str(frame.get("game", ""))
    replied = stored["thread"] == "mail"
    headers = [
        ("From", address_field(sender_name(frame, posting.judge), posting.from_address)),
        ("To", address_field(posting.to_name, posting.to)),
        ("Reply-To", address_field("", posting.reply_to)),
        ("Subject", encode_header("Subject", sheets.subject)),
        ("Date", format_datetime(posting.date.astimezone(UTC))),
        ("Message-ID", identity),
        *_thread(stored, game, posting),
        ("Auto-Submitted", "auto-replied" if replied else "auto-generated"),
        ("Precedence", "bulk"),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Judge-Loop", clean_header(posting.instance)),
        ("X-Judge-Kind", clean_header(kind)),
        *_list_headers(game, posting),
    ]
    return [(name, value) for name, value in headers if value]


_GAME_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,62}")
_STRAY_BREAK = re.compile(r"\r(?!\n[ \t])|(?<!\r)\n|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _line(name: str, value: str) -> str:
    """One header line; the last guard against a value that would begin another one."""
    if _STRAY_BREAK.search(value):
        raise ValueError(f"the value of {name} was not cleaned")
    return f"{name}: {value}"


def sender_name(frame: Mapping[str, Any], judge: str) -> str:
    """The display name of the From field: "France via Judge tannenburg" to France's player; a zine has its own."""
    game, to = str(frame.get("game", "")), str(frame.get("to", ""))
    if not game or frame.get("sender"):
        return str(frame.get("sender", judge))
    return f"{to} via {judge} {game}" if to else f"{judge} {game}"


def _thread(stored: Mapping[str, Any], game: str, posting: Posting) -> list[tuple[str, str]]:
    """In-Reply-To and References: the reader's own mail, or the root of the game or topic."""
    if stored["thread"] == "mail":
        parent = _message_id_of(str(stored["parent"]))
        return [("In-Reply-To", parent), ("References", parent)] if parent else []
    if stored["thread"] == "game":
        root = root_id(str(stored["topic"] or game), posting.secret, posting.domain)
        return [("In-Reply-To", root), ("References", root)]
    return []


def _message_id_of(text: str) -> str:
    """A Message-ID from outside, if it is one that may stand in a header of ours; "" otherwise."""
    value = clean_header(text)
    plain = value.isascii() and " " not in value and len(value) <= 250
    return value if plain and value.startswith("<") and value.endswith(">") and value.count("<") == 1 else ""


def _list_headers(game: str, posting: Posting) -> list[tuple[str, str]]:
    local, _, domain = posting.from_address.rpartition("@")
    help_address = f"<mailto:{local}@{domain}?subject=help>"
    listed = _GAME_KEY.fullmatch(game) is not None
    headers = [("List-Id", f"<{game}.{posting.domain}>" if listed else ""), ("List-Help", help_address)]
    if posting.unsubscribe:
        ways = [f"<mailto:{clean_header(posting.unsubscribe)}?subject=unsubscribe>"]
        if posting.one_click:
            ways.append(f"<{clean_header(posting.one_click)}>")
            headers.append(("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
        headers.append(("List-Unsubscribe", ",\r\n ".join(ways)))
    return headers


def _digest(purpose: str, text: str, secret: bytes) -> str:
    return hmac.new(secret, f"{purpose}\0{text}".encode(), hashlib.sha256).hexdigest()[:32]
