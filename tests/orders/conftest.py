"""Reads tolerance.txt, the table of orders as people write them; its head says how it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from judge.board.load import load_board
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position, start_position
from judge.board.unit import Dislodged, Unit
from judge.orders.reading import ReadOptions

TABLE = Path(__file__).parent / "tolerance.txt"
MAPS = Path(__file__).parents[2] / "maps"


@cache
def standard_board() -> Board:
    """The standard board, loaded once."""
    return load_board(MAPS / "standard")


@dataclass(frozen=True)
class Case:
    """One line of the table."""

    number: int
    position: Position
    power: str | None
    options: ReadOptions
    text: str
    orders: tuple[str, ...] = ()
    slug: str = ""
    candidates: tuple[str, ...] | None = None
    corrected: bool = False

    def __str__(self) -> str:
        return f"{self.number}: {self.text}"


@dataclass
class _Builder:
    phase: Phase
    units: list[Unit] = field(default_factory=list)
    dislodged: list[Dislodged] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)

    def add(self, line: str) -> None:
        """One indented line: units of a power, or its centres."""
        head, _, rest = line.strip().partition(": ")
        if head.startswith("centres "):
            self.owners.update(dict.fromkeys(rest.split(), head.removeprefix("centres ")))
            return
        for text in rest.split(", "):
            words = text.split()
            unit = Unit(len(self.units) + len(self.dislodged) + 1, words[0], words[1], head)
            if "retreats" in words:
                self.dislodged.append(Dislodged(unit, tuple(words[3:])))
            else:
                self.units.append(unit)

    def build(self) -> Position:
        return Position(standard_board(), self.phase, tuple(self.units), self.owners, tuple(self.dislodged))


def read_table(path: Path = TABLE) -> Iterator[Case]:
    """The cases of the table, in order."""
    builders: dict[str, _Builder] = {}
    position, power, options = start_position(standard_board()), None, ReadOptions()
    last: _Builder | None = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or (line.startswith("#") and "==>" not in line):
            continue
        if line.startswith("#"):
            continue
        if line.startswith("position "):
            _, name, phase = line.split()
            last = builders[name] = _Builder(Phase.read(phase))
        elif line.startswith("  ") and last is not None:
            last.add(line)
        elif line.startswith("== "):
            last = None
            where, who, *extra = [part.strip() for part in line[3:].split(",")]
            position = start_position(standard_board()) if where == "start" else builders[where].build()
            power = None if who == "anybody" else who
            flags: dict[str, Any] = dict.fromkeys(extra, True)
            options = ReadOptions(**flags)
        else:
            yield _case(number, line, Case(number, position, power, options, ""))


def _case(number: int, line: str, blank: Case) -> Case:
    text, arrow, rest = line.partition(" ==> ")
    if arrow:
        corrected = rest.rstrip().endswith("~") or "~;" in rest
        orders = tuple(order.strip(" ~") for order in rest.split(";"))
        orders = () if orders == ("nothing",) else orders
        return Case(number, blank.position, blank.power, blank.options, text.rstrip(), orders, corrected=corrected)
    text, _, rest = line.partition(" ??? ")
    slug, *candidates = [part.strip() for part in rest.split("|")]
    wanted = None if candidates == ["..."] else tuple(candidates)
    if not candidates and slug in ("no-such-unit", "no-such-place"):
        wanted = None
    return Case(number, blank.position, blank.power, blank.options, text.rstrip(), (), slug, wanted)


@pytest.fixture(scope="session")
def board() -> Board:
    """The standard board."""
    return standard_board()


@pytest.fixture(scope="session")
def start(board: Board) -> Position:
    """The set-up of the standard board."""
    return start_position(board)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each case of the table is a test of its own."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", list(read_table()), ids=str)
