"""Verbs for what is on record: one's own games and account, house rules, ratings, the record of a game as files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.mail.queries import Query
from judge.mail.vocabulary.clauses import alone, no_more, plain, read_game
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class Ratings(Query, enclosed=True, once=True):
    """The ratings of the players."""


@dataclass(frozen=True, slots=True)
class HouseRules(Query, enclosed=True, once=True, public=True):
    """The house rules of a game in words. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class HolidaysAsked(Query, once=True, public=True):
    """On which days no deadline of a game falls. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class AllSettings(Query, enclosed=True, once=True, public=True):
    """Every setting of a game. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Archive(Query, enclosed=True, once=True):
    """The whole record of a game that is over, as files. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Export(Query, enclosed=True, once=True, public=True):
    """What was played of a game, for programs. `form`: one of FORMS, "" for all. Empty game: the one of the address."""

    game: str = ""
    form: str = ""


FORMS = ("json", "diplomacy", "datc")
"""Formats of an export: ours, a saved game of the Python package, cases as in DATC files."""


@dataclass(frozen=True, slots=True)
class MyGames(Query, enclosed=True, once=True):
    """What every game of the author's asks of them, and when."""


@dataclass(frozen=True, slots=True)
class MyAccount(Query, enclosed=True, once=True):
    """What is on file about the author."""


def _archive(clause: Clause) -> Reading:
    if no_more(clause.rest):
        return Archive(clause.around.game)
    game = read_game(clause.rest.removeprefix("of "), clause.around, "archive")
    return game if isinstance(game, Unclear) else Archive(game)


def _rules(clause: Clause) -> Reading:
    game = _game_named(clause, "rules")
    return game if isinstance(game, Unclear) else HouseRules(game)


def _settings(clause: Clause) -> Reading:
    game = _game_named(clause, "settings")
    return game if isinstance(game, Unclear) else AllSettings(game)


def _export(clause: Clause) -> Reading:
    """`export`, `export baltic`, `export datc`, `export baltic as json`."""
    game, form = clause.around.game, ""
    for word in re.sub(r"\b(?:of|as|in|the|game|format|please)\b", " ", plain(clause.rest), flags=re.I).split():
        if word.lower() in FORMS:
            form = word.lower()
            continue
        found = read_game(word, clause.around, "export")
        if isinstance(found, Unclear):
            forms = " or ".join(FORMS)
            sentence = f'"{word[:60]}" is not a game that I know, and no format; those are {forms}.'
            return Unclear("no-such-game", sentence, found.candidates)
        game = found
    return Export(game, form)


def _game_named(clause: Clause, verb: str) -> str | Unclear:
    if no_more(clause.rest):
        return clause.around.game
    return read_game(re.sub(r"^(?:of|in|for)\s+", "", clause.rest.strip()), clause.around, verb)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "house rules",
        words=("house rules", "rules", "show rules", "the rules"),
        summary="The house rules of a game as they are now, in words.",
        usage=("rules", "rules GAME"),
        example="rules",
        read=_rules,
        names_game=True,
        topic="rules",
    ),
    VerbOfAll(
        "holidays",
        words=(
            "holidays",
            "which days are holidays",
            "what days are holidays",
            "which holidays are there",
            "when are the holidays",
            "which days have no deadline",
            "days without deadlines",
        ),
        summary="On which days no deadline falls.",
        usage=("holidays",),
        example="holidays",
        read=alone(HolidaysAsked(), "holidays"),
        topic="time",
    ),
    VerbOfAll(
        "settings",
        words=("settings", "show settings", "parameters", "the settings", "all settings"),
        summary="Every setting of a game with its value; those that are not the usual ones first.",
        usage=("settings", "settings GAME"),
        example="settings",
        read=_settings,
        topic="rules",
        names_game=True,
    ),
    VerbOfAll(
        "my games",
        words=("my games", "all my games", "show my games", "my deadlines", "deadlines", "agenda"),
        summary="All games that you play or run: what each asks of you, and by when.",
        usage=("my games",),
        example="my games",
        read=alone(MyGames(), "my games"),
        topic="reading",
    ),
    VerbOfAll(
        "my account",
        words=("my account", "show my account", "who am i", "whoami", "about me", "my settings", "my details"),
        summary="What I have on file about you: name, addresses, zone, reminders, the form of your letters.",
        usage=("my account",),
        example="my account",
        read=alone(MyAccount(), "my account"),
        topic="account",
    ),
    VerbOfAll(
        "ratings",
        words=("ratings", "rating", "standings", "hall of fame", "my record", "record"),
        summary="Everybody's results in games that are over, and your own games one by one.",
        usage=("ratings",),
        example="ratings",
        read=alone(Ratings(), "ratings"),
        topic="reading",
    ),
    VerbOfAll(
        "export",
        words=("export", "download"),
        summary="What was played, as files for programs: positions, orders and results of every phase processed.",
        usage=("export", "export GAME", "export GAME json", "export GAME diplomacy", "export GAME datc"),
        example="export datc",
        read=_export,
        topic="reading",
        names_game=True,
    ),
    VerbOfAll(
        "archive",
        words=("archive", "send archive"),
        summary="The record of a game that is over, attached as files: one to read, one for programs.",
        usage=("archive", "archive GAME"),
        example="archive",
        read=_archive,
        names_game=True,
        topic="reading",
    ),
)
"""The rows, in the order in which help prints them."""
