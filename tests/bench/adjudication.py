"""How fast the adjudicator is, measured as the README of this folder says.

    python -m tests.bench.adjudication [--phases 4000] [--slow 40] [--other PYTHON]

Timed is the public `adjudicate(position, orders, rules)` on frozen values, up to the next position and the units to
retreat; "with reasons" also touches every outcome. The phases come from `plausible.phases`: whole games played by
players who know the rules. Time is processor time of one core. The calibration loop makes figures of different machines
comparable: 40 ms is what a fast and idle core of today takes for it.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from random import Random

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.orders.model import power_of
from judge.rules import RULES_1976
from judge.testing.exhaustive import Exhaustive
from judge.testing.tangles import crowded, tangled
from tests.bench.plausible import Played, phases, portrait

MAPS = Path(__file__).parents[2] / "maps"
REFERENCE = 0.04
"""Seconds that the calibration loop takes on the machine to which the goals refer."""


def loop() -> float:
    """Processor seconds for a fixed piece of pure Python: a million rounds of arithmetic."""
    start = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number * number % 7
    return time.process_time() - start


def rate(played: list[Played], *, reasons: bool) -> tuple[float, float]:
    """Phases a second and phases a calibration loop; the best of seven rounds, each next to a loop of its own, so
    that a machine with other work to do spoils neither."""
    best = per_loop = 0.0
    for _ in range(7):
        gc.collect()
        before = loop()
        start = time.process_time()
        for position, orders in played:
            result = adjudicate(position, orders, RULES_1976)
            if reasons:
                _ = result.outcomes
        speed = len(played) / (time.process_time() - start)
        best = max(best, speed)
        per_loop = max(per_loop, speed * min(before, loop()))
    return best, per_loop


def percentile(played: list[Played], share: float) -> float:
    """The time of a single phase, in milliseconds, that only (1 - share) of them exceed; garbage collector on."""
    gc.enable()
    times = []
    for position, orders in played:
        start = time.process_time()
        adjudicate(position, orders, RULES_1976)
        times.append(time.process_time() - start)
    return sorted(times)[int(len(times) * share)] * 1000


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
    chart = importlib.import_module("judge.adjudicate.chart")
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


def other_package(python: str, played: list[Played]) -> float | None:
    """Phases a second of the PyPI package `diplomacy` for the same phases, in its own interpreter; None without it."""
    lines = [
        {
            "phase": str(position.phase),
            "units": _by_power((unit.power, str(unit)) for unit in position.units),
            "orders": _by_power((power_of(order), str(order)) for order in orders),
        }
        for position, orders in played[:300]
    ]
    script = Path(__file__).parent / "adjudication_other.py"
    done = subprocess.run([python, str(script)], input=json.dumps(lines), capture_output=True, text=True, check=False)
    return float(done.stdout) if done.returncode == 0 else None


def _by_power(pairs: object) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for power, text in pairs:  # type: ignore[attr-defined]
        found.setdefault(power, []).append(text)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phases", type=int, default=4000)
    parser.add_argument("--slow", type=int, default=200)
    parser.add_argument("--other", default="", help="an interpreter that can import the package diplomacy")
    options = parser.parse_args()
    played = phases(Random(1), load_board(MAPS / "standard"), options.phases)
    for name, value in portrait(played).items():
        print(f"{name:42} {value}")
    print(
        f"{'calibration loop':42} {min(loop() for _ in range(5)) * 1000:.1f} ms (reference {REFERENCE * 1000:.0f} ms)"
    )
    for name, reasons in (("phases a second", False), ("phases a second, with reasons", True)):
        speed, per_loop = rate(played, reasons=reasons)
        reference = per_loop / REFERENCE
        print(f"{name:42} {speed:,.0f}; {per_loop:,.0f} a loop, so {reference:,.0f} on the reference machine")
    for share in (0.5, 0.99, 0.999):
        print(f"{f'{share:.1%} of the phases take at most':42} {percentile(played, share):.3f} ms")
    print(f"{'exhaustive resolver, times slower':42} {ratio_to_exhaustive(options.slow):,.0f}")
    print(f"{'import of judge.adjudicate':42} {import_time():.0f} ms")
    for name, size in chart_memory().items():
        print(f"{f'compiled board {name}':42} {size / 1024:.0f} KiB")
    if options.other:
        theirs = other_package(options.other, played)
        ours = rate(played, reasons=False)[0]
        print(
            f"{'package diplomacy':42} {f'{theirs:,.0f} a second, {ours / theirs:.0f} times' if theirs else 'absent'}"
        )


if __name__ == "__main__":
    main()
