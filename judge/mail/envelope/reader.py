"""Raw bytes in, Envelope out: total on any bytes, in time linear in their number."""

from datetime import UTC, datetime
from typing import NamedTuple

from judge.mail.authres import SenderVerdict, judge_sender
from judge.mail.envelope.body import Body, disagreement, read_body
from judge.mail.envelope.headers import (
    arrival,
    content_hash,
    read_addressed,
    read_date,
    read_ids,
    read_message_id,
    read_recipients,
    read_return_path,
    read_sender,
    read_subject,
    topic_of,
)
from judge.mail.envelope.model import Envelope, TrustedSite
from judge.mail.noise import MachineSign, Noise, Sender, classify
from judge.mail.quoting import classify_lines
from judge.mail.raw.addresses import read_address
from judge.mail.raw.fields import Fields, split_mail
from judge.mail.raw.limits import LIMITS, READER_FAILED, TOO_LARGE, UNSAFE, ReadingLimits
from judge.mail.raw.mime import MimePart, read_parts

_TRACES = ("received", "authentication-results", "dkim-signature", "return-path", "delivered-to")
"""Fields of a mail that came from elsewhere."""

NOWHERE = TrustedSite()
"""A site that trusts no server and knows no address of its own."""


def read_envelope(
    raw: bytes,
    received_at: datetime,
    *,
    rcpt: str | None = None,
    mail_from: str | None = None,
    peer: str | None = None,
    trusted: TrustedSite = NOWHERE,
    limits: ReadingLimits = LIMITS,
    vouched: bool = False,
) -> Envelope:
    """Read a mail. Never raises, whatever `raw` holds; what could not be read is named in `defects`.

    `received_at` (aware) is the transport's moment: SMTP or LMTP accept time, IMAP INTERNALDATE, Maildir file time.
    `rcpt` and `mail_from` are the SMTP envelope where the transport knows it (`mail_from=''` is the null sender);
    `peer` is the name or address of the host that handed us the mail. `vouched`: a program of this machine did, and its
    word is enough, unless the mail has been on its way before. Raises ValueError only for a naive `received_at`.

    >>> from datetime import UTC
    >>> mail = read_envelope(b"From: anna@players.test\\n\\nA PAR - BUR\\n", datetime(1901, 3, 1, tzinfo=UTC))
    >>> mail.from_address, mail.own_text
    ('anna@players.test', 'A PAR - BUR')
    """
    if received_at.tzinfo is None:
        raise ValueError("received_at must be an aware moment")
    received_at = received_at.astimezone(UTC)
    rcpt = read_address(rcpt.strip("<> ")) if rcpt else None
    try:
        return _read(raw, received_at, rcpt, mail_from, peer, trusted, limits, vouched=vouched)
    except Exception as problem:  # the last net: a mail must never stop the judge, and the raw bytes are kept elsewhere
        return _unreadable(raw, received_at, rcpt, type(problem).__name__)


def _read(
    raw: bytes,
    received_at: datetime,
    rcpt: str | None,
    mail_from: str | None,
    peer: str | None,
    trusted: TrustedSite,
    limits: ReadingLimits,
    *,
    vouched: bool,
) -> Envelope:
    octets, fields, rest, root, body, defects = _taken_apart(raw, limits)
    address, name, problem = read_sender(fields)
    recipients, cut = read_recipients(fields, rcpt, limits)
    if cut:
        defects.append("recipients-cut")
    return_path = read_return_path(fields, mail_from)
    verdict = judge_sender(fields, address, trusted.witness, peer, rest)
    if vouched and address is not None and not any(map(fields.has, _TRACES)):
        verdict = SenderVerdict("pass", "handed-over-on-this-machine", fields)
    message_id, found = read_message_id(fields, limits)
    defects.extend(found)
    subject = read_subject(fields)
    date, zone = read_date(fields.first("date"))
    unsafe = not UNSAFE.isdisjoint(defects)
    text_lines = classify_lines(body.lines)
    only_in_text, only_in_html = disagreement(text_lines, classify_lines(body.html))
    sender = Sender(address, return_path, trusted.own_addresses, trusted.instance)
    replied = read_ids(fields.first("in-reply-to"), limits)
    return Envelope(
        received_at=received_at,
        arrived_at=arrival(fields, received_at, peer, trusted.trusted_mx),
        from_address=address,
        from_name=name,
        from_problem=problem,
        subject=subject,
        topic=topic_of(subject),
        message_id=message_id,
        in_reply_to=replied[0] if replied else None,
        references=read_ids(" ".join(fields.all("references")), limits),
        date_claimed=date,
        zone_claimed=zone,
        recipients=recipients,
        envelope_recipient=rcpt,
        return_path=return_path,
        addressed=read_addressed(verdict.proved, address),
        auth=verdict.auth,
        auth_reason=verdict.reason,
        text_lines=text_lines,
        lines_cut=body.lines_cut,
        attachments=body.attachments,
        noise=classify(fields, tuple(root.walk()), sender, b"" if unsafe else octets),
        content_hash=None if unsafe else content_hash(fields, rest),
        defects=tuple(dict.fromkeys(defects)),
        unsafe=unsafe,
        size=len(raw),
        only_in_text=only_in_text,
        only_in_html=only_in_html,
    )


class _TakenApart(NamedTuple):
    """A mail taken apart: its bytes with LF, its fields and what follows them, its parts, its text, what is odd."""

    octets: bytes
    fields: Fields
    rest: bytes
    root: MimePart
    body: Body
    defects: list[str]


def _taken_apart(raw: bytes, limits: ReadingLimits) -> _TakenApart:
    odd = [TOO_LARGE] if len(raw) > limits.mail else []
    octets = raw[: limits.mail].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"\0" in octets:
        octets = octets.replace(b"\0", b"")
        odd.append("nul-bytes")
    fields, rest, in_fields = split_mail(octets, limits)
    root, in_parts = read_parts(fields, rest, limits)
    body = read_body(root, limits)
    return _TakenApart(octets, fields, rest, root, body, [*odd, *in_fields, *in_parts, *body.defects])


def _unreadable(raw: bytes, received_at: datetime, rcpt: str | None, problem: str) -> Envelope:
    """The Envelope of a mail that broke the reader: nothing but where it went and when."""
    return Envelope(
        received_at=received_at,
        arrived_at=received_at,
        from_address=None,
        from_name="",
        from_problem="the mail could not be read",
        subject="",
        topic="",
        message_id=None,
        in_reply_to=None,
        references=(),
        date_claimed=None,
        zone_claimed=None,
        recipients=(rcpt,) if rcpt else (),
        envelope_recipient=rcpt,
        return_path=None,
        auth="none",
        auth_reason="not-read",
        text_lines=(),
        lines_cut=0,
        attachments=(),
        noise=MachineSign(Noise.NONE),
        content_hash=None,
        defects=(READER_FAILED, f"{READER_FAILED}-{problem}"),
        unsafe=True,
        size=len(raw),
    )
