"""Parts of a picture: every name that its reader needs can be read on a telephone, nothing of theirs is left out."""

from __future__ import annotations

from random import Random

import pytest

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.board.model import Board
from judge.draw import BoardPictures, Picture, orders_picture, position_picture
from judge.draw.measures import Box
from judge.draw.parts import MOVED, READ, SHOWN, can_be_read, part_for, smallest, windows
from judge.draw.topology import Topology
from judge.rules import RULES_1976
from tests.bench import plausible
from tests.draw.conftest import MAPS
from tests.draw.scenes import CAPTION, elements, position, texts

BOARDS = sorted(path.parent.name for path in MAPS.glob("*/board.toml"))


def drawn(board: Board, topology: Topology, count: int) -> list[Picture]:
    """Orders and positions of crowded phases."""
    found = []
    for before, orders in plausible.phases(Random(7), board, count):
        result = adjudicate(before, orders, RULES_1976)
        found += [
            orders_picture(topology, before, result.outcomes, CAPTION),
            position_picture(topology, result.after, CAPTION),
        ]
    return found


def within(box: Box, x: float, y: float) -> bool:
    left, top, wide, high = box
    return left <= x <= left + wide and top <= y <= top + high


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_says_that_it_is_crowded_exactly_if_a_telephone_cannot_show_its_names(name: str) -> None:
    """Shown 780 pixels wide in a box that is moved, no name of a whole board may have less than nine of them."""
    board = load_board(MAPS / name)
    topology = BoardPictures(MAPS)(board)
    least = min(smallest(naming) for naming in ("codes", "names")) * MOVED / (topology.width + 20)
    assert can_be_read(topology) == (least >= READ) == ("crowded" not in board.facts)
    assert (name == "global2") == ("crowded" in board.facts)


def test_the_page_shows_whole_boards_and_parts_as_wide_as_the_measure_has_it() -> None:
    style = (MAPS.parent / "templates" / "style.css").read_text(encoding="utf-8")
    assert f".picture img {{ width: {MOVED:.0f}px" in style
    assert SHOWN <= 375 - 2 * 0.7 * 16, "a letter's margins on a narrow screen"


@pytest.mark.parametrize("name", ["standard", "global2"])
def test_through_its_windows_a_power_sees_all_that_concerns_it_and_can_read_it(name: str) -> None:
    board = load_board(MAPS / name)
    for picture in drawn(board, BoardPictures(MAPS)(board), 4):
        for power in board.powers:
            seen, concerned = windows(picture, board, [power])
            assert 1 <= len(seen) <= 4
            assert seen == windows(picture, board, [power])[0], "the same whenever it is asked for"
            widest = part_for(picture, board, [power]).across
            assert smallest(picture.look.naming) * (SHOWN + 8) / widest >= READ - 0.2
            units = [box for whom, box in picture.touched if whom == {power} and box[2:] == (0.0, 0.0)]
            assert concerned == bool(units) or concerned
            missed = [box for box in units if not any(within(each, box[0], box[1]) for each in seen)]
            assert not missed or len(seen) == 4, f"{power}: {missed}"


def test_who_has_no_power_sees_where_the_board_is_crowded(world: Board, world_picture: Topology) -> None:
    picture = position_picture(world_picture, position(world, {"USA": "A CHI"}), CAPTION)
    seen, concerned = windows(picture, world, [])
    assert not concerned and len(seen) == 2
    for code in ("PAR", "MUN", "ROM", "LON", "TOK", "PEK", "KOR"):
        x, y = world_picture.spots["names"][code].label
        assert any(within(box, x, y) for box in seen), code
    assert windows(picture, world, ["JAPAN"]) == (seen, False), "a power that has nothing left"


def test_a_part_is_one_svg_under_the_name_of_its_power(standard: Board, picture: Topology) -> None:
    whole = position_picture(picture, position(standard, {"FRANCE": "A PAR, F BRE", "TURKEY": "A SMY"}), CAPTION)
    part = part_for(whole, standard, ["FRANCE"])
    svg = part.svg()
    assert {"France", "tannenburg Fall 1904 moves"} <= set(texts(svg))
    assert len([each for each in elements(svg) if each.tag.endswith("use") and each.get("href") == "#board"]) == 1
    assert len(part.seen) == 1
