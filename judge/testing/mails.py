"""Mails as players' programs would send them: a few headers and a text in, raw bytes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, getaddresses

from judge.testing.matching import ReceivedLetter, address
from judge.testing.transcript import Headers

AUTHSERV = "mx.judge.test"
"""The name under which the rehearsal's own mail server gives its word for a sender."""


@dataclass(frozen=True)
class RawMail:
    """A mail ready for the wire: bytes and envelope."""

    raw: bytes
    mail_from: str
    rcpts: tuple[str, ...]


def build(
    headers: Sequence[tuple[str, str]], body: str, *, now: datetime, number: int, to: str, vouched: bool
) -> RawMail:
    """A mail from what a script says of it; what it does not say is filled in.

    `To` defaults to `to`, `Date` to the moment, `Message-ID` to a number of this rehearsal; a header that is given
    without a value is left out. `Return-Path` and `Delivered-To` say the envelope. Where the script gives no
    `Authentication-Results` and `vouched` is set, our server gives its word for the sender's domain.
    """
    given = {name.lower() for name, _ in headers}
    fields = [(name, value) for name, value in headers if value]
    sender = address(_value(fields, "from"))
    host = sender.rpartition("@")[2] or "nowhere.test"
    _default(fields, given, "To", to)
    _default(fields, given, "Date", format_datetime(now))
    _default(fields, given, "Message-ID", f"<rehearsal.{number}@{host}>")
    _default(fields, given, "MIME-Version", "1.0")
    _default(fields, given, "Content-Type", "text/plain; charset=utf-8")
    if "content-type" not in given:
        _default(fields, given, "Content-Transfer-Encoding", "8bit")
    if vouched and "authentication-results" not in given:
        fields.append(("Authentication-Results", f"{AUTHSERV}; dmarc=pass header.from={host}"))
    fields = stamped(fields, sender)
    head = "".join(f"{name}: {_encoded(name, value)}\r\n" for name, value in fields)
    raw = head.encode("utf-8", "surrogateescape") + b"\r\n" + _octets(body)
    return RawMail(raw, _envelope_from(fields, sender), _recipients(fields))


def stamped(fields: Sequence[tuple[str, str]], sender: str) -> list[tuple[str, str]]:
    """The fields as our own mail server hands them on: its verdicts above its Received line, that above all others."""
    verdicts = [(name, value) for name, value in fields if name.lower() == "authentication-results"]
    if not verdicts:
        return list(fields)
    others = [one for one in fields if one not in verdicts]
    client = sender.rpartition("@")[2] or "nowhere.test"
    return [*verdicts, ("Received", f"from {client} ({client} [192.0.2.66]) by {AUTHSERV} with ESMTP"), *others]


def resent(mail: RawMail, *, by: str) -> RawMail:
    """The same mail by another route: one more trace header, below what our own server wrote on top."""
    head, _, rest = mail.raw.partition(b"\r\nReceived:") if mail.raw.startswith(b"Authentication") else (b"", b"", b"")
    line = f"Received: from elsewhere by {by}\r\n".encode("ascii")
    if not rest:
        return RawMail(line + mail.raw, mail.mail_from, mail.rcpts)
    own, _, theirs = rest.partition(b"\r\n")
    return RawMail(head + b"\r\nReceived:" + own + b"\r\n" + line + theirs, mail.mail_from, mail.rcpts)


def _default(fields: list[tuple[str, str]], given: set[str], name: str, value: str) -> None:
    if name.lower() not in given:
        fields.append((name, value))


def _value(fields: Sequence[tuple[str, str]], name: str) -> str:
    return next((value for key, value in fields if key.lower() == name), "")


def _envelope_from(fields: Sequence[tuple[str, str]], sender: str) -> str:
    path = _value(fields, "return-path").strip()
    return path.strip("<>") if path else sender


def _recipients(fields: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    named = _value(fields, "delivered-to") or ", ".join(v for k, v in fields if k.lower() in ("to", "cc"))
    return tuple(dict.fromkeys(found.lower() for _, found in getaddresses([named]) if "@" in found))


def _encoded(name: str, value: str) -> str:
    if name.lower() == "subject" and not value.isascii():
        return Header(value, "utf-8").encode()
    return value


def _octets(body: str) -> bytes:
    text = body if body.endswith("\n") or not body else body + "\n"
    return text.replace("\n", "\r\n").encode("utf-8", "surrogateescape")


def plain(sender: str, subject: str, text: str, headers: Mapping[str, str]) -> tuple[list[tuple[str, str]], str]:
    """Headers and body of a simple mail, for `build`."""
    return [("From", sender), ("Subject", subject), *headers.items()], text


def as_answer(headers: Headers, answered: ReceivedLetter) -> Headers:
    """Headers of a reply to a letter, where the conversation does not give its own."""
    given = {name.lower() for name, _ in headers}
    subject = answered.subject
    usual = [
        ("From", answered.to),
        ("Subject", subject if subject.lower().startswith("re:") else f"Re: {subject}"),
        ("In-Reply-To", answered.message_id),
        ("References", f"{answered.header('References')} {answered.message_id}".strip()),
    ]
    return [*headers, *((name, value) for name, value in usual if name.lower() not in given)]
