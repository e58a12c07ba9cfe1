"""Facts in views, beside names and numbers, that templates put into words.

A view tells what is so, never how it is said: the same view is a text, a page, a picture, or a letter in another
language. `say("vote-passed", number=3)` is a fact under the key by which `templates/words` has a sentence for it.
A `str` in a view is a name, a line of orders or of commands, or somebody's own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.core.model import Game


@dataclass(frozen=True, slots=True)
class Said:
    """A fact to be put into words: the key of its sentence, and what the sentence tells."""

    key: str
    facts: Mapping[str, Any]


Text = Said | str
"""Something to be read: a fact to be put into words, or words that are somebody's own."""


def say(key: str, /, **facts: Any) -> Said:
    """A fact under its key.

    >>> say("vote-passed", number=3)
    Said(key='vote-passed', facts={'number': 3})
    """
    return Said(key, facts)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in UTC, the IANA zone of its game, the IANA zone of the reader ("" if not known or not needed), and a
    fact to print beside it.
    """

    at: datetime
    zone: str
    own: str = ""
    note: Text = ""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody in a game. `what`: "powers" (with their names), "seat" (with its number) before the lot, "gm" (with the
    name of the deputy who acts for them, if one does), "judge",
    "observers", "editors", "everybody"; of one reader without a seat "deputy", "observer", "editor".
    """

    what: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseFact:
    """A phase of a game, with the words of that game's calendar: "F1901R", "December 1901 retreats", "F1901
    Retreats"."""

    code: str
    title: str
    label: str


def phase_fact(game: Game, code: str) -> PhaseFact:
    """A phase of a game, for templates to name."""
    return PhaseFact(code, game.calendar.title(code), game.calendar.label(code))
