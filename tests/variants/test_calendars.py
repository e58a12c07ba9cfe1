"""Years of other phases: what follows what, what phases are called, and how people write them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.board.phase import Phase, PhaseKind
from judge.catalogues import language_of, shipped
from judge.languages import speak
from judge.rules.calendar import CALENDAR_1976, Calendar, find_phase, read_phase, read_season
from judge.variants import RULE_SYSTEMS
from tests.variants.rule_systems import FEBRUARY_YEAR, LONG_YEAR

YEARS = (CALENDAR_1976, FEBRUARY_YEAR, LONG_YEAR)


def phases(calendar: Calendar, first: str, count: int) -> list[Phase]:
    """That many phases, one after the other."""
    found = [calendar.read(first)]
    while len(found) < count:
        found.append(calendar.next_phase(found[-1]))
    return found


@pytest.mark.parametrize("key", RULE_SYSTEMS)
@pytest.mark.parametrize("code", shipped())
def test_a_phase_is_read_as_letters_in_every_language_call_it(code: str, key: str) -> None:
    calendar = RULE_SYSTEMS[key].rules.calendar
    for phase in (step.phase(1914) for step in calendar.stations):
        with speak(language_of(code)):
            told = (calendar.title(phase), calendar.title(phase).upper(), calendar.label(phase))
        assert {read_phase(text, calendar) for text in told} == {str(phase)}, told


def test_adjustments_of_february_bear_the_new_year() -> None:
    codes = [str(phase) for phase in phases(FEBRUARY_YEAR, "S1901M", 6)]
    assert codes == ["S1901M", "S1901R", "F1901M", "F1901R", "W1902A", "S1902M"]


def test_a_turn_may_go_over_the_new_year() -> None:
    winter = (Phase.read("F1901R"), Phase.read("W1902A"))
    assert FEBRUARY_YEAR.turn_of(winter[0]) == FEBRUARY_YEAR.turn_of(winter[1]) == winter
    assert FEBRUARY_YEAR.split(winter[1]).turn_of(winter[0]) == winter[:1]
    assert FEBRUARY_YEAR.split(winter[1]).next_phase(winter[0]) == winter[1]


def test_a_season_may_have_two_movement_phases() -> None:
    codes = [str(phase) for phase in phases(LONG_YEAR, "F1901M", 5)]
    assert codes == ["F1901M", "F1901R", "F1901M2", "F1901R2", "J1902N"]


@pytest.mark.parametrize(
    ("calendar", "code", "title"),
    [
        (CALENDAR_1976, "W1901A", "Winter 1901 adjustments"),
        (CALENDAR_1976, "F1901R", "Fall 1901 retreats"),
        (FEBRUARY_YEAR, "W1902A", "February 1902 adjustments"),
        (FEBRUARY_YEAR, "S1901R", "Summer 1901 retreats"),
        (FEBRUARY_YEAR, "F1901R", "December 1901 retreats"),
        (LONG_YEAR, "J1902N", "January 1902 influence"),
        (LONG_YEAR, "F1901M2", "Fall 1901 late moves"),
        (CALENDAR_1976, "J1902A", "J 1902 adjustments"),
    ],
)
def test_a_phase_is_called_as_its_calendar_says(calendar: Calendar, code: str, title: str) -> None:
    assert calendar.title(code) == title


@pytest.mark.parametrize("calendar", YEARS)
def test_phases_are_sorted_as_they_are_played(calendar: Calendar) -> None:
    played = phases(calendar, str(calendar.steps[-1].phase(1901)), 25)
    assert all(calendar.rank(one) < calendar.rank(other) for one, other in pairwise(played))


@pytest.mark.parametrize("calendar", YEARS)
def test_every_phase_is_read_back_from_its_code_its_title_and_its_subject(calendar: Calendar) -> None:
    for phase in phases(calendar, str(calendar.steps[0].phase(1901)), 20):
        assert Phase.read(str(phase)) == phase
        for written in (str(phase), calendar.title(phase), calendar.label(phase)):
            assert read_phase(written, calendar) == str(phase), written
        assert find_phase(f"These are the results of {calendar.title(phase)}, at last.", calendar) == str(phase)


@pytest.mark.parametrize("calendar", YEARS)
@pytest.mark.parametrize("shape", ["{s} {y} {k}", "{y} {s} {k}", "{s}{y}{k}", "{s} '{y} {k}", "{s}-{y}-{k}"])
def test_every_word_for_a_season_and_a_kind_is_read(calendar: Calendar, shape: str) -> None:
    for step in calendar.steps:
        if step.part > 1:
            continue
        for season in filter(None, (step.season, step.shown, step.also)):
            for word in season.words:
                written = shape.format(s=word, y=1901, k=f"{step.kind.value}")
                assert read_phase(written, calendar) == str(step.phase(1901)), written


@pytest.mark.parametrize(
    ("calendar", "written", "now", "code"),
    [
        (FEBRUARY_YEAR, "Feb 1902 adjustments", "F1901R", "W1902A"),
        (FEBRUARY_YEAR, "Feb 1902", "F1901R", "W1902A"),
        (FEBRUARY_YEAR, "dec 01", "F1901R", "F1901R"),
        (LONG_YEAR, "Fall 1901 late moves", "F1901R", "F1901M2"),
        (LONG_YEAR, "Fall 1901", "F1901M2", "F1901M2"),
        (LONG_YEAR, "Jan 1902", "F1901M2", "J1902N"),
        (CALENDAR_1976, "Feb 1902 adjustments", "F1901R", None),
        (CALENDAR_1976, "Spring 1901 builds", "S1901M", "S1901A"),
    ],
)
def test_a_heading_is_read_by_the_calendar(calendar: Calendar, written: str, now: str, code: str | None) -> None:
    assert read_phase(written, calendar, Phase.read(now)) == code


def test_an_undated_season_may_be_the_next_year_s_under_the_same_deadline() -> None:
    assert read_season("February builds", FEBRUARY_YEAR, Phase.read("F1901R")) == "W1902A"
    assert read_season("February builds", FEBRUARY_YEAR, Phase.read("F1901M")) is None


@pytest.mark.parametrize(
    ("calendar", "bound", "inside"),
    [
        (FEBRUARY_YEAR, "1902", ["W1902A", "S1902M", "S1902R", "F1902M", "F1902R"]),
        (FEBRUARY_YEAR, "F1901", ["F1901M", "F1901R"]),
        (CALENDAR_1976, "W1901", ["W1901A"]),
        (LONG_YEAR, "F1901M2", ["F1901M2"]),
    ],
)
def test_a_stretch_of_phases_has_bounds(calendar: Calendar, bound: str, inside: list[str]) -> None:
    first, last = calendar.bounds(bound)
    played = phases(calendar, str(calendar.steps[0].phase(1901)), 20)
    assert [str(phase) for phase in played if first <= calendar.rank(phase) <= last] == inside


@pytest.mark.parametrize(
    ("calendar", "season", "first_after"),
    [
        (CALENDAR_1976, "F1901", "S1902M"),
        (CALENDAR_1976, "S1901", "F1901M"),
        (FEBRUARY_YEAR, "F1901", "S1902M"),
        (LONG_YEAR, "F1901", "S1902M"),
        (LONG_YEAR, "S1901", "F1901M"),
    ],
)
def test_a_time_limit_ends_the_game_after_all_that_follows_from_its_season(
    calendar: Calendar, season: str, first_after: str
) -> None:
    played = phases(calendar, str(calendar.steps[0].phase(1901)), 25)
    assert str(next(phase for phase in played if calendar.is_settled(season, phase))) == first_after


@pytest.mark.parametrize(
    ("calendar", "phase", "by_now"),
    [
        (CALENDAR_1976, "S1901M", False), (CALENDAR_1976, "F1901M", True), (CALENDAR_1976, "W1901A", False),
        (LONG_YEAR, "F1901M", False), (LONG_YEAR, "F1901M2", True),
    ],
)  # fmt: skip
def test_whether_centres_change_hands_before_the_next_moves(calendar: Calendar, phase: str, *, by_now: bool) -> None:
    assert calendar.captures_before_moves(Phase.read(phase)) == by_now


@pytest.mark.parametrize("calendar", YEARS)
@given(st.text(max_size=30))
def test_any_text_is_a_phase_or_none(calendar: Calendar, text: str) -> None:
    found = read_phase(text, calendar, calendar.steps[0].phase(1901))
    assert found is None or Phase.read(found).kind in PhaseKind
