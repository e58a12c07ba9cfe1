"""Verbs of those who wait for a seat: standing by, and standing down."""

from __future__ import annotations

import re

from judge.mail.queries import StandBy
from judge.mail.vocabulary.clauses import no_more, plain, read_game
from judge.mail.vocabulary.model import ANYONE, EVERYWHERE, Clause, Reading, Unclear, Verb

_OFF = re.compile(r"\b(?:off|no more|no longer|stop|end)\b", re.IGNORECASE)
_FILLERS = re.compile(r"^(?:(?:for|in|on|any(?: game)?|all(?: games)?)\b\s*)+", re.IGNORECASE)


def _stand_by(clause: Clause) -> Reading:
    """`standby`, `standby tannenburg`, `standby off`."""
    off = clause.word in _DOWN or _OFF.search(clause.rest) is not None
    rest = _FILLERS.sub("", plain(_OFF.sub(" ", clause.rest)))
    if no_more(rest):
        return StandBy(on=not off)
    game = read_game(rest, clause.around, "standby")
    return game if isinstance(game, Unclear) else StandBy(game, on=not off)


_DOWN = ("stand down", "no standby")

VERBS: tuple[Verb, ...] = (
    Verb(
        "standby",
        words=("standby", "stand by", "set standby", "i stand by", *_DOWN),
        summary="Hear of seats that fall vacant, in one game or in any, to take one over.",
        usage=("standby", "standby GAME", "standby off"),
        example="standby tannenburg",
        read=_stand_by,
        roles=ANYONE,
        places=EVERYWHERE,
        names_game=True,
    ),
)
"""The rows, in the order in which help prints them."""
