"""Which recipients a delivery notice reports as failed, how badly, and about which letter (RFC 3464, RFC 3463).

The machine-readable fields of the notice come first, then the X-Failed-Recipients field of Exim and Gmail, then the
heuristics of flufl.bounce for servers that only send prose.
"""

import email
import re
from collections.abc import Sequence
from dataclasses import dataclass

from flufl.bounce import all_failures

from judge.mail.blame import Blame, blame
from judge.mail.raw.addresses import read_address
from judge.mail.raw.charsets import decode_text
from judge.mail.raw.fields import Fields, split_mail
from judge.mail.raw.mime import MimePart

_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}@[!-;=?-~]{1,250}>")
_MOST_RECIPIENTS = 50
_MOST_PROSE = 16 << 10


@dataclass(frozen=True, slots=True)
class Failure:
    """One recipient that could not be reached.

    `status` is as in RFC 3463, "" if unknown. `blame`: what the refusal speaks of; if it is the mailbox, trying again
    is of no use.
    """

    recipient: str
    status: str = ""
    diagnostic: str = ""
    blame: Blame = Blame.MAILBOX


@dataclass(frozen=True, slots=True)
class Notice:
    """What a bounce says: failures (none in a notice of success), which reader found them, the letter's Message-ID."""

    failures: tuple[Failure, ...]
    reason: str
    about: str | None


def read_failures(parts: Sequence[MimePart], octets: bytes, failed_fields: Sequence[str] = ()) -> Notice:
    """The failures that a notice reports, by the first of the readers above that finds any. With `octets` empty the
    heuristics are not tried. Never raises.
    """
    about = _about(parts)
    by_fields = _status_failures(parts)
    if by_fields is not None:
        return Notice(by_fields, "delivery-status", about)
    named = tuple(filter(None, (read_address(one) for value in failed_fields for one in value.split(","))))
    if named:
        return Notice(tuple(Failure(one) for one in named[:_MOST_RECIPIENTS]), "x-failed-recipients", about)
    return Notice(_guessed(octets), "bounce-prose", about)


def _status_failures(parts: Sequence[MimePart]) -> tuple[Failure, ...] | None:
    """Failures of all delivery-status parts; None where no such part names any recipient."""
    failures: list[Failure] = []
    named = False
    for part in parts:
        if part.kind not in ("message/delivery-status", "message/global-delivery-status"):
            continue
        for block in re.split(rb"\n[ \t]*\n", part.octets()[0])[: _MOST_RECIPIENTS + 1]:
            fields, _, _ = split_mail(block.strip(b"\n") + b"\n")
            recipient = _recipient(fields)
            if recipient is None:
                continue
            named = True
            failure = _failure(recipient, fields)
            if failure is not None:
                failures.append(failure)
    return tuple(failures) if named else None


def _recipient(fields: Fields) -> str | None:
    for name in ("original-recipient", "final-recipient"):
        address = read_address(fields.first(name).rpartition(";")[2].strip(" <>"))
        if address is not None:
            return address
    return None


def _failure(recipient: str, fields: Fields) -> Failure | None:
    action = fields.first("action").partition(" ")[0].lower()
    diagnostic = fields.first("diagnostic-code")[:300]
    match = _STATUS.search(fields.first("status")) or _STATUS.search(diagnostic)
    status = match[0] if match else ""
    if action in ("delivered", "relayed", "expanded"):
        return None
    found = Blame.PASSING if action == "delayed" else blame(diagnostic, status)
    return Failure(recipient, status=status, diagnostic=diagnostic, blame=found)


def _about(parts: Sequence[MimePart]) -> str | None:
    """The Message-ID of the letter that came back, from the copy or the header that the notice encloses."""
    for part in parts[1:]:
        if part.kind in ("message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"):
            fields, _, _ = split_mail(part.octets()[0].lstrip(b"\n"))
            match = _MESSAGE_ID.search(fields.first("message-id"))
            if match:
                return match[0]
    return None


def _guessed(octets: bytes) -> tuple[Failure, ...]:
    if not octets:
        return ()
    message = email.message_from_bytes(octets[:_MOST_PROSE])
    if message["from"] is None:
        return ()  # the heuristics look at From first
    try:  # the recipient stands near the top; the rest is our own letter
        soft, hard = all_failures(message)
    except Exception:  # the heuristics are foreign code over hostile prose: whatever they raise means "found nothing"
        return ()
    found = [(one, Blame.MAILBOX) for one in sorted(hard)] + [(one, Blame.PASSING) for one in sorted(soft - hard)]
    read = ((read_address(decode_text(raw)[0]), fault) for raw, fault in found[:_MOST_RECIPIENTS])
    return tuple(Failure(address, blame=fault) for address, fault in read if address is not None)
