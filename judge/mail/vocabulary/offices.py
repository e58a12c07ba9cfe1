"""Verbs about a Gamemaster's office: a deputy for some days, editors, an heir, and whoever takes a game over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.office.offices import Adopt, DismissDeputy
from judge.mail.queries import PersonRequest
from judge.mail.vocabulary.clauses import alone, missing, plain, read_when
from judge.mail.vocabulary.model import ANYONE, Clause, Reading, Unclear, Verb, VerbOfGm


@dataclass(frozen=True, slots=True)
class DeputyByAddress(PersonRequest):
    """Game command `Deputize` once the address is a person."""

    address: str
    until: datetime


@dataclass(frozen=True, slots=True)
class HandOverByAddress(PersonRequest):
    """Game command `HandOver` once the address is a person."""

    address: str


@dataclass(frozen=True, slots=True)
class EditorByAddress(PersonRequest):
    """Game command `NameEditor`, or with `on` false `DismissEditor`, once the person is known; `who`: an address, of
    one who is dismissed a name too, "" where there is but one.
    """

    who: str
    on: bool = True


_ADDRESS = re.compile(r"<?([^\s<>@,;:\"]{1,64}@[^\s<>@,;:\"]{1,190})>?")


def _deputy(clause: Clause) -> Reading:
    """`deputy ADDRESS until DATE`, `deputy off`."""
    if plain(clause.rest).lower() in ("off", "none", "no more", "nobody"):
        return DismissDeputy()
    match = _ADDRESS.search(clause.rest)
    until = re.search(r"\b(?:until|till|to)\s+(.+)$", clause.rest, re.IGNORECASE)
    if match is None or until is None:
        return _no_deputy(clause, match[1] if match else "", plain(until[1]) if until else "")
    when = read_when(plain(until[1]), clause.around, f"deputy {match[1]} until")
    if not isinstance(when, Unclear):
        return DeputyByAddress(match[1], when)
    return when if when.candidates else _no_deputy(clause, match[1], "", f"{when.sentence} ")


def _no_deputy(clause: Clause, address: str, until: str, why: str = "") -> Unclear:
    """A line that names no deputy, or no day: the example has what was written, and in a week where no day was."""
    day = clause.around.now.astimezone(clause.around.zone) + timedelta(days=7)
    line = f"deputy {address or 'deputy@judge.test'} until {until or f'{day.day} {day:%B %Y}'}"
    if why:
        return Unclear("no-date", f"{why}Write it like this: {line}")
    return missing("The day" if address else "The address" if until else "The address or the date", line)


def _hand_over(clause: Clause) -> Reading:
    match = _ADDRESS.search(clause.rest)
    return HandOverByAddress(match[1]) if match else missing("The address", "hand over to carla@players.test")


_OFF = re.compile(r"^(?:off|no more|remove|drop)\b|\b(?:off|no more|no longer)$", re.IGNORECASE)


def _editor(clause: Clause) -> Reading:
    """`editor ADDRESS`, `editor off ADDRESS`."""
    said = plain(clause.rest)
    who = plain(_OFF.sub("", said)).strip(" :,")
    match = _ADDRESS.search(who)
    if clause.word.split()[0] in ("remove", "drop", "dismiss") or _OFF.search(said):
        return EditorByAddress(match[1] if match else who, on=False)
    return EditorByAddress(match[1]) if match else missing("The address", "editor olga@zine.test")


VERBS: tuple[Verb, ...] = (
    VerbOfGm(
        "deputy",
        words=("deputy", "my deputy", "appoint deputy", "set deputy"),
        summary="Let somebody act for you until a day; all that they do is logged under both names.",
        usage=("deputy ADDRESS until DATE", "deputy off"),
        example="deputy deputy@judge.test until 5 May 2027",
        read=_deputy,
        risky=True,
        topic="deputies",
    ),
    VerbOfGm(
        "editor",
        words=(
            "editor",
            "add editor",
            "make editor",
            "appoint editor",
            "name editor",
            "remove editor",
            "drop editor",
            "dismiss editor",
        ),
        summary="Somebody who prints the game in a zine: gets what is public, with reports in a form to print.",
        usage=("editor ADDRESS", "editor off ADDRESS"),
        example="editor olga@zine.test",
        read=_editor,
        topic="editors",
    ),
    VerbOfGm(
        "hand over",
        words=("hand over", "handover", "hand over to"),
        summary="Offer the game to another Gamemaster, who takes it with `adopt`.",
        usage=("hand over to ADDRESS",),
        example="hand over to carla@players.test",
        read=_hand_over,
        risky=True,
        topic="deputies",
    ),
    Verb(
        "adopt",
        words=("adopt", "adopt game", "takeover master"),
        summary="Become the Gamemaster of a game that was offered to you.",
        usage=("adopt", "adopt GAME"),
        example="adopt",
        read=alone(Adopt(), "adopt"),
        roles=ANYONE,
        risky=True,
        topic="deputies",
    ),
)
