"""Conditions over several lines, as other judges take them: IF, orders, ELSE, orders, ENDIF.

    IF France A Burgundy
    A Mun H
    ELSE
    A Mun - Bur
    A Ruh S A Mun - Bur
    ENDIF

A block is taken whole or not at all: an order out of it must never go on file without its condition. It comes to one
conditional order for each unit (`game.instructions.conditions`); where a branch says nothing of a unit that another
one orders, the unit has what was written for it above the block, else nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.board.model import Board
from judge.game.core.commands import OrderLine
from judge.game.instructions.conditions import Condition, read_condition, read_head
from judge.game.instructions.factual import Trouble

_IF = re.compile(r"\s*if\b[\s:,]*(.*)", re.IGNORECASE)
_ELSE_IF = re.compile(r"\s*(?:else\s*,?\s*if|elseif|elsif|elif|otherwise,?\s+if)\b[\s:,]*(.*)", re.IGNORECASE)
_ELSE = re.compile(r"\s*(?:else|otherwise)\b[\s:,]*(.*)", re.IGNORECASE)
_END = re.compile(r"\s*(?:end\s*-?\s*if|fi)\b[\s.;!]*", re.IGNORECASE)
LONGEST = 60
"""Lines of a block."""

SHAPE = "IF condition, orders, ELSE, orders, ENDIF, each on a line of its own"


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
            return Trouble("condition-unclear", f"Something follows the ELSE of the condition. Write it so: {SHAPE}.")
        if match:
            head = read_head(match[1], board, power, is_order)
            if isinstance(head, Trouble):
                return head
            parts.append((head[0], [head[1]] if head[1] else []))
        elif other := _ELSE.fullmatch(line):
            parts.append((None, [other[1]] if other[1] else []))
        elif _IF.match(line):
            return Trouble("condition-unclear", "One condition is inside another. Write ELSE IF, or two blocks.")
        elif not is_order(line):
            return Trouble("condition-unclear", f'"{line[:60]}" is inside a condition and is not an order.')
        else:
            parts[-1][1].append(line)
            below = True
    if not closed and (below or not all(orders for _, orders in parts)):
        return Trouble("condition-unclear", f"The condition has no ENDIF, so I took none of it. Write it so: {SHAPE}.")
    if not any(orders for _, orders in parts):
        return Trouble("condition-unclear", f"There is no order in the condition. Write it so: {SHAPE}.")
    return tuple(BlockPart(condition, tuple(orders)) for condition, orders in parts)
