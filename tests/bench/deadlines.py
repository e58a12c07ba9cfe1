"""From the deadline to the last report composed, for many games that fall due at once; and memory as games grow.

python -m tests.bench.deadlines [--wall] [GAMES ...]      (default: 10 100 1000)
python -m tests.bench.deadlines --letters [GAMES ...]     (when the first letter has gone, and the last)

Each number of games has a process of its own, so that its memory is its own. Time is what the processor spent on it,
so that a busy machine tells the same; with `--wall`, what a clock on the wall shows.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from judge.daemon.watching import calm_collector
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.transport.maildir import MaildirCourier
from judge.transport.ports import Handed, Parcel
from tests.bench.full_judge import open_full_judge

HEAD = " games   turned   letters   decide ms/game   compose ms/game   both ms/game   peak MB   MB/game over 10"
SETTINGS = (("nmr", "hold"), ("moves", "1d"))


class Later:
    """The judge's clock, moved on to where every deadline has passed."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        return self._moment


def time_games(games: int, clock: Callable[[], float]) -> str:
    """One row: games, phases turned, letters composed, milliseconds a game for each half, peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        judge = open_full_judge(Path(folder), games, settings=SETTINGS)
        moved = replace(judge, clock=Later(judge.clock.now() + timedelta(days=1, minutes=1)))
        post = Post(moved, MaildirCourier(Path(folder) / "mail"))
        post.compose_all()
        post.prepare()
        calm_collector()  # both as the daemon does when it starts
        start = clock()
        turned = sweep(moved, Surroundings(), limit=100_000)
        decided = clock()
        composed = post.compose_all()
        end = clock()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        judge.close()
    each = 1000 / games
    return f"{games} {turned} {composed} {(decided - start) * each} {(end - decided) * each} {peak}"


class _Stopwatch(MaildirCourier):
    """Notes when letters go."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.gone: list[float] = []

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        for handed in super().deliver(batch):
            self.gone.append(time.perf_counter())
            yield handed


def time_letters(games: int) -> str:
    """One row: seconds on the wall from the deadline to the first letter and to the last, as a daemon goes about it."""
    with tempfile.TemporaryDirectory() as folder:
        judge = open_full_judge(Path(folder), games, settings=SETTINGS)
        moved = replace(judge, clock=Later(judge.clock.now() + timedelta(days=1, minutes=1)))
        courier = _Stopwatch(Path(folder) / "mail")
        post, wake, done = Post(moved, courier), threading.Event(), threading.Event()
        post.run()
        post.prepare()
        calm_collector()
        courier.gone.clear()

        def carry() -> None:
            while not done.is_set():
                wake.wait()
                wake.clear()
                post.run()

        thread = threading.Thread(target=carry)
        thread.start()
        start = time.perf_counter()
        sweep(moved, Surroundings(), limit=100_000, turned=wake.set)
        turned = time.perf_counter() - start
        done.set()
        wake.set()
        thread.join()
        post.run()
        judge.close()
    first, last = courier.gone[0] - start, courier.gone[-1] - start
    sent = f"first letter {first:.1f} s, last of {len(courier.gone)} {last:.1f} s"
    return f"{games:>6} games: turned after {turned:.1f} s, {sent}"


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--letters"]:
        for games in words[1:] or ["10", "100", "1000"]:
            print(time_letters(int(games)))
        return
    if words[:1] == ["--one"]:
        print(time_games(int(words[1]), time.perf_counter if "--wall" in words else time.process_time))
        return
    wall = ["--wall"] if "--wall" in words else []
    print(HEAD)
    base = 0.0
    for games in [word for word in words if word.isdigit()] or ["10", "100", "1000"]:
        run = subprocess.run(
            [sys.executable, __file__, "--one", games, *wall], capture_output=True, text=True, check=True
        )
        number, turned, letters, *rest = run.stdout.split()
        decide, compose, peak = map(float, rest)
        base = base or peak
        grown = (peak - base) / (int(number) - 10) if int(number) > 10 else 0.0
        print(
            f"{number:>6} {turned:>8} {letters:>9} {decide:16.1f} {compose:17.1f} {decide + compose:14.1f}"
            f" {peak:9.0f} {grown:17.3f}"
        )


if __name__ == "__main__":
    main()
