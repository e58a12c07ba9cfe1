"""How many order lines a second are read, canonical and freely written. Run: python -m tests.bench.reading

`reference` says to which machine the goals refer, 60,000 canonical lines a second and 25,000 freely written ones, and
how figures are carried over to it. Time is processor time of one core.
"""

from __future__ import annotations

from functools import partial
from itertools import cycle, islice
from pathlib import Path

from judge.board.load import load_board
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.reader import read_line, read_orders
from tests.bench.reference import speed

_ROUNDS = 9
_LINES = 5_000

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


def one_by_one(lines: list[str], at: Position) -> int:
    """Read each line by itself."""
    for line in lines:
        read_line(line, at, None)
    return len(lines)


def as_a_text(lines: list[str], at: Position) -> int:
    """Read all lines as one text."""
    read_orders("\n".join(lines), at, None)
    return len(lines)


def main() -> None:
    """Print lines a second, in the time of a calibration loop, and on the reference machine."""
    at = position()
    for name, text in (("canonical", CANONICAL), ("freely written", FREE)):
        lines = list(islice(cycle(text.strip().replace("|", "\n").splitlines()), _LINES))
        assert all(reading.understood for line in lines[:100] for reading in read_line(line, at, None))
        for way in (one_by_one, as_a_text):
            found = speed([partial(way, lines, at)] * _ROUNDS)
            there = f"{found.a_loop:8,.0f} a loop, {found.on_the_reference:8,.0f} lines/s on the reference"
            print(f"{name:15} {way.__name__:11} {found.a_second:8,.0f} lines/s; {there}")


if __name__ == "__main__":
    main()
