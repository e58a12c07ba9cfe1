"""The stream of phases: whatever bytes a line holds, one line of valid JSON answers it, and the next line is read."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.adjudicate.jsonin import BadPhase
from judge.adjudicate.jsonl import LONGEST, adjudicate_object, answer_line, read_lines, write_line
from judge.board.load import load_board
from judge.board.model import Board
from judge.board.position import Position
from judge.cli.adjudicate import adjudicate_command
from judge.orders.model import Order
from judge.rules import RULES_1976
from judge.variants import rules_for
from tests.support.archipelago import board_named
from tests.support.tangles import crowded, tangled

HERE = Path(__file__).parent
PHASE: dict[str, Any] = {
    "id": "x",
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN", "A BUR"]},
    "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
    "dislodged": {},
    "orders": {"FRANCE": ["A PAR - PIC", "F BRE - ENG"], "GERMANY": ["A MUN S A BUR"]},
}
RETREAT: dict[str, Any] = {
    "id": "r",
    "phase": "F1901R",
    "units": {"GERMANY": ["A BUR"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "dislodged": {"FRANCE": {"A BUR": ["GAS", "PAR"]}},
    "orders": {"FRANCE": ["A BUR R GAS"]},
}
WINTER: dict[str, Any] = {
    "id": "w",
    "phase": "W1901A",
    "units": {"GERMANY": ["A BUR", "A KIE"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "orders": {"FRANCE": ["A PAR B"], "GERMANY": ["A KIE D"]},
}

many = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


def answered(line: bytes, board: Board) -> dict[str, Any]:
    """The answer to a line as a strict reader finds it: one line of UTF-8 that is JSON."""
    written = write_line(answer_line(line, board, RULES_1976, explained=True))
    assert b"\n" not in written
    answer = json.loads(written.decode(), parse_constant=pytest.fail)
    assert isinstance(answer, dict) and "id" in answer
    assert "stumbled" not in answer.get("error", ""), answer
    return answer


# --- any value at any place -----------------------------------------------------------------------------------------

texts = st.text(alphabet=st.characters(), max_size=12) | st.sampled_from(
    [
        "FRANCE",
        "A PAR",
        "A BUR",
        "GAS",
        "PAR",
        "A PAR - BUR",
        "F STP",
        "NTH",
        "\ud800",
        "\udfff\ud800",
        "Britain",
        "W1901A",
    ]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
    max_leaves=6,
)


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, each in entries for path in paths(each, (*here, key)))]


def with_value(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_value(copy[path[0]], path[1:], new)
    return copy


def test_every_character_is_written_as_json_writes_it() -> None:
    for number in (*range(0xD800), *range(0xE000, 0x10FFFF, 97)):
        answer = {"id": None, "error": f"{chr(number)}!", "flaws": [{"code": "x", "strengths": [1, 2]}, {}, []]}
        assert write_line(answer) == json.dumps(answer, ensure_ascii=False).encode(), hex(number)


@many
@given(st.data(), st.sampled_from([PHASE, RETREAT, WINTER]), values)
def test_any_value_at_any_place_is_answered(data: st.DataObject, phase: dict[str, Any], value: Any) -> None:
    board = standard()
    path = data.draw(st.sampled_from(paths(phase)))
    changed = with_value(phase, path, value)
    text = json.dumps(changed, ensure_ascii=data.draw(st.booleans()))
    line = text.encode("utf-8", "surrogatepass")
    answer = answered(line, board)
    if isinstance(changed, dict) and readable(line):
        assert answer["id"] == changed.get("id")


@many
@given(st.data(), st.sampled_from([PHASE, RETREAT, WINTER]), values)
def test_any_value_under_another_key_is_answered(data: st.DataObject, phase: dict[str, Any], value: Any) -> None:
    part = data.draw(st.sampled_from(["units", "centers", "dislodged", "orders"]))
    key = data.draw(texts)
    changed = {**phase, part: {**phase.get(part, {}), key: value}}
    answered(json.dumps(changed).encode(), standard())


@many
@given(st.binary(max_size=80), st.integers(0, 400))
@example(b"\xff", 30)
@example(b"\x00", 0)
def test_any_bytes_anywhere_are_answered(noise: bytes, where: int) -> None:
    line = json.dumps(PHASE).encode()
    for changed in (noise, line[:where] + noise + line[where:], line[:where] + noise + line[where + len(noise) :]):
        answered(changed.replace(b"\n", b""), standard())


def readable(line: bytes) -> bool:
    """Whether a line is JSON, strictly taken."""
    try:
        json.loads(line.decode(), parse_constant=_refuse)
    except ValueError:
        return False
    return True


def _refuse(text: str) -> Any:
    raise ValueError(text)


def standard() -> Board:
    return load_board(HERE.parents[1] / "maps" / "standard")


# --- single lines ---------------------------------------------------------------------------------------------------


def changed(**changes: Any) -> bytes:
    return json.dumps(PHASE | changes).encode()


@pytest.mark.parametrize("number", ["1e999", "-1e400", "9" * 5000, "0.10", "1E5", "-0", "12345678901234567890.5"])
def test_a_number_comes_back_as_it_was_written(number: str, board: Board) -> None:
    for shape in ("%s", "[%s]", '{"a": [%s]}'):
        value = shape % number
        assert write_line(answer_line(f'{{"id": {value}}}', board, RULES_1976)).startswith(f'{{"id": {value},'.encode())


@pytest.mark.parametrize(
    ("line", "known", "words"),
    [
        (b'{"id": 7, "units": ' + b"[" * 100_000, 7, "nested too deeply"),
        (b"[" * 100_000, None, "nested too deeply"),
        (b'{"id": ' + b"[" * 970 + b"]" * 970 + b"}", None, "nested too deeply"),
        (b'{"id": "big", "x": "' + b"x" * LONGEST + b'"}', "big", "longer than"),
        (b'{"id": NaN}', None, "NaN is no number of JSON"),
        (b'{"id": 1, "phase": -Infinity}', None, "-Infinity is no number of JSON"),
        (b'{"id": "\xff"}', None, "byte 9 is not UTF-8"),
        (b'{"id": 1, "id": 2}', 2, "the key 'id' stands twice"),
        (b'{"id": 3, "orders": {"FRANCE": [], "FRANCE": ["A PAR H"]}}', 3, "the key 'FRANCE' stands twice"),
        (changed(orders={"FRANCE": [], "france": []}), "x", '"orders" names FRANCE twice'),
        (changed(orders={"NARNIA": ["A PAR - PIC"]}), "x", "there is no power 'NARNIA'"),
        (changed(orders={"FRANCE": [1.5]}), "x", "the orders of FRANCE are not a list of texts"),
        (changed(orders=0), "x", '"orders" is not an object'),
        (changed(phase=1901), "x", 'there is no "phase"'),
        (changed(phase="W1901M"), "x", "W1901M is no phase of this calendar"),
        (changed(units={"FRANCE": ["A NTH"]}), "x", "'A NTH' cannot stand anywhere"),
        (changed(units={"FRANCE": ["F PAR"]}), "x", "'F PAR' cannot stand anywhere"),
        (changed(units={"FRANCE": ["F STP"]}), "x", "'F STP' cannot stand anywhere"),
        (changed(units={"FRANCE": ["A SPA/NC"]}), "x", "'A SPA/NC' cannot stand anywhere"),
        (changed(units={"FRANCE": ["X PAR"]}), "x", "'X PAR' cannot stand anywhere"),
        (changed(units={"FRANCE": ["F SPA/NC"], "ITALY": ["A SPA"]}), "x", "there are two units in SPA"),
        (changed(units={"FRANCE": {"A PAR": 1}}), "x", "the units of FRANCE are not a list of texts"),
        (changed(centers={"FRANCE": ["PAR"], "ITALY": ["par"]}), "x", "PAR is given twice, to FRANCE and to ITALY"),
        (changed(centers={"FRANCE": ["PAR", "PAR"]}), "x", "PAR is given twice"),
        (changed(centers={"FRANCE": ["GAS"]}), "x", "'GAS' is no supply centre"),
        (changed(phase="W1901A", centers=None), "x", 'needs "centers"'),
        (changed(dislodged={"FRANCE": {"A GAS": ["MAR"]}}), "x", "A GAS must retreat before S1901M"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(line: bytes, known: Any, words: str, board: Board) -> None:
    answer = answered(line, board)
    assert answer["id"] == known
    assert words in answer["error"]


@pytest.mark.parametrize(
    ("dislodged", "words"),
    [
        ({"FRANCE": {"A BUR": 5}}, "the retreats of 'A BUR' are not a list of texts"),
        ({"FRANCE": {"A BUR": None}}, "the retreats of 'A BUR' are not a list of texts"),
        ({"FRANCE": {"A BUR": "GAS"}}, "the retreats of 'A BUR' are not a list of texts"),
        ({"FRANCE": {"A BUR": ["NTH"]}}, "A cannot stand there"),
        ({"FRANCE": {"A BUR": ["XYZ"]}}, "A cannot stand there"),
        ({"FRANCE": {"A BUR": ["BUR"]}}, "A BUR cannot retreat to BUR: A BUR stands there"),
        ({"FRANCE": {"A BUR": []}, "ITALY": {"A BUR": []}}, "there are two units in BUR"),
        ({"FRANCE": None}, "the dislodged of FRANCE are not an object"),
        ({"FRANCE": ["A BUR"]}, "the dislodged of FRANCE are not an object"),
    ],
)
def test_retreats_are_checked(dislodged: Any, words: str, board: Board) -> None:
    answer = answered(json.dumps(RETREAT | {"dislodged": dislodged}).encode(), board)
    assert answer["id"] == "r"
    assert words in answer["error"]


def test_a_half_character_comes_back_as_its_escape(board: Board) -> None:
    answer = write_line(answer_line(changed(id="\ud800", orders={"FRANCE": ["A PAR - \udc00"]}), board, RULES_1976))
    assert b'"id": "\\ud800"' in answer
    assert json.loads(answer)["unread"][0]["text"] == "A PAR - \udc00"


def test_other_names_of_powers_are_answered_by_the_key(board: Board) -> None:
    phase = PHASE | {
        "units": {"Great Britain": ["A LON", "F NTH"]},
        "centers": {"england": ["LON"]},
        "orders": {"BRITAIN": ["A LON - BEL", "F NTH C A LON - BEL"]},
    }
    answer = adjudicate_object(phase, board, RULES_1976)
    assert answer["units"] == {"ENGLAND": ["A BEL", "F NTH"]}
    assert answer["centers"] == {"ENGLAND": ["LON"]}


def test_nobody_orders_the_units_of_another(board: Board) -> None:
    answer = adjudicate_object(PHASE | {"orders": {"ITALY": ["A PAR - PIC", "FRANCE: F BRE - ENG"]}}, board, RULES_1976)
    assert {"A PAR", "F BRE"} == set(answer["units"]["FRANCE"])
    assert {each["power"] for each in answer["unread"]} == {"ITALY"}
    assert len(answer["unread"]) == 2


def test_units_that_are_lost_already_may_be_passed_on(board: Board) -> None:
    answer = adjudicate_object(PHASE | {"dislodged": {"ITALY": {"A GAS": []}}}, board, RULES_1976)
    assert answer["dislodged"] == {}


def test_a_power_without_orders_may_be_null(board: Board) -> None:
    answer = adjudicate_object(PHASE | {"orders": {"FRANCE": None}}, board, RULES_1976)
    assert answer["outcomes"]["A PAR"]["reason"] == "no-order"


# --- reasons --------------------------------------------------------------------------------------------------------


def test_a_stand_off_of_three_names_everybody_in_the_boards_order(board: Board) -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"], "ITALY": ["A MAR"]}
    orders = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"], "ITALY": ["A MAR - BUR"]}
    told = adjudicate_object(PHASE | {"units": units, "orders": orders}, board, RULES_1976, explained=True)["outcomes"]
    assert {unit: entry["by"] for unit, entry in told.items()} == {
        "A PAR": ["A MAR", "A MUN"], "A MUN": ["A MAR", "A PAR"], "A MAR": ["A MUN", "A PAR"],
    }  # fmt: skip
    assert told["A PAR"]["explain"] == (
        "A Paris - Burgundy failed: 1 against 1, Burgundy was also wanted by A Marseilles and by A Munich (VIII)."
    )


def test_the_strongest_rival_comes_first_with_its_helpers_last(board: Board) -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "A RUH"], "ITALY": ["A MAR"]}
    orders = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"], "ITALY": ["A MAR - BUR"]}
    told = adjudicate_object(PHASE | {"units": units, "orders": orders}, board, RULES_1976, explained=True)["outcomes"]
    assert told["A PAR"]["by"] == ["A MUN", "A MAR", "A RUH"]
    assert told["A PAR"]["explain"] == (
        "A Paris - Burgundy failed: 1 against 2, Burgundy was also wanted by A Munich supported by A Ruhr and by "
        "A Marseilles (VIII)."
    )


@pytest.mark.parametrize(("orders", "reason"), [([], "dislodged-without-order"), (["A BUR H"], "dislodged")])
def test_a_dislodged_unit_is_told_so(orders: list[str], reason: str, board: Board) -> None:
    units = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}
    attack = ["A MUN - BUR", "A RUH S A MUN - BUR"]
    phase = PHASE | {"units": units, "orders": {"FRANCE": orders, "GERMANY": attack}}
    told = adjudicate_object(phase, board, RULES_1976)["outcomes"]["A BUR"]
    assert (told["result"], told["reason"], told["by"]) == (["dislodged"], reason, ["A MUN"])


def test_an_army_that_nobody_carries_has_nobody_to_blame_even_if_it_is_dislodged(board: Board) -> None:
    units = {"ENGLAND": ["A LON", "F ENG", "F NTH"], "FRANCE": ["F WAL", "F YOR"]}
    orders = {"ENGLAND": ["A LON - NWY", "F NTH H"], "FRANCE": ["F WAL - LON", "F YOR S F WAL - LON"]}
    told = adjudicate_object(PHASE | {"units": units, "orders": orders}, board, RULES_1976)["outcomes"]["A LON"]
    assert told["result"][:2] == ["no-convoy", "dislodged"]
    assert told["by"] == []


@pytest.mark.parametrize("order", [["A BUR R GAS"], []])
def test_a_unit_without_options_had_nowhere_to_go(order: list[str], board: Board) -> None:
    phase = RETREAT | {"dislodged": {"FRANCE": {"A BUR": []}}, "orders": {"FRANCE": order}}
    told = adjudicate_object(phase, board, RULES_1976)["outcomes"]["A BUR"]
    assert (told["result"][-1], told["reason"]) == ("disbanded", "nowhere-to-retreat")


# --- the sequence of things means nothing ---------------------------------------------------------------------------


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_the_sequence_in_which_things_are_given_changes_nothing(random: Random) -> None:
    board = standard()
    position = crowded(random, board, random.randint(6, 24), random.choice((2, 3, 5, 7)))
    rules = rules_for(random.choice(("1976", "datc", "2000", "thundar")))
    phase = as_object(position, tangled(random, position))
    first = adjudicate_object(phase, board, rules, explained=True)
    second = adjudicate_object(shuffled(phase, random), board, rules, explained=True)
    assert json.dumps(first) == json.dumps(second)
    season = phase["phase"][:-1]
    retreats: dict[str, Any] = {"id": 1, "phase": f"{season}R", "orders": {}} | {
        part: first[part] for part in ("units", "dislodged", "centers")
    }
    for power, waiting in first["dislodged"].items():
        retreats["orders"][power] = [f"{unit} R {random.choice(to)}" for unit, to in waiting.items() if to]
    one = adjudicate_object(retreats, board, rules, explained=True)
    assert json.dumps(one) == json.dumps(adjudicate_object(shuffled(retreats, random), board, rules, explained=True))


def as_object(position: Position, orders: list[Order]) -> dict[str, Any]:
    units: dict[str, list[str]] = {}
    given: dict[str, list[str]] = {}
    centers: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power, []).append(str(unit))
    for order in {getattr(order, "unit"): order for order in orders}.values():  # noqa: B009
        given.setdefault(order.unit.power, []).append(str(order))  # type: ignore[union-attr]
    for centre, owner in position.owners.items():
        centers.setdefault(owner, []).append(centre)
    return {"id": 1, "phase": str(position.phase), "units": units, "centers": centers, "orders": given}


def shuffled(value: Any, random: Random) -> Any:
    """The same value with its lists and the keys of its objects in another sequence."""
    if isinstance(value, dict):
        keys = random.sample(list(value), len(value))
        return {key: shuffled(value[key], random) for key in keys}
    return random.sample(value, len(value)) if isinstance(value, list) else value


def test_builds_in_another_sequence_come_out_the_same(board: Board) -> None:
    phase = {
        "id": 1, "phase": "W1901A", "units": {"FRANCE": ["A GAS"], "ENGLAND": ["F NTH"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "ENGLAND": ["LON", "EDI", "LVP"]},
        "orders": {"FRANCE": ["A PAR B", "F BRE B"], "ENGLAND": ["F LON B", "A EDI B"]},
    }  # fmt: skip
    outputs = {json.dumps(adjudicate_object(shuffled(phase, Random(seed)), board, RULES_1976)) for seed in range(20)}
    assert len(outputs) == 1


# --- the stream -----------------------------------------------------------------------------------------------------


def test_a_line_that_is_too_long_is_one_line() -> None:
    stream = BytesIO(b"a" * (3 * LONGEST) + b"\nb\n\n \nc")
    assert [line[:2].strip() for line in read_lines(stream)] == [b"aa", b"b", b"c"]


def test_the_command_answers_any_bytes_line_by_line() -> None:
    good = json.dumps(PHASE).encode()
    lines = [good, b"\xff\xfe", b"[" * 100_000, b'{"id": "\\ud800"}', b"", good]
    result = CliRunner().invoke(adjudicate_command, ["--jsonl"], input=b"\n".join(lines))
    assert result.exit_code == 1
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert ["error" in answer for answer in answers] == [False, True, True, True, False]
    assert answers[0] == answers[-1]


def test_each_answer_is_flushed_before_the_next_line_is_read() -> None:
    command = [sys.executable, "-c", "from judge.cli import main; main()", "adjudicate", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps(PHASE | {"id": number}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == 0


def test_the_help_says_when_centres_change_hands() -> None:
    text = " ".join(CliRunner().invoke(adjudicate_command, ["--help"]).stdout.split())
    assert "Centres change hands at the end of F1901R" in text
    assert "The answer names no next phase" in text


def test_a_phase_that_is_refused_is_no_phase_for_callers_either(board: Board) -> None:
    with pytest.raises(BadPhase, match="no power 'NARNIA'"):
        adjudicate_object(PHASE | {"orders": {"NARNIA": []}}, board, RULES_1976)


@pytest.mark.parametrize("key", ["standard", "european", "global2"])
def test_a_canonical_line_is_never_asked_back_for_a_name_with_two_meanings(key: str) -> None:
    """ "Tyr" is Tyrolia or the Tyrrhenian Sea where people write it; as a code it is Tyrolia, out of reach or not."""
    board = board_named(key)
    rules, power = rules_for("1976"), next(iter(board.powers))
    codes = {code for short in board.ambiguous if (code := short.upper()) in board.provinces}
    for code in codes or board.centres[:3]:
        places = [at for at in board.provinces if at != code]
        for kind in ("A", "F"):
            stands = [at for at in places if board.can_stand(kind, at)][:40]
            units, helper = [f"{kind} {at}" for at in stands], f"{kind} {stands[0]}"
            for lines in (
                [f"{unit} - {code}" for unit in units],
                [f"{helper} S {unit} - {code}" for unit in units[1:]],
                [f"{helper} C {unit} - {code}" for unit in units[1:]],
            ):
                for line in lines:
                    one = {power: [line]}
                    phase = {"id": 1, "phase": str(board.first_phase), "units": {power: units}, "orders": one}
                    answer = adjudicate_object(phase, board, rules)
                    assert (answer["unread"], answer["corrected"]) == ([], []), line
