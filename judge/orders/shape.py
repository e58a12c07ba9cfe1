"""Tells by its shape alone whether a line is meant as an order: chatter mentions places too."""

from __future__ import annotations

import re

from judge.board.phase import PhaseKind
from judge.orders.grammar import tile
from judge.orders.lexer import Lexed

_KINDS = tuple(PhaseKind)
_VERB = re.compile("[-SCHRD]")
_MEANT = re.compile(r"[NZ]*(?:U|P[-SCHRDV]|PP$|[BRD]U|WN?$|O+H|O+U?D)")
_UNDER_CONDITION = re.compile("U?P[-SCHRDB]|[-HBRDC]UP")
_GIVES_UP = re.compile("R?-?D")
""" "Disband", "retreat: disband": of the one unit that was driven out."""
_ADDRESSED = re.compile("^[NZ]+,")
""" "Russia, St. P.-Mos.": whose order it is, set off by a comma."""

_LONGEST_NAME = 3
"""Words of a place name that nobody knows: "F Gulf ov Botnia - Bal"."""

_COMPLETE = re.compile("U|[-SCHRDBWV]|^N?PP$")


_NAME = r"([A-Z][\w.'’-]*(?: +[A-Z][\w.'’-]*){0,2})"
_PIECE = r"(?:[AF]|[Aa]rmy|ARMY|[Ff]leet|FLEET)\.? +(?:in +|at +|of +)?"
_GOAL = r"(?: +(?:[A-Z]|to\b|the\b).*)?"
_ABROAD = (
    re.compile(rf"{_PIECE}{_NAME} +(?:holds?|stands?|H){_GOAL}[ .!]*"),
    re.compile(
        rf"{_PIECE}{_NAME} +"
        r"(?:to|moves?(?: +to)?|goes +to|supports?|convoys?|retreats?(?: +to)?|attacks?) +(?:the +)?[A-Z].*"
    ),
    re.compile(rf"(?:[Aa]rmy|ARMY|[Ff]leet|FLEET) +(?:in|at) +{_NAME}(?: +[\w'’-]+){{1,5}}[ .!]*"),
)
_LONGEST_ABROAD = 120


def named_abroad(text: str) -> str:
    """The place, perhaps none of the board, of the unit that a line orders ("Army in Lapland launches probe"); "" for
    none.

    For lines in which too little is known to go by their shape: capitals and the words for a unit must tell.

    >>> named_abroad("A Lapland holds"), named_abroad("A friend holds the north")
    ('Lapland', '')
    """
    line = text.strip()
    if len(line) > _LONGEST_ABROAD:
        return ""
    return next((match[1] for pattern in _ABROAD if (match := pattern.fullmatch(line))), "")


def is_orderly(lexed: Lexed) -> bool:
    """Whether the line is an order, or was to be one."""
    written = _ADDRESSED.sub("", lexed.shape)
    shape = written.strip(",?#")
    if not shape or not _COMPLETE.search(shape):
        return False
    if "?" not in written and any(tile(written, kind) for kind in _KINDS):
        return not {"P", "U", "W", "O"}.isdisjoint(shape) or _gives_up(lexed, shape)
    if "X" in shape and _UNDER_CONDITION.search(shape):
        return True
    if not _MEANT.match(written.lstrip(",#")):
        return False
    return _begins_with_unit(lexed) or _mostly_known(lexed.shape)


def _gives_up(lexed: Lexed, shape: str) -> bool:
    words = map(str, lexed.values)
    return _GIVES_UP.fullmatch(shape) is not None and any(word.startswith(("disband", "scuttle")) for word in words)


def _begins_with_unit(lexed: Lexed) -> bool:
    """ "Army in Lapland ...", "F Lnodon - Nth": a word for a unit, then a place or a verb close by."""
    shape = lexed.shape.lstrip(",#NZ")
    if re.fullmatch(r"[BD]U\?{1,2}", shape):
        return True
    match = re.match(r"U(?:P|(\?*)[-SCHRDV])", shape)
    if match is None or _VERB.search(shape) is None:
        return False
    if not match[1] or lexed.spelled:
        return True
    dash = lexed.values[len(lexed.shape) - len(shape) + match.end() - 1]
    return len(match[1]) <= _LONGEST_NAME and str(dash)[0] in "->"


def _mostly_known(shape: str) -> bool:
    unknown = shape.count("?") + shape.count("X")
    return unknown * 2 <= len(shape) - unknown and ("P" in shape or "O" in shape or "W" in shape)
