"""What it costs to send an issue: forty games, three hundred subscribers in four forms.

    python -m tests.bench.zine_queue [GAMES [SUBSCRIBERS]]

Processor time of the draft (the logs of all games are read), of drawing the maps, of the faces, and of queueing a
letter for each subscriber.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from judge.service.core.persons import enrol
from judge.store.zines import ZineIssueRow
from judge.testing.casting import seat_everybody
from judge.zine.desk import IssueState
from judge.zine.draft import draft
from judge.zine.issue import frozen
from judge.zine.mailing import draw_some_maps, make_faces, queue
from judge.zine.subscribing import FORM_WORDS
from tests.zine.desk import KEY, running

T = TypeVar("T")


def timed(what: str, work: Callable[[], T]) -> T:
    """Do it, and print how long it took."""
    begun, wall = time.process_time(), time.perf_counter()
    found = work()
    print(f"{what:<40}{time.process_time() - begun:8.2f} s processor {time.perf_counter() - wall:8.2f} s")
    return found


def main(games: int, readers: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        stage = running(Path(folder))
        names = [f"tannenburg{number}" for number in range(games)]
        for name in names:
            seat_everybody(stage, name, {"moves": "1d", "nmr": "hold", "reminders": "none", "early": "no"})
        judge = stage.judge
        with judge.store.write() as unit:
            (chapter,) = unit.zines.chapters(KEY)
            unit.zines.put_chapter(replace(chapter, games=tuple(names)))
            forms = [form for form in FORM_WORDS if form != "notice"]
            for number in range(readers):
                person = enrol(judge, unit, f"reader{number}@readers.test", verified=True)
                options = f'{{"form": "{forms[number % len(forms)]}"}}'
                unit.lists.subscribe(person.id, f"zine:{KEY}", judge.clock.now(), options=options)
        for due in [stage.game(name).deadline for name in names]:
            assert due is not None
            if stage.now < due.at:
                stage.set_clock(due.at)
        stage.settle()
        now = judge.clock.now()
        with judge.store.read() as view:
            row = view.zines.get(KEY)
            assert row is not None
            made = timed("draft, all logs read", lambda: draft(judge, view, row, 96, now))
        issued = ZineIssueRow(KEY, 96, 0, IssueState.APPROVED, now, frozen(made.issue), "{}")
        wanted = tuple(FORM_WORDS)

        def maps() -> None:
            while not draw_some_maps(judge, row, made.issue, wanted):
                pass

        timed("maps, a few at a time", maps)
        faces, pictures = timed("faces", lambda: make_faces(judge, row, issued, wanted))

        def send() -> int:
            with judge.store.write() as unit:
                for picture in pictures:
                    unit.pictures.put(picture)
                return queue(judge, unit, row, issued, faces)

        print(timed("queued", send), "readers;", sum(len(one.data) for one in pictures) // 1000, "KB of faces")
        stage.close()


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:], *("40", "300")[len(sys.argv) - 1 :])))
