"""Global Diplomacy II beyond single phases: its year, its ends, its continents in a whole game, and its face as JSON.
What becomes of single orders is in tests/cases/global2, a game by mail in tests/transcripts/global2-whole.mail.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import duty
from judge.adjudicate.jsonl import adjudicate_object
from judge.board.lint import lint, load_expectation
from judge.board.load import available_boards, load_board
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.daemon.robots import think
from judge.draw import BoardPictures, Caption, Look, position_picture
from judge.draw.glyphs import RIMS
from judge.game.core.events import GameEnded
from judge.game.core.model import Stage
from judge.resources import folder
from judge.rules import RULES_1976
from judge.rules.model import RULE_SYSTEMS
from judge.variants import rules_for
from tests.variants.test_whole_games import check_position, everybody_orders, rebuilt, started

MAPS = folder("maps")
RULES = rules_for("global2")
COLONIAL = {
    "ENGLAND": {"Europe", "Africa", "Asia"},
    "FRANCE": {"Europe", "Africa"},
    "GERMANY": {"Europe", "Africa"},
    "RUSSIA": {"Europe", "Asia"},
}


@pytest.fixture(scope="module")
def board() -> Board:
    return RULES.board(load_board(MAPS / "global2"))


def continent(position: Position, code: str) -> str:
    return position.board.provinces[code].facts["continent"]


# -- The table -----------------------------------------------------------------------------------------------------


def test_twelve_powers_one_unit_in_each_home_centre(board: Board) -> None:
    start = RULES.start(board)
    assert len(RULES.seats(board)) == 12
    assert all(len(start.of(power)) == len(start.centres(power)) for power in board.powers)
    assert {power for power in board.powers if len(RULES.ledgers(start, power)) > 1} == set(COLONIAL)
    assert {power: set(RULES.ledgers(start, power)) for power in COLONIAL} == COLONIAL


def test_each_centre_lies_on_one_of_four_continents(board: Board) -> None:
    """33 in Europe, 15 in Africa, 19 in Asia, 15 in America."""
    found = Counter(board.provinces[code].facts["continent"] for code in board.centres)
    assert found == {"Europe": 33, "Africa": 15, "Asia": 19, "America": 15}
    seen = RULES.extras(RULES.start(board)).regions
    assert {code for code, province in board.provinces.items() if province.terrain.value != "sea"} == set(seen)


def test_what_the_rules_do_not_note_is_as_in_1976(board: Board) -> None:
    """Whatever is ordered once Siberia may move, it becomes of it what becomes of it by the rules of 1976."""
    chance, tried = Random(1901), 0
    position = replace(RULES.start(board), phase=Phase.read("S1902M"))
    for _ in range(12):
        orders = [order for power in board.powers for order in think(position, power, RULES, chance)]
        by_ours, by_1976 = adjudicate(position, orders, RULES), adjudicate(position, orders, RULES_1976)
        assert by_ours.outcomes == by_1976.outcomes
        assert {unit[:4] for unit in by_ours.after.units} == {unit[:4] for unit in by_1976.after.units}
        tried += len(orders)
        position = replace(by_ours.after, phase=Phase.read("S1902M"), dislodged=())
    assert tried > 300


def test_what_the_seed_left_out_is_a_reconstruction_and_says_so(board: Board) -> None:
    """The list of provinces, their borders and the first units were lost; nobody plays without being told."""
    assert "econstruction" in board.reconstruction
    report = lint(load_board(MAPS / "global2"), load_expectation(MAPS / "global2"))
    assert report.problems == () and len(report.figures) > 10


def test_the_year_begins_with_the_adjustments_of_february() -> None:
    calendar = RULES.calendar
    phases = [Phase.read("S1901M")]
    while len(phases) < 6:
        phases.append(calendar.next_phase(phases[-1]))
    assert [calendar.title(each) for each in phases] == [
        "Spring 1901 moves",
        "Summer 1901 retreats",
        "Fall 1901 moves",
        "December 1901 retreats",
        "February 1902 adjustments",
        "Spring 1902 moves",
    ]
    assert [str(each) for each in calendar.turn_of(phases[4])] == ["F1901R", "W1902A"]
    assert [str(each) for each in phases if calendar.is_capture(each)] == ["F1901R"]


def test_42_centres_win_and_41_do_not(board: Board) -> None:
    start = RULES.start(board)
    for count, winner in ((41, None), (42, "BRAZIL")):
        owners = dict.fromkeys(board.centres[:count], "BRAZIL")
        assert RULES.winner(replace(start, owners=owners)) == winner


def test_nobody_waits_for_an_order_to_the_fleet_of_siberia(board: Board) -> None:
    start = RULES.start(board)
    for year, season, waits in ((1901, "S", False), (1901, "F", False), (1902, "S", True)):
        later = replace(start, phase=Phase.read(f"{season}{year}M"))
        asked = {str(unit) for unit in duty(later, "RUSSIA", RULES).units}
        assert ("F SIB" in asked) is waits
        assert "A TUR" in asked


# -- A whole game --------------------------------------------------------------------------------------------------


def test_robots_play_it_until_somebody_has_won() -> None:
    """After every winter the units of each continent are at most what its centres feed; a unit never changes its
    continent; who was eliminated has no unit of it any more; the log rebuilds.
    """
    table, chance = started("global2"), Random("c")
    origins: dict[int, str] = {}
    while table.game.stage is Stage.RUNNING:
        everybody_orders(table, chance)
        table.process()
        check_position(table.game)
        if table.game.position is not None:
            check_continents(table.game.position, origins)
    (ended,) = (event for event in table.events if isinstance(event, GameEnded))
    assert table.game.position is not None
    centres = [len(table.game.position.centres(power)) for power in ended.powers]
    assert ended.how == "win" and len(centres) == 1 and centres[0] >= 42
    assert rebuilt(table).position == table.game.position


def check_continents(position: Position, origins: dict[int, str]) -> None:
    units = (*position.units, *(lost.unit for lost in position.dislodged))
    for unit in units:
        known = dict(unit.marks).get("continent", "")
        assert bool(known) is (unit.power in COLONIAL)
        assert known == "" or known == continent(position, unit.built[:3])
        assert origins.setdefault(unit.id, known) == known
    if not str(position.phase).startswith("S") or not str(position.phase).endswith("M"):
        return
    for power in COLONIAL:
        gone = position.marks.get(power, {}).get("eliminated", "").split(",")
        assert not any(dict(unit.marks)["continent"] in gone for unit in position.of(power)), power


# -- As JSON -------------------------------------------------------------------------------------------------------


def ask(board: Board, **data: Any) -> dict[str, Any]:
    return adjudicate_object(data, board, RULES)


def test_a_year_as_json_keeps_what_is_remembered(board: Board) -> None:
    """Jerusalem, taken by the African fleet of Egypt, feeds Africa, and says so."""
    winter = ask(
        board,
        phase="F1901R",
        units={"ENGLAND": ["F JER", "A SAF", "F LON"]},
        centers={"ENGLAND": ["LON", "LVP", "EDI", "EGY", "SAF"]},
        marks={"units": {"F JER": {"continent": "Africa"}}},
        orders={},
    )
    assert winter["marks"]["spaces"] == {"JER": {"continent": "Africa"}}
    assert winter["marks"]["units"]["F JER"] == {"continent": "Africa"}
    built = ask(
        board,
        phase="W1902A",
        **{key: winter[key] for key in ("units", "centers", "marks")},
        orders={"ENGLAND": ["A EGY B", "F EDI B", "WAIVE"]},
    )
    assert sorted(built["units"]["ENGLAND"]) == ["A EGY", "A SAF", "F EDI", "F JER", "F LON"]
    assert built["marks"]["units"]["A EGY"] == {"continent": "Africa"}


def test_without_marks_a_unit_is_of_the_continent_where_it_stands(board: Board) -> None:
    found = ask(
        board, phase="W1902A", units={"FRANCE": ["A ALG", "A PAR"]}, centers={"FRANCE": ["PAR", "MAR", "BRE"]},
        orders={"FRANCE": ["A PAR D"]},
    )  # fmt: skip
    assert found["outcomes"]["A PAR"]["reason"] == "no-removal-on-continent"
    assert found["outcomes"]["A ALG"]["reason"] == "removed-in-disorder"


def test_positions_handed_on_as_json_forget_nothing(board: Board) -> None:
    """No marks at all are the state at the start: an African fleet that has left Egypt is African all the same, and the
    fleet of Siberia holds where it has been driven.
    """
    units = {"ENGLAND": ["F EGY"], "RUSSIA": ["F SIB"], "JAPAN": ["A MCU", "A YAK"]}
    orders = {"ENGLAND": ["F EGY - EAS"], "JAPAN": ["A MCU - SIB", "A YAK S A MCU - SIB"]}
    spring = ask(board, phase="S1901M", units=units, orders=orders)
    assert spring["marks"]["units"]["F EAS"] == {"continent": "Africa"}
    kept = {key: spring[key] for key in ("units", "dislodged", "marks")}
    summer = ask(board, phase="S1901R", **kept, orders={"RUSSIA": ["F SIB R OKH"]})
    kept = {key: summer[key] for key in ("units", "marks")}
    fall = ask(board, phase="F1901M", **kept, orders={"RUSSIA": ["F OKH - SOJ"], "ENGLAND": ["F EAS - JER"]})
    assert fall["outcomes"]["F OKH"]["reason"] == "laid-up"
    assert fall["marks"]["units"]["F JER"] == {"continent": "Africa"}
    later = ask(board, phase="S1902M", **kept, orders={"RUSSIA": ["F OKH - SOJ"]})
    assert later["outcomes"]["F OKH"]["reason"] == "moved"


# -- For people ----------------------------------------------------------------------------------------------------


def test_the_page_of_rules_tells_every_number_and_place_that_matters() -> None:
    page = " ".join(" ".join(block.lines) for block in RULE_SYSTEMS["global2"].page)
    for word in (
        "reconstruction", "195", "82", "42", "February", "January", "1902", "Siberia", "Jerusalem", "Kiel", "Ural",
        "Yakutsk", "Yukon", "Mexico", "Colombia", "Hokkaido", "Shikoku", "New Guinea",
    ):  # fmt: skip
        assert word.casefold() in page.casefold()


def test_people_read_what_feeds_whom(board: Board) -> None:
    start = RULES.start(board)
    text = [line for block in RULES.desk(start) for line in block.lines]
    assert "Russia in Asia: 2 centres; F Siberia and A Turkestan." in text
    assert "Russian F Siberia holds this year." in text
    assert not any("Italy" in line for line in text)


def test_the_picture_tells_the_four_continents_apart(board: Board) -> None:
    """Each centre's outline says where it lies, in colour and in print."""
    start, picture = RULES.start(board), BoardPictures(MAPS)(board)
    for printed in (False, True):
        look = Look(printed, naming="names")
        drawn = position_picture(picture, start, Caption("", ""), look, RULES.extras(start)).svg()
        outlines = [drawn.count(f'<path d="{rim}"') for rim in RIMS]
        assert outlines == [15 + 1, 15 + 1, 19 + 1], "Africa, America, Asia, each with its key; Europe has circles"


def test_pictures_mark_units_away_from_their_continent(board: Board) -> None:
    start = RULES.start(board)
    assert RULES.extras(start).units == {}
    fleet = next(unit for unit in start.units if str(unit) == "F EGY")
    away = replace(start, units=tuple(u._replace(at="EAS") if u is fleet else u for u in start.units))
    assert {unit: [b.text for b in badges] for unit, badges in RULES.extras(away).units.items()} == {fleet.id: ["Af"]}


@pytest.mark.parametrize("name", available_boards(MAPS))
def test_every_board_is_of_a_preset(name: str) -> None:
    maps = {bundle.get("map", "standard") for system in RULE_SYSTEMS.values() for bundle in system.presets.values()} | {
        "standard"
    }
    assert name in maps
