"""Logs that older programs wrote: they rebuild, and adjudicating their phases again gives what was stored."""

from __future__ import annotations

import json
from pathlib import Path

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.game import events as ev
from judge.game.evolve import begin, evolve
from judge.game.model import Game, System
from judge.game.settings import Settings
from judge.history import played_phase
from judge.orders.model import Convoy, Support
from judge.variants import rules_for

HERE = Path(__file__).resolve().parent
BOARD = load_board(HERE.parents[1] / "maps" / "standard")
RECORDED = HERE / "sample-schema-1.jsonl"


def systems(settings: Settings) -> System:
    return System(BOARD, rules_for(settings.rules))


def recorded() -> list[ev.Event]:
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    return [ev.from_json(*json.loads(line)) for line in lines]


def rebuilt(events: list[ev.Event]) -> Game:
    first, *others = events
    assert isinstance(first, ev.GameCreated)
    game = begin(first, systems)
    for event in others:
        game = evolve(game, event, systems)
    return game


def test_the_game_stands_where_it_stood() -> None:
    game = rebuilt(recorded())
    assert str(game.phase) == "S1903M"
    assert game.position is not None
    assert {power: len(game.position.centres(power)) for power in BOARD.powers} == {
        "AUSTRIA": 5, "ENGLAND": 5, "FRANCE": 5, "GERMANY": 6, "ITALY": 4, "RUSSIA": 4, "TURKEY": 5,
    }  # fmt: skip
    assert game.sheets["FRANCE"].lines


def test_every_phase_comes_to_what_was_stored() -> None:
    played = [played_phase(event, BOARD) for event in recorded() if isinstance(event, ev.PhaseAdjudicated)]
    assert [str(phase.phase) for phase in played][:3] == ["S1901M", "F1901M", "W1901A"]
    for phase in played:
        given = [result.order for result in phase.results if result.given]
        again = adjudicate(phase.before, given, rules_for("1976"), disorder=phase.disorder)
        assert again.after == phase.after
        assert [one.results for one in again.outcomes] == [one.results for one in phase.results]


def test_helpers_are_bound_to_the_units_that_they_helped() -> None:
    played = [played_phase(event, BOARD) for event in recorded() if isinstance(event, ev.PhaseAdjudicated)]
    helped = [
        one.order.of in phase.before.units
        for phase in played
        for one in phase.results
        if isinstance(one.order, (Support, Convoy))
    ]
    assert len(helped) > 5
    assert all(helped)


def test_what_is_written_today_reads_back() -> None:
    for event in recorded():
        assert ev.from_json(type(event).__name__, event.VERSION, json.loads(json.dumps(ev.to_json(event)))) == event
