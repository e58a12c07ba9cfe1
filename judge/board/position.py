"""A position: what stands where, who owns what, what waits to retreat. Facts, compared by value.

Occupancy is plural (`at` answers a tuple): one unit a space is the 1976 rule, not a law of nature.
A unit keeps its identity (`id`) from phase to phase; orders are bound to units, never to places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from judge.board.chart import Layout, lay_out
from judge.board.model import Board, Location, province_of
from judge.board.phase import MOVES, Phase
from judge.board.status import Flaw, Stacks, status_of
from judge.board.unit import NO_MARKS, NUMBER, ORDINAL, Dislodged, Unit

NUMBERED = "numbers"
"""The fact of a board that its rule system sets whose units bear numbers."""
_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """The state of the board at the start of `phase`."""

    board: Board
    phase: Phase
    units: tuple[Unit, ...]
    owners: Mapping[str, str]
    """Centre -> power. Centres that nobody owns are absent."""
    dislodged: tuple[Dislodged, ...] = ()
    accounts: Mapping[str, Mapping[str, int]] = field(default_factory=lambda: _NONE)
    """Power -> purse -> amount; empty unless a variant keeps books."""
    next_id: int = 0
    """The identity of the next unit built; 0: one more than the highest here (ids are never used twice)."""
    marks: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: _NONE)
    """What a rule system remembers of powers, spaces and pairs of them: key ("FRANCE", "MOS", "FRANCE/EUROPE") -> name
    -> value."""
    layout: Layout | None = field(init=False, repr=False, compare=False)
    """The units on the chart, before moves; None in other phases, and where a unit stands off the board."""

    def __init__(
        self,
        board: Board,
        phase: Phase,
        units: tuple[Unit, ...],
        owners: Mapping[str, str],
        dislodged: tuple[Dislodged, ...] = (),
        accounts: Mapping[str, Mapping[str, int]] = _NONE,
        next_id: int = 0,
        marks: Mapping[str, Mapping[str, str]] = _NONE,
    ) -> None:
        draft: Any = self
        object.__setattr__(draft, "__class__", _Draft)
        _fill(draft, board, phase, numbered(units), owners, numbered_waiting(dislodged), accounts, next_id, marks)

    def followed_by(
        self,
        phase: Phase,
        units: tuple[Unit, ...],
        owners: Mapping[str, str],
        dislodged: tuple[Dislodged, ...],
        next_id: int,
    ) -> Position:
        """A later position of the same game, accounts and marks being what they were. Where units may stand
        together, they must be `numbered`.
        """
        draft: Any = _Draft()
        _fill(draft, self.board, phase, units, owners, dislodged, self.accounts, next_id, self.marks)
        return draft  # type: ignore[no-any-return]

    def at(self, province: str) -> tuple[Unit, ...]:
        """Everybody standing in a province (code without coast); retreating units do not count."""
        return tuple(unit for unit in self.units if province_of(unit.at) == province)

    def of(self, power: str) -> tuple[Unit, ...]:
        """The units of a power, retreating ones not counted."""
        return tuple(unit for unit in self.units if unit.power == power)

    def centres(self, power: str) -> tuple[str, ...]:
        """The centres that a power owns, in the board's order."""
        return tuple(centre for centre in self.board.centres if self.owners.get(centre) == power)

    def status(self, stacks: Stacks = _NONE) -> tuple[Flaw, ...]:
        """Everything that is wrong with it; empty for a position that came of play. `stacks`: the rules' answer to
        where several units may stand.
        """
        return status_of(self, stacks)


