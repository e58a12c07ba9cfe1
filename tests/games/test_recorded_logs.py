"""Logs that older programs wrote: they rebuild, and adjudicating their phases again gives what was stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.game.core import events as ev
from judge.game.core.events import from_json, to_json
from judge.game.core.evolve import begin, evolve
from judge.game.core.model import Begun, Game, System
from judge.game.filing.kept import AlwaysChanged, standing_orders
from judge.game.instructions.kinds import filed_from_json, placed_from_json, placed_to_json
from judge.game.settings.table import Settings
from judge.history import played_phase
from judge.orders.model import Convoy, Support
from judge.variants import rules_for

HERE = Path(__file__).resolve().parent
BOARD = load_board(HERE.parents[1] / "maps" / "standard")
RECORDED = HERE / "sample-schema-1.jsonl"
ALWAYS = HERE / "always-schema-1.jsonl"


def systems(settings: Settings) -> System:
    return System(BOARD, rules_for(settings.rules))


def recorded(file: Path = RECORDED) -> list[ev.Event]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [from_json(*json.loads(line)) for line in lines]


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


@pytest.mark.parametrize("file", [RECORDED, ALWAYS])
def test_every_phase_comes_to_what_was_stored(file: Path) -> None:
    played = [played_phase(event, BOARD) for event in recorded(file) if isinstance(event, ev.PhaseAdjudicated)]
    assert [str(phase.phase) for phase in played][:2] == ["S1901M", "F1901M"]
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


@pytest.mark.parametrize("file", [RECORDED, ALWAYS])
def test_what_is_written_today_reads_back(file: Path) -> None:
    for event in recorded(file):
        assert from_json(type(event).__name__, event.VERSION, json.loads(json.dumps(to_json(event)))) == event


def test_conditions_and_lists_of_the_first_schema_are_read() -> None:
    """As an event of the first schema held them beside the order that was carried out."""
    [stored] = [
        event
        for event in (json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines())
        if event[0] == "PhaseAdjudicated" and event[2]["phase"] == "S1901M"
    ]
    kind, version, data = stored
    first = next(outcome for outcome in data["outcomes"] if outcome["order"] == "A PAR - BUR")
    for text in (
        "IF GERMANY A MUN IN AND NOT ITALY F LYO IN THEN A PAR - BUR ELSE A PAR H",
        "IF FRANCE OWNS BEL THEN A PAR - BUR ELSE IF ANY A MAR R ANYWHERE THEN A PAR S A MAR ELSE A PAR H",
        "A PAR R BUR OR GAS OR D",
    ):
        first["filed"] = text
        event = from_json(kind, version, data)
        assert isinstance(event, ev.PhaseAdjudicated)
        results = played_phase(event, BOARD).results
        assert [str(result.filed) for result in results if result.filed] == [text]


def test_an_order_on_file_whose_unit_is_gone_is_left_out() -> None:
    game = rebuilt([event for event in recorded() if not isinstance(event, ev.PhaseAdjudicated)][:12])
    assert game.position is not None
    line = {"phase": str(game.phase), "unit": 99, "order": "A MOO - BUR", "text": "A Moo - Bur"}
    assert filed_from_json([line], game.position, "FRANCE") == ()


def test_orders_that_always_stand_were_texts_once() -> None:
    game = rebuilt(recorded(ALWAYS))
    assert {power: [str(order) for order in orders] for power, orders in game.always.items()} == {
        "FRANCE": ["A MAR H", "A PAR S A MAR", "F BRE - MAO"],
        "ENGLAND": ["A LVP - YOR", "F LON - NTH", "F EDI S F LON - NTH"],
        "GERMANY": [],
        "RUSSIA": ["F STP/SC - BOT", "A WAR H", "A MOS - UKR"],
        "TURKEY": ["A CON - BUL", "F ANK - BLA"],
    }


def test_orders_that_always_stood_are_filed_again_as_they_were() -> None:
    """At each turn of the page the orders that the log holds for it come of what always stood then."""
    first, *others = recorded(ALWAYS)
    assert isinstance(first, ev.GameCreated)
    game, found = begin(first, systems), set()
    for event in others:
        if isinstance(event, ev.OrdersFiled) and any(line["text"].startswith("always ") for line in event.lines):
            assert isinstance(game, Begun)
            again = {each.power: each for each in standing_orders(game, event.at) if isinstance(each, ev.OrdersFiled)}
            assert again[event.power].lines == event.lines
            found.add(event.power)
        game = evolve(game, event, systems)
    assert found == {"FRANCE", "ENGLAND", "GERMANY", "RUSSIA", "TURKEY"}


@pytest.mark.parametrize(
    ("text", "unit", "of"),
    [
        ("A PAR#2 - BUR", {"kind": "A", "at": "PAR", "number": "2"}, None),
        ("F STP/SC S A PAR#2", {"kind": "F", "at": "STP/SC"}, {"kind": "A", "at": "PAR", "number": "2"}),
        ("F NTH C A LON - BEL", {"kind": "F", "at": "NTH"}, {"kind": "A", "at": "LON"}),
        ("A LON - BEL VIA", {"kind": "A", "at": "LON"}, None),
    ],
)
def test_whom_such_a_text_was_for(text: str, unit: object, of: object) -> None:
    fields = {"at": "2027-01-01T12:00:00+00:00", "by": "1", "power": "FRANCE", "orders": [text]}
    event = from_json("AlwaysChanged", 1, fields)
    assert isinstance(event, AlwaysChanged)
    [order] = event.orders
    assert (order["unit"], order.get("of")) == (unit, of)
    assert str(placed_from_json(order)) == text
    assert placed_to_json(placed_from_json(order)) == order
