"""Lines with a condition, alone or over several lines: one conditional order for each unit that they speak of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.board.model import Board, province_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.game.core.commands import OrderLine
from judge.game.core.model import Game, Running
from judge.game.filing.read import Read, options_of
from judge.game.instructions.conditions import (
    CLAUSE,
    Condition,
    Ways,
    read_branches,
    read_condition,
    read_head,
    too_early,
)
from judge.game.instructions.facts import Topic, Trouble
from judge.game.instructions.kinds import Branch, Conditional, first_order
from judge.languages import tell, told_later
from judge.orders.model import Build, Disband, Hold, Misorder, Order, Waive, power_of
from judge.orders.problems import with_guesses
from judge.orders.reader import looks_like_order, read_line
from judge.orders.reading import Problem, Reading

_IF = re.compile(r"\s*if\b[\s:,]*(.*)", re.IGNORECASE)
_ELSE_IF = re.compile(r"\s*(?:else\s*,?\s*if|elseif|elsif|elif|otherwise,?\s+if)\b[\s:,]*(.*)", re.IGNORECASE)
_ELSE = re.compile(r"\s*(?:else|otherwise)\b[\s:,]*(.*)", re.IGNORECASE)
_END = re.compile(r"\s*(?:end\s*-?\s*if|fi)\b[\s.;!]*", re.IGNORECASE)
LONGEST = 60
"""Lines of a block."""

SHAPE = told_later("IF condition, orders, ELSE, orders, ENDIF, each on a line of its own")


@dataclass(frozen=True, slots=True)
class BlockPart:
    """One way to go: under a condition, or (the last one) without; its orders as written."""

    condition: Condition | None
    orders: tuple[str, ...]


def block_end(texts: Sequence[str], start: int) -> int | None:
    """Where the block that begins at `start` ends: the index behind its ENDIF; None if none begins there.

    >>> block_end(["IF Bel", "A Par H", "ENDIF", "F Bre H"], 0)
    3
    """
    if start >= len(texts) or _IF.fullmatch(texts[start]) is None:
        return None
    for at in range(start + 1, min(start + LONGEST, len(texts))):
        if _END.fullmatch(texts[at]):
            return at + 1
    return None


def bare_condition(text: str, board: Board) -> bool:
    """Whether a line is IF and a clear condition, and orders should follow it."""
    match = _IF.fullmatch(text)
    if match is None or len(text) > 400:
        return False
    words = re.sub(r"[\s,:]*\bthen\b[\s:]*$", "", match[1], flags=re.IGNORECASE)
    return bool(words.strip()) and isinstance(read_condition(words, board, ""), Condition)


def gathered(lines: Sequence[OrderLine], board: Board) -> tuple[OrderLine, ...]:
    """The lines, those of a block joined into one that has the number of its first.

    A condition without ENDIF takes everything below with it, to be refused: nobody can tell what belongs to it.
    """
    texts = [line.text for line in lines]
    if not any(map(_IF.match, texts)):
        return tuple(lines)
    found: list[OrderLine] = []
    at = 0
    while at < len(lines):
        end = block_end(texts, at)
        if end is None and bare_condition(texts[at], board):
            end = len(lines)
        end = end or _short_forms(texts, at)
        some = lines[at:end]
        joined = OrderLine(some[0].number, "\n".join(line.text for line in some), tuple(x.number for x in some[1:]))
        found.append(joined if len(some) > 1 else some[0])
        at = end
    return tuple(found)


def _short_forms(texts: Sequence[str], at: int) -> int:
    """ "if X then ORDER", and on the lines below it "else ORDER": the index behind them."""
    end = at + 1
    if _IF.fullmatch(texts[at]) is None:
        return end
    while end < len(texts) and (match := _ELSE.fullmatch(texts[end])) and match[1]:
        end += 1
    return end


def numbers_of(line: OrderLine) -> tuple[int, ...]:
    """The numbers of the lines that were joined."""
    return line.number, *line.more


def line_number(line: OrderLine, text: str) -> int:
    """The number of the joined line that is, or ends in, this text."""
    pairs = zip(numbers_of(line), line.text.split("\n"), strict=False)
    return next((number for number, written in pairs if written.strip().endswith(text)), line.number)


def is_block(text: str) -> bool:
    """Whether a text is a block that `gathered` made."""
    return "\n" in text and _IF.fullmatch(text.partition("\n")[0]) is not None


def read_parts(text: str, board: Board, power: str, is_order: Callable[[str], bool]) -> tuple[BlockPart, ...] | Trouble:
    """The parts of a block, or why it cannot be used."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    closed = _END.fullmatch(lines[-1]) is not None
    below = False
    parts: list[tuple[Condition | None, list[str]]] = []
    for number, line in enumerate(lines[:-1] if closed else lines):
        match = _ELSE_IF.fullmatch(line) or (_IF.fullmatch(line) if number == 0 else None)
        if parts and parts[-1][0] is None and (match or _ELSE.fullmatch(line)):
            return Trouble(
                "condition-unclear",
                tell("Something follows the ELSE of the condition. Write it so: {shape}.", shape=SHAPE),
            )
        if match:
            head = read_head(match[1], board, power, is_order)
            if isinstance(head, Trouble):
                return head
            parts.append((head[0], [head[1]] if head[1] else []))
        elif other := _ELSE.fullmatch(line):
            parts.append((None, [other[1]] if other[1] else []))
        elif _IF.match(line):
            return Trouble("condition-unclear", tell("One condition is inside another. Write ELSE IF, or two blocks."))
        elif not is_order(line):
            return Trouble(
                "condition-unclear", tell('"{line}" is inside a condition and is not an order.', line=line[:60])
            )
        else:
            parts[-1][1].append(line)
            below = True
    if not closed and (below or not all(orders for _, orders in parts)):
        return Trouble(
            "condition-unclear",
            tell("The condition has no ENDIF, so I took none of it. Write it so: {shape}.", shape=SHAPE),
        )
    if not any(orders for _, orders in parts):
        return Trouble(
            "condition-unclear", tell("There is no order in the condition. Write it so: {shape}.", shape=SHAPE)
        )
    return tuple(BlockPart(condition, tuple(orders)) for condition, orders in parts)


