"""What Armstrong's Global Diplomacy II changes in the rules of 1976, sentence by sentence: the fleet of Siberia,
January and February. Nothing of the adjudicator is used: only the board's borders, home centres and continents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from judge.board.model import Board
from tests.support.rulebook_1976 import Order, Piece, Rulebook1976
from tests.support.rulebook_winter import Adjusted, Build, Remove, first_to_go, may_build, owners_after_fall

COLONIAL_POWERS = ("ENGLAND", "FRANCE", "GERMANY", "RUSSIA")
"""IV.A: "Only England, France, Germany, and Russia are affected"."""


class RulebookGlobal2(Rulebook1976):
    """One position with its orders; `under_repair`: the Russian fleet that began in Siberia."""

    def __init__(
        self,
        board: Board,
        pieces: Sequence[Piece],
        orders: Mapping[int, Order],
        phase: str,
        under_repair: int = 0,
    ) -> None:
        """VI: "The Russian fleet that begins in Siberia must hold its position for the spring and fall turns of
        1901". What else is written for it is not followed.
        """
        held = under_repair if phase[1:5] == "1901" else 0
        super().__init__(board, pieces, {n: order for n, order in orders.items() if n != held}, phase)


@dataclass(frozen=True)
class World:
    """What the powers have when a year ends."""

    pieces: Sequence[Piece]
    of: Mapping[int, str]
    """Piece of a Colonial Power -> the continent in which it was built or started."""
    owners: Mapping[str, str]
    feeds: Mapping[str, str] = field(default_factory=dict)
    """Centre -> the continent whose status it adds to, where that is not its own by the exception clause."""
    eliminated: Mapping[str, frozenset[str]] = field(default_factory=dict)


def continent(board: Board, place: str) -> str:
    return board.provinces[place].facts.get("continent", "")


def home_continents(board: Board, power: str) -> dict[str, list[str]]:
    """Continent -> the home centres that a power was given there at the start of the game."""
    found: dict[str, list[str]] = {}
    for home in board.powers[power].homes:
        found.setdefault(continent(board, home), []).append(home)
    return found


def january(board: Board, world: World) -> World:
    """VII: "Occupied centers change ownership. Status is computed." """
    owners = owners_after_fall(world.owners, world.pieces, board.centres)
    captured = [centre for centre in board.centres if owners.get(centre) != world.owners.get(centre)]
    feeds = {centre: fed for centre, fed in world.feeds.items() if centre not in captured}
    for piece in world.pieces:
        if piece.place in captured and is_exception(board, world, piece.power, piece.place):
            feeds[piece.place] = world.of[piece.id]
    settled = World(world.pieces, world.of, owners, feeds, world.eliminated)
    gone = {power: out for power in COLONIAL_POWERS if (out := eliminated(board, settled, power))}
    return World(world.pieces, world.of, owners, feeds, gone)


def is_exception(board: Board, world: World, power: str, centre: str) -> bool:
    """IV.E: "(1) a Colonial Power captures a supply center in a continent where it was given no home centers at the
    start of the game, (2) a Colonial Power captures a supply center in a continent where it has been "eliminated" from
    that continent at the end of any prior game year, or (3) England captures a Turkish home supply center. If any one
    of these three requirements are met, the capturing unit transfers the supplies (and added status) to the unit's
    home continent."
    """
    if power not in COLONIAL_POWERS:
        return False
    where = continent(board, centre)
    return (
        where not in home_continents(board, power)
        or where in world.eliminated.get(power, ())
        or (power == "ENGLAND" and centre in board.powers["TURKEY"].homes)
    )


def status(board: Board, world: World, power: str) -> Counter[str]:
    """IV.C: "For Colonial Powers, the units of a continent must be supported by supply centers of the same continent",
    whoever took them, but for the exceptions.
    """
    own = [centre for centre, owner in world.owners.items() if owner == power]
    return Counter(world.feeds.get(centre) or continent(board, centre) for centre in own)


def eliminated(board: Board, world: World, power: str) -> frozenset[str]:
    """IV.D: "If a Colonial Power’s supply center status in a continent is ever reduced to zero at the end of a game
    year, that power is "eliminated" from that continent [...] for the rest of the game."
    """
    now = status(board, world, power)
    zero = {where for where in home_continents(board, power) if not now[where]}
    return frozenset(zero | world.eliminated.get(power, frozenset()))


def february(board: Board, world: World, power: str, lines: Sequence[Build | Remove]) -> Adjusted:
    """A Colonial Power's adjustments. IV.C: "Russia can't use the gain in Europe to compensate for the loss in Asia.
    Russia must build a European unit and disband an Asian unit." "All of Russia’s European home centers are occupied.
    [...] They must play one unit short in Europe and still disband one Asian unit."
    """
    found = Adjusted()
    full = {piece.place for piece in world.pieces}
    for where, homes in home_continents(board, power).items():
        own = [piece for piece in world.pieces if piece.power == power and world.of[piece.id] == where]
        due = status(board, world, power)[where] - len(own)
        builds = 0
        for line in lines:
            if isinstance(line, Build) and builds < due and where not in world.eliminated.get(power, ()):
                taken = full | {each.at[:3] for each in found.built}
                if may_build(board, power, homes, world.owners, taken, line):
                    found.built.append(line)
                    builds += 1
        if due < 0:
            wished = [line.of for line in lines if isinstance(line, Remove) and line.of in {p.id for p in own}]
            gone = list(dict.fromkeys(wished))[:-due]
            gone += first_to_go(board, homes, [piece for piece in own if piece.id not in gone])[: -due - len(gone)]
            found.removed += gone
    return found
