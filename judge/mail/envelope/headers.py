"""What the header of a mail says: from whom and to whom it comes (addresses only, no trust), when, in which thread and
under which subject; and whether it is one mail that came by two routes.
"""

import hashlib
import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_tz

from judge.mail.headers import clean_header
from judge.mail.raw.addresses import Mailbox, read_address, read_mailboxes
from judge.mail.raw.fields import Fields, decode_words
from judge.mail.raw.limits import LIMITS, ReadingLimits
from judge.mail.raw.trace import by_host

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
        return None, "", "no From field"
    if len(values) > 1:
        return None, "", "several From fields"
    boxes = read_mailboxes(values[0], most=3)
    if not boxes:
        return None, "", "an empty From field"
    name = clean_header(boxes[0].name, longest=100)
    if len(boxes) > 1:
        return None, name, "several addresses in From"
    if boxes[0].address is None:
        return None, name, "no single sound address in From"
    if _is_group(values[0], boxes[0]):
        return None, name, "a group in From"
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
