"""Lines for the country: how they are written, and why one comes to nothing (clauses 3, 4, 9, 14 and 16)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from judge.board.model import Board, province_of
from judge.board.names import gazetteer_of
from judge.rules.business import Deed
from judge.variants.pulsipher1914.state import (
    CAPITAL,
    CAPITAL_OPEN,
    COUNTRIES,
    GREATS,
    MINORS,
    NO_CAPITAL,
    CountryState,
    Permit,
    country_called,
)


class CountryLine(NamedTuple):
    """What became of a line for the country."""

    deed: Deed
    reason: str
    """A reason's slug; "" where it was done."""


def number_in(words: Iterable[str]) -> int:
    """The first whole number of a line; 0: there is none."""
    return next((int(word) for word in words if word.isdecimal() and len(word) < 5), 0)


def named_in(words: Iterable[str], among: Iterable[str]) -> tuple[str, ...]:
    """The countries that a line names, in its order."""
    known = set(among)
    return tuple(name for word in words if (name := country_called(word)) in known)


_FILLERS = frozenset("to in of the for from with and as my please points point supply sp sps factors factor".split())  # noqa: SIM905


def strange_in(words: Iterable[str]) -> bool:
    """Whether a line has words that are neither a number, nor countries, nor words between them."""
    bare = (word.strip(".,") for word in words)
    return any(
        word and not word.isdecimal() and word.lower() not in _FILLERS and not country_called(word) for word in bare
    )


def gift_of(deed: Deed) -> tuple[int, str]:
    """GIVE 3 TO RUSSIA, give Russia 3: how much, and to whom."""
    return number_in(deed.words), next(iter(named_in(deed.words, COUNTRIES)), "")


def amount_and_minor(deed: Deed) -> tuple[int, str]:
    """INFLUENCE 3 ITALY: how much, and where."""
    return number_in(deed.words), next(iter(named_in(deed.words, MINORS)), "")


def country_of(deed: Deed) -> str:
    """ALLY FRANCE: whom."""
    return next(iter(named_in(deed.words, COUNTRIES)), "")


def friendly_of(deed: Deed) -> tuple[str, str]:
    """FRIENDLY ITALY FOR AUSTRIA; FRIENDLY FOR AUSTRIA: who is, and for whom."""
    found = named_in(deed.words, COUNTRIES)
    return (found[0], found[1]) if len(found) > 1 else (deed.power, found[0] if found else "")


def gift_fault(state: CountryState, deed: Deed) -> str:
    """Clause 4, and 16.J: why a gift is none, its size aside."""
    amount, to = gift_of(deed)
    if any(word.lower() == "if" for word in deed.words):
        return "gift-on-condition"
    if deed.power not in GREATS:
        return "minors-give-nothing"
    if not to or amount < 1 or strange_in(deed.words) or len(named_in(deed.words, COUNTRIES)) > 1:
        return "gift-not-understood"
    if to == deed.power or not state.player(to) or state.is_out(to):
        return "no-account-there"
    return ""


def influence_fault(deed: Deed) -> str:
    """Clause 16.B: why points cannot become factors, their number aside."""
    amount, minor = amount_and_minor(deed)
    if deed.power not in GREATS:
        return "influence-of-great-powers"
    if not minor or strange_in(deed.words) or len(named_in(deed.words, COUNTRIES)) > 1:
        return "no-such-minor"
    return "" if amount > 0 else "how-many-factors"


def ally_fault(deed: Deed) -> str:
    """Clause 14: whom one may declare an ally."""
    named = named_in(deed.words, COUNTRIES)
    good = len(named) == 1 and not strange_in(deed.words) and named[0] in GREATS.keys() - {deed.power}
    return "" if good and deed.power in GREATS else "ally-a-great-power"


