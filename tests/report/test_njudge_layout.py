"""Results in njudge's layout: each kind of line as njudge printed it, so that its mappers and tools can read it."""

from __future__ import annotations

import re

from tests.report.test_results import results_letter
from tests.support.builders import Table


def layout(table: Table, seat: str = "3") -> list[str]:
    lines: list[str] = results_letter(table, seat).view["njudge"]
    return lines


def block(lines: list[str], title: str) -> list[str]:
    """The lines below a title, down to the next empty one behind them."""
    start = lines.index(title) + 2
    return lines[start : lines.index("", start) if "" in lines[start:] else None]


def test_the_header_names_judge_game_variant_and_what_is_due(fall_1902: Table) -> None:
    first, second, *_ = layout(fall_1902)
    assert first == ":: Judge: Judge  Game: tannenburg  Variant: Standard"
    assert second == ":: Deadline: F1902R Sun Jan 03 2027 05:00:00 +0000"


def test_orders_stand_by_power_with_what_became_of_them(fall_1902: Table) -> None:
    lines = layout(fall_1902)
    rows = block(lines, "Movement results for Fall of 1902. (tannenburg.008)")
    assert {
        "Austria: Army Serbia SUPPORT Turkish Army Bulgaria -> Rumania.",
        "Austria: Fleet Greece HOLD.",
        "Austria: Army Vienna -> Galicia. (*bounce*)",
        "France: Army Burgundy -> Belgium. (*bounce, dislodged*)",
        "France: Fleet Marseilles SUPPORT Army Spain. (*cut*)",
    } <= set(rows)
    assert len(rows) == 31


def test_dislodged_units_may_retreat_or_were_destroyed(fall_1902: Table) -> None:
    assert block(layout(fall_1902), "The following units were dislodged:") == [
        "The French Army in Burgundy can retreat to Gascony or Paris.",
        "The Russian Army in St Petersburg can retreat to Finland, Livonia or Moscow.",
        "The Russian Fleet in Rumania was destroyed.",
    ]


def test_what_comes_next_and_by_when(fall_1902: Table) -> None:
    assert layout(fall_1902)[-2:] == [
        "The next phase of 'tannenburg' will be Retreats for Fall of 1902.",
        "The deadline for orders will be Sun Jan 03 2027 05:00:00 +0000.",
    ]


def test_a_convoy_shows_its_seas_a_count_its_centres_and_a_winter_its_builds(table: Table) -> None:
    table.all_orders({"ENGLAND": ["F Edi - Nwg", "F Lon - Nth", "A Lvp - Yor"], "FRANCE": ["A Par - Pic"]})
    table.process().all_orders({"ENGLAND": ["A Yor - Nwy", "F Nth C A Yor - Nwy"], "FRANCE": ["A Pic - Bel"]})
    table.process()
    fall = layout(table)
    assert "England: Army Yorkshire -> North Sea -> Norway." in fall
    assert "England: Fleet North Sea CONVOY Army Yorkshire -> Norway." in fall
    assert "Turkey: Army Smyrna, No Order Processed." in fall
    owners = "\n".join(block(fall, "Ownership of supply centers:"))
    assert "England: Edinburgh, London, Liverpool, Norway." in owners and "Unowned: " in owners
    assert "England: 4 Supply centers, 3 Units: Builds 1 unit." in fall
    assert "Germany: 3 Supply centers, 3 Units: Builds 0 units." in fall
    table.all_orders({"ENGLAND": ["build F Lon"], "FRANCE": ["waive"]}).process()
    winter = block(layout(table), "Adjustment orders for Winter of 1901. (tannenburg.005)")
    assert winter == ["England: Builds a fleet in London.", "France: Build waived."]


def test_every_line_is_within_the_width_and_no_line_is_of_another_form(fall_1902: Table) -> None:
    forms = re.compile(
        r"|:: \w+: .*|[\w ]+ for \w+ of \d{4}\. \([\w-]+\.\d{3}\)|[A-Z][a-z]+: .*|The .*|Ownership of .*| {3}.*"
    )
    lines = layout(fall_1902)
    assert all(len(line) <= 78 for line in lines)
    assert [line for line in lines if not forms.fullmatch(line)] == []
