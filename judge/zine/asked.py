"""What can be asked of the register: statistics and results of a game, and ratings and results of all as files. Its
rows of the table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from judge.game.core.commands import Role
from judge.languages import tell
from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.clauses import missing, no_more, plain, read_game
from judge.mail.vocabulary.model import Clause, Reading, Unclear, Verb, VerbOfAll
from judge.orders.spelled import listed

DATA_FORMS = ("csv", "json")
"""In which forms tables go out for programs."""


@dataclass(frozen=True, slots=True)
class AskStatistics(Query, enclosed=True, once=True, public=True):
    """Players, centres, owners and openings of a game, as a zine prints them. Empty game: the one of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class ExportRatings(Query, enclosed=True, once=True, public=True):
    """The ratings by every method. `form`: one of DATA_FORMS, "" for all."""

    form: str = ""


@dataclass(frozen=True, slots=True)
class ExportResults(Query, enclosed=True, once=True, public=True):
    """All public games with players, centres and results. `since`: only those in which something happened after that
    issue of `zine` ("": that of the address, or the only one); 0 for all.
    """

    form: str = ""
    since: int = 0
    zine: str = ""


@dataclass(frozen=True, slots=True)
class ResendResults(PersonRequest):
    """The results of a phase of a game, as they are printed, to an address; "" for the author's own."""

    beside: ClassVar[bool] = True
    game: str
    phase: str
    to: str = ""


def _stats(clause: Clause) -> Reading:
    """`stats`, `stats tannenburg`, `statistics of tannenburg`."""
    if no_more(clause.rest):
        return AskStatistics(clause.around.game)
    words = re.sub(r"^(?:of|for|on|game|the)\s+", "", plain(clause.rest), flags=re.IGNORECASE)
    game = read_game(words, clause.around, "stats")
    return game if isinstance(game, Unclear) else AskStatistics(game)


_FILL = r"\b(?:as|in|the|format|file|files|please|all)\b"


def _forms(words: list[str], verb: str) -> str | Unclear:
    """The form that some words name, "" for none."""
    unknown = [word for word in words if word.lower() not in DATA_FORMS]
    if unknown or len(words) > 1:
        named = (unknown or words)[0][:40]
        said = tell('`{verb}` makes {known}, not "{named}".', verb=verb, known=listed(DATA_FORMS, "or"), named=named)
        return Unclear("no-form", said, (f"{verb} csv", f"{verb} json"))
    return words[0].lower() if words else ""


def _ratings(clause: Clause) -> Reading:
    """`export ratings`, `export ratings csv`."""
    form = _forms(re.sub(_FILL, " ", plain(clause.rest), flags=re.IGNORECASE).split(), "export ratings")
    return form if isinstance(form, Unclear) else ExportRatings(form)


_SINCE = re.compile(r"\b(?:since|after|from)\s+(?:issue\s+)?#?(?P<number>\d{1,5})\b(?:\s+of\s+(?P<zine>\S+))?", re.I)


def _games(clause: Clause) -> Reading:
    """`export games json since #90`, `export games csv`."""
    words = plain(clause.rest)
    since = _SINCE.search(words)
    rest = words[: since.start()] + words[since.end() :] if since else words
    form = _forms(re.sub(_FILL, " ", rest, flags=re.IGNORECASE).split(), "export games")
    if isinstance(form, Unclear):
        return form
    return ExportResults(form, int(since["number"]), since["zine"] or "") if since else ExportResults(form)


_RESEND = re.compile(r"(?:(?P<game>\S+)\s+)?(?P<phase>\S+(?:\s+'?\d+)?)\s+to\s+(?P<to>me|\S+@\S+)", re.IGNORECASE)
_NO_GAME = frozenset({"the", "my", "last", "latest", "report", "results", "please"})


def resend_of_game(clause: Clause) -> Reading | None:
    """`resend tannenburg F1901 to me`, `... to ADDRESS`; None for what a player or a Gamemaster asks for themselves."""
    found = _RESEND.fullmatch(plain(clause.rest))
    if found is None or (found["game"] or "").lower() in _NO_GAME:
        return None
    game, own = (found["game"] or clause.around.game).lower(), found["to"].lower() == "me"
    if not game or (own and not found["game"] and clause.around.role in (Role.PLAYER, Role.GM)):
        return None
    return ResendResults(game, found["phase"], "" if own else found["to"])


def _resend_results(clause: Clause) -> Reading:
    example = "resend results tannenburg F1901 to me"
    return resend_of_game(clause) or missing(tell("The game, the phase or the address"), example)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "resend results",
        words=("resend results",),
        summary="The results of a game as a zine prints them, once more, to you or to an address.",
        usage=("resend results GAME PHASE to me", "resend results GAME PHASE to ADDRESS"),
        example="resend results tannenburg F1901 to me",
        read=_resend_results,
        names_game=True,
        topic="editing",
    ),
    VerbOfAll(
        "stats",
        words=("stats", "statistics", "show stats", "show statistics"),
        summary="Players, centres by year, owners and openings of a game, as zines print them.",
        usage=("stats", "stats GAME"),
        example="stats",
        read=_stats,
        names_game=True,
        topic="zine",
    ),
    VerbOfAll(
        "export ratings",
        words=("export ratings", "ratings export"),
        summary="The ratings of all players by every method, as files for programs.",
        usage=("export ratings", "export ratings csv", "export ratings json"),
        example="export ratings csv",
        read=_ratings,
        topic="zine",
    ),
    VerbOfAll(
        "export games",
        words=("export games", "export results", "export all games"),
        summary="All public games with players, centres and results, or those since an issue, as files for programs.",
        usage=("export games", "export games csv", "export games json since #90"),
        example="export games json since #90",
        read=_games,
        topic="zine",
    ),
)
"""Its rows, in the order in which help prints them."""
