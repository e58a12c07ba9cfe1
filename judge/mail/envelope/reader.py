"""Raw bytes in, Envelope out: total on any bytes, in time linear in their number.

What the header of a mail says: from whom and to whom it comes (addresses only, no trust), when, in which thread and
under which subject; and whether it is one mail that came by two routes.
"""

import hashlib
import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_tz
from typing import NamedTuple

from judge.languages import told_later
from judge.mail.authres import SenderVerdict, judge_sender
from judge.mail.envelope.model import Body, Envelope, TrustedSite, disagreement, read_body
from judge.mail.headers import clean_header
from judge.mail.noise import MachineSign, Noise, Sender, classify
from judge.mail.quoting import classify_lines
from judge.mail.raw.addresses import Mailbox, read_address, read_mailboxes
from judge.mail.raw.fields import (
    LIMITS,
    READER_FAILED,
    TOO_LARGE,
    UNSAFE,
    Fields,
    MimePart,
    ReadingLimits,
    by_host,
    decode_words,
    read_parts,
    split_mail,
)

_CLOCK_SLACK = timedelta(minutes=5)
_LONGEST_QUEUE = timedelta(days=7)


def arrival(fields: Fields, received_at: datetime, peer: str | None, trusted_mx: frozenset[str]) -> datetime:
    """When our site received the mail: the deadline is judged by this.

    If the peer that handed us the mail is one of our own mail servers, the date of the topmost Received field counts,
    provided that one of our servers wrote it; fields below it may be forged. In all other cases the moment at
    which this program was handed the mail counts. A date after that moment, or more than a week before it, is an error.
    """
    hosts = {host.lower().strip("[]") for host in trusted_mx}
    if peer is None or peer.lower().strip("[]") not in hosts:
        return received_at
    topmost = fields.first("received")
    if by_host(topmost) not in hosts:
        return received_at
    moment, _ = read_date(topmost.rpartition(";")[2])
    if moment is None or not received_at - _LONGEST_QUEUE <= moment <= received_at + _CLOCK_SLACK:
        return received_at
    return min(moment, received_at)


def read_date(value: str) -> tuple[datetime | None, timedelta | None]:
    """(moment in UTC, zone offset) of a date as mails write it (RFC 5322, 3.3); None for what cannot be read.

    The zone is None where the date says `-0000` or nothing.

    >>> read_date("Fri, 1 Mar 1901 13:00:00 +0100")[0].isoformat()
    '1901-03-01T12:00:00+00:00'
    """
    try:
        fields = parsedate_tz(value.strip()[:120])
        if fields is None:
            return None, None
        offset = timedelta(seconds=fields[9] or 0)
        if abs(offset) >= timedelta(hours=24):
            return None, None
        moment = datetime(*fields[:6], tzinfo=UTC) - offset
    except (ValueError, TypeError, IndexError, OverflowError):
        return None, None
    return moment, None if fields[9] is None else offset


_WRITTEN_BY_AUTHOR = (
    *("from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references"),
    *("mime-version", "content-type", "content-transfer-encoding", "content-disposition"),
)


def content_hash(fields: Fields, body: bytes) -> str | None:
    """SHA-256 (hex) over what the author's program wrote; None unless there are a Message-ID and a Date.

    Trace fields (Received, Delivered-To, verdicts, spam marks) differ between routes, so only fields that the author's
    program writes are counted. Line ends and empty space at the ends of lines and of the mail do not count: relays
    change them.
    """
    if not fields.first("message-id") or not fields.first("date"):
        return None
    digest = hashlib.sha256()
    for name in _WRITTEN_BY_AUTHOR:
        for value in fields.all(name):
            digest.update(f"{name}:{' '.join(value.split())}\n".encode("utf-8", "replace"))
    digest.update(b"\n")
    digest.update(re.sub(rb"[ \t]+(?=\n|\Z)", b"", body).rstrip(b"\n"))
    return digest.hexdigest()


