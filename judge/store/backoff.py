"""When a letter that was put off is tried again: 1, 5, 15, 60, 60 ... minutes, until it is given up after five days.

A pure function of the number of attempts; the jitter is passed in, so that tests see the exact series.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

STEPS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=60))
GIVE_UP = timedelta(days=5)
SPREAD = 0.1


def delay(attempts: int) -> timedelta:
    """The pause after the given number of failed attempts, without jitter.

    >>> [str(delay(n)) for n in (1, 2, 3, 4, 5)]
    ['0:01:00', '0:05:00', '0:15:00', '1:00:00', '1:00:00']
    """
    if attempts < 1:
        raise ValueError(f"a delivery is put off after at least one attempt, not after {attempts}")
    return STEPS[min(attempts, len(STEPS)) - 1]


def next_try(
    attempts: int,
    *,
    now: datetime,
    first_try: datetime,
    jitter: Callable[[], float],
    give_up: timedelta = GIVE_UP,
) -> datetime | None:
    """The moment of the next attempt, None if the letter is to be given up.

    `jitter` answers numbers from 0 to 1, which lengthen the pause by up to a tenth, so that letters which failed
    together do not come back together. The last attempt falls exactly at the end of the lifetime.
    """
    end = first_try + give_up
    if now >= end:
        return None
    pause = delay(attempts)
    return min(now + pause + SPREAD * jitter() * pause, end)
