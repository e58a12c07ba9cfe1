"""Words whose meaning depends on the words beside them: "con" (Constantinople or "convoys"), "by", "from", "on"."""

from __future__ import annotations

from collections.abc import Mapping

from judge.board.spelling import DIRECTED
from judge.orders.words import BACKWARDS, KEYWORDS, PASSIVE, RAILWAY, VIA

COAST_NEXT = frozenset(("/", "(", "[", "nc", "sc", "ec", "wc", *DIRECTED))
"""What may stand between a place's name and its coast, or be the coast."""

CARRIERS = frozenset(("sea", "ship", "ships", "boat"))
""" "By sea" is by convoy; elsewhere the word says nothing ("Western Mediterranean Sea")."""

TURNED = CARRIERS | {"else", "except", "on", "from", "by", "of", "with", "de", "du", "von"}
"""Words whose letter depends on what stands before them."""

_RAILWAYS = tuple(word for word, kind in KEYWORDS.items() if kind == RAILWAY)

_WAYS = [[word] for word in (*CARRIERS, *_RAILWAYS, "convoy", "convoys", "land", "way")]


def _next(tokens: list[str], index: int) -> list[str]:
    """The next word, and the one behind an article."""
    after = tokens[index + 1 : index + 3]
    return after if after[:1] in (["the"], ["my"]) else after[:1]


_HAVING = frozenset(("with", "has", "have", "having", "under", "gets", "receives"))
""" "With support of A Bur": the support is what it has, not what it gives."""


def names_a_place(before: str, following: str, units: Mapping[str, str]) -> bool:
    """Whether a word that is both an order word and the code of a place means the place here. `before`: the letters of
    the shape so far; `following`: the next word, "" at the end of the line; `units`: the words for units.
    """
    if following in COAST_NEXT:
        return True
    last, joins = before[-1:], following in units or following in _JOINED
    if last in ("-", "L", "V", "B", "E"):
        return True
    if last == "U":
        return not joins
    goes_on = KEYWORDS.get(following, "") in tuple("-SCHRDL") or following[:1] in ("-", ">")
    ends = not following or KEYWORDS.get(following) == ","
    if last in ("", ",", "N", "Z"):
        return goes_on
    if last in ("S", "C", "R", "D"):
        return goes_on or ends
    return before == "UP" and ends


_JOINED = frozenset(("then", "also", "the"))
"""Words that may follow "and" in a row of orders, besides those for units."""


def turned(token: str, before: str, last: str, kind: str) -> str:
    """The letter of a word that follows others: in "everything else holds", "all hold except ...", "fleet on the south
    coast" and "by sea". `last`: the letter before it; `kind`: its letter elsewhere, given back for all other words.
    """
    if token in CARRIERS:
        return "V" if before == "by" else ""
    if token in ("on", "de", "du", "von"):
        return "" if last == "U" else kind
    if last not in ("H", "O"):
        return kind
    return "" if token == "else" else ","


def agent(tokens: list[str], index: int, starts: list[int], kinds: list[str], units: Mapping[str, str]) -> str:
    """The letter for "by", "from", "of" or "with", which may introduce whoever carries out the order. The support or
    convoy word before it is changed in `kinds` to its passive; `BACKWARDS` is returned where the order would otherwise
    be read backwards ("A Par to Bur from Mar", "support Par to Bur with Mar"), that for "via" in "A Edi - Nwy by F
    Nth", "" where the word means nothing. `units`: the words for units.
    """
    token, last = tokens[index], kinds[-1] if kinds else ""
    if token == "with":
        named = not units.keys().isdisjoint(_next(tokens, index)) or kinds[:1] != ["-"]
        return BACKWARDS if kinds and kinds[0] in ("-", "S", "C") and "P" in kinds and named else ""
    if last == "S" and (token != "of" or not _HAVING.isdisjoint(tokens[max(0, starts[-1] - 3) : starts[-1]])):
        kinds[-1] = PASSIVE
        return ""
    if last == "C" and token == "by":
        kinds[-1] = "V"
        return ""
    if token == "by" and kinds[-2:] == ["-", "P"] and not units.keys().isdisjoint(_next(tokens, index)):
        return VIA
    done_by = token == "by" and last in ("-", "H", "D", "R") and tokens[index + 1 : index + 2] not in _WAYS
    goal_first = token == "from" and "P" in kinds and (last in ("P", "U") or kinds[-2:-1] == ["P"])
    return BACKWARDS if done_by or goal_first else ""
