"""Ratings of players as zines print them: a table for each method, with its name and source, replacements apart.

What a game is worth by a method is `judge.game.table.scoring`; how figures move over many games `judge.people.ratings`.
Who took a power over is rated separately, marked with the phase from which they played, and stands in no ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from judge.game.settings.values import SYSTEM_NAMES
from judge.game.table.scoring import points_of
from judge.languages import tell
from judge.people.ratings import Figures, rate
from judge.report.played.endings import figure
from judge.service.people.ratings import FinishedGame, parts_of, parts_played
from judge.zine.issue import Statistics, StatTable


class Reckoning(StrEnum):
    """How a method makes one figure of many games."""

    SUM = "points of all games together"
    AVERAGE = "average of all games that were played to the end"
    MOVING = "a figure that each game moves"


@dataclass(frozen=True, slots=True)
class RatingMethod:
    """A method by name: what it is called, where it is from, what a game is worth by it, and how games add up."""

    title: str
    source: str
    rule: str
    reckoning: Reckoning = Reckoning.AVERAGE

    @property
    def note(self) -> str:
        """The sentences below its table."""
        return f"{self.rule} Source: {self.source}. Figure: {self.reckoning}."


METHODS: Mapping[str, RatingMethod] = MappingProxyType({
    "calhamer": RatingMethod(
        "Calhamer points", "the game's author, Allan B. Calhamer",
        "A win is one point, a draw of n powers 1/n for each.", Reckoning.SUM,
    ),
    "hall-of-fame": RatingMethod(
        "E-mail Hall of Fame", "the zine Electronic Protocol",
        "Those who did not share, divided by those who did: of seven a win is 6, a draw of two 2.5, of three 1.33.",
        Reckoning.SUM,
    ),
    "dsi": RatingMethod(
        "DSI", "the days of Electronic Protocol",
        "A win is 7, a draw of n 7/n, survival 1/2, elimination 1/4, to have been replaced 0.", Reckoning.SUM,
    ),
    "draw-size": RatingMethod(
        "Draw-size", "tournaments and sites of the hobby", "Calhamer's shares of a pot of 100.",
    ),
    "squares": RatingMethod(
        "Sum of squares", "tournaments and sites of the hobby",
        "Centres squared, as a share of all such squares, of 100; a winner has all.",
    ),
    "c-diplo": RatingMethod(
        "C-Diplo", "the C-Diplo tournaments",
        "1 for playing, 1 for each centre, 38, 14 and 7 for the first three; a winner has 100.",
    ),
    "c-diplo-73": RatingMethod(
        "C-Diplo 73", "the French variant of C-Diplo", "As C-Diplo, but a winner has 73: 38 + 34 + 1.",
    ),
    "carnage": RatingMethod(
        "Carnage", "Carnage tournaments",
        "7000 for the first place to 1000 for the last, equals share, and 1 for each centre; a winner has 28034.",
    ),
    "dixie": RatingMethod(
        "Dixie", "DixieCon",
        "Places at 270, 70, 50, 34, 20, 10 and 0, those in a draw share the first ones, and 4 for each centre.",
    ),
    "manorcon": RatingMethod(
        "Manorcon", "ManorCon", "For S centres P = S*S + 4*S + 16; each survivor's share of all P, of 100.",
    ),
    "elo": RatingMethod(
        "Elo", "Arpad Elo's method for chess, on each pair of a table",
        "All begin with 1500; the one with more of a game has beaten the other, equals have drawn.", Reckoning.MOVING,
    ),
    "ghost": RatingMethod(
        "Ghost-Rating", "webDiplomacy, by TheGhostmaker",
        "All begin with 100; everybody stakes the same part of it (1/17.5, half of that with public press alone, a "
        "quarter without press), and those who share the game share the stakes.",
        Reckoning.MOVING,
    ),
})  # fmt: skip
"""All methods, in the order in which they are offered."""

RECOMMENDED = ("calhamer", "hall-of-fame", "squares", "c-diplo", "elo", "ghost")
"""Those that an issue prints; the archive and `export ratings` have all."""


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A line of a ranking. `games`: that they began; `left`: those of them that they gave up."""

    rank: int
    player: str
    games: int
    won: int
    shared: int
    survived: int
    eliminated: int
    left: int
    points: float


@dataclass(frozen=True, slots=True)
class ReplacementPlayed:
    """A power that somebody took over and played to the end. `since`: the phase, "S1904"; `points`: by each system."""

    player: str
    game: str
    powers: tuple[str, ...]
    since: str
    fate: str
    centres: int
    points: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class HobbyRatings:
    """Rankings by method, and what replacements have played. `games`: how many were rated."""

    games: int
    rankings: Mapping[str, tuple[RatedPlayer, ...]]
    replacements: tuple[ReplacementPlayed, ...]


