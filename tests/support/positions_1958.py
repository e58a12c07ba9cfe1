"""Crowded positions of 1958 with odd orders, as the rulebook's pieces and as a line of JSON; and what differs between
the rulebook's verdict and the answer to that line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board
from judge.rules import Rules
from tests.support.rulebook_1958 import Back, Country, Embark, Go, Off, Piece, Rulebook1958

MOST_MOVES = 9
"""Moves of one position: 512 guesses."""


@dataclass
class Crowd:
    """One position with its orders."""

    pieces: list[Piece]
    orders: dict[int, object]
    countries: dict[str, Country]
    line: dict[str, Any]
    names: dict[int, str]


def melee(random: Random, board: Board) -> Crowd:
    """Five to ten units of up to three powers, near a capital or a naval base, most of them ordered at each other."""
    countries = {
        key: Country(str(power.facts["capital"]), tuple(power.facts["naval_bases"]))  # type: ignore[arg-type]
        for key, power in board.powers.items()
    }
    while True:
        pieces = _pieces(random, board, countries)
        orders = {piece.id: order for piece in pieces if (order := _order(random, board, piece, pieces))}
        _fetch(random, board, pieces, orders)
        if sum(isinstance(order, Go) for order in orders.values()) <= MOST_MOVES:
            break
    names = _names(pieces)
    return Crowd(pieces, orders, countries, _line(pieces, orders, names), names)


def _pieces(random: Random, board: Board, countries: dict[str, Country]) -> list[Piece]:
    host = random.choice(sorted(countries))
    middle = random.choice((countries[host].capital, *countries[host].bases)) or ""
    region = _around(random, board, middle[:3], random.randint(4, 8))
    powers = [host, *random.sample(sorted(set(countries) - {host}), random.randint(1, 2))]
    pieces: list[Piece] = []
    for place in region:
        if random.random() < 0.12:
            continue
        power = random.choice(powers)
        kinds = [kind for kind in "AF" if board.standings(kind, place)]
        kind = random.choice(kinds)
        many = 1
        if place == countries[power].capital and kind == "A":
            many = random.choice((1, 2, 2, 3))
        if kind == "F" and place in {base[:3] for base in countries[power].bases}:
            many = random.choice((1, 2, 2))
        for _ in range(many):
            pieces.append(Piece(len(pieces) + 1, power, kind, random.choice(board.standings(kind, place))))
        if kind == "A" and place == countries[power].capital and random.random() < 0.5:
            for base in countries[power].bases:
                if base[:3] == place:
                    pieces.append(Piece(len(pieces) + 1, power, "F", base))
        fleet = pieces[-1]
        if fleet.kind == "F" and random.random() < 0.35:
            pieces.append(Piece(len(pieces) + 1, power, "A", place, fleet.id))
    return pieces


def _around(random: Random, board: Board, middle: str, size: int) -> list[str]:
    found = [middle]
    while len(found) < size:
        place = random.choice(found)
        steps = {to[:3] for kind in "AF" for at in board.standings(kind, place) for to in board.reach(kind, at)}
        found += [random.choice(sorted(steps - set(found)))] if steps - set(found) else []
    return found


def _order(random: Random, board: Board, piece: Piece, pieces: list[Piece]) -> object | None:
    if piece.aboard is not None:
        return random.choice((Off(), Off(), Off(), None, Back(random.choice(pieces).id, None)))
    dice = random.random()
    steps = board.reach(piece.kind, piece.at)
    crowd = [to for to in steps if any(other.place == to[:3] for other in pieces)] or list(steps)
    if dice < 0.55:
        return Go(random.choice(crowd if random.random() < 0.75 else list(steps)))
    if dice < 0.58:
        return Go(
            random.choice(
                [to for to in board.standings(piece.kind, random.choice(pieces).place) if to[:3] != piece.place]
                or list(steps)
            )
        )
    if dice < 0.62 and piece.kind == "A":
        fleets = [each for each in pieces if each.kind == "F" and each.power == piece.power]
        return Embark(random.choice(fleets).id) if fleets else None
    return None


def _fetch(random: Random, board: Board, pieces: list[Piece], orders: dict[int, object]) -> None:
    """Orders that fit those of others: supports of what is ordered, armies that go on board, fleets that sail."""
    for piece in pieces:
        if piece.aboard is not None and isinstance(orders.get(piece.id), Off) and random.random() < 0.8:
            fleet = next(each for each in pieces if each.id == piece.aboard)
            orders[fleet.id] = Go(random.choice(board.reach("F", fleet.at)))
        if piece.kind == "A" and piece.aboard is None and piece.id not in orders and random.random() < 0.6:
            coming = [
                each.id
                for each in pieces
                if each.power == piece.power
                and each.kind == "F"
                and isinstance(order := orders.get(each.id), Go)
                and piece.place in (each.place, order.to[:3])
            ]
            if coming:
                orders[piece.id] = Embark(random.choice(coming))
    for piece in pieces:
        if piece.id in orders or piece.aboard is not None or random.random() < 0.1:
            continue
        steps = {to[:3] for to in board.reach(piece.kind, piece.at)}
        wishes: list[object] = []
        for other in pieces:
            order = orders.get(other.id)
            if other.id == piece.id:
                continue
            if isinstance(order, Go) and order.to[:3] in steps | {piece.place}:
                wishes += [Back(other.id, order.to[:3])] * 3
            elif other.place in steps | {piece.place}:
                wishes += [Back(other.id)]
        if wishes:
            orders[piece.id] = random.choice(wishes)


def _names(pieces: list[Piece]) -> dict[int, str]:
    together = Counter((piece.kind, piece.at) for piece in pieces)
    seen: Counter[tuple[str, str]] = Counter()
    names = {}
    for piece in pieces:
        key = (piece.kind, piece.at)
        seen[key] += 1
        names[piece.id] = f"{piece.kind} {piece.at}" + (f"#{seen[key]}" if together[key] > 1 else "")
    return names


def _line(pieces: list[Piece], orders: dict[int, object], names: dict[int, str]) -> dict[str, Any]:
    line: dict[str, Any] = {"id": 1, "phase": "S1901M", "units": {}, "orders": {}, "marks": {"units": {}}}
    for piece in pieces:
        line["units"].setdefault(piece.power, []).append(names[piece.id])
        if piece.aboard is not None:
            line["marks"]["units"][names[piece.id]] = {"aboard": names[piece.aboard]}
        if order := orders.get(piece.id):
            line["orders"].setdefault(piece.power, []).append(f"{names[piece.id]} {_words(order, names)}")
    return line


def _words(order: object, names: dict[int, str]) -> str:
    match order:
        case Go(to):
            return f"- {to}"
        case Back(of, into):
            return f"S {names[of]}" + (f" - {into}" if into else "")
        case Embark(fleet):
            return f"ABOARD {names[fleet]}"
    return "ASHORE"


def compare(board: Board, rules: Rules, crowd: Crowd) -> list[str]:
    """What the rulebook and the answer to the line say differently."""
    verdict = Rulebook1958(board, crowd.pieces, crowd.orders, crowd.countries).verdict()
    if verdict is None:
        return []
    answer = adjudicate_object(crowd.line, board, rules)
    found = [f"unread {each}" for each in answer["unread"]]
    powers = {piece.id: piece.power for piece in crowd.pieces}
    kinds = {piece.id: piece.kind for piece in crowd.pieces}
    for n, name in crowd.names.items():
        told = answer["outcomes"].get(name)
        order = crowd.orders.get(n)
        if told is None:
            found += [f"{name} has no outcome"] if order else []
            continue
        result = told["result"]
        if told["reason"] == "supported-from-there-already":
            result = ["ok", *result[1:]]
        good = n in verdict.moved | verdict.boarded | verdict.landed | verdict.counted
        if order and good != (result[0] == "ok"):
            found.append(f"{told['order']}: {result} {told['reason']}, by the book {'good' if good else 'not'}")
        if isinstance(order, Back) and (n in verdict.cut) != (result[0] == "cut"):
            found.append(f"{told['order']}: {result} {told['reason']}, by the book cut {n in verdict.cut}")
        if (n in verdict.dislodged) != ("dislodged" in result):
            found.append(f"{told['order']}: {result} {told['reason']}, dislodged by the book {n in verdict.dislodged}")
        elif n in verdict.dislodged:
            options = answer["dislodged"].get(powers[n], {}).get(name, [])
            if tuple(sorted(options)) != verdict.dislodged[n]:
                found.append(f"{name} may retreat to {options}, by the book to {verdict.dislodged[n]}")
    book = Counter((powers[n], kinds[n], at, fleet is not None) for n, at, fleet in verdict.after)
    aboard = answer.get("marks", {}).get("units", {})
    said = Counter(
        (power, name[0], name[2:].partition("#")[0], "aboard" in aboard.get(f"{power} {name}", aboard.get(name, {})))
        for power, names in answer["units"].items()
        for name in names
    )
    if book != said:
        found.append(f"after: {dict(said - book)}, by the book {dict(book - said)}")
    return found
