"""Verbs about who one is: yes and no, registering, name, zone, addresses, passwords. Much of it waits for proof."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.languages import tell
from judge.mail.queries import PersonRequest
from judge.mail.vocabulary.clauses import ADDRESS, alone, missing, plain
from judge.mail.vocabulary.model import Clause, Reading, Secret, Unclear, Verb, VerbOfAll
from judge.pace import near_zones, read_zone


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


_SHORTEST, _LONGEST = 8, 64


def _address(clause: Clause) -> str:
    match = ADDRESS.search(clause.rest)
    return match[1].rstrip(".") if match else ""


def _new_address(clause: Clause) -> Reading:
    address = _address(clause)
    if not address:
        return missing(tell("The address"), "my address jane@example.org")
    return NewAddress(address, of_record=not clause.word.startswith(("add", "also", "i am also")))


def _drop_address(clause: Clause) -> Reading:
    address = _address(clause)
    return DropAddress(address) if address else missing(tell("The address"), "drop address jane@example.org")


def _new_password(clause: Clause) -> Reading:
    value = clause.rest.strip().lstrip(":=").strip().removeprefix("to ").removeprefix("is ").strip()
    if not value or len(value.split()) > 1:
        return Unclear("no-password", tell("Nothing was changed. A password is one word: new password WORD."))
    if not _SHORTEST <= len(value) <= _LONGEST:
        return Unclear(
            "weak-password",
            tell(
                "Nothing was changed: a password has {shortest} to {longest} characters.",
                shortest=_SHORTEST,
                longest=_LONGEST,
            ),
        )
    return NewPassword(value)


_CODE = re.compile(r"[A-Za-z0-9-]{4,40}")


_ASSENT_WORDS = """
    ok okay yes confirm confirmed agreed i agree it that this is right all please do go ahead thanks thank you fine
    sure correct my address to for the draw a"""
_ASSENT = frozenset(_ASSENT_WORDS.split())


def _confirm(clause: Clause) -> Reading:
    code = plain(clause.rest)
    if all(word in _ASSENT for word in re.findall(r"\w+", code.lower())):
        return Confirm()
    if clause.word in ("yes", "ok") and code.isdigit():
        return Unclear("two-readings", tell("To vote, write `aye {code}`.", code=code), (f"aye {code}", "confirm"))
    if not _CODE.fullmatch(code) or not any(sign.isdigit() for sign in code):
        return Unclear("too-much", tell("To agree, answer with `confirm` alone on a line."), ("confirm",))
    return Confirm(code)


_FIELD = re.compile(r"\b(name|zone|time ?zone)\b\s*[:=]?\s*", re.IGNORECASE)


_LONGEST_NAME = 6
_NO_NAMES = frozenset((
    "today", "for", "this", "free", "your", "the", "now", "here", "and", "to", "online", "account", "webinar",
    "newsletter",
))  # fmt: skip
"""Words that stand in no name, and in many a line that begins with "Register"."""


def read_person(text: str) -> tuple[str, str] | Unclear:
    """(name, zone) from "name Jane Doe zone Europe/Berlin", in any order; a text without field words is the name."""
    parts = _FIELD.split(text)
    if len(words := re.findall(r"\w+", parts[0].lower())) > _LONGEST_NAME or not _NO_NAMES.isdisjoint(words):
        return missing(tell("Your name"), "register name Jane Doe zone Europe/Berlin")
    found = {"name": plain(parts[0]), "zone": ""}
    for part, value in zip(parts[1::2], parts[2::2], strict=True):
        found["name" if part.lower() == "name" else "zone"] = plain(value).strip("\"'")
    if not found["zone"]:
        return found["name"][:100], ""
    try:
        return found["name"][:100], read_zone(found["zone"])
    except ValueError as error:
        return _no_zone(found["zone"], error)


def _no_zone(text: str, error: ValueError) -> Unclear:
    said = str(error)
    sentence = said if said.endswith(("?", ".")) else f"{said}."
    return Unclear("no-zone", sentence, tuple(f"my zone {zone}" for zone in near_zones(text)))


_OF_A_NAME = re.compile(
    r"(?:still |now |always )?(?:not |mis|wrongly |badly |incorrectly )?(?:spell?ed|spelt|wrong|incorrect|right|correct"
    r"|written|mistyped|false|different)\b.*",
    re.IGNORECASE,
)
""" "My name is misspelt" says no name."""


def _register(clause: Clause) -> Reading:
    if _OF_A_NAME.fullmatch(plain(clause.rest)):
        return missing(tell("The name"), "my name Jane Doe")
    person = read_person(clause.rest)
    return person if isinstance(person, Unclear) else Register(*person)


def own_zone(clause: Clause) -> Reading:
    """The zone in which somebody would read times."""
    text = plain(clause.rest.removeprefix("to ").removeprefix("is ")).strip("=: ")
    if not text:
        return missing(tell("The zone"), "my zone Europe/Berlin")
    try:
        return MyZone(read_zone(text))
    except ValueError as error:
        return _no_zone(text, error)


def _password(clause: Clause) -> Reading:
    value = clause.rest.strip().lstrip(":=").strip().removeprefix("is ").strip()
    if not value or len(value.split()) > 1:
        return Unclear("no-password", tell("A password line holds one word after `password`."))
    return Secret(value)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "confirm",
        words=("confirm", "ok", "okay", "yes", "agreed", "i confirm", "i agree", "confirmed"),
        summary="Agree to what the letter that you answer asked.",
        usage=("confirm",),
        example="confirm",
        read=_confirm,
        topic="proof",
    ),
    VerbOfAll(
        "no",
        words=("no", "no thanks", "no thank you", "no sorry", "i disagree", "i do not agree", "i don't agree"),
        summary="Say no to what the letter that you answer asked.",
        usage=("no",),
        example="no",
        read=alone(Deny(), "no"),
        topic="proof",
    ),
    VerbOfAll(
        "register",
        words=("register", "my name is"),
        summary="Tell me your name and your time zone.",
        usage=("register name NAME zone ZONE",),
        example="register name Jane Doe zone Europe/Berlin",
        read=_register,
        topic="account",
    ),
    VerbOfAll(
        "my zone",
        words=("my zone", "zone", "timezone", "time zone", "my time zone", "my timezone", "set my zone"),
        summary="The time zone in which I print times for you.",
        usage=("my zone ZONE",),
        example="my zone Europe/Berlin",
        read=own_zone,
        topic="account",
    ),
    VerbOfAll(
        "password",
        words=("password", "pin", "pw", "passwd", "my password", "my pin"),
        summary="Prove who you are when you write from another address. I never repeat it.",
        usage=("password WORD",),
        example="password xyzzy42",
        read=_password,
        risky=True,
        topic="proof",
    ),
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
