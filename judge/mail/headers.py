"""Header values that are safe to send: one cleaning function for every value, and a self-test at start-up.

An encoded word in somebody's Subject can decode to a line break, and some versions of the standard library write that
break out as a new header line. Version numbers do not tell which. So every value that goes into a header of ours passes
`clean_header`, and the judge refuses to start if such a line break gets through in spite of it.
"""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_SPACE = re.compile(r"\s+")
_CHANGED = re.compile(r"=\?|  ")
"""What is changed in printable ASCII."""

LONGEST = 400

_EVIL_VALUES = (
    "hello\nBcc: thief@evil.test",
    "hello\r\nBcc: thief@evil.test",
    "hello\rBcc: thief@evil.test",
    "hello\x0bBcc: thief@evil.test",
    "hello\x0cBcc: thief@evil.test",
    "hello\x85Bcc: thief@evil.test",
    "hello\u2028Bcc: thief@evil.test",
    "hello\u2029Bcc: thief@evil.test",
    "hello\x00\r\n\r\nBcc: thief@evil.test",
    "=?utf-8?q?hello=0ABcc=3A_thief=40evil=2Etest?=",
    "ü" * 90 + "\r\n Bcc: thief@evil.test",
    "\udce4\nBcc: thief@evil.test",
)


def clean_header(value: str, *, longest: int = LONGEST) -> str:
    """`value` fit for one header line: no control, line-separating or direction characters, single spaces, capped.

    What still looks like an encoded word is broken up: the standard library decodes such a word when a header is set,
    line breaks included.

    >>> clean_header("Re: hi\\r\\nBcc: thief@evil.test")
    'Re: hi Bcc: thief@evil.test'
    """
    if len(value) <= longest and value.isascii() and value.isprintable() and not _CHANGED.search(value):
        return value.strip()  # as nearly always
    value = _INVISIBLE.sub("", _UNSAFE.sub(" ", value[: 8 * longest]))
    value = _SPACE.sub(" ", value.replace("=?", "= ?")).strip()
    return value if len(value) <= longest else value[: longest - 3].rstrip() + "..."


class HeaderInjectionError(RuntimeError):
    """This Python writes a header line that the judge did not ask for; nothing may be sent with it."""


def self_test() -> None:
    """Build replies to the worst known subjects and look at the bytes. Raises HeaderInjectionError on a leak."""
    for evil in _EVIL_VALUES:
        for subject in (evil, "Re: " + evil):
            _prove(subject)


def _prove(subject: str) -> None:
    reply = EmailMessage(policy=SMTP)
    reply["From"] = "judge@judge.test"
    reply["To"] = "player@players.test"
    reply["Subject"] = clean_header(subject)
    reply.set_content("ok\n", cte="quoted-printable")
    octets = reply.as_bytes()
    names = [line.partition(b":")[0].lower() for line in octets.partition(b"\r\n\r\n")[0].split(b"\r\n")]
    again = message_from_bytes(octets)
    if b"bcc" in names or again["Bcc"] is not None or len(again.get_all("Subject", [])) != 1:
        raise HeaderInjectionError(f"a reply to the subject {subject!r} would carry a forged header line")
