"""Verbs for reading what is on record: letters, press, a search, one's own games, ratings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.languages import tell
from judge.mail.queries import Query
from judge.mail.vocabulary.clauses import alone, missing, plain, read_stretch
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll
from judge.mail.vocabulary.powers import CORRESPONDENTS, read_powers


@dataclass(frozen=True, slots=True)
class MyPress(Query, enclosed=True, once=True):
    """The press that the author of the mail has sent and got. `others`: only what they exchanged with these, power keys
    or "GM", "OBSERVERS", "EDITORS"; `since` and `until`: phase codes or years, both included, "" for no bound.
    """

    game: str = ""
    others: tuple[str, ...] = ()
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class MyLetters(Query, enclosed=True, once=True):
    """The letters that the author of the mail got about a game, of a stretch of phases."""

    game: str = ""
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class SearchLetters(Query, enclosed=True, once=True):
    """Those of the letters to the author, and of their own press, that contain all these words."""

    words: tuple[str, ...]
    game: str = ""


@dataclass(frozen=True, slots=True)
class WhyLine(Query):
    """As what a line of an earlier mail of the author's was read. `line`: from 1; 0 is the subject."""

    line: int


_STRETCH = re.compile(r"\b(?:from|since|between|until|till|through|up to|in|of)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”](.+?)[\"“”]|(\S+)")
MOST_WORDS = 8


def _press(clause: Clause) -> Reading:
    """`press with England and Germany since F1902`; `my press F1903`."""
    rest = plain(clause.rest)
    others: tuple[str, ...] = ()
    if clause.word.endswith("with"):
        whom, stretch = _parted(rest, clause)
        if not whom:
            return missing(tell("With whom"), "press with England since F1902")
        found = read_powers(whom, clause.around.board, others=CORRESPONDENTS)
        if isinstance(found, Unclear):
            return Unclear(found.reason, found.sentence, tuple(f"press with {name}" for name in found.candidates))
        rest, others = stretch, found
    bounds = read_stretch(rest, clause.around.calendar)
    return bounds if isinstance(bounds, Unclear) else MyPress(clause.around.game, others, *bounds)


def _parted(rest: str, clause: Clause) -> tuple[str, str]:
    """Names, and the stretch of phases behind them: "England since F1902", "England F1902"."""
    if match := _STRETCH.search(rest):
        return rest[: match.start()].strip(), rest[match.start() :]
    words = rest.split()
    for at in range(len(words)):
        if not isinstance(read_stretch(" ".join(words[at:]), clause.around.calendar), Unclear):
            return " ".join(words[:at]), " ".join(words[at:])
    return rest, ""


def _letters(clause: Clause) -> Reading:
    bounds = read_stretch(plain(clause.rest), clause.around.calendar)
    return bounds if isinstance(bounds, Unclear) else MyLetters(clause.around.game, *bounds)


def _search(clause: Clause) -> Reading:
    rest = re.sub(r"^(?:for|my letters for)\s+", "", plain(clause.rest), flags=re.IGNORECASE)
    words = tuple(dict.fromkeys((quoted or word).casefold() for quoted, word in _QUOTED.findall(rest)))
    if not words:
        return missing(tell("What to look for"), 'search Belgium, or search "hands off"')
    if len(words) > MOST_WORDS:
        return Unclear(
            "too-much",
            tell("`search` takes {most_words} words at most; put a phrase in quotation marks.", most_words=MOST_WORDS),
        )
    return SearchLetters(words, clause.around.game)


def _why(clause: Clause) -> Reading:
    word = clause.rest.strip(" .?!#").lower()
    if word.isdigit() and len(word) <= 4:
        return WhyLine(int(word))
    return WhyLine(0) if word == "subject" else missing(tell("The number of the line"), "why line 3")


@dataclass(frozen=True, slots=True)
class Ratings(Query, enclosed=True, once=True):
    """The ratings of the players."""


@dataclass(frozen=True, slots=True)
class MyGames(Query, enclosed=True, once=True):
    """What every game of the author's asks of them, and when."""


@dataclass(frozen=True, slots=True)
class MyAccount(Query, enclosed=True, once=True):
    """What is on file about the author."""


VERBS: tuple[Verb, ...] = (
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
        "my press",
        words=("my press", "press with", "correspondence with", "show press", "show press with"),
        summary="The press that you have sent and got, in one file; with somebody, or of some phases only.",
        usage=("press with POWER", "press with POWER since PHASE", "my press PHASE to PHASE"),
        example="press with England since F1902",
        read=_press,
        topic="reading",
    ),
    VerbOfAll(
        "my letters",
        words=("my letters", "letters", "show letters", "my mail"),
        summary="The letters that I have sent you about a game, in one file; of some phases only.",
        usage=("letters", "letters PHASE", "letters PHASE to PHASE"),
        example="letters F1903",
        read=_letters,
        topic="reading",
    ),
    VerbOfAll(
        "search",
        words=("search", "search letters", "search for", "search my letters"),
        summary="The letters and the press of yours that contain all these words.",
        usage=("search WORDS", 'search "WORDS IN THIS ORDER"'),
        example='search "hands off" Belgium',
        read=_search,
        topic="reading",
    ),
    VerbOfAll(
        "why line",
        words=("why line", "why was line", "explain line", "how was line"),
        summary="What I took a line of your last mail for, and what came of it; in answer to a receipt, of its mail.",
        usage=("why line NUMBER",),
        example="why line 3",
        read=_why,
        topic="reading",
    ),
)
"""The rows, in the order in which help prints them."""
