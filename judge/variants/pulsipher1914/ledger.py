"""The ledger of 1914 in the language of its reader.

The log keeps its entries in English, whatever language is spoken where a phase is adjudicated, so that adjudicating
again makes the same. Each of them has one of these forms.
"""

from __future__ import annotations

import re

from judge.board.model import Board
from judge.languages import Recorded, tell, told_later
from judge.rules.reasons import REASONS

_ENTRIES = Recorded(
    told_later("for {number} centres, now that it is controlled"),
    told_later("given to {country}"),
    told_later("from {country}"),
    told_later("maintenance of {number}"),
    told_later("influence in {country}"),
    told_later("{number} factors in {country} given up"),
    told_later("factors in {country} lost: owns a home centre of it"),
    told_later("factors in {country} lost: attacked"),
    told_later("control of {country} gained"),
    told_later("control of {country} lost"),
    told_later("{unit} lost: no points to maintain it"),
    told_later("{unit} eliminated: no supply line"),
    told_later("surrendered: it has no home centre left"),
    told_later("capital {place} lost"),
    told_later("capital {place}"),
    told_later("{unit} built"),
    told_later("{unit}: attack on {place}"),
    told_later("{unit}: defence of {place} against bombing"),
    told_later("{unit}: defence of {place}"),
    told_later("{unit}: support of {other} to {place}"),
    told_later("{unit}: support of {other}"),
    told_later("{unit}: convoy of {other}"),
    told_later("{unit}: raid on {place}"),
    told_later("{unit}: retreat"),
    told_later("{order}: came to nothing, for {reason}"),
    told_later("not paid: {about} ({reason})"),
    told_later("it takes {number}, and {left} was left"),
    told_later("it takes {number}, and {left} were left"),
    told_later("nor is what goes before it"),
    told_later("bombed"),
    told_later("no line to the capital"),
    told_later("{place}: {reason}"),
)
_AMOUNT = re.compile(r"([+-]\d+) (.+)")
_CODE = re.compile(r"\b[A-Z]{3}(?:/[A-Z]{2})?\b")
_REASONS = {reason.meaning for reason in REASONS.values()}


def in_names(text: str, board: Board) -> str:
    """A line with the codes of places in it spelled out."""
    return _CODE.sub(lambda found: board.spelled.get(found[0], found[0]), text)


def told_entry(text: str, board: Board) -> str:
    """An entry as its reader reads it: "-2 A Vienna: attack on Serbia"."""
    if match := _AMOUNT.fullmatch(text):
        return f"{match[1]} {told_entry(match[2], board)}"
    told = _ENTRIES.told(text, lambda name, fact: _fact(name, fact, board))
    return in_names(text, board) if told == text else told


def _fact(name: str, text: str, board: Board) -> str:
    if name in ("about", "reason"):
        return tell(text) if text in _REASONS else told_entry(text, board)
    if (country := board.powers.get(text.upper())) is not None:
        return tell(country.name)
    here = next((code for code, place in board.provinces.items() if place.name == text), text)
    return in_names(here, board)
