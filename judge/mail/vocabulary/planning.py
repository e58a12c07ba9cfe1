"""Verbs about orders: taking them back, plans, standing orders, `what if`, dividing a turn."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.game.clock.splitting import SplitTurn
from judge.game.filing.kept import Always, MakePlan, UsePlan
from judge.game.filing.withdrawing import DropLine, SameAgain, Undo
from judge.mail.queries import Query
from judge.mail.vocabulary.clauses import alone, missing, no_more, plain
from judge.mail.vocabulary.gmdesk import UndoAct
from judge.mail.vocabulary.maps import form_in
from judge.mail.vocabulary.model import GMS, PLAYERS, BodyRule, Clause, Reading, Unclear, Verb


@dataclass(frozen=True, slots=True)
class ShowOrders(Query):
    """The author's own orders: on file, kept for later, standing, and what is still to be put right."""


@dataclass(frozen=True, slots=True)
class WhatIf(Query, enclosed=True):
    """The outcome that these orders, own ones and guesses, would have. Only the author is told; nothing is kept.
    `form`, `printed`: of its maps, where they were `asked` for.
    """

    lines: tuple[str, ...]
    form: str = "png"
    printed: bool = False
    asked: bool = False


_PLAN = re.compile(r"[\"']?([A-Za-z0-9][\w-]*)[\"']?\s*[:=]?\s*(.*)", re.DOTALL)
_FORGET = re.compile(r"^(?:plan\s+)?[\"']?([A-Za-z0-9][\w-]*)[\"']?$")


def lines_of(*texts: str) -> tuple[str, ...]:
    """The lines of several texts, without empty ones; a semicolon between orders makes lines too."""
    found = (line.strip() for text in texts for line in text.splitlines())
    return tuple(line for line in found if line)


def _plan(clause: Clause) -> Reading:
    """`plan NAME: ORDER`, or the orders on the lines below."""
    match = _PLAN.fullmatch(clause.rest.strip())
    if match is None:
        return missing("The name", "plan attack: A Paris - Burgundy")
    lines = lines_of(match[2], clause.body)
    if not lines:
        return Unclear("incomplete", "The plan has no orders; write them below its name.")
    return MakePlan(match[1].lower(), lines)


def _named(make: type[MakePlan] | type[UsePlan], example: str) -> object:
    def read(clause: Clause) -> Reading:
        match = _FORGET.fullmatch(plain(clause.rest))
        if match is None:
            return missing("The name of the plan", example)
        return make(match[1].lower())

    return read


def _always(clause: Clause) -> Reading:
    rest = clause.rest.strip(" :")
    if no_more(rest):
        return missing("The order", "always A Munich H")
    return Always() if plain(rest).lower() in ("none", "nothing", "off") else Always(rest)


def _what_if(clause: Clause) -> Reading:
    rest = clause.rest.strip(" :")
    form = form_in(rest)
    lines = lines_of("" if form else rest, clause.body)
    if not lines:
        return Unclear("incomplete", "Write the orders to try below `what if`, yours and your guesses.", ())
    return WhatIf(lines, *(form or ("png", False)), asked=form is not None or "map" in clause.word)


_MAP_WHAT_IF = tuple(f"{word}{of}what if" for word in ("map", "maps") for of in (" ", " of ", " for "))


def _split(clause: Clause) -> Reading:
    rest = re.sub(
        r"^(?:the\s+)?(?:winter|turn|season|seasons|retreats(?: and builds)?)\b", "", plain(clause.rest), flags=re.I
    )
    if no_more(rest):
        return SplitTurn()
    return Unclear("too-much", "`split winter` takes nothing after it.", ("split winter",))


_LINE = re.compile(r"(?:no\.?|number|nr\.?|#)?\s*(\d{1,4})")


def _drop(clause: Clause) -> Reading:
    """`drop that line`, `drop line 3`, `drop line A Rome - Moscow`, `drop those lines`."""
    rest = plain(clause.rest).strip("\"'")
    every = clause.word.endswith("lines")
    if no_more(rest) or rest.lower() == "again":
        return DropLine(every=every)
    if match := _LINE.fullmatch(rest):
        return DropLine(number=int(match[1]))
    return DropLine(words=rest)


_DROPS = ("drop", "forget", "ignore", "delete", "scrap", "cancel", "remove", "strike", "withdraw", "skip", "disregard")
_DROPPED = ("that line", "line", "the line", "this line", "my line", "that faulty line", "the faulty line",
            "those lines", "these lines", "the lines", "all lines", "the faulty lines", "my faulty lines")  # fmt: skip


def _undo(clause: Clause) -> Reading:
    """A player's orders before their last change; the Gamemaster's last act."""
    return alone(UndoAct() if clause.around.role in GMS else Undo(), "undo")(clause)