_RECIPIENT_FIELDS = ("delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "to", "cc")


def read_sender(fields: Fields) -> tuple[str | None, str, str]:
    """(address, display name, problem): an address only if there is one From field with exactly one addr-spec.

    Several fields, several addresses, a group, or anything that two readers could understand differently names nobody.
    """
    values = fields.all("from")
    if not values:
        return None, "", told_later("no From field")
    if len(values) > 1:
        return None, "", told_later("several From fields")
    boxes = read_mailboxes(values[0], most=3)
    if not boxes:
        return None, "", told_later("an empty From field")
    name = clean_header(boxes[0].name, longest=100)
    if len(boxes) > 1:
        return None, name, told_later("several addresses in From")
    if boxes[0].address is None:
        return None, name, told_later("no single sound address in From")
    if _is_group(values[0], boxes[0]):
        return None, name, told_later("a group in From")
    return boxes[0].address, name, ""


def _is_group(value: str, box: Mailbox) -> bool:
    return value.rstrip().endswith(";") and ":" in value.removesuffix(box.raw)


def read_recipients(
    fields: Fields, envelope: str | None, limits: ReadingLimits = LIMITS
) -> tuple[tuple[str, ...], bool]:
    """(addresses in the order of their trustworthiness, whether some were left out)."""
    found: list[str] = [envelope] if envelope else []
    for name in _RECIPIENT_FIELDS:
        for value in fields.all(name):
            boxes = read_mailboxes(value, most=limits.recipients)
            found.extend(box.address for box in boxes if box.address is not None)
    distinct = tuple(dict.fromkeys(found))
    return distinct[: limits.recipients], len(distinct) > limits.recipients


def read_addressed(proved: Fields, author: str | None, limits: ReadingLimits = LIMITS) -> tuple[str, ...]:
    """To whom the author addressed the mail: To and Cc, and Resent-To if nobody but the author resent it."""
    names = ["to", "cc"]
    if proved.has("resent-from") and all(box == author for box in _addresses(proved, ["resent-from"], limits)):
        names += ["resent-to", "resent-cc"]
    found = (address for address in _addresses(proved, names, limits) if address is not None)
    return tuple(dict.fromkeys(found))[: limits.recipients]


def _addresses(fields: Fields, names: list[str], limits: ReadingLimits) -> list[str | None]:
    values = (value for name in names for value in fields.all(name))
    return [box.address for value in values for box in read_mailboxes(value, most=limits.recipients)]


def read_return_path(fields: Fields, mail_from: str | None) -> str | None:
    """The envelope sender as the transport says, else the topmost Return-Path; '' for `<>`, None if unknown."""
    value = mail_from if mail_from is not None else fields.first("return-path")
    if mail_from is None and not fields.has("return-path"):
        return None
    value = value.strip()
    if value.startswith("<") and value.endswith(">"):
        value = value[1:-1].strip()
    return read_address(value) if value else ""


_REPLY_WORDS = (
    "re|r|aw|antw|antwort|sv|vs|vá|ref|réf|res|rif|odp|ynt|bls|atb|отв|на|回复|答复|回覆|返信|답장"
    "|fw|fwd|wg|wtr|tr|rv|enc|i|doorst|vb|vl|vl|videresendt|pd|továbbítás|fs|ilt|i̇lt|пересл|转发|轉寄|転送|전달"
)
_PREFIX = re.compile(
    rf"(?:(?:{_REPLY_WORDS})(?:\s?[\[(^]\s?\d{{1,4}}\s?[\])]?)?\s?[:：]|\[(?:ext|extern|external)\]|\*{{2,10}}spam\*{{2,10}})\s*",
    re.IGNORECASE,
)
_ID = re.compile(r"<([^<>\s]{1,1000})>")
_SOUND_ID = re.compile(r"[!-;=?-~]+")


def read_subject(fields: Fields) -> str:
    """The Subject decoded, on one line, without control characters, capped."""
    return clean_header(decode_words(fields.first("subject")))


def topic_of(subject: str) -> str:
    """`subject` without the chain of reply and forward marks, in many languages.

    >>> topic_of("RE: AW: Re[2]: Fwd: tannenburg")
    'tannenburg'
    """
    topic = subject.strip()
    while match := _PREFIX.match(topic):
        topic = topic[match.end() :]
    return topic


def read_ids(value: str, limits: ReadingLimits = LIMITS) -> tuple[str, ...]:
    """The message identifiers in a field, with their angle brackets; those that are too long or not ASCII left out."""
    found = (match[0] for match in _ID.finditer(value))
    sound = (one for one in found if len(one) <= limits.message_id and _SOUND_ID.fullmatch(one[1:-1]))
    return tuple(dict.fromkeys(sound))[-limits.references :]


def read_message_id(fields: Fields, limits: ReadingLimits = LIMITS) -> tuple[str | None, tuple[str, ...]]:
    """(identifier, defects). Several different identifiers identify nothing."""
    values = fields.all("message-id")
    if not values:
        return None, ("no-message-id",)
    ids = {one for value in values for one in read_ids(value, limits)}
    if len(ids) == 1:
        return ids.pop(), ()
    return None, ("message-id-unusable",)


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
