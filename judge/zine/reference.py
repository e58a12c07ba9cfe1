"""What of an issue writes itself from the register: starts and numbers, statistics, ratings, openings, standbys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.languages import tell
from judge.service.core.directory import Members
from judge.service.core.house import House
from judge.service.core.keeper import thaw_all
from judge.store import Transaction, View
from judge.store.zines import ZineRow
from judge.zine.issue import GameOpening, StandbyWanted, Statistics
from judge.zine.numbers import read_number
from judge.zine.public import (
    PublicGame,
    game_result,
    openings,
    public_games,
    rated_games,
    standby_names,
    standbys_wanted,
)
from judge.zine.ratings import RECOMMENDED, ratings_block, ratings_of
from judge.zine.register import results_elsewhere
from judge.zine.statistics import game_statistics, is_due, openings_table, results_table


@dataclass(frozen=True, slots=True)
class ReferencePart:
    """These parts of an issue, as `judge.zine.issue.Issue` has them. `years`: game -> the last year whose statistics
    are among them.
    """

    changed: tuple[str, ...]
    statistics: tuple[Statistics, ...]
    years: Mapping[str, int]
    openings: tuple[GameOpening, ...]
    wanted: tuple[StandbyWanted, ...]
    standbys: tuple[str, ...]


def reference_part(
    house: House, view: View | Transaction, zine: ZineRow, since: datetime | None, years: Mapping[str, int]
) -> ReferencePart:
    """What is to be printed now. `since`: when the last issue was printed, None for none; `years`: game -> the last
    year whose statistics were.
    """
    members = Members(view)
    blocks = [block for chapter in view.zines.chapters(zine.key) for key in chapter.games
              if (block := _yearly(house, view, key, years, members)) is not None]  # fmt: skip
    return ReferencePart(
        changed=tuple(_begun(view, since)),
        statistics=(*(block for block, _ in blocks), *_of_all_games(house, view, since, members)),
        years={block.game: year for block, year in blocks},
        openings=tuple(openings(house, view)),
        wanted=tuple(standbys_wanted(house, view)),
        standbys=standby_names(view, lambda person: members[person].name),
    )


def _begun(view: View | Transaction, since: datetime | None) -> Iterator[str]:
    """Starts since the last issue, with the numbers that were given out."""
    for entry in view.zines.games():
        if since is not None and entry.since > since and not entry.external:
            number = tell("; it is {heading}", heading=read_number(entry.number).heading) if entry.number else ""
            yield tell("{entry} has begun{number}.", entry=entry.name.upper(), number=number)


def _yearly(
    house: House, view: View | Transaction, key: str, years: Mapping[str, int], members: Members
) -> tuple[Statistics, int] | None:
    """The statistics of a game whose year is over, with that year."""
    game = house.keeper.load(view, key)
    if game is None or game.practice is not None or not is_due(game, years.get(key, 0)):
        return None
    events = thaw_all(view.events.load(key))
    return game_statistics(game, events, lambda person: members[person].name), max(game.chart)


def _of_all_games(
    house: House, view: View | Transaction, since: datetime | None, members: Members
) -> Iterator[Statistics]:
    """Ratings, results and openings, after each end of a rated game."""
    rated = rated_games(house, view)
    if not any(since is None or one.score.at > since for one in rated):
        return
    games = tuple(public_games(house, view))
    yield ratings_block(ratings_of(rated, lambda person: members[person].name, RECOMMENDED))
    yield _register(house, view, games, members)


def _register(house: House, view: View | Transaction, games: tuple[PublicGame, ...], members: Members) -> Statistics:
    elsewhere = results_elsewhere(view, lambda person: members[person].name)
    results = results_table([*(game_result(house, one) for one in games), *elsewhere])
    moves = openings_table((one.game, one.events) for one in games)
    return Statistics(tell("The register of games"), (results, *([moves] if moves else [])))
