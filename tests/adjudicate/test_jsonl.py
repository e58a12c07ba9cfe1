"""`judge adjudicate --jsonl`: one phase a line in, one result a line out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from judge.adjudicate.jsonin import BadPhase
from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board
from judge.cli.adjudicate import adjudicate_command
from judge.rules import RULES_1976
from judge.variants import rules_for


def movement(**changes: Any) -> dict[str, Any]:
    phase: dict[str, Any] = {
        "id": "x1",
        "phase": "F1901M",
        "units": {
            "FRANCE": ["A PAR", "A MAR", "F SPA/SC"],
            "GERMANY": ["A BUR", "A MUN"],
            "ENGLAND": ["A LON", "F NTH"],
        },
        "centers": {"FRANCE": ["PAR", "MAR"]},
        "orders": {
            "FRANCE": ["A PAR - BUR", "Army Marseilles supports Paris to Burgundy."],
            "GERMANY": ["A MUN S A BUR", "A BUR H"],
            "ENGLAND": ["A LON - BEL VIA", "F NTH C A LON - BEL"],
        },
    }
    return phase | changes


def test_a_movement_phase(board: Board) -> None:
    answer = adjudicate_object(movement(), board, RULES_1976)
    assert answer["id"] == "x1"
    assert answer["units"]["ENGLAND"] == ["A BEL", "F NTH"]
    assert answer["dislodged"] == {}
    assert answer["centers"] == {"FRANCE": ["MAR", "PAR"]}
    assert answer["outcomes"]["A PAR"] == {
        "order": "A PAR - BUR",
        "result": ["bounced"],
        "reason": "held",
        "by": ["A BUR", "A MUN"],
        "strengths": [2, 2],
    }
    assert answer["outcomes"]["A MAR"]["order"] == "A MAR S A PAR - BUR"
    assert answer["outcomes"]["F SPA/SC"] == {"order": "F SPA/SC H", "result": ["ok"], "reason": "no-order", "by": []}
    assert answer["corrected"] == answer["unread"] == []


def test_dislodged_units_leave_units_and_stand_with_their_options(board: Board) -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
    answer = adjudicate_object(movement(orders=orders), board, RULES_1976)
    assert answer["dislodged"] == {"GERMANY": {"A BUR": ["BEL", "GAS", "PIC", "RUH"]}}
    assert answer["units"]["GERMANY"] == ["A MUN"]
    assert answer["outcomes"]["A BUR"]["result"] == ["dislodged"]


def test_a_unit_with_nowhere_to_go_has_no_options(board: Board) -> None:
    units = {"ENGLAND": ["F POR"], "FRANCE": ["F SPA/SC", "F MAO"]}
    orders = {"FRANCE": ["F SPA/SC - POR", "F MAO S F SPA/SC - POR"]}
    answer = adjudicate_object(movement(units=units, orders=orders), board, RULES_1976)
    assert answer["dislodged"] == {"ENGLAND": {"F POR": []}}
    assert answer["outcomes"]["F POR"]["result"] == ["dislodged", "disbanded"]


def test_via_is_written_where_the_army_was_convoyed_to_a_place_it_could_walk_to(board: Board) -> None:
    phase = movement(
        units={"ENGLAND": ["A NWY", "F SKA"], "RUSSIA": ["A SWE"]},
        orders={"ENGLAND": ["A NWY - SWE", "F SKA C A NWY - SWE"], "RUSSIA": ["A SWE - NWY"]},
    )
    answer = adjudicate_object(phase, board, rules_for("datc"))
    assert answer["outcomes"]["A NWY"]["order"] == "A NWY - SWE VIA"
    assert answer["outcomes"]["A SWE"]["order"] == "A SWE - NWY"


def test_the_options_of_a_retreat_phase_are_authoritative(board: Board) -> None:
    phase = {
        "id": 2,
        "phase": "F1901R",
        "units": {"GERMANY": ["A BUR", "A MAR"]},
        "dislodged": {"FRANCE": {"A BUR": ["NAP", "PAR"], "A MAR": []}},
        "orders": {"FRANCE": ["A BUR R NAP", "A MAR D"]},
    }
    answer = adjudicate_object(phase, board, RULES_1976)
    assert answer["units"]["FRANCE"] == ["A NAP"]
    assert answer["outcomes"]["A MAR"]["result"] == ["ok", "disbanded"]


def test_adjustments(board: Board) -> None:
    phase = {
        "id": 3,
        "phase": "W1901A",
        "units": {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "F HOL"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["KIE"]},
        "orders": {"FRANCE": ["F BRE B", "WAIVE"], "GERMANY": ["A BUR D"]},
    }
    answer = adjudicate_object(phase, board, RULES_1976)
    assert answer["units"] == {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["F HOL"]}
    assert {name: entry["result"] for name, entry in answer["outcomes"].items()} == {
        "F BRE": ["ok"],
        "FRANCE WAIVE": ["ok"],
        "A BUR": ["ok", "disbanded"],
    }


def test_what_could_not_be_read_is_told_and_the_unit_stands(board: Board) -> None:
    answer = adjudicate_object(movement(orders={"FRANCE": ["A PAR - XYZZY", "A LON - WAL"]}), board, RULES_1976)
    assert [(each["power"], each["text"]) for each in answer["unread"]] == [
        ("FRANCE", "A PAR - XYZZY"),
        ("FRANCE", "A LON - WAL"),
    ]
    assert answer["outcomes"]["A LON"]["reason"] == "no-order"


def test_an_explanation_for_each_order(board: Board) -> None:
    answer = adjudicate_object(movement(), board, RULES_1976, explained=True)
    assert answer["outcomes"]["A PAR"]["explain"] == (
        "A Paris - Burgundy failed: 2 against 2, Burgundy was held by A Burgundy supported by A Munich (IX.2)."
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"phase": "Q1"}, "'Q1' is no phase; write one like S1901M, F1901R or W1901A"),
        ({"units": {"MARS": ["A PAR"]}}, "there is no power 'MARS' on this board"),
        ({"units": {"FRANCE": ["A ENG"]}}, "'A ENG' cannot stand anywhere"),
        ({"units": {"FRANCE": ["F STP"]}}, "'F STP' cannot stand anywhere"),
        ({"units": {"FRANCE": ["A PAR", "A PAR"]}}, "there are two units in PAR"),
        ({"units": {"FRANCE": "A PAR"}}, "the units of FRANCE are not a list of texts"),
        ({"units": ["A PAR"]}, '"units" is not an object with one entry for each power'),
        ({"centers": {"FRANCE": ["BUR"]}}, "'BUR' is no supply centre"),
        ({"orders": ["A PAR H"]}, '"orders" is not an object'),
    ],
)
def test_what_is_no_phase_is_said(board: Board, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadPhase) as raised:
        adjudicate_object(movement(**changes), board, RULES_1976)
    assert sentence in str(raised.value)


def test_adjustments_need_centres(board: Board) -> None:
    with pytest.raises(BadPhase, match="an adjustment phase needs"):
        adjudicate_object({"id": 1, "phase": "W1901A", "units": {}}, board, RULES_1976)


def run(lines: list[str], *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(adjudicate_command, ["--jsonl", *arguments], input="\n".join(lines))
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def test_the_command_answers_line_by_line_and_goes_on_after_a_bad_one() -> None:
    code, answers = run(
        [json.dumps(movement()), "nonsense", "[1]", json.dumps(movement(phase="?")), json.dumps(movement())]
    )
    assert code == 1
    assert [answer["id"] for answer in answers] == ["x1", None, None, "x1", "x1"]
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]


def test_the_command_takes_rules_and_choices() -> None:
    phase = movement(
        units={"ENGLAND": ["A LON", "F ENG", "F NTH"], "FRANCE": ["F BRE", "F IRI"]},
        orders={
            "ENGLAND": ["A LON - BEL", "F ENG C A LON - BEL", "F NTH C A LON - BEL"],
            "FRANCE": ["F BRE - ENG", "F IRI S F BRE - ENG"],
        },
    )
    results = {
        arguments: run([json.dumps(phase)], *arguments)[1][0]["outcomes"]["A LON"]["result"]
        for arguments in [(), ("--rules", "datc"), ("--choice", "convoy_routes=one-suffices")]
    }
    assert list(results.values()) == [["no-convoy"], ["ok"], ["ok"]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rules", "1967"], "did you mean 1976?"),
        (["--choice", "paradox"], "is not NAME=VALUE"),
        (["--choice", "paradox=odd"], "it is one of"),
        (["--map", "moon"], "there is no board 'moon'"),
    ],
)
def test_the_command_refuses_what_it_does_not_know(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(adjudicate_command, ["--jsonl", "-", *arguments], input="")
    assert result.exit_code == 2
    assert words in result.output


def test_the_command_asks_for_its_input() -> None:
    result = CliRunner().invoke(adjudicate_command, [])
    assert result.exit_code == 2
    assert "--jsonl FILE" in result.output


@pytest.mark.parametrize(
    "line", ["F Eng S A Lon - Nth - Bel", "F Eng S A Lon - Bel via Nth", "F Eng S A Lon (F Nth) - Bel"]
)
def test_a_fleet_that_another_line_names_on_the_way_keeps_its_convoy(board: Board, line: str) -> None:
    orders = {"ENGLAND": ["A Lon - Nth - Bel", "F Nth C A Lon - Bel", line]}
    phase = movement(phase="S1901M", units={"ENGLAND": ["A LON", "F NTH", "F ENG"]}, centers={}, orders=orders)
    answer = adjudicate_object(phase, board, RULES_1976)
    assert answer["unread"] == answer["corrected"] == []
    written = {unit: outcome["order"] for unit, outcome in answer["outcomes"].items()}
    assert written == {"A LON": "A LON - BEL VIA", "F NTH": "F NTH C A LON - BEL", "F ENG": "F ENG S A LON - BEL"}
