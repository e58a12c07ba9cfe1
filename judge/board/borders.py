"""Borders of a board file: "AF ARM CON; A SMY; F BLA" after ANK, and the seasons in which some of them close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.board.kinds import KINDS, Terrain, UnitKind
from judge.board.model import Border, Closure, Location, Province, coast_of, province_of
from judge.board.phase import SEASONS
from judge.board.sheet import TomlTable
from judge.board.spelling import nearest

_Ways = dict[tuple[Location, Location], set[str]]


def read_borders(
    sheet: TomlTable, provinces: Mapping[str, Province], kinds: Mapping[str, UnitKind]
) -> tuple[Border, ...]:
    """All borders of the board, each pair of locations once, the smaller name first."""
    ways: _Ways = {}
    table = sheet.sheet("borders")
    for place in table.names():
        for part in filter(str.strip, table.text(place).split(";")):
            letters, *neighbours = part.split()
            if not neighbours or not set(letters) <= set(kinds):
                mend = f'write it like "AF ARM CON; F BLA", with letters from {"".join(kinds)}'
                table.wrong(f'cannot read "{part.strip()}" in the borders of {place}', mend, place)
                continue
            for other in neighbours:
                if _fits(table, place, other, [kinds[letter] for letter in letters], provinces):
                    _add(table, ways, place, other, letters)
    closures = _read_closures(sheet, ways, kinds)
    return tuple(
        Border(a, b, frozenset(letters), tuple(closures.get((a, b), ()))) for (a, b), letters in sorted(ways.items())
    )


def _fits(
    table: TomlTable, place: str, other: str, passing: Sequence[UnitKind], provinces: Mapping[str, Province]
) -> bool:
    """Whether such units can stand on both sides; complains if not."""
    if province_of(place) == province_of(other):
        table.wrong(f"{place} cannot border {other}", "delete it", place, other)
        return False
    for end in (place, other):
        province = provinces.get(province_of(end))
        if province is None or (coast_of(end) and coast_of(end) not in province.coasts):
            near = nearest(end, _locations(provinces), 3)
            mend = f"did you mean {' or '.join(near)}?" if near else "add it under [provinces]"
            table.wrong(f'there is no place "{end}" (border {place}-{other})', mend, place, other)
            return False
        if trouble := _misfit(province, end, passing):
            table.wrong(f"{place}-{other}: {trouble[0]}", trouble[1], place, other)
            return False
    return True


def _misfit(province: Province, end: Location, passing: Sequence[UnitKind]) -> tuple[str, str] | None:
    for kind in passing:
        if province.terrain not in kind.stands:
            others = "".join(each.letter for each in KINDS.values() if province.terrain in each.stands)
            return f"{_plural(kind)} cannot enter {province.name}, {_LIES[province.terrain]}", f"write {others}"
        if not kind.coasts and coast_of(end):
            return f"{_plural(kind)} do not stand on a coast of {province.code}", f"write {province.code} for them"
        if kind.coasts and province.coasts and not coast_of(end):
            coasts = " or ".join(province.locations())
            return f"{province.code} has two coasts and {_plural(kind)} must name one", f"write {coasts}"
    return None


_LIES = {Terrain.SEA: "a sea", Terrain.INLAND: "which lies inland", Terrain.COAST: "which lies at a coast"}


def _plural(kind: UnitKind) -> str:
    name = kind.name.lower()
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def _add(table: TomlTable, ways: _Ways, place: str, other: str, letters: str) -> None:
    known = ways.setdefault((min(place, other), max(place, other)), set())
    for letter in sorted(set(letters) & known):
        what = f"the border {place}-{other} is written twice for {letter}"
        table.wrong(what, "write every border once, under either end", place, other)
    known.update(letters)


def _read_closures(
    sheet: TomlTable, ways: _Ways, kinds: Mapping[str, UnitKind]
) -> dict[tuple[Location, Location], list[Closure]]:
    found: dict[tuple[Location, Location], list[Closure]] = {}
    for entry in sheet.sheets("closures"):
        closure = Closure(_read_seasons(entry), _read_letters(entry, kinds), entry.text("why"))
        for text in entry.texts("borders"):
            ends = [end.strip() for end in text.split("-")]
            pairs = [pair for pair in ways if _between(pair, ends)]
            if not pairs:
                entry.wrong(
                    f'"{text}" is not a border', 'write "SWI - MAR", or "SWI" for all its borders', "borders", text
                )
            for pair in pairs:
                found.setdefault(pair, []).append(closure)
        entry.done()
    return found


def _between(pair: tuple[Location, Location], ends: list[str]) -> bool:
    """Whether a border lies between these two, or at this one; a province stands for its coasts."""
    names = [{place, province_of(place)} for place in pair]
    if len(ends) == 1:
        return ends[0] in names[0] | names[1]
    return len(ends) == 2 and any(a in names[0] and b in names[1] for a, b in (ends, ends[::-1]))


def _read_seasons(entry: TomlTable) -> tuple[str, ...]:
    letters = {season.name: season.code for season in SEASONS}
    for name in entry.texts("seasons"):
        if name not in letters:
            entry.wrong(f'"{name}" is not a season', f"choose from {', '.join(letters)}", "seasons", name)
    return tuple(letters[name] for name in entry.texts("seasons") if name in letters)


def _read_letters(entry: TomlTable, kinds: Mapping[str, UnitKind]) -> tuple[str, ...]:
    letters = entry.text("kinds", "".join(kinds))
    if not set(letters) <= set(kinds):
        entry.wrong(f'"{letters}" are no unit kinds', f"choose from {''.join(kinds)}", "kinds")
    return tuple(letter for letter in letters if letter in kinds)


def _locations(provinces: Mapping[str, Province]) -> list[Location]:
    return [place for province in provinces.values() for place in {province.code, *province.locations()}]
