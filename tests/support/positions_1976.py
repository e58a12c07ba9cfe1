"""Crowded positions with odd orders, for the boards on which armies walk, fleets sail and convoy; as the rulebook's
pieces and as a line of JSON; and what differs between the rulebook's verdict and the answer to that line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board, Terrain
from judge.rules import Rules
from tests.support.rulebook_1976 import Back, Carry, Go, Order, Piece, Rulebook1976, Verdict

MOST_MOVES = 9
"""Moves of one position: 512 guesses."""


@dataclass
class Crowd:
    """One position with its orders."""

    pieces: list[Piece]
    orders: dict[int, Order]
    phase: str

    @property
    def line(self) -> dict[str, Any]:
        line: dict[str, Any] = {"id": 1, "phase": self.phase, "units": {}, "orders": {}, "marks": {"units": {}}}
        for piece in self.pieces:
            line["units"].setdefault(piece.power, []).append(str(piece))
            if piece.came_from:
                line["marks"]["units"][str(piece)] = {"entered_from": piece.came_from, "entered": piece.came}
            if order := self.orders.get(piece.id):
                line["orders"].setdefault(piece.power, []).append(f"{piece} {self._words(order)}")
        return line

    @property
    def moves(self) -> int:
        return sum(isinstance(order, Go) for order in self.orders.values())

    def _words(self, order: Order) -> str:
        names = {piece.id: str(piece) for piece in self.pieces}
        match order:
            case Go(to, rail):
                return f"RR {to}" if rail else f"- {to}"
            case Back(of, into):
                return f"S {names[of]}" + (f" - {into}" if into else "")
            case Carry(of, to):
                return f"C {names[of]} - {to}"


def steps_of(board: Board, piece: Piece) -> tuple[str, ...]:
    return board.reach(piece.kind, piece.at)


def around(random: Random, board: Board, middle: str, size: int) -> list[str]:
    """A patch of neighbouring provinces that grows from one at random."""
    found = [middle]
    while len(found) < size:
        place = random.choice(found)
        steps = {to[:3] for kind in "AF" for at in board.standings(kind, place) for to in board.reach(kind, at)}
        found += [random.choice(sorted(steps - set(found)))] if steps - set(found) else []
    return found


def pieces_in(
    random: Random, board: Board, places: Sequence[str], powers: Sequence[str], *, kinds: str = "AAF"
) -> list[Piece]:
    """A unit in most of some provinces."""
    pieces: list[Piece] = []
    for place in places:
        if random.random() < 0.15:
            continue
        kind = random.choice([kind for kind in kinds if board.standings(kind, place)])
        pieces.append(Piece(len(pieces) + 1, random.choice(powers), kind, random.choice(board.standings(kind, place))))
    return pieces


def orders_for(
    random: Random, board: Board, pieces: list[Piece], given: Mapping[int, Order] | None = None
) -> dict[int, Order]:
    """Moves at each other, convoys, and then supports and convoys of what is ordered; some may be given."""
    orders = dict(given or {})
    for piece in pieces:
        if piece.id in orders:
            continue
        if order := _move(random, board, piece, pieces):
            orders[piece.id] = order
    for piece in pieces:
        if piece.id not in orders and (wishes := _help(random, board, piece, pieces, orders)):
            orders[piece.id] = random.choice(wishes)
    return orders


def _move(random: Random, board: Board, piece: Piece, pieces: list[Piece]) -> Order | None:
    dice = random.random()
    steps = steps_of(board, piece)
    foes = [to for to in steps if any(other.place == to[:3] and other.power != piece.power for other in pieces)]
    if dice < 0.5 and steps:
        return Go(random.choice(foes if foes and random.random() < 0.7 else list(steps)))
    if dice < 0.66 and piece.kind == "A" and (shores := _over_sea(board, piece, pieces)):
        return Go(random.choice(shores))
    return None


def _over_sea(board: Board, piece: Piece, pieces: list[Piece]) -> list[str]:
    """Coasts to which fleets that are there could take an army, if all of them were ordered to."""
    seas = {each.place for each in pieces if each.kind == "F" and board.provinces[each.place].terrain is Terrain.SEA}
    reached, todo = set(), {to[:3] for at in board.standings("F", piece.place) for to in board.reach("F", at)} & seas
    shores = set()
    while todo:
        sea = todo.pop()
        reached.add(sea)
        near = {to[:3] for to in board.reach("F", sea)}
        shores |= {place for place in near if board.can_stand("A", place)}
        todo |= near & seas - reached
    return sorted(shores - {piece.place})


def _help(random: Random, board: Board, piece: Piece, pieces: list[Piece], orders: Mapping[int, Order]) -> list[Order]:
    """Orders that fit those of others; now and then one that a unit cannot follow."""
    steps = {to[:3] for to in steps_of(board, piece)}
    wishes: list[Order] = []
    at_sea = piece.kind == "F" and board.provinces[piece.place].terrain is Terrain.SEA
    for other in pieces:
        order = orders.get(other.id)
        if other.id == piece.id:
            continue
        if isinstance(order, Go) and not order.rail:
            if order.to[:3] in steps or random.random() < 0.05:
                wishes += [Back(other.id, order.to[:3])] * 2
            if at_sea and other.kind == "A" and order.to not in steps_of(board, other):
                wishes += [Carry(other.id, order.to)] * 6
            elif at_sea and other.kind == "A" and random.random() < 0.2:
                wishes += [Carry(other.id, order.to)]
        elif other.place in steps:
            wishes += [Back(other.id)]
    return wishes


def compare(
    board: Board,
    rules: Rules,
    crowd: Crowd,
    book: Rulebook1976,
    verdict: Verdict,
    line: Mapping[str, Any] | None = None,
) -> list[str]:
    """What the rulebook and the answer to the line say differently; `line`: another line with the same position."""
    answer = adjudicate_object(line or crowd.line, board, rules)
    if "error" in answer:
        return [answer["error"]]
    found = [f"unread {each}" for each in answer["unread"]]
    for piece in crowd.pieces:
        n, order = piece.id, crowd.orders.get(piece.id)
        told = answer["outcomes"].get(str(piece))
        if told is None:
            found += [f"{piece} has no outcome"] if order else []
            continue
        result, words = told["result"], f"{told['order']}: {told['result']} {told['reason']}"
        if isinstance(order, Go) and (verdict.after.get(n) == order.to) != (result[0] == "ok"):
            found.append(f"{words}, by the book to {verdict.after.get(n)}")
        if isinstance(order, Back) and result[0] not in _of_support(book, verdict, n):
            found.append(f"{words}, by the book {_of_support(book, verdict, n)}")
        if (n in verdict.dislodged) != ("dislodged" in result):
            found.append(f"{words}, dislodged by the book {n in verdict.dislodged}")
        elif n in verdict.dislodged:
            options = answer["dislodged"].get(piece.power, {}).get(str(piece), [])
            if tuple(sorted(options)) != verdict.dislodged[n]:
                found.append(f"{piece} may retreat to {options}, by the book to {verdict.dislodged[n]}")
    book_says = sorted(f"{p.power} {p.kind} {verdict.after[p.id]}" for p in crowd.pieces if p.id in verdict.after)
    said = sorted(f"{power} {unit}" for power, units in answer["units"].items() for unit in units)
    if book_says != said:
        found.append(f"after: {set(said) - set(book_says)}, by the book {set(book_says) - set(said)}")
    return found


def _of_support(book: Rulebook1976, verdict: Verdict, n: int) -> set[str]:
    """What may be said of a support. One that was good but for what it supports, which has no way, may be called that
    or its own fate.
    """
    if n not in book.supports:
        return {"void", "illegal"}
    own = {"cut" if n in verdict.cut else "ok"}
    return own if book.has_way_or_stands(verdict, n) else own | {"void", "illegal"}


def at_sea(random: Random, board: Board) -> Crowd:
    """Fleets at sea, armies on the coasts around, one or two of them carried; and who attack and support there."""
    seas = sorted(code for code, province in board.provinces.items() if province.terrain is Terrain.SEA)
    while True:
        places = around(random, board, random.choice(seas), random.randint(7, 12))
        powers = random.sample(sorted(board.powers), random.choice((2, 3)))
        pieces = pieces_in(random, board, places, powers, kinds="AF")
        orders = _carried(random, board, pieces)
        if not orders:
            continue
        orders = orders_for(random, board, pieces, orders)
        for _ in range(2):
            _bite_back(random, board, pieces, orders)
        crowd = Crowd(pieces, orders, "S1901M")
        if crowd.moves <= MOST_MOVES:
            return crowd


def at_coasts(random: Random, board: Board) -> Crowd:
    """Fleets around one of the provinces with two coasts."""
    middles = sorted(code for code, province in board.provinces.items() if province.coasts)
    while True:
        places = around(random, board, random.choice(middles), random.randint(4, 7))
        pieces = pieces_in(random, board, places, random.sample(sorted(board.powers), 3), kinds="AFF")
        crowd = Crowd(pieces, orders_for(random, board, pieces), "S1901M")
        if crowd.moves <= MOST_MOVES:
            return crowd


def _carried(random: Random, board: Board, pieces: list[Piece]) -> dict[int, Order]:
    """One or two armies that are carried to places where others stand, and the fleets that do it."""
    found: dict[int, Order] = {}
    for army in random.sample(pieces, len(pieces)):
        shores = _over_sea(board, army, [p for p in pieces if p.id not in found]) if army.kind == "A" else []
        shores = [to for to in shores if any(p.place == to for p in pieces)] or shores
        if not shores or sum(isinstance(order, Go) for order in found.values()) == 2:
            continue
        found[army.id] = order = Go(random.choice(shores))
        fleets = [p for p in pieces if p.kind == "F" and p.id not in found]
        fleets = [p for p in fleets if board.provinces[p.place].terrain is Terrain.SEA]
        random.shuffle(fleets)
        for fleet in list(fleets):
            others = [p for p in fleets if p is not fleet]
            if random.random() < 0.8 and order.to in _over_sea(board, army, others):
                fleets = others
        found |= {fleet.id: Carry(army.id, order.to) for fleet in fleets}
    return found


def _bite_back(random: Random, board: Board, pieces: list[Piece], orders: dict[int, Order]) -> None:
    """A fleet that carries is attacked, and whom the army comes to supports that, if he can; else somebody does."""
    carriers = [p for p in pieces if isinstance(orders.get(p.id), Carry)]
    armies = {order.of for order in orders.values() if isinstance(order, Carry)}
    target = random.choice(carriers)
    order = orders[target.id]
    near = [p for p in pieces if p not in carriers and p.id not in armies]
    near = [p for p in near if target.place in {to[:3] for to in steps_of(board, p)}]
    raiders = [p for p in near if p.power != target.power and target.place in steps_of(board, p)]
    if len(near) < 2 or not raiders or not isinstance(order, Carry):
        return
    raider = random.choice(raiders)
    host = min((p for p in near if p is not raider), key=lambda p: p.place != order.to[:3])
    orders[raider.id] = Go(target.place)
    orders[host.id] = Back(raider.id, target.place) if random.random() < 0.8 else Back(target.id)
