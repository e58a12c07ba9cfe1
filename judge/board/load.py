"""Reads a board from its folder: maps/<key>/board.toml. The format is told by example in maps/README.md.

Borders of a board file: "AF ARM CON; A SMY; F BLA" after ANK, and the seasons in which some of them close.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from judge.board.model import (
    KINDS,
    Board,
    Border,
    Closure,
    Location,
    Power,
    Province,
    Terrain,
    UnitKind,
    coast_of,
    province_of,
)
from judge.board.phase import MOVES, SEASONS, SPRING, Phase
from judge.board.placenames import Names, names_of, places_abroad
from judge.board.sheet import BoardError, TomlProblem, TomlSource, TomlTable
from judge.board.spelling import DIRECTIONS, nearest, words_of

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


def check_names(board: Board, aliases: TomlTable) -> None:
    """Every code, name and alias means one place, unless it is declared ambiguous."""
    meaning: dict[str, str] = {}
    declared = {"".join(words_of(short)) for short in board.ambiguous}
    for code, province in board.provinces.items():
        for text in (code, province.name):
            other = meaning.setdefault("".join(words_of(text)), code)
            if other != code:
                aliases.wrong(f'"{text}" names {other} and {code}', "give one of them another name")
    for code, province in board.provinces.items():
        for alias in province.aliases:
            key = "".join(words_of(alias))
            other = meaning.setdefault(key, code)
            if other != code:
                mend = f'delete it, or write {key} = ["{other}", "{code}"] under [ambiguous]'
                aliases.wrong(f'the alias "{alias}" of {code} also means {other}', mend, code, alias)
            elif key in declared:
                aliases.wrong(f'the alias "{alias}" of {code} is declared ambiguous too', "delete one", code, alias)


def check_set_up(board: Board, powers: TomlTable) -> None:
    """Homes are centres and have one owner, start units can stand where they start."""
    homes: dict[str, str] = {}
    for power in board.powers.values():
        entry = powers.sheet(power.key)
        for home in power.homes:
            if not board.provinces[home].centre:
                entry.wrong(f"{home} is a home of {power.name} but no centre", "add it to centres", "homes", home)
            if home in homes:
                entry.wrong(f"{home} is a home of {homes[home]} and of {power.key}", "keep one", "homes", home)
            homes[home] = power.key
        for unit in power.start:
            kind, _, place = unit.partition(" ")
            if kind not in board.kinds or not board.can_stand(kind, place):
                mend = 'write it like "A PAR" or "F STP/SC", on land for armies, with the coast where there are two'
                entry.wrong(f'"{unit}" cannot stand where it starts', mend, "start", unit)


_FILE = "board.toml"
_CODE = re.compile(r"[A-Z][A-Z0-9]{1,4}")
_COASTS = tuple(DIRECTIONS.values())
_MERGED = ("provinces", "coasts", "borders", "aliases", "names", "ambiguous", "facts")


def available_boards(maps_folder: Path) -> tuple[str, ...]:
    """The keys of all boards below a folder, sorted."""
    return tuple(sorted(path.parent.name for path in maps_folder.glob(f"*/{_FILE}")))


def base_of(folder: Path) -> Path | None:
    """The folder of the board on which the one in a folder is based; None where it is based on none, or there is no
    board. Raises BoardError where the file is no TOML.
    """
    if not (folder / _FILE).is_file():
        return None
    base = TomlSource(folder / _FILE).data.get("based_on")
    return folder.parent / base if isinstance(base, str) else None


def load_board(folder: Path) -> Board:
    """The board in a folder such as maps/standard. A board may be based on one in a folder beside it.

    Raises BoardError, which lists every problem with its file, line and mend.
    """
    problems: list[TomlProblem] = []
    sources = [TomlSource(folder / _FILE)]
    data = sources[0].data
    if isinstance(base := data.get("based_on"), str):
        sources.append(TomlSource(folder.parent / base / _FILE))
        data = _merge(sources[1].data, data)
    board = _read_board(folder.name, TomlTable(sources, data, problems), places_abroad())
    if problems:
        raise BoardError(problems)
    return board


def _merge(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What a board says on top of the one it is based on: spaces, borders and names key by key, the rest whole."""
    merged = {**base, **own}
    for key in _MERGED:
        if isinstance(base.get(key), dict) and isinstance(own.get(key), dict):
            merged[key] = {**base[key], **own[key]}
    for terrain, names in base.get("provinces", {}).items():
        merged["provinces"][terrain] = {**names, **own.get("provinces", {}).get(terrain, {})}
    return merged