def friendly_fault(state: CountryState, deed: Deed) -> str:
    """Clause 9: who may be declared friendly to whom."""
    who, whom = friendly_of(deed)
    if not whom or who == whom or strange_in(deed.words):
        return "friendly-not-understood"
    return "" if state.player(who) == (state.player(deed.power) or deed.power) else "friendly-own-countries"


def claim_of(deed: Deed) -> tuple[str, str, str]:
    """CLAIM ITALY WITH FRANCE FOR FRANCE: the minor country, the partner, and who is to control it."""
    words = [word.upper().strip(".,") for word in deed.words]
    minor = next(iter(named_in(words, MINORS)), "")
    greats = list(named_in(words, GREATS))
    chosen = greats.pop() if "FOR" in words and greats and country_called(words[-1]) == greats[-1] else ""
    partner = next((each for each in greats if each != deed.power), "")
    if not partner and chosen not in ("", deed.power):
        partner = chosen
    return minor, partner, chosen


def claim_fault(state: CountryState, deed: Deed) -> str:
    """Why a claim is none, whatever the factors."""
    minor, partner, chosen = claim_of(deed)
    if deed.power not in GREATS:
        return "influence-of-great-powers"
    if not minor or strange_in(deed.words):
        return "no-such-minor"
    if state.controller(minor):
        return "controlled-already"
    barred = MINORS[minor].barred
    if barred == deed.power and (not partner or chosen == deed.power):
        return "may-not-control"
    return ""


def places_named(text: str, board: Board) -> tuple[str, ...]:
    """The places that a text may name: a code is that place; else names and abbreviations as in orders."""
    word = text.strip(" .,()")
    if word.upper() in board.provinces:
        return (word.upper(),)
    return tuple(gazetteer_of(board).find(word).places)


def place_named(words: Iterable[str], board: Board) -> str:
    """The province that some words name; "": none, or several."""
    codes = {province_of(at) for at in places_named(" ".join(words), board)}
    return codes.pop() if len(codes) == 1 else ""


def capital_fault(state: CountryState, deed: Deed) -> str:
    """Clause 3: why a capital is not moved there."""
    board = state.position.board
    code = place_named(deed.words, board)
    if state.get(deed.power, CAPITAL) != NO_CAPITAL and not state.get(deed.power, CAPITAL_OPEN):
        return "capital-still-held"
    own = code in board.powers[deed.power].homes and state.position.owners.get(code) == deed.power
    return "" if own else "capital-in-own-home"


_PURPOSES = {"occupy": "occupy", "visit": "occupy", "retreat": "retreat", "base": "base"}


def permit_of(deed: Deed, board: Board) -> Permit | None:
    """PERMIT GERMANY A BEL TO OCCUPY HOL: the permission; None where the line is none."""
    words = [word.strip(".,") for word in deed.words]
    called, to = next(((word, name) for word in words if (name := country_called(word))), ("", ""))
    purpose = next((_PURPOSES[word.lower()] for word in words if word.lower() in _PURPOSES), "")
    if not to or not purpose:
        return None
    at = next(n for n, word in enumerate(words) if word.lower() in _PURPOSES)
    behind = [word for word in words[at + 1 :] if word.lower() not in ("to", "in", "at")]
    space = place_named(behind, board)
    unit = [word for word in words[:at] if word != called and word.lower() != "to"]
    kind, where = (unit[0].upper()[:1], place_named(unit[1:], board)) if len(unit) > 1 else ("", "")
    if not space or not where or kind not in board.kinds:
        return None
    return Permit(deed.power, to, f"{kind} {where}", space, purpose)


def permit_fault(state: CountryState, deed: Deed) -> str:
    """Clauses 13 to 15: why a permission is none."""
    permit = permit_of(deed, state.position.board)
    if permit is None:
        return "permit-not-understood"
    owner = state.position.owners.get(permit.space, "")
    if deed.power not in (owner, state.player(owner) if owner else ""):
        return "permit-own-centres"
    return "permit-others" if permit.to == deed.power else ""
