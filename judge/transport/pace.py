"""How fast things may go: a bucket of tokens for letters out, and a growing pause between attempts to reconnect."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock


class TokenBucket:
    """At most `burst` at once and `per_second` in the long run; calling it waits until the next one may go. Safe to
    use from several threads. `sharers`: how many buckets there are at present, which have that rate together.

    >>> moments, pauses = iter([0.0, 0.0, 0.0]), []
    >>> wait = TokenBucket(per_second=2.0, burst=1, monotonic=lambda: next(moments), sleep=pauses.append)
    >>> wait(); wait(); pauses
    [0.5]
    """

    def __init__(
        self,
        *,
        per_second: float,
        burst: int,
        monotonic: Callable[[], float],
        sleep: Callable[[float], None],
        sharers: Callable[[], int] = lambda: 1,
    ) -> None:
        if per_second <= 0 or burst < 1:
            raise ValueError("a token bucket needs a positive rate and room for at least one token")
        self._whole_rate = per_second
        self._sharers = sharers
        self._burst = float(burst)
        self._monotonic = monotonic
        self._sleep = sleep
        self._tokens = self._burst
        self._seen = monotonic()
        self._lock = Lock()

    def __call__(self) -> None:
        """Take one token, sleeping until it is there."""
        with self._lock:
            moment, rate = self._monotonic(), self._whole_rate / max(1, self._sharers())
            self._tokens = min(self._burst, self._tokens + (moment - self._seen) * rate) - 1.0
            self._seen = moment
            debt = -self._tokens
        if debt > 0.0:
            # It is paid by the time that passes while we sleep.
            self._sleep(debt / rate)


@dataclass(frozen=True)
class BackOff:
    """Pauses that double from `first` to `longest`, each shortened by up to half at random, so that many clients do not
    retry at one moment. `chance` gives a number from 0 to 1.

    >>> calm = BackOff(chance=lambda: 0.0)
    >>> [calm.pause(attempt) for attempt in range(8)]
    [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    >>> BackOff(chance=lambda: 1.0).pause(2)
    2.0
    """

    chance: Callable[[], float]
    first: float = 1.0
    longest: float = 60.0

    def pause(self, attempt: int) -> float:
        """Seconds to wait after this many failures before (0 for the first one)."""
        full = min(self.longest, self.first * 2.0 ** min(attempt, 30))
        return full * (1.0 - self.chance() / 2.0)
