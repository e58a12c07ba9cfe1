"""How long the judge's letters are: lines of text, by kind, over games of seven powers.

    python -m tests.bench.letters [YEARS] [GAMES]

Counted is what a reader scrolls through: every line below the headers, frame and empty lines among them. The rulebook's
sample game and so many plausible games are played at the table, each turn processed at its deadline; every letter that
they bring to a player is composed as its reader gets it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median

from judge.adjudicate import adjudicate
from judge.board.position import Position
from judge.game.core.commands import Assign
from judge.mail.letters import Printer
from judge.orders.model import Order, power_of
from judge.report.core.letter import Kind, Letter
from judge.report.mailing import letters_for
from judge.rules import RULES_1976
from tests.bench.plausible import moves, others
from tests.support.builders import Table, cast_of
from tests.support.sample import TURNS

ROOT = Path(__file__).resolve().parents[2]
MAPS = ROOT / "maps"
SCREEN = 60
"""So many lines are wanted at most of the report in the middle."""


def main(years: int, games: int) -> None:
    press = Printer(ROOT / "templates")
    lengths: dict[str, list[int]] = defaultdict(list)
    phases: dict[str, list[int]] = defaultdict(list)
    for letter in every_letter(years, games):
        count = len(press.print(letter.kind, letter.view, page=False).text.splitlines())
        lengths[letter.kind].append(count)
        if letter.kind == Kind.RESULTS:
            phases[letter.view["phase"].split()[-1]].append(count)
    print(f"{'letters':24}{'number':>8}{'median':>8}{'nine in ten':>13}{'longest':>9}")
    for kind in (Kind.WELCOME, Kind.STARTED, Kind.TAKEOVER, Kind.RESULTS):
        print(row(kind, lengths[kind]))
    for phase, counts in phases.items():
        print(row(f"  of {phase}", counts))
    short = sum(count < SCREEN for count in lengths[Kind.RESULTS])
    print(f"{short / len(lengths[Kind.RESULTS]):.0%} of the reports are shorter than {SCREEN} lines")


def row(name: str, counts: Sequence[int]) -> str:
    ordered = sorted(counts)
    nine = ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)]
    return f"{name:24}{len(counts):>8}{median(counts):>8.0f}{nine:>13}{ordered[-1]:>9}"


def every_letter(years: int, games: int) -> Iterator[Letter]:
    """The letters to players of the sample game and of plausible games, in which somebody steps in each year."""
    table = Table(MAPS)
    yield from begun(table)
    for turn in TURNS:
        table.all_orders(turn)
        yield from told(table.tick(table.running.deadline.at))
    for seed in range(games):
        random, table = Random(seed), Table(MAPS)
        yield from begun(table)
        while table.game.ending is None and table.running.phase.year < 1901 + years:
            year = table.running.phase.year
            order(table, random)
            yield from told(table.tick(table.running.deadline.at))
            if table.game.ending is None and year != table.running.phase.year:
                yield from stepped_in(table, random.choice(table.game.survivors))


def begun(table: Table) -> Iterator[Letter]:
    """The letters of the beginning."""
    table.seated()
    yield from told(table)
    yield from told(table.started())


def stepped_in(table: Table, power: str) -> Iterator[Letter]:
    """The letter to somebody who takes a power over, which is theirs for a moment."""
    player = table.player(power).person
    table.tell(Assign(power, 8), table.gm)
    yield from told(table)
    table.tell(Assign(power, player), table.gm)


def told(table: Table) -> Iterator[Letter]:
    """The letters to players that the last command brought."""
    letters = letters_for(table.before, table.last, table.game, cast_of())
    return (letter for letter in letters if letter.seat in table.game.seats)


def order(table: Table, random: Random) -> None:
    """Orders of every power for a turn, builds behind retreats among them."""
    position = table.running.position
    given = of_phase(random, position)
    if position.phase.kind == "R":
        after = adjudicate(position, given, RULES_1976).after
        if after.phase.kind == "A":
            given = [*given, *of_phase(random, after)]
    for power in position.board.powers:
        if lines := [str(each) for each in given if power_of(each) == power]:
            table.orders(power, *lines)


def of_phase(random: Random, position: Position) -> list[Order]:
    return moves(random, position) if position.phase.kind == "M" else others(random, position)


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:], *("8", "4")[len(sys.argv) - 1 :])))
