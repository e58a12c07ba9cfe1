"""Writes what a `.map` file says as a board.toml of ours, with a remark for whatever has no counterpart.

Who may pass where by a `.map` file: the case in which a neighbour is written says which units.

    RUM  army and fleet      rum  armies only      Rum  fleets only      BUL/EC  fleets to that coast, armies to BUL

Borders hold both ways here; one that a file knows only from one side is named and left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from judge.board.dotmap.read import MapError, MapFile, MapPower
from judge.board.model import Terrain
from judge.board.phase import MANNERS, SEASONS
from judge.board.spelling import DIRECTIONS, words_of

_ARMIES = frozenset({"LAND", "COAST", "PORT"})
_FLEETS = frozenset({"WATER", "COAST", "PORT"})

Way = tuple[str, str]


def army_ways(found: MapFile) -> set[Way]:
    """(from, to) of every step of an army, both provinces."""
    return {
        (place, to)
        for place, terrain in found.terrain.items()
        if terrain in _ARMIES and "/" not in place
        for near in found.abuts.get(place, ())
        if found.terrain.get(to := near.upper().partition("/")[0]) in _ARMIES and near != near.title()
    }


def fleet_ways(found: MapFile) -> set[Way]:
    """(from, to) of every step of a fleet; coasts are named where there are two."""
    return {
        (place, to)
        for place, terrain in found.terrain.items()
        if terrain in _FLEETS and not coasts_of(found, place)
        for near in found.abuts.get(place, ())
        if near[0].isupper() and found.terrain.get(near.upper()) in _FLEETS
        for to in _landings(found, place, near.upper())
    }


def coasts_of(found: MapFile, place: str) -> list[str]:
    """The coasts of a province as codes, "BUL/EC"; none where there is but one coast, or for a coast."""
    return [] if "/" in place else sorted(code for code in found.terrain if code.startswith(f"{place}/"))


def _landings(found: MapFile, place: str, to: str) -> Iterator[str]:
    """Where a fleet arrives: where no coast is written, at those from which it could come back."""
    coasts = coasts_of(found, to)
    if not coasts:
        yield to
    for coast in coasts:
        if place in (near.upper() for near in found.abuts.get(coast, ()) if near[0].isupper()):
            yield coast


def both_ways(ways: set[Way]) -> tuple[set[Way], list[Way]]:
    """(borders, the smaller name first; steps that lead there and not back)."""
    borders = {(a, b) for a, b in ways if a < b and (b, a) in ways}
    return borders, sorted((a, b) for a, b in ways if (b, a) not in ways)


_TERRAINS = {"WATER": Terrain.SEA, "COAST": Terrain.COAST, "PORT": Terrain.COAST, "LAND": Terrain.INLAND}
_WIDTH = 110


def board_toml(found: MapFile) -> tuple[str, tuple[str, ...]]:
    """(text of board.toml, remarks on what could not be said in it). Raises MapError for a map without sense."""
    writing = _BoardWriting(found)
    text = "\n".join(writing.lines())
    if not found.powers:
        lines = "".join(f"\n  not understood: {line}" for line in found.unread)
        raise MapError(f"{found.name}: no line names a power, its adjective and its home centres{lines}")
    return f"{text.rstrip()}\n", tuple(dict.fromkeys([*found.remarks, *writing.remarks]))


class _BoardWriting:
    """One map on its way to a board file."""

    def __init__(self, found: MapFile) -> None:
        self._map = found
        self.remarks: list[str] = []
        self._provinces = {place: word for place, word in sorted(found.terrain.items()) if "/" not in place}
        self._split = {place: coasts for place in self._provinces if (coasts := coasts_of(found, place))}
        self._names = {place: found.names.get(place, place.capitalize()) for place in self._provinces}

    def lines(self) -> Iterator[str]:
        """The file, line by line."""
        yield f"# Made from {self._map.name}.map. How to read and write such a file: maps/README.md."
        yield ""
        yield f"title = {_text(re.sub('[-_]+', ' ', self._map.name).title())}"
        yield f'first_phase = "{self._first_phase()}"'
        yield f"victory = {self._victory()}"
        yield from _listed("centres", self._centres())
        yield from self._spaces()
        yield from self._borders()
        for key, power in self._map.powers.items():
            yield from self._power(key, power)
        yield from self._other_names()
        for code, name in self._map.names.items():
            if code not in self._map.terrain:
                self.remarks.append(f'{code} is named "{name}", but no line says what kind of space it is: left out')
        shut = [self._names[place] for place, word in self._provinces.items() if word == "SHUT"]
        if shut:
            yield from ("", "[[impassable]]", *_listed("names", shut), 'why = "Nobody may enter it"')

    def _first_phase(self) -> str:
        words = (self._map.begins or "SPRING 1901 MOVEMENT").lower().split()
        seasons = [each.code for word in words for each in SEASONS if word in each.words]
        kinds = [str(kind) for word in words for kind, manner in MANNERS.items() if word in manner.words] or ["M"]
        years = [word for word in words if word.isdigit() and len(word) <= 4]
        if [len(seasons), len(kinds), len(years)] != [1, 1, 1] or len(words) > 3:
            raise MapError(f'{self._map.name}: cannot read the first phase "{self._map.begins}"')
        return f"{seasons[0]}{int(years[0]):04}{kinds[0]}"

    def _centres(self) -> list[str]:
        codes = {code for power in self._map.powers.values() for code in power.homes} | set(self._map.unowned)
        return sorted(code for code in codes if self._known(code, "a centre"))

    def _victory(self) -> int:
        return self._map.victory or len(self._centres()) // 2 + 1

    def _known(self, code: str, what: str) -> bool:
        """Whether a province is described as one that can be entered."""
        if self._provinces.get(code) in _TERRAINS:
            return True
        self.remarks.append(f"{code} is {what}, but no line says what kind of space it is: left out")
        return False

    def _spaces(self) -> Iterator[str]:
        for terrain in Terrain:
            group = [place for place, word in self._provinces.items() if _TERRAINS.get(word) is terrain]
            yield from ("", f"[provinces.{terrain}]", *(f"{place} = {_text(self._names[place])}" for place in group))
        for place in (place for place, word in self._provinces.items() if word == "PORT"):
            self.remarks.append(f"PORT {place}: a fleet in it carries armies elsewhere; here it is a coast like others")
        if self._split:
            yield from ("", "[coasts]")
        for place, coasts in self._split.items():
            letters = [coast.partition("/")[2] for coast in coasts]
            if not set(letters) <= set(DIRECTIONS.values()):
                raise MapError(f"{place}: coasts are called {', '.join(DIRECTIONS.values())}, not {', '.join(letters)}")
            yield f"{place} = [{', '.join(map(_text, letters))}]"

    def _borders(self) -> Iterator[str]:
        armies, there = both_ways(army_ways(self._map))
        fleets, seaward = both_ways(fleet_ways(self._map))
        for place, near in sorted((place, near) for place, all_near in self._map.abuts.items() for near in all_near):
            if near.upper() not in self._map.terrain:
                self.remarks.append(f"{place} abuts {near}, but no line says what kind of space that is: left out")
        for kind, ways in (("armies", there), ("fleets", seaward)):
            self.remarks += [f"{a} - {b} for {kind} is described from {a} only: left out" for a, b in ways]
        yield from ("", "[borders]")
        for place in sorted({a for a, _ in armies | fleets}):
            mine = {b for a, b in armies if a == place}, {b for a, b in fleets if a == place}
            parts = {"AF": mine[0] & mine[1], "A": mine[0] - mine[1], "F": mine[1] - mine[0]}
            said = "; ".join(f"{letters} {' '.join(sorted(near))}" for letters, near in parts.items() if near)
            yield f"{_text(place) if '/' in place else place} = {_text(said)}"

    def _power(self, key: str, power: MapPower) -> Iterator[str]:
        homes = [code for code in power.homes if self._known(code, f"a home of {key}")]
        name = key.replace("_", " ").title()
        yield from ("", f"[powers.{_text(key)}]", f"name = {_text(name)}")
        yield f"adjective = {_text((power.adjective or name).title())}"
        if power.letter and power.letter != key[0]:
            yield f"letter = {_text(power.letter)}"
        yield from _listed("homes", homes)
        yield from _listed("start", [unit for unit in power.units if self._stands(unit, key)])
        if key in self._map.dummies:
            yield "minor = true"
        if power.owns is not None and set(power.owns) != set(homes):
            self.remarks.append(
                f"{key} owns {' '.join(power.owns)} at the start; here a power owns its homes ({' '.join(homes)})"
            )

    def _stands(self, unit: str, key: str) -> bool:
        """Whether a unit can stand where it starts."""
        kind, _, place = unit.partition(" ")
        word = self._map.terrain.get(place, "")
        if word in _TERRAINS and word != ("WATER" if kind == "A" else "LAND") and not (
            kind == "F" and place in self._split
        ):  # fmt: skip
            return True
        self.remarks.append(f"{unit} of {key} cannot stand where it starts: left out")
        return False

    def _other_names(self) -> Iterator[str]:
        """Aliases that mean one space; those with several meanings, and doubtful ones ("Guinea?"), are asked back."""
        taken = {self._folded(text): place for place, name in self._names.items() for text in (place, name)}
        meaning: dict[str, dict[str, str]] = {}
        for place, aliases in self._map.aliases.items():
            for alias in aliases if self._provinces.get(place) in _TERRAINS else ():
                folded = self._folded(alias)
                if alias.endswith("?") or not folded:
                    self.remarks.append(f'the name "{alias}" of {place} has several meanings: left out')
                elif folded not in taken:
                    meaning.setdefault(folded, {}).setdefault(place, alias)
        sure: dict[str, list[str]] = {}
        for places in meaning.values():
            if len(places) == 1:
                ((place, alias),) = places.items()
                sure.setdefault(place, []).append(alias)
        if sure:
            yield from (
                "",
                "[aliases]",
                *(f"{place} = [{', '.join(map(_text, sure[place]))}]" for place in sorted(sure)),
            )
        unclear = {folded: sorted(places) for folded, places in meaning.items() if len(places) > 1}
        if unclear:
            yield from (
                "",
                "[ambiguous]",
                *(f"{_text(short)} = {json.dumps(unclear[short])}" for short in sorted(unclear)),
            )

    @staticmethod
    def _folded(text: str) -> str:
        return "".join(words_of(text))


def _table(name: str, lists: Mapping[str, list[str]]) -> Iterator[str]:
    """A table of lists by key; nothing for none."""
    if lists:
        yield from ("", f"[{name}]")
    for key in sorted(lists):
        yield f"{key if key.isalnum() and key.isascii() else _text(key)} = [{', '.join(map(_text, lists[key]))}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _listed(key: str, items: Iterable[str]) -> Iterator[str]:
    """A list of texts, over as many lines as it needs."""
    line, rows = "", list[str]()
    for item in map(_text, items):
        if line and len(line) + len(item) > _WIDTH:
            rows, line = [*rows, line], ""
        line += f"{item}, "
    rows.append(line)
    yield from (f"{key} = [", *(f"    {row.rstrip()}" for row in rows if row), "]")
