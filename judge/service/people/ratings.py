"""Ratings: what the games that are over come to, read from their index cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from judge.game.core.decision import Decision
from judge.game.core.model import Stage
from judge.game.core.refusal import Refusal
from judge.game.table.scoring import SYSTEMS, Score, answers_for, points_of, score_from_json, score_of
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.records import Ratings
from judge.people.ratings import GamePart, rate
from judge.report.core.naming import power_name
from judge.report.played.ratings import RatedGame, figure, ratings_view
from judge.service.trust.sitting import Handlers, Sitting
from judge.store.rows import GameRow


@dataclass(frozen=True, slots=True)
class _Finished:
    """A rated game: its name, its map and rules, its score."""

    key: str
    table: tuple[str, str]
    score: Score


def ratings(sitting: Sitting, said: ReadRequest) -> Decision | Refusal:
    """The table of all players, and the asker's own games."""
    finished = sorted(_finished(sitting), key=lambda one: (one.score.at, one.key))
    figures = rate(_parts(one.score) for one in finished)
    members = sitting.ledger.members
    members.gather(figures)
    asker = sitting.speaker.acting
    reader = asker.id if asker else 0
    own = [line for one in finished for line in _own(sitting, one, reader)]
    sitting.enclosures.append(
        ratings_view(figures, lambda person: members[person].name, games=len(finished), reader=reader, own=own)
    )
    return Decision()


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
    points = points_of(score.placings)
    return [
        GamePart(
            person,
            part,
            placing.fate,
            points["calhamer"][placing.power],
            {system: points[system][placing.power] for system in SYSTEMS},
        )
        for placing in score.placings
        for person, part in answers_for(placing.terms)
    ]


def _own(sitting: Sitting, one: _Finished, person: int) -> Iterator[RatedGame]:
    points = points_of(one.score.placings)
    board = sitting.house.shelf.played(*one.table)
    for placing in one.score.placings:
        for who, part in answers_for(placing.terms):
            if who != person:
                continue
            term = next(term for term in reversed(placing.terms) if term.person == person)
            yield RatedGame(
                game=one.key,
                ended=f"{one.score.at:%Y-%m-%d}",
                power=power_name(placing.power, board),
                since=term.since,
                fate="gave it up" if part == "left" else placing.fate,
                centres=placing.centres,
                points=() if part == "left" else tuple(figure(points[name][placing.power]) for name in SYSTEMS),
            )


HANDLERS: Handlers = {Ratings: ratings}
