"""The ratings of the players, as everybody may read them, and the reader's own games one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.game.settings.values import USUAL_SYSTEMS
from judge.game.table.scoring import Placing, points_of
from judge.people.ratings import Figures
from judge.report.core.answer import Enclosure
from judge.report.core.letter import plain

SHOWN = 50
"""So many players at most; the reader in any case."""
AVERAGED = frozenset({"squares", "c-diplo"})
"""Systems whose figure is the average of a player's games; of the others it is the sum."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that the reader finished or gave up: when it ended, what they played since when ("": the start), how that
    ended; `points`: in the order of the systems, none where they do not count for them."""

    game: str
    ended: str
    power: str
    since: str
    fate: str
    centres: int
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One player. `elo`, `change`: rounded; `points`: in the order of the systems."""

    rank: int
    name: str
    games: int
    won: int
    shared: int
    survived: int
    eliminated: int
    left: int
    elo: int
    change: str
    points: tuple[str, ...]
    mine: bool = False
    record: str = ""
    """How reliable they are, in plain figures: "22 of 24 turns on time"."""


@dataclass(frozen=True, slots=True)
class RatingsView:
    """The table, the best first; `more`: how many are not shown; `standbys`: "Hal 2" for seats taken over and played
    to the end; `own`: the reader's games."""

    games: int
    systems: tuple[str, ...]
    rows: tuple[RatingRow, ...]
    more: int
    standbys: tuple[str, ...]
    own: tuple[RatedGame, ...]
    ignored: tuple[str, ...] = ()


def ratings_view(
    figures: Mapping[int, Figures], names: Callable[[int], str], *, games: int, reader: int, own: Iterable[RatedGame],
    records: Callable[[int], str],
) -> Enclosure:  # fmt: skip
    """The answer to `ratings`. `records`: how reliable somebody is, in words."""
    regular = [person for person, has in figures.items() if has.games]
    regular.sort(key=lambda person: (-round(figures[person].elo), -figures[person].games, names(person)))
    rows = [
        replace(_row(rank, names(person), figures[person], mine=person == reader), record=records(person))
        for rank, person in enumerate(regular, 1)
    ]
    shown = [row for row in rows if row.rank <= SHOWN or row.mine]
    helped = [(has.taken_over, names(person)) for person, has in figures.items() if has.taken_over]
    view = RatingsView(
        games=games,
        systems=USUAL_SYSTEMS,
        rows=tuple(shown),
        more=len(rows) - len(shown),
        standbys=tuple(f"{name} {count}" for count, name in sorted(helped, reverse=True)[:SHOWN]),
        own=tuple(own),
    )
    return Enclosure("ratings", plain(view))


def _row(rank: int, name: str, has: Figures, *, mine: bool) -> RatingRow:
    finished = max(has.games - has.left, 1)
    points = tuple(
        figure(has.points.get(system, 0.0) / (finished if system in AVERAGED else 1)) for system in USUAL_SYSTEMS
    )
    return RatingRow(
        rank, name, has.games, has.won, has.shared, has.survived, has.eliminated, has.left,
        round(has.elo), f"{round(has.change):+d}", points, mine,
    )  # fmt: skip


def figure(points: float) -> str:
    """Points with as many digits as a table wants.

    >>> figure(0.25), figure(36.8181), figure(100.0)
    ('0.25', '36.8', '100')
    """
    if points == int(points):
        return str(int(points))
    return f"{points:.2f}" if points < 10 else f"{points:.1f}"


@dataclass(frozen=True, slots=True)
class PointsRow:
    """The points of one power in one game, in the order of the systems."""

    name: str
    points: tuple[str, ...]


def points_rows(
    placings: Sequence[Placing], systems: Sequence[str], name_of: Callable[[str], str]
) -> tuple[PointsRow, ...]:
    """The points of a game by these systems, the best power first."""
    found = points_of(placings, systems)
    order = sorted(placings, key=lambda placing: (not placing.best, -placing.centres))
    return tuple(
        PointsRow(name_of(placing.power), tuple(figure(found[system][placing.power]) for system in systems))
        for placing in order
    )
