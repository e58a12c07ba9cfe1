"""Every figure of the speed of the judge, one bench after the other, each in a process of its own.

    python -m tests.bench [--busy] [--only WORD]

`--busy`: with a process that spins on each processor beside, as on a machine that does other things too. `--only`: the
benches whose name holds the word. How each figure is obtained stands in the bench; what it is compared with, in
README.md.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.reference import loop

BENCHES = (
    "steps",
    "lives",
    "house",
    "hearing",
    "order_mails 3000 3",
    "deadlines 10 100 300",
    "deadlines --letters 100",
    "maps_in_letters 100",
    "storm 200",
    "drain 3000",
    "drain 600 80",
    "intake",
    "reading",
    "adjudication --phases 2000",
    "boards",
    "purses",
    "drawing",
    "memory",
    "worst_mails",
    "zine_queue",
    "zine_faces",
)


def spin() -> None:
    """Keeps a processor at work."""
    while True:
        pass


@contextmanager
def company(count: int) -> Iterator[None]:
    """So many processes that spin, while it lasts."""
    others = [multiprocessing.Process(target=spin, daemon=True) for _ in range(count)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    failed = 0
    with company((os.cpu_count() or 1) if options.busy else 0):
        for bench in BENCHES:
            if options.only not in bench:
                continue
            name, *words = shlex.split(bench)
            yardstick = min(loop() for _ in range(5)) * 1000
            print(f"\n== {bench}   (calibration loop {yardstick:.0f} ms, load {os.getloadavg()[0]:.1f})", flush=True)
            begun = time.monotonic()
            done = subprocess.run([sys.executable, "-m", f"tests.bench.{name}", *words], check=False)
            print(f"-- {time.monotonic() - begun:.0f} s", flush=True)
            failed += done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
