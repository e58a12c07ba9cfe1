"""The register of games: every public game of this judge has an entry and a number, and its custodian hears of it.

The register follows the games' index cards: it is brought up to date when a zine is made, when somebody asks, and once
a day, so that no mail to a game takes longer for it. Numbers are given out by the custodian's rule
(`judge.zine.numbers`), of which a judge has one; what another custodian gave is entered as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from judge.game.core.model import Game, Stage
from judge.game.settings.table import Settings
from judge.languages import speak, tell, together
from judge.report.core.letter import labelled
from judge.report.core.naming import power_name
from judge.report.reply.unproved import NOBODY, alert
from judge.service.core.judge import Judge
from judge.service.posting.outgoing import put
from judge.store import Transaction, View
from judge.store.zines import ZineGameRow
from judge.zine.desk import day_words
from judge.zine.numbers import (
    GUNBOAT,
    GameNumber,
    NumberRule,
    irregularities,
    read_designator,
    rule_from_json,
    rule_to_json,
)
from judge.zine.public import PublicGame, opened, standing
from judge.zine.statistics import GameResult, players_table

_RULE = "zine.numbers"
"""Where the custodian's rule lies among what the database knows about itself."""


def rule_of(view: View | Transaction) -> NumberRule:
    """The custodian's rule of this judge."""
    kept = view.meta.get(_RULE)
    return rule_from_json(json.loads(kept)) if kept else NumberRule()


def keep_rule(unit: Transaction, rule: NumberRule) -> None:
    """Go on by another rule."""
    unit.meta.set(_RULE, json.dumps(rule_to_json(rule)))


def keep_register(judge: Judge, unit: Transaction, now: datetime) -> int:
    """Enter the public games that have begun since, and note those that are over. Returns how many entries changed."""
    known = {row.key: row for row in unit.zines.games()}
    cards = unit.games.list(states=(str(Stage.RUNNING), str(Stage.ENDED)))
    asked = bool(rule_of(unit).custodian)
    keys = [card.key for card in cards if not _up_to_date(known.get(card.key), card.state, asked=asked)]
    games = [one for key in keys if (one := opened(judge, unit, key, known.get(key))) is not None]
    for one in sorted(games, key=lambda each: (each.started_at, each.game.key)):
        _enter(judge, unit, one, now)
    return len(games)


def _up_to_date(entry: ZineGameRow | None, state: str, *, asked: bool) -> bool:
    """`asked`: whether a custodian wants to hear: a new one is told of the games that run, and of none that is over."""
    if entry is None or entry.state != state:
        return False
    told = json.loads(entry.facts).get("told")
    return told is not None and (bool(told) or not asked or state == Stage.ENDED)


def _enter(judge: Judge, unit: Transaction, one: PublicGame, now: datetime) -> None:
    """One game as it stands; what its custodian has not heard yet is told."""
    game = one.game
    entry = one.entry or ZineGameRow(
        key=game.key, name=game.key.upper(), number=None, external=False, state="", season="", due_at=None,
        hold_until=None, since=one.started_at,
    )  # fmt: skip
    facts: dict[str, Any] = json.loads(entry.facts)
    if entry.number is None and (given := _next_number(unit, game, one.began.year, facts.get("designator", ""))):
        entry = replace(entry, number=str(given))
        keep_rule(unit, rule_of(unit).after(given))
    told = list(facts.get("told", ()))
    one = replace(one, entry=entry)
    with speak(judge.language()):
        for what, subject, items in _reports(judge, one) if rule_of(unit).custodian else ():
            if what not in told:
                _tell_custodian(judge, unit, f"{game.key}/{what}", subject, items, now)
            told.append(what)
    state = str(game.stage)
    person = game.gm or None
    unit.zines.put_game(
        replace(
            entry,
            state=state,
            person_id=person,
            external=False,
            since=one.started_at,
            facts=json.dumps({**facts, "told": list(dict.fromkeys(told))}),
        )
    )


def _next_number(unit: Transaction, game: Game, year: int, designator: str) -> GameNumber | None:
    """The number that a game gets; None for a variant whose designator nobody has said, and where a year is full."""
    if not designator and not _is_regular(game):
        return None
    return free_number(unit, year, designator or (GUNBOAT if game.settings.anonymous else ""))


def free_number(view: View | Transaction, year: int, designator: str = "") -> GameNumber | None:
    """The next number of the rule that no game has; None where the year is full."""
    rule = rule_of(view)
    try:
        number = rule.next(year, designator)
        while view.zines.numbered(str(number)) is not None:
            rule = rule.after(number)
            number = rule.next(year, designator)
    except ValueError:
        return None
    return number


def _is_regular(game: Game) -> bool:
    """Whether it is Diplomacy on the regular board, for seven, by the rules."""
    settings, usual = game.settings, Settings()
    by_the_rules = not game.rules.differences() and settings.victory == usual.victory
    return settings.map == usual.map and by_the_rules and not settings.unplayed


# --- what the custodian is told -------------------------------------------------------------------------------------


