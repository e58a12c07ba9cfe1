"""What a board's author expects it to yield: expect.toml beside board.toml, read for `judge.board.lint`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

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


def load_expectation(folder: Path) -> Expectation | None:
    """The expectation of the board in a folder: its own, else that of the board it is based on; None where nobody wrote
    one. Raises BoardError where something is wrong with it.
    """
    home = folder
    if not (folder / _FILE).exists() and isinstance(
        base := TomlSource(folder / "board.toml").data.get("based_on"), str
    ):
        home = folder.parent / base
    if not (home / _FILE).exists():
        return None
    source = TomlSource(home / _FILE)
    problems: list[TomlProblem] = []
    expectation = _read(TomlTable([source], source.data, problems))
    if problems:
        raise BoardError(problems)
    return expectation


def _read(sheet: TomlTable) -> Expectation:
    totals, coasts, faces, reach = (sheet.sheet(key) for key in ("totals", "coasts", "faces", "reach"))
    expectation = Expectation(
        totals={name: totals.number(name) for name in TOTALS},
        neutral=_words(sheet, "neutral"),
        army_only=tuple(tuple(pair.split("-")) for pair in _words(sheet, "army_only")),
        passages=_words(sheet, "passages"),
        coasts={coast: _words(coasts, coast) for coast in coasts.names()},
        faces={name: _words(faces, name) for name in faces.names()},
        reach={power: _read_reach(reach.sheet(power)) for power in reach.names()},
    )
    totals.done()
    sheet.done()
    return expectation


def _read_reach(entry: TomlTable) -> ExpectedReach:
    found = ExpectedReach(_words(entry, "free"), _words(entry, "foreign"), entry.text("printed", ""))
    entry.done()
    return found


def _words(sheet: TomlTable, key: str) -> tuple[str, ...]:
    return tuple(sheet.text(key, "").split())
