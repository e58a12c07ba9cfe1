"""Rules against picture: the standard board agrees with itself, and every falsehood is found."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from judge.board.model import Board, Border
from judge.draw.lint import lint_picture, shared_lengths, shores
from judge.draw.schematic import schematic
from judge.draw.topology import Topology


def problems(board: Board, picture: Topology) -> str:
    return "\n".join(lint_picture(board, picture).problems)


def test_the_standard_picture_says_what_the_rules_say(standard: Board, picture: Topology) -> None:
    report = lint_picture(standard, picture)
    assert report.problems == ()
    assert [figure.found for figure in report.figures[:2]] == ["206", "0"]


def test_the_european_picture_says_what_the_rules_say(european: Board, european_picture: Topology) -> None:
    report = lint_picture(european, european_picture)
    assert report.problems == ()
    assert [figure.found for figure in report.figures[:2]] == ["403", "0"]


def test_a_false_rule_of_the_european_board_is_found(european: Board, european_picture: Topology) -> None:
    false = (*without_border(european, "MUN", "SIL").borders, Border("PRA", "SAX", frozenset("A")))
    found = problems(replace(european, borders=false), european_picture)
    assert "MUN and SIL are no neighbours" in found
    assert "PRA and SAX are neighbours, but the picture does not show it" in found


def test_a_cut_taken_from_the_european_seas_is_found(european: Board, european_picture: Topology) -> None:
    joined = tuple(replace(arc, b="xbe") if {arc.a, arc.b} == {"AZO", "BLA"} else arc for arc in european_picture.arcs)
    assert "AZO and BLA are neighbours, but" in problems(european, replace(european_picture, arcs=joined, memo={}))


def test_the_picture_of_1958_says_what_the_rules_say(first: Board, first_picture: Topology) -> None:
    report = lint_picture(first, first_picture)
    assert report.problems == ()
    assert [figure.found for figure in report.figures[:2]] == ["258", "0"]
    assert [f"{a}-{b}" for a, b, *_ in first_picture.links] == ["ANK-CON", "CON-SMY"]


def test_the_sea_of_marmara_touches_neither_sea(first: Board, first_picture: Topology) -> None:
    """Fleets stop in Constantinople. The Aegean reaches Africa, between the Ionian and the Eastern Mediterranean."""
    pairs = {frozenset((arc.a, arc.b)) for arc in first_picture.arcs}
    assert {frozenset(("MRM", sea)) for sea in ("AEG", "BLA")}.isdisjoint(pairs)
    assert {frozenset(("AEG", "EMS")), frozenset(("AEG", "ION"))} <= pairs
    assert frozenset(("EMS", "ION")) not in pairs
    assert frozenset(("AEG", "xaf")) in pairs


def test_the_picture_of_the_world_says_what_the_rules_say(world: Board, world_picture: Topology) -> None:
    report = lint_picture(world, world_picture)
    assert report.problems == ()
    assert [figure.found for figure in report.figures[:2]] == ["561", "0"]


def test_another_sea_at_the_other_edge_of_the_world_is_found(world: Board, world_picture: Topology) -> None:
    east = world_picture.width
    edge = next(arc for arc in world_picture.arcs if arc.a == "NPO" and all(x == east for x, _ in arc.points))
    arcs = tuple(replace(arc, a="CPO") if arc is edge else arc for arc in world_picture.arcs)
    found = problems(world, replace(world_picture, arcs=arcs, memo={}))
    assert "NPO at the west edge meets CPO at the east edge" in found


def test_its_neighbours_share_enough_to_be_seen(standard: Board, picture: Topology) -> None:
    assert min(length for length in shared_lengths(standard, picture).values() if length >= 4) > 5


def test_shores_follow_each_other_round_a_space(standard: Board, picture: Topology) -> None:
    spain = {frozenset(seas) for seas in shores(standard, picture, "SPA")}
    assert {frozenset({"MAO"}), frozenset({"MAO", "WES", "LYO"})} <= spain


def without_border(board: Board, a: str, b: str) -> Board:
    kept = tuple(x for x in board.borders if {x.a[:3], x.b[:3]} != {a, b})
    return replace(board, borders=kept)


def test_a_rule_that_is_taken_away_is_found(standard: Board, picture: Topology) -> None:
    assert "BOH and MUN are no neighbours" in problems(without_border(standard, "BOH", "MUN"), picture)


def test_a_rule_that_is_invented_is_found(standard: Board, picture: Topology) -> None:
    false = replace(standard, borders=(*standard.borders, Border("PAR", "MUN", frozenset("A"))))
    assert "MUN and PAR are neighbours, but the picture does not show it" in problems(false, picture)


def test_a_fleet_that_may_not_pass_is_found(standard: Board, picture: Topology) -> None:
    false = tuple(
        replace(border, kinds=border.kinds - {"F"}) if {border.a, border.b} == {"PIC", "BRE"} else border
        for border in standard.borders
    )
    assert "the border of BRE and PIC ends at ENG" in problems(replace(standard, borders=false), picture)


def test_a_fleet_that_may_pass_inland_is_found(standard: Board, picture: Topology) -> None:
    false = (*standard.borders, Border("ROM", "VEN", frozenset("F")))
    assert "fleets pass between ROM and VEN" in problems(replace(standard, borders=false), picture)


def test_a_cut_that_is_taken_away_is_found(standard: Board, picture: Topology) -> None:
    joined = tuple(replace(arc, b="xbe") if {arc.a, arc.b} == {"NTH", "HEL"} else arc for arc in picture.arcs)
    assert "HEL and NTH are neighbours, but" in problems(standard, replace(picture, arcs=joined, memo={}))


def test_a_space_that_is_left_out_is_found(standard: Board, picture: Topology) -> None:
    zones = {code: zone for code, zone in picture.zones.items() if code != "TYR"}
    assert "TYR is not in the picture" in problems(standard, replace(picture, zones=MappingProxyType(zones), memo={}))


def test_a_coast_with_the_wrong_seas_is_found(standard: Board, picture: Topology) -> None:
    turned = tuple(
        replace(border, a=border.a.replace("BUL/EC", "BUL/SC"), b=border.b.replace("BUL/EC", "BUL/SC"))
        for border in standard.borders
    )
    assert "BUL/SC touches AEG BLA" in problems(replace(standard, borders=turned), picture)


@pytest.mark.parametrize(
    ("thing", "sentence"),
    [
        ("unit", "a unit of PAR would stand outside of it (codes)"),
        ("dot", "the centre of PAR would stand outside of it (codes)"),
        ("label", "the name of PAR stands on other land (codes)"),
    ],
)
def test_what_stands_elsewhere_is_found(standard: Board, picture: Topology, thing: str, sentence: str) -> None:
    spots = {naming: dict(each) for naming, each in picture.spots.items()}
    munich, paris = picture.spots["codes"]["MUN"].unit, spots["codes"]["PAR"]
    assert munich is not None
    moved = {
        "unit": replace(paris, unit=munich),
        "dot": replace(paris, dot=munich),
        "label": replace(paris, label=munich),
    }
    spots["codes"]["PAR"] = moved[thing]
    found = problems(standard, replace(picture, spots=spots, memo={}))
    assert sentence in found
    assert "lie on each other" in found


def test_a_schematic_picture_is_right_about_borders_too(standard: Board) -> None:
    drawn = lint_picture(standard, schematic(standard))
    assert [figure.found for figure in drawn.figures[:2]] == ["206", "0"]
