"""What pictures cost: an SVG, a finished PNG on its plate, and beside them resvg with the whole SVG.

    python -m tests.bench.drawing [PHASES] [WIDTH] [BOARD]

Processor time of one process, medians over phases of about thirty units with all their orders.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.draw import BoardPictures, Caption, Picture, orders_picture
from judge.raster import Plates, finished_png, render
from judge.rules import RULES_1976
from tests.bench import plausible

MAPS = Path(__file__).parents[2] / "maps"


def milliseconds(work: Callable[[], object]) -> float:
    """Processor time of one run."""
    begun = process_time()
    work()
    return 1000 * (process_time() - begun)


def spent() -> None:
    """The yardstick: a million rounds of a plain loop."""
    total = 0
    for number in range(1_000_000):
        total += number * number % 7


def main(count: int, width: int, name: str) -> None:
    """Measure and print."""
    board = load_board(MAPS / name)
    pictures, plates = BoardPictures(MAPS), Plates()
    played = []
    for before, orders in plausible.phases(Random(1), board, count):
        played.append((before, adjudicate(before, orders, RULES_1976).outcomes))

    def draw(n: int) -> Picture:
        before, outcomes = played[n]
        return orders_picture(pictures(board), before, outcomes, Caption("bench", str(before.phase)))

    print(f"yardstick: {milliseconds(spent):.0f} ms for a million rounds of a loop")
    print(f"first SVG, the board's file read: {milliseconds(lambda: draw(0).svg()):.0f} ms")
    print(f"first PNG, its plate prepared: {milliseconds(lambda: finished_png(draw(0), width, plates)):.0f} ms")
    rows = []
    for n in range(count):
        picture = draw(n)
        svg = picture.svg()
        rows.append((
            milliseconds(partial(lambda n: draw(n).svg(), n)),
            milliseconds(partial(lambda n: finished_png(draw(n), width, plates), n)),
            milliseconds(partial(render, svg, width)),
            len(finished_png(picture, width, plates)) / 1000,
            len(svg) / 1000,
        ))  # fmt: skip
    svg_ms, png_ms, plain_ms, png_kb, svg_kb = (median(column) for column in zip(*rows, strict=True))
    print(f"SVG: {svg_ms:.0f} ms, {svg_kb:.0f} kB")
    print(f"finished PNG of {width} pixels: {png_ms:.0f} ms, {png_kb:.0f} kB (at most {max(r[3] for r in rows):.0f})")
    print(
        f"plain resvg of the whole SVG, no palette: {plain_ms:.0f} ms; the finished PNG takes {png_ms / plain_ms:.2f}"
    )


if __name__ == "__main__":
    phases, pixels, named = [*sys.argv[1:4], *("20", "900", "standard")[len(sys.argv) - 1 :]]
    main(int(phases), int(pixels), named)
