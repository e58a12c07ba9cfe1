"""Verbs of those who wait for a seat: standing by, standing down, and practising meanwhile."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.clauses import no_more, plain, read_game
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class StandBy(PersonRequest):
    """Take a seat that falls vacant, in one game or (empty) in any; or, without `on`, no more."""

    game: str = ""
    on: bool = True


@dataclass(frozen=True, slots=True)
class PracticeGame(PersonRequest):
    """A practice game, as the power named ("France", in the writer's words) or as one by lot."""

    power: str = ""


@dataclass(frozen=True, slots=True)
class TourLetter(Query, enclosed=True, once=True, public=True):
    """One of the letters that show what the judge can do, by its number."""

    number: int = 1


STOPS = 10
"""Letters of the tour."""

_OFF = re.compile(r"\b(?:off|no more|no longer|stop|end)\b", re.IGNORECASE)
_FILLERS = re.compile(r"^(?:(?:for|in|on|any(?: game)?|all(?: games)?)\b\s*)+", re.IGNORECASE)


def _stand_by(clause: Clause) -> Reading:
    """`standby`, `standby tannenburg`, `standby off`."""
    off = clause.word in _DOWN or _OFF.search(clause.rest) is not None
    rest = _FILLERS.sub("", plain(_OFF.sub(" ", clause.rest)))
    if no_more(rest):
        return StandBy(on=not off)
    game = read_game(rest, clause.around, "standby")
    return game if isinstance(game, Unclear) else StandBy(game, on=not off)


def _practice(clause: Clause) -> Reading:
    """`practice`, `practice as France`."""
    rest = re.sub(r"^(?:(?:a|game|as|with|please)\b\s*)+", "", plain(clause.rest), flags=re.IGNORECASE)
    return PracticeGame("" if no_more(rest) else rest[:40])


def _tour(clause: Clause) -> Reading:
    """`tour`, `tour 4`."""
    rest = re.sub(r"^(?:letter|stop|part|number|no\.?|please)\b\s*", "", plain(clause.rest), flags=re.IGNORECASE)
    if no_more(rest):
        return TourLetter()
    if rest.isdecimal() and len(rest) < 4 and 1 <= int(rest) <= STOPS:
        return TourLetter(int(rest))
    return Unclear("no-stop", f"The tour has {STOPS} letters, 1 to {STOPS}.", ("tour",))


_DOWN = ("stand down", "no standby")

VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "standby",
        words=("standby", "stand by", "set standby", "i stand by", *_DOWN),
        summary="Hear of seats that fall vacant, in one game or in any, to take one over.",
        usage=("standby", "standby GAME", "standby off"),
        example="standby tannenburg",
        read=_stand_by,
        names_game=True,
        topic="seats",
    ),
    VerbOfAll(
        "practice",
        words=("practice", "practise", "practice game"),
        summary="A game of three phases for you alone, with explanations; it counts nowhere.",
        usage=("practice", "practice as POWER"),
        example="practice as France",
        read=_practice,
        topic="practice",
    ),
    VerbOfAll(
        "tour",
        words=("tour", "the tour", "guided tour", "show me around"),
        summary="Ten short letters that show what I can do, each with something to try.",
        usage=("tour", "tour NUMBER"),
        example="tour",
        read=_tour,
        topic="practice",
    ),
)
"""The rows, in the order in which help prints them."""
