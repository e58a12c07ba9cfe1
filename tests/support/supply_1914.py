"""Supply lines and yields of 1914 a second time, sentence by sentence: every line is walked, space by space. Uses the
board's borders, and no code of the adjudicator. Not here: bombers, lost capitals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board
from judge.rules import Rules
from tests.support.rulebook_1914 import Piece, World

RICH = 200
"""Points of everybody, so that every unit can be maintained."""


class Supply:
    """Who is supplied, on one position."""

    def __init__(self, board: Board, world: World, pieces: Sequence[Piece]) -> None:
        self.board, self.world, self.pieces = board, world, pieces
        self.at = {piece.place: piece for piece in pieces}
        self.near = near(board)

    def is_supplied(self, country: str, start: str) -> bool:
        """ "A supply line is a contiguous line of land and sea spaces [...] of any length; and the line must lead from
        the unit to the capital of the unit's country."
        """
        capital = str(self.board.powers[country].facts["capital"])
        seen, reached = {start}, [start]
        while reached:
            here = reached.pop()
            if here == capital:
                return True
            for space in self.near[here] - seen:
                if self._is_open(country, space) and (here == start or not self._is_watched(country, space)):
                    seen.add(space)
                    reached.append(space)
        return False

    def _is_open(self, country: str, space: str) -> bool:
        """ "Unoccupied by any unit or occupied by a friendly unit and excluding unfriendly supply center spaces"."""
        piece = self.at.get(space)
        if piece is not None and not self._is_friendly(country, piece.country):
            return False
        return not self.board.provinces[space].centre or self._is_friendly(country, self.world.owners.get(space))

    def _is_friendly(self, country: str, other: str | None) -> bool:
        """Units of minor countries that nobody controls are friends of nobody."""
        return self.world.friends(country, other)

    def _is_watched(self, country: str, space: str) -> bool:
        """ "No unoccupied non-center space in the supply line, except the first space and any spaces in the unit's home
        country, may be adjacent to a space occupied by a non-friendly unit which is able to move to the non-center
        space."
        """
        province = self.board.provinces[space]
        if space in self.at or province.centre or province.territory == country:
            return False
        return any(
            not self._is_friendly(country, piece.country)
            and space in {to[:3] for to in self.board.reach(piece.kind, piece.at)}
            for piece in self.pieces
        )

    def yields(self) -> Counter[str]:
        """ "A Great Power's own home center: six. Another Great Power's home center: five. Any other center: four." But
        "no supply points for a center if no supply line can be traced from the center to the country's capital".
        """
        found: Counter[str] = Counter()
        for centre, owner in self.world.owners.items():
            if self._is_idle(owner) or not self.is_supplied(owner, centre):
                continue
            home = self.board.home_of.get(centre, "")
            great = home not in self.world.minors
            found[owner] += 4 if not great else 6 if home == owner else 5
        return found

    def _is_idle(self, country: str) -> bool:
        return country in self.world.minors and country not in self.world.control

    def unsupplied(self) -> Iterator[Piece]:
        """ "Any unit without a supply line is eliminated", be it of a minor country that nobody controls."""
        return (piece for piece in self.pieces if not self.is_supplied(piece.country, piece.place))


@cache
def _near(board_key: str, pairs: frozenset[tuple[str, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {place: frozenset(places) for place, places in found.items()}


def near(board: Board) -> dict[str, frozenset[str]]:
    """Which spaces touch: those between which any unit passes."""
    return _near(board.key, frozenset((border.a[:3], border.b[:3]) for border in board.borders))


def winter(random: Random, board: Board) -> tuple[World, list[Piece]]:
    """A board full of units, with centres in other hands, some of them far from home."""
    minors = frozenset(key for key, power in board.powers.items() if power.minor)
    great = sorted(set(board.powers) - minors)
    control = {minor: random.choice(great) for minor in sorted(minors) if random.random() < 0.4}
    allies = frozenset(frozenset(random.sample(great, 2)) for _ in range(random.randint(0, 2)))
    capitals = {str(power.facts["capital"]): key for key, power in board.powers.items()}
    owners = dict(board.home_of)
    for centre in sorted(set(owners) - set(capitals)):
        if random.random() < 0.4:
            owners[centre] = random.choice([*great, *sorted(control)])
    world = World(owners, control, allies, minors)
    pieces: list[Piece] = []
    for place in sorted(board.provinces):
        if random.random() < random.choice((0.3, 0.6)):
            continue
        kinds = [kind for kind in "AF" if board.standings(kind, place)]
        country = owners.get(place) or random.choice([*great, *sorted(control)])
        if country in minors and country not in control and board.home_of.get(place) != country:
            continue
        if kinds:
            kind = random.choice(kinds)
            pieces.append(Piece(len(pieces) + 1, country, kind, random.choice(board.standings(kind, place))))
    return world, pieces


def compare_winter(board: Board, rules: Rules, world: World, pieces: list[Piece]) -> list[str]:
    """What the sentences and the answer to the same winter as JSON say differently."""
    countries = sorted(key for key in board.powers if key not in world.minors or key in world.control)
    line: dict[str, Any] = {"id": 1, "phase": "W1914A", "units": {}, "centers": {}, "orders": {}}
    line["points"] = dict.fromkeys(countries, RICH)
    line["marks"] = {"control": dict(world.control), "allies": [sorted(pair) for pair in world.allies], "factors": {}}
    for piece in pieces:
        line["units"].setdefault(piece.country, []).append(f"{piece.kind} {piece.at}")
    for centre, owner in world.owners.items():
        line["centers"].setdefault(owner, []).append(centre)
    answer = adjudicate_object(line, board, rules)
    supply = Supply(board, world, pieces)
    yields, many = supply.yields(), Counter(piece.country for piece in pieces)
    points = {country: RICH + yields[country] - 3 * many[country] for country in countries}
    told = {country: answer["points"].get(country, 0) for country in countries}
    found = [
        f"{country} has {told[country]} points, by the book {points[country]}"
        for country in countries
        if told[country] != points[country]
    ]
    gone = {f"{piece.kind} {piece.at}" for piece in supply.unsupplied()}
    if gone != set(answer["unsupplied"]):
        found.append(f"unsupplied {sorted(answer['unsupplied'])}, by the book {sorted(gone)}")
    return found
