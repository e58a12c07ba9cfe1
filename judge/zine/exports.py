"""Results and ratings for programs, as CSV and JSON, in shapes that stay.

`ratings.csv` has a line for each method and player, then a line for each replacement and system:

    method, title, part, rank, player, games, won, shared, survived, eliminated, left, points, game, power, since

`part` is "regular" or "replacement". A replacement has no rank: its line is one game, with `game`, `power` and `since`
("S1904", the phase from which it was played); these are empty for regular players. `left`: games that were given up.
`points`: as `reckoning` says in the JSON (a sum, an average, or a figure that moves).

`ratings.json`:

    {"format": "judge-ratings", "version": 1, "games": how many were rated,
     "methods": [{"method", "title", "source", "rule", "reckoning", "players": [
        {"rank", "player", "games", "won", "shared", "survived", "eliminated", "left", "points"}]}],
     "replacements": [{"player", "game", "powers", "since", "fate", "centres", "points": {system: points}}]}

`games.csv` has a line for each power of each game:

    game, number, irregular, variant, map, rules, gm, began, ended, result, how, year, power, player, centres, fate,
    opening

`games.json`:

    {"format": "judge-games", "version": 1, "since": the issue after which they changed (null: all games),
     "games": [{"game", "number", "irregular": [settings changed in mid-game], "variant", "map", "rules", "anonymous",
        "gm", "began", "ended", "result": {"how", "powers", "sentence"} or null,
        "years": {year: {power: centres}}, "owners": {year: {centre: power}},
        "powers": [{"power", "centres", "fate", "players": [{"player", "since", "until", "why"}]}],
        "openings": [{"power", "orders": [as in "A VEN H"], "name" ("" where it has none)}],
        "points": {system: {power: points}}}]}

`GAME-statistics.csv` has a line for each cell of the tables of `stats GAME`; `GAME-statistics.json` has the same:

    table, row, column, value

    {"format": "judge-statistics", "version": 1, "title", "tables": [{"title", "columns", "rows": [[cell]], "notes"}]}

`row` is the first cell of its line. Days are ISO dates, phases codes such as "F1901M", "" where there is none
(`since` "": from the start; `until` "": to the end, or until now); powers and centres are the board's keys. Who plays
a game without names is null until its end.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from judge.game.core.model import Game, Stage
from judge.game.settings.values import SYSTEM_NAMES
from judge.game.table.scoring import points_of, score_of, terms_of
from judge.report.core.frame import labelled
from judge.report.played.results import counting
from judge.service.core.house import House
from judge.zine.issue import Statistics
from judge.zine.numbers import irregularities
from judge.zine.public import PublicGame, standing
from judge.zine.ratings import METHODS, HobbyRatings
from judge.zine.statistics import first_moves, owners_by_year

VERSION = 1


def ratings_csv(ratings: HobbyRatings) -> str:
    """The ratings as CSV, shaped as above."""
    head = ("method", "title", "part", "rank", "player", "games", "won", "shared", "survived", "eliminated", "left",
            "points", "game", "power", "since")  # fmt: skip
    return _csv(head, _ratings_lines(ratings))


def _ratings_lines(ratings: HobbyRatings) -> Iterator[Sequence[object]]:
    for key, rows in ratings.rankings.items():
        for row in rows:
            yield (key, METHODS[key].title, "regular", row.rank, row.player, row.games, row.won, row.shared,
                   row.survived, row.eliminated, row.left, row.points, "", "", "")  # fmt: skip
    for one in ratings.replacements:
        fates = [int(one.fate == fate) for fate in ("won", "shared", "survived", "eliminated")]
        for system in SYSTEM_NAMES:
            if system in ratings.rankings:
                yield (system, METHODS[system].title, "replacement", "", one.player, 1, *fates, 0,
                       round(one.points[system], 4), one.game, " ".join(one.powers), one.since)  # fmt: skip


def ratings_json(ratings: HobbyRatings) -> str:
    """The ratings as JSON, shaped as above."""
    methods = [
        {"method": key, **asdict(METHODS[key]), "players": list(map(asdict, rows))}
        for key, rows in ratings.rankings.items()
    ]
    replacements = [
        {
            "player": one.player, "game": one.game, "powers": list(one.powers), "since": one.since, "fate": one.fate,
            "centres": one.centres, "points": {system: round(points, 4) for system, points in one.points.items()},
        }
        for one in ratings.replacements
    ]  # fmt: skip
    facts = {"games": ratings.games, "methods": methods, "replacements": replacements}
    return _json("judge-ratings", facts)


def games_csv(games: Iterable[PublicGame]) -> str:
    """The games as CSV, shaped as above."""
    head = ("game", "number", "irregular", "variant", "map", "rules", "gm", "began", "ended", "result", "how", "year",
            "power", "player", "centres", "fate", "opening")  # fmt: skip
    return _csv(head, (line for one in games for line in _game_lines(one)))


def _game_lines(one: PublicGame) -> Iterator[Sequence[object]]:
    game = one.game
    irregular = "yes" if irregularities(one.events) else "no"
    how, powers = (game.ending.how, " ".join(game.ending.powers)) if game.ending else ("", "")
    gm = one.name(game.gm) if game.gm else ""
    opened = {each.power: each.words for each in first_moves(one.game, one.phases)}
    for power in _powers(one):
        players = [term["player"] or "" for term in power["players"]]
        yield (game.key, one.number, irregular, labelled(game), game.settings.map, game.settings.rules, gm, one.began,
               one.ended or "", powers, how, max(game.chart, default=""), power["power"], " / ".join(players),
               power["centres"], power["fate"], opened.get(power["power"], ""))  # fmt: skip


def games_json(house: House, games: Iterable[PublicGame], since: int | None = None) -> str:
    """The games as JSON, shaped as above. `since`: the number of the issue after which they changed."""
    return _json("judge-games", {"since": since, "games": [_game(house, one) for one in games]})


def _game(house: House, one: PublicGame) -> Mapping[str, Any]:
    game, ending = one.game, one.game.ending
    score = score_of(game)
    points = points_of(score.placings) if score is not None else {}
    return {
        "game": game.key,
        "number": one.number,
        "irregular": list(irregularities(one.events)),
        "variant": labelled(game),
        "map": game.settings.map,
        "rules": game.settings.rules,
        "anonymous": game.settings.anonymous,
        "gm": one.name(game.gm) if game.gm else "",
        "began": f"{one.began}",
        "ended": f"{one.ended}" if one.ended else "",
        "result": {"how": ending.how, "powers": list(ending.powers), "sentence": standing(house, one)}
        if ending
        else None,
        "years": {str(year): dict(counts) for year, counts in sorted(game.chart.items())},
        "owners": {
            str(year): dict(owners)
            for year, owners in owners_by_year(game, counting(one.events, game.calendar)).items()
        },
        "powers": list(_powers(one)),
        "openings": list(map(asdict, first_moves(one.game, one.phases))),
        "points": {system: {power: round(each, 4) for power, each in of.items()} for system, of in points.items()},
    }


def _powers(one: PublicGame) -> Iterator[dict[str, Any]]:
    game = one.game
    over = game.stage is Stage.ENDED
    secret = game.settings.anonymous and not over
    for power in game.board.powers:
        seat = game.seat_of(power)
        if seat is None:
            continue
        yield {
            "power": power,
            "centres": len(game.position.centres(power)) if game.position else 0,
            "fate": _fate(game, power) if over else "",
            "players": [
                {
                    "player": None if secret else one.name(term.person), "since": term.since, "until": term.until,
                    "why": term.why,
                }
                for term in terms_of(seat)
            ],
        }  # fmt: skip


def _fate(game: Game, power: str) -> str:
    score = score_of(game)
    if score is not None:
        return next((placing.fate for placing in score.placings if placing.power == power), "")
    return "survived" if power in game.survivors else "eliminated"


def statistics_csv(block: Statistics) -> str:
    """The tables of some statistics as CSV, shaped as above."""
    lines = (
        (table.title, row[0], column, cell)
        for table in block.tables
        for row in table.rows
        for column, cell in zip(table.columns[1:], row[1:], strict=False)  # a row may end early
    )
    return _csv(("table", "row", "column", "value"), lines)


def statistics_json(block: Statistics) -> str:
    """The tables of some statistics as JSON, shaped as above."""
    tables = [
        {"title": one.title, "columns": one.columns, "rows": one.rows, "notes": one.notes} for one in block.tables
    ]
    return _json("judge-statistics", {"title": block.title, "tables": tables})


# --- files ----------------------------------------------------------------------------------------------------------


def _csv(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """RFC 4180, with a head. A cell that a spreadsheet would take for a formula begins with an apostrophe."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([_harmless(cell) for cell in line] for line in lines)
    return file.getvalue()


def _harmless(cell: object) -> object:
    """
    >>> _harmless("=1+1"), _harmless(-3.5), _harmless("Ada")
    ("'=1+1", -3.5, 'Ada')
    """
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _json(kind: str, facts: Mapping[str, Any]) -> str:
    return json.dumps({"format": kind, "version": VERSION, **facts}, ensure_ascii=False, indent=1) + "\n"
