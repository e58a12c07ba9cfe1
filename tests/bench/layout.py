"""How well pictures are laid out: what lines, units and crosses hide, counted per phase.

    python -m tests.bench.layout [PHASES] [BOARD ...]      (default: 2000 phases of each board)

Of each phase the picture of its orders and, if somebody was driven out, that of the position after it. The counts are
the same in every run; the cost weighs them by how much of an order is lost to who reads it. Names count as too small
where a telephone shows them in less than nine CSS pixels, on a board that it shows whole or in its reader's part.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path
from random import Random

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.draw import BoardPictures, Caption, Picture, orders_picture
from judge.draw.measures import UNIT, Box, label_size, label_type, overlap
from judge.draw.parts import can_be_read, windows
from judge.draw.picture import CODES, NAMES, ways_of_retreat
from judge.draw.scene import Canvas, make_scene
from judge.draw.seam import onto
from judge.draw.strokes import Draughtsman, DrawnLine
from judge.draw.topology import Point, Topology, contains
from judge.orders.model import Move, Retreat, Support
from judge.rules import RULES_1976
from tests.bench import plausible

MAPS = Path(__file__).parents[2] / "maps"
BOARDS = ("standard", "calhamer1958", "pulsipher1914", "european", "global2")

WEIGHTS = {
    "arrows of which less than a head and as much again is seen": 6,
    "lines through a unit that is none of theirs": 4,
    "lines through a name": 2,
    "moves that cross a third place for more than a unit's width": 3,
    "lines that cross": 1,
    "crosses on a unit or a name": 3,
    "names under a unit": 3,
    "units on a unit": 6,
    "ways of a retreat of which less than a head is seen": 6,
    "places of a reader's units and orders whose names are too small": 3,
}
_SEEN = 24.0
"""Page units of an arrow that must be seen: its head, and nearly as much again."""
_CROSS, _HEAD, _BURST = 5.5, 12.0, 17.0


def counted(line: Sequence[DrawnLine], scene: Canvas) -> Counter[str]:
    """What the picture of orders hides."""
    names, units = _names(scene), {id_: (*at, *UNIT) for id_, (at, _) in scene.places.items()}
    found: Counter[str] = Counter()
    for each in line:
        points = each.route.points
        there = {each.order.unit.id, *(i for i, box in units.items() if _covers(box, points[-1], 12))}
        there |= {each.order.of.id} if isinstance(each.order, Support) else set()
        found["lines through a unit that is none of theirs"] += sum(
            _through(box, points) for i, box in units.items() if i not in there
        )
        found["lines through a name"] += sum(_through(box, points) for box in names)
        if isinstance(each.order, (Move, Retreat)):
            found["moves that cross a third place for more than a unit's width"] += _third(each, scene) > UNIT[0]
            if _seen(each, units.values()) < _SEEN:
                found["arrows of which less than a head and as much again is seen"] += 1
        if (cross := each.cross) is not None:
            box = (*cross, 2 * _CROSS, 2 * _CROSS)
            found["crosses on a unit or a name"] += any(overlap(box, b) > 0.25 for b in (*units.values(), *names))
    found["lines that cross"] = sum(_cross(a, b) for a, b in combinations(line, 2))
    return found + _crowded(scene)


def _crowded(scene: Canvas) -> Counter[str]:
    """Units on names and on each other."""
    boxes = [(*at, UNIT[0] * scale, UNIT[1] * scale) for at, scale in scene.places.values()]
    on_names = sum(any(overlap(name, box) > 0.1 for name in _names(scene)) for box in boxes)
    on_units = sum(overlap(a, b) > 0.15 for a, b in combinations(boxes, 2))
    return Counter({"names under a unit": on_names, "units on a unit": on_units})


def _names(scene: Canvas) -> list[Box]:
    topology, naming = scene.topology, scene.look.naming
    if ("bench", naming) not in topology.memo:
        topology.memo["bench", naming] = [
            (*spot.label, *label_size(spot.lines, label_type(naming, sea=topology.wet(code))))
            for code, spot in topology.spots[naming].items()
        ]
    found: list[Box] = topology.memo["bench", naming]
    return found


def _covers(box: Box, at: Point, more: float = 0.0) -> bool:
    x, y, wide, high = box
    return abs(at[0] - x) < wide / 2 + more and abs(at[1] - y) < high / 2 + more


def _through(box: Box, points: Sequence[Point]) -> bool:
    return any(_covers(box, at, -1.5) for at in points)


def _third(line: DrawnLine, scene: Canvas) -> float:
    """How far a move goes over land (a fleet) or over what is neither its start nor its goal (an army by land)."""
    order = line.order
    assert isinstance(order, (Move, Retreat))
    ends = {province_of(order.unit.at), province_of(order.to)}
    topology, far = scene.topology, 0.0
    if not _neighbours(scene, order):
        return 0.0  # a convoy
    for (ax, ay), (bx, by) in pairwise(line.route.points):
        at = onto(topology, ((ax + bx) / 2, (ay + by) / 2))
        there = _space(topology, at)
        if there not in ends and not topology.wet(there):
            far += hypot(bx - ax, by - ay)
    return far


def _neighbours(scene: Canvas, order: Move | Retreat) -> bool:
    return order.to in scene.board.reach(order.unit.kind, order.unit.at)


def _space(topology: Topology, at: Point) -> str:
    cell = ("bench", int(at[0] / 3), int(at[1] / 3))
    if cell not in topology.memo:
        found = (code for code, rings in topology.outlines.items() if contains(rings, at))
        topology.memo[cell] = next(found, "")
    space: str = topology.memo[cell]
    return space


def _seen(line: DrawnLine, units: Collection[Box]) -> float:
    """Page units of an arrow that neither a cross nor a unit hides."""
    (x, y), (u, v) = line.route.end, line.route.direction
    return _open((*line.route.points, (x + 7 * u, y + 7 * v)), units, line.cross)  # the head reaches beyond it


def _open(points: Sequence[Point], units: Collection[Box], cross: Point | None = None) -> float:
    """Page units of a line that neither a unit nor a cross hides."""
    seen = 0.0
    for (ax, ay), (bx, by) in pairwise(points):
        middle = ((ax + bx) / 2, (ay + by) / 2)
        if any(_covers(box, middle, -1.5) for box in units):
            continue
        if cross is None or hypot(middle[0] - cross[0], middle[1] - cross[1]) > _CROSS:
            seen += hypot(bx - ax, by - ay)
    return seen


def _cross(one: DrawnLine, other: DrawnLine) -> bool:
    """Whether two lines cross; not those that help or meet each other."""
    a, b = one.route.points, other.route.points
    if isinstance(one.order, Support) != isinstance(other.order, Support):
        helper, helped = (one, other) if isinstance(one.order, Support) else (other, one)
        if isinstance(helper.order, Support) and helper.order.of.id == helped.order.unit.id:
            return False
    if max(p[0] for p in a) < min(p[0] for p in b) or max(p[0] for p in b) < min(p[0] for p in a):
        return False
    if max(p[1] for p in a) < min(p[1] for p in b) or max(p[1] for p in b) < min(p[1] for p in a):
        return False
    return any(_meet(p, q, r, s) for p, q in pairwise(a) for r, s in pairwise(b))


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def pictures_of(count: int, name: str) -> Iterator[Counter[str]]:
    """The counts of each phase."""
    board = load_board(MAPS / name)
    topology = BoardPictures(MAPS)(board)
    whole = can_be_read(topology)
    for before, orders in plausible.phases(Random(1), board, count):
        result = adjudicate(before, orders, RULES_1976)
        scene = make_scene(topology, before, CODES)
        found = counted(Draughtsman(scene, before, result.outcomes).drawn().lines, scene)
        if not whole:
            found += _too_small(orders_picture(topology, before, result.outcomes, Caption("", "")), board)
        yield found + (_after(topology, result.after) if result.after.dislodged else Counter())


def _after(topology: Topology, after: Position) -> Counter[str]:
    scene = make_scene(topology, after, NAMES)
    units = [(*at, 2 * _BURST, 2 * _BURST) for at, scale in scene.places.values() if scale < 1]
    units += [(*at, *UNIT) for at, scale in scene.places.values() if scale == 1]
    unseen = sum(_open(line.points, units) < _HEAD for _, line in ways_of_retreat(scene, after))
    return _crowded(scene) + Counter({"ways of a retreat of which less than a head is seen": unseen})


def _too_small(picture: Picture, board: Board) -> Counter[str]:
    """What each power would have to read beside the windows of its part."""
    missed = 0
    for power in board.powers:
        concerns = [box for whom, box in picture.touched if power in whom]
        seen = windows(picture, board, [power])[0] if concerns else ()
        missed += sum(not any(_shows(window, box) for window in seen) for box in concerns)
    return Counter({"places of a reader's units and orders whose names are too small": missed})


def _shows(window: Box, box: Box) -> bool:
    """Whether a window shows the middle of something."""
    left, top, wide, high = window
    return left <= box[0] <= left + wide and top <= box[1] <= top + high


def cost(found: Counter[str]) -> float:
    """What a phase, or several, hide in all."""
    return sum(found[what] * weight for what, weight in WEIGHTS.items())


def main(count: int, names: Sequence[str]) -> None:
    """Measure and print: a column for each board."""
    totals = []
    for name in names:
        total: Counter[str] = Counter()
        for found in pictures_of(count, name):
            total += found
        totals.append(total)
    print("".join(f"{name[:8]:>9}" for name in names) + f"  in a phase, of {count}")
    for what, weight in WEIGHTS.items():
        print("".join(f"{total[what] / count:9.3f}" for total in totals) + f"  {what} (weighs {weight})")
    print("".join(f"{cost(total) / count:9.2f}" for total in totals) + "  the cost")


if __name__ == "__main__":
    main(int((sys.argv[1:2] or ["2000"])[0]), sys.argv[2:] or BOARDS)
