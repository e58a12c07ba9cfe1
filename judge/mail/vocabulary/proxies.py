"""Verbs with which somebody plays in another's place: proxies, for a phase and by another player; and substitutes, for
some weeks and by somebody from outside.
"""

from __future__ import annotations

import re
from datetime import timedelta

from judge.game.table.proxies import GiveProxy
from judge.game.table.substitutes import BeSubstitute, EndSubstitute, SeekSubstitute
from judge.languages import tell
from judge.mail.queries import ForPerson
from judge.mail.vocabulary.clauses import ADDRESS, alone, missing, plain, read_when
from judge.mail.vocabulary.model import ANYONE, PLAYERS, Clause, HelpTopic, Part, Reading, Unclear, Verb
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

VERBS: tuple[Verb, ...] = (
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
