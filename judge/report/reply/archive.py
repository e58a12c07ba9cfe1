"""The record of a game, for whoever wants to read it without the judge: a text, and JSON for programs.

Only what was published is in it: results that count, votes that are closed, press to everybody, and after the end who
played what, statements and diaries. Press to some, orders on file and open votes never are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.board.position import Position
from judge.game.core.events import Event, GameStarted, PhaseAdjudicated, PressSent, SeatFilled
from judge.game.core.model import Game, Stage
from judge.game.talk.epilogue import sealed
from judge.game.talk.press import PressRecalled
from judge.history import OrderResult, read_out
from judge.history.formats import cases, saved_game
from judge.report.core.audience import Batch
from judge.report.core.letter import Cast, Enclosure, Plain, labelled, plain
from judge.report.core.naming import Said, Text
from judge.report.played.chart import Finisher, PointsRow, YearTable, ending_sentence, finishers, game_points, years
from judge.report.played.results import Results, counting, results_of
from judge.report.table.talk import EVERYBODY, signature
from judge.report.table.turns import SealedWords, statements_so_far, words_of
from judge.report.table.votes import ClosedVote, closed_votes

FORMAT = "judge-game"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Press to everybody: the day, its colour, who signed it or what it calls itself."""

    at: str
    colour: str
    source: Text
    text: str


@dataclass(frozen=True, slots=True)
class ArchiveView:
    """The whole record. `record`: the same as JSON; the letter takes both along as files."""

    game: str
    title: str
    sentence: Said | None
    begun: str
    ended: str
    finishers: tuple[Finisher, ...]
    systems: tuple[str, ...]
    points: tuple[PointsRow, ...]
    years: YearTable
    results: tuple[Results, ...]
    votes: tuple[ClosedVote, ...]
    press: tuple[Broadcast, ...]
    statements: tuple[SealedWords, ...]
    diaries: tuple[SealedWords, ...]
    record: Any
    ignored: tuple[str, ...] = ()


def archive_view(game: Game, events: Sequence[Event], cast: Cast) -> ArchiveView:
    """The record of a game from its whole log."""
    over = game.stage is Stage.ENDED
    counted = counting(events, game.calendar)
    view = ArchiveView(
        game=game.key,
        title=labelled(game),
        sentence=ending_sentence(game),
        begun=next((_day(event.at) for event in events if isinstance(event, GameStarted)), ""),
        ended=_day(game.ending.at) if game.ending else "",
        finishers=finishers(game, cast),
        systems=game.settings.scoring,
        points=game_points(game),
        years=years(game),
        results=tuple(results_of(event, game, verbatim=_verbatim(game)) for event in counted),
        votes=closed_votes(Batch(None, tuple(events), game, cast, ())),
        press=tuple(_press(game, events, cast)),
        statements=statements_so_far(game) if over and not sealed(game) else (),
        diaries=tuple(words_of(game, page) for page in game.diaries) if over else (),
        record=None,
    )
    phases = [_phase(event, game) for event in counted if isinstance(event, PhaseAdjudicated)]
    return _with_record(view, game, phases)


