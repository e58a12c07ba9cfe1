"""What a rule system adds to a picture: it hands in values, and the drawing knows no system."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import MappingProxyType

from judge.adjudicate import adjudicate
from judge.adjudicate.jsonl import judged, opened
from judge.adjudicate.riding import Aboard, Ashore
from judge.board.extras import Badge, Extras, Line
from judge.board.model import Board, Border, Province, Terrain
from judge.board.phase import Phase
from judge.board.position import Position, start_position
from judge.draw import BoardPictures, Look, orders_picture, position_picture
from judge.draw.glyphs import RIMS
from judge.draw.ink import nobodys_paint
from judge.draw.topology import Topology
from judge.orders.family import FAMILY
from judge.orders.model import Build, Move
from judge.rules.model import RULE_SYSTEMS
from judge.variants import rules_for
from tests.draw.conftest import MAPS
from tests.draw.scenes import CAPTION, elements, position, texts


def drawn(board: Board, picture: Topology, extras: Extras) -> str:
    return position_picture(picture, start_position(board), CAPTION, extras=extras).svg()


def test_units_carry_numbers_and_riders(standard: Board, picture: Topology) -> None:
    svg = drawn(standard, picture, Extras(units={1: (Badge("7"), Badge("Rx"))}))
    (unit,) = [e for e in elements(svg) if e.attrib.get("data-unit") == "1"]
    assert {"7", "Rx"} <= {part.text for part in unit.iter()}


def test_spaces_show_points_and_legends_show_money(standard: Board, picture: Topology) -> None:
    written = texts(drawn(standard, picture, Extras(spaces={"MUN": (Badge("3p"),)}, powers={"FRANCE": "40 crowns"})))
    assert "3p" in written
    signs = position_picture(
        picture, start_position(standard), CAPTION, extras=Extras(spaces={"CON": (Badge("2p"),)})
    ).signs
    assert any(">2p<" in sign.inside for sign in signs), "above units, which would hide it"
    assert any(text.endswith("40 crowns") for text in written)


def test_a_new_kind_of_unit_brings_its_outline(standard: Board, picture: Topology) -> None:
    outline = "M-9 0L9 0L0 9z"
    svg = drawn(standard, picture, Extras(outlines={"A": outline}))
    assert outline not in svg, "an army is drawn as an army"
    before = start_position(standard)
    bomber = before.units[0]._replace(kind="B")
    flown = replace(before, units=(bomber, *before.units[1:]))
    assert outline in position_picture(picture, flown, CAPTION, extras=Extras(outlines={"B": outline})).svg()


def test_regions_are_parted_by_a_broad_border(standard: Board, picture: Topology) -> None:
    regions = {
        code: "East" if code in ("MOS", "SEV", "UKR", "WAR", "LVN", "STP", "FIN") else "" for code in standard.provinces
    }
    plain, parted = (drawn(standard, picture, Extras(regions=r)) for r in ({}, regions))
    assert (
        'stroke-width="3.4"' not in plain.replace(' stroke-width="3.4" stroke-opacity=".5"', "").split("data-unit")[0]
    )
    assert parted.count('stroke-width="3.4"') == plain.count('stroke-width="3.4"') + 1


def test_centres_of_each_region_have_their_outline_and_the_legend_says_which(
    standard: Board, picture: Topology
) -> None:
    """In colour and in print: four of them, told apart without a colour."""
    names = ("Africa", "America", "Asia", "Europe")
    regions = {code: names[n % 4] for n, code in enumerate(standard.centres)}
    start = start_position(standard)
    for look in (Look(naming="names"), Look(printed=True, naming="names")):
        made = position_picture(picture, start, CAPTION, look, Extras(regions=regions))
        plain = position_picture(picture, start, CAPTION, look)
        for n, rim in enumerate(RIMS):
            of_region = list(regions.values()).count(names[n])
            assert made.svg().count(f'<path d="{rim}"') == of_region + 1, "the centres, and the legend"
            assert rim not in plain.svg()
        assert all(f">{name}<" in made.outside for name in names)


def test_railways_run_from_place_to_place(standard: Board, picture: Topology) -> None:
    plain = drawn(standard, picture, Extras())
    for look in ("rail", "double", "dotted"):
        assert len(drawn(standard, picture, Extras(lines=(Line("MOS", "WAR", look),)))) > len(plain)


def test_land_takes_the_colour_that_the_system_says(standard: Board, picture: Topology) -> None:
    made = position_picture(picture, start_position(standard), CAPTION, extras=Extras(owners={"NAF": "FRANCE"}))
    assert made.owners["NAF"] == "FRANCE"


def shown(rules: str, here: Position, picture: Topology) -> str:
    return position_picture(picture, here, CAPTION, extras=rules_for(rules).extras(here)).svg()


def test_capitals_show_where_two_units_may_stand(standard: Board, picture: Topology) -> None:
    svg = shown("capitals", start_position(standard), picture)
    written = texts(svg)
    assert written.count("II") == 7
    assert "II: a capital, in which two units of its power may stand together" in written
    assert "II" not in texts(shown("1976", start_position(standard), picture))


def test_recruits_are_marked_while_they_drill(standard: Board, picture: Topology) -> None:
    before = position(standard, {"FRANCE": "A GAS"}, "W1904A")
    rules = rules_for("recruits")
    build = Build("FRANCE", "A", "PAR")
    spring = adjudicate(before, [build], rules).after
    svg = shown("recruits", spring, picture)
    (recruit,) = [unit for unit in spring.units if unit.at == "PAR"]
    marked = [e for e in elements(svg) if "r" in [part.text for part in e] + [p.text for part in e for p in part]]
    assert [e.attrib["data-unit"] for e in marked if "data-unit" in e.attrib] == [str(recruit.id)]
    assert "r: a recruit, which drills through the spring" in texts(svg)


def test_who_goes_aboard_or_ashore_has_a_sign_and_nobody_convoys(first: Board, first_picture: Topology) -> None:
    rules = rules_for("1958")
    before = position(rules.board(first), {"ENGLAND": "A BEL, F ENC, F HOL, A HOL, F DEN", "GERMANY": "F NTH"})
    carrier = before.units[2].id
    units = [unit.marked("aboard", str(carrier)) if str(unit) == "A HOL" else unit for unit in before.units]
    before = replace(before, units=tuple(units))
    army, fleet, ship, rider, _, other = before.units
    orders = [Aboard(army, fleet), Move(fleet, "BEL"), Ashore(rider), Move(ship, "NTH"), Move(other, "HOL")]
    result = adjudicate(before, orders, rules)
    pictured = orders_picture(first_picture, before, result.outcomes, CAPTION)
    signed = {e.attrib["data-order"]: e for e in elements(pictured.svg()) if "data-order" in e.attrib}
    crossed = {str(order): len(list(signed[str(order)])) > 2 for order in (orders[0], orders[2])}
    assert crossed == {"A BEL ABOARD F ENC": False, "A HOL ASHORE": True}
    written = texts(pictured.svg())
    assert {"aboard", "ashore"} <= set(written)
    assert not {"by convoy", "convoys"} & set(written)


def test_every_order_of_every_system_is_seen_in_pictures() -> None:
    """As an order of 1976, as strokes or as a sign at its unit: one that is drawn as nothing has not been forgotten."""
    known = tuple(kind.order for kind in FAMILY)
    unseen = {
        (key, kind.name)
        for key, room in RULE_SYSTEMS.items()
        for kind in room.rules.kinds()
        if not (kind.sign or kind.plain_form or kind.strokes or issubclass(kind.order, known))
    }
    assert not unseen


SEASON_OF_1914 = {
    "GERMANY": "F HEL - NTH, (2) - NWG; A WAR RR SIL - BER; B BUR BOMBS MAR; B BER DEFENDS MUN; B RUH BASE KIE",
    "FRANCE": "F MAO - ENG, (2) S F IRI; F IRI H, (2) H; A BRE - PIC; B PAR BOMBS MUN",
}


def season_of_1914(board: Board) -> Position:
    return position(
        board,
        {
            "GERMANY": "F HEL, A WAR, B BUR, B BER, B RUH, A BUR, A RUH",
            "FRANCE": "F MAO, F IRI, A BRE, B PAR",
            "ENGLAND": "F TUN",
            "BELGIUM": "A BEL",
        },
        "F1919M",
    )


def test_orders_of_1914_are_drawn_as_they_were_written(standard: Board, picture: Topology) -> None:
    """Both parts of a season, railways and flights: each with its line, and in print as in colour."""
    rules = rules_for("1914")
    before = season_of_1914(rules.board(standard))
    lines = {power: text.split("; ") for power, text in SEASON_OF_1914.items()}
    centres = {"GERMANY": ["BER", "KIE", "MUN"], "FRANCE": ["PAR", "MAR", "BRE"]}
    given = {"phase": "F1919M", "orders": lines, "points": dict.fromkeys(lines, 50), "units": units_told(before)}
    data, before = opened({**given, "centers": centres}, before.board, rules)
    result, _, _, unread = judged(data, before, rules)
    assert not unread
    for look in (Look(), Look(printed=True)):
        drawn = orders_picture(picture, before, result.outcomes, CAPTION, look, rules.extras(before))
        marks = Counter(e.attrib["data-order"] for e in elements(drawn.svg()) if "data-order" in e.attrib)
        wanted = {line for each in lines.values() for line in each} | {"F HEL (2) - NWG", "F MAO (2) S F IRI"}
        assert wanted <= marks.keys()
        written = texts(drawn.svg())
        assert {"by rail", "in the second part", "bombs", "defends against bombs", "new base"} <= set(written)
        assert sum(">2<" in sign.inside for sign in drawn.signs) == 2, "on both second parts"


def units_told(before: Position) -> dict[str, list[str]]:
    return {power: [str(unit) for unit in before.of(power)] for power in before.board.powers}


def test_pictures_of_1914_show_who_leads_whom_and_what_cuts_a_line(standard: Board, picture: Topology) -> None:
    rules = rules_for("1914")
    before = season_of_1914(rules.board(standard))
    led = replace(before, marks={"BELGIUM": {"controller": "FRANCE"}, "FRANCE/BELGIUM": {"factors": "11"}})
    shown, drawn = rules.extras(led), position_picture(picture, led, CAPTION, extras=rules.extras(led))
    assert shown.paints["BELGIUM"] == "FRANCE"
    assert drawn.paints["BELGIUM"] == drawn.paints["FRANCE"]
    assert drawn.paints["HOLLAND"] == nobodys_paint()
    assert {"11", "led by", "Political factors", "range of bombers", "open railway"} <= set(texts(drawn.svg()))
    (cut,) = [unit for unit in led.units if str(unit) == "F TUN"]
    assert [badge.text for badge in shown.units[cut.id]] == ["cut"]
    assert [(line.a, line.b) for line in shown.standing if line.look == "broken"] == [("NAF", "MAO")], "a French fleet"
    assert any("F TUN (barred at" in note for note in shown.notes)
    spring = rules.extras(replace(led, phase=Phase.read("S1919M")))
    assert {line.look for line in spring.standing} == {"rail", "dotted", "broken"}
    whole = {(line.a, line.b) for line in spring.standing if line.look == "dotted"}
    assert whole == {("NAF", "TUN")}, "lines that do not break matter in the Fall"


def test_long_notes_go_on_in_the_next_line(standard: Board, picture: Topology) -> None:
    note = "Without a supply line: " + ", ".join(f"A {code} (barred at Western Mediterranean)" for code in "ABCDEFGHI")
    written = texts(drawn(standard, picture, Extras(notes=(note,))))
    assert note not in written
    assert note in " ".join(written)


def test_a_power_of_three_colours_shows_them_on_its_units(first: Board, first_picture: Topology) -> None:
    shown = {
        printed: position_picture(first_picture, start_position(first), CAPTION, Look(printed=printed)).svg()
        for printed in (False, True)
    }
    assert shown[False].count("#c32032") == 3, "one for each English unit"
    assert "#c32032" not in shown[True]


def test_a_board_that_a_system_gave_other_spaces_is_drawn_as_tiles(standard: Board) -> None:
    pictures = BoardPictures(MAPS)
    iceland = Province("ICE", "Iceland", Terrain.INLAND)
    redrawn = replace(
        standard,
        provinces=MappingProxyType({**standard.provinces, "ICE": iceland}),
        borders=(*standard.borders, Border("ICE", "NAO", frozenset("F"))),
    )
    assert pictures(redrawn).schematic
    assert not pictures(standard).schematic
    assert elements(position_picture(pictures(redrawn), start_position(redrawn), CAPTION).svg())
