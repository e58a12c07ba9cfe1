"""The game of 1976 for six to three players (XIV.2): powers are out of it, or several are in one hand.

1. Each player has the powers of one line of their table below. Everything in the rules goes by power all the same: who
   owns a centre, builds, removes, dislodges, cuts a support. Votes, press, receipts and lateness go by player.
2. A power of no table is in nobody's hand: its units hold, support nobody, may be supported by anybody, and are
   disbanded when they are dislodged. What it has to remove goes as in civil disorder.
3. Six play from 1870, five from 1801, unless the Gamemaster sets another year.
4. One power wins, with its own centres; or all powers of a player with theirs together, if the Gamemaster says so.
5. Everything else is as in 1976.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.board.model import Board
from judge.board.position import Position
from judge.languages import tell
from judge.rules import Rules
from judge.rules.choices import JointVictory
from judge.rules.questions import Block
from judge.rules.registry import Room

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


def room(rules: Few, title: str, first_year: str = "", page: tuple[str, ...] = ()) -> Room:
    """The room of a game for as many players as there are hands, and a preset of its name. `page`: its rules."""
    preset = {"rules": rules.key, "players": str(len(rules.hands)), "nmr": "grace"}
    year = {"first_year": first_year} if first_year else {}
    return Room(rules, title, presets={rules.key: preset | year}, page=(Block(title, page),))


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

ROOMS = (
    room(Few(key="six", hands=SIX), "Six players", "1870", _without("Italy", several=False, year=1870)),
    room(Few(key="five", hands=FIVE), "Five players", "1801", _without("Germany and Italy", several=True, year=1801)),
    room(
        Few(key="four", hands=FOUR),
        "Four players",
        page=_shared(
            "One plays England, one Austria-Hungary and France, one Germany and Turkey, one Italy and Russia."
        ),
    ),
    room(
        Few(key="three", hands=THREE),
        "Three players",
        page=_shared(
            "One plays Russia, one England, France and Germany, one Austria-Hungary, Italy and Turkey. `preset"
            " three-otherwise` deals the powers in another way."
        ),
    ),
    room(
        Few(key="three-otherwise", hands=THREE_OTHERWISE),
        "Three players, the second way",
        page=_shared("One plays Austria-Hungary, England and Germany, one Italy and Russia, one France and Turkey."),
    ),
)
