"""Every case file under this folder, adjudicated under every rule system that it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.rules.choices import Paradox
from tests.support.archipelago import board_named
from tests.support.cases import BadCase, Line, differences, read_case, read_cases, read_file, rules_named

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.case"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HERE).with_suffix("")))
def test_the_adjudicator_agrees_with_the_case(path: Path) -> None:
    assert differences(read_file(path), board_named) == []


@pytest.mark.parametrize("path", sorted(HERE.rglob("*.cases")), ids=lambda path: path.stem)
def test_the_adjudicator_agrees_with_each_case_of_a_file(path: Path) -> None:
    cases = read_cases(path.read_text())
    found = {case.title: wrong for case in cases if (wrong := differences(case, board_named))}
    assert found == {}, "\n".join(f"{title}: {wrong}" for title, wrong in found.items())


def test_all_the_cases_of_datc_3_1_are_here() -> None:
    expected = {"a": 12, "b": 15, "c": 9, "d": 34, "e": 15, "f": 25, "g": 20, "h": 16, "i": 7, "j": 11}
    found = {path.stem.rstrip("ab") for path in (HERE / "datc").glob("*.case")}
    assert found == {f"6.{letter}.{number}" for letter, count in expected.items() for number in range(1, count + 1)}


PRESETS = {"datc", "1976", "1982", "2000", "2023", "thundar"}


@pytest.mark.parametrize("path", sorted((HERE / "datc").glob("*.case")), ids=lambda path: path.stem)
def test_each_datc_case_speaks_of_every_preset(path: Path) -> None:
    case = read_file(path)
    assert {*case.rules, *case.stages} == PRESETS


@pytest.mark.parametrize("path", sorted((HERE / "thundar").glob("*.case")), ids=lambda path: path.stem)
def test_each_of_thundars_examples_is_played_under_every_answer_to_a_paradox(path: Path) -> None:
    case = read_file(path)
    assert {rules_named(name).paradox for name in (*case.rules, *case.stages)} == set(Paradox)


def deviations(preset: str) -> set[str]:
    """The DATC movement cases in which a preset leads to another position than the author of the cases prefers."""
    found = set()
    for path in (HERE / "datc").glob("*.case"):
        case = read_file(path)
        if preset in case.stages and _fates(case.stages[preset][0]) != _fates(case.stages["datc"][0]):
            found.add(path.stem.upper())
    return found


def _fates(lines: list[Line]) -> list[tuple[str, bool, str]]:
    """What a position shows of an end: did it move, was it dislodged, where may it go."""
    return [
        (line.text, line.text[5:].lstrip("/NSEC ").startswith("-") and line.end.startswith("ok"), _fate(line.end))
        for line in lines
    ]


def _fate(end: str) -> str:
    return end[end.find("dislodged") :] if "dislodged" in end else ""


def test_where_1976_leaves_the_preferred_answers() -> None:
    movement = {name for name in deviations("1976") if not name.startswith("6.J")}
    assert movement == {
        *("6.B.9", "6.D.28", "6.D.29", "6.D.30", "6.D.32", "6.F.9", "6.F.10", "6.F.11", "6.F.13", "6.F.17", "6.F.19"),
        *("6.G.2", "6.G.7", "6.G.8", "6.G.10", "6.G.11", "6.G.14", "6.G.15", "6.G.19", "6.G.20", "6.H.11", "6.H.12"),
    }


def test_where_thundar_leaves_1976() -> None:
    assert deviations("1976") - deviations("thundar") == {"6.F.17"}
    assert deviations("thundar") <= deviations("1976")


def test_an_order_that_the_case_leaves_out_is_a_mistake_of_the_case() -> None:
    case = read_case("# x\nmap standard   phase S1901M   rules 1976\nfrance  A PAR, F BRE\norders\n  A PAR H -> ok\n")
    assert differences(case, board_named) == [
        "under 1976: (F BRE H): the case does not say that it ends 'ok \"no-order\"'"
    ]


def test_a_case_that_expects_something_else_is_told() -> None:
    case = read_case("# x\nmap standard   phase S1901M   rules 1976\nfrance  A PAR\norders\n  A PAR - BUR -> bounced\n")
    assert differences(case, board_named) == ["under 1976: A PAR - BUR: expected 'bounced', got 'ok \"moved\"'"]


def test_a_line_without_an_end_is_refused() -> None:
    with pytest.raises(BadCase, match=r"line 5.*after ->"):
        read_case("# x\nmap standard   phase S1901M   rules 1976\nfrance  A PAR\norders\n  A PAR H\n")
