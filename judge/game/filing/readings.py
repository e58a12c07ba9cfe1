"""What the lines of a mail say: read together, for this phase and, where a line does not fit, for a later one.

Read together, because "all others hold", headings and orders broken over two lines mean what their neighbours make
of them. Besides plain orders a line may hold a condition (`judge.game.instructions.conditions`) or a list of retreats
in order of liking (`judge.game.instructions.kinds`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from judge.adjudicate.explain import meaning
from judge.adjudicate.legality import legality
from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.game.core.commands import Doubt, OrderLine
from judge.game.core.model import Game
from judge.game.filing.conditional import gathered, is_block, under_block, under_condition
from judge.game.filing.judging import MOST_LINES, possible_only
from judge.game.filing.read import Read, is_faulty, options_of
from judge.game.instructions.conditions import mentions_condition
from judge.game.instructions.kinds import Ranked, split_list
from judge.orders.filing import settled
from judge.orders.model import Disband, Order, Retreat
from judge.orders.reader import read_line, read_orders
from judge.orders.reading import CHATTER, Problem, Reading

_OF_ANOTHER_PHASE = frozenset(("wrong-phase", "not-dislodged", "unfinished", CHATTER))
"""How the reader of one phase answers a line that may be meant for another one of the turn."""


def read_mail(game: Game, power: str, lines: Sequence[OrderLine], position: Position) -> list[list[Read]]:
    """For each line its readings for one power in the phase of a position."""
    found: list[list[Read]] = [[] for _ in lines]
    plain: list[str] = []
    for index, line in enumerate(lines):
        if line.doubt is not None:
            special: list[Read] | None = [_doubted(power, line, line.doubt, position)]
        elif is_block(line.text):
            above = [read for some in found[:index] for read in some]
            above += [Read(0, power, position.phase, position, r) for r in _plainly(game, power, plain, position)]
            special = under_block(game, power, line, position, above)
        else:
            special = _special(game, power, line, position)
        found[index] += special or ()
        plain.append("" if special is not None else " ".join(line.text.splitlines()))
    for reading in read_orders("\n".join(plain), position, power, options=options_of(game, power)):
        index = reading.line - 1
        found[index].append(Read(lines[index].number, power, position.phase, position, reading))
    return found


def with_offers(game: Game, found: Sequence[Read]) -> list[Read]:
    """The readings, with what can be sent instead of those that are refused; the first `MOST_LINES` of these."""
    left = MOST_LINES
    reads = []
    for read in found:
        problem = read.reading.problem
        if problem is not None and problem.candidates:
            left -= 1
            better = possible_only(game, problem, read.position) if left >= 0 else replace(problem, candidates=())
            read = read._replace(reading=read.reading._replace(problem=better))
        reads.append(read)
    return reads


def better(first: Sequence[list[Read]], then: Sequence[list[Read]]) -> list[list[Read]]:
    """For each line the readings that fit; where none do, the first. Orders on one line may fit different phases."""
    return [_better(one, other) for one, other in zip(first, then, strict=True)]


def _better(one: list[Read], other: list[Read]) -> list[Read]:
    if len(one) == len(other):
        return [then if _fit(then) > _fit(now) else now for now, then in zip(one, other, strict=True)]
    return other if any(map(is_faulty, one)) and not any(map(is_faulty, other)) else one


def _fit(read: Read) -> int:
    """How well a reading fits its phase: an order, a line of its kind with something wrong in it, or neither."""
    problem = read.reading.problem
    if problem is None:
        return 2
    return int(problem.slug not in _OF_ANOTHER_PHASE)


def apart(lines: Sequence[OrderLine], board: Board) -> tuple[OrderLine, ...]:
    """The lines: conditions over several lines as one, other lines with a condition cut at their semicolons."""
    found: list[OrderLine] = []
    for line in gathered(lines, board):
        conditional = line.doubt is None and mentions_condition(line.text) and not is_block(line.text)
        pieces = _RETREAT_FIRST.sub(r"\1;", line.text).split(";") if conditional else [line.text]
        texts = [piece.strip() for piece in pieces if piece.strip()]
        found += [line] if texts == [line.text] else [replace(line, text=text) for text in texts]
    return tuple(found)


_RETREAT_FIRST = re.compile(
    r"^((?:(?!\b(?:if|unless|provided|in case|build|remove)s?\b)[^;,])+),\s*(?:and\s+|then\s+)?"
    r"(?=(?:build|remove)s?\b)",
    re.IGNORECASE,
)
"""The retreat in "A Bur - Gas, build A Par if ...": it hangs on no condition, and a comma sets it off as ";" does."""


def _plainly(game: Game, power: str, lines: Sequence[str], position: Position) -> tuple[Reading, ...]:
    return read_orders("\n".join(lines), position, power, options=options_of(game, power))


def _doubted(power: str, line: OrderLine, doubt: Doubt, position: Position) -> Read:
    """A line about orders that is none in our words; what is offered instead tells for which unit it was."""
    offered = [order for text in doubt.proposals for order in _orders_of(read_line(text, position, power))]
    problem = Problem(doubt.reason, doubt.sentence, tuple(offered), guessed=True)
    units = {unit for order in offered if (unit := getattr(order, "unit", None)) is not None}
    about = units.pop() if len(units) == 1 else None
    reading = Reading(line.number, line.text, None, power, problem=problem, about=about)
    return Read(line.number, power, position.phase, position, reading)


def _orders_of(readings: Sequence[Reading]) -> list[Order]:
    return [reading.order for reading in readings if reading.understood and reading.order is not None]


def _special(game: Game, power: str, line: OrderLine, position: Position) -> list[Read] | None:
    """The readings of a line with a condition or a list of retreats in it; None for any other."""
    if mentions_condition(line.text):
        return under_condition(game, power, line, position)
    return _list(game, power, line, position)


def _list(game: Game, power: str, line: OrderLine, position: Position) -> list[Read] | None:
    """Retreats in order of liking: "A Bur - Gas, Par, or disband"."""
    parts = split_list(line.text, position, power)
    if parts is None:
        return None
    readings = [read for part in parts for read in read_line(part, position, power, options=options_of(game, power))]
    bad = next((reading for reading in readings if reading.problem is not None or reading.order is None), None)
    if bad is not None:
        return [Read(line.number, power, position.phase, position, bad._replace(text=line.text, order=None))]
    orders = [reading.order for reading in readings if reading.order is not None]
    open_ones = [order for order in orders if legality(order, position, game.rules) is None] or orders[:1]
    closed = [_closed(game, order, position) for order in orders if order not in open_ones]
    first = readings[0]._replace(text=line.text, order=open_ones[0], corrected="; ".join(closed))
    ranked = Ranked(tuple(each for each in open_ones if isinstance(each, (Retreat, Disband))))
    return [Read(line.number, power, position.phase, position, first, ranked if len(ranked.orders) > 1 else None)]


def _closed(game: Game, order: Order, position: Position) -> str:
    """What is said of a retreat of a list that cannot be made: "not to Munich, the space is occupied"."""
    wrong = legality(order, position, game.rules)
    if wrong is None or not isinstance(order, Retreat):
        return ""
    why = meaning(order, wrong.reason, position.board, position.phase.season)
    return f"not to {position.board.place_name(order.to)}: {why}"


def without_contradictions(game: Game, found: Sequence[Read], is_legal: Callable[[Read, Order], bool]) -> list[Read]:
    """The last legal order for a unit counts; in a no-mistakes game two different ones are asked back."""
    reads = list(found)
    for phase in {read.phase for read in found}:
        places = [
            n for n, read in enumerate(found) if read.phase == phase and read.order is not None and not read.filed
        ]
        if not places:
            continue
        legal = partial(is_legal, found[places[0]])
        position = found[places[0]].position
        plain = settled(
            [found[number].reading for number in places],
            game.board,
            legal,
            options=options_of(game, found[places[0]].power),
            room=lambda build: game.rules.room(position, province_of(build.at)),  # noqa: B023
        )
        for number, reading in zip(places, plain, strict=True):
            if reading is not found[number].reading:
                reads[number] = found[number]._replace(reading=reading)
    return reads
