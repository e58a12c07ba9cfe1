"""What zines print of games and players: statistics once a year and of all games, and ratings, a table for each method
with its name and source.

Tables are read from the recorded history alone. While a game is played without names, nobody is named in them: who
holds a seat is "secret", and only that somebody was replaced is told, as the reports of the game have told it.

What a game is worth by a method is `judge.game.table.scoring`; how figures move over many games `judge.people.ratings`.
Who took a power over is rated separately, marked with the phase from which they played, and stands in no ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType

from judge.board.phase import Phase, PhaseKind
from judge.game.core.events import Event, PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Tenure
from judge.game.settings.values import SYSTEM_NAMES
from judge.game.table.scoring import points_of, terms_of
from judge.history import OrderResult, PlayedPhase, read_out
from judge.languages import tell, told_later
from judge.mail.letters.words import seasons
from judge.orders.model import Hold, Move, Support
from judge.orders.spelled import place
from judge.people.ratings import Figures, rate
from judge.report.core.letter import plain
from judge.report.core.naming import phase_fact, power_name
from judge.report.played.chart import figure
from judge.report.played.results import counting
from judge.service.people.ratings import FinishedGame, parts_of, parts_played
from judge.zine.issue import Graph, GraphLine, Statistics, StatTable
from judge.zine.own import abbreviations

ACROSS = 12
"""So many years stand beside each other in a table; those of a longer game go on in a second one."""
SECRET = "secret"
"""Who plays a seat of a game that is played without names."""

_WHY: Mapping[str, str] = {
    "left": told_later("resigned"), "nmr": told_later("sent no orders"), "removed": told_later("removed by the GM"),
    "replaced": told_later("replaced"), "disqualified": told_later("disqualified"),
    "withdrawn": told_later("seat taken back"),
}  # fmt: skip
"""Why a term ended, as the log has it -> as zines print it."""

OPENING_NAMES: Mapping[str, Sequence[tuple[str, Mapping[str, str]]]] = {
    "AUSTRIA": (
        ("Southern Hedgehog", {"VIE": "GAL", "BUD": "SER", "TRI": "VEN"}),
        ("Hedgehog", {"VIE": "GAL", "BUD": "RUM", "TRI": "VEN"}),
        ("Balkan Gambit", {"BUD": "SER", "TRI": "ALB"}),
    ),
    "ENGLAND": (
        ("Northern Opening", {"EDI": "NWG", "LON": "NTH"}),
        ("Southern Opening", {"EDI": "NTH", "LON": "ENG"}),
    ),
    "ITALY": (("Lepanto", {"ROM": "APU", "NAP": "ION", "VEN": ""}),),
}  # fmt: skip
"""Openings of the regular board that all of the hobby calls by one name: where each unit goes, "" where it holds. The
first that fits counts; units that are not named do as they like."""


def game_statistics(game: Game, events: Sequence[Event], names: Callable[[int], str]) -> Statistics:
    """The whole block of one game, as it is printed in full once a game year. `names`: of a person, for readers."""
    played = tuple(counting(events, game.calendar))
    tables = (
        players_table(game, names),
        *centres_tables(game),
        *owners_tables(game, played),
        *openings_of(game, played),
    )
    graphs = (centres_graph(game),) if len(game.chart) > 1 else ()
    return Statistics(tell("Statistics of {game}", game=game.key.upper()), tables, graphs, game=game.key)


def is_due(game: Game, printed: int) -> bool:
    """Whether a game year has been counted since the one whose statistics were `printed` last (0: none were)."""
    counted = max(game.chart, default=0)
    return counted > printed and len(game.chart) > 1


# --- players --------------------------------------------------------------------------------------------------------


def players_table(game: Game, names: Callable[[int], str]) -> StatTable:
    """Who played each power, from when until when, and why they do no more."""
    secret = game.settings.anonymous and game.stage is not Stage.ENDED
    rows: list[tuple[str, ...]] = []
    for power in game.board.powers:
        seat = game.seat_of(power)
        if seat is None:
            continue
        name = power_name(power, game.board)
        for term in terms_of(seat):
            rows.append((name, SECRET if secret else names(term.person), *_span(game, term)))
            name = ""
        if not seat.filled and game.stage is not Stage.ENDED:
            rows.append((name, tell("nobody: a standby is wanted"), "", "", ""))
    notes = (tell("The game is played without names; they are told when it is over."),) if secret else ()
    return StatTable(
        tell("Players"),
        (tell("Power"), tell("Player"), tell("From"), tell("To"), tell("Why")),
        tuple(rows),
        notes=notes,
    )


def _span(game: Game, term: Tenure) -> tuple[str, str, str]:
    since = season_of(game, term.since) if term.since else tell("the start")
    until = season_of(game, term.until) if term.until else (tell("the end") if game.stage is Stage.ENDED else "")
    return since, until, tell(_WHY[term.why]) if term.why in _WHY else term.why


def season_of(game: Game, code: str) -> str:
    """A phase as zines call it: "Autumn '01"."""
    return seasons([plain(phase_fact(game, code))])


# --- centres --------------------------------------------------------------------------------------------------------


def centres_tables(game: Game) -> Iterator[StatTable]:
    """The centres of each power, year by year; the first column is the start."""
    powers = _powers_with_centres(game)
    for title, years in _across(tell("Centres by year"), tuple(sorted(game.chart))):
        rows = [
            (power_name(power, game.board), *(str(game.chart[year].get(power, 0) or "-") for year in years))
            for power in powers
        ]
        columns = (tell("Power"), *map(str, years))
        yield StatTable(title, columns, tuple(rows), tuple(range(1, len(columns))))


def centres_graph(game: Game) -> Graph:
    """The same as lines."""
    years = tuple(sorted(game.chart))
    lines = tuple(
        GraphLine(power_name(power, game.board), tuple(float(game.chart[year].get(power, 0)) for year in years))
        for power in _powers_with_centres(game)
    )
    return Graph(tell("Centres by year"), tuple(map(str, years)), lines)


def _powers_with_centres(game: Game) -> tuple[str, ...]:
    return tuple(power for power in game.board.powers if any(counts.get(power) for counts in game.chart.values()))


def _across(title: str, years: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The years of each table, with its title."""
    for first in range(0, len(years), ACROSS):
        part = years[first : first + ACROSS]
        yield (
            (
                title
                if len(years) <= ACROSS
                else tell("{title}, {first} to {last}", title=title, first=part[0], last=part[-1])
            ),
            part,
        )