def ratings_of(
    games: Sequence[FinishedGame], names: Callable[[int], str], methods: Iterable[str] = METHODS
) -> HobbyRatings:
    """The ratings after these games, which are in the order in which they ended. `names`: of a person."""
    figures = rate(parts_of(one.score, SYSTEM_NAMES) for one in games)
    rankings = {method: _ranking(figures, names, method) for method in methods}
    replaced = tuple(line for one in games for line in _replacements(one, names))
    return HobbyRatings(len(games), MappingProxyType(rankings), replaced)


def _ranking(figures: Mapping[int, Figures], names: Callable[[int], str], method: str) -> tuple[RatedPlayer, ...]:
    """The best first; equals have one rank."""
    points = {person: _points(has, method) for person, has in figures.items() if has.games}
    order = sorted(points, key=lambda person: (-round(points[person], 6), names(person), person))
    ranks: dict[float, int] = {}
    for place, person in enumerate(order, 1):
        ranks.setdefault(round(points[person], 6), place)
    return tuple(
        _line(ranks[round(points[person], 6)], names(person), figures[person], points[person]) for person in order
    )


def _line(rank: int, name: str, has: Figures, points: float) -> RatedPlayer:
    return RatedPlayer(
        rank, name, has.games, has.won, has.shared, has.survived, has.eliminated, has.left, round(points, 4)
    )


def _points(has: Figures, method: str) -> float:
    if METHODS[method].reckoning is Reckoning.MOVING:
        return has.elo if method == "elo" else has.ghost
    together = has.points.get(method, 0.0)
    if METHODS[method].reckoning is Reckoning.SUM:
        return together
    return together / max(1, has.games - has.left)


def _replacements(one: FinishedGame, names: Callable[[int], str]) -> Iterable[ReplacementPlayed]:
    points = points_of(one.score.placings)
    for taken in parts_played(one.score):
        if taken.part != "standby":
            continue
        since = next(term.since for term in reversed(taken.placings[0].terms) if term.person == taken.person)
        sums = {system: sum(points[system][placing.power] for placing in taken.placings) for system in SYSTEM_NAMES}
        yield ReplacementPlayed(
            names(taken.person), one.key, tuple(placing.power for placing in taken.placings), since[:5],
            taken.placings[0].fate, sum(placing.centres for placing in taken.placings), MappingProxyType(sums),
        )  # fmt: skip


# --- as tables ------------------------------------------------------------------------------------------------------


def ratings_block(ratings: HobbyRatings, *, shown: int = 50) -> Statistics:
    """All rankings as tables, `shown` players at most in each, and the replacements apart."""
    tables = tuple(_table(METHODS[method], rows, shown) for method, rows in ratings.rankings.items() if rows)
    systems = tuple(method for method in ratings.rankings if method in SYSTEM_NAMES)[:4]
    if ratings.replacements and systems:
        tables += (_replacements_table(ratings.replacements, systems),)
    count = tell("one game") if ratings.games == 1 else tell("{games} games", games=ratings.games)
    return Statistics(
        "Ratings", tables, notes=(tell("After {count}. Whoever took a power over is rated separately.", count=count),)
    )


def _table(method: RatingMethod, rows: Sequence[RatedPlayer], shown: int) -> StatTable:
    lines = tuple(
        (str(row.rank), row.player, str(row.games), str(row.won), str(row.shared), figure(round(row.points, 2)))
        for row in rows[:shown]
    )
    more = (f"And {len(rows) - shown} more.",) if len(rows) > shown else ()
    columns = ("", "Player", "Games", "Won", "Shared", "Points")
    return StatTable(method.title, columns, lines, (0, 2, 3, 4, 5), (*more, method.note))


def _replacements_table(played: Sequence[ReplacementPlayed], systems: Sequence[str]) -> StatTable:
    lines = tuple(
        (
            row.player, row.game.upper(), " + ".join(power.title() for power in row.powers), f"from {row.since}",
            row.fate, *(figure(round(row.points[system], 2)) for system in systems),
        )
        for row in played
    )  # fmt: skip
    columns = ("Player", "Game", "Power", "Played", "Result", *(METHODS[system].title for system in systems))
    note = tell("Rated separately: the points are those of the power at the end of its game.")
    return StatTable("Replacements", columns, lines, tuple(range(5, len(columns))), (note,))
