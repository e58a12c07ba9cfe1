"""What a letter's token stands for, where it is not a held mail: a new address, a question, an invitation.

An errand is kept until its letter's time is up, so that an answer that comes too often or too late is told so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.store import Transaction, View

_PREFIX = "errand."
"""Of the settings that remember errands, by the reference of their token."""


@dataclass(frozen=True, slots=True)
class Errand:
    """`do`: which of our letters it was; `person`: for whom; `facts`: what is to be done; `settled`: what came of it,
    "" as long as nobody has answered.
    """

    key: str
    do: str
    person: int
    until: datetime
    facts: dict[str, Any]
    settled: str = ""


def find(view: View | Transaction, key: str) -> Errand | None:
    """The errand behind a token, settled or not; None if there is none, or none any more."""
    kept = view.meta.get(_PREFIX + key)
    return _read(key, kept) if kept is not None else None


def settle(unit: Transaction, errand: Errand, what: str) -> None:
    """It is done with; answers to its letter are told so."""
    write(unit, replace(errand, settled=what))


def note(unit: Transaction, errand: Errand, **facts: Any) -> None:
    """Remember more about an errand."""
    write(unit, replace(errand, facts={**errand.facts, **facts}))


def lapsed(view: View, now: datetime) -> list[str]:
    """Keys of the settings whose errands are over."""
    return [name for name, errand in _all(view) if errand.until < now]


def errands_of(view: View, person: int) -> list[str]:
    """Keys of the settings that remember errands of one person."""
    return [name for name, errand in _all(view) if errand.person == person]


def _all(view: View) -> list[tuple[str, Errand]]:
    kept = view.meta.all(_PREFIX)
    return [(name, _read(name.removeprefix(_PREFIX), value)) for name, value in kept.items()]


def write(unit: Transaction, errand: Errand) -> None:
    """Keep an errand, or what has become of it."""
    facts = {"do": errand.do, "person": errand.person, "until": errand.until.isoformat(), **errand.facts}
    if errand.settled:
        facts["settled"] = errand.settled
    unit.meta.set(_PREFIX + errand.key, json.dumps(facts))


def _read(key: str, kept: str) -> Errand:
    facts = json.loads(kept)
    do, person, until = str(facts.pop("do")), int(facts.pop("person")), datetime.fromisoformat(facts.pop("until"))
    return Errand(key, do, person, until, facts, str(facts.pop("settled", "")))