def numbered(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The units, those numbered that orders could not tell apart otherwise: of two armies in Paris the second is
    "A PAR#2". Who stands alone has no such number.
    """
    if len({unit.at for unit in units}) == len(units) and not any(unit.marks for unit in units):
        return units
    crowds = Counter((unit.kind, unit.at) for unit in units)
    seen: Counter[tuple[str, Location]] = Counter()
    found: list[Unit] = []
    for unit in units:
        like = unit.kind, unit.at
        seen[like] += 1
        found.append(_with_ordinal(unit, seen[like] if crowds[like] > 1 else 0))
    return tuple(found)


def numbered_waiting(dislodged: tuple[Dislodged, ...]) -> tuple[Dislodged, ...]:
    """The same for units that must retreat; they keep the numbers that they had, where those tell them apart."""
    if len({str(each.unit) for each in dislodged}) == len(dislodged):
        return dislodged
    units = numbered(tuple(each.unit for each in dislodged))
    return tuple(each._replace(unit=unit) for each, unit in zip(dislodged, units, strict=True))


def _with_ordinal(unit: Unit, ordinal: int) -> Unit:
    text = str(ordinal) if ordinal else ""
    return unit if unit.mark(ORDINAL) == text else unit.marked(ORDINAL, text)


class _Draft:
    """A position whose fields are being set. Those of a frozen one can be set too, but then it takes twice as long to
    make one, and every phase makes one."""

    __slots__ = Position.__slots__


def _fill(
    draft: Any,
    board: Board,
    phase: Phase,
    units: tuple[Unit, ...],
    owners: Mapping[str, str],
    dislodged: tuple[Dislodged, ...],
    accounts: Mapping[str, Mapping[str, int]],
    next_id: int,
    marks: Mapping[str, Mapping[str, str]],
) -> None:
    """Make a position of a draft."""
    draft.board = board
    draft.phase = phase
    draft.units = units
    draft.owners = owners
    draft.dislodged = dislodged
    draft.accounts = accounts
    draft.next_id = next_id
    draft.marks = marks
    draft.layout = lay_out(board, phase.season, units) if phase.kind is MOVES else None
    draft.__class__ = Position


def start_position(board: Board, powers: Iterable[str] | None = None) -> Position:
    """The set-up of a board; with `powers`, of these powers only."""
    units: list[Unit] = []
    chosen = [board.powers[key] for key in (board.powers if powers is None else powers)]
    for power in chosen:
        for line in power.start:
            kind, _, at = line.partition(" ")
            units.append(Unit(len(units) + 1, kind, at, power.key, at))
    owners = {home: power.key for power in chosen for home in power.homes}
    return Position(board, board.first_phase, tuple(units), MappingProxyType(owners), next_id=len(units) + 1)


def position_to_json(position: Position) -> dict[str, Any]:
    """A position as plain JSON; the board is named, not included."""
    return {
        "map": position.board.key,
        "phase": str(position.phase),
        "units": [unit_to_json(unit) for unit in position.units],
        "owners": dict(position.owners),
        "dislodged": [
            {"unit": unit_to_json(d.unit), "options": list(d.options), "by": unit_to_json(d.by) if d.by else None}
            for d in position.dislodged
        ],
        "accounts": {power: dict(purse) for power, purse in position.accounts.items()},
        "next_id": position.next_id,
    } | ({"marks": {key: dict(marks) for key, marks in position.marks.items()}} if position.marks else {})


def position_from_json(data: Mapping[str, Any], board: Board) -> Position:
    """The inverse of `position_to_json`; `board` must be the one that the data name. Units that were stored as lists
    of their fields, as they once were, are read too; a number that told two alike apart, before markers had numbers, is
    left out.
    """
    units = tuple(unit_from_json(unit) for unit in data["units"])
    if not board.facts.get(NUMBERED):
        units = tuple(unit.marked(NUMBER, "") if unit.marks else unit for unit in units)
    return Position(
        board,
        Phase.read(data["phase"]),
        units,
        MappingProxyType(dict(data["owners"])),
        tuple(
            Dislodged(unit_from_json(d["unit"]), tuple(d["options"]), unit_from_json(d["by"]) if d["by"] else None)
            for d in data["dislodged"]
        ),
        MappingProxyType({power: MappingProxyType(dict(purse)) for power, purse in data["accounts"].items()}),
        data.get("next_id", 0),
        MappingProxyType({key: MappingProxyType(dict(marks)) for key, marks in data.get("marks", {}).items()}),
    )


def unit_to_json(unit: Unit) -> dict[str, Any]:
    """A unit as plain JSON, its fields by name; marks only where there are any."""
    data: dict[str, Any] = {"id": unit.id, "kind": unit.kind, "at": unit.at, "power": unit.power, "built": unit.built}
    return data | ({"marks": dict(unit.marks)} if unit.marks else {})


def unit_from_json(data: Mapping[str, Any] | list[Any] | tuple[Any, ...]) -> Unit:
    """The inverse of `unit_to_json`; a list of the fields in their order is read too."""
    if isinstance(data, (list, tuple)):
        return Unit(*data)
    marks = data.get("marks")
    known = tuple(sorted((str(name), str(value)) for name, value in marks.items())) if marks else NO_MARKS
    return Unit(data["id"], data["kind"], data["at"], data["power"], data["built"], known)
