"""The exact series of attempts, and its end."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.store.outbox import GIVE_UP, delay, next_try
from tests.support.stores import NOON


def no_jitter() -> float:
    return 0.0


def series(jitter: float) -> list[datetime]:
    """Every moment at which a letter is tried that is put off each time."""
    tries = [NOON]
    while True:
        following = next_try(len(tries), now=tries[-1], first_try=NOON, jitter=lambda: jitter)
        if following is None:
            return tries
        tries.append(following)


def test_the_pauses_are_1_5_15_and_then_60_minutes() -> None:
    pauses = [late - early for early, late in zip(series(0.0), series(0.0)[1:], strict=False)]
    assert [pause // timedelta(minutes=1) for pause in pauses[:6]] == [1, 5, 15, 60, 60, 60]


def test_the_last_attempt_falls_at_the_end_of_five_days() -> None:
    tries = series(0.0)
    assert tries[-1] == NOON + timedelta(days=5)
    # 1 + 5 + 15 minutes, then 119 whole hours, then what is left of the last one.
    assert len(tries) == 1 + 3 + 119 + 1


def test_jitter_lengthens_a_pause_by_a_tenth_at_most() -> None:
    assert next_try(1, now=NOON, first_try=NOON, jitter=lambda: 1.0) == NOON + timedelta(seconds=66)
    assert next_try(4, now=NOON, first_try=NOON, jitter=lambda: 0.5) == NOON + timedelta(minutes=63)


def test_a_shorter_lifetime_is_respected() -> None:
    give_up = timedelta(minutes=3)
    assert next_try(2, now=NOON, first_try=NOON, jitter=no_jitter, give_up=give_up) == NOON + give_up
    assert next_try(2, now=NOON + give_up, first_try=NOON, jitter=no_jitter, give_up=give_up) is None


@given(attempts=st.integers(1, 200), minutes=st.integers(0, 7199), jitter=st.floats(0, 1))
def test_the_next_attempt_lies_ahead_and_within_the_lifetime(attempts: int, minutes: int, jitter: float) -> None:
    now = NOON + timedelta(minutes=minutes)
    following = next_try(attempts, now=now, first_try=NOON, jitter=lambda: jitter)
    assert following is not None
    assert now < following <= NOON + GIVE_UP


def test_nothing_is_put_off_before_it_was_tried() -> None:
    with pytest.raises(ValueError, match="at least one attempt"):
        delay(0)
