"""Look for slow positions by climbing: change one order or one unit, keep what takes longer, start again now and then.

    python -m tests.bench.adjudication_climb [--positions 100000] [--board standard] [--seed 1]

Besides the boards that ship there is `archipelago`: seven by seven seas, each touching its neighbours on all sides,
with a coast all round. Its convoy chains are longer and more tangled than those of any real board.
The worst find is printed as a case file.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random
from types import MappingProxyType

from judge.adjudicate import adjudicate
from judge.adjudicate.chart import compile_board
from judge.adjudicate.duty import legal_moves
from judge.board.load import load_board
from judge.board.model import Board, Border, Power, Province, Terrain, province_of
from judge.board.phase import Phase
from judge.board.position import Position, Unit
from judge.orders.model import Convoy, Hold, Move, Order, Support
from judge.rules import PRESETS, Rules
from judge.testing.tangles import crowded, tangled

MAPS = Path(__file__).parents[2] / "maps"
SIDE = 7


def archipelago(side: int = SIDE) -> Board:
    """A square of seas with a coast all round; diagonal neighbours touch too."""
    provinces: dict[str, Province] = {}
    for row in range(side + 2):
        for column in range(side + 2):
            inside = 0 < row <= side and 0 < column <= side
            code = f"{'S' if inside else 'C'}{row}{column}"
            provinces[code] = Province(code, code, Terrain.SEA if inside else Terrain.COAST, centre=not inside)
    borders = []
    codes = list(provinces)
    for place, one in enumerate(codes):
        for other in codes[place + 1 :]:
            if max(abs(int(one[1]) - int(other[1])), abs(int(one[2]) - int(other[2]))) == 1:
                land = one[0] == other[0] == "C"
                borders.append(Border(one, other, frozenset("AF" if land else "F")))
    powers = {name: Power(name, name.title(), name.title(), name[0], (), ()) for name in ("RED", "BLUE", "GREEN")}
    return Board("archipelago", "Archipelago", MappingProxyType(provinces), MappingProxyType(powers), tuple(borders),
                 Phase(1901, "S", "M"), 99)  # fmt: skip


def cost(position: Position, orders: list[Order], rules: Rules) -> float:
    """Processor milliseconds, the better of two."""
    best = 1e9
    for _ in range(2):
        start = time.process_time()
        adjudicate(position, orders, rules)
        best = min(best, time.process_time() - start)
    return best * 1000


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
    position = Position(board, Phase(1901, "S", "M"), tuple(units), MappingProxyType({}))
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
    if choice < 0.35 and (targets := legal_moves(position, unit, PRESETS["1976"])):
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
    rules = PRESETS["1976"]
    position, orders = seed_position(random, board)
    best = (cost(position, orders, rules), position, orders, rules)
    here, stale = best, 0
    for _ in range(count):
        if stale > 300:
            rules = PRESETS[random.choice(("1976", "1982", "2000", "2023", "datc", "thundar"))]
            position, orders = seed_position(random, board)
            here, stale = (cost(position, orders, rules), position, orders, rules), 0
        trial = changed(random, here[1], here[2])
        spent = cost(here[1], trial, here[3])
        stale += 1
        if spent > here[0]:
            spent = min(spent, cost(here[1], trial, here[3]))  # not a hiccup of the machine
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
