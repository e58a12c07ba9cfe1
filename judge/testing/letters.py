"""Letters as their readers see them: headers, text, and what an answer needs."""

from __future__ import annotations

from dataclasses import dataclass
from email import message_from_bytes, policy
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cached_property, lru_cache

from judge.mail.raw.addresses import read_address

_POLICY = policy.default.clone(header_factory=lru_cache(maxsize=1024)(HeaderRegistry()))
"""While a mail is parsed, each Content-Type is asked for again and again; most letters have the same ones."""


@dataclass(frozen=True)
class ReceivedLetter:
    """One letter out of a mailbox. `number` counts all letters of a stage in the order of their delivery."""

    number: int
    to: str
    raw: bytes

    @cached_property
    def message(self) -> EmailMessage:
        """The parsed mail."""
        return message_from_bytes(self.raw, policy=_POLICY)

    def header(self, name: str) -> str:
        """A header field decoded and on one line; "" if there is none.

        >>> ReceivedLetter(1, "a@x", b"Subject: one\\r\\n two\\r\\n\\r\\n").header("subject")
        'one two'
        """
        return " ".join(str(self.message.get(name, "")).split())

    @property
    def subject(self) -> str:
        return self.header("Subject")

    @property
    def message_id(self) -> str:
        return self.header("Message-ID")

    @property
    def reply_to(self) -> str:
        """The bare address that an answer goes to."""
        return parseaddr(self.header("Reply-To") or self.header("From"))[1]

    @cached_property
    def text(self) -> str:
        """The plain text, with line ends as "\\n"."""
        body = self.message.get_body(preferencelist=("plain",))
        content = body.get_content() if body is not None else ""
        return str(content).replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        """The lines of the text without blanks at their ends."""
        return [line.rstrip() for line in self.text.rstrip("\n").split("\n")]

    def show(self) -> str:
        """As a person would print it."""
        heads = [f"{name}: {self.header(name)}" for name in ("To", "From", "Reply-To", "Subject", "Message-ID")]
        return "\n".join([*heads, "", *self.lines])

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


def address(text: str) -> str:
    """The bare address of a field's value, in lower case; an international domain in the form that the judge keeps.

    >>> address("Ann <Ann@Players.test>")
    'ann@players.test'
    """
    bare = parseaddr(text)[1].lower()
    return read_address(bare) or bare
