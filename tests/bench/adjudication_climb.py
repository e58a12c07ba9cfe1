"""Look for slow positions by climbing: change one order or one unit, keep what takes longer, start again now and then.

    python -m tests.bench.adjudication_climb [--positions 100000] [--board standard] [--seed 1]

Besides the boards that ship there is `archipelago`: seven by seven seas, each touching its neighbours on all sides,
with a coast all round. Its convoy chains are longer and more tangled than those of any real board.
Every thousand positions the worst so far is told on stderr; the worst of all is printed as a case file.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from types import MappingProxyType

from judge.adjudicate import adjudicate
from judge.board.chart import compile_board
from judge.board.load import load_board
from judge.board.model import Board, Terrain, province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.model import Convoy, Hold, Move, Order, Support
from judge.rules import Rules
from judge.variants import rules_for
from tests.support.archipelago import archipelago
from tests.support.tangles import crowded, tangled
from tests.support.ways import legal_moves

MAPS = Path(__file__).parents[2] / "maps"


def cost(position: Position, orders: list[Order], rules: Rules, beyond: float = 0.0) -> float:
    """Processor milliseconds; the best of three if the first is more than `beyond`, since a machine has hiccups."""
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        adjudicate(position, orders, rules)
        best = min(best, (time.process_time() - start) * 1000)
        if best <= beyond:
            break
    return best


def seed_position(random: Random, board: Board) -> tuple[Position, list[Order]]:
    """A crowded corner, or fleets in most seas with armies on the coasts that all want to be carried."""
    if random.random() < 0.5:
        position = crowded(random, board, random.randint(12, 45), random.choice((2, 3)))
        return position, tangled(random, position)
    names = random.sample(sorted(board.powers), 2)
    units: list[Unit] = []
    for code, province in board.provinces.items():
        if province.terrain is Terrain.SEA and random.random() < 0.9:
            units.append(Unit(len(units) + 1, "F", code, random.choice(names)))
        elif province.terrain is Terrain.COAST and random.random() < 0.3:
            units.append(Unit(len(units) + 1, "A", code, random.choice(names)))
    position = Position(board, Phase.read("S1901M"), tuple(units), MappingProxyType({}))
    armies = [unit for unit in units if unit.kind == "A"]
    coasts = [code for code, province in board.provinces.items() if province.terrain is Terrain.COAST]
    orders: list[Order] = []
    voyages = [Move(army, random.choice(coasts)) for army in armies]
    for unit in units:
        if unit.kind == "A":
            orders.append(next(move for move in voyages if move.unit == unit))
        else:
            voyage = random.choice(voyages[:3]) if voyages else None
            orders.append(Convoy(unit, voyage.unit, voyage.to) if voyage else Hold(unit))
    return position, orders


def changed(random: Random, position: Position, orders: list[Order]) -> list[Order]:
    """One order replaced, by one that refers to another if possible."""
    place = random.randrange(len(orders))
    unit = position.units[place]
    moves = [order for order in orders if isinstance(order, Move) and order.unit != unit]
    choice = random.random()
    new: Order = Hold(unit)
    if choice < 0.35 and (targets := legal_moves(position, unit, rules_for("1976"))):
        new = Move(unit, random.choice(targets), via=random.random() < 0.2)
    elif choice < 0.65 and moves:
        move = random.choice(moves)
        new = Support(unit, move.unit, move.to)
    elif choice < 0.9 and moves and unit.kind == "F":
        move = random.choice(moves)
        new = Convoy(unit, move.unit, province_of(move.to))
    elif len(orders) > 1:
        new = Support(unit, random.choice([other for other in position.units if other != unit]))
    return [*orders[:place], new, *orders[place + 1 :]]


def climb(random: Random, board: Board, count: int) -> tuple[float, Position, list[Order], Rules]:
    """The slowest of so many positions."""
    rules = rules_for("1976")
    position, orders = seed_position(random, board)
    best = (cost(position, orders, rules), position, orders, rules)
    here, stale = best, 0
    for turn in range(count):
        if turn % 1000 == 0:
            print(
                f"{turn:,} positions, the slowest {best[0]:.2f} ms, here {here[0]:.2f} ms", file=sys.stderr, flush=True
            )
        if stale > 300:
            rules = rules_for(random.choice(("1976", "1982", "2000", "2023", "datc", "thundar")))
            position, orders = seed_position(random, board)
            here, stale = (cost(position, orders, rules), position, orders, rules), 0
        trial = changed(random, here[1], here[2])
        spent = cost(here[1], trial, here[3], here[0])
        stale += 1
        if spent > here[0]:
            here, stale = (spent, here[1], trial, here[3]), 0
        if here[0] > best[0]:
            best = here
    return best


def as_case(position: Position, orders: list[Order], rules: Rules) -> str:
    """A position in the notation of case files, ends left out."""
    powers = dict.fromkeys(unit.power for unit in position.units)
    lines = [f"map {position.board.key}   phase {position.phase}   rules {rules.key}"]
    lines += [f"{power.lower()}  {', '.join(map(str, position.of(power)))}" for power in powers]
    return "\n".join([*lines, "orders", *(f"  {order}" for order in orders)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--board", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    board = archipelago() if options.board == "archipelago" else load_board(MAPS / options.board)
    compile_board(board, "S")
    start = time.perf_counter()
    spent, position, orders, rules = climb(Random(options.seed), board, options.positions)
    print(as_case(position, orders, rules))
    print(f"# {spent:.2f} ms, the slowest of {options.positions:,} in {time.perf_counter() - start:.0f} s")
    raise SystemExit(spent > 50)


if __name__ == "__main__":
    main()
