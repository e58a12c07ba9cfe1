"""Checks a board: its figures against what its author expects, and against what holds for any map.

Loading has already checked the form. Here stand the questions whose answers a wrong border changes: totals, the coasts
of every province, planarity, triangles, passages, reach. Every check answers with sentences that name the places.

What a board's author expects it to yield: expect.toml beside board.toml, read for `judge.board.lint`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from judge.board.figures import (
    Face,
    Graph,
    Pair,
    blocks,
    coastal_pairs,
    draw,
    drawing_graph,
    fleet_pairs,
    graph_of,
    joined,
    knot,
    neighbours,
    neutral_centres,
    pairs_across,
    passages,
    reach_table,
    seas_at,
    totals,
    touching,
)
from judge.board.load import base_of
from judge.board.model import COLOURS, Board, Location, Terrain, province_of
from judge.board.sheet import BoardError, TomlProblem, TomlSource, TomlTable
from judge.board.spelling import nearest

_FILE = "expect.toml"

TOTALS = (
    "spaces",
    "seas",
    "coastal",
    "inland",
    "centres",
    "homes",
    "neutral",
    "army_borders",
    "fleet_borders",
    "unit_borders",
    "touching",
    "fleet_pairs",
    "army_only",
    "faces",
)
"""The counts that expect.toml must state."""


class ExpectedReach(NamedTuple):
    """The centres a power reaches in two moves, and what a printed table says if it differs ("4/9")."""

    free: tuple[str, ...]
    foreign: tuple[str, ...]
    printed: str


class ExpectedPower(NamedTuple):
    """What a power has by the rules that the board was made for."""

    homes: tuple[str, ...]
    start: tuple[str, ...]
    facts: Mapping[str, str]


class Expectation(NamedTuple):
    """Everything that expect.toml says."""

    totals: Mapping[str, int]
    neutral: tuple[str, ...]
    army_only: tuple[tuple[str, ...], ...]
    """Coastal pairs between which only armies pass."""
    passages: tuple[str, ...]
    coasts: Mapping[Location, tuple[Location, ...]]
    """Neighbours of every coast of the provinces that have two."""
    faces: Mapping[str, tuple[str, ...]]
    """Faces that are no triangles: name -> the spaces around."""
    reach: Mapping[str, ExpectedReach]
    powers: Mapping[str, ExpectedPower]
    """All powers of the board, or none."""
    distances: Mapping[str, Mapping[str, int]]
    """Space -> space -> from how many steps away it is reached over land and sea."""


def load_expectation(folder: Path) -> Expectation | None:
    """The expectation of the board in a folder: its own, and where that is silent that of its base; None where nobody
    wrote one. Raises BoardError where something is wrong with it.
    """
    sources = [TomlSource(home / _FILE) for home in (folder, base_of(folder)) if home and (home / _FILE).exists()]
    if not sources:
        return None
    data: dict[str, Any] = {}
    for source in reversed(sources):
        data |= {**source.data, "totals": {**data.get("totals", {}), **source.data.get("totals", {})}}
    problems: list[TomlProblem] = []
    expectation = _read(TomlTable(sources, data, problems))
    if problems:
        raise BoardError(problems)
    return expectation


def _read(sheet: TomlTable) -> Expectation:
    totals, coasts, faces, reach = (sheet.sheet(key) for key in ("totals", "coasts", "faces", "reach"))
    powers, distances = sheet.sheet("powers"), sheet.sheet("distances")
    expectation = Expectation(
        totals={name: totals.number(name) for name in TOTALS},
        neutral=_words(sheet, "neutral"),
        army_only=tuple(tuple(pair.split("-")) for pair in _words(sheet, "army_only")),
        passages=_words(sheet, "passages"),
        coasts={coast: _words(coasts, coast) for coast in coasts.names()},
        faces={name: _words(faces, name) for name in faces.names()},
        reach={power: _read_reach(reach.sheet(power)) for power in reach.names()},
        powers={power: _read_power(powers.sheet(power)) for power in powers.names()},
        distances={start: _read_distances(distances.sheet(start)) for start in distances.names()},
    )
    totals.done()
    sheet.done()
    return expectation


def _read_reach(entry: TomlTable) -> ExpectedReach:
    found = ExpectedReach(_words(entry, "free"), _words(entry, "foreign"), entry.text("printed", ""))
    entry.done()
    return found


def _read_power(entry: TomlTable) -> ExpectedPower:
    homes, start = _words(entry, "homes"), tuple(unit.strip() for unit in entry.text("start").split(","))
    facts = {name: entry.text(name) for name in entry.names() if name not in ("homes", "start")}
    entry.done()
    return ExpectedPower(homes, start, facts)


def _read_distances(entry: TomlTable) -> Mapping[str, int]:
    found = {code: entry.number(code) for code in entry.names()}
    entry.done()
    return found


def _words(sheet: TomlTable, key: str) -> tuple[str, ...]:
    return tuple(sheet.text(key, "").split())


class Figure(NamedTuple):
    """One figure of the report: its name, what was found, what was expected, and a remark."""

    name: str
    found: str
    expected: str
    remark: str = ""


class LintReport(NamedTuple):
    """All figures of a board, and a sentence for everything that is wrong."""

    board: str
    figures: tuple[Figure, ...]
    problems: tuple[str, ...]


def lint(board: Board, expected: Expectation | None) -> LintReport:
    """Every check on a board. No problems: the board is right, or, where nobody says what is expected of it, at least
    nothing in it is impossible.
    """
    general = [
        *_check_coasts(board),
        *_check_coastal_pairs(board),
        *_check_lines(board),
        *_check_codes(board),
        *_check_colours(board),
    ]
    if expected is None:
        counted = [Figure(name.replace("_", " "), str(found), "") for name, found in totals(board).items()]
        return LintReport(board.key, (*counted, _UNEXPECTED), tuple(general))
    problems = [
        *general,
        *_check_lists(board, expected),
        *_check_split_coasts(board, expected),
        *_check_drawing(board, expected),
        *_check_reach(board, expected),
        *_check_powers(board, expected),
        *_check_distances(board, expected),
    ]
    figures = [*_total_figures(board, expected), *_list_figures(board, expected), *_reach_figures(board, expected)]
    wrong = [f"{figure.name}: {figure.found}, expected {figure.expected}" for figure in figures if _differs(figure)]
    return LintReport(board.key, tuple(figures), (*problems, *wrong))


_UNEXPECTED = Figure("expectation", "none", "", "without an expect.toml a missing or false border is not found")


# -- what any map must obey ----------------------------------------------------------------------------------------


def _check_coasts(board: Board) -> Iterator[str]:
    for province in board.provinces.values():
        if province.terrain is Terrain.INLAND:
            continue
        for place in province.locations():
            seas = seas_at(board, place)
            if province.terrain is Terrain.SEA and not board.reach("F", place):
                yield f"{place} has no borders"
            elif province.terrain is Terrain.COAST and not seas:
                yield f"{place} is a coast but touches no sea"
            elif province.coasts and not joined(board, seas):
                yield f"{place} touches {_listed(seas)}, which do not touch each other: is the coast the right one?"


def _check_lines(board: Board) -> Iterator[str]:
    """Ridges and railways lead from one province to the next over borders of the board."""
    for name, lines in (("ridge", sorted(board.ridges)), ("railway", board.railways)):
        for here, there in dict.fromkeys(pair for line in lines for pair in pairwise(line) if line < line[::-1]):
            if not any(there in board.reach(kind, here) for kind in board.kinds):
                yield f"a {name} leads from {here} to {there}, which have no border"


def _check_codes(board: Board) -> Iterator[str]:
    """A code that is a short form of other places too must be sure wherever it is written: no unit can go to both."""
    for short, meanings in board.ambiguous.items():
        code = short.upper()
        for other in (each for each in meanings if code in meanings and each != code):
            both = {board.provinces[code].terrain, board.provinces[other].terrain}
            around = (kind for kind in board.kinds if _around(board, kind, code) & _around(board, kind, other))
            if both == {Terrain.COAST} or any(around):
                yield f"{code} may also mean {other}, and a unit can be ordered to either: leave one of them out"


def _check_colours(board: Board) -> Iterator[str]:
    """A colour is one of ours, and no two powers have the same."""
    taken: dict[str, str] = {}
    for power in board.powers.values():
        colour = power.colour.lower()
        if not colour:
            continue
        if colour not in COLOURS:
            near = nearest(colour, COLOURS)
            hint = f"did you mean {near[0]}?" if near else f"the colours are {', '.join(COLOURS)}"
            yield f'there is no colour "{power.colour}" ({power.name}); {hint}'
        elif colour in taken:
            yield f"{taken[colour]} and {power.name} are both {colour}; give one of them another colour"
        taken.setdefault(colour, power.name)


def _around(board: Board, kind: str, code: str) -> set[str]:
    """From where a unit of a kind can go to a province."""
    return {here for place in board.standings(kind, code) for here in board.reach(kind, place)}


def _check_coastal_pairs(board: Board) -> Iterator[str]:
    passing = fleet_pairs(board)
    for a, b in coastal_pairs(board):
        shared = seas_at(board, a) & seas_at(board, b)
        if shared and (a, b) not in passing:
            yield f"{a} and {b} share {_listed(shared)}, but no fleet passes between them"
    for border in board.borders:
        ends = (border.a, border.b)
        if any(board.provinces[province_of(end)].terrain is not Terrain.COAST for end in ends):
            continue
        if border.kinds & board.carriers and not seas_at(board, border.a) & seas_at(board, border.b):
            yield f"fleets pass between {border.a} and {border.b}, which share no sea"
        a, b = sorted(map(province_of, ends))
        if "F" in border.kinds and b not in board.reach("A", a):
            yield f"fleets pass between {a} and {b}, but no armies"


def _check_drawing(board: Board, expected: Expectation) -> Iterator[str]:
    graph = graph_of(touching(board))
    if missing := [code for code in board.provinces if code not in graph]:
        yield f"{_listed(missing)}: nothing touches them"
    others = sorted(blocks(graph), key=lambda part: (-len(part), sorted(part)))[1:]
    for part in others:
        yield f"{_listed(part)}: this part hangs on the rest of the board by one space only, or not at all"
    drawing = draw(core := drawing_graph(board))
    if drawing.stuck:
        yield f"the board cannot be drawn without crossings{_suspicion(core)}"
        return
    yield from _check_faces(drawing.faces, core, expected)


def _suspicion(graph: Graph) -> str:
    """The borders of which one is too many, said as the end of a sentence."""
    guilty = [pair for pair in knot(graph) if not draw(_without(graph, pair)).stuck]
    return f": is {' or '.join(map('-'.join, guilty))} a border too many?" if guilty else ""


def _without(graph: Graph, pair: Pair) -> Graph:
    return {place: others - set(pair) if place in pair else others for place, others in graph.items()}


def _check_faces(faces: Iterable[Face], graph: Graph, expected: Expectation) -> Iterator[str]:
    named = {frozenset(around): name for name, around in expected.faces.items()}
    for face in faces:
        if len(face) > 3 and named.pop(frozenset(face), None) is None:
            pairs = " or ".join("-".join(pair) for pair in pairs_across(face, graph)[:6])
            yield f"{len(face)} spaces meet around one face, {'-'.join(face)}: is a border missing, such as {pairs}?"
    for around, name in named.items():
        yield f"the spaces around {name} ({_listed(around)}) no longer surround it"


# -- what the author expects ---------------------------------------------------------------------------------------


def _check_lists(board: Board, expected: Expectation) -> Iterator[str]:
    yield from _compare("is a centre and nobody's home", neutral_centres(board), expected.neutral)
    yield from _compare("lets fleets through", passages(board), expected.passages)
    passing = fleet_pairs(board)
    army_only = ["-".join(pair) for pair in coastal_pairs(board) if pair not in passing]
    yield from _compare("is a coastal border for armies only", army_only, map("-".join, expected.army_only))


def _compare(what: str, found: Iterable[str], expected: Iterable[str]) -> Iterator[str]:
    here, there = set(found), set(expected)
    for name in sorted(here - there):
        yield f"{name} {what}, which was not expected"
    for name in sorted(there - here):
        yield f"{name} was expected to be one that {what}"


def _check_split_coasts(board: Board, expected: Expectation) -> Iterator[str]:
    coasts = [place for place in board.locations() if "/" in place]
    yield from _compare("is a coast of its own", coasts, expected.coasts)
    for place in coasts:
        if place in expected.coasts:
            yield from _compare(f"touches {place}", board.reach("F", place), expected.coasts[place])


def _check_reach(board: Board, expected: Expectation) -> Iterator[str]:
    table = reach_table(board)
    for key, wanted in expected.reach.items():
        if key not in table:
            yield f"{key} is expected in the reach table but is no power"
            continue
        yield from _compare(f"is a free centre in reach of {key}", table[key].free, wanted.free)
        yield from _compare(f"is a foreign centre in reach of {key}", table[key].foreign, wanted.foreign)


def _check_powers(board: Board, expected: Expectation) -> Iterator[str]:
    if expected.powers:
        yield from _compare("is a power", board.powers, expected.powers)
    for key, wanted in expected.powers.items():
        if (power := board.powers.get(key)) is None:
            continue
        yield from _compare(f"is a home centre of {key}", power.homes, wanted.homes)
        yield from _compare(f"is a unit with which {key} begins", power.start, wanted.start)
        for name, value in wanted.facts.items():
            if str(power.facts.get(name, "")) != value:
                yield f"{name} of {key}: {power.facts.get(name, 'none')}, expected {value}"


def _check_distances(board: Board, expected: Expectation) -> Iterator[str]:
    near = neighbours(board)
    for start, wanted in expected.distances.items():
        found, edge, steps = {start: 0}, {start}, 0
        while edge:
            steps += 1
            edge = {other for code in edge for other in near.get(code, ())} - found.keys()
            found |= dict.fromkeys(edge, steps)
        for code, far in wanted.items():
            if found.get(code) != far:
                yield f"from {start} to {code}: {found.get(code, 'no way')}, expected {far}"


# -- figures -------------------------------------------------------------------------------------------------------


def _total_figures(board: Board, expected: Expectation) -> list[Figure]:
    return [
        Figure(name.replace("_", " "), str(found), str(expected.totals[name])) for name, found in totals(board).items()
    ]


def _list_figures(board: Board, expected: Expectation) -> list[Figure]:
    return [Figure("passages", _listed(passages(board)), _listed(expected.passages))]


def _reach_figures(board: Board, expected: Expectation) -> list[Figure]:
    figures = []
    for key, reach in reach_table(board).items():
        wanted = expected.reach.get(key)
        if wanted is None:
            figures.append(Figure(f"reach of {key}", str(reach), "", "nothing is expected"))
            continue
        should = f"{len(wanted.free)}/{len(wanted.free) + len(wanted.foreign)}"
        differs = wanted.printed not in ("", str(reach))
        remark = f"the printed table says {wanted.printed}" if differs else ""
        figures.append(Figure(f"reach of {key}", str(reach), should, remark))
    return figures


def _differs(figure: Figure) -> bool:
    return bool(figure.expected) and figure.found != figure.expected


def _listed(names: Iterable[str]) -> str:
    return " ".join(sorted(names))
