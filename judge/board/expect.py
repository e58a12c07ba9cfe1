"""What a board's author expects it to yield: expect.toml beside board.toml, read for `judge.board.lint`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from judge.board.load import base_of
from judge.board.model import Location
from judge.board.sheet import BoardError, TomlProblem, TomlSource, TomlTable

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
