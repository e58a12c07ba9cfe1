"""How orders, units and places are spelled for people: "A Burgundy - Belgium", "German A Ruhr".

Orders and units are facts in codes; reports spell the names out, in a form that the order reader takes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from judge.board.model import Board, Location, coast_of, province_of
from judge.board.position import Unit
from judge.game.conditions import is_conditional, words_of
from judge.game.retreating import OR


def place(location: Location, board: Board) -> str:
    """A place in words: "Burgundy", "St Petersburg (sc)"."""
    province = board.provinces.get(province_of(location))
    if province is None:
        return location
    coast = coast_of(location)
    return f"{province.name} ({coast.lower()})" if coast else province.name


@lru_cache(maxsize=1 << 12)
def order_text(code: str, board: Board, *, adjusting: bool = False) -> str:
    """A canonical order with its places spelled out; words that name no place stay.

    "A BUR - BEL VIA" becomes "A Burgundy - Belgium VIA", "F BRE B" "build F Brest", and when adjusting "A PAR D"
    "remove A Paris".
    """
    words = code.split()
    verb = {"B": "build", "D": "remove" if adjusting else ""}.get(words[-1], "") if len(words) == 3 else ""
    if verb:
        return f"{verb} {words[0]} {place(words[1], board)}"
    if code == "WAIVE":
        return "waive"
    return " ".join(place(word, board) if _is_place(word, board) else word for word in code.split())


def filed_text(code: str, board: Board, *, adjusting: bool = False) -> str:
    """An order on file, spelled out with its condition or its list: "if Italy owns Trieste: build F Brest"."""
    if is_conditional(code):
        return words_of(code, board, lambda order: order_text(order, board, adjusting=adjusting))
    words = order_text(code, board, adjusting=adjusting)
    return words.replace(" OR D", ", or disband").replace(" OR ", ", ") if OR in code else words


def _is_place(word: str, board: Board) -> bool:
    return len(word) > 1 and province_of(word) in board.provinces


def unit_text(unit: Unit, board: Board) -> str:
    """A unit as orders name it: "A Burgundy"."""
    return f"{unit.kind} {place(unit.at, board)}"


def kept(text: str) -> str:
    """Words that belong on one line: their blanks become no-break spaces, which layouts honour and then drop."""
    return text.replace(" ", "\u00a0")


def foreign(unit: Unit, board: Board) -> str:
    """A unit with its nationality: "German A Ruhr"."""
    return f"{adjective(unit.power, board)} {unit_text(unit, board)}"


def adjective(power: str, board: Board) -> str:
    """A power's adjective: "German"."""
    known = board.powers.get(power)
    return known.adjective if known else power.title()


def power_name(power: str, board: Board) -> str:
    """A power as the board prints it: "Austria"; words that are no power ("GM") get their own name."""
    if power in OTHERS:
        return OTHERS[power]
    known = board.powers.get(power)
    return known.name if known else power.title()


OTHERS = {"GM": "the Gamemaster", "gm": "the Gamemaster", "OBSERVERS": "the observers", "ALL": "everybody"}
"""Readers of press that are not powers."""


def joined(words: Iterable[str], *, last: str = "and") -> str:
    """A list as a sentence says it: "A, B and C".

    >>> joined(["Paris", "Gascony"], last="or")
    'Paris or Gascony'
    """
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def many(number: int, word: str, plural: str = "") -> str:
    """A number and its noun: "1 unit", "2 units"."""
    return f"{number} {word if number == 1 else plural or word + 's'}"


def few(names: Sequence[str], word: str = "power") -> str:
    """Names for a subject: one by itself, several by their number.

    >>> few(["England"]), few(["England", "France", "Turkey"])
    ('England', '3 powers')
    """
    return names[0] if len(names) == 1 else many(len(names), word)
