"""Choices, presets and the calendar: closed, readable, and kind about typing slips."""

from __future__ import annotations

import pytest

from judge.board.phase import Phase
from judge.rules import CHOICES, RULES_1976, Rules, UnknownChoice
from judge.rules.calendar import CALENDAR_1976
from judge.variants import RULE_SYSTEMS, RuleSystem, UnknownRules, join, rules_for


def test_a_choice_is_answered_by_its_word() -> None:
    rules = RULES_1976.with_choices({"convoy_routes": "one-suffices", "Paradox": "Szykman"})
    assert rules.differences() == {"convoy_routes": "one-suffices", "paradox": "szykman"}
    assert rules.key == "1976"


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"convoi_routes": "any-breaks"}, "there is no choice 'convoi_routes'; did you mean convoy_routes?"),
        ({"paradox": "none"}, "paradox cannot be 'none'; it is one of 1971, 1982, 2000, szykman, all-hold, thundar"),
    ],
)
def test_an_unknown_choice_is_told_with_what_there_is(choices: dict[str, str], sentence: str) -> None:
    with pytest.raises(UnknownChoice) as raised:
        RULES_1976.with_choices(choices)
    assert str(raised.value) == sentence


@pytest.mark.parametrize("name", CHOICES)
def test_every_answer_of_every_choice_can_be_set_and_is_listed(name: str) -> None:
    for answer in CHOICES[name]:
        rules = RULES_1976.with_choices({name: answer.value})
        assert rules.choices()[name] == answer.value
        assert set(rules.differences()) <= {name}


def test_1976_is_the_default_and_differs_from_nothing() -> None:
    assert rules_for("1976") == Rules() == RULES_1976
    assert RULES_1976.differences() == {}


def test_the_presets_of_the_family() -> None:
    assert {"1976", "1982", "2000", "2023", "datc", "thundar"} <= set(RULE_SYSTEMS)
    assert rules_for("thundar").differences() == {"paradox": "thundar"}


def test_an_unknown_preset_is_told_with_what_there_is() -> None:
    with pytest.raises(UnknownRules, match="did you mean 1976"):
        rules_for("1967")


def test_two_rule_systems_cannot_share_a_key() -> None:
    join(RULE_SYSTEMS["1976"])  # the same system twice is no clash
    with pytest.raises(ValueError, match="two rule systems call themselves '1976'"):
        join(RuleSystem(Rules(victory=5), "another 1976"))


def test_a_year_of_1976() -> None:
    phases = [Phase.read("S1901M")]
    while len(phases) < 6:
        phases.append(CALENDAR_1976.next_phase(phases[-1]))
    assert [str(phase) for phase in phases] == ["S1901M", "S1901R", "F1901M", "F1901R", "W1901A", "S1902M"]


def test_retreats_and_adjustments_of_the_winter_share_a_turn() -> None:
    winter = (Phase.read("F1901R"), Phase.read("W1901A"))
    assert CALENDAR_1976.turn_of(winter[0]) == CALENDAR_1976.turn_of(winter[1]) == winter
    assert CALENDAR_1976.turn_of(Phase.read("S1901M")) == (Phase.read("S1901M"),)


def test_a_split_winter_has_two_turns() -> None:
    split = CALENDAR_1976.split(Phase.read("W1901A"))
    assert split.turn_of(Phase.read("F1901R")) == (Phase.read("F1901R"),)
    assert split.next_phase(Phase.read("F1901R")) == Phase.read("W1901A")


def test_centres_change_hands_after_fall_retreats_only() -> None:
    captures = [code for code in ("S1901M", "S1901R", "F1901M", "F1901R", "W1901A") if _captures(code)]
    assert captures == ["F1901R"]


def _captures(code: str) -> bool:
    return CALENDAR_1976.is_capture(Phase.read(code))


def test_a_phase_that_no_year_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no phase of this calendar; a year has SM, SR, FM, FR \\+ WA"):
        CALENDAR_1976.next_phase(Phase.read("W1901M"))
