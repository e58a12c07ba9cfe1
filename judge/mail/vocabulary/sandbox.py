"""Verbs of a sandbox: begun on a board or from a position of a game, gone back in, edited, shared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.game.core.commands import OrderLine
from judge.game.table.sandbox import START, EditBoard, ShareSandbox, StepBack
from judge.languages import tell
from judge.mail.queries import PersonRequest
from judge.mail.vocabulary.clauses import missing, no_more, plain, read_addresses
from judge.mail.vocabulary.model import Clause, HelpTopic, Part, Reading, Unclear, Verb, VerbOfAll


@dataclass(frozen=True, slots=True)
class SandboxGame(PersonRequest):
    """A sandbox. `of`: the words behind the verb: a board or a preset, or a game and one of its phases; "" for the
    game that the mail is about, else the usual board. `orders`: the first ones on it, where the letter that showed it
    was answered with orders.
    """

    of: str = ""
    orders: tuple[OrderLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowSandbox(PersonRequest):
    """A letter to each of these addresses, with the position and how to go on from it on a board of one's own."""

    addresses: tuple[str, ...]


_FILLER = re.compile(r"^(?:(?:a|an|my|new|on|of|from|for|with|at|the|board|game|please)\b\s*)+", re.IGNORECASE)
_BEGINNING = re.compile(r"(?:to\s+)?(?:the\s+)?(?:very\s+)?(?:start|beginning|begin|first|set-?up)", re.IGNORECASE)
_STEPS = re.compile(r"(?:by\s+)?(\d{1,2})(?:\s+(?:phases?|steps?|turns?))?", re.IGNORECASE)
_OFF = re.compile(r"(?:off|no|no\s+more|end|stop)", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;]+(?:and\s+|&\s*)?")


def _sandbox(clause: Clause) -> Reading:
    """`sandbox`, `sandbox european`, `sandbox baltic F1903M`."""
    rest = _FILLER.sub("", plain(clause.rest))
    return SandboxGame("" if no_more(rest) else rest[:80])


def _back(clause: Clause) -> Reading:
    """`go back`, `go back 2`, `back to F1903M`, `back to the beginning`."""
    rest = re.sub(r"^(?:a|one|the)\s+(?:phase|step|turn)$", "", plain(clause.rest), flags=re.IGNORECASE)
    rest = re.sub(r"^to\s+", "", rest, flags=re.IGNORECASE)
    if no_more(rest):
        return StepBack()
    if _BEGINNING.fullmatch(rest):
        return StepBack(START)
    if match := _STEPS.fullmatch(rest):
        return StepBack(steps=max(1, int(match[1])))
    phase = clause.around.phase_in(rest)
    if phase is None and clause.word == "back to":  # from a holiday, most likely
        return Unclear("too-much", tell("`back` takes nothing after it."), ("back",))
    if phase is None:
        return Unclear("no-phase", tell('"{rest}" is not a phase; write one like F1901.', rest=rest[:40]), ("go back",))
    return StepBack(phase)


def _edit(clause: Clause) -> Reading:
    rest = clause.rest.strip(" :")
    example = "edit A Par at Bur; remove F Bre; add Italy F Tun; centre Tun Italy; phase F1905M"
    return EditBoard(rest) if plain(rest) else missing(tell("The change"), example)


def _share(clause: Clause) -> Reading:
    """`share`, `share off`, `share with ADDRESS, ADDRESS`; none is written to where one of them is no address."""
    if _OFF.fullmatch(plain(clause.rest)):
        return ShareSandbox(on=False)
    rest = re.sub(r"^(?:with|to|for)\b\s*", "", clause.rest.strip(" :."), flags=re.IGNORECASE)
    if no_more(rest):
        return ShareSandbox()
    words = [word.strip("<>().\"'") for word in _BETWEEN.split(rest) if word.strip("<>().\"'")]
    good, wrong = read_addresses(words)
    if not wrong:
        return ShowSandbox(good)
    lines = (f"share with {', '.join(good)}",) if good else ("share",)
    return Unclear("no-address", tell("{wrong}; nobody was written to.", wrong=wrong), lines)


SHOWN_BOARD = "shown board"
"""The page about the letter that shows somebody's sandbox."""

TOPICS: tuple[HelpTopic, ...] = (
    HelpTopic(
        "sandbox",
        "A board of your own",
        Part.BEGINNING,
        asks="analysis, analyse, analyze, try moves, set up a position, position editor, classroom, teach, teaching, "
        "what would happen",
        more=("practice", "orders"),
        paged=True,
    ),
    HelpTopic(
        SHOWN_BOARD,
        "The board that somebody shows you",
        Part.BEGINNING,
        asks="board shown to me, letter about a board, shared sandbox, shared board",
        more=("sandbox", "diplomacy"),
        paged=True,
    ),
)
"""Their pages of help."""

VERBS: tuple[Verb, ...] = (
    VerbOfAll(
        "sandbox",
        words=("sandbox", "sand box", "new sandbox", "analysis board"),
        summary="A private board on which you order for every power: the usual one, another, or any phase of a game.",
        usage=("sandbox", "sandbox BOARD", "sandbox GAME", "sandbox GAME PHASE"),
        example="sandbox european",
        read=_sandbox,
        topic="sandbox",
        names_game=True,
    ),
    VerbOfAll(
        "go back",
        words=("go back", "back to", "step back", "go back to", "step back to"),
        summary="In a sandbox: the phase before, or another that you have played, with the orders that you gave then.",
        usage=("go back", "go back 2", "back to PHASE", "back to the beginning"),
        example="back to the beginning",
        read=_back,
        topic="sandbox",
    ),
    VerbOfAll(
        "edit",
        words=("edit", "edit position", "edit board"),
        summary="In a sandbox: put units, centres and the phase as you like; several changes are made together.",
        usage=("edit CHANGE; CHANGE", "edit phase PHASE", "edit clear", "edit reset"),
        example="edit A Par at Bur; remove F Bre; add Italy F Tun; centre Tun Italy",
        read=_edit,
        topic="sandbox",
    ),
    VerbOfAll(
        "share",
        words=("share", "share with", "share sandbox"),
        summary="In a sandbox: let others look and go on from it on boards of their own; `share with` writes to them.",
        usage=("share", "share with ADDRESS, ADDRESS", "share off"),
        example="share with anna@example.org, ben@example.org",
        read=_share,
        topic="sandbox",
    ),
)
"""The rows, in the order in which help prints them."""