def _read_board(key: str, sheet: TomlTable, names: Mapping[str, Names]) -> Board:
    sheet.text("based_on", "")
    facts = sheet.sheet("facts")
    kinds = _read_kinds(sheet.sheet("kinds"))
    provinces = _read_provinces(sheet, _read_facts(facts.sheet("provinces")))
    powers = _read_powers(sheet.sheet("powers"), provinces)
    board = Board(
        key=key,
        title=sheet.text("title"),
        provinces=MappingProxyType(_in_territories(provinces, sheet.sheet("powers"))),
        powers=MappingProxyType(powers),
        borders=read_borders(sheet, provinces, kinds),
        first_phase=_read_phase(sheet, "first_phase", "name the phase of the first moves") or _FIRST,
        last_phase=_read_phase(sheet, "last_phase", "name the phase that ends a game", ""),
        victory=sheet.number("victory"),
        impassable=MappingProxyType(_read_impassable(sheet)),
        ambiguous=MappingProxyType(_read_ambiguous(sheet.sheet("ambiguous"), provinces)),
        reconstruction=sheet.text("reconstruction", ""),
        kinds=MappingProxyType(kinds),
        facts=MappingProxyType(facts.sheet("board").plain()),
    )
    check_names(board, sheet.sheet("aliases"))
    board = _named_abroad(board, sheet.sheet("names"), names)
    check_set_up(board, sheet.sheet("powers"))
    facts.done()
    sheet.done()
    return board


def _read_kinds(sheet: TomlTable) -> dict[str, UnitKind]:
    """The kinds of unit: those that every board knows, under the names it gives them, and kinds of its own."""
    kinds = dict(KINDS)
    for letter in sheet.names():
        if len(letter) != 1 or not letter.isupper():
            sheet.wrong(f'"{letter}" is not a letter of a unit kind', "use one capital letter", letter)
        elif letter in KINDS:
            kinds[letter] = replace(KINDS[letter], name=sheet.text(letter))
        else:
            kinds[letter] = _read_kind(letter, sheet.sheet(letter))
    return kinds


def _read_kind(letter: str, sheet: TomlTable) -> UnitKind:
    """A kind of a board's own: B = { name = "Bomber", stands = ["inland", "coast"] }."""
    stands = sheet.texts("stands")
    known = [each.value for each in Terrain]
    for word in (word for word in stands if word not in known):
        sheet.wrong(f'there is no terrain "{word}"', f"choose from {', '.join(known)}", "stands", word)
    return UnitKind(
        letter,
        sheet.text("name"),
        frozenset(each for each in Terrain if each.value in stands),
        sheet.flag("coasts"),
        frozenset(sheet.texts("carries")),
    )


_FIRST = Phase(1901, SPRING.code, MOVES)


def _read_phase(sheet: TomlTable, key: str, mend: str, otherwise: str | None = None) -> Phase | None:
    code = sheet.text(key) if otherwise is None else sheet.text(key, otherwise)
    if code == otherwise:
        return None
    try:
        return Phase.read(code)
    except ValueError as error:
        sheet.wrong(str(error), mend, key)
        return None


# -- spaces --------------------------------------------------------------------------------------------------------


def _read_provinces(sheet: TomlTable, facts: dict[str, dict[str, str]]) -> dict[str, Province]:
    """All spaces by code, in the order of their codes. Territory is added later (`_in_territories`)."""
    spaces, coasts, aliases = sheet.sheet("provinces"), sheet.sheet("coasts"), sheet.sheet("aliases")
    centres = _known(sheet, "centres", {code for terrain in Terrain for code in spaces.sheet(terrain).names()})
    found: dict[str, Province] = {}
    for terrain in Terrain:
        group = spaces.sheet(terrain)
        for code in group.names():
            if not _CODE.fullmatch(code):
                group.wrong(f'"{code}" is not a code', "use two to five capital letters", code)
            if code in found:
                group.wrong(f"{code} is a province twice", "keep one of the two, or choose another code", code)
            found[code] = Province(
                code=code,
                name=group.text(code),
                terrain=terrain,
                centre=code in centres,
                coasts=coasts.texts(code),
                aliases=aliases.texts(code),
                facts=MappingProxyType(facts.pop(code, {})),
            )
    spaces.done()
    _check_coasts(coasts, found)
    for code in [code for code in aliases.names() if code not in found]:
        aliases.wrong(f'aliases for "{code}", which is no province', _nearest(code, found), code)
    for code in facts:
        sheet.sheet("facts").wrong(f'a fact about "{code}", which is no province', _nearest(code, found), "provinces")
    return dict(sorted(found.items()))


