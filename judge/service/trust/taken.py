"""What becomes of a mail, and what is read of it first: shared by everything that hears mails."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judge.mail.envelope import Envelope
from judge.service.core.envelopes import read_again
from judge.service.core.house import House
from judge.store.rows import Mail

DENIED = "denied by the address of record"
"""The reason of a held mail of which somebody said that it is not theirs."""


@dataclass
class Taken:
    """What became of a mail: the contract of `judge feed --json`."""

    verdict: str
    reason: str = ""
    commands: list[dict[str, Any]] = field(default_factory=list)
    unread: list[dict[str, Any]] = field(default_factory=list)
    letters: list[dict[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """Of a dry run: the letters as their readers would see them."""

    def facts(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "commands": self.commands,
            "unread": self.unread,
            "letters": self.letters,
        }


def envelope_of(house: House, mail: Mail, raw: bytes) -> Envelope:
    """The envelope of a stored mail; the one the door read, if it is still at hand."""
    known = house.envelopes.pop(mail.transport_key, None)
    return known or read_again(house, mail, raw)
