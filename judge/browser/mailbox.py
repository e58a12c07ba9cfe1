"""Local mailboxes as a mail program sees them: headings, letters, their parts, and a letter's page fit for a frame.

What stands here knows nothing of HTTP; `judge inbox` and `judge mail` read with it too. A letter's page may have been
written by anybody: it is shown as it is, but what it may do is up to whoever frames it (`judge.browser.app`), and its
links lead out of the frame.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import default
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlencode

from judge.transport.maildir import mailboxes, read_mailbox

SHOWN_AS_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What a page may show within itself; everything else is handed out to be kept."""

_HEADERS = BytesHeaderParser(policy=default)
_LINK = re.compile(r'\bhref="(mailto:|https?:)([^"]*)"', re.IGNORECASE)
_PICTURE = re.compile(r'\bsrc="cid:([^"]*)"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LetterHeading:
    """A letter in a list. `number` counts from 1 in order of delivery; `answers`: the Message-ID that it answers."""

    number: int
    subject: str
    sender: str
    date: str
    answers: str


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A picture or file of a letter: its place among the letter's parts, its name and type, its bytes."""

    place: int
    name: str
    kind: str
    content: bytes
    cid: str


class Mailboxes:
    """The mailboxes under a folder. `first`: the address that is listed before all others, "" for none."""

    def __init__(self, root: Path, first: str = "") -> None:
        self._root = root
        self._first = first

    def addresses(self) -> list[str]:
        """Whose mailboxes there are."""
        return sorted(mailboxes(self._root), key=lambda name: (name != self._first, name))

    def headings(self, address: str) -> list[LetterHeading]:
        """The letters of an address, the newest first."""
        return [
            LetterHeading(mail.number, *_heading(mail.path)) for mail in reversed(read_mailbox(self._root, address))
        ]

    def letter(self, address: str, number: int) -> EmailMessage | None:
        """A letter by its number, None if there is none."""
        mails = read_mailbox(self._root, address)
        return mails[number - 1].message if 0 < number <= len(mails) else None

    def answer_to(self, address: str, message_id: str) -> int | None:
        """The number of the letter that answers a mail, None if it has not come."""
        return next((one.number for one in self.headings(address) if one.answers == message_id), None)


@lru_cache(maxsize=4096)
def _heading(path: Path) -> tuple[str, str, str, str]:
    """Subject, sender, date and what is answered: a letter never changes."""
    with open(path, "rb") as file:
        head = _HEADERS.parse(file)
    moment = _moment(head["Date"])
    sender = head["From"].addresses[0].display_name or str(head["From"]) if head["From"] else ""
    date = f"{moment.day} {moment:%b %H:%M}" if moment is not None else ""
    return str(head["Subject"] or "(no subject)"), sender, date, str(head["In-Reply-To"] or "")


def date_of(letter: EmailMessage) -> str:
    """When a letter was written, "" where it does not say."""
    moment = _moment(letter["Date"])
    return f"{moment:%a} {moment.day} {moment:%b %Y, %H:%M %Z}" if moment is not None else str(letter["Date"] or "")


def _moment(date: object) -> datetime | None:
    found = getattr(date, "datetime", None)
    return found if isinstance(found, datetime) else None


def text_of(letter: EmailMessage) -> str:
    """The letter as text, "" where it has none."""
    body = letter.get_body(preferencelist=("plain",))
    return str(body.get_content()) if body is not None else ""


def parts_of(letter: EmailMessage) -> Iterator[Enclosed]:
    """The pictures and files of a letter."""
    for place, part in enumerate(letter.walk()):
        name = Path(part.get_filename() or "").name
        if name and isinstance(content := part.get_payload(decode=True), bytes):
            yield Enclosed(place, name, part.get_content_type(), content, str(part["Content-ID"] or "").strip(" <>"))


def has_page(letter: EmailMessage) -> bool:
    """Whether a letter brings a page of its own beside the text."""
    return letter.get_body(preferencelist=("html",)) is not None


def page_of(letter: EmailMessage) -> str:
    """The page of a letter for a frame: its pictures are those of `file_name`, a link that would write a mail leads to
    the form `answer`, filled in, and whatever leads elsewhere opens a window of its own. "" where there is none.
    """
    body = letter.get_body(preferencelist=("html",))
    if body is None:
        return ""
    pictures = {part.cid: file_name(part) for part in parts_of(letter) if part.cid}

    def picture(found: re.Match[str]) -> str:
        return f'src="{html.escape(pictures.get(html.unescape(found[1]), ""))}"'

    return _LINK.sub(_led_out, _PICTURE.sub(picture, str(body.get_content())))


def file_name(part: Enclosed) -> str:
    """Where a part is found, seen from the letter."""
    return f"file/{part.place}/{quote(part.name)}"


def _led_out(found: re.Match[str]) -> str:
    if found[1].lower() != "mailto:":
        return f'target="_blank" rel="noopener noreferrer" {found[0]}'
    address, _, query = html.unescape(found[2]).partition("?")
    asked = {name.lower(): values[0] for name, values in parse_qs(query.replace("+", "%2B")).items()}
    wanted = {"to": unquote(address), "subject": asked.get("subject", ""), "body": asked.get("body", "")}
    return f'target="_top" href="answer?{html.escape(urlencode(wanted))}"'
