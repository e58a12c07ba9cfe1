"""Answers from the register: statistics of a game, and ratings and results as files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import GameEnded, GameStarted, PhaseAdjudicated
from judge.languages import tell
from judge.mail.raw.addresses import read_address
from judge.mail.script import ReadRequest
from judge.report.core.naming import many
from judge.service.hearing.questions import which_game
from judge.service.posting.outgoing import cast_of
from judge.service.trust.heard import HeardMail, Result, answers, not_to_see
from judge.zine.asked import AskStatistics, ExportRatings, ExportResults
from judge.zine.desk import IssueState, led, shown, zine_meant
from judge.zine.exports import games_csv, games_json, ratings_csv, ratings_json, statistics_csv, statistics_json
from judge.zine.mailing import printer_of
from judge.zine.numbers import read_number
from judge.zine.public import PublicGame, public_games, rated_games
from judge.zine.ratings import ratings_of
from judge.zine.register import keep_register, keep_rule, rule_of, told_of_numbers
from judge.zine.statistics import game_statistics
from judge.zine.text import print_statistics
from judge.zine.verbs import ZineAct

PER_DAY = 20
"""So many exports a day and person."""
_TYPES: Mapping[str, str] = {"csv": "text/csv", "json": "application/json"}


@answers
def statistics(heard: HeardMail, said: ReadRequest, request: AskStatistics) -> Result:
    """`stats GAME`."""
    game = heard.game(request.game or said.game)
    if game is None:
        return which_game(said)
    if (refusal := not_to_see(heard, game)) is not None:
        return refusal
    if game.position is None:
        return Refusal(
            "not-begun", tell("{game} has not begun, so there is nothing to count.", game=game.key), mend="list"
        )
    cast = cast_of(heard.house, heard.unit, game, heard.ledger.members)
    block = game_statistics(game, heard.story(game), lambda person: cast.member(person).name)
    text = print_statistics(replace(block, title=""), printer_of(heard.house, ""))
    files = _files(f"{game.key}-statistics", {"csv": statistics_csv(block), "json": statistics_json(block)})
    return shown(heard, block.title, text.split("\n"), files)


@answers
def export_ratings(heard: HeardMail, said: ReadRequest, request: ExportRatings) -> Result:
    """`export ratings csv`."""
    if (refusal := _enough(heard)) is not None:
        return refusal
    rated = rated_games(heard.house, heard.unit)
    ratings = ratings_of(rated, lambda person: heard.ledger.members[person].name)
    made = {"csv": ratings_csv(ratings), "json": ratings_json(ratings)}
    told = tell(
        "The ratings after {games}, by {rankings}.",
        games=many(ratings.games, "rated game"),
        rankings=many(len(ratings.rankings), "method"),
    )
    return _sent(heard, "Ratings", told, "ratings", made, request.form)


@answers
def export_results(heard: HeardMail, said: ReadRequest, request: ExportResults) -> Result:
    """`export games json since #90`."""
    since = _moment_of(heard, request) if request.since else None
    if isinstance(since, Refusal):
        return since
    if (refusal := _enough(heard)) is not None:
        return refusal
    games = [one for one in public_games(heard.house, heard.unit) if since is None or _moved(one, since)]
    made = {"csv": games_csv(games), "json": games_json(heard.house, games, request.since or None)}
    told = many(len(games), "public game")
    if request.since:
        told += tell(" in which something happened since #{since}", since=request.since)
    return _sent(heard, "Games", f"{told[0].upper()}{told[1:]}.", "games", made, request.form)


def numbers(heard: HeardMail, said: ReadRequest, request: ZineAct) -> Result:
    """`zine numbers from 2027AB`, `zine numbers custodian ADDRESS`; alone it tells how they are given out."""
    row = led(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    rule = rule_of(heard.unit)
    words = request.words.strip()
    if match := _FROM.fullmatch(words):
        try:
            rule = rule.starting(read_number(match[1]))
        except ValueError as error:
            return Refusal("no-number", f"{error}.", mend="zine numbers from 2027AB")
    elif match := _TO.fullmatch(words):
        address = "" if match[1].lower() in ("nobody", "none", "off") else read_address(match[1].strip("<>"))
        if address is None:
            sentence = tell('"{match}" is not a mail address.', match=match[1][:60])
            return Refusal("no-address", sentence, mend="zine numbers custodian numbers@example.org")
        rule = replace(rule, custodian=address)
    elif words:
        return Refusal(
            "no-act", tell("Say from which number they go on, or who is told."), mend="zine numbers from 2027AB"
        )
    keep_rule(heard.unit, rule)
    keep_register(heard.house, heard.unit, heard.now)
    return Decision(said=told_of_numbers(heard.unit, heard.now.year))


_FROM = re.compile(r"(?:go\s+on\s+)?(?:from|at|with|begin\s+with)\s+(\S+)[\s.]*", re.IGNORECASE)
_TO = re.compile(r"(?:custodian|told\s+to|tell|report\s+to|to)?\s*(\S+@\S+|nobody|none|off)[\s.]*", re.IGNORECASE)


def _moment_of(heard: HeardMail, request: ExportResults) -> datetime | Refusal:
    """When an issue was approved."""
    row = zine_meant(heard, request.zine)
    if isinstance(row, Refusal):
        return row
    issue = heard.unit.zines.issue(row.key, request.since)
    if issue is None or issue.state == IssueState.DRAFT:
        return Refusal(
            "no-number",
            tell("There is no #{since} of {row}.", since=request.since, row=row.name),
            mend="export games json",
        )
    return issue.at


def _moved(one: PublicGame, since: datetime) -> bool:
    kinds = (GameStarted, PhaseAdjudicated, GameEnded)
    return any(isinstance(event, kinds) and event.at > since for event in one.events)


def _enough(heard: HeardMail) -> Refusal | None:
    person = heard.speaker.acting
    whose = f"person:{person.id}" if person is not None else heard.envelope.from_address or ""
    if heard.unit.contacts.allow(whose, "export", heard.now.date(), PER_DAY):
        return None
    return Refusal("enough-today", tell("That makes {per_day} exports today; ask again tomorrow.", per_day=PER_DAY))


def _sent(heard: HeardMail, title: str, told: str, name: str, made: Mapping[str, str], form: str) -> Decision:
    """The files, below a sentence that says what is in them."""
    files = _files(name, {form: made[form]} if form else made)
    lines = (told, f"Enclosed: {' and '.join(each['name'] for each in files)}.")
    return shown(heard, title, lines, files)


def _files(name: str, made: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"name": f"{name}.{form}", "type": _TYPES[form], "text": text} for form, text in made.items()]
