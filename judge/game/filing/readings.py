"""What the lines of a mail say: read together, for this phase and, where a line does not fit, for a later one.

Read together, because "all others hold", headings and orders broken over two lines mean what their neighbours make
of them. Besides plain orders a line may hold a condition (`judge.game.instructions.conditions`) or a list of retreats
in order of liking (`judge.game.instructions.retreating`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from judge.adjudicate.legality import legality
from judge.board.model import Board, province_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.game.core.commands import Doubt, OrderLine
from judge.game.core.model import Game
from judge.game.filing.blocks import BlockPart, gathered, is_block, line_number, read_parts
from judge.game.filing.offers import MOST_LINES, possible_only
from judge.game.instructions.conditions import CLAUSE, Ways, mentions_condition, read_branches, too_early
from judge.game.instructions.factual import Trouble
from judge.game.instructions.kinds import Branch, Conditional, Instruction, Ranked, first_order
from judge.game.instructions.retreating import split_list
from judge.orders.filing import settled
from judge.orders.model import Build, Disband, Hold, Misorder, Order, Retreat, Waive, power_of
from judge.orders.problems import with_guesses
from judge.orders.reader import looks_like_order, read_line, read_orders
from judge.orders.reading import CHATTER, Problem, Reading, ReadOptions

_OF_ANOTHER_PHASE = frozenset(("wrong-phase", "not-dislodged", "unfinished", CHATTER))
"""How the reader of one phase answers a line that may be meant for another one of the turn."""


class Read(NamedTuple):
    """One reading: whose, for which phase, in which position. `line` is the number of its line in the mail.

    `filed`: what goes on file where that is more than the order itself (a condition, a list). `order` is then one of
    its orders and says what it is for.
    """

    line: int
    power: str
    phase: Phase
    position: Position
    reading: Reading
    filed: Ranked | Conditional | None = None

    @property
    def order(self) -> Order | None:
        order = self.reading.order
        return order if self.reading.problem is None or isinstance(order, Misorder) else None

    @property
    def unit(self) -> int | None:
        """Identity of the unit that it is for, or that a refused one speaks of as far as that is known."""
        return None if self.reading.unit is None else self.reading.unit.id

    @property
    def instruction(self) -> Instruction:
        """What goes on file. Raises ValueError for a line that is no order."""
        instruction = self.filed or self.reading.order
        if instruction is None:
            raise ValueError(f"{self.reading.text!r} is no order")
        return instruction


def options_of(game: Game, power: str) -> ReadOptions:
    """How strictly this game wants its orders, read for one power of a player."""
    settings, seat = game.settings, game.seat_of(power)
    return ReadOptions(
        spelled_names=settings.spelled_names,
        demand_nationality=settings.nationality,
        permissive=not settings.no_mistakes,
        no_mistakes=settings.no_mistakes,
        refuse_blanket=not settings.blanket,
        words=game.rules.words(),
        others=frozenset(seat.powers) - {power} if seat is not None else frozenset(),
    )


def read_mail(game: Game, power: str, lines: Sequence[OrderLine], position: Position) -> list[list[Read]]:
    """For each line its readings for one power in the phase of a position."""
    found: list[list[Read]] = [[] for _ in lines]
    plain: list[str] = []
    for index, line in enumerate(lines):
        if line.doubt is not None:
            special: list[Read] | None = [_doubted(game, power, line, line.doubt, position)]
        elif is_block(line.text):
            above = [read for some in found[:index] for read in some]
            above += [Read(0, power, position.phase, position, r) for r in _plainly(game, power, plain, position)]
            special = _under_block(game, power, line, position, above)
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


def is_faulty(read: Read) -> bool:
    """Whether a reading is no order in its phase."""
    return read.reading.problem is not None


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


def _doubted(game: Game, power: str, line: OrderLine, doubt: Doubt, position: Position) -> Read:
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
        return _under_condition(game, power, line, position)
    return _list(game, power, line, position)


def _under_condition(game: Game, power: str, line: OrderLine, position: Position) -> list[Read]:
    board = position.board
    branches = read_branches(line.text, board, power, lambda text: looks_like_order(text, board))
    if branches is None:
        readings = read_line(line.text, position, power, options=options_of(game, power))
        return [Read(line.number, power, position.phase, position, reading) for reading in readings]
    if isinstance(branches, Trouble):
        return [_refused(line, power, position, branches)]
    return [_conditional(game, power, line, position, branches)]


def _plainly(game: Game, power: str, lines: Sequence[str], position: Position) -> tuple[Reading, ...]:
    return read_orders("\n".join(lines), position, power, options=options_of(game, power))


def _under_block(game: Game, power: str, line: OrderLine, position: Position, above: Sequence[Read]) -> list[Read]:
    """A condition over several lines: one conditional order for each unit, or for each build, that it speaks of."""
    board = position.board
    parts = read_parts(line.text, board, power, lambda text: looks_like_order(text, board))
    if isinstance(parts, Trouble):
        return [_refused(OrderLine(line.number, line.text.partition("\n")[0]), power, position, parts)]
    said: list[dict[str, tuple[Order, int]]] = []
    for part in parts:
        orders = _by_unit(game, power, line, position, part.orders)
        if isinstance(orders, Read):
            return [orders]
        said.append(orders)
    before = {_whose(read.order, 0): read.order for read in above if read.order is not None and not read.filed}
    reads = []
    for key in dict.fromkeys(key for orders in said for key in orders):
        branches = _branches(key, parts, said, before.get(key), position.phase)
        number = next(orders[key][1] for orders in said if key in orders)
        reads.append(_from_block(number, power, position, branches))
    return reads


def _from_block(number: int, power: str, position: Position, branches: tuple[Branch, ...]) -> Read:
    """What one unit, or one build, is to do by a block."""
    filed = Conditional(branches)
    line = OrderLine(number, str(filed))
    if (trouble := too_early([branch.condition for branch in branches], position.phase)) is not None:
        return _refused(line, power, position, trouble)
    order = first_order(filed)
    reading = Reading(number, line.text, order, power, str(order), ())
    return Read(number, power, position.phase, position, reading, filed)


def _by_unit(
    game: Game, power: str, line: OrderLine, position: Position, texts: Sequence[str]
) -> dict[str, tuple[Order, int]] | Read:
    """Unit, or number of the build -> its order in one part of a block, with the number of its line; the first that
    is no order, as refused. What is an order of another power of the same player is that one's.
    """
    found: dict[str, tuple[Order, int]] = {}
    others = options_of(game, power).others
    for text in texts:
        number = line_number(line, text)
        readings = read_line(text, position, power, options=options_of(game, power))
        if others and not _all_fine(readings):
            theirs = (read_line(text, position, other, options=options_of(game, other)) for other in others)
            if any(map(_all_fine, theirs)):
                continue
        if any(position.board.home_of.get(reading.site) in others for reading in readings):
            continue
        for reading in readings:
            if reading.problem is not None or reading.order is None or isinstance(reading.order, Misorder):
                return _broken(Read(number, power, position.phase, position, reading._replace(text=text, order=None)))
            found[_whose(reading.order, len(found))] = reading.order, number
    return found


def _all_fine(readings: Sequence[Reading]) -> bool:
    return all(reading.problem is None and reading.order is not None for reading in readings)


def _broken(read: Read) -> Read:
    """An order that keeps its whole condition from being taken. It offers no lines: they would stand without it."""
    problem = read.reading.problem or Problem("condition-unclear", "This is no order for one unit.", (), CLAUSE)
    asked = with_guesses(problem, read.position.board)
    sentence = f"{asked} Nothing of the condition was taken; please write all of it anew."
    return read._replace(reading=read.reading._replace(problem=replace(problem, sentence=sentence, candidates=())))


def _whose(order: Order | None, number: int) -> str:
    """What tells the orders of a block apart: the unit; builds go by their place in the list."""
    unit = getattr(order, "unit", None)
    return f"unit {unit.id}" if unit is not None else f"build {number}"


def _branches(
    key: str,
    parts: Sequence[BlockPart],
    said: Sequence[Mapping[str, tuple[Order, int]]],
    before: Order | None,
    phase: Phase,
) -> tuple[Branch, ...]:
    """One unit's way through a block. Where its part is silent it does what was written above, else nothing."""
    order, _ = next(orders[key] for orders in said if key in orders)
    nothing = before or _nothing(order, phase)
    last = max(number for number, orders in enumerate(said) if key in orders)
    branches = [
        Branch(part.condition, orders[key][0] if key in orders else nothing)
        for number, (part, orders) in enumerate(zip(parts, said, strict=True))
        if number <= last or before
    ]
    if before and branches[-1].condition is not None:
        branches.append(Branch(None, before))
    return tuple(branches)


