"""World War I: the game of 1976 for two players (XIV.2).

1. One player has England, France and Russia, the other Austria-Hungary, Germany and Turkey. The game begins in 1914.
2. In the first year Italy is neutral: it is in nobody's hand, and nobody enters its territory, retreats neither.
3. Before the adjustments of the first year a coin is flipped. From the next Spring on whoever has won it has Italy too.
4. The side wins that has 24 units on the board.
5. Everything else is as in 1976; everything in the rules goes by power.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

from judge.board.model import Location, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell
from judge.rules.questions import UNITS, Block, Happened, together
from judge.rules.reasons import Reason
from judge.variants.few import Few, Hands, room

ENTENTE, CENTRAL = SIDES = (("ENGLAND", "FRANCE", "RUSSIA"), ("AUSTRIA", "GERMANY", "TURKEY"))
ITALY = "ITALY"


@dataclass(frozen=True, slots=True)
class WorldWar(Few):
    """The answers that differ; clause 1 is `hands`."""

    won_by: ClassVar[str] = UNITS

    hands: Hands = SIDES
    victory: int | None = 24

    def barred(self, position: Position, unit: Unit, to: Location) -> str:
        """Clause 2."""
        enters = unit.power != ITALY and position.board.provinces[province_of(to)].territory == ITALY
        return "italy-is-neutral" if enters and _first_year(position) else ""

    def retreats(self, position: Position, unit: Unit, options: tuple[Location, ...]) -> tuple[Location, ...]:
        """Clause 2."""
        return tuple(to for to in options if not self.barred(position, unit, to))

    def settled(self, happened: Happened) -> Position:
        """Clause 3."""
        after, lot = happened.after, happened.lot
        if not _first_year(after) or after.phase.kind is not PhaseKind.ADJUSTMENTS:
            return after
        marks = {**after.marks, ITALY: MappingProxyType({"joins": SIDES[lot % 2][0]})}
        return replace(after, marks=MappingProxyType(marks))

    def authority(self, position: Position, power: str) -> str | None:
        """Clause 3."""
        return None if _first_year(position) else position.marks.get(power, {}).get("joins")

    def sides(self, position: Position) -> Hands:
        """Clauses 3 and 4."""
        ally = self.authority(position, ITALY)
        return tuple((*side, ITALY) if ally in side else side for side in SIDES)

    def ranking(self, position: Position) -> Mapping[str, int]:
        """Clause 4."""
        return together(Counter(unit.power for unit in position.units), self.sides(position))

    def desk(self, position: Position) -> tuple[Block, ...]:
        """Clauses 3 and 4."""
        names = {key: power.name for key, power in position.board.powers.items()}
        side = next((s for s in SIDES if position.marks.get(ITALY, {}).get("joins") in s), ())
        joined = (
            tell("{side} have won the toss, and Italy with it.", side=", ".join(names[power] for power in side))
            if side
            else ""
        )
        units = self.ranking(position)
        counts = [f"{', '.join(names[p] for p in each)}: {units[each[0]]} units" for each in self.sides(position)]
        return (Block(tell("The sides"), (*counts, *filter(None, (joined,)))),)


def _first_year(position: Position) -> bool:
    return position.phase.year == position.board.first_phase.year


_PAGE = (
    "One plays England, France and Russia, the other Austria-Hungary, Germany and Turkey. One mail may hold the orders"
    " of all three. Each power keeps its own centres, builds and removes for itself.",
    "ITALY is neutral in 1914. Its units hold, nobody orders them, and nobody enters its territory: Apulia, Naples,"
    " Piedmont, Rome, Tuscany and Venice. Before the adjustments of that year a coin is flipped; the report says who"
    " has won it. From Spring 1915 on that player has Italy too.",
    "WINNING. The side wins that has 24 units on the board, Italy's among them once it has joined.",
    "Everything else is as in the rules of 1976. The game begins in 1914.",
)

ROOMS = (
    replace(
        room(WorldWar(key="two"), "Two players: World War I", "1914", _PAGE),
        reasons={"italy-is-neutral": Reason("Italy is neutral in the first year, and nobody enters it", "XIV.2")},
    ),
)
