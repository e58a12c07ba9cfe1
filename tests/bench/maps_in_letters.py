"""What maps cost when many games fall due at once: when the last letter has gone, and how many carry their maps.

    python -m tests.bench.maps_in_letters [GAMES ...]      (default: 10 100)

Seconds on the wall, without maps and with them, drawn by a process beside this one as the daemon has it.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from queue import Empty, SimpleQueue

from judge import resources
from judge.daemon.watching import calm_collector
from judge.service.core.judge import Judge
from judge.service.pictures.artist import Atelier
from judge.service.pictures.gallery import Gallery
from judge.service.posting.operator import tell_operator
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.store.rows import LetterState
from judge.transport.maildir import MaildirCourier
from tests.bench.deadlines import SETTINGS
from tests.bench.full_judge import open_full_judge


class _Ticking:
    """The judge's clock, moved on to where every deadline has passed; from there it goes on."""

    def __init__(self, moment: datetime) -> None:
        self._moment, self._since = moment, time.perf_counter()

    def now(self) -> datetime:
        return self._moment + timedelta(seconds=time.perf_counter() - self._since)


def measure(games: int, *, maps: bool) -> tuple[float, list[int]]:
    """Seconds until the last letter has gone, and the number of maps in each report."""
    with tempfile.TemporaryDirectory() as folder:
        judge = open_full_judge(Path(folder), games, settings=SETTINGS)
        Post(judge, MaildirCourier(Path(folder) / "mail")).run()
        judge = replace(judge, clock=_Ticking(judge.clock.now() + timedelta(days=1, minutes=1)))
        done = threading.Event()
        atelier = Atelier(resources.folder("maps"))
        came: SimpleQueue[str] = SimpleQueue()
        gallery = Gallery(judge, atelier, tell_operator, hands=1, ready=came.put) if maps else None
        post = Post(judge, MaildirCourier(Path(folder) / "mail"), gallery=gallery)
        post.prepare()
        calm_collector()
        if gallery is not None:
            threading.Thread(target=gallery.work, args=[done.is_set], daemon=True).start()
        begun = time.perf_counter()
        sweep(judge, Surroundings(), limit=100_000)
        while _unwritten(judge):
            with suppress(Empty):
                post.picture_came(came.get(timeout=0.5))
            post.run()
        ended = time.perf_counter() - begun
        done.set()
        if gallery is not None:
            gallery.close()
        with judge.store.read() as view:
            reports = view.letters.list(kind="results", limit=100_000)
            shown = [(view.letters.mime(one.id) or b"").count(b"\0picture:") for one in reports]
        judge.close()
    return ended, shown


def _unwritten(judge: Judge) -> bool:
    with judge.store.read() as view:
        return bool(view.letters.list(states=[LetterState.COMPOSING], limit=1))


def main() -> None:
    for games in map(int, sys.argv[1:] or ["10", "100"]):
        bare, _ = measure(games, maps=False)
        full, shown = measure(games, maps=True)
        some, both = sum(count > 0 for count in shown), sum(count > 1 for count in shown)
        print(
            f"{games:>5} games: the last of {len(shown)} reports has gone after {bare:.1f} s, with maps {full:.1f} s; "
            f"{some / len(shown):.0%} show a map, {both / len(shown):.0%} both"
        )


if __name__ == "__main__":
    main()
