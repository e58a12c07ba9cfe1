"""Tells by its shape alone whether a line is meant as an order: chatter mentions places too."""

from __future__ import annotations

import re

from judge.orders.grammar import tile
from judge.orders.lexer import Lexed

_VERB = re.compile("[-SCHRD]")
_MEANT = re.compile(r"[NZ]*(?:U|P[-SCHRDV]|[BRD]U|WN?$|O+H|O+U?D)")
_COMPLETE = re.compile("U|[-SCHRDBWV]")


def is_orderly(lexed: Lexed) -> bool:
    """Whether the line is an order, or was to be one."""
    shape = lexed.shape.strip(",?#")
    if not shape or not _COMPLETE.search(shape):
        return False
    if "?" not in lexed.shape and any(tile(lexed.shape, kind) for kind in "MRA"):
        return "P" in shape or "U" in shape or "W" in shape or "O" in shape
    if not _MEANT.match(lexed.shape.lstrip(",#")):
        return False
    return _begins_with_unit(lexed) or _mostly_known(lexed.shape)


def _begins_with_unit(lexed: Lexed) -> bool:
    """ "Army in Lapland ...", "F Lnodon - Nth": a word for a unit, then a place or a verb close by."""
    shape = lexed.shape.lstrip(",#NZ")
    if not shape.startswith("U"):
        return False
    return bool(re.match(r"U(?:P|\?{0,3}[-SCHRDV])", shape)) and _VERB.search(shape) is not None


def _mostly_known(shape: str) -> bool:
    unknown = shape.count("?") + shape.count("X")
    return unknown * 2 <= len(shape) - unknown and ("P" in shape or "O" in shape or "W" in shape)
