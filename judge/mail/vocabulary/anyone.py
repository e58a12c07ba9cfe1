"""Verbs for everybody: questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge.game.core.commands import ChangeSettings
from judge.mail.queries import PersonRequest, Query
from judge.mail.vocabulary.clauses import alone, no_more, plain, read_game, read_stretch
from judge.mail.vocabulary.model import ANYONE, BodyRule, Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class Help(Query, enclosed=True, once=True, public=True):
    """The help letter; `topic` is a verb's name, a topic that the service knows, or empty for the overview."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class ListGames(Query, enclosed=True, once=True, public=True):
    """The list of openings and running games."""


@dataclass(frozen=True, slots=True)
class ShowStatus(Query, enclosed=True, once=True, public=True):
    """What is going on in a game: phase, deadline, own orders on file. Empty: the game of the address."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class ShowDue(Query, once=True, public=True):
    """By when the orders of the turn are due, in a sentence."""


@dataclass(frozen=True, slots=True)
class ShowGoal(Query, once=True, public=True):
    """How many centres win the game, in a sentence."""


@dataclass(frozen=True, slots=True)
class History(Query, enclosed=True, once=True, public=True):
    """Results of past phases. `since` and `until` are phase codes or years ("S1901M", "1903"); empty: open ended."""

    game: str = ""
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Resend(Query, once=True):
    """Send a letter again; `what` is a phase code, WELCOME, or empty for the latest report."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class Verify(Query):
    """Is this copy of a letter or an order mail the one on record? `proof` is the proof code, where given."""

    proof: str = ""


@dataclass(frozen=True, slots=True)
class ReportForgery(PersonRequest):
    """A mail that pretends to come from the judge or the Gamemaster; `text`: what was pasted of it, if anything."""

    text: str = ""


_LONGEST_QUESTION = 120
"""Letters of a question to the help."""
_PROOF = re.compile(r"[0-9a-f]{4}-?[0-9a-f]{4,60}", re.IGNORECASE)


_FILES: Mapping[str, str] = {
    **dict.fromkeys(("package", "flist", "list", "files", "index", "info", "infopak", "help", "guide"), ""),
    **dict.fromkeys(("form", "registration", "register"), "register"),
    **dict.fromkeys(("rules", "houserules", "house rules"), "house rules"),
}
"""Files that the older judges sent on `get`, and our help on what stood in them."""


def _help(clause: Clause) -> Reading:
    topic = plain(clause.rest).lower().rstrip(" ?!.")
    topic = topic.removeprefix("on ").removeprefix("with ").removeprefix("about ")
    if clause.word == "get":
        topic = _FILES.get(topic, topic)
    if len(topic) > _LONGEST_QUESTION or "://" in topic or (clause.word == "get" and len(topic.split()) > 3):
        return Unclear("too-much", "`help` takes a topic, such as `help press`, or a short question.", ("help",))
    return Help(topic)


_LISTED = frozenset(("all", "the", "of", "open", "full", "games", "openings", "please"))


def _list(clause: Clause) -> Reading:
    if all(word in _LISTED for word in plain(clause.rest).lower().split()):
        return ListGames()
    game = read_game(clause.rest, clause.around, "status")
    return game if isinstance(game, Unclear) else ShowStatus(game)


_PLAYS = re.compile(r"(?:is|are|plays|has|leads|controls)\b", re.IGNORECASE)
""" "who is Germany"."""


def _status(clause: Clause) -> Reading:
    if no_more(clause.rest) or (clause.word == "who" and _PLAYS.match(clause.rest) and clause.around.game):
        return ShowStatus(clause.around.game)
    game = read_game(clause.rest.removeprefix("of "), clause.around, "status")
    return game if isinstance(game, Unclear) else ShowStatus(game)


def _history(clause: Clause) -> Reading:
    game, rest = _leading_game(clause)
    bounds = read_stretch(rest, clause.around.calendar)
    return bounds if isinstance(bounds, Unclear) else History(game, *bounds)


def _leading_game(clause: Clause) -> tuple[str, str]:
    word, _, rest = clause.rest.strip().partition(" ")
    game = read_game(word, clause.around, "history") if word else Unclear("", "")
    return (clause.around.game, clause.rest) if isinstance(game, Unclear) else (game, rest)


WELCOME = "welcome"
"""What `resend` is asked for beside reports: the letter with which somebody came into the game."""
_FIRST_LETTERS = frozenset(("welcome", "my welcome", "takeover", "first", "my first", "start", "beginning"))