def owners_by_year(game: Game, played: Iterable[PhaseAdjudicated | PhaseSkipped]) -> Mapping[int, Mapping[str, str]]:
    """Year -> centre -> the power that owned it when that year was over, for the years that were counted."""
    found: dict[int, Mapping[str, str]] = {}
    for event in played:
        year = Phase.read(event.phase).year
        if year in game.chart:
            found[year] = event.after["owners"]
    return found


def owners_tables(game: Game, played: Sequence[PhaseAdjudicated | PhaseSkipped]) -> Iterator[StatTable]:
    """The grid of owners: a row for each centre, a column for each year."""
    board = game.board
    owners = owners_by_year(game, played)
    if not owners:
        return
    short = abbreviations(board)
    homes = {code: power for power in board.powers for code in board.powers[power].homes}
    order = sorted(board.centres, key=lambda code: ([*board.powers, ""].index(homes.get(code, "")), code))
    note = ", ".join(f"{short[power]} {power_name(power, board)}" for power in board.powers)
    for title, years in _across(tell("Owners of centres"), tuple(sorted(owners))):
        rows = [(place(code, board), *(short.get(owners[year].get(code, ""), "-") for year in years)) for code in order]
        yield StatTable(title, (tell("Centre"), *map(str, years)), tuple(rows), notes=(note + ".",))


# --- openings -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """How a power opened: its orders of the first moves, and the name of the opening, "" where it has none."""

    power: str
    orders: tuple[str, ...]
    name: str = ""

    @property
    def words(self) -> str:
        """As tables print it: "Lepanto: A ROM - APU, A VEN H, F NAP - ION"."""
        return (f"{self.name}: " if self.name else "") + ", ".join(self.orders)


def first_moves(game: Game, played: Sequence[PhaseAdjudicated | PhaseSkipped]) -> tuple[FirstMoves, ...]:
    """How each power opened, as far as the rules of the game read it out; nothing before the first moves are played."""
    for event in played:
        if isinstance(event, PhaseAdjudicated) and Phase.read(event.phase).kind is PhaseKind.MOVES:
            return tuple(_first_moves(read_out(event, game), game))
    return ()


def _first_moves(phase: PlayedPhase, game: Game) -> Iterator[FirstMoves]:
    begins = phase.phase == game.board.first_phase and game.settings.map == "standard"
    for power in game.board.powers:
        given = [result for result in phase.results if result.power == power and result.given]
        if given:
            orders = tuple(sorted(str(result.order) for result in given))
            yield FirstMoves(power, orders, _opening_name(given, power) if begins else "")


