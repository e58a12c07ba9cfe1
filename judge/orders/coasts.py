"""Coasts that stand apart from their place: "Bulgaria, east coast", "BUL-EC", "Spain (the north coast)", "Spain's SC".

Whether words are such a coast depends on the place before them: "Bre-EC" is Brest to the English Channel, since Brest
has no coasts that need a name.
"""

from __future__ import annotations

import re

from judge.board.model import province_of
from judge.board.names import Gazetteer

_APART = re.compile(
    r"(?<=\w)(?P<possessive>'s)?(?:\s*[,;:(\[-])?\s*(?:(?:on|at|along|by)\s+)?(?:(?:the|its|their)\s+)?"
    r"(?:(?P<long>(?:north|south|east|west)(?:ern)?|[nsew]\.?)[\s-]*(?:coast|cst|shore|side)\b(?!\s+of\b)"
    r"|(?P<short>[nsew])\.?c\b)"
    r"\.?(?:\s*[)\]])?",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?<=\w)(?:\s*[,;:-]\s*(?P<long>(?:north|south|east|west)(?:ern)?)|\s+(?P<short>[new])\s+c)\b\.?(?=\s*(?:$|[.,;:)]))",
    re.IGNORECASE,
)
""" "Bul, east", "Bul - east", "Bul e c" at the end of an order: a coast where it is not a place."""
_LONGEST_NAME = 3
"""Words before a coast that are looked up as its place."""


def with_coasts(folded: str, gazetteer: Gazetteer, *, bare: bool = False) -> str:
    """A line with such coasts joined to their places, "Bulgaria/ec"; as long as before, so that positions stay true.
    `bare`: directions that may be the beginning of another place too, "Bulgaria - east".
    """

    def joined(match: re.Match[str]) -> str:
        if " - " in folded[match.start() - 1 : match.end()] and match["short"]:
            return match[0]
        if not _has_coasts(folded[: match.start()], gazetteer):
            return match[0]
        return f"/{(match['long'] or match['short'])[0]}c".ljust(len(match[0]))

    return (_BARE if bare else _APART).sub(joined, folded)


def _has_coasts(before: str, gazetteer: Gazetteer) -> bool:
    """Whether a text ends with the name of a place whose coasts have names."""
    words, board = before.split(), gazetteer.board
    names = (" ".join(words[-count:]) for count in range(1, min(len(words), _LONGEST_NAME) + 1))
    places = (place for name in names for place in gazetteer.find(name.rpartition("-")[2]).places)
    return any(board.provinces[province_of(place)].coasts for place in places)
