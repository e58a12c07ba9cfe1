"""Games from elsewhere: lists as people write them, and whole results letters, ours and those of other judges."""

from datetime import timedelta
from pathlib import Path

import pytest

from judge.game.core.commands import Refusal, Start
from judge.game.office.rulings import ImportPosition
from judge.game.repair.importing import Imported, owners_by_power, read_import
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
GOLDEN = Path(__file__).resolve().parents[2] / "letters" / "golden"


def read(table: Table, text: str, phase: str = "") -> Imported:
    found = read_import(text, phase, table.game.board, table.game.rules)
    assert isinstance(found, Imported), found
    return found


def units(found: Imported, power: str) -> list[str]:
    return [str(unit) for unit in found.position.of(power)]


def letter(name: str) -> str:
    text = (GOLDEN / f"{name}.mail").read_text(encoding="utf-8")
    return text[text.index("\n[tannenburg]") + 1 :]


@pytest.mark.parametrize(
    "written",
    [
        "England: F Lon, F Nth, A Lvp",
        "England: F Lon F Nth A Lvp",
        "ENGLAND   Fleet London; Fleet North Sea; Army Liverpool.",
        "England:\n F Lon\n F Nth\n A Lvp",
        "England: Fleet London.\nEngland: Fleet North Sea.\nEngland: Army Liverpool.",
        "English: F London, F North Sea,\n  A Lvp",
        "Units:\nEngland = f lon, f nth, a lvp",
    ],
)
def test_a_list_of_units_is_read_however_it_is_set(hall: Table, written: str) -> None:
    found = read(hall, written, "S1903M")
    assert sorted(units(found, "ENGLAND")) == ["A LVP", "F LON", "F NTH"] and not found.left


@pytest.mark.parametrize(
    "written",
    [
        "France owns Par, Bre, Spain",
        "Ownership of supply centers:\n\nFrance:  Paris, Brest,\n         Spain.\nUnowned: Belgium.",
    ],
)
def test_so_is_a_list_of_centres(hall: Table, written: str) -> None:
    found = read(hall, f"France: A Par\n\n{written}", "S1903M")
    assert owners_by_power(found.position) == {"FRANCE": ("Brest", "Paris", "Spain")} and not found.left


def test_our_own_letter_gives_its_position_and_retreats_back(hall: Table) -> None:
    found = read(hall, letter("results-fall-1902"))
    assert str(found.position.phase) == "F1902R" and len(found.position.units) == 28
    assert [(str(lost.unit), lost.options) for lost in found.position.dislodged] == [
        ("A BUR", ("GAS", "PAR")),
        ("A STP", ("FIN", "LVN", "MOS")),
    ]


def test_where_no_owners_are_named_a_power_without_units_owns_nothing_and_that_is_said(hall: Table) -> None:
    found = read(hall, "England: F Lon, F Edi\nTurkey: A Con, A Bul", "F1907M")
    assert set(owners_by_power(found.position)) == {"ENGLAND", "TURKEY"}
    assert (
        len(found.doubts) == 1 and "named for Austria-Hungary, France, Germany, Italy, Russia, and" in found.doubts[0]
    )


def test_a_power_whose_last_unit_was_dislodged_still_owns_its_centres(hall: Table) -> None:
    text = "Units:\nEngland: F Lon\nGermany: A Bur\n\nRetreats due:\nFrench A Burgundy: Gascony, Paris."
    found = read(hall, text, "S1903R")
    assert "FRANCE" in owners_by_power(found.position) and "France" not in " ".join(found.doubts)


def test_counts_that_do_not_fit_the_centres_are_said(hall: Table) -> None:
    text = letter("results-winter-1901").replace(", Portugal", "").replace("Naples, Rome, ", "Rome, ")
    doubts = read(hall, text).doubts
    assert [doubt.split()[0] for doubt in doubts] == ["France", "Italy"]


def test_after_the_winter_the_spring_comes_next(hall: Table) -> None:
    found = read(hall, letter("results-winter-1901"))
    assert str(found.position.phase) == "S1902M" and not found.doubts


def test_what_is_no_position_is_named_line_by_line_or_section_by_section(hall: Table) -> None:
    found = read(hall, letter("results-fall-1902"))
    assert "the section results (36 lines)" in found.left and "the section press (5 lines)" in found.left
    assert any(line.startswith("Vote 1 on a draw") for line in found.left)
    alone = read(hall, "France: A Par\nRemember the party on Sunday.", "S1903M")
    assert alone.left == ("Remember the party on Sunday.",)


@pytest.mark.parametrize(
    ("said", "phase"),
    [
        ("The next phase of 'demo' will be Movement for Spring of 1903.", "S1903M"),
        ("The next phase of 'demo' will be Adjustments for Winter of 1902.", "W1902A"),
        ("The next phase of 'demo' will be Retreats for Fall of 1902.", "F1902R"),
        ("Status of the Movement phase for Fall of 1903.", "F1903M"),
        ("Movement results for Spring of 1902.", "F1902M"),
        ("[x] WINTER 1902 ADJUSTMENTS - RESULTS", "S1903M"),
    ],
)
def test_the_phase_is_taken_from_the_text(hall: Table, said: str, phase: str) -> None:
    assert str(read(hall, f"{said}\n\nPosition:\nFrance: A Par").position.phase) == phase


def test_after_a_fall_that_changed_the_count_the_winter_comes_next(hall: Table) -> None:
    found = read(hall, "Movement results for Fall of 1902.\n\nPosition:\nFrance: A Par\nFrance owns Par, Bre, Mar")
    assert str(found.position.phase) == "W1902A"


def test_the_phase_that_is_given_goes_first(hall: Table) -> None:
    found = read(hall, f"{letter('results-fall-1902')}", "W1902A")
    assert str(found.position.phase) == "W1902A" and not found.position.dislodged
    assert any("Dislodged units are left off" in doubt for doubt in found.doubts)


@pytest.mark.parametrize(
    ("text", "phase", "slug"),
    [
        ("France: A Par", "", "no-phase"),
        ("France: A Par", "Easter", "no-phase"),
        ("So much for this year.", "S1903M", "no-units"),
        ("Units:\nFrance: A Par, A Xanadu", "S1903M", "no-place"),
        ("France: A Par\nGermany: A Par", "S1903M", "crowded"),
    ],
)
def test_what_cannot_be_a_position_is_refused(hall: Table, text: str, phase: str, slug: str) -> None:
    found = read_import(text, phase, hall.game.board, hall.game.rules)
    assert isinstance(found, Refusal) and found.slug == slug


def test_a_game_that_begins_with_retreats_is_played_from_there(hall: Table) -> None:
    hall.tell(ImportPosition("", letter("results-fall-1902")), hall.gm)
    hall.seated().started()
    hall.orders("FRANCE", "A Bur - Gas")
    hall.process()
    assert hall.game.position is not None
    assert str(hall.game.phase) == "S1903M" or str(hall.game.phase) == "W1902A"
    assert "A GAS" in [str(unit) for unit in hall.game.position.of("FRANCE")]


@pytest.mark.parametrize(("phase", "days"), [("W1902A", 2), ("S1903M", 7)])
def test_the_first_deadline_is_that_of_the_first_phase(phase: str, days: int) -> None:
    table = Table(MAPS, {"zone": "UTC"})
    table.tell(ImportPosition(phase, "France: A Par, F Bre, A Bur\nFrance owns Par"), table.gm)
    table.seated().tell(Start(), table.gm)
    assert table.running.deadline.at == table.now + timedelta(days=days)
