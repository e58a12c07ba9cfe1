"""Ratings: what the games that are over come to, read from their index cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from judge.game.core.decision import Decision
from judge.game.core.model import Stage
from judge.game.settings.systems import USUAL_SYSTEMS
from judge.game.table.scoring import Placing, Score, answers_for, points_of, score_from_json, score_of
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.records import Ratings
from judge.people.ratings import GamePart, rate
from judge.report.core.naming import power_name
from judge.report.played.ratings import RatedGame, figure, ratings_view
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting
from judge.store.rows import GameRow

_BEST_FIRST = ("won", "shared", "survived", "eliminated")
"""What becomes of powers."""


@dataclass(frozen=True, slots=True)
class _Finished:
    """A rated game: its name, its map and rules, its score."""

    key: str
    table: tuple[str, str]
    score: Score


@answers
def ratings(sitting: Sitting, said: ReadRequest, _: Ratings) -> Result:
    """The table of all players, and the asker's own games."""
    finished = sorted(_finished(sitting), key=lambda one: (one.score.at, one.key))
    figures = rate(_parts(one.score) for one in finished)
    members = sitting.ledger.members
    members.gather(figures)
    asker = sitting.speaker.acting
    reader = asker.id if asker else 0
    own = [line for one in finished for line in _own(sitting, one, reader)]
    sitting.enclosures.append(
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


def rated_parts(sitting: Sitting) -> Iterator[list[GamePart]]:
    """Every rated game as what its players have to show, in the order in which they ended."""
    finished = sorted(_finished(sitting), key=lambda one: (one.score.at, one.key))
    return (_parts(one.score) for one in finished)


def _finished(sitting: Sitting) -> Iterator[_Finished]:
    for row in sitting.unit.games.list(states=(str(Stage.ENDED),)):
        score = _score(sitting, row)
        if score is not None:
            yield _Finished(row.key, (row.map, row.rules), score)


def _score(sitting: Sitting, row: GameRow) -> Score | None:
    """From the card; a game that ended before cards told scores is read once more."""
    kept = json.loads(row.summary)
    if "score" in kept:
        return score_from_json(kept["score"]) if kept["score"] else None
    game = sitting.game(row.key)
    return score_of(game) if game is not None else None


def _parts(score: Score) -> list[GamePart]:
    return [_as_one(score, part) for part in _taken(score)]


class _PartPlayed(NamedTuple):
    """What somebody played in one game, and in which part ("regular", "standby", "left"): one power or several."""

    person: int
    part: str
    placings: tuple[Placing, ...]


def _taken(score: Score) -> tuple[_PartPlayed, ...]:
    found: dict[tuple[int, str], list[Placing]] = {}
    for placing in score.placings:
        for key in answers_for(placing.terms):
            found.setdefault(key, []).append(placing)
    return tuple(_PartPlayed(person, part, tuple(placings)) for (person, part), placings in found.items())


def _as_one(score: Score, taken: _PartPlayed) -> GamePart:
    """All powers of a player together: what the best of them came to, and the points of each."""
    points = points_of(score.placings, USUAL_SYSTEMS)
    sums = {system: sum(points[system][placing.power] for placing in taken.placings) for system in USUAL_SYSTEMS}
    return GamePart(taken.person, taken.part, _fate(score, taken), sums["calhamer"], sums)


def _fate(score: Score, taken: _PartPlayed) -> str:
    fate = min((placing.fate for placing in taken.placings), key=_BEST_FIRST.index)
    alone = all(placing in taken.placings for placing in score.placings if placing.best)
    return "won" if fate == "shared" and alone and score.how == "win" else fate


def _own(sitting: Sitting, one: _Finished, person: int) -> Iterator[RatedGame]:
    board = sitting.house.shelf.played(*one.table)
    for taken in _taken(one.score):
        if taken.person != person:
            continue
        sums, left = _as_one(one.score, taken).points, taken.part == "left"
        terms = taken.placings[0].terms
        yield RatedGame(
            game=one.key,
            ended=f"{one.score.at:%Y-%m-%d}",
            power=" + ".join(power_name(placing.power, board) for placing in taken.placings),
            since=next(term for term in reversed(terms) if term.person == person).since,
            fate="gave it up" if left else _fate(one.score, taken),
            centres=sum(placing.centres for placing in taken.placings),
            points=() if left else tuple(figure(sums[name]) for name in USUAL_SYSTEMS),
        )
