"""Verbs about one's own account: addresses and the password. Each waits for proof, and the old address is told."""

from __future__ import annotations

import re

from judge.mail.queries import DropAddress, NewAddress, NewPassword
from judge.mail.vocabulary.clauses import missing
from judge.mail.vocabulary.model import ANYONE, EVERYWHERE, Clause, Reading, Unclear, Verb

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
    Verb(
        "my address",
        words=(
            *("my address", "change address", "new address", "set address", "set my address", "add address"),
            *("also address", "i am also"),
        ),
        summary="Move to another address, or add one. I ask there for a confirmation, and tell the old one.",
        usage=("my address ADDRESS", "add address ADDRESS"),
        example="my address jane@example.org",
        read=_new_address,
        roles=ANYONE,
        places=EVERYWHERE,
        risky=True,
    ),
    Verb(
        "drop address",
        words=("drop address", "remove address", "forget address"),
        summary="Take an address off your list.",
        usage=("drop address ADDRESS",),
        example="drop address jane@example.org",
        read=_drop_address,
        roles=ANYONE,
        places=EVERYWHERE,
        risky=True,
    ),
    Verb(
        "new password",
        words=("new password", "change password", "new pin", "set password", "set my password", "change my password"),
        summary="Set or change your password. I never repeat it, and ask you to confirm.",
        usage=("new password WORD",),
        example="new password heron-and-oak-41",
        read=_new_password,
        roles=ANYONE,
        places=EVERYWHERE,
        risky=True,
    ),
)
"""The rows, in the order in which help prints them."""
