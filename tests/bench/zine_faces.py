"""What an issue costs: forty games in four faces, forty maps drawn before.

    python -m tests.bench.zine_faces [GAMES]

Processor time, that of the process that makes pages included: the first of each face (templates are compiled, fonts
are read) and then the median of three; and the memory that it takes at most.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from dataclasses import replace
from statistics import median

from judge.board.load import load_board
from judge.zine.html import ZinePrinter, print_archive_page, print_epub, print_pages_for_mail
from judge.zine.issue import Issue
from judge.zine.pdf import Paper, page_count, print_pdf
from judge.zine.pictures import draw_graphs, draw_maps
from judge.zine.text import print_text
from tests.bench.drawing import spent
from tests.zine.sample import ROOT, own_report, sample_issue, statistics


def milliseconds(work: Callable[[], object]) -> float:
    """Processor time of one run, that of the processes that it starts included."""
    begun = _spent()
    work()
    return 1000 * (_spent() - begun)


def _spent() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def of_games(count: int) -> Issue:
    """The sample issue with so many games, each with results, press, a map and the statistics of its year."""
    issue = sample_issue()
    first = issue.chapters[0]
    entries, blocks = [], []
    for number in range(count):
        name = f"Tannenburg{number}"
        report = own_report()
        assert report.map is not None
        shown = replace(report.map, picture=name, caption="Before the retreats of 1902")
        entries.append(replace(first.entries[0], game=name, reports=(replace(report, map=shown),)))
        blocks.append(replace(statistics(), game=name))
    chapter = replace(first, entries=tuple(entries), names=tuple(entry.game for entry in entries))
    return replace(issue, chapters=(chapter, *issue.chapters[1:]), statistics=tuple(blocks))


def main(count: int) -> None:
    """Measure and print."""
    issue, printer = of_games(count), ZinePrinter(ROOT / "templates")
    maps = draw_maps(issue, ROOT / "maps", lambda key: load_board(ROOT / "maps" / key), printed=True)
    graphs = draw_graphs(issue)
    print(f"yardstick: {milliseconds(spent):.0f} ms for a million rounds of a loop")
    print(f"{count} games; memory before: {_memory()} MB")
    sizes: dict[str, str] = {}

    def of_text() -> None:
        parts = print_text(issue, printer)
        sizes["text"] = f"{len(parts)} parts, {sum(len(part.text) for part in parts) // 1000} kB"

    def of_mail() -> None:
        pages = print_pages_for_mail(issue, printer, dict.fromkeys((*maps, *graphs), "cid:x"))
        sizes["mail"] = f"{len(pages)} parts, {sum(len(page.html) for page in pages) // 1000} kB"

    def of_archive() -> None:
        sizes["archive"] = f"{len(print_archive_page(issue, printer, dict.fromkeys(maps, 'x.png'))) // 1000} kB"

    def of_pdf() -> None:
        pdf = print_pdf(issue, printer, maps, Paper.A4)
        sizes["PDF"] = f"{page_count(pdf)} pages, {len(pdf) // 1000} kB"

    def of_epub() -> None:
        sizes["EPUB"] = f"{len(print_epub(issue, printer, maps)) // 1000} kB"

    faces: dict[str, Callable[[], None]] = {
        "text": of_text, "mail": of_mail, "archive": of_archive, "PDF": of_pdf, "EPUB": of_epub,
    }  # fmt: skip
    whole = 0.0
    for name, face in faces.items():
        first = milliseconds(face)
        whole += first
        then = median(milliseconds(face) for _ in range(3))
        print(f"{name:8} first {first:6.0f} ms, then {then:6.0f} ms; {sizes[name]}")
    print(
        f"all of it, the first time: {whole / 1000:.1f} s; memory at most: {_memory()} MB, and "
        f"{_memory(resource.RUSAGE_CHILDREN)} MB for a while in the process that makes pages"
    )


def _memory(whose: int = resource.RUSAGE_SELF) -> int:
    return resource.getrusage(whose).ru_maxrss // 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
