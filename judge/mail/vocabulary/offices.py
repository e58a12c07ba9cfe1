"""Verbs about a Gamemaster's office: a deputy for some days, editors, an heir, and whoever takes a game over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

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
        return missing("The address or the date", "deputy deputy@judge.test until 5 May 2027")
    when = read_when(plain(until[1]), clause.around, f"deputy {match[1]} until")
    return when if isinstance(when, Unclear) else DeputyByAddress(match[1], when)


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
