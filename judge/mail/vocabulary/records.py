"""Verbs for what is on record: one's own games and account, house rules, ratings, the record of a game as files."""

from __future__ import annotations

from dataclasses import dataclass

from judge.mail.queries import Query
from judge.mail.vocabulary.clauses import alone, no_more, read_game
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class Ratings(Query, enclosed=True, once=True):
    """What everybody has to show for the games that are over."""


@dataclass(frozen=True, slots=True)
class HouseRules(Query, enclosed=True):
    """The house rules of a game. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Archive(Query, enclosed=True, once=True):
    """The whole record of a game that is over, as files. Empty: the game of the address."""

    game: str = ""


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
    if no_more(clause.rest):
        return HouseRules(clause.around.game)
    game = read_game(clause.rest.removeprefix("of "), clause.around, "house rules")
    return game if isinstance(game, Unclear) else HouseRules(game)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "house rules",
        words=("house rules", "rules", "settings", "show rules", "show settings", "the rules", "parameters"),
        summary="The house rules of a game as they are now, in words and setting by setting.",
        usage=("house rules", "house rules GAME"),
        example="house rules",
        read=_rules,
        names_game=True,
        topic="rules",
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
        summary="What everybody has to show for the games that are over, and your own games one by one.",
        usage=("ratings",),
        example="ratings",
        read=alone(Ratings(), "ratings"),
        topic="reading",
    ),
    VerbOfAll(
        "archive",
        words=("archive", "export", "send archive"),
        summary="The record of a game that is over, attached as files: one to read, one for programs.",
        usage=("archive", "archive GAME"),
        example="archive",
        read=_archive,
        names_game=True,
        topic="reading",
    ),
)
"""The rows, in the order in which help prints them."""
