"""How fast the gazetteer reads: python -m tests.bench.place_names. Prints readings a second."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from judge.board.load import load_board  # noqa: E402
from judge.board.names import Gazetteer  # noqa: E402

CODES = ("PAR", "STP/SC", "BUR", "MAO", "LVP")
LINES = (
    "Tyr S A Ven",
    "Eng C A Lon - Bel",
    "St. Petersburg (south coast) - Bot",
    "Gulf of Lyon to Western Med",
    "Norw. Sea-Bar",
    "Par - Bur",
)
ROUNDS = 20_000


def per_second(work: Callable[[], object], count: int) -> str:
    """Runs `work` many times; how many of its `count` readings fit into a second."""
    start = perf_counter()
    for _ in range(ROUNDS):
        work()
    return f"{ROUNDS * count / (perf_counter() - start):>12,.0f} a second"


def main() -> None:
    board = load_board(ROOT / "maps" / "standard")
    start = perf_counter()
    names = Gazetteer(board)
    print(f"compile                {(perf_counter() - start) * 1000:>12.1f} ms")
    tokens = [re.findall(r"\w+|[^\w\s]", line) for line in LINES]
    print("known codes          ", per_second(lambda: [names.find(code) for code in CODES], len(CODES)))
    print("names in running text", per_second(lambda: [names.split_place(line, 0) for line in tokens], len(LINES)))


if __name__ == "__main__":
    main()
