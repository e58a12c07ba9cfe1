"""How many order lines a second are read, canonical and freely written. Run: python -m tests.bench.reading

The calibration loop's rate says how fast this machine is; compare figures of two machines by their ratio to it.
"""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path
from time import process_time

from judge.board.load import load_board
from judge.board.phase import Phase
from judge.board.position import Position, Unit
from judge.orders.reader import read_line, read_orders

_ROUNDS = 5
_LINES = 20_000

_UNITS = {
    "AUSTRIA": "A VIE, A TRI, A SER, F GRE",
    "ENGLAND": "A NWY, F BAR, F NTH, F EDI",
    "FRANCE": "A BUR, F PIC, A SPA, F MAR",
    "GERMANY": "A RUH, A MUN, A BEL, F DEN, F HOL",
    "ITALY": "A VEN, A PIE, F WES, F TYS",
    "RUSSIA": "A STP, F SWE, F RUM, A SEV, A GAL, A UKR",
    "TURKEY": "A BUL, A CON, A ARM, F BLA",
}
CANONICAL = """
A VIE - GAL|A TRI - BUD|A SER S A BUL - RUM|F GRE H|A NWY - STP|F BAR S A NWY - STP|F NTH - NWY|F EDI - NTH
A BUR - BEL|F PIC S A BUR - BEL|A SPA S F MAR|F MAR S A SPA|A RUH - BUR|A MUN S A RUH - BUR|A BEL S A RUH - BUR
F DEN - SWE|F HOL S A BEL|A VEN - PIE|A PIE - MAR|F WES - MAO|F TYS - LYO|A STP - NWY|F SWE S A STP - NWY
F RUM S A SEV|A SEV S F RUM|A GAL S F RUM|A UKR S A SEV|A BUL - RUM|A CON - BUL|A ARM - SEV|F BLA S A BUL - RUM"""
FREE = """
A Vie.-Gal.|Army Trieste moves to Budapest.|A Ser S Turkish A Bul-Rum|F Greece stands|A Norway - St. Petersburg
F Bar. S Nor-St. P|F North Sea to Norway|fleet edinburgh - north sea|1. A Bur -> Bel|F Pic supports A Bur to Bel
A Spa. S F Mar.|F Marseilles S A Spain|* A ruhr-Bur.|A Mun s Ruh-Bur|A Belgium supports the army in Ruhr to Burgundy
F Den – Swe|Hold F Hol|A Venice to Piedmont (please!)|A Pie - Mars|F W Med.-Mid|F Tyr.-Gulf of L.|A St. P.-Norway
F Swe S A StP - Nwy|F Rumania S A Sevastopol holds|A Sev. S F Rum.|A Gal s F Rum|A Ukraine supports A Sev // go
bul rum|A Con -> Bul/ec|A Arm - Sevast|F Black Sea S A Bul Rum"""


def position() -> Position:
    """Fall 1902 of the rule book's sample game."""
    texts = [(power, text.split()) for power, line in _UNITS.items() for text in line.split(", ")]
    units = tuple(Unit(number, kind, at, power) for number, (power, (kind, at)) in enumerate(texts, start=1))
    board = load_board(Path(__file__).parents[2] / "maps" / "standard")
    return Position(board, Phase.read("F1902M"), units, {})


def calibrate() -> float:
    """Turns a second of a plain loop with a dictionary."""
    started = process_time()
    seen: dict[int, int] = {}
    for number in range(1_000_000):
        seen[number & 1023] = seen.get(number & 1023, 0) + 1
    return 1_000_000 / (process_time() - started)


def rates(lines: list[str], at: Position) -> tuple[float, float]:
    """Lines a second, one by one and as one text."""
    whole = "\n".join(lines)
    started = process_time()
    for line in lines:
        read_line(line, at, None)
    between = process_time()
    read_orders(whole, at, None)
    return len(lines) / (between - started), len(lines) / (process_time() - between)


def main() -> None:
    """Print the best of some rounds: rates, and how many lines go into a million turns of the calibration loop."""
    at = position()
    for name, text in (("canonical", CANONICAL), ("freely written", FREE)):
        lines = list(islice(cycle(text.strip().replace("|", "\n").splitlines()), _LINES))
        assert all(reading.understood for line in lines[:100] for reading in read_line(line, at, None))
        found = []
        for _ in range(_ROUNDS):
            turns = calibrate()
            single, joined = rates(lines, at)
            found.append((single / turns * 1_000_000, single, joined, turns))
        ratio, single, joined, turns = max(found)
        print(f"{name:15}{single:10,.0f} lines/s one by one, {joined:10,.0f} lines/s as a text")
        print(f"{'calibration':15}{turns:10,.0f} turns/s; {ratio:,.0f} lines per million turns")


if __name__ == "__main__":
    main()