def _named_abroad(board: Board, sheet: TomlTable, names: Mapping[str, Names]) -> Board:
    """The board with what its places are called in other languages: by a table of its own, code -> names, or by English
    name.
    """
    own = {
        language: {code: sheet.sheet(language).texts(code) for code in sheet.sheet(language).names()}
        for language in sheet.names()
    }
    found = names_of(board, names, own)
    for language, rows in own.items():
        for code, called in rows.items():
            if code not in board.provinces:
                sheet.sheet(language).wrong(
                    f'a name for "{code}", which is no province', _nearest(code, board.provinces), code
                )
            for name in set(called).difference(found.get(code, {}).get(language, ())) if code in found else ():
                wrong = f'"{name}", which is {code} in another language, means another place too'
                sheet.sheet(language).wrong(wrong, "delete it", code, name)
    named = {code: replace(each, abroad=MappingProxyType(found[code])) for code, each in board.provinces.items()}
    return replace(board, provinces=MappingProxyType(named))


def _check_coasts(coasts: TomlTable, provinces: Mapping[str, Province]) -> None:
    for code in coasts.names():
        province = provinces.get(code)
        if province is None or province.terrain is not Terrain.COAST:
            coasts.wrong(f"{code} has coasts but is no coastal province", _nearest(code, provinces), code)
        elif len(province.coasts) < 2 or not set(province.coasts) <= set(_COASTS):
            coasts.wrong(f"{code} needs two coasts or none", f"choose from {', '.join(_COASTS)}", code)


def _read_facts(sheet: TomlTable) -> dict[str, dict[str, str]]:
    """Facts of provinces, written as value -> codes, turned to code -> fact -> value."""
    found: dict[str, dict[str, str]] = {}
    for name in sheet.names():
        values = sheet.sheet(name)
        for value in values.names():
            for code in values.texts(value):
                if name in found.setdefault(code, {}):
                    values.wrong(f"{code} has two values for {name}", "keep one", value, code)
                found[code][name] = value
    return found


def _read_ambiguous(sheet: TomlTable, provinces: Mapping[str, Province]) -> dict[str, tuple[str, ...]]:
    found = {short: _known(sheet, short, provinces) for short in sheet.names()}
    for short, codes in found.items():
        if len(codes) < 2:
            sheet.wrong(f'"{short}" is called ambiguous but has one meaning', "make it an alias", short)
    return found


def _read_impassable(sheet: TomlTable) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in sheet.sheets("impassable"):
        found.update(dict.fromkeys(entry.texts("names"), entry.text("why")))
        entry.done()
    return found


# -- powers --------------------------------------------------------------------------------------------------------


def _read_powers(sheet: TomlTable, provinces: Mapping[str, Province]) -> dict[str, Power]:
    powers: dict[str, Power] = {}
    for key in sheet.names():
        entry = sheet.sheet(key)
        powers[key] = Power(
            key=key,
            name=entry.text("name"),
            adjective=entry.text("adjective"),
            letter=entry.text("letter", key[:1]),
            homes=_known(entry, "homes", provinces),
            start=entry.texts("start"),
            aliases=entry.texts("aliases"),
            colour=entry.text("colour", ""),
            minor=entry.flag("minor"),
            facts=MappingProxyType(entry.sheet("facts").plain()),
        )
        entry.texts("territory")
        entry.done()
        if key != key.upper():
            sheet.wrong(f'"{key}" is not a key of a power', "write it in capitals", key)
    return powers


def _in_territories(provinces: Mapping[str, Province], powers: TomlTable) -> dict[str, Province]:
    """The provinces, each with the power inside whose frontier it lies."""
    owner: dict[str, str] = {}
    for key in powers.names():
        entry = powers.sheet(key)
        for code in _known(entry, "territory", provinces):
            if code in owner:
                entry.wrong(f"{code} lies in {owner[code]} and in {key}", "keep one", "territory", code)
            owner[code] = key
    return {code: _with_territory(province, owner.get(code)) for code, province in provinces.items()}


def _with_territory(province: Province, territory: str | None) -> Province:
    return replace(province, territory=territory) if territory else province


def _known(sheet: TomlTable, key: str, provinces: Iterable[str]) -> tuple[str, ...]:
    """The province codes listed under a key; unknown and doubled ones are complained of and left out."""
    known = set(provinces)
    codes = sheet.texts(key)
    for code in codes:
        if code not in known:
            sheet.wrong(f'there is no province "{code}" ({key})', _nearest(code, known), key, code)
    for code in {code for code in codes if codes.count(code) > 1}:
        sheet.wrong(f"{code} is listed twice ({key})", "delete one", key, code)
    return tuple(code for code in dict.fromkeys(codes) if code in known)


def _nearest(code: str, known: Iterable[str]) -> str:
    near = nearest(code.upper(), sorted(known), 3)
    return f"did you mean {' or '.join(near)}?" if near else "add it under [provinces]"
