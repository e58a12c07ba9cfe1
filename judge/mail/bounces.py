"""Which recipients a delivery notice reports as failed, how badly, and about which letter (RFC 3464, RFC 3463).

The machine-readable fields of the notice come first, then the X-Failed-Recipients field of Exim and Gmail, then the
heuristics of flufl.bounce for servers that only send prose.

What a mail server's refusal blames: the mailbox, the one letter, or the moment (RFC 3463, RFC 5321).

Only a refusal that speaks of the mailbox says that mail does not reach it. A letter that is too large, or that a filter
takes for spam, says nothing about the next one.
"""

from __future__ import annotations

import email
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from flufl.bounce import all_failures

from judge.mail.raw.addresses import read_address
from judge.mail.raw.charsets import decode_text
from judge.mail.raw.fields import Fields, MimePart, split_mail


class Blame(StrEnum):
    """What a refusal blames."""

    MAILBOX = "mailbox"
    """No such mailbox, or one that takes no mail: trying again is of no use."""
    LETTER = "letter"
    """Its size, content or sender: another letter may pass."""
    PASSING = "passing"
    """A full mailbox, a server out of order: it may pass later."""


_ENHANCED = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_CODE = re.compile(r"\b[245]\d\d\b")
_NOBODY = re.compile(
    r"user (?:is )?unknown|unknown (?:user|recipient|mailbox|address)|no such (?:user|recipient|mailbox|address)"
    r"|(?:mailbox|user|recipient|address|account) (?:was |is )?(?:not found|not exist|does not exist|doesn't exist"
    r"|disabled|inactive|invalid)|does not exist|invalid (?:recipient|mailbox|address)|no mailbox here",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"too (?:large|big)|size limit|exceeds? (?:the )?(?:maximum |fixed )?(?:message )?size|message size|max\w* size",
    re.IGNORECASE,
)
_FULL = re.compile(r"\bfull\b|quota|storage|insufficient", re.IGNORECASE)
_POLICY = re.compile(
    r"spam|block(?:ed|list)|black ?list|policy|reputation|\bspf\b|\bdkim\b|\bdmarc\b|content|virus|denied|banned"
    r"|unsolicited|junk",
    re.IGNORECASE,
)

_BY_STATUS = {
    "1.7": Blame.LETTER, "1.8": Blame.LETTER, "2.2": Blame.PASSING, "2.3": Blame.LETTER, "2.4": Blame.PASSING,
    "3.4": Blame.LETTER, "4.5": Blame.PASSING, "4.6": Blame.PASSING, "4.7": Blame.PASSING,
}  # fmt: skip
"""Enhanced status (subject and detail) -> what it blames, where its subject alone would say something else."""

_BY_SUBJECT = {
    "1": Blame.MAILBOX, "2": Blame.MAILBOX, "3": Blame.PASSING, "4": Blame.MAILBOX, "5": Blame.LETTER,
    "6": Blame.LETTER, "7": Blame.LETTER,
}  # fmt: skip

_BY_CODE = {"552": Blame.PASSING, "554": Blame.LETTER, "523": Blame.LETTER, "555": Blame.LETTER}


_TOO_FAST = re.compile(
    r"rate ?limit|unusual(?:ly high)? rate|too (?:many|fast|much)|throttl|slow down|deferred due to user complaints"
    r"|temporarily (?:deferred|rate)|try again later.{0,40}(?:rate|volume)|volume of (?:e-?mail|messages)"
    r"|exceeded .{0,40}(?:rate|limit|quota of messages)",
    re.IGNORECASE,
)
_TOO_FAST_STATUS = re.compile(r"\b4\.7\.(?:28|650|651)\b|\[TSS?\d\d\]|\bRP-00\d\b")
"""4.7.28: Gmail; 4.7.650: Outlook; [TSS04]: Yahoo; RP-001: Hotmail."""


def too_fast(code: int, text: str) -> bool:
    """Whether a temporary refusal is about how much we send, so that every letter to this provider would meet it.

    A full mailbox (452, 4.2.2), a busy mailbox (450, 4.2.1) and greylisting (4.7.1) are about one letter alone.

    >>> too_fast(421, "4.7.28 Gmail has detected an unusual rate of mail"), too_fast(452, "4.2.2 mailbox full")
    (True, False)
    """
    if not 400 <= code < 500 or _FULL.search(text):
        return False
    return bool(_TOO_FAST.search(text) or _TOO_FAST_STATUS.search(text))


def blame(text: str, status: str = "", code: int = 0) -> Blame:
    """What a refusal, permanent or temporary, blames.

    `text`: the server's words; `status`: the enhanced status, `code`: the code of the reply, both else found in it.

    >>> [str(blame(one)) for one in ("550 5.1.1 no such user", "552 5.3.4 message too big", "421 busy", "550 gone")]
    ['mailbox', 'letter', 'passing', 'mailbox']
    """
    status = status or _found(_ENHANCED, text)
    digits = str(code) if code else _found(_CODE, text)
    if status.startswith("4") or (not status and digits.startswith("4")):
        return Blame.PASSING
    kind = status.partition(".")[2]
    if _SIZE.search(text) and not kind.startswith("1."):
        return Blame.LETTER
    known = _BY_STATUS.get(kind) or _BY_SUBJECT.get(kind.partition(".")[0])
    if known is Blame.LETTER and _NOBODY.search(text):
        return Blame.MAILBOX  # many servers answer 5.7.1 for users whom they do not know
    return known or _by_words(digits, text)


def _by_words(code: str, text: str) -> Blame:
    """What a refusal without an enhanced status blames, by its words, else by its code, else the mailbox."""
    if _NOBODY.search(text):
        return Blame.MAILBOX
    if _FULL.search(text):
        return Blame.PASSING
    if _POLICY.search(text):
        return Blame.LETTER
    return _BY_CODE.get(code, Blame.MAILBOX)


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[0] if match else ""


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
