"""Reads orders as people write them: "A Liv.-Yor. F Stands", "Army Paris moves to Burgundy.", pasted results.

Every line with one meaning is understood, every line with two is asked back, every other is answered with its reason
(1976 rules VII.4). A line that fails does not affect the others. `read_orders` reads a text, `read_line` one
line of it; both answer with readings and never raise on any text.

>>> from pathlib import Path
>>> from judge.board.load import load_board
>>> from judge.board.position import start_position
>>> start = start_position(load_board(Path("maps/standard")))
>>> [str(reading.order) for reading in read_orders("A Par.-Bur. F Bre - Mid", start, "FRANCE")]
['A PAR - BUR', 'F BRE - MAO']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import judge.orders.family  # noqa: F401  its kinds join
from judge.board.model import Board
from judge.board.names import Gazetteer, gazetteer_of
from judge.board.phase import ADJUSTMENTS, RETREATS
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders import problems
from judge.orders.canonical import Canonical, read_canonical
from judge.orders.kept import SIGNS, speaks_of_others, units_idle
from judge.orders.kinds import NUMBERS, family, kinds_on
from judge.orders.lexer import lexicon_of, lexicon_on, with_words
from judge.orders.model import Build, Disband, Hold, Order, Waive, power_of
from judge.orders.numbers import with_any_unit
from judge.orders.piece import read_piece
from judge.orders.prose import is_of_things, is_orderly, named_abroad
from judge.orders.reading import EXPANDED, KEPT, TOLERANT, Reading, ReadOptions
from judge.orders.scene import Patience, Scene, ground_of
from judge.orders.verdicts import ALL_KEEP, Blanket, Piece, is_fine
from judge.orders.words import fold, strip_marks, tokens_of, unstruck

_GOES_ON = frozenset("-SCHVRD")
"""How the second half of an order begins: "to Burgundy", "supports ...", "holds"."""

_OPEN = frozenset("-SCVYRBUN")
"""How the first half of an order ends."""

_OWN_ORDER = frozenset("U-SCHRDBWY?")
"""What makes a line an order of its own, right or wrong; the rest of a name has none of it."""

_CONTINUED = 20
"""A pasted line indented this far goes on with the outcome column of the line above."""


def read_line(
    text: str,
    position: Position,
    power: str | None,
    *,
    gazetteer: Gazetteer | None = None,
    options: ReadOptions = TOLERANT,
) -> tuple[Reading, ...]:
    """The readings of one line: none for an empty line, a heading or a comment, several for several orders.

    `power`: whose orders these are; None: anybody's, as the units, headings and nationalities say.
    A line that is no order at all has the problem "not-an-order".
    """
    scene = _scene(position, power, options, gazetteer)
    order = read_canonical(text, scene)
    if order is not None:
        return (Reading(1, text, order, power_of(order)),)
    return tuple(_expanded(read_piece(text, 1, scene), scene))


def read_orders(
    text: str,
    position: Position,
    power: str | None,
    *,
    gazetteer: Gazetteer | None = None,
    options: ReadOptions = TOLERANT,
) -> tuple[Reading, ...]:
    """The readings of a text of many lines, in the order written; headings such as "FRANCE:" hold until the next.

    Where it is known whose the text is, a name before an order is for its own line only.
    """
    scene = replace(_scene(position, power, options, gazetteer), patience=Patience())
    heading = scene
    pieces: list[Piece | Blanket] = []
    above, before = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        order = None if heading.away else read_canonical(line, heading)
        if order is not None:
            before = len(pieces)
            pieces.append(Piece(Reading(number, line, order, power_of(order)), getattr(order, "unit", None)))
            above = line
            continue
        if "  " in above.strip() and len(line) - len(line.lstrip()) >= _CONTINUED:
            continue
        found = read_piece(line, number, heading)
        if above and (whole := _wrapped(above, line, found, pieces[before:], number - 1, heading)):
            pieces[before:] = whole
            above = f"{above} {line}"
            continue
        if power is None or all(isinstance(piece, Piece) and piece.heading for piece in found):
            for piece in found:
                if isinstance(piece, Piece) and piece.heading:
                    heading = heading.under(piece.heading)
        before = len(pieces)
        pieces += found
        above = line
    return tuple(_expanded(pieces, scene))


def canonical_readers(
    position: Position, options: ReadOptions = TOLERANT
) -> Callable[[str | None], Callable[[str], Order | None]]:
    """The fast way for many single lines: power (None: anybody) -> what `read_orders` would make of a canonical line of
    its, else None.
    """
    scene = _scene(position, None, options)
    return lambda power: Canonical(Scene(scene.ground, power, scene.options, scene.lexicon)).read


def _scene(position: Position, power: str | None, options: ReadOptions, gazetteer: Gazetteer | None = None) -> Scene:
    """Where nobody says which kinds of order are read, they are those that the board's own rules know."""
    board = position.board
    if options.kinds is None and (kinds := kinds_on(board)) is not family():
        options = replace(options, kinds=kinds)
    known = options.known
    lexicon = lexicon_on(board, known) if gazetteer is None else lexicon_of(gazetteer, known)
    return Scene(ground_of(position), power, options, lexicon)


