"""The European Variant beyond single phases: its beginning, its ends, and its face as JSON. What becomes of single
orders is in tests/cases/european, a game by mail in tests/transcripts/european-whole.mail.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge.adjudicate.jsonin import BadPhase
from judge.adjudicate.jsonl import adjudicate_object
from judge.board.load import load_board
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import start_position
from judge.game.core.events import GameEnded
from judge.game.core.model import Stage
from judge.resources import folder
from judge.rules.model import RULE_SYSTEMS
from judge.variants import rules_for
from tests.support.builders import Table
from tests.variants.test_whole_games import check_position, everybody_orders, rebuilt, started

MAPS = folder("maps")
RULES = rules_for("european")


@pytest.fixture(scope="module")
def board() -> Board:
    return RULES.board(load_board(MAPS / "european"))


def ask(board: Board, phase: str, orders: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    units = {power: [" ".join(line.split()[:2]) for line in lines] for power, lines in orders.items()}
    return adjudicate_object({"phase": phase, "units": units, "orders": orders, **more}, board, RULES)


# -- Beginning -----------------------------------------------------------------------------------------------------


def table_of_eight() -> Table:
    return Table(Path(MAPS), {"early": "yes"}, preset="european").seated().started()


def test_the_first_phase_is_the_negotiation_of_1890_and_moves_begin_in_1891() -> None:
    table = table_of_eight()
    assert table.game.calendar.title(str(table.game.phase)) == "Winter 1890 negotiations"
    assert str(table.process().game.phase) == "S1891M"
    phases = ["S1891M"]
    while len(phases) < 5:
        phases.append(str(table.game.calendar.next_phase(table.game.calendar.read(phases[-1]))))
    assert phases == ["S1891M", "S1891R", "F1891M", "F1891R", "W1891A"]


def test_the_negotiation_lasts_until_its_deadline_whatever_is_ordered_ahead() -> None:
    table = table_of_eight()
    due = table.running.deadline.at
    for power in table.game.board.powers:
        table.orders(power, "for S1891M:", "all hold")
    table.tick(due - timedelta(hours=1))
    assert str(table.game.phase) == "W1890N"
    table.tick(due + timedelta(minutes=10))
    assert str(table.game.phase) == "S1891M"


def test_the_year_before_comes_once() -> None:
    calendar = RULES.calendar
    assert str(calendar.next_phase(calendar.read("W1891A"))) == "S1892M"
    assert calendar.rank("W1890N") < calendar.rank("S1891M")
    assert [str(each) for each in calendar.turn_of(calendar.read("W1890N"))] == ["W1890N"]


def test_the_year_of_negotiations_moves_with_the_first_year() -> None:
    table = Table(Path(MAPS), {"first_year": "1901"}, preset="european").seated().started()
    assert (str(table.game.phase), str(table.game.board.last_phase)) == ("W1900N", "W1927A")


# -- Ends ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["one", "three"])
def test_robots_play_it_to_its_end(seed: str) -> None:
    """Only misspelt names are refused, nobody is in two places, units are what centres allow; the log rebuilds."""
    table, chance = started("european"), Random(seed)
    while table.game.stage is Stage.RUNNING:
        everybody_orders(table, chance)
        table.process()
        check_position(table.game)
    ended = next(event for event in table.events if isinstance(event, GameEnded))
    assert table.game.position is not None
    most = max(len(table.game.position.centres(power)) for power in table.game.board.powers)
    assert (most >= 28) == (ended.how == "win")
    assert rebuilt(table).position == table.game.position


def test_27_years_without_a_majority_are_a_draw_of_all_survivors() -> None:
    """54 movement phases, and the game closes after Winter 1917."""
    table = started("european")
    moves = 0
    while table.game.stage is Stage.RUNNING:
        moves += str(table.game.phase).endswith("M")
        for power in table.game.board.powers:
            if str(table.game.phase).endswith("M"):
                table.orders(power, "all hold")
        table.process()
    ended = next(event for event in table.events if isinstance(event, GameEnded))
    assert moves == 54
    assert (ended.how, len(ended.powers)) == ("limit", 8)


def test_28_centres_win_and_27_do_not(board: Board) -> None:
    start = RULES.start(board)
    others = [centre for centre in board.centres if centre not in board.powers["SPAIN"].homes]
    for count, winner in ((24, None), (25, "SPAIN")):
        owners = {**start.owners, **dict.fromkeys(others[:count], "SPAIN")}
        assert len([each for each in owners.values() if each == "SPAIN"]) == count + 3
        assert RULES.winner(type(start)(board, start.phase, start.units, owners)) == winner


# -- As JSON -------------------------------------------------------------------------------------------------------


def test_what_is_remembered_goes_out_and_comes_in(board: Board) -> None:
    spring = ask(board, "S1892M", {"GERMANY": ["A MUN - TYR"]})
    assert spring["marks"] == {"units": {"A TYR": {"entered": "S1892M", "entered_from": "MUN"}}}
    summer = adjudicate_object({"phase": "S1892R", **{key: spring[key] for key in ("units", "marks")}}, board, RULES)
    fall = ask(board, "F1892M", {"GERMANY": ["A TYR - VEN"]}, marks=summer["marks"])
    assert fall["outcomes"]["A TYR"]["reason"] == "over-the-ridge"
    free = ask(board, "F1892M", {"GERMANY": ["A TYR - VEN"]})
    assert free["units"] == {"GERMANY": ["A VEN"]}, "nothing is remembered of it"


def test_powers_by_their_other_names_are_answered_by_their_keys(board: Board) -> None:
    found = ask(board, "S1892M", {"ENGLAND": ["F LON - NSS"], "Turkey": ["A CON H"]})
    assert found["units"] == {"GREAT BRITAIN": ["F NSS"], "OTTOMAN EMPIRE": ["A CON"]}


def test_a_foreign_support_needs_no_nationality_there(board: Board) -> None:
    found = ask(board, "S1892M", {"FRANCE": ["A BEL - HOL"], "ENGLAND": ["F NSS S A BEL - HOL"]})
    assert found["unread"] == []
    assert found["outcomes"]["F NSS"]["result"] == ["ok"]


def test_without_rr_the_railway_is_offered_and_not_taken(board: Board) -> None:
    found = ask(board, "S1892M", {"RUSSIA": ["A MOS - OMS"]})
    assert found["units"] == {"RUSSIA": ["A MOS"]}
    assert found["unread"][0]["candidates"] == ["A MOS RR OMS"]
    there = ask(board, "S1892M", {"RUSSIA": ["A MOS RR OMS"]})
    assert there["outcomes"]["A MOS"]["order"] == "A MOS RR OMS"
    assert there["units"] == {"RUSSIA": ["A OMS"]}


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"phase": "W1890N"}, "before the first moves"),
        ({"marks": {"units": {"A PAR": {"entered": "S1892M"}}}}, "no such unit"),
        ({"marks": {"units": {"A MOS": "MUN"}}}, "objects of texts"),
        ({"marks": {"spaces": {"XXX": {}}}}, "no space of this board"),
        ({"marks": {"powers": {"ATLANTIS": {}}}}, "there is no power"),
        ({"marks": ["A MOS"]}, "is not an object"),
        ({"marks": {"seas": {}}}, "is not an object"),
    ],
)
def test_bad_marks_and_phases_are_told(board: Board, more: dict[str, Any], says: str) -> None:
    with pytest.raises(BadPhase, match=says):
        adjudicate_object({"phase": "S1892M", "units": {"RUSSIA": ["A MOS"]}, **more}, board, RULES)


# -- For people ----------------------------------------------------------------------------------------------------


def test_the_page_of_rules_tells_every_number_and_place_that_matters() -> None:
    page = " ".join(" ".join(block.lines) for block in RULE_SYSTEMS["european"].page)
    for word in ("reconstruction", "54", "28", "1890", "1891", "1917", "Tyrolia", "Kurdistan", "Norse Coast", "Omsk"):
        assert word.casefold() in page.casefold()
    assert all(home in page for home in ["Prague", "Lyon", "Frankfurt", "Belfast", "Milan", "Iraq", "Minsk", "Tangier"])


def test_its_picture_shows_the_railway_and_says_what_is_closed_in_fall(board: Board) -> None:
    spring = replace(start_position(board), phase=Phase.read("S1891M"))
    seen = RULES.extras(spring)
    assert [(line.a, line.b, line.look) for line in seen.lines] == [("MOS", "PER", "rail"), ("OMS", "PER", "rail")]
    assert not any("Switzerland" in note for note in seen.notes)
    for code, closed in (("F1891M", True), ("F1891R", True), ("W1891A", False)):
        notes = RULES.extras(replace(spring, phase=Phase.read(code))).notes
        assert any("Switzerland" in note for note in notes) is closed, code
