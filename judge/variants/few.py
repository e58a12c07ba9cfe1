"""The game of 1976 for two to six players (XIV.2): powers are out of it, or several are in one hand.

For six to three players:

1. Each player has the powers of one line of their table below. Everything in the rules goes by power all the same: who
   owns a centre, builds, removes, dislodges, cuts a support. Votes, press, receipts and lateness go by player.
2. A power of no table is in nobody's hand: its units hold, support nobody, may be supported by anybody, and are
   disbanded when they are dislodged. What it has to remove goes as in civil disorder.
3. Six play from 1870, five from 1801, unless the Gamemaster sets another year.
4. One power wins, with its own centres; or all powers of a player with theirs together, if the Gamemaster says so.
5. Everything else is as in 1976.

For two players, World War I:

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

from judge.board.model import Board, Location, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell
from judge.rules import Rules
from judge.rules.choices import JointVictory
from judge.rules.model import RuleSystem
from judge.rules.questions import UNITS, Block, Happened, together
from judge.rules.reasons import Reason

Hands = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Few(Rules):
    """The answers that differ. `hands`: the powers of each player."""

    hands: Hands = ()

    def seats(self, board: Board) -> Hands:
        """Clauses 1 and 2."""
        return self.hands

    def sides(self, position: Position) -> Hands:
        """Clause 4."""
        return self.hands if self.joint_victory is JointVictory.YES else ()


SIX = (("AUSTRIA",), ("ENGLAND",), ("FRANCE",), ("GERMANY",), ("RUSSIA",), ("TURKEY",))
FIVE = tuple(hand for hand in SIX if hand != ("GERMANY",))
FOUR = (("ENGLAND",), ("AUSTRIA", "FRANCE"), ("GERMANY", "TURKEY"), ("ITALY", "RUSSIA"))
THREE = (("RUSSIA",), ("ENGLAND", "FRANCE", "GERMANY"), ("AUSTRIA", "ITALY", "TURKEY"))
THREE_OTHERWISE = (("AUSTRIA", "ENGLAND", "GERMANY"), ("ITALY", "RUSSIA"), ("FRANCE", "TURKEY"))


def system(rules: Few, title: str, first_year: str = "", page: tuple[str, ...] = ()) -> RuleSystem:
    """The system of a game for as many players as there are hands, and a preset of its name. `page`: its rules."""
    preset = {"rules": rules.key, "players": str(len(rules.hands)), "nmr": "grace"}
    year = {"first_year": first_year} if first_year else {}
    return RuleSystem(rules, title, presets={rules.key: preset | year}, page=(Block(title, page),))


def _without(powers: str, *, several: bool, year: int) -> tuple[str, ...]:
    have, they = ("have", "Their") if several else ("has", "Its")
    return (
        tell(
            "{powers} {have} no player. {they} units hold and support nobody; anybody may support "
            "them where they stand, and one that is dislodged is disbanded. {they} centres are "
            "there to be taken like any others.",
            powers=powers,
            have=have,
            they=they,
        ),
        tell("The game begins in {year}, unless the Gamemaster says otherwise.", year=year),
        _AS_EVER,
    )


def _shared(hands: str) -> tuple[str, ...]:
    return (
        tell(
            "{hands} Who has several powers is one player: one mail may hold the orders of all of "
            "them, there is one vote, one absence, one deadline, and press to one of the powers "
            "reaches the player.",
            hands=hands,
        ),
        tell(
            "Each power keeps its own centres, builds and removes for itself, and is otherwise a "
            "power like any other: its units may dislodge those of its partner, and cut their "
            "support. `France: build A Paris` says whose order a line is; a unit says it by "
            "itself."
        ),
        tell(
            "One power alone has to own the 18 centres that win. Where the Gamemaster has set "
            "`joint_victory yes`, the centres of a player's powers count together."
        ),
        _AS_EVER,
    )


_AS_EVER = "Everything else is as in the rules of 1976."


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
        names = {key: power.told for key, power in position.board.powers.items()}
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

RULE_SYSTEMS = (
    system(Few(key="six", hands=SIX), "Six players", "1870", _without("Italy", several=False, year=1870)),
    system(Few(key="five", hands=FIVE), "Five players", "1801", _without("Germany and Italy", several=True, year=1801)),
    system(
        Few(key="four", hands=FOUR),
        "Four players",
        page=_shared(
            "One plays England, one Austria-Hungary and France, one Germany and Turkey, one Italy and Russia."
        ),
    ),
    system(
        Few(key="three", hands=THREE),
        "Three players",
        page=_shared(
            "One plays Russia, one England, France and Germany, one Austria-Hungary, Italy and Turkey. `preset"
            " three-otherwise` deals the powers in another way."
        ),
    ),
    system(
        Few(key="three-otherwise", hands=THREE_OTHERWISE),
        "Three players, the second way",
        page=_shared("One plays Austria-Hungary, England and Germany, one Italy and Russia, one France and Turkey."),
    ),
    replace(
        system(WorldWar(key="two"), "Two players: World War I", "1914", _PAGE),
        reasons={"italy-is-neutral": Reason("Italy is neutral in the first year, and nobody enters it", "XIV.2")},
    ),
)