def under_condition(game: Game, power: str, line: OrderLine, position: Position) -> list[Read]:
    """The readings of a line that mentions a condition; it may turn out to hold none."""
    board = position.board
    branches = read_branches(line.text, board, power, lambda text: looks_like_order(text, board))
    if branches is None:
        readings = read_line(line.text, position, power, options=options_of(game, power))
        return [Read(line.number, power, position.phase, position, reading) for reading in readings]
    if isinstance(branches, Trouble):
        return [_refused(line, power, position, branches)]
    return [_conditional(game, power, line, position, branches)]


def under_block(game: Game, power: str, line: OrderLine, position: Position, above: Sequence[Read]) -> list[Read]:
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
        reads.append(_from_block(game, number, power, position, branches))
    return reads


def _from_block(game: Game, number: int, power: str, position: Position, branches: tuple[Branch, ...]) -> Read:
    """What one unit, or one build, is to do by a block."""
    filed = Conditional(branches)
    line = OrderLine(number, str(filed))
    if (trouble := _unknowable(game, [branch.condition for branch in branches], position.phase)) is not None:
        return _refused(line, power, position, trouble)
    order = first_order(filed)
    reading = Reading(number, line.text, order, power, str(order), ())
    return Read(number, power, position.phase, position, reading, filed)


def _unknowable(game: Game, conditions: Sequence[Condition | None], phase: Phase) -> Trouble | None:
    """Why an order of a phase cannot depend on these conditions: nobody knows then, or no such unit retreats."""
    if (trouble := too_early(conditions, phase)) is not None:
        return trouble
    if not isinstance(game, Running) or game.position.phase.kind is PhaseKind.MOVES:
        return None
    lost = [(one.unit.power, one.unit.kind, province_of(one.unit.at)) for one in game.position.dislodged]
    known = [*lost, *((gone.power, gone.kind, gone.at) for gone in game.withdrawals)]
    for condition in filter(None, conditions):
        for _, fact in condition.terms:
            who = fact.subject
            if fact.topic not in (Topic.RETREATS, Topic.DISBANDS) or any(
                who.place == place and who.power in ("", power) and who.kind in ("", kind)
                for power, kind, place in known
            ):
                continue
            sentence = tell(
                "There is no {unit} in {place} that has to retreat, so nothing can depend on its retreat.",
                unit=fact.unit_words(game.board),
                place=game.board.spelled[who.place],
            )
            return Trouble("no-such-unit", sentence)
    return None


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
    problem = read.reading.problem or Problem(
        "condition-unclear", tell("This is not an order for one unit."), (), CLAUSE
    )
    asked = with_guesses(problem, read.position.board)
    sentence = tell("{asked} Nothing of the condition was taken; please write all of it again.", asked=asked)
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
    if (trouble := _unknowable(game, [way.condition for way in ways], position.phase)) is not None:
        return _refused(line, power, position, trouble)
    ordered: list[Branch] = []
    found: list[Reading] = []
    for way in ways:
        readings = read_line(way.order, position, power, options=options_of(game, power))
        if len(readings) != 1:
            return _refused(
                line,
                power,
                position,
                Trouble("condition-unclear", tell('"{order}" is not one order.', order=way.order)),
            )
        reading = readings[0]
        if reading.problem is not None or reading.order is None or isinstance(reading.order, Misorder):
            whole = reading._replace(text=line.text, order=None)
            return _broken(Read(line.number, power, position.phase, position, whole))
        found.append(reading)
        ordered.append(Branch(way.condition, reading.order))
    first = found[0]._replace(text=line.text)
    return Read(line.number, power, position.phase, position, first, Conditional(tuple(ordered)))
