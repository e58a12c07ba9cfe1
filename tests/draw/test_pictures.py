"""What every picture obeys, whatever the position: everything is drawn, once, where it belongs, over no name."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from math import hypot
from random import Random

import pytest

from judge.adjudicate import adjudicate
from judge.board.extras import Badge, Extras
from judge.board.load import load_board
from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Position, start_position
from judge.board.unit import ABOARD, Dislodged, Unit
from judge.draw import CODES, NAMES, BoardPictures, Caption, Look, clashes, glyphs, orders_picture, position_picture
from judge.draw.faces import LIGHT, THEMES
from judge.draw.measures import UNIT, label_size, label_type, overlap
from judge.draw.paths import at
from judge.draw.places import standing_at
from judge.draw.routes import Obstacles, chain
from judge.draw.scene import distinct_letters, make_scene
from judge.draw.strokes import Draughtsman
from judge.draw.topology import Point, Topology, contains
from judge.orders.model import Build
from judge.rules import RULES_1976
from judge.variants import rules_for
from tests.bench import layout, plausible
from tests.draw.conftest import MAPS
from tests.draw.scenes import CAPTION, elements, marked, played, position, texts


def game(board: Board, seed: int) -> list[plausible.Played]:
    """The phases of some plausible years: moves, retreats and adjustments with their orders."""
    random, here, phases = Random(seed), start_position(board), []
    while here.phase.year < 1905:
        orders = plausible.moves(random, here) if here.phase.kind == "M" else plausible.others(random, here)
        phases.append((here, orders))
        here = adjudicate(here, orders, RULES_1976).after
    return phases


@pytest.mark.parametrize("seed", range(6))
def test_every_unit_and_every_order_is_drawn_once(standard: Board, picture: Topology, seed: int) -> None:
    for before, orders in game(standard, seed):
        result = adjudicate(before, orders, RULES_1976)
        svg = orders_picture(picture, before, result.outcomes, CAPTION).svg()
        there = [*before.units, *(lost.unit for lost in before.dislodged)]
        built = [o.order for o in result.outcomes if isinstance(o.order, Build) and o.ok]
        assert len(marked(svg, "data-unit")) == len(there) + len(built)
        assert Counter(marked(svg, "data-unit")) >= Counter(str(unit.id) for unit in there)
        drawn = Counter(
            text.split(" ", 1)[-1] if "B" in text.split()[-1:] else text for text in marked(svg, "data-order")
        )
        assert drawn == Counter(str(o.order) for o in result.outcomes if str(o.order) != "WAIVE")


ACROSS = {"JAPAN": "F NPO, F CPO, F BES", "USA": "F GAK, F EPO, F HAW"}
"""Fleets on both sides of the edge that cuts the Pacific."""


def test_arrows_over_the_edge_of_the_world_take_the_short_way_and_show_at_both_edges(
    world: Board, world_picture: Topology
) -> None:
    before = position(world, ACROSS)
    orders = {"JAPAN": "F NPO - EPO; F CPO S F NPO - EPO; F BES - GAK", "USA": "F GAK H; F EPO H; F HAW - NPO"}
    svg = orders_picture(world_picture, before, played(before, orders).outcomes, CAPTION).svg()
    width = world_picture.width
    for order in ("F NPO - EPO", "F CPO S F NPO - EPO", "F BES - GAK", "F HAW - NPO"):
        (group,) = (each for each in elements(svg) if each.get("data-order") == order)
        (cut,) = group
        assert cut.get("clip-path") == "url(#map)", order
        (again,) = (each for each in cut if each.get("transform"))
        assert again.get("transform") in (f"translate({width:g} 0)", f"translate({-width:g} 0)")
        xs = [float(x) for path in cut.iter() for x in re.findall(r"(-?[\d.]+)[ ,]-?[\d.]+", path.get("d") or "")]
        assert max(xs) - min(xs) < width / 2, f"{order} takes the short way"


@pytest.mark.parametrize("seed", range(4))
def test_a_position_shows_every_unit_also_those_that_must_retreat(
    standard: Board, picture: Topology, seed: int
) -> None:
    for before, _ in game(standard, seed):
        svg = position_picture(picture, before, CAPTION).svg()
        there = [*before.units, *(lost.unit for lost in before.dislodged)]
        assert sorted(map(int, marked(svg, "data-unit"))) == sorted(unit.id for unit in there)


@pytest.mark.parametrize("name", sorted(path.parent.name for path in MAPS.glob("*/board.toml")))
def test_every_unit_stands_in_its_own_space_and_on_no_name(name: str) -> None:
    board = load_board(MAPS / name)
    picture = BoardPictures(MAPS)(board)
    for naming in ("codes", "names"):
        boxes = []
        for code, spot in picture.spots[naming].items():
            size = label_size(spot.lines, label_type(naming, sea=picture.wet(code)))
            boxes.append((code, (*spot.label, *size)))
        for place in board.locations():
            x, y = standing_at(picture, naming, place)
            owner = province_of(place)
            assert contains(picture.outlines[owner], (x, y)) or place in picture.coasts[naming], place
            assert [code for code, box in boxes if overlap(box, (x, y, *UNIT)) > 0.2] == [], place


@pytest.mark.parametrize(("name", "most"), [("standard", 10.5), ("european", 13.5), ("global2", 31.0)])
def test_lines_units_and_crosses_hide_little_of_each_other(name: str, most: float) -> None:
    """What was seen before they went round borders and stood aside: 19, 32 and 61."""
    costs = [layout.cost(found) for found in layout.pictures_of(15, name)]
    assert sum(costs) / len(costs) < most


def test_a_fleet_goes_round_the_land_and_an_arrow_to_next_door_is_seen(standard: Board, picture: Topology) -> None:
    """From the North Sea into the Channel by Dover; from Bothnia to Sweden an arrow beside its cross."""
    before = position(
        standard, {"ENGLAND": "F NTH", "FRANCE": "F ENG", "RUSSIA": "F BOT", "GERMANY": "F DEN, A CLY, F EDI"}
    )
    orders = {
        "ENGLAND": "F NTH - ENG", "FRANCE": "F ENG - NTH", "RUSSIA": "F BOT - SWE",
        "GERMANY": "F DEN - SWE; A CLY - EDI; F EDI - CLY",
    }  # fmt: skip
    scene = make_scene(picture, before, CODES)
    lines = Draughtsman(scene, before, played(before, orders).outcomes).drawn().lines
    assert len(lines) == 6
    found = layout.counted(lines, scene)
    assert {what for what, count in found.items() if count} <= {"lines that cross", "lines through a name"}


def test_that_a_board_is_a_reconstruction_is_a_quiet_line_below(world: Board, world_picture: Topology) -> None:
    svg = position_picture(world_picture, start_position(world), CAPTION).svg()
    (note,) = (each for each in elements(svg) if each.text == world.reconstruction)
    assert note.get("fill") == THEMES[LIGHT].ink
    assert float(note.get("y", 0)) > world_picture.height
    stamped = position_picture(world_picture, start_position(world), replace(CAPTION, stamps=("Speculation",))).svg()
    assert "Speculation" in texts(stamped)


def test_units_that_share_a_space_are_all_to_be_seen(standard: Board, picture: Topology) -> None:
    units = tuple(Unit(n, "F", "NTH", "ENGLAND", "LON") for n in range(1, 6))
    scene = make_scene(picture, Position(standard, standard.first_phase, units, {}), CODES)
    places = [place for place, _ in scene.places.values()]
    for n, (x, y) in enumerate(places):
        assert all(abs(x - u) > 15 or abs(y - v) > 10 for u, v in places[n + 1 :])


def test_who_is_carried_is_drawn_small_on_its_carrier(standard: Board, picture: Topology) -> None:
    """Whether that stands or was driven out; the carrier stays as large as if it were alone, and alone has badges."""
    fleet = Unit(1, "F", "NTH", "ENGLAND")
    army = Unit(2, "A", "NTH", "ENGLAND").marked(ABOARD, "1")
    extras = Extras(units={1: (Badge("1"), Badge("A2")), 2: (Badge("2"),)})
    alone = Position(standard, Phase.read("F1904M"), (fleet,), {})
    standing = Position(standard, Phase.read("F1904M"), (army, fleet), {})
    driven = tuple(Dislodged(unit, ("NWG",)) for unit in (army, fleet))
    due = Position(standard, Phase.read("F1904R"), (Unit(3, "F", "NTH", "GERMANY"),), {}, driven)
    for before in (standing, due):
        places = make_scene(picture, before, NAMES).places
        (x, y), scale = places[1]
        assert places[2] == ((x, y - 10 * scale), 0.55 * scale)
        svg = position_picture(picture, before, CAPTION, extras=extras).svg()
        order = marked(svg, "data-unit")
        assert order.index("1") < order.index("2"), "the army is drawn over the fleet"
        assert "A2" in texts(svg)
        assert "2" not in texts(svg)
    assert make_scene(picture, standing, NAMES).places[1] == make_scene(picture, alone, NAMES).places[1]
    assert position_picture(picture, due, CAPTION).svg().count(glyphs.burst(NAMES.theme)) == 2, "the fleet, the key"


def apart(a: Point, b: Point, wide: float, high: float) -> bool:
    """Whether two boxes of this size about these points do not overlap."""
    return abs(a[0] - b[0]) > wide or abs(a[1] - b[1]) > high


@pytest.mark.parametrize("naming", ["codes", "names"])
@pytest.mark.parametrize("places", [("PAR", "PAR"), ("BUR", "MUN", "BEL", "RUH"), ("SER", "BUL", "GRE", "RUM")])
def test_units_driven_out_side_by_side_are_all_to_be_seen(
    standard: Board, picture: Topology, places: tuple[str, ...], naming: str
) -> None:
    """None hides another one, nor one of those that took their places and of all around."""
    around = ["BUR", "MUN", "BEL", "RUH", "KIE", "BER", "PIC", "MAR", "SER", "BUL", "GRE", "RUM", "BUD", "TRI", "PAR"]
    units = tuple(Unit(n, "A", place, "GERMANY", "BER") for n, place in enumerate(around, 50))
    lost = tuple(Dislodged(Unit(n, "A", place, "FRANCE", "PAR"), ("GAS",)) for n, place in enumerate(places, 1))
    scene = make_scene(picture, Position(standard, standard.first_phase, units, {}, lost), Look(naming=naming))
    driven = [scene.places[each.unit.id][0] for each in lost]
    standing = [scene.places[unit.id][0] for unit in units]
    for n, point in enumerate(driven):
        assert all(apart(point, other, 24, 19) for other in (*standing, *driven[n + 1 :]))
        assert min(hypot(point[0] - x, point[1] - y) for x, y in standing) < 60, "near where it stood"


def test_a_driven_out_unit_without_room_in_its_space_is_tied_to_it(standard: Board, picture: Topology) -> None:
    lost = Dislodged(Unit(9, "A", "BEL", "ENGLAND", "HOL"), ("HOL",))
    before = position(standard, {"GERMANY": "A BEL, A RUH, A HOL, A BUR, A PIC"}, "F1904R")
    due = replace(before, dislodged=(lost,))
    drawn = position_picture(picture, due, CAPTION)
    point, _ = make_scene(picture, due, NAMES).places[9]
    outside = not contains(picture.outlines["BEL"], point)
    assert (f"L{round(point[0], 1):g} " in drawn.middle or f"L{at(point)}" in drawn.middle) == outside


@pytest.mark.parametrize("seed", range(4))
def test_a_cross_hides_no_unit(standard: Board, picture: Topology, seed: int) -> None:
    """The letter in the middle of a unit is to be read, unless the line is so short that there is no other place."""
    for before, orders in game(standard, seed):
        outcomes = adjudicate(before, orders, RULES_1976).outcomes
        drawn = orders_picture(picture, before, outcomes, CAPTION)
        units = [sign.point for sign in drawn.signs if "data-unit" in sign.mark]
        crosses = [sign.point for sign in drawn.signs if not sign.mark and "data-order" not in sign.inside]
        hidden = [c for c in crosses for u in units if hypot(c[0] - u[0], c[1] - u[1]) < 9]
        assert len(hidden) <= len(crosses) // 12


def test_a_convoy_there_and_back_is_two_lines(standard: Board, picture: Topology) -> None:
    before = position(standard, {"ENGLAND": "F MAO", "FRANCE": "A NAF"})
    result = played(before, {"ENGLAND": "F MAO C A NAF - POR", "FRANCE": "A NAF - POR"})
    route = chain(
        Obstacles(picture, "codes"),
        [picture.unit_at("codes", place) for place in ("NAF", "MAO", "POR")], leave=(15, 15), stop=(3, 3),
    )  # fmt: skip
    sea = picture.unit_at("codes", "MAO")
    turn = min(range(len(route.points)), key=lambda n: hypot(route.points[n][0] - sea[0], route.points[n][1] - sea[1]))
    there, back = route.points[:turn], route.points[turn + 1 :]
    middle = back[len(back) // 2]
    assert min(hypot(middle[0] - x, middle[1] - y) for x, y in there) > 5
    assert "A NAF - POR" in orders_picture(picture, before, result.outcomes, CAPTION).svg()


def test_builds_not_used_are_one_short_note(standard: Board, picture: Topology) -> None:
    before = position(standard, {"FRANCE": "A GAS"}, "W1904A")
    result = played(before, {"FRANCE": "A PAR B"})
    (note,) = [
        text for text in texts(orders_picture(picture, before, result.outcomes, CAPTION).svg()) if "not used" in text
    ]
    assert note.startswith("Builds not used: ") and "Turkey 3" in note


def test_failure_is_told_by_a_broken_line_and_a_cross_not_by_colour(standard: Board, picture: Topology) -> None:
    before = position(standard, {"FRANCE": "A PAR, A MAR", "GERMANY": "A MUN"})
    failed = played(before, {"FRANCE": "A PAR - BUR; A MAR H", "GERMANY": "A MUN - BUR"})
    went = played(before, {"FRANCE": "A PAR - BUR; A MAR H", "GERMANY": "A MUN H"})
    printed = Look(printed=True)

    def broken(svg: str) -> int:
        drawn = [e for e in elements(svg) if e.attrib.get("data-order", "").endswith("- BUR")]
        return sum("stroke-dasharray" in part.attrib for each in drawn for part in each)

    assert broken(orders_picture(picture, before, failed.outcomes, CAPTION, printed).svg()) == 2
    assert broken(orders_picture(picture, before, went.outcomes, CAPTION, printed).svg()) == 0


def test_a_picture_for_print_has_no_colour(standard: Board, picture: Topology) -> None:
    svg = orders_picture(picture, start_position(standard), (), CAPTION, Look(printed=True)).svg()
    colours = {value for e in elements(svg) for value in e.attrib.values() if value.startswith("#") and len(value) == 7}
    assert colours
    assert [c for c in sorted(colours) if len({c[1:3], c[3:5], c[5:7]}) > 1] == []


def test_a_space_is_contested_when_several_wanted_it_and_nobody_came(standard: Board) -> None:
    before = position(standard, {"FRANCE": "A PAR, A MAR", "GERMANY": "A MUN, A RUH", "ITALY": "A VEN"})
    result = played(
        before, {"FRANCE": "A PAR - BUR; A MAR - PIE", "GERMANY": "A MUN - BUR; A RUH - BEL", "ITALY": "A VEN H"}
    )
    assert list(clashes(before, result.outcomes)) == ["BUR"]


def test_title_game_version_and_stamps_are_written(standard: Board, picture: Topology) -> None:
    caption = Caption("tannenburg", "Fall 1904 moves", 3, ("Speculation: not played",))
    written = texts(orders_picture(picture, start_position(standard), (), caption).svg())
    assert {"Fall 1904 moves", "tannenburg \xb7 version 3", "Speculation: not played"} <= set(written)


def test_the_legend_names_every_power_of_seven_and_of_thirty_four(standard: Board, picture: Topology) -> None:
    for rules in ("1976", "chaos"):
        system = rules_for(rules)
        board = system.board(standard)
        picture_ = position_picture(picture, system.start(board), CAPTION)
        written = " ".join(texts(picture_.svg()))
        assert [power.name for power in board.powers.values() if power.name not in written] == []
        assert picture_.box[3] < 1.2 * picture_.box[2]


def test_no_two_powers_have_the_same_letter_on_their_units(standard: Board) -> None:
    alike = {key: replace(power, letter="X") for key, power in standard.powers.items()}
    for board in (standard, replace(standard, powers=alike), rules_for("chaos").board(standard)):
        letters = list(distinct_letters(board).values())
        assert len(set(letters)) == len(letters)
        assert all(1 <= len(letter) <= 3 for letter in letters)
    assert list(distinct_letters(standard).values()) == [power.letter for power in standard.powers.values()]


@pytest.mark.parametrize(
    "name", ["<script>&\"'</script>", "]]>", "\x00\x08\u202etest", "\U0001f600 Łódź", "x" * 5000, "", "a\nb\tc"]
)
def test_hostile_names_are_written_and_do_no_harm(standard: Board, picture: Topology, name: str) -> None:
    svg = position_picture(picture, start_position(standard), Caption(name, name, 1, (name,)), NAMES).svg()
    assert not [e for e in elements(svg) if e.tag.endswith("script")]
    assert len(svg) < 600_000
    assert all(len(text) < 200 for text in texts(svg))
