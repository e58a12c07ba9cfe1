"""Verbs about orders: taking them back, plans, standing orders, dividing a turn.

Verbs with which somebody plays in another's place: proxies, for a phase and by another player; and substitutes, for
some weeks and by somebody from outside.
"""

from __future__ import annotations

import re
from datetime import timedelta

from judge.game.clock.turnover import SplitTurn
from judge.game.filing.kept import Always, MakePlan, UsePlan
from judge.game.filing.submitting import DropLine, SameAgain, Undo
from judge.game.table.substitutes import BeSubstitute, EndSubstitute, GiveProxy, SeekSubstitute
from judge.languages import tell
from judge.mail.queries import ForPerson
from judge.mail.vocabulary.clauses import ADDRESS, alone, missing, no_more, plain, read_when
from judge.mail.vocabulary.gmdesk import UndoAct
from judge.mail.vocabulary.model import (
    ANYONE,
    GMS,
    PLAYERS,
    BodyRule,
    Clause,
    HelpTopic,
    Part,
    Reading,
    Unclear,
    Verb,
    named,
)
from judge.mail.vocabulary.powers import read_power

_NOBODY = ("off", "none", "nobody", "no more", "end")


def _proxy(clause: Clause) -> Reading:
    """`proxy POWER`, `proxy off`."""
    name = plain(re.sub(r"^\s*(?:to|for)\b", "", clause.rest, flags=re.IGNORECASE))
    if name.lower() in _NOBODY:
        return GiveProxy()
    if not name:
        return missing(tell("The power"), "proxy Germany")
    power = read_power(name, clause.around.board)
    return power if isinstance(power, Unclear) else GiveProxy(power)


_OFF = re.compile(r"^(?:off|none|no more|nobody|end|ends|over|withdraw|withdrawn|back|cancel)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|to|through)\s+(.+)$", re.IGNORECASE)
_IN_GAME = re.compile(r"\s+in\s+\S+\s*$", re.IGNORECASE)


def _substitute(clause: Clause) -> Reading:
    """`substitute wanted until DATE`, `substitute for POWER [in GAME]`, `substitute for POWER by ADDRESS`,
    `substitute off`.
    """
    rest, board = plain(clause.rest), clause.around.board
    if off := _OFF.match(rest):
        name = plain(re.sub(r"^(?:for|of)\b", "", rest[off.end() :].strip(), flags=re.IGNORECASE))
        power = read_power(name, board) if name else ""
        return power if isinstance(power, Unclear) else EndSubstitute(power)
    if (until := _UNTIL.search(rest)) is not None:
        when = read_when(plain(until[1]), clause.around, "substitute wanted until")
        return when if isinstance(when, Unclear) else SeekSubstitute(when)
    if re.match(r"(?:wanted|needed|sought)\b", rest, re.IGNORECASE):
        day = clause.around.now.astimezone(clause.around.zone) + timedelta(days=14)
        return missing(tell("The day"), f"substitute wanted until {day.day} {day:%B %Y}")
    address = ADDRESS.search(rest)
    named = ADDRESS.sub("", rest) if address else rest
    named = re.sub(r"^\s*(?:for|of)\b|\b(?:by|is|with)\s*$", "", plain(named), flags=re.IGNORECASE)
    named = plain(re.sub(r"\b(?:by|is|with)\s*$", "", _IN_GAME.sub("", plain(named)), flags=re.IGNORECASE))
    power = read_power(named, board) if named else ""
    if isinstance(power, Unclear):
        return power
    return ForPerson(BeSubstitute(power), address[1]) if address else BeSubstitute(power)


TOPICS: tuple[HelpTopic, ...] = (
    HelpTopic(
        "substitutes",
        "Somebody who plays for you while you are away",
        Part.SEAT,
        asks="substitute, stand in, stand-in, somebody plays for me",
        more=("time", "seats", "proxies"),
        paged=True,
    ),
)
"""Their page of help."""

PROXIES: tuple[Verb, ...] = (
    Verb(
        "proxy",
        words=("proxy", "proxy to", "give proxy", "give proxy to"),
        summary="Let another player order your units too until this phase is processed (they write `order as`).",
        usage=("proxy POWER", "proxy off"),
        example="proxy Germany",
        read=_proxy,
        roles=PLAYERS,
        risky=True,
        topic="proxies",
    ),
    Verb(
        "no proxy",
        words=("no proxy", "end proxy", "revoke proxy"),
        summary="End the proxy that you gave; what was filed with it stands.",
        usage=("no proxy",),
        example="no proxy",
        read=alone(GiveProxy(), "no proxy"),
        roles=PLAYERS,
        risky=True,
        topic="proxies",
    ),
    Verb(
        "substitute",
        words=("substitute", "stand-in"),
        summary="Somebody plays in a player's place for some weeks, and the seat stays the player's own.",
        usage=("substitute wanted until DATE", "substitute for POWER in GAME", "substitute off"),
        example="substitute wanted until 20 January 2027",
        read=_substitute,
        roles=ANYONE,
        risky=True,
        names_game=True,
        topic="substitutes",
    ),
)
"""The rows, in the order in which help prints them."""


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
        return missing(tell("The name"), "plan attack: A Paris - Burgundy")
    lines = lines_of(match[2], clause.body)
    if not lines:
        return Unclear("incomplete", tell("The plan has no orders; write them below its name."))
    return MakePlan(match[1].lower(), lines)


def _named(make: type[MakePlan] | type[UsePlan], example: str) -> object:
    def read(clause: Clause) -> Reading:
        match = _FORGET.fullmatch(plain(clause.rest))
        if match is None:
            return missing(tell("The name of the plan"), example)
        return make(match[1].lower())

    return read


def _always(clause: Clause) -> Reading:
    rest = clause.rest.strip(" :")
    if no_more(rest):
        return missing(tell("The order"), "always A Munich H")
    return Always() if plain(rest).lower() in ("none", "nothing", "off") else Always(rest)


def _split(clause: Clause) -> Reading:
    rest = re.sub(
        r"^(?:the\s+)?(?:winter|turn|season|seasons|retreats(?: and builds)?)\b", "", plain(clause.rest), flags=re.I
    )
    if no_more(rest):
        return SplitTurn()
    return Unclear("too-much", tell("`split winter` takes nothing after it."), ("split winter",))


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


_SAME = ("same", "the same", "same orders", "the same orders", "orders", "same again", "the same again")
_THEN = ("last time", "last turn", "the last turn", "last season", "before", "the turn before")

VERBS: tuple[Verb, ...] = (
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
        "split winter",
        words=named("split winter, split, split turn, split season, split seasons, separate seasons, separate winter"),
        summary="Have retreats and builds ordered separately this time; any one player may ask.",
        usage=("split winter",),
        example="split winter",
        read=_split,
        roles=PLAYERS | GMS,
        risky=True,
        topic="time",
    ),
    *PROXIES,
)
"""The rows, in the order in which help prints them."""
