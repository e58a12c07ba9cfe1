"""Ratings of players over many games: points by system, an Elo figure and a Ghost-Rating.

Elo for a table of seven: everybody is compared with everybody else of the same game; the one with more of it (by
Calhamer's points) has beaten the other, equals have drawn. Each pair moves as in chess, with K shared among the
opponents, so that what one gains others lose and the sum stays. All begin with 1500.

Ghost-Rating, as webDiplomacy explains it in its page on Ghost Ratings (category "Overall"): a game moves somebody by
x * (their share of it - their share of the ratings at the table), where x is the sum of those ratings, divided by
17.5 times a weight for the press. All begin with 100, and the sum stays. The page also weighs five of its variants,
none of which is played here: every board weighs 1, as the standard one does.

By both, who gave their power up, or lost it by not writing, stands as one without points; who took a power over is
counted apart and moves no figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType

FIRST = 1500.0
"""What everybody begins with."""
K = 32.0
"""How far one game moves a figure at most."""
_SCALE = 400.0
GHOST_FIRST = 100.0
"""What everybody's Ghost-Rating begins with."""
_GHOST_POT = 17.5
GHOST_WEIGHTS: Mapping[str, float] = MappingProxyType({"full": 1.0, "public": 2.0, "none": 4.0})
"""Press between the players -> the weight of the game in Ghost-Ratings: the greater it is, the less it moves."""


@dataclass(frozen=True, slots=True)
class GamePart:
    """Somebody's part in one finished game. `part`: "regular", "standby" or "left"; `share`: Calhamer's points;
    `points`: those of every system; `weight`: of the game in Ghost-Ratings, the same for all of its parts.
    """

    person: int
    part: str
    fate: str
    share: float
    points: Mapping[str, float]
    weight: float = 1.0


@dataclass(slots=True)
class Figures:
    """What somebody has to show. `points`: sums by system, over their own games; `change`: of Elo, by their last
    game.
    """

    games: int = 0
    won: int = 0
    shared: int = 0
    survived: int = 0
    eliminated: int = 0
    left: int = 0
    taken_over: int = 0
    elo: float = FIRST
    change: float = 0.0
    ghost: float = GHOST_FIRST
    points: dict[str, float] = field(default_factory=dict)


def rate(games: Iterable[Sequence[GamePart]]) -> dict[int, Figures]:
    """Person -> their figures after these games, which are in the order in which they ended.

    >>> winner = GamePart(1, "regular", "won", 1.0, {})
    >>> figures = rate([[winner, GamePart(2, "regular", "survived", 0.0, {})]])
    >>> figures[1].elo, figures[2].elo
    (1516.0, 1484.0)
    """
    found: dict[int, Figures] = {}
    for parts in games:
        for part in parts:
            _count(found.setdefault(part.person, Figures()), part)
        rated = [part for part in parts if part.part != "standby"]
        _move(found, rated)
        _stake(found, rated)
    return found


def _count(figures: Figures, part: GamePart) -> None:
    if part.part == "standby":
        figures.taken_over += 1
        return
    figures.games += 1
    if part.part == "left":
        figures.left += 1
        return
    setattr(figures, part.fate, getattr(figures, part.fate) + 1)
    for system, points in part.points.items():
        figures.points[system] = figures.points.get(system, 0.0) + points


def _move(found: Mapping[int, Figures], parts: Sequence[GamePart]) -> None:
    """Every pair of a game moves once; who answers for two powers is not their own opponent."""
    moved = {part.person: 0.0 for part in parts}
    for one, other in combinations(parts, 2):
        if one.person == other.person:
            continue
        expected = 1 / (1 + 10 ** ((found[other.person].elo - found[one.person].elo) / _SCALE))
        mine, yours = _share(one), _share(other)
        result = 0.5 if mine == yours else float(mine > yours)
        step = K / (len(parts) - 1) * (result - expected)
        moved[one.person] += step
        moved[other.person] -= step
    for person, step in moved.items():
        found[person].elo += step
        found[person].change = step


def _stake(found: Mapping[int, Figures], parts: Sequence[GamePart]) -> None:
    """Ghost-Rating: everybody against all of the table at once, so that who answers for two powers has one stake."""
    shares: dict[int, float] = {}
    for part in parts:
        shares[part.person] = shares.get(part.person, 0.0) + _share(part)
    had = sum(shares.values())
    if not had:
        return
    before = {person: found[person].ghost for person in shares}
    table = sum(before.values())
    pot = table / (_GHOST_POT * parts[0].weight)
    for person, share in shares.items():
        found[person].ghost += pot * (share / had - before[person] / table)


def _share(part: GamePart) -> float:
    return 0.0 if part.part == "left" else part.share
