"""Crowded positions of the European Variant, where its own rules bite."""

from __future__ import annotations

from random import Random

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board
from judge.rules import Rules
from tests.support.positions_1976 import MOST_MOVES, Crowd, around, compare, orders_for, pieces_in
from tests.support.rulebook_1976 import Back, Go, Order, Piece
from tests.support.rulebook_european import RulebookEuropean
from tests.support.rulebook_winter import retreated

MIDDLES = (
    *("SWI", "TYR", "TYR", "MIL", "NCO", "NCO", "NWG", "NWY", "LAP", "PER", "PER", "KUR"),
    *("DEN", "KIE", "ARK", "CON", "AND", "BUL", "STP"),
)
"""Provinces with a rule of their own, and such beside them."""


def melee(random: Random, board: Board, phase: str = "") -> Crowd:
    """Five to eleven units of up to three powers around one of the odd places, most of them ordered at each other."""
    phase = phase or random.choice(("S1892M", "F1892M", "F1892M"))
    while True:
        places = around(random, board, random.choice(MIDDLES), random.randint(5, 11))
        if "PER" in places and random.random() < 0.8:
            places = [place for place in places if place != "PER"] + ["MOS"] * ("MOS" not in places)
        if "NCO" in places and "NWG" not in places:
            places.append("NWG")
        powers = random.sample(sorted(board.powers), random.choice((2, 3, 3, 4)))
        pieces = [_remembered(random, board, piece, phase) for piece in pieces_in(random, board, places, powers)]
        crowd = Crowd(pieces, _orders(random, board, pieces), phase)
        if crowd.moves <= MOST_MOVES:
            return crowd


def _orders(random: Random, board: Board, pieces: list[Piece]) -> dict[int, Order]:
    orders = orders_for(random, board, pieces)
    for piece in pieces:
        orders |= _own_rules(random, board, piece, orders)
    return orders


def _own_rules(random: Random, board: Board, piece: Piece, orders: dict[int, Order]) -> dict[int, Order]:
    """Orders to which a rule of this variant has something to say: on the railway, over the ridge, from the sea."""
    if piece.kind == "A" and piece.place in ("MOS", "OMS") and random.random() < 0.5:
        return {piece.id: Go("OMS" if piece.place == "MOS" else "MOS", rail=True)}
    if piece.kind == "A" and piece.place == "TYR" and random.random() < 0.5:
        return {piece.id: Go(random.choice(("MUN", "MIL", "VEN")))}
    if piece.place == "NWG" and random.random() < 0.5:
        steps = {to[:3] for to in board.reach("F", "NWG")}
        help_them: list[Order] = [
            Back(n, order.to[:3])
            for n, order in orders.items()
            if isinstance(order, Go) and order.to[:3] in steps and n != piece.id
        ]
        return {piece.id: random.choice(help_them)} if help_them else {}
    return {}


def _remembered(random: Random, board: Board, piece: Piece, phase: str) -> Piece:
    """Most armies in Tyrolia and on the Norse Coast have come from somewhere, this Spring or at another time."""
    if piece.kind != "A" or piece.place not in ("TYR", "NCO", "MUN") or random.random() < 0.15:
        return piece
    whence = random.choice(("MUN", "MIL", "VEN") if piece.place == "TYR" else board.reach("A", piece.at))
    when = random.choice((["S1892M", "S1892M", "S1892R"] if phase[0] == "F" else []) + ["F1891M", "S1891M", "F1891R"])
    return Piece(piece.id, piece.power, piece.kind, piece.at, whence, when)


def compare_year(random: Random, board: Board, rules: Rules) -> list[str]:
    """A Spring, its retreats and the Fall, each with what the one before has left: what is remembered of armies."""
    crowd = melee(random, board, "S1892M")
    verdict = RulebookEuropean(board, crowd.pieces, crowd.orders, crowd.phase).verdict()
    if verdict is None:
        return []
    answer = adjudicate_object(crowd.line, board, rules)
    pieces = [
        _having_come(piece, verdict.after[piece.id], "S1892M") for piece in crowd.pieces if piece.id in verdict.after
    ]
    if verdict.dislodged:
        away = {n: random.choice(may) for n, may in verdict.dislodged.items() if may}
        line = {**answer, "phase": "S1892R", "orders": {}}
        for piece in crowd.pieces:
            if piece.id in away:
                line["orders"].setdefault(piece.power, []).append(f"{piece} R {away[piece.id]}")
        answer = adjudicate_object(line, board, rules)
        arrived = retreated(verdict.dislodged, away)
        pieces += [_having_come(piece, arrived[piece.id], "S1892R") for piece in crowd.pieces if piece.id in arrived]
    fall = Crowd(pieces, _orders(random, board, pieces), "F1892M")
    if fall.moves > MOST_MOVES:
        return []
    book = RulebookEuropean(board, pieces, fall.orders, fall.phase)
    verdict = book.verdict()
    line = {**fall.line, "marks": answer.get("marks", {})}
    return compare(board, rules, fall, book, verdict, line) if verdict else []


def _having_come(piece: Piece, to: str, phase: str) -> Piece:
    if to == piece.at:
        return piece
    return Piece(piece.id, piece.power, piece.kind, to, piece.place, phase)