def archive_enclosure(view: ArchiveView) -> Enclosure:
    """The answer to `archive`."""
    return Enclosure("archive", plain(view))


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _press(game: Game, events: Sequence[Event], cast: Cast) -> Iterator[Broadcast]:
    recalled = {event.number for event in events if isinstance(event, PressRecalled)}
    filled = {event.seat: place for place, event in enumerate(events) if isinstance(event, SeatFilled)}
    for place, event in enumerate(events):
        if isinstance(event, PressSent) and EVERYBODY in event.to and event.number not in recalled:
            source, claims = signature(game, cast, event, former=filled.get(event.by, -1) > place)
            yield Broadcast(_day(event.at), event.colour, source or claims, event.text)


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file that goes along: its name, media type and text."""

    name: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class ExportView:
    """What was played of a game, as files. `over`: whether that is all of it; `phases`: how many were processed."""

    game: str
    title: str
    over: bool
    phases: int
    reached: str
    files: tuple[ExportFile, ...]
    ignored: tuple[str, ...] = ()


def export_view(game: Game, events: Sequence[Event], record: Mapping[str, Any], form: str = "") -> Enclosure:
    """The answer to `export`. `record`: the game as JSON, whole or its public part; `form`: one of `FORMS`, "" for all.

    The other formats hold nothing but positions, orders and outcomes of processed phases.
    """
    played = [read_out(event, game) for event in counting(events, game.calendar) if isinstance(event, PhaseAdjudicated)]
    files = [ExportFile(f"{game.key}.json", "application/json", _pretty(record))]
    if game.position is not None:
        saved = saved_game(game.key, played, game.position, game.rules, over=game.stage is Stage.ENDED)
        cased = cases(game.key, labelled(game), played, game.position)
        files.append(ExportFile(f"{game.key}-diplomacy.json", "application/json", _pretty(saved)))
        files.append(ExportFile(f"{game.key}-datc.txt", "text/plain", cased))
    wanted = dict(zip(FORMS, files, strict=False))
    chosen = (wanted[form],) if form in wanted else tuple(files)
    view = ExportView(
        game.key, labelled(game), game.stage is Stage.ENDED, len(played), game.phase_title if game.phase else "", chosen
    )
    return Enclosure("export", plain(view))


FORMS = ("json", "diplomacy", "datc")
"""Formats of an export, in the order of its files."""


def _pretty(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def public_record(game: Game, events: Sequence[Event]) -> dict[str, Any]:
    """What was played of a game that is not over, as JSON: what the board showed to everybody, and no word of anybody.

    No orders on file, no votes, no press, no name of a player.
    """
    phases = [_phase(event, game) for event in counting(events, game.calendar) if isinstance(event, PhaseAdjudicated)]
    begun = next((_day(event.at) for event in events if isinstance(event, GameStarted)), "")
    return {
        **_head(game, begun),
        "stage": str(game.stage),
        "phase": str(game.phase) if game.phase else "",
        "centres": {str(year): dict(counts) for year, counts in game.chart.items()},
        "phases": phases,
        "position": _position(game.position) if game.position else None,
    }


# --- JSON -----------------------------------------------------------------------------------------------------------


def _with_record(view: ArchiveView, game: Game, phases: list[dict[str, Any]]) -> ArchiveView:
    facts: dict[str, Any] = plain(view)
    ending = game.ending
    record = {
        **_head(game, view.begun),
        "ended": view.ended,
        "result": {"how": ending.how, "powers": list(ending.powers), "sentence": view.sentence} if ending else None,
        "players": facts["finishers"],
        "points": {row["name"]: dict(zip(view.systems, row["points"], strict=True)) for row in facts["points"]},
        "centres": {str(year): dict(counts) for year, counts in game.chart.items()},
        "phases": phases,
        "final": _position(game.position) if game.position else None,
        "votes": facts["votes"],
        "press": facts["press"],
        "statements": facts["statements"],
        "diaries": facts["diaries"],
    }
    return replace(view, record=Plain(plain(record)))


def _head(game: Game, begun: str) -> dict[str, Any]:
    settings = game.settings
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.key,
        "map": settings.map,
        "rules": settings.rules,
        "choices": list(settings.choices),
        "begun": begun,
    }


def _phase(event: PhaseAdjudicated, game: Game) -> dict[str, Any]:
    played = read_out(event, game)
    return {
        "phase": event.phase,
        "version": event.version,
        "processed": event.at.isoformat(),
        "position": _position(played.before),
        "orders": [_order(result, verbatim=_verbatim(game)) for result in played.results],
    }


def _verbatim(game: Game) -> bool:
    return game.settings.show_orders == "verbatim"


def _order(result: OrderResult, *, verbatim: bool) -> dict[str, Any]:
    """The order as it was carried out, what became of it, and its player's own words where the game published them."""
    return {
        "power": result.power,
        "order": str(result.order),
        "written": result.text if verbatim else "",
        "results": [str(word) for word in result.results],
        "reason": result.reason,
    }


def _position(position: Position) -> dict[str, Any]:
    return {
        "units": {power: [str(unit) for unit in position.of(power)] for power in position.board.powers},
        "centres": {power: list(position.centres(power)) for power in position.board.powers},
        "dislodged": [
            {"power": lost.unit.power, "unit": str(lost.unit), "retreats": list(lost.options)}
            for lost in position.dislodged
        ],
    }