def looks_like_order(text: str, board: Board) -> bool:
    """Whether a line is meant as an order, be it a failed one; chatter such as "Thanks, all" is not.

    Needs no position: it tells a mail's chatter from orders before a game is known. A line for a power that is not
    played is one if it were without the name.
    """
    if board.not_played:
        text = gazetteer_of(board).without_not_played(text)
    kinds = kinds_on(board)
    if any(looks(text) for looks in kinds.looks):
        return True
    lexicon = lexicon_on(board, kinds)
    line = unstruck(strip_marks(with_any_unit(text, board, lexicon) if board.facts.get(NUMBERS) else text))
    folded = fold(line)
    tokens = tokens_of(folded)
    lexed = lexicon.lex(tokens)
    return (
        (is_orderly(lexed) and not is_of_things(line, tokens, lexed))
        or (lexed.shape[:2] == "?U" and (meant := with_words(lexed)) is not None and is_orderly(meant))
        or bool(named_abroad(line))
        or (not SIGNS.isdisjoint(tokens) and speaks_of_others(folded))
        or (lexed.shape[:2] == "UP" and bool(units_idle(folded)))
    )


def canonical(order: Order) -> str:
    """The canonical line of an order; read again it gives the order back.

    The sea route that a player listed is no part of it, nor is what they wrote for a `Misorder`.
    """
    return str(order)


def _wrapped(
    above: str, line: str, found: list[Piece | Blanket], last: list[Piece | Blanket], number: int, scene: Scene
) -> list[Piece | Blanket]:
    """The line above and this one as one, where a mail program broke an order in two; else nothing."""
    if not found or all(map(is_fine, found)) or scene.patience.left <= 0:
        return []
    shape = _shape_of(line, scene)
    if shape[:1] not in _GOES_ON and (all(map(is_fine, last)) or not _is_broken_off(_shape_of(above, scene), shape)):
        return []
    whole = read_piece(f"{above} {line.strip()}", number, scene)
    return whole if len(whole) >= len(last) and all(map(is_fine, whole)) and not _noted(whole) else []


def _shape_of(line: str, scene: Scene) -> str:
    return scene.lexicon.lex(tokens_of(fold(strip_marks(line)))).shape


def _is_broken_off(above: str, shape: str) -> bool:
    """Whether a line ends in the middle of an order, or the next one is no more than the rest of a name."""
    return above[-1:] in _OPEN or not set(shape) & _OWN_ORDER


def _noted(pieces: list[Piece | Blanket]) -> bool:
    """Whether words had to be ignored or corrected: then the lines are better read apart."""
    readings = [piece.reading for piece in pieces if isinstance(piece, Piece) and piece.reading]
    return any(reading.corrected or "words-ignored" in reading.notes for reading in readings)


def _expanded(pieces: list[Piece | Blanket], scene: Scene) -> Iterator[Reading]:
    """Blanket orders as one reading for each unit that no other line names."""
    named = {piece.unit for piece in pieces if isinstance(piece, Piece)} if len(pieces) > 1 else set()
    for piece in pieces:
        if isinstance(piece, Piece):
            if piece.reading is not None:
                yield piece.reading
        elif piece.form == "all-waive":
            yield from _waived(piece, pieces, scene)
        elif scene.options.refuse_blanket and piece.form != ALL_KEEP:
            yield Reading(piece.line, piece.text, None, scene.power, problem=problems.no_blanket())
        else:
            yield from _of_each(piece, (unit for unit in _orderable(scene, piece.power) if unit not in named), scene)


def _waived(blanket: Blanket, pieces: list[Piece | Blanket], scene: Scene) -> list[Reading]:
    """A waived build for each build that is left and that no other line uses; at least one, so that it is answered."""
    power = blanket.power or ""
    position = scene.ground.position
    orders = [piece.reading.order for piece in pieces if isinstance(piece, Piece) and piece.reading]
    used = sum(isinstance(order, (Build, Waive)) and order.power == power for order in orders)
    left = len(position.centres(power)) - len(position.of(power)) - used
    return [Reading(blanket.line, blanket.text, Waive(power), power, notes=(EXPANDED,))] * max(1, left)


def _orderable(scene: Scene, power: str | None) -> Iterable[Unit]:
    return (unit for units in scene.ground.at.values() for unit in units if power in (None, unit.power))


def _of_each(blanket: Blanket, units: Iterable[Unit], scene: Scene) -> Iterator[Reading]:
    reading = Reading(blanket.line, blanket.text, None, blanket.power, notes=(EXPANDED,))
    if blanket.form == ALL_KEEP and scene.kind is ADJUSTMENTS:
        yield reading._replace(notes=(EXPANDED, KEPT))  # builds are of no unit, and what a mail does not name stays
        return
    for unit in units:
        if blanket.kind in ("", unit.kind):
            yield _of_one(reading._replace(power=unit.power, about=unit), blanket.form, unit, scene)


def _of_one(reading: Reading, form: str, unit: Unit, scene: Scene) -> Reading:
    if form != ALL_KEEP:
        return reading._replace(order=Hold(unit) if form == "all-hold" else Disband(unit))
    if scene.kind is RETREATS:
        return reading._replace(problem=problems.nothing_to_keep(unit, scene.board), notes=(EXPANDED, KEPT))
    return reading._replace(order=Hold(unit), notes=(EXPANDED, KEPT))
