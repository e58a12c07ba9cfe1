"""The centre chart: who owns how many centres now and before, and who gained what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judge.board.position import Position
from judge.game.core.model import Game
from judge.orders.spelled import places
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
