"""Thirty days of one sender, simulated: whatever a program sends and however slowly, the letters that it gets are few;
a person who asks for something is answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.service.trust.patience import FRESH, HABITS, PAILS, PatienceState, Sort, read, weigh, write

NOON = datetime(1901, 3, 1, 12, tzinfo=UTC)
MONTH = timedelta(days=30)
PERIODS = [
    timedelta(seconds=seconds)
    for seconds in (2, 70, 180, 360, 420, 3_600, 3 * 3_600, 5 * 3_600, 6 * 3_600, 8 * 3_600, 12 * 3_600, 86_400)
]
MAILS = (Sort.DONE, Sort.ASKED, Sort.FAILED, Sort.EMPTY, Sort.UNPROVED)

SAME = {Sort.DONE: 100, Sort.ASKED: 100, Sort.FAILED: 50, Sort.EMPTY: 25, Sort.UNPROVED: 42}
"""Letters in thirty days to who sends the same words again and again, in whatever rhythm."""

OTHER = {Sort.DONE: 3_400, Sort.ASKED: 350, Sort.FAILED: 155, Sort.EMPTY: 55, Sort.UNPROVED: 48}
"""The same, with other words each time; by those of DONE the game is changed each time."""


def letters(sort: Sort, period: timedelta, *, varied: bool, span: timedelta = MONTH) -> int:
    """How many letters go out: answers, and words that there are no more."""
    state, sent, now, number = FRESH, 0, NOON, 0
    while now < NOON + span:
        state, word = weigh(state, sort, str(number) if varied else "same", now)
        sent += word.answered + word.tell
        number += 1
        now += period
    return sent


@pytest.mark.parametrize("sort", MAILS)
@pytest.mark.parametrize("period", PERIODS[1:], ids=str)
def test_the_same_words_get_few_answers_in_a_month_at_any_pace(sort: Sort, period: timedelta) -> None:
    assert letters(sort, period, varied=False) <= SAME[sort]


@pytest.mark.parametrize("sort", MAILS)
@pytest.mark.parametrize("period", PERIODS[3:], ids=str)
def test_words_that_differ_each_time_are_bounded_too(sort: Sort, period: timedelta) -> None:
    assert letters(sort, period, varied=True) <= OTHER[sort]


@pytest.mark.parametrize("sort", MAILS)
def test_a_program_that_answers_every_two_seconds_is_silenced_within_the_hour(sort: Sort) -> None:
    fast, hour = timedelta(seconds=2), timedelta(hours=1)
    assert letters(sort, fast, varied=True, span=hour) <= PAILS[sort][0].room * 2 + 1
    assert letters(sort, fast, varied=False, span=hour) <= HABITS[sort].free + 6


@given(pauses=st.lists(st.integers(1, 200_000), min_size=1, max_size=300), sort=st.sampled_from(MAILS[1:]))
def test_no_rhythm_gets_more(pauses: list[int], sort: Sort) -> None:
    """By whatever pauses, the letters within thirty days stay below the bound."""
    state, sent, now = FRESH, 0, NOON
    for pause in pauses:
        if now >= NOON + MONTH:
            break
        state, word = weigh(state, sort, "same", now)
        sent += word.answered + word.tell
        now += timedelta(seconds=pause)
    assert sent <= SAME[sort]


def sensible() -> Iterator[tuple[Sort, str]]:
    """What a person may write in an hour: orders changed and changed back, questions, tries at a setting."""
    for number in range(5):
        yield Sort.DONE, f"A Par - {('Bur', 'Pic')[number % 2]}"
        yield Sort.ASKED, f"help {number}"
        yield Sort.FAILED, f"set colour {number}"


def test_fifteen_different_sensible_mails_in_an_hour_are_all_answered() -> None:
    state = FRESH
    for number, (sort, words) in enumerate(sensible()):
        state, word = weigh(state, sort, words, NOON + timedelta(minutes=4) * number)
        assert word.answered, (sort, words)


def test_whoever_asks_for_the_status_thrice_a_day_is_answered_for_a_month() -> None:
    state = FRESH
    for day in range(30):
        for hour in (8, 13, 22):
            state, word = weigh(state, Sort.ASKED, "status", NOON + timedelta(days=day, hours=hour))
            assert word.answered


def test_good_orders_are_answered_after_any_number_of_bad_mails() -> None:
    state = FRESH
    for number in range(500):
        for sort in (Sort.EMPTY, Sort.FAILED, Sort.ASKED):
            state, _ = weigh(state, sort, f"{sort}{number}", NOON + timedelta(seconds=number))
    state, word = weigh(state, Sort.DONE, "A Par - Bur", NOON + timedelta(minutes=10))
    assert word.answered


def test_a_change_of_mind_is_no_repetition() -> None:
    state = FRESH
    for number in range(40):
        state, word = weigh(state, Sort.DONE, f"orders {number % 2}", NOON + timedelta(seconds=number))
        assert word.answered


@given(times=st.lists(st.integers(0, 10_000_000), max_size=30), sort=st.sampled_from(MAILS))
def test_the_state_survives_being_written(times: list[int], sort: Sort) -> None:
    state = FRESH
    for number, seconds in enumerate(sorted(times)):
        state, _ = weigh(state, sort, str(number % 3), NOON + timedelta(seconds=seconds))
    again: PatienceState = read(write(state))
    assert write(again) == write(state)
    later = NOON + timedelta(days=200)
    assert weigh(again, sort, "0", later)[1] == weigh(state, sort, "0", later)[1]


def test_the_state_stays_small() -> None:
    state = FRESH
    for number in range(300):
        for sort in MAILS:
            state, _ = weigh(state, sort, f"{number:012x}", NOON + timedelta(minutes=number))
    assert len(write(state)) < 1_500
