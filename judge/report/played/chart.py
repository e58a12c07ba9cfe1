"""Who owns how many centres now and before, and how a game ended: in a sentence and for subjects, who played what to
the end, and with which points.

The ratings of the players, as everybody may read them, and the reader's own games one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.board.position import Position
from judge.game.core.model import Game, Stage, for_players
from judge.game.core.parts import Ending, Seat
from judge.game.settings.values import USUAL_SYSTEMS
from judge.game.table.scoring import Placing, points_of, score_of, terms_of
from judge.orders.spelled import places
from judge.people.ratings import Figures
from judge.report.core.letter import Cast, Enclosure, plain
from judge.report.core.naming import Said, power_name, say
from judge.rules.model import Rules


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One power: centres now and at the last count, a mark per centre gained ("+") or lost ("-"), and which.

    `units`: pieces on the board; `centres`: names of all its centres.
    """

    key: str
    name: str
    now: int
    was: int
    mark: str
    units: int
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    centres: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Owned:
    """The centres that a power owns, by name."""

    name: str
    centres: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CentreChart:
    """`title` says as of when; `rows` in the board's order, powers without centre or unit left out once gone.

    `owned`: who owns which centre now, also where the counts look ahead; `free`: the centres that nobody owns
    by the `rows`: one that stands among them as gained is not free, although it is not counted yet. `to_win`: how many
    win, where the game has a number of its own; 0: as many as the board says.
    """

    title: Said
    rows: tuple[ChartRow, ...]
    owned: tuple[Owned, ...] = ()
    free: tuple[str, ...] = ()
    projected: bool = False
    to_win: int = 0


def chart(
    before: Position,
    after: Position,
    *,
    projected: bool,
    year: int,
    was: Mapping[str, int] | None = None,
    now: Position | None = None,
    to_win: int = 0,
) -> CentreChart:
    """The chart of `after` against `before`, whose owners are those before this turn.

    `was`: the counts of the last count, where they are known otherwise than from `before`. `projected`: ownership has
    not been settled yet; the chart shows what it will be if retreats change nothing. `year`: that of the last count.
    `now`: the position whose owners count now, where `after` looks ahead.
    """
    board = after.board
    names = dict(zip(board.centres, places(board.centres, board), strict=True))
    then, owned = _by_owner(before), _by_owner(after)
    units = Counter(unit.power for unit in (*after.units, *(lost.unit for lost in after.dislodged)))
    rows = []
    for power in board.powers:
        old, own = then.get(power, ()), owned.get(power, ())
        count = len(old) if was is None else was.get(power, 0)
        rows.append(_row(power, power_name(power, board), (old, own), count, units[power], names))
    title = say("chart", projected=projected, year=year if year >= board.first_phase.year else 0)
    alive = tuple(row for row in rows if row.now or row.was or row.units)
    free = tuple(names[code] for code in board.centres if code not in after.owners)
    counted = owned if now is None else _by_owner(now)
    by_name = tuple(
        Owned(power_name(power, board), tuple(names[code] for code in counted[power]))
        for power in board.powers
        if power in counted
    )
    return CentreChart(title, alive, by_name, free, projected, to_win)


def _by_owner(position: Position) -> Mapping[str, Sequence[str]]:
    """Power -> the centres that it owns, in the board's order."""
    found: dict[str, list[str]] = {}
    for code in position.board.centres:
        if (owner := position.owners.get(code)) is not None:
            found.setdefault(owner, []).append(code)
    return found


def projected_owners(position: Position, rules: Rules) -> Position:
    """The position with every centre given to whoever stands on it."""
    return replace(position, owners=rules.owners(position, position.units))


def _row(
    power: str, name: str, owned: tuple[Sequence[str], Sequence[str]], count: int, units: int, names: Mapping[str, str]
) -> ChartRow:
    """`owned`: its centres before and now; `count`: how many they were at the last count; `names`: of all centres."""
    was, now = owned
    change = len(now) - count
    return ChartRow(
        key=power,
        name=name,
        now=len(now),
        was=count,
        mark="+" * change if change > 0 else "-" * -change,
        units=units,
        gained=tuple(names[code] for code in now if code not in was),
        lost=tuple(names[code] for code in was if code not in now),
        centres=tuple(names[code] for code in now),
    )


@dataclass(frozen=True, slots=True)
class YearRow:
    """One power's centres, year by year."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class YearTable:
    """Centres by year: `years` across, a row for each power that ever owned one."""

    years: tuple[int, ...]
    rows: tuple[YearRow, ...]


def years(game: Game) -> YearTable:
    """The whole chart of a game, year by year (5.2 step 21)."""
    played = tuple(sorted(game.chart))
    counts: Mapping[int, Mapping[str, int]] = game.chart
    rows = tuple(
        YearRow(power_name(power, game.board), tuple(counts[year].get(power, 0) for year in played))
        for power in game.board.powers
        if any(counts[year].get(power, 0) for year in played)
    )
    return YearTable(played, rows)


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
        replace(_rating_row(rank, names(person), figures[person], mine=person == reader), record=records(person))
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


def _rating_row(rank: int, name: str, has: Figures, *, mine: bool) -> RatingRow:
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
