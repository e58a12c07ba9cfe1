"""Verbs about who one is: yes and no to what I ask, registering, the own time zone, passwords."""

from __future__ import annotations

import re

from judge.mail.vocabulary.account import Confirm, Deny, MyZone, Register
from judge.mail.vocabulary.clauses import alone, missing, plain
from judge.mail.vocabulary.model import Clause, Reading, Secret, Unclear, Verb, VerbOfAll
from judge.spans import near_zones, read_zone

_CODE = re.compile(r"[A-Za-z0-9-]{4,40}")


_ASSENT = frozenset(
    (
        *(
            "ok",
            "okay",
            "yes",
            "confirm",
            "confirmed",
            "agreed",
            "i",
            "agree",
            "it",
            "that",
            "this",
            "is",
            "right",
            "all",
        ),
        *("please", "do", "go", "ahead", "thanks", "thank", "you", "fine", "sure", "correct", "my", "address", "yes"),
        *("to", "for", "the", "draw", "a"),
    )
)


def _confirm(clause: Clause) -> Reading:
    code = plain(clause.rest)
    if all(word in _ASSENT for word in re.findall(r"\w+", code.lower())):
        return Confirm()
    if clause.word in ("yes", "ok") and code.isdigit():
        return Unclear("two-readings", f"To vote, write `aye {code}`.", (f"aye {code}", "confirm"))
    if not _CODE.fullmatch(code) or not any(sign.isdigit() for sign in code):
        return Unclear("too-much", "To agree, answer with `confirm` alone on a line.", ("confirm",))
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
        return missing("Your name", "register name Jane Doe zone Europe/Berlin")
    found = {"name": plain(parts[0]), "zone": ""}
    for field, value in zip(parts[1::2], parts[2::2], strict=True):
        found["name" if field.lower() == "name" else "zone"] = plain(value).strip("\"'")
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
        return missing("The name", "my name Jane Doe")
    person = read_person(clause.rest)
    return person if isinstance(person, Unclear) else Register(*person)


def own_zone(clause: Clause) -> Reading:
    """The zone in which somebody would read times."""
    text = plain(clause.rest.removeprefix("to ").removeprefix("is ")).strip("=: ")
    if not text:
        return missing("The zone", "my zone Europe/Berlin")
    try:
        return MyZone(read_zone(text))
    except ValueError as error:
        return _no_zone(text, error)


def _password(clause: Clause) -> Reading:
    value = clause.rest.strip().lstrip(":=").strip().removeprefix("is ").strip()
    if not value or len(value.split()) > 1:
        return Unclear("no-password", "A password line holds one word after `password`.")
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
)
"""The rows, in the order in which help prints them."""
