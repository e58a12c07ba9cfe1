"""How fast the adjudicator is, measured as the README of this folder says.

    python -m tests.bench.adjudication [--phases 4000] [--slow 40] [--other PYTHON]
    PYTHONPATH=SITE:. python -P -m tests.bench.adjudication      # of a wheel that was unpacked, or installed, in SITE

Timed is the public `adjudicate(position, orders, rules)` on frozen values, up to the next position and the units to
retreat; "with reasons" also touches every outcome. A position of a movement phase puts its units on the chart when it
is made; that is no part of it, and timed by itself. The phases come from `plausible.phases`: whole games played by
players who know the rules. Time is processor time of one core, the garbage collector on. `reference` says to which
machine the goals refer, and how figures are carried over to it. With `--other`, an interpreter that has the PyPI
package `diplomacy`, that package is measured on the same phases in the same way.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from judge.adjudicate import adjudicate
from judge.adjudicate.exhaustive import Exhaustive
from judge.adjudicate.jsonl import READING, answer_line, write_line
from judge.board.chart import lay_out
from judge.board.load import load_board
from judge.board.model import Board
from judge.board.position import Position
from judge.orders.model import Order, power_of
from judge.orders.reader import canonical_readers
from judge.release import release
from judge.rules import RULES_1976
from tests.bench.plausible import Played, phases, portrait
from tests.bench.reference import REFERENCE, Speed, loop, speed
from tests.support.tangles import crowded, tangled

MAPS = Path(__file__).parents[2] / "maps"
SLICE = 500


def play(played: list[Played], *, reasons: bool) -> int:
    """Adjudicate so many phases."""
    for position, orders in played:
        result = adjudicate(position, orders, RULES_1976)
        if reasons:
            _ = result.outcomes
    return len(played)


def read_and_play(sheets: list[tuple[Position, list[str]]]) -> int:
    """Read so many canonical sheets, on positions that were not read before, and adjudicate them."""
    for position, lines in sheets:
        read = canonical_readers(position, READING)(None)
        adjudicate(position, [order for order in map(read, lines) if order is not None], RULES_1976)
    return len(sheets)


def answer_all(board: Board, lines: list[bytes]) -> int:
    """Answer so many lines of `judge adjudicate --jsonl`."""
    for line in lines:
        write_line(answer_line(line, board, RULES_1976))
    return len(lines)


def lay_out_all(played: list[Played]) -> int:
    """Put the units of so many positions on the chart."""
    for position, _ in played:
        lay_out(position.board, position.phase.season, position.units)
    return len(played)


def rate(played: list[Played], *, reasons: bool) -> Speed:
    """The speed over all phases, three times."""
    parts = [played[start : start + SLICE] for start in range(0, len(played), SLICE)] * 3
    return speed([partial(play, part, reasons=reasons) for part in parts])


def by_text(played: list[Played]) -> Iterator[Callable[[], int]]:
    """The phases as canonical lines; every slice has positions of its own."""
    for start in range(0, len(played), SLICE):
        sheets = [
            (Position(at.board, at.phase, at.units, at.owners), [str(order) for order in orders])
            for at, orders in played[start : start + SLICE]
        ]
        yield partial(read_and_play, sheets)


def by_json(played: list[Played]) -> Iterator[Callable[[], int]]:
    """The phases as lines of JSON."""
    lines = [json.dumps(as_json(position, orders)).encode() for position, orders in played]
    for start in range(0, len(lines), SLICE):
        yield partial(answer_all, played[0][0].board, lines[start : start + SLICE])


def percentiles(played: list[Played], shares: tuple[float, ...]) -> list[float]:
    """The times of single phases, in milliseconds, that only (1 - share) of them exceed; the best of three rounds,
    since a machine may be busy with other things."""
    rounds = []
    for _ in range(3):
        times = []
        for position, orders in played:
            start = time.process_time()
            adjudicate(position, orders, RULES_1976)
            times.append(time.process_time() - start)
        times.sort()
        rounds.append([times[int(len(times) * share)] * 1000 for share in shares])
    return [min(column) for column in zip(*rounds, strict=True)]


def ratio_to_exhaustive(count: int) -> float:
    """How much longer the exhaustive resolver takes, over crowded corners of the board (it cannot do a whole one)."""
    random = Random(11)
    board = load_board(MAPS / "standard")
    corners = [(position := crowded(random, board, 11), tangled(random, position)) for _ in range(count)]
    start = time.process_time()
    for position, orders in corners:
        adjudicate(position, orders, RULES_1976)
    fast = time.process_time() - start
    start = time.process_time()
    for position, orders in corners:
        Exhaustive(position, orders, RULES_1976).solve()
    return (time.process_time() - start) / fast


def import_time() -> float:
    """Milliseconds to import judge.adjudicate in a fresh interpreter, above an empty one."""

    def run(code: str) -> float:
        best = 1e9
        for _ in range(5):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
            best = min(best, time.perf_counter() - start)
        return best

    return (run("import judge.adjudicate") - run("pass")) * 1000


def chart_memory() -> dict[str, int]:
    """Board -> bytes of its compiled chart."""
    chart = importlib.import_module("judge.board.chart")
    sizes = {}
    for folder in sorted(MAPS.iterdir()):
        if (folder / "board.toml").exists():
            board = load_board(folder)
            tracemalloc.start()
            kept = chart.Chart(board, board.first_phase.season)
            sizes[folder.name] = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
            del kept
    return sizes


def other_package(python: str, played: list[Played]) -> Speed | None:
    """The speed of the PyPI package `diplomacy` for the same phases, in its own interpreter; None without it."""
    lines = [as_json(position, orders) for position, orders in played[:1200]]
    command = [python, "-m", "tests.bench.adjudication_other"]
    done = subprocess.run(
        command, input=json.dumps(lines), cwd=MAPS.parent, capture_output=True, text=True, check=False
    )
    return Speed(*json.loads(done.stdout)) if done.returncode == 0 else None


def as_json(position: Position, orders: list[Order]) -> dict[str, Any]:
    """A phase as `judge adjudicate --jsonl` takes it."""
    return {
        "phase": str(position.phase),
        "units": _by_power((unit.power, str(unit)) for unit in position.units),
        "orders": _by_power((power_of(order), str(order)) for order in orders),
        "centers": _by_power((power, centre) for centre, power in position.owners.items()),
    }


def _by_power(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for power, text in pairs:
        found.setdefault(power, []).append(text)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phases", type=int, default=4000)
    parser.add_argument("--slow", type=int, default=200)
    parser.add_argument("--other", default="", help="an interpreter that can import the package diplomacy")
    options = parser.parse_args()
    played = phases(Random(1), load_board(MAPS / "standard"), options.phases)
    print(f"{'the judge':42} {release()}")
    for name, value in portrait(played).items():
        print(f"{name:42} {value}")
    took = min(loop() for _ in range(9))
    print(f"{'calibration loop':42} {took * 1000:.1f} ms (reference {REFERENCE * 1000:.1f} ms)")
    theirs = other_package(options.other, played) if options.other else None
    if theirs:
        print(f"{'package diplomacy':42} {theirs.a_second:,.0f}; {theirs.a_loop:.1f} a loop (reference 40.2)")
    for name, reasons in (("phases a second", False), ("phases a second, with reasons", True)):
        ours = rate(played, reasons=reasons)
        times = f"; {ours.a_loop / theirs.a_loop:.0f} times the package" if theirs else ""
        print(f"{name:42} {ours.a_second:,.0f}; {ours.a_loop:,.0f} a loop, {ours.on_the_reference:,.0f} there{times}")
    random = Random(2)
    mixed = rate([(position, random.sample(orders, len(orders))) for position, orders in played], reasons=False)
    print(f"{'... the orders in any sequence':42} {mixed.a_second:,.0f}; {mixed.a_loop:,.0f} a loop")
    for name, texts in (
        ("sheets read and adjudicated a second", by_text(played)),
        ("lines of JSON a second", by_json(played)),
    ):
        spoken = speed(texts)
        print(f"{name:42} {spoken.a_second:,.0f}; {spoken.a_loop:,.0f} a loop, {spoken.on_the_reference:,.0f} there")
    laid_out = speed([partial(lay_out_all, played[:SLICE])] * 9)
    print(f"{'positions laid out a second':42} {laid_out.a_second:,.0f}; {laid_out.a_loop:,.0f} a loop")
    shares = (0.5, 0.99, 0.999)
    for share, most in zip(shares, percentiles(played, shares), strict=True):
        print(f"{f'{share:.1%} of the phases take at most':42} {most:.3f} ms; {most * REFERENCE / took:.3f} ms there")
    print(f"{'exhaustive resolver, times slower':42} {ratio_to_exhaustive(options.slow):,.0f}")
    print(f"{'import of judge.adjudicate':42} {import_time():.0f} ms")
    for name, size in chart_memory().items():
        print(f"{f'compiled board {name}':42} {size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