def _nothing(order: Order, phase: Phase) -> Order:
    """What becomes of whatever an order is for if there is none."""
    if isinstance(order, (Build, Waive)) or phase.kind is PhaseKind.ADJUSTMENTS:
        return Waive(power_of(order))
    return Hold(order.unit) if phase.kind is PhaseKind.MOVES else Disband(order.unit)


def _refused(line: OrderLine, power: str, position: Position, trouble: Trouble) -> Read:
    problem = Problem(trouble.slug, trouble.sentence, (), CLAUSE)
    return Read(
        line.number, power, position.phase, position, Reading(line.number, line.text, None, power, "", (), problem)
    )


def _conditional(game: Game, power: str, line: OrderLine, position: Position, ways: Ways) -> Read:
    """All branches in canonical form, or what is wrong with one of them."""
    if (trouble := too_early([way.condition for way in ways], position.phase)) is not None:
        return _refused(line, power, position, trouble)
    ordered: list[Branch] = []
    first: Reading | None = None
    for way in ways:
        readings = read_line(way.order, position, power, options=options_of(game, power))
        if len(readings) != 1:
            return _refused(line, power, position, Trouble("condition-unclear", f'"{way.order}" is not one order.'))
        reading = readings[0]
        if reading.problem is not None or reading.order is None or isinstance(reading.order, Misorder):
            whole = reading._replace(text=line.text, order=None)
            return _broken(Read(line.number, power, position.phase, position, whole))
        first = first or reading._replace(text=line.text)
        ordered.append(Branch(way.condition, reading.order))
    assert first is not None
    return Read(line.number, power, position.phase, position, first, Conditional(tuple(ordered)))


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
    first = readings[0]._replace(text=line.text, order=open_ones[0])
    ranked = Ranked(tuple(each for each in open_ones if isinstance(each, (Retreat, Disband))))
    return [Read(line.number, power, position.phase, position, first, ranked if len(ranked.orders) > 1 else None)]


def without_contradictions(game: Game, found: Sequence[Read], is_legal: Callable[[Read, Order], bool]) -> list[Read]:
    """Ruling 7: the last legal order for a unit counts; in a no-mistakes game two different ones are asked back."""
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