def _opening_name(given: Iterable[OrderResult], power: str) -> str:
    orders = [result.order for result in given if isinstance(result.order, (Move, Hold, Support))]
    done = {order.unit.at[:3]: order.to[:3] if isinstance(order, Move) else "" for order in orders}
    for name, wanted in OPENING_NAMES.get(power, ()):
        if all(done.get(at) == to for at, to in wanted.items()):
            return name
    return ""


def openings_of(game: Game, played: Sequence[PhaseAdjudicated | PhaseSkipped]) -> Iterator[StatTable]:
    """How each power opened, as a table; none before that."""
    rows = tuple((power_name(one.power, game.board), one.words) for one in first_moves(game, played))
    if rows:
        yield StatTable(tell("Openings"), (tell("Power"), tell("First moves")), rows)


def openings_table(games: Iterable[tuple[Game, Sequence[Event]]]) -> StatTable | None:
    """The openings of all games on the regular board, the commonest of each power first; None where there is none."""
    counted: dict[str, Counter[str]] = {}
    names: dict[str, str] = {}
    for game, events in games:
        if game.settings.map == "standard":
            for one in first_moves(game, counting(events, game.calendar)):
                counted.setdefault(one.power, Counter())[one.words] += 1
                names[one.power] = power_name(one.power, game.board)
    rows = []
    for power in sorted(counted):
        shown = names[power]
        for words, times in sorted(counted[power].items(), key=lambda each: (-each[1], each[0])):
            rows.append((shown, words, str(times)))
            shown = ""
    return (
        StatTable(tell("Openings by power"), (tell("Power"), tell("First moves"), tell("Games")), tuple(rows), (2,))
        if rows
        else None
    )


# --- results --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game of the register as its table has it. `number`: "2027AB", "" for none; `result`: a sentence, "" while it
    goes on; `year`: the last that was counted, 0 for none.
    """

    name: str
    number: str = ""
    variant: str = ""
    gm: str = ""
    began: date | None = None
    ended: date | None = None
    year: int = 0
    result: str = ""
    irregular: bool = False


def results_table(results: Iterable[GameResult]) -> StatTable:
    """All games of the register, those that are over in the order in which they ended, then those that go on."""
    order = sorted(results, key=lambda one: (one.ended is None, one.ended or one.began or date.max, one.name))
    rows = tuple(
        (
            one.name.upper(), one.number + ("*" if one.irregular else ""), f"{one.began or ''}", f"{one.ended or ''}",
            str(one.year or ""), one.result or (tell("goes on") if one.began else tell("has not begun")), one.gm,
        )
        for one in order
    )  # fmt: skip
    notes = (
        (tell("* irregular: its rules were changed while it was played."),)
        if any(one.irregular for one in order)
        else ()
    )
    columns = (tell("Game"), tell("Number"), tell("Began"), tell("Ended"), tell("Year"), tell("Result"), tell("GM"))
    return StatTable(tell("Results of all games"), columns, rows, notes=notes)


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
    for rank, person in enumerate(order, 1):
        ranks.setdefault(round(points[person], 6), rank)
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
        tell("Ratings"),
        tables,
        notes=(tell("After {count}. Whoever took a power over is rated separately.", count=count),),
    )


def _table(method: RatingMethod, rows: Sequence[RatedPlayer], shown: int) -> StatTable:
    lines = tuple(
        (str(row.rank), row.player, str(row.games), str(row.won), str(row.shared), figure(round(row.points, 2)))
        for row in rows[:shown]
    )
    more = (tell("And {number} more.", number=len(rows) - shown),) if len(rows) > shown else ()
    columns = ("", tell("Player"), tell("Games"), tell("Won"), tell("Shared"), tell("Points"))
    return StatTable(method.title, columns, lines, (0, 2, 3, 4, 5), (*more, method.note))


def _replacements_table(played: Sequence[ReplacementPlayed], systems: Sequence[str]) -> StatTable:
    lines = tuple(
        (
            row.player, row.game.upper(), " + ".join(power.title() for power in row.powers),
            tell("from {since}", since=row.since), row.fate,
            *(figure(round(row.points[system], 2)) for system in systems),
        )
        for row in played
    )  # fmt: skip
    columns = (
        tell("Player"),
        tell("Game"),
        tell("Power"),
        tell("Played"),
        tell("Result"),
        *(METHODS[system].title for system in systems),
    )
    note = tell("Rated separately: the points are those of the power at the end of its game.")
    return StatTable(tell("Replacements"), columns, lines, tuple(range(5, len(columns))), (note,))
