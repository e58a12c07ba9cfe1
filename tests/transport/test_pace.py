"""How fast letters may go, and how long we wait before knocking again."""

import pytest

from judge.transport.pace import BackOff, TokenBucket


class Wrist:
    """A watch that only moves when somebody sleeps or the test says so."""

    def __init__(self) -> None:
        self.time = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.time += seconds


def bucket(watch: Wrist, *, per_second: float, burst: int) -> TokenBucket:
    return TokenBucket(per_second=per_second, burst=burst, monotonic=lambda: watch.time, sleep=watch.sleep)


def test_a_burst_goes_at_once_and_the_rest_in_step() -> None:
    watch = Wrist()
    wait = bucket(watch, per_second=2.0, burst=3)
    for _ in range(6):
        wait()
    assert watch.slept == [0.5, 0.5, 0.5]


def test_rest_refills_the_bucket_but_never_above_its_rim() -> None:
    watch = Wrist()
    wait = bucket(watch, per_second=1.0, burst=2)
    watch.time += 1000
    for _ in range(3):
        wait()
    assert watch.slept == [1.0]


def test_an_impossible_bucket_is_refused() -> None:
    with pytest.raises(ValueError, match="positive rate"):
        bucket(Wrist(), per_second=0, burst=1)


def test_pauses_double_up_to_the_longest() -> None:
    calm = BackOff(chance=lambda: 0.0)
    assert [calm.pause(n) for n in (0, 1, 5, 6, 1000)] == [1.0, 2.0, 32.0, 60.0, 60.0]


def test_chance_shortens_a_pause_by_half_at_most() -> None:
    assert BackOff(chance=lambda: 0.5).pause(3) == 6.0
    assert BackOff(chance=lambda: 1.0).pause(6) == 30.0
