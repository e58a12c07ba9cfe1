"""What help shows: a page, a list, or what a place or a power is; the latter by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from judge.board.model import Board
from judge.board.names import gazetteer_of


class Shows(StrEnum):
    """What a page is about."""

    OVERVIEW = "overview"
    ALL = "all"
    BOOK = "book"
    TOPIC = "topic"
    VERB = "verb"
    GROUP = "group"
    """A group of settings."""
    SETTING = "setting"
    PRESET = "preset"
    BUSINESS = "business"
    """Something that the rules of the game know beside orders."""
    POWER = "power"
    PLACES = "places"
    OLDER = "older"
    """A part of the table of an older judge's words: "njudge/Players"."""


@dataclass(frozen=True, slots=True)
class HelpPage:
    """`key`: the name of what it is about; several, with commas between them, of places. `setting`: one of the same
    name, which a Gamemaster may have meant.
    """

    shows: Shows
    key: str = ""
    setting: str = ""


def place_page(text: str, board: Board) -> HelpPage | None:
    """The power or the places that a text is the name of."""
    names = gazetteer_of(board)
    if len(text) < 3:
        return None
    if powers := names.power(text):
        return (
            HelpPage(Shows.POWER, powers[0])
            if len(powers) == 1 and not names.find(text).exact
            else _places(text, board)
        )
    return _places(text, board)


def _places(text: str, board: Board) -> HelpPage | None:
    found = gazetteer_of(board).places(text)
    return HelpPage(Shows.PLACES, ",".join(found)) if found else None


def place_within(words: Sequence[str], board: Board, *, exact: bool = False) -> HelpPage | None:
    """A place or a power that is named among other words, or misspelled where it need not be `exact`."""
    for word in words:
        if len(word) > 3 and (page := place_page(word, board)):
            return page
    if exact:
        return None
    near = gazetteer_of(board).fuzzy(" ".join(words))
    return HelpPage(Shows.PLACES, near[0].place) if near else None
