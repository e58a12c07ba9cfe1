"""Boardman and Miller numbers: how they look, how they are counted on, and when a game is irregular."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.game.core.events import Event, GameStarted, SettingChanged
from judge.zine.numbers import (
    MOST_IN_A_YEAR,
    GameNumber,
    NumberRule,
    Series,
    irregularities,
    letters_at,
    place_of,
    read_designator,
    read_number,
    rule_from_json,
    rule_to_json,
)

NOW = datetime(2027, 1, 1, tzinfo=UTC)


@given(st.integers(1, MOST_IN_A_YEAR), st.integers(1961, 2999), st.sampled_from(["", "rb32", "rb32a", "xy01zz"]))
def test_a_number_is_read_as_it_is_written_in_any_case(place: int, year: int, designator: str) -> None:
    number = GameNumber(year, letters_at(place), designator)
    assert place_of(number.letters) == number.place == place
    assert read_number(str(number)) == number
    assert read_number(str(number).lower()) == read_number(str(number).upper()) == number
    assert read_number(f" {number.heading} ") == number


@pytest.mark.parametrize(
    "text",
    ["", "27AB", "2027", "2027ABC", "2027AB32", "2027ABrb3", "2027ABrb321", "AB2027", "2027ÄB", "2027AB rb32", "20271"],
)
def test_what_is_no_number_is_told_how_one_looks(text: str) -> None:
    with pytest.raises(ValueError, match=r"looks like 2027AB.* like 2027AZrb32"):
        read_number(text)


def test_a_designator_is_two_letters_and_two_digits() -> None:
    assert (read_designator(" RB32 "), read_designator("rb32a")) == ("rb32", "rb32a")
    with pytest.raises(ValueError, match="two letters for the map and two digits"):
        read_designator("gunboat")


def test_each_series_counts_for_itself_and_a_new_year_begins_with_a() -> None:
    rule, given_out = NumberRule(), []
    for year, designator in ((2027, ""), (2027, "rb32"), (2027, ""), (2028, ""), (2027, ""), (2028, "rb32")):
        number = rule.next(year, designator)
        given_out.append(str(number))
        rule = rule.after(number)
    assert given_out == ["2027A", "2027Arb32", "2027B", "2028A", "2028B", "2028Arb32"]


def test_the_rule_can_be_set_and_a_foreign_number_is_not_given_again() -> None:
    rule = NumberRule().starting(read_number("2027AB"))
    assert str(rule.next(2027)) == "2027AB"
    assert str(rule.after(read_number("2027AD")).next(2027)) == "2027AE"
    assert str(rule.after(read_number("1989HZ")).next(2027)) == "2027AB"
    assert str(NumberRule().after(read_number("1989HZ")).next(2027)) == "2027A"


@given(st.lists(st.tuples(st.integers(2026, 2028), st.sampled_from(["", "rb32"])), max_size=60))
def test_no_number_is_given_twice(starts: list[tuple[int, str]]) -> None:
    rule, seen = NumberRule(custodian="custodian@numbers.test"), set()
    for year, designator in starts:
        number = rule.next(year, designator)
        assert number not in seen
        seen.add(number)
        rule = rule_from_json(rule_to_json(rule.after(number)))
    assert rule.custodian == "custodian@numbers.test"


def test_a_year_that_is_full_says_so() -> None:
    rule = NumberRule().after(GameNumber(2027, "ZZ"))
    with pytest.raises(ValueError, match="702"):
        rule_from_json(rule_to_json(rule)).next(2027)
    assert str(rule.next(2028)) == "2028A"
    assert rule.following[Series.BOARDMAN] == (2027, 703)


def test_a_game_whose_rules_change_while_it_is_played_is_irregular() -> None:
    def changed(name: str, old: str, new: str) -> SettingChanged:
        return SettingChanged(at=NOW, by="GM", name=name, old=old, new=new)

    before: list[Event] = [changed("press", "white", "none")]
    started = GameStarted(at=NOW, by="judge", position={})
    after: list[Event] = [changed("dias", "yes", "no"), changed("moves", "7d", "5d"), changed("press", "none", "white")]
    assert irregularities([*before, started]) == ()
    assert irregularities([*before, started, *after]) == ("press", "dias")