_SHOW = ("show", "list", "see", "print", "display", "view", "check", "send me", "show me", "give me")
_ORDERS = ("orders", "my orders", "the orders", "all my orders", "my current orders", "orders on file")
_HAVE = ("do you have", "have you", "have you got", "did you get", "are there")
_MY_ORDERS = (
    *_ORDERS,
    "my orders on file",
    "current orders",
    "my current orders on file",
    *(f"{verb} {what}" for verb in _SHOW for what in (*_ORDERS, "my orders on file")),
    "what are my orders",
    "what orders are on file",
    "what is on file",
    "what's on file",
    "what do you have on file",
    "what do you have on file for me",
    "which orders are on file",
    *(f"{what} {have} {whose} me" for what in ("what", "what orders", "which orders") for have in _HAVE
      for whose in ("from", "of", "for")),
    *(f"{what} {have}" for what in ("what orders", "which orders") for have in _HAVE),
)  # fmt: skip

_SAME = ("same", "the same", "same orders", "the same orders", "orders", "same again", "the same again")
_THEN = ("last time", "last turn", "the last turn", "last season", "before", "the turn before")

VERBS: tuple[Verb, ...] = (
    Verb(
        "orders",
        words=_MY_ORDERS,
        summary="Your orders on file, for this turn and for later ones, and what is still to be put right.",
        usage=("orders",),
        example="orders",
        read=alone(ShowOrders(), "orders"),
        whole=True,
        topic="changing",
    ),
    Verb(
        "undo",
        words=("undo", "undo orders", "undo my last mail"),
        summary="Go back to the orders before your last change. From the Gamemaster: take your last act back.",
        usage=("undo",),
        example="undo",
        read=_undo,
        roles=PLAYERS | GMS,
        topic="changing",
    ),
    Verb(
        "drop line",
        words=(*(f"{verb} {what}" for verb in _DROPS for what in _DROPPED), "never mind that line"),
        summary="Forget a line that was sent back to be put right; what is on file stays as it is.",
        usage=("drop that line", "drop line NUMBER"),
        example="drop that line",
        read=_drop,
        topic="changing",
    ),
    Verb(
        "same again",
        words=(
            *("same again", "same orders", "same orders again", "the same again", "repeat orders"),
            *(f"{same} as {then}" for same in _SAME for then in _THEN),
        ),
        summary="The orders of the last turn, for units that still stand there.",
        usage=("same again",),
        example="same again",
        read=alone(SameAgain(), "same again"),
        topic="shortcuts",
    ),
    Verb(
        "plan",
        words=("plan", "make plan", "set plan"),
        summary="Put orders aside under a name; nothing is ordered yet. End several lines with ENDPLAN.",
        usage=("plan NAME: ORDER", "plan NAME"),
        example="plan attack: A Paris - Burgundy",
        read=_plan,
        body=BodyRule.ORDERS,
        ends=("endplan", "end plan"),
        risky=True,
        topic="shortcuts",
    ),
    Verb(
        "use plan",
        words=("use plan", "play plan", "use"),
        summary="Order what a plan says.",
        usage=("use plan NAME",),
        example="use plan attack",
        read=_named(UsePlan, "use plan attack"),  # type: ignore[arg-type]
        topic="shortcuts",
    ),
    Verb(
        "forget plan",
        words=("forget plan", "drop plan", "delete plan"),
        summary="Forget a plan.",
        usage=("forget plan NAME",),
        example="forget plan attack",
        read=_named(MakePlan, "forget plan attack"),  # type: ignore[arg-type]
        topic="shortcuts",
    ),
    Verb(
        "always",
        words=("always", "perpetual", "perpetual order", "standing order"),
        summary="An order that stands in every turn in which its unit gets no other; `always none` ends them all.",
        usage=("always ORDER", "always none"),
        example="always A Munich H",
        read=_always,
        risky=True,
        topic="shortcuts",
    ),
    Verb(
        "what if",
        words=("what if", "whatif", "what-if", "speculate", "forecast", *_MAP_WHAT_IF),
        summary="What would come of these orders, yours and your guesses? Private, and nothing is kept.",
        usage=("what if ORDER", "what if", "map what if", "map what if bw"),
        example="what if A Paris - Burgundy",
        read=_what_if,
        body=BodyRule.ORDERS,
        ends=("end what if", "endwhatif", "end speculation"),
        risky=True,
        topic="trying",
    ),
    Verb(
        "split winter",
        words=(
            "split winter",
            "split",
            "split turn",
            "split season",
            "split seasons",
            "separate seasons",
            "separate winter",
        ),
        summary="Have retreats and builds ordered separately this time; any one player may ask.",
        usage=("split winter",),
        example="split winter",
        read=_split,
        roles=PLAYERS | GMS,
        risky=True,
        topic="time",
    ),
)
"""The rows, in the order in which help prints them."""
