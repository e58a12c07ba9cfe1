"""One order on file, as a value and as an event stores it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.game.instructions.kinds import Instruction, instruction_from_json, instruction_to_json, site_of, unit_of
from judge.game.instructions.legacy import instruction_of_text
from judge.orders.model import Misorder, Waive
from judge.orders.stored import units_of

Key = tuple[str, str]
"""The phase, and what an order is for: "unit 3", "build PAR", "waive"."""


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """One order on file for a phase of the turn, and the line in which its author wrote it."""

    phase: str
    instruction: Instruction
    text: str
    slot: int = 1
    """Of a build: which of several at its site."""

    @property
    def order(self) -> str:
        """Its canonical form, for people."""
        return str(self.instruction)

    @property
    def unit(self) -> int | None:
        """Identity of the unit that it is for; None for builds."""
        unit = unit_of(self.instruction)
        return None if unit is None else unit.id

    @property
    def site(self) -> str:
        """The province of a build; "" for any other order."""
        return site_of(self.instruction)

    @property
    def waives(self) -> bool:
        """Whether it leaves a build unused."""
        return isinstance(self.instruction, Waive)

    @property
    def wrong(self) -> str:
        """In a game that takes mistakes: why the line makes no sense as an order for its unit, which stands."""
        return self.instruction.reason if isinstance(self.instruction, Misorder) else ""

    @property
    def adjusts(self) -> bool:
        """Whether it is for builds and removals."""
        return Phase.read(self.phase).kind is PhaseKind.ADJUSTMENTS

    @property
    def key(self) -> Key:
        """What a later order replaces: the same unit's, or the same site's."""
        unit = self.unit
        if unit is not None:
            return self.phase, f"unit {unit}"
        number = f"#{self.slot}" if self.slot > 1 else ""
        return self.phase, "waive" if self.waives else f"build {self.site}{number}"


def filed_to_json(line: FiledOrder) -> dict[str, Any]:
    """As an event stores it: {"phase", "order", "text"}, and "slot" for a second build at one site."""
    stored = {"phase": line.phase, "order": instruction_to_json(line.instruction), "text": line.text}
    return stored | ({"slot": line.slot} if line.slot > 1 else {})


def filed_from_json(stored: Iterable[Mapping[str, Any]], position: Position, power: str) -> tuple[FiledOrder, ...]:
    """The inverse of `filed_to_json`, bound to the units of a position. Lines of the first schema, which held an order
    as text, are read once more; those that cannot be bound any more are left out.
    """
    units = units_of(position)
    found = []
    for line in stored:
        order = line["order"]
        bound = (
            instruction_of_text(line, position, power)
            if isinstance(order, str)
            else instruction_from_json(order, units)
        )
        if bound is not None:
            found.append(FiledOrder(line["phase"], bound, line["text"], line.get("slot", 1)))
    return tuple(found)
