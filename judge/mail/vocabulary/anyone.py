"""Verbs for everybody: questions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge.languages import tell
from judge.mail.queries import AboutGame, PersonRequest, Query
from judge.mail.vocabulary.clauses import alone, plain, read_game
from judge.mail.vocabulary.model import ANYONE, BodyRule, Clause, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class Help(Query, enclosed=True, once=True, public=True):
    """The help letter; `topic` is a verb's name, a topic that the service knows, or empty for the overview."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class ListGames(Query, enclosed=True, once=True, public=True):
    """The list of openings and running games."""


@dataclass(frozen=True, slots=True)
class ShowStatus(AboutGame, enclosed=True, once=True, public=True):
    """What is going on in a game: phase, deadline, own orders on file."""


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
        return Unclear("too-much", tell("`help` takes a topic, such as `help press`, or a short question."), ("help",))
    return Help(topic)


_LISTED = frozenset(("all", "the", "of", "open", "full", "games", "openings", "please"))


def _list(clause: Clause) -> Reading:
    if all(word in _LISTED for word in plain(clause.rest).lower().split()):
        return ListGames()
    game = read_game(clause.rest, clause.around, "status")
    return game if isinstance(game, Unclear) else ShowStatus(game=game)


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
        sentence = tell(
            '"{plain}" is not a phase; write one like F1901, or welcome for your first letter.', plain=plain(rest)[:60]
        )
        return Unclear("no-phase", sentence, ("resend", "resend welcome"))
    return Resend(phase)


def _verify(clause: Clause) -> Reading:
    proof = re.sub(r"^(?:proof|sha256)\b[\s:]*", "", plain(clause.rest).lower())
    if proof and not _PROOF.fullmatch(proof):
        return Unclear(
            "no-proof", tell("A proof looks like 7c1e-9a42; it stands at the end of each receipt."), ("help verify",)
        )
    return Verify(proof)


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
