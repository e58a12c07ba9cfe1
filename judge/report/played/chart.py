"""The centre chart: who owns how many centres now and before, and who gained what (G09)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from judge.board.position import Position
from judge.game.core.model import Game
from judge.orders.spelled import places
from judge.report.core.facts import Said, say
from judge.report.core.naming import power_name
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

    `owned`: who owns which centre now, also where the counts look ahead; `free`: the centres that nobody owns.
    """

    title: Said
    rows: tuple[ChartRow, ...]
    owned: tuple[Owned, ...] = ()
    free: tuple[str, ...] = ()
    projected: bool = False


def chart(
    before: Position,
    after: Position,
    *,
    projected: bool,
    year: int,
    was: Mapping[str, int] | None = None,
    now: Position | None = None,
) -> CentreChart:
    """The chart of `after` against `before`, whose owners are those before this turn.

    `was`: the counts of the last count, where they are known otherwise than from `before`. `projected`: ownership has
    not been settled yet; the chart shows what it will be if retreats change nothing. `year`: that of the last count.
    `now`: the position whose owners count now, where `after` looks ahead.
    """
    board = after.board
    rows = [_row(power, before, after, was) for power in board.powers]
    title = say("chart", projected=projected, year=year if year >= board.first_phase.year else 0)
    alive = tuple(row for row in rows if row.now or row.was or row.units)
    current = now or after
    free = tuple(places([code for code in board.centres if code not in current.owners], board))
    return CentreChart(title, alive, _owned(current), free, projected)


def _owned(position: Position) -> tuple[Owned, ...]:
    board = position.board
    return tuple(
        Owned(power_name(power, board), tuple(places(centres, board)))
        for power in board.powers
        if (centres := position.centres(power))
    )


def projected_owners(position: Position, rules: Rules) -> Position:
    """The position with every centre given to whoever stands on it."""
    return replace(position, owners=rules.owners(position, position.units))


def _row(power: str, before: Position, after: Position, counts: Mapping[str, int] | None) -> ChartRow:
    now, was = after.centres(power), before.centres(power)
    old = len(was) if counts is None else counts.get(power, 0)
    change = len(now) - old
    mark = "+" * change if change > 0 else "-" * -change
    board = after.board
    return ChartRow(
        key=power,
        name=power_name(power, board),
        now=len(now),
        was=old,
        mark=mark,
        units=len(after.of(power)) + sum(lost.unit.power == power for lost in after.dislodged),
        gained=tuple(places([code for code in now if code not in was], board)),
        lost=tuple(places([code for code in was if code not in now], board)),
        centres=tuple(places(now, board)),
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