def _reports(judge: Judge, one: PublicGame) -> Iterator[tuple[str, str, Sequence[str]]]:
    """What a custodian hears of a game: (which report, subject, sentences)."""
    name, game = one.game.key.upper(), one.game
    called = f"{name} ({one.number})" if one.number else name
    gm = one.name(game.gm) if game.gm else tell("nobody")
    facts = [tell("{game}. Gamemaster: {gm}.", game=labelled(game), gm=gm), _players(one)]
    if not one.number:
        facts.append(tell("It has no number: nobody has said which variant of the catalogue it is."))
    yield (
        "start",
        tell("{called} has begun", called=called),
        (tell("{called} began on {day} {year}.", called=called, day=day_words(one.began), year=one.began.year), *facts),
    )
    if game.ending is None:
        return
    changed = irregularities(one.events)
    if changed:
        facts.append(
            tell(
                "It is irregular: while it was played these settings were changed: {changed}.",
                changed=", ".join(changed),
            )
        )
    year = max(game.chart, default=0)
    centres = ", ".join(
        f"{power_name(power, game.board)} {len(game.position.centres(power))}"
        for power in game.board.powers
        if game.position
    )
    ended = tell(
        "{called} ended on {day} {ended}, in {year}. {standing}",
        called=called,
        day=day_words(one.ended) if one.ended else "",
        ended=one.ended.year if one.ended else "",
        year=year,
        standing=standing(judge, one),
    )
    yield "end", tell("{called} is over", called=called), (ended, tell("Centres: {centres}.", centres=centres), *facts)


def _players(one: PublicGame) -> str:
    """Who plays what; of a game without names, that much."""
    if one.game.settings.anonymous and one.game.stage is not Stage.ENDED:
        return tell("It is played without names.")
    told, name = [], ""
    for power, player, since, until, _ in players_table(one.game, one.name).rows:
        name = power or name
        whole = (since, until or tell("the end")) == (tell("the start"), tell("the end"))
        span = tell("{since} to {until}", since=since, until=until or tell("now"))
        told.append(f"{name}: {player}{f' ({span})' if player and not whole else ''}")
    return tell("Players: {players}.", players="; ".join(told))


def _tell_custodian(
    judge: Judge, unit: Transaction, about: str, subject: str, items: Sequence[str], now: datetime
) -> None:
    to, key = rule_of(unit).custodian, f"judge/custodian/{about}"
    if to and unit.letters.by_key(key) is None:
        put(judge, unit, alert(NOBODY, judge.office, key=key, subject=subject, items=items, address=to), now)


def tell_of_elsewhere(judge: Judge, unit: Transaction, entry: ZineGameRow, gm: str, now: datetime) -> None:
    """A game that is run elsewhere and got its number here, or is over, is told to the custodian, each once."""
    facts = json.loads(entry.facts)
    with speak(judge.language()):
        called = f"{entry.name.upper()} ({entry.number})" if entry.number else entry.name.upper()
        run = tell(
            "It is run elsewhere, by {gm}{facts}.",
            gm=gm or tell("nobody yet"),
            facts="; " + facts["variant"] if facts.get("variant") else "",
        )
        if facts.get("given"):
            _tell_custodian(
                judge,
                unit,
                f"{entry.key}/start",
                tell("{called} has begun", called=called),
                (tell("{called} has a number.", called=called), run),
                now,
            )
        if entry.state == Stage.ENDED:
            ended = (tell("{called} is over: {facts}.", called=called, facts=facts.get("result", "")), run)
            _tell_custodian(judge, unit, f"{entry.key}/end", tell("{called} is over", called=called), ended, now)


def results_elsewhere(view: View | Transaction, names: Callable[[int], str]) -> Iterator[GameResult]:
    """The games of the register that are run elsewhere, as the table of all games has them."""
    for entry in view.zines.games():
        if not entry.external:
            continue
        facts = json.loads(entry.facts)
        ended = date.fromisoformat(facts["ended"]) if facts.get("ended") else None
        yield GameResult(
            name=entry.name, number=entry.number or "", variant=str(facts.get("variant", "")),
            gm=names(entry.person_id) if entry.person_id else "", began=entry.since.date(), ended=ended,
            result=str(facts.get("result", "")),
        )  # fmt: skip


def with_designator(entry: ZineGameRow, text: str) -> ZineGameRow:
    """The entry of a variant whose place in the catalogue somebody has said. Raises ValueError with a sentence."""
    facts = {**json.loads(entry.facts), "designator": read_designator(text)}
    return replace(entry, facts=json.dumps(facts), state="")


def told_of_numbers(view: View | Transaction, year: int) -> str:
    """How numbers are given out, in sentences."""
    rule = rule_of(view)
    game, gunboat = (free_number(view, year, series) or tell("none: the year is full") for series in ("", GUNBOAT))
    games = tell("The next game gets {game}, the next gunboat game {gunboat}.", game=game, gunboat=gunboat)
    custodian = tell(
        "Starts and ends are told to {custodian}." if rule.custodian else "No custodian is told.",
        custodian=rule.custodian,
    )
    return together(games, custodian)
