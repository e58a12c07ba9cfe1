"""Verbs about one's own account: addresses and the password. Each waits for proof, and the old address is told."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.mail.queries import PersonRequest
from judge.mail.vocabulary.clauses import alone, missing
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class Confirm(PersonRequest):
    """Yes to whatever the letter replied to asked; `code` where one was typed."""

    code: str = ""


@dataclass(frozen=True, slots=True)
class Deny(PersonRequest):
    """No to whatever the letter replied to asked."""


@dataclass(frozen=True, slots=True)
class Register(PersonRequest):
    """Make oneself known. `zone` is an IANA name or empty."""

    name: str = ""
    zone: str = ""


@dataclass(frozen=True, slots=True)
class MyZone(PersonRequest):
    """The zone in which this person's letters print times."""

    zone: str


@dataclass(frozen=True, slots=True)
class NewAddress(PersonRequest):
    """One more address of one's own; with `of_record` letters go there from now on."""

    address: str
    of_record: bool = True


@dataclass(frozen=True, slots=True)
class DropAddress(PersonRequest):
    """Take an address off one's list."""

    address: str


@dataclass(frozen=True, slots=True)
class NewPassword(PersonRequest):
    """Set or change the password. The word is shown nowhere."""

    word: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class MyName(PersonRequest):
    """The name under which others know this person."""

    name: str


@dataclass(frozen=True, slots=True)
class Reminders(PersonRequest):
    """Whether this person wants reminders."""

    on: bool


@dataclass(frozen=True, slots=True)
class ForgetMe(PersonRequest):
    """Erase this person: name, addresses, settings."""


@dataclass(frozen=True, slots=True)
class MyData(PersonRequest):
    """Hand out all that is kept about this person."""


_ADDRESS = re.compile(r"<?([^\s<>@,;:\"]{1,64}@[^\s<>@,;:\"]{1,190})>?")
_SHORTEST, _LONGEST = 8, 64


def _address(clause: Clause) -> str:
    match = _ADDRESS.search(clause.rest)
    return match[1].rstrip(".") if match else ""


def _new_address(clause: Clause) -> Reading:
    address = _address(clause)
    if not address:
        return missing("The address", "my address jane@example.org")
    return NewAddress(address, of_record=not clause.word.startswith(("add", "also", "i am also")))


def _drop_address(clause: Clause) -> Reading:
    address = _address(clause)
    return DropAddress(address) if address else missing("The address", "drop address jane@example.org")


def _new_password(clause: Clause) -> Reading:
    value = clause.rest.strip().lstrip(":=").strip().removeprefix("to ").removeprefix("is ").strip()
    if not value or len(value.split()) > 1:
        return Unclear("no-password", "Nothing was changed. A password is one word: new password WORD.")
    if not _SHORTEST <= len(value) <= _LONGEST:
        return Unclear("weak-password", f"Nothing was changed: a password has {_SHORTEST} to {_LONGEST} characters.")
    return NewPassword(value)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "my address",
        words=(
            *("my address", "change address", "new address", "set address", "set my address", "add address"),
            *("also address", "i am also"),
        ),
        summary="Move to another address, or add one. I ask there for a confirmation, and tell the old one.",
        usage=("my address ADDRESS", "add address ADDRESS"),
        example="my address jane@example.org",
        read=_new_address,
        risky=True,
        topic="account",
    ),
    VerbOfAll(
        "drop address",
        words=("drop address", "remove address", "forget address"),
        summary="Take an address off your list.",
        usage=("drop address ADDRESS",),
        example="drop address jane@example.org",
        read=_drop_address,
        risky=True,
        topic="account",
    ),
    VerbOfAll(
        "new password",
        words=("new password", "change password", "new pin", "set password", "set my password", "change my password"),
        summary="Set or change your password. I never repeat it, and ask you to confirm.",
        usage=("new password WORD",),
        example="new password heron-and-oak-41",
        read=_new_password,
        risky=True,
        topic="account",
    ),
    VerbOfAll(
        "my data",
        words=("my data", "send my data", "export my data", "all about me"),
        summary="All that is kept about you, as a file, to your address of record: facts, your mails, my letters.",
        usage=("my data",),
        example="my data",
        read=alone(MyData(), "my data"),
        topic="account",
    ),
)
"""The rows, in the order in which help prints them."""
