"""The standard board, border by border, and what the rules of 1976 say about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.board.model import Board, Terrain
from judge.board.position import start_position

STEPS = Path(__file__).parent / "standard_borders.txt"

FORGOTTEN = (
    "F BOT FIN",
    "F BOT LVN",
    "F BOT STP/SC",
    "F BOT SWE",
    "F CON SMY",
    "A GAL UKR",
    "A LVN WAR",
    "F MAO SPA/SC",
    "A NWY STP",
    "F NWY STP/NC",
    "F TUS TYS",
    "F LVP NAO",
    "F DEN SWE",
)
"""Borders that other programs forgot, or that are easily missed."""


def steps() -> Iterator[tuple[str, str, str]]:
    """Every line of the table, step by step: unit, from, to."""
    for line in STEPS.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, here, *there = line.split()
            yield from ((kind, here, other) for other in there)


def can(board: Board, kind: str, here: str, there: str) -> bool:
    return there in board.reach(kind, here)


def test_the_table_has_504_steps_each_with_its_return() -> None:
    table = list(steps())
    assert len(table) == len(set(table)) == 504
    assert {(kind, there, here) for kind, here, there in table} == set(table)


def test_the_board_allows_exactly_the_steps_of_the_table(standard: Board) -> None:
    board = {
        (kind, here, there) for kind in "AF" for here in standard.locations() for there in standard.reach(kind, here)
    }
    assert board == set(steps())


@pytest.mark.parametrize("step", FORGOTTEN)
def test_borders_that_are_easily_forgotten(standard: Board, step: str) -> None:
    kind, here, there = step.split()
    assert can(standard, kind, here, there)
    assert can(standard, kind, there, here)


@pytest.mark.parametrize("step", ["F BAL SKA", "F DEN BER", "F CLY IRI", "A DEN BER", "F MAO NTH", "F WES ION"])
def test_spaces_that_do_not_touch(standard: Board, step: str) -> None:
    kind, here, there = step.split()
    assert not can(standard, kind, here, there)


def test_seven_great_powers(standard: Board) -> None:
    assert [power.name for power in standard.powers.values()] == [
        "Austria-Hungary",
        "England",
        "France",
        "Germany",
        "Italy",
        "Russia",
        "Turkey",
    ]
    assert "".join(power.letter for power in standard.powers.values()) == "AEFGIRT"


def test_start_units(standard: Board) -> None:
    """Twenty-two units, twelve vacant centres."""
    position = start_position(standard)
    at_start = {power: " ".join(sorted(map(str, position.of(power)))) for power in standard.powers}
    assert at_start == {
        "AUSTRIA": "A BUD A VIE F TRI",
        "ENGLAND": "A LVP F EDI F LON",
        "FRANCE": "A MAR A PAR F BRE",
        "GERMANY": "A BER A MUN F KIE",
        "ITALY": "A ROM A VEN F NAP",
        "RUSSIA": "A MOS A WAR F SEV F STP/SC",
        "TURKEY": "A CON A SMY F ANK",
    }
    vacant = [centre for centre in standard.centres if not position.at(centre)]
    assert " ".join(vacant) == "BEL BUL DEN GRE HOL NWY POR RUM SER SPA SWE TUN"


def test_size(standard: Board) -> None:
    """34 centres, 22 at home, 12 free; 56 spaces of land and 19 of sea. R20: more than half of the centres win."""
    terrain = Counter(province.terrain for province in standard.provinces.values())
    assert len(standard.centres) == 34
    assert len(standard.home_of) == 22
    assert terrain[Terrain.SEA] == 19
    assert terrain[Terrain.COAST] + terrain[Terrain.INLAND] == 56
    assert standard.victory == len(standard.centres) // 2 + 1 == 18
    assert str(standard.first_phase) == "S1901M"


def test_fleets_follow_the_coastline(standard: Board) -> None:
    """A18, VII.1: Rome and Venice touch, but only inland."""
    assert can(standard, "F", "ROM", "TUS")
    assert can(standard, "F", "ROM", "NAP")
    assert can(standard, "A", "ROM", "VEN")
    assert not can(standard, "F", "ROM", "VEN")


def test_islands_and_switzerland_are_closed(standard: Board) -> None:
    assert standard.impassable["Switzerland"] == "Switzerland is not playable"
    for island in ("Ireland", "Iceland", "Corsica", "Sardinia", "Sicily", "Crete", "Cyprus", "Balearic Islands"):
        assert "not playable" in standard.impassable[island]
    assert not any(standard.can_stand("A", name) for name in standard.impassable)


@pytest.mark.parametrize(
    ("passage", "one_sea", "other_sea"), [("KIE", "HEL", "BAL"), ("CON", "AEG", "BLA"), ("DEN", "NTH", "BAL")]
)
def test_passages_take_two_moves(standard: Board, passage: str, one_sea: str, other_sea: str) -> None:
    """In by one coast, out by the other; armies cross as anywhere."""
    assert can(standard, "F", one_sea, passage)
    assert can(standard, "F", passage, other_sea)
    assert not can(standard, "F", one_sea, other_sea)


def test_armies_cross_the_waterways(standard: Board) -> None:
    assert {"BUL", "ANK", "SMY"} == set(standard.reach("A", "CON"))
    assert {"BER", "DEN", "HOL", "MUN", "RUH"} == set(standard.reach("A", "KIE"))


def test_two_coasts(standard: Board) -> None:
    """A fleet leaves from the coast it stands on."""
    two = {code: province.coasts for code, province in standard.provinces.items() if province.coasts}
    assert two == {"BUL": ("EC", "SC"), "SPA": ("NC", "SC"), "STP": ("NC", "SC")}
    assert not can(standard, "F", "SPA/NC", "WES")
    assert not can(standard, "F", "SPA/NC", "MAR")
    assert {"SPA/NC", "SPA/SC"} <= set(standard.reach("F", "POR"))
    assert [place for place in standard.reach("F", "MAR") if place.startswith("SPA")] == ["SPA/SC"]
    assert not standard.can_stand("F", "SPA")
    assert standard.can_stand("A", "SPA")
    assert not standard.can_stand("A", "SPA/NC")
    assert not any(standard.reach("F", code) for code in two)


def test_a_fleet_that_reaches_one_coast_reaches_the_province(standard: Board) -> None:
    """Marseilles comes to Spain by its south coast only, and from the Mid-Atlantic both coasts are open."""
    assert {"SPA/NC", "SPA/SC"} <= set(standard.reach("F", "MAO"))
    assert "SPA/NC" not in standard.reach("F", "MAR")


def test_denmark_and_sweden(standard: Board) -> None:
    """Adjacent for both; one coast each; the Baltic and the Skagerrak meet only through them."""
    assert can(standard, "A", "DEN", "SWE")
    assert can(standard, "F", "DEN", "SWE")
    assert not can(standard, "F", "BAL", "SKA")
    assert set(standard.reach("F", "BAL")) & set(standard.reach("F", "SKA")) == {"DEN", "SWE"}
    assert standard.provinces["SWE"].coasts == ()
    assert "BER" not in standard.reach("F", "DEN") + standard.reach("A", "DEN")


def test_norway_and_its_neighbours(standard: Board) -> None:
    """A27, and the comment on Spring 1902 of the sample game."""
    assert can(standard, "A", "NWY", "STP")
    assert can(standard, "F", "SWE", "NWY")
    assert can(standard, "F", "NWY", "STP/NC")
    assert not can(standard, "F", "NWY", "STP/SC")


def test_territories(standard: Board) -> None:
    land: dict[str, list[str]] = {power: [] for power in (*standard.powers, "")}
    for code, province in standard.provinces.items():
        if province.terrain is not Terrain.SEA:
            land[province.territory or ""].append(code)
    assert {power: len(codes) for power, codes in land.items()} == {
        "AUSTRIA": 6,
        "ENGLAND": 6,
        "FRANCE": 6,
        "GERMANY": 6,
        "ITALY": 6,
        "RUSSIA": 7,
        "TURKEY": 5,
        "": 14,
    }
    assert {"ALB", "NAF"} < set(land[""])
    assert all(standard.provinces[home].territory == power for home, power in standard.home_of.items())
