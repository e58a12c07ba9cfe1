"""Answers from the register: statistics of a game, and ratings and results as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.game.core.decision import Decision, Refusal
from judge.game.core.events import GameEnded, GameStarted, PhaseAdjudicated
from judge.mail.script import ReadRequest
from judge.report.core.naming import many
from judge.service.hearing.questions import which_game
from judge.service.posting.mailbag import cast_of
from judge.service.trust.handlers import Result, answers
from judge.service.trust.seeing import not_to_see
from judge.service.trust.sitting import Sitting
from judge.zine.asked import AskStatistics, ExportRatings, ExportResults
from judge.zine.desk import shown, zine_meant
from judge.zine.exports import games_csv, games_json, ratings_csv, ratings_json
from judge.zine.mailing import printer_of
from judge.zine.public import PublicGame, public_games, rated_games
from judge.zine.ratings import ratings_of
from judge.zine.statistics import game_statistics
from judge.zine.text import print_statistics

PER_DAY = 20
"""So many exports a day and person."""
_TYPES: Mapping[str, str] = {"csv": "text/csv", "json": "application/json"}


@answers
def statistics(sitting: Sitting, said: ReadRequest, request: AskStatistics) -> Result:
    """`stats GAME`."""
    game = sitting.game(request.game or said.game)
    if game is None:
        return which_game(said)
    if (refusal := not_to_see(sitting, game)) is not None:
        return refusal
    if game.position is None:
        return Refusal("not-begun", f"{game.key} has not begun, so there is nothing to count.", mend="list")
    cast = cast_of(sitting.house, sitting.unit, game, sitting.ledger.members)
    block = game_statistics(game, sitting.story(game), lambda person: cast.member(person).name)
    text = print_statistics(replace(block, title=""), printer_of(sitting.house, ""))
    return shown(sitting, block.title, text.split("\n"))


@answers
def export_ratings(sitting: Sitting, said: ReadRequest, request: ExportRatings) -> Result:
    """`export ratings csv`."""
    if (refusal := _enough(sitting)) is not None:
        return refusal
    games = {one.game.key: one.game for one in public_games(sitting.house, sitting.unit)}
    rated = rated_games(sitting.house, sitting.unit, games)
    ratings = ratings_of(rated, lambda person: sitting.ledger.members[person].name)
    made = {"csv": ratings_csv(ratings), "json": ratings_json(ratings)}
    told = f"The ratings after {many(ratings.games, 'rated game')}, by {many(len(ratings.rankings), 'method')}."
    return _sent(sitting, "Ratings", told, "ratings", made, request.form)


@answers
def export_results(sitting: Sitting, said: ReadRequest, request: ExportResults) -> Result:
    """`export games json since #90`."""
    since = _moment_of(sitting, request) if request.since else None
    if isinstance(since, Refusal):
        return since
    if (refusal := _enough(sitting)) is not None:
        return refusal
    games = [one for one in public_games(sitting.house, sitting.unit) if since is None or _moved(one, since)]
    made = {"csv": games_csv(games), "json": games_json(sitting.house, games, request.since or None)}
    told = many(len(games), "public game")
    if request.since:
        told += f" in which something happened since #{request.since}"
    return _sent(sitting, "Games", f"{told[0].upper()}{told[1:]}.", "games", made, request.form)


def _moment_of(sitting: Sitting, request: ExportResults) -> datetime | Refusal:
    """When an issue was approved."""
    row = zine_meant(sitting, request.zine)
    if isinstance(row, Refusal):
        return row
    issue = sitting.unit.zines.issue(row.key, request.since)
    if issue is None or issue.state == "draft":
        return Refusal("no-number", f"There is no #{request.since} of {row.name}.", mend="export games json")
    return issue.at


def _moved(one: PublicGame, since: datetime) -> bool:
    kinds = (GameStarted, PhaseAdjudicated, GameEnded)
    return any(isinstance(event, kinds) and event.at > since for event in one.events)


def _enough(sitting: Sitting) -> Refusal | None:
    person = sitting.speaker.acting
    whose = f"person:{person.id}" if person is not None else sitting.envelope.from_address or ""
    if sitting.unit.contacts.allow(whose, "export", sitting.now.date(), PER_DAY):
        return None
    return Refusal("enough-today", f"That makes {PER_DAY} exports today; ask again tomorrow.")


def _sent(sitting: Sitting, title: str, told: str, name: str, made: Mapping[str, str], form: str) -> Decision:
    """The files, below a sentence that says what is in them."""
    chosen: Sequence[str] = (form,) if form else tuple(made)
    files: list[dict[str, Any]] = [{"name": f"{name}.{one}", "type": _TYPES[one], "text": made[one]} for one in chosen]
    lines = (told, f"Enclosed: {' and '.join(each['name'] for each in files)}.")
    return shown(sitting, title, lines, files)
