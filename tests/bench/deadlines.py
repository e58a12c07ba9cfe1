"""From the deadline to the last report composed, for many games that fall due at once; and memory as games grow.

python tests/bench/deadlines.py [GAMES ...]      (default: 10 100)
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from house_full_of_games import open_full_house

from judge.service.barrier import Surroundings
from judge.service.house import House
from judge.service.post import Post
from judge.service.sweep import sweep
from judge.transport.maildir_out import MaildirCourier


class _Later:
    """The house's clock, moved on to where every deadline has passed."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        return self._moment


def time_games(games: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = open_full_house(Path(folder), games, settings=(("nmr", "hold"), ("moves", "1d")))
        later = house.clock.now() + timedelta(days=1, minutes=1)
        moved = _moved(house, later)
        post = Post(moved, MaildirCourier(Path(folder) / "mail"))
        post.compose_all()
        start = time.perf_counter()
        changed = sweep(moved, Surroundings(), limit=100_000)
        decided = time.perf_counter()
        composed = post.compose_all()
        end = time.perf_counter()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        house.close()
    print(
        f"{games:5} games: {changed} turned in {decided - start:6.2f} s, {composed} reports composed in"
        f" {end - decided:6.2f} s: {(end - start) / games * 1000:5.1f} ms a game, peak memory {peak:4.0f} MB"
    )


def _moved(house: House, later: datetime) -> House:
    from dataclasses import replace

    return replace(house, clock=_Later(later))


def main() -> None:
    for games in [int(word) for word in sys.argv[1:]] or [10, 100]:
        time_games(games)


if __name__ == "__main__":
    main()
