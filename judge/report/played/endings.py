"""How a game ended, in a sentence and for subjects, who played what to the end, and what points each power has.

The ratings of the players, as everybody may read them, and the reader's own games one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.game.core.model import Game, Stage, for_players
from judge.game.core.parts import Ending, Seat
from judge.game.settings.values import USUAL_SYSTEMS
from judge.game.table.scoring import Placing, points_of, score_of, terms_of
from judge.people.ratings import Figures
from judge.report.core.answer import Enclosure
from judge.report.core.frame import Cast
from judge.report.core.letter import plain
from judge.report.core.naming import Said, power_name, say

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


def ending_sentence(game: Game) -> Said | None:
    """How the game ended; None while it goes on."""
    return say("ended", **_ending(game, game.ending)) if game.ending else None


def ending_in_short(game: Game) -> Said | None:
    """The end for a subject; None while it goes on."""
    return say("ended-in-short", **_ending(game, game.ending)) if game.ending else None


def _ending(game: Game, end: Ending) -> dict[str, Any]:
    """`reason`: of a time limit, what is counted then ("" for a draw); else the Gamemaster's own."""
    powers = [power_name(power, game.board) for power in end.powers]
    return {"how": end.how, "powers": powers, "reason": end.reason, "after": game.end_after}


@dataclass(frozen=True, slots=True)
class Finisher:
    """One power at the end: who played it (all of them, first to last), its centres, what became of it."""

    power: str
    players: Said
    centres: int
    fate: Said


def finishers(game: Game, cast: Cast) -> tuple[Finisher, ...]:
    """All powers that were played, the one with most centres first."""
    rows = []
    for power in game.board.powers:
        seat = game.seat_of(power)
        if seat is None:
            continue
        centres = len(game.position.centres(power)) if game.position else 0
        rows.append(Finisher(power_name(power, game.board), players_of(game, seat, cast), centres, _fate(game, power)))
    return tuple(sorted(rows, key=lambda row: -row.centres))


def players_of(game: Game, seat: Seat, cast: Cast) -> Said:
    """Who played, from and until which phase ("": the start, the end); while an anonymous game runs, without names."""
    secret = game.settings.anonymous and game.stage is not Stage.ENDED
    terms = [
        {"name": "" if secret else cast.member(term.person).name, "since": term.since[:5], "until": term.until[:5]}
        for term in terms_of(seat)
    ]
    left = any(term.why for term in terms_of(seat))
    return say("players", terms=terms, always=len(terms) == 1 and not left, vacant=not seat.filled)


def game_points(game: Game) -> tuple[PointsRow, ...]:
    """The points of each power by the systems of the game; none where the game is not rated."""
    score = score_of(game)
    if score is None:
        return ()
    return points_rows(score.placings, game.settings.scoring, lambda power: power_name(power, game.board))


def _fate(game: Game, power: str) -> Said:
    ending = game.ending
    if ending is not None and power in ending.powers and power not in for_players(game.system):
        return say("fate", fate="joined")
    if ending is not None and power in ending.powers:
        draw = ending.how not in ("limit", "win") or (ending.how == "limit" and not ending.reason)
        return say("fate", fate="winner" if len(ending.powers) == 1 else "shares-draw" if draw else "shares-win")
    return say("fate", fate="survivor" if power in game.survivors else "eliminated")
