"""The shapes of orders: "A Par - Bur" is `UP-P`, whatever words were used, and a table says what each shape means.

A line is first spelled as a string of letters, one for each word that matters (`judge.orders.words`). `tile` cuts that
string into whole orders, so that "A Mos.-Ukr. A War.-Gal. F Stands" needs no commas. Shapes come back again and again,
so their tilings are remembered.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS, TALKS
from judge.orders.kinds import how_many_kinds, known_forms


class Tile(NamedTuple):
    """One order inside a shape: its form and where its parts stand (indices of items; -1: not there)."""

    form: str
    start: int
    end: int
    nation: int = -1
    unit: int = -1
    at: int = -1
    of_nation: int = -1
    of_unit: int = -1
    of_at: int = -1
    to: tuple[int, ...] = ()
    route: tuple[int, ...] = ()
    number: int = -1
    via: bool = False

    @property
    def on_the_way(self) -> tuple[int, ...]:
        """The places that are named between start and end."""
        return self.route or self.to[:-1]


_LOC = (
    "(?:(?P<nation_1>N?)(?P<unit_1>U)(?P<nation_2>N?)(?P<at_1>P)"
    "|(?P<nation_3>N?)(?P<at_2>P)(?P<unit_2>U)"
    "|(?P<nation_4>N?)(?P<at_3>P))"
)
"""Where a unit stands: "A Par", "French A Par", "Par A", "Par"."""
_OF = _LOC.replace("(?P<", "(?P<of_")
_SUBJECT = _LOC[:-1] + "|(?P<nation_5>N?)(?P<unit_3>U))"
_BARE_UNIT = "(?P<nation>N?)(?P<unit>U)"
_CHAIN = "P(?:-?P)*"
""" "Nth - Bel", "Nth Bel": where a unit goes, with the seas on its way."""
_TO = f"(?P<to>-?{_CHAIN})"
_TO_BY_FLEETS = "(?P<to>(?:-N?UP)+-P)"
""" "- F Nth - F Nwg - Nwy": each fleet of the way is called one."""
_ALONE = "(?![-SCHRDBVYL])"
""" Behind a place of a list: no order of the unit there begins with it."""
_ROUTE = f"(?P<route>U?P(?:-U?P)*(?:,*P(?:-P)*{_ALONE}|,*UP{_ALONE})*)"
""" "Via the North Sea", "via Eng, Nth and Nwg", "convoyed by F Nth, F Nwg"."""
_BY_ROUTE = "(?P<route>U?P(?:[-,]*U?P)*?)-(?P<to>P)(?![-P])"
""" "Via Eng, Nth - Hol"."""

_MOVEMENT = {
    "hold": [_SUBJECT + "-?H", _LOC + "-?H-?(?P<to>P)", "H-?" + _LOC],
    "move": [
        _LOC + _TO + "(?P<via>[VC]?)",
        _LOC + _TO_BY_FLEETS + "(?P<via>[VC]?)",
        _LOC + "-N?U(?P<to>P)",
        _LOC + _TO + "[VC]" + _ROUTE,
        _LOC + "V" + _BY_ROUTE,
        _LOC + "-?(?P<via>[VC]+)-?(?P<to>P)",
        "-" + _LOC + _TO + "(?P<via>[VC]?)",
        "-" + _LOC + _TO + "[VC]" + _ROUTE,
        _BARE_UNIT + "-(?P<to>P)(?P<via>V?)",
        _BARE_UNIT + "-(?P<at>P)-(?P<to>P)(?P<via>V?)",
        "-(?P<to>P)E" + _LOC,
    ],
    "rail": [_LOC + "(?P<to>-?L-?P(?:[-L]+P)*)L?", _LOC + "(?P<to>(?:-P)+)V?L"],
    "support": [
        *(_SUBJECT + "-?S-?" + _OF + way for way in ("-?" + _TO + "V?", _TO + "V" + _ROUTE, _TO_BY_FLEETS + "V?")),
        _SUBJECT + "-?S-?" + _OF + "V" + _BY_ROUTE,
        _SUBJECT + "-?S-?" + _OF + "(?:-?H)?",
        _SUBJECT + "-?S-(?P<to>P)E" + _OF,
        _SUBJECT + "-?SH-?" + _OF,
        _OF + "Y" + _LOC,
        *("S-?" + _OF + way + "E" + _LOC for way in ("-?" + _TO, "(?:-?H)?")),
    ],
    "convoy": [
        *(_SUBJECT + "-?C-?" + _OF + way for way in (_TO + "V?", _TO + "V" + _ROUTE, _TO_BY_FLEETS + "V?")),
        _SUBJECT + "-?C-?" + _OF + "V" + _BY_ROUTE,
        _SUBJECT + "-?C-(?P<to>P)E" + _OF,
        "C-?" + _OF + _TO + "E" + _LOC,
    ],
    "convoy-nowhere": [_SUBJECT + "-?C-?" + _OF],
    "all-hold": ["O+U?(?:,U)?-?H", "HO+U?"],
}
_RETREATS = {
    "retreat": [
        _LOC + "(?:R-?|-R?)?(?P<to>P)",
        "(?:R-?|-)" + _LOC + "-?(?P<to>P)",
        _BARE_UNIT + "(?:R-?|-)(?P<to>P)",
        "R-(?P<to>P)",
    ],
    "convoyed-retreat": [_LOC + "(?:R-?|-)(?P<to>P)[VC]", _LOC + "[VC]-?(?P<to>P)"],
    "disband": [_LOC + "R?-?D(?:,?D)*", "R?D" + _LOC, _BARE_UNIT + "R?-?D", "R?-?D"],
    "all-disband": ["O+U?-?D", "DO+U?"],
}
_ADJUSTMENTS = {
    "build": ["(?P<nation>N?)B" + _LOC, _LOC + "B"],
    "build-somewhere": ["(?P<nation>N?)B(?P<unit>U)(?=,|$)"],
    "remove": ["(?P<nation>N?)[DR]" + _LOC, _LOC + "[DR]"],
    "bare": [_LOC],
    "waive": ["(?P<nation>N?)(?P<number_1>#?)W(?P<number_2>[#O]*)B?", "(?P<nation>N?)B?W"],
}
_FOREIGN_TO_MOVES = {
    "retreat": [_LOC + "R-?(?P<to>P)", "R-?" + _LOC + "-?(?P<to>P)"],
    "disband": [_LOC + "D", "D" + _LOC],
    "build": ["(?P<nation>N?)B" + _LOC, _LOC + "B"],
    "waive": ["(?P<nation>N?)W"],
}
_FOREIGN_TO_RETREATS = {key: _FOREIGN_TO_MOVES[key] for key in ("build", "waive")}
"""Orders of the other phases: understood well enough to say that they come at the wrong time."""

_FOLLOWS = re.compile("[-HDR]?N?U|N|[BWO]|[HD]O")
"""How an order begins that stands behind another one without a break: with a word for its unit. A place alone may
belong to the order before it: in "F Nwg S A Edi - Nth - Nwy" the fleet in Nth gets no order.
"""

_LONGEST_REMEMBERED = 120

Forms = tuple[tuple[str, re.Pattern[str]], ...]


def _compile(*tables: dict[str, list[str]]) -> Forms:
    return tuple((form, re.compile(shape)) for table in tables for form, shapes in table.items() for shape in shapes)


_FORMS: dict[str, Forms] = {
    MOVES: _compile(_MOVEMENT, _FOREIGN_TO_MOVES),
    RETREATS: _compile(
        _RETREATS, {key: _MOVEMENT[key] for key in ("hold", "support", "convoy", "all-hold")}, _FOREIGN_TO_RETREATS
    ),
    ADJUSTMENTS: _compile(
        _ADJUSTMENTS,
        {key: _MOVEMENT[key] for key in ("hold", "support", "convoy")},
        {"move": [_LOC + "(?P<to>(?:-P)+)"]},
    ),
    TALKS: _compile(_MOVEMENT, _FOREIGN_TO_MOVES),
}


_PARTS = {"at": _LOC, "subject": _SUBJECT, "of": _OF, "to": _TO}


@lru_cache(maxsize=64)
def _forms(phase: str, number: int) -> Forms:
    """The forms of a phase, with those that so many kinds of order have brought (`judge.orders.kinds`)."""
    brought = {form: [shape.format(**_PARTS) for shape in shapes] for form, shapes in known_forms()}
    return (*_FORMS[phase], *_compile(brought))


def tile(shape: str, phase: str) -> tuple[Tile, ...] | None:
    """The orders that a shape is made of, in the order written; None when it cannot be cut into whole orders.

    `phase` is the kind of phase. Headings ("England:") and breaks stand between orders.

    >>> [part.form for part in tile("UP-PUPH", "M")]
    ['move', 'hold']
    >>> tile("UPS", "M") is None
    True
    """
    number = how_many_kinds()
    if len(shape) <= _LONGEST_REMEMBERED:
        return _remembered(shape, phase, number)
    return _cut(shape, _forms(phase, number))


@lru_cache(maxsize=8192)
def _remembered(shape: str, phase: str, number: int) -> tuple[Tile, ...] | None:
    return _cut(shape, _forms(phase, number))


def _cut(shape: str, forms: Forms) -> tuple[Tile, ...] | None:
    """Depth first, longest orders first; a loop and no recursion, since a mail may be one line."""
    chosen: list[Tile] = []
    choices = [iter(_parts_at(shape, 0, forms))]
    hopeless: set[int] = set()
    while choices:
        part = next(choices[-1], None)
        if part is None:
            choices.pop()
            if chosen:
                hopeless.add(chosen.pop().end)
        elif part.end == len(shape):
            return (*chosen, part)
        elif part.end not in hopeless:
            chosen.append(part)
            choices.append(iter(_parts_at(shape, part.end, forms)))
    return None


def _parts_at(shape: str, start: int, forms: Forms) -> list[Tile]:
    """What can begin here, longest first."""
    if not shape:
        return []
    parts = [
        _tile_of(form, match)
        for form, pattern in (forms if not start or shape[start - 1] in ",Z" or _FOLLOWS.match(shape, start) else ())
        if (match := pattern.match(shape, start)) is not None and match.end() > start
    ]
    parts.sort(key=lambda part: part.start - part.end)
    if shape[start] in ",Z":
        parts.append(Tile("break" if shape[start] == "," else "heading", start, start + 1))
    if shape[start] == "N" and shape[start + 1 :] in ("", ","):
        parts.append(Tile("heading", start, start + 1))
    return parts


def _tile_of(form: str, match: re.Match[str]) -> Tile:
    shape = match.string
    found: dict[str, tuple[int, ...]] = {}
    for group, text in match.groupdict().items():
        if text:
            places = range(match.start(group), match.end(group))
            skipped = "-,UL" if group in ("to", "route") else "-,"
            found[group.rstrip("_12345")] = tuple(place for place in places if shape[place] not in skipped)

    def first(part: str) -> int:
        return found.get(part, (-1,))[0]

    return Tile(
        form,
        match.start(),
        match.end(),
        first("nation"),
        first("unit"),
        first("at"),
        first("of_nation"),
        first("of_unit"),
        first("of_at"),
        found.get("to", ()),
        found.get("route", ()),
        first("number"),
        "via" in found or "route" in found,
    )
