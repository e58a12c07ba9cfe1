"""Ratings: what the games that are over come to, read from their index cards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judge.game.core.commands import Decision
from judge.game.core.model import Game, Stage
from judge.game.settings.values import USUAL_SYSTEMS
from judge.game.table.scoring import Placing, Score, answers_for, points_of, score_from_json, score_of
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.reading import Ratings
from judge.people.ratings import GHOST_WEIGHTS, GamePart, rate
from judge.report.core.naming import power_name
from judge.report.played.chart import RatedGame, figure, ratings_view
from judge.service.trust.heard import HeardMail, Result, answers
from judge.store import Transaction, View
from judge.store.rows import GameRow

_BEST_FIRST = ("won", "shared", "survived", "eliminated")
"""What becomes of powers."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A rated game: its name, its map and rules, its score."""

    key: str
    table: tuple[str, str]
    score: Score


@answers
def ratings(heard: HeardMail, said: ReadRequest, _: Ratings) -> Result:
    """The table of all players, and the asker's own games."""
    finished = _finished(heard)
    figures = rate(parts_of(one.score) for one in finished)
    members = heard.ledger.members
    members.gather(figures)
    asker = heard.speaker.acting
    reader = asker.id if asker else 0
    own = [line for one in finished for line in _own(heard, one, reader)]
    heard.enclose(
        ratings_view(
            figures,
            lambda person: members[person].name,
            games=len(finished),
            reader=reader,
            own=own,
            records=lambda person: members[person].record,
        )
    )
    return Decision()


def rated_parts(heard: HeardMail) -> Iterator[list[GamePart]]:
    """Every rated game as what its players have to show, in the order in which they ended."""
    return (parts_of(one.score) for one in _finished(heard))


def _finished(heard: HeardMail) -> tuple[FinishedGame, ...]:
    return finished_games(heard.unit, heard.game)


def finished_games(view: View | Transaction, load: Callable[[str], Game | None]) -> tuple[FinishedGame, ...]:
    """Every rated game, in the order in which they ended. `load`: a game by its key."""
    found = []
    for row in view.games.list(states=(str(Stage.ENDED),)):
        score = _score(row, load)
        if score is not None:
            found.append(FinishedGame(row.key, (row.map, row.rules), score))
    return tuple(sorted(found, key=lambda one: (one.score.at, one.key)))


def _score(row: GameRow, load: Callable[[str], Game | None]) -> Score | None:
    """From the card; a game that ended before cards told scores is read once more."""
    kept = json.loads(row.summary)
    if "score" in kept:
        return score_from_json(kept["score"]) if kept["score"] else None
    game = load(row.key)
    return score_of(game) if game is not None else None


def parts_of(score: Score, systems: Sequence[str] = USUAL_SYSTEMS) -> list[GamePart]:
    """What each player has to show of a game, with their points by these systems."""
    return [_as_one(score, part, systems) for part in parts_played(score)]


class PartPlayed(NamedTuple):
    """What somebody played in one game, and in which part ("regular", "standby", "left"): one power or several."""

    person: int
    part: str
    placings: tuple[Placing, ...]


def parts_played(score: Score) -> tuple[PartPlayed, ...]:
    """Who answers for which powers of a game, and in which part."""
    found: dict[tuple[int, str], list[Placing]] = {}
    for placing in score.placings:
        for key in answers_for(placing.terms):
            found.setdefault(key, []).append(placing)
    return tuple(PartPlayed(person, part, tuple(placings)) for (person, part), placings in found.items())


def _as_one(score: Score, taken: PartPlayed, systems: Sequence[str] = USUAL_SYSTEMS) -> GamePart:
    """All powers of a player together: what the best of them came to, and the points of each."""
    points = points_of(score.placings, systems)
    sums = {system: sum(points[system][placing.power] for placing in taken.placings) for system in systems}
    share = sum(points_of(score.placings, ("calhamer",))["calhamer"][placing.power] for placing in taken.placings)
    return GamePart(taken.person, taken.part, _fate(score, taken), share, sums, GHOST_WEIGHTS[score.press])


def _fate(score: Score, taken: PartPlayed) -> str:
    fate = min((placing.fate for placing in taken.placings), key=_BEST_FIRST.index)
    alone = all(placing in taken.placings for placing in score.placings if placing.best)
    return "won" if fate == "shared" and alone and score.how == "win" else fate


def _own(heard: HeardMail, one: FinishedGame, person: int) -> Iterator[RatedGame]:
    board = heard.judge.shelf.played(*one.table)
    for taken in parts_played(one.score):
        if taken.person != person:
            continue
        sums, left = _as_one(one.score, taken).points, taken.part == "left"
        terms = taken.placings[0].terms
        yield RatedGame(
            game=one.key,
            ended=f"{one.score.at:%Y-%m-%d}",
            power=" + ".join(power_name(placing.power, board) for placing in taken.placings),
            since=next(term for term in reversed(terms) if term.person == person).since,
            fate=tell("gave it up") if left else _fate(one.score, taken),
            centres=sum(placing.centres for placing in taken.placings),
            points=() if left else tuple(figure(sums[name]) for name in USUAL_SYSTEMS),
        )
