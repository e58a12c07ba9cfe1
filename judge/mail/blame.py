"""What a mail server's refusal blames: the mailbox, the one letter, or the moment (RFC 3463, RFC 5321).

Only a refusal that speaks of the mailbox says that mail does not reach it. A letter that is too large, or that a filter
takes for spam, says nothing about the next one."""

from __future__ import annotations

import re
from enum import StrEnum


class Blame(StrEnum):
    """What a refusal blames."""

    MAILBOX = "mailbox"
    """No such mailbox, or one that takes no mail: trying again is of no use."""
    LETTER = "letter"
    """Its size, content or sender: another letter may pass."""
    PASSING = "passing"
    """A full mailbox, a server out of order: it may pass later."""


_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
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
    status = status or _found(_STATUS, text)
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