def _resend(clause: Clause) -> Reading:
    rest = re.sub(r"\b(?:to me|please|the|report|results|letter|last|latest|of)\b", " ", clause.rest, flags=re.I)
    if not plain(rest):
        return Resend()
    if plain(rest).lower() in _FIRST_LETTERS:
        return Resend(WELCOME)
    phase = clause.around.phase_in(plain(rest))
    if phase is None:
        sentence = f'"{plain(rest)[:60]}" is not a phase; write one like F1901, or welcome for your first letter.'
        return Unclear("no-phase", sentence, ("resend", "resend welcome"))
    return Resend(phase)


def _verify(clause: Clause) -> Reading:
    proof = re.sub(r"^(?:proof|sha256)\b[\s:]*", "", plain(clause.rest).lower())
    if proof and not _PROOF.fullmatch(proof):
        return Unclear(
            "no-proof", "A proof looks like 7c1e-9a42; it stands at the end of each receipt.", ("help verify",)
        )
    return Verify(proof)


def _goal(clause: Clause) -> Reading:
    """`centres to win`; with a number it is the setting, which the Gamemaster may change."""
    number = re.fullmatch(
        r"[\s:=]*(?:(?:is|to|at)\s+)?(\d{1,3})(?: *cent(?:re|er)s)?[\s.]*", clause.rest, re.IGNORECASE
    )
    return ChangeSettings("victory", number[1]) if number else alone(ShowGoal(), "centres to win")(clause)


VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "help",
        words=("help", "help me", "commands", "info", "get"),
        summary="What you can do now, or a page about one word.",
        usage=("help", "help TOPIC"),
        example="help press",
        read=_help,
        topic="help",
    ),
    VerbOfAll(
        "version",
        words=("version",),
        summary="Which program I am, and which version of it.",
        usage=("version",),
        example="version",
        read=alone(Help("version"), "version"),
        whole=True,
        topic="version",
    ),
    VerbOfAll(
        "list",
        words=("list", "list games", "games", "openings"),
        summary="Games that look for players, and games that run.",
        usage=("list",),
        example="list",
        read=_list,
        names_game=True,
        topic="joining",
    ),
    VerbOfAll(
        "status",
        words=("status", "stat", "who", "whogame"),
        summary="The phase, the deadline and your orders on file.",
        usage=("status", "status GAME"),
        example="status",
        read=_status,
        names_game=True,
        topic="reading",
    ),
    VerbOfAll(
        "due",
        words=("due", "due date", "when due", "next deadline"),
        summary="By when orders are due, in a sentence.",
        usage=("due",),
        example="due",
        read=alone(ShowDue(), "due"),
        whole=True,
        topic="reading",
    ),
    VerbOfAll(
        "centres to win",
        words=("centres to win", "centers to win", "victory"),
        summary="How many centres win the game, in a sentence.",
        usage=("centres to win", "victory NUMBER"),
        example="centres to win",
        read=_goal,
        topic="reading",
    ),
    VerbOfAll(
        "history",
        words=("history", "summary"),
        summary="The results of past phases.",
        usage=("history", "history PHASE to PHASE"),
        example="history S1901 to F1903",
        read=_history,
        names_game=True,
        topic="reading",
    ),
    Verb(
        "resend",
        words=("resend", "send again", "repeat"),
        summary="Get a report again, or the letter with which you came into the game.",
        usage=("resend", "resend PHASE", "resend welcome"),
        example="resend F1901M",
        read=_resend,
        roles=ANYONE,
        topic="reading",
    ),
    VerbOfAll(
        "verify",
        words=("verify", "check proof"),
        summary="Whether a copy of your orders is what I received; quote it, or give its proof.",
        usage=("verify", "verify PROOF"),
        example="verify 7c1e-9a42",
        read=_verify,
        topic="proof",
    ),
    VerbOfAll(
        "report forgery",
        words=("report forgery", "report forged mail", "report fake", "forgery", "this is a forgery"),
        summary="A mail that pretends to be mine or the Gamemaster's: quote it below, and it is filed and looked into.",
        usage=("report forgery",),
        example="report forgery",
        read=lambda clause: ReportForgery("\n".join(part for part in (clause.rest.strip(" :"), clause.body) if part)),
        body=BodyRule.TEXT,
        ends=("endreport", "end report"),
        verbatim=True,
        topic="proof",
    ),
)
"""The rows, in the order in which help prints them."""
