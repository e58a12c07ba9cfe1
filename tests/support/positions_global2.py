"""Crowded positions of Global Diplomacy II at its odd places, and winters of its Colonial Powers; and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board
from judge.rules import Rules
from tests.support.positions_1976 import MOST_MOVES, Crowd, around, compare, orders_for, pieces_in
from tests.support.positions_winter import centres_of, scattered, units_of
from tests.support.rulebook_1976 import Piece
from tests.support.rulebook_global2 import (
    COLONIAL_POWERS,
    RulebookGlobal2,
    World,
    continent,
    february,
    home_continents,
    is_exception,
    january,
)
from tests.support.rulebook_winter import Build, Remove, adjusted, retreated

MIDDLES = (
    *("SIB", "SIB", "OKH", "MCU", "CAT", "CON", "EGY", "KIE", "BUL", "COL", "MEX", "STP", "SPA"),
    *("DEN", "SWE", "IDO", "SIA", "HOK", "TOK", "KYU", "SHI", "OSA", "PHI", "URL", "YAK", "YUK"),
)
"""Provinces with a rule of their own, and such beside Siberia."""


def melee(random: Random, board: Board, phase: str) -> tuple[Crowd, int]:
    """Five to eleven units of up to four powers around one of the odd places; and which fleet is under repair."""
    while True:
        places = around(random, board, random.choice(MIDDLES), random.randint(5, 11))
        powers = random.sample(sorted(board.powers), random.choice((2, 3, 3, 4)))
        pieces = pieces_in(random, board, places, powers)
        if "SIB" in places and random.random() < 0.8:
            fleet = Piece(len(pieces) + 1, "RUSSIA", "F", "SIB")
            pieces = [*(piece for piece in pieces if piece.place != "SIB"), fleet]
        if phase == "S1901M":  # no other Russian fleet could be near in that year
            pieces = [piece for piece in pieces if piece.place == "SIB" or (piece.power, piece.kind) != ("RUSSIA", "F")]
        fleets = [piece.id for piece in pieces if (piece.power, str(piece)) == ("RUSSIA", "F SIB")]
        crowd = Crowd(pieces, orders_for(random, board, pieces), phase)
        if crowd.moves <= MOST_MOVES:
            return crowd, fleets[0] if fleets and phase == "S1901M" else 0


def compare_moves(random: Random, board: Board, rules: Rules) -> list[str]:
    """A Spring, its retreats and the Fall: in 1901, when one fleet holds wherever it is driven, or later."""
    year = random.choice(("1901", "1901", "1902"))
    crowd, fleet = melee(random, board, f"S{year}M")
    book = RulebookGlobal2(board, crowd.pieces, crowd.orders, crowd.phase, fleet)
    verdict = book.verdict()
    if verdict is None:
        return []
    found = compare(board, rules, crowd, book, verdict)
    answer = adjudicate_object(crowd.line, board, rules)
    away = {n: random.choice(may) for n, may in verdict.dislodged.items() if may}
    if away:
        line: dict[str, Any] = {**answer, "phase": f"S{year}R", "orders": {}}
        for piece in crowd.pieces:
            if piece.id in away:
                line["orders"].setdefault(piece.power, []).append(f"{piece} R {away[piece.id]}")
        answer = adjudicate_object(line, board, rules)
    where = {**verdict.after, **retreated(verdict.dislodged, away)}
    pieces = [replace(piece, at=where[piece.id]) for piece in crowd.pieces if piece.id in where]
    fall = Crowd(pieces, orders_for(random, board, pieces), f"F{year}M")
    if fall.moves > MOST_MOVES:
        return found
    book = RulebookGlobal2(board, pieces, fall.orders, fall.phase, fleet)
    verdict = book.verdict()
    line = {**fall.line, "marks": answer.get("marks", {})}
    return found + (compare(board, rules, fall, book, verdict, line) if verdict else [])


# ---- January and February


def compare_winter(random: Random, board: Board, rules: Rules) -> list[str]:
    """The end of a year: who owns what, what feeds whom, who is eliminated where; and then builds and removals."""
    world = _world(random, board)
    line: dict[str, Any] = {"id": 1, "phase": "F1905R", "units": units_of(world.pieces)}
    line |= {"centers": centres_of(dict(world.owners)), "marks": _marks(world)}
    answer = adjudicate_object(line, board, rules)
    if "error" in answer:
        return [f"{answer['error']} {line}"]
    after = january(board, world)
    found = _differ(line, answer, after)
    lines = {power: _lines(random, board, power, world) for power in board.powers if random.random() < 0.75}
    names = {piece.id: str(piece) for piece in world.pieces}
    line = {**line, "phase": "W1906A", "centers": centres_of(dict(after.owners)), "marks": _marks(after), "orders": {}}
    for power, of_power in lines.items():
        line["orders"][power] = [
            f"{each.kind} {each.at} B" if isinstance(each, Build) else f"{names[each.of]} D" for each in of_power
        ]
    return found + _differ(line, adjudicate_object(line, board, rules), _adjusted(board, after, lines))


def _adjusted(board: Board, world: World, lines: Mapping[str, list[Build | Remove]]) -> World:
    pieces, of = list(world.pieces), dict(world.of)
    for power in board.powers:
        mine = lines.get(power, [])
        if power in COLONIAL_POWERS:
            done = february(board, world, power, mine)
        else:
            done = adjusted(board, power, board.powers[power].homes, world.owners, world.pieces, mine)
        pieces = [piece for piece in pieces if piece.id not in done.removed]
        for each in done.built:
            number = 1 + max([piece.id for piece in pieces], default=0)
            pieces.append(Piece(number, power, each.kind, each.at))
            of.pop(number, "")
            of |= {number: continent(board, each.at[:3])} if power in COLONIAL_POWERS else {}
    return World(pieces, of, world.owners, world.feeds, world.eliminated)


def _world(random: Random, board: Board) -> World:
    """Units anywhere, most of them Colonial Powers', of continents from which these are not eliminated."""
    powers = [*COLONIAL_POWERS, *random.sample(sorted(set(board.powers) - set(COLONIAL_POWERS)), 2)]
    out: dict[str, frozenset[str]] = {}
    for power in COLONIAL_POWERS:
        own = list(home_continents(board, power))
        if gone := frozenset(random.sample(own, random.choice((0, 0, 0, 1, len(own) - 1)))):
            out[power] = gone
    pieces = list(scattered(random, board, powers, random.randint(10, 60)))
    open_to = {p: [c for c in home_continents(board, p) if c not in out.get(p, ())] for p in COLONIAL_POWERS}
    of = {piece.id: random.choice(open_to[piece.power]) for piece in pieces if piece.power in COLONIAL_POWERS}
    held = random.choice((0.2, 0.5, 0.8))
    owners = {centre: random.choice(powers) for centre in board.centres if random.random() < held}
    for power in powers:
        owners |= {home: power for home in board.powers[power].homes if random.random() < 0.4}
    world = World(pieces, of, owners, {}, out)
    feeds = {
        centre: random.choice(open_to[power])
        for centre, power in owners.items()
        if is_exception(board, world, power, centre)
    }
    return World(pieces, of, owners, feeds, out)


def _marks(world: World) -> dict[str, Any]:
    return {
        "units": {str(p): {"continent": world.of[p.id]} for p in world.pieces if p.id in world.of},
        "powers": {power: {"eliminated": ",".join(sorted(gone))} for power, gone in world.eliminated.items()},
        "spaces": {centre: {"continent": fed} for centre, fed in world.feeds.items()},
    }


def _lines(random: Random, board: Board, power: str, world: World) -> list[Build | Remove]:
    """Builds in one's own home and elsewhere, removals of one's own: often of the wrong continent."""
    found: list[Build | Remove] = []
    for home in [*board.powers[power].homes, random.choice(board.centres)]:
        if random.random() < 0.7:
            kind = random.choice([kind for kind in "AF" if board.standings(kind, home)])
            found.append(Build(kind, random.choice(board.standings(kind, home))))
    places = {each.at[:3] for each in found if isinstance(each, Build)}
    own = [piece for piece in world.pieces if piece.power == power and piece.place not in places]
    found += [Remove(piece.id) for piece in own if random.random() < 0.3]
    random.shuffle(found)
    return found


def _differ(line: Mapping[str, Any], answer: Mapping[str, Any], world: World) -> list[str]:
    """Where the answer is not the world that the rulebook makes."""
    found = []
    marks = answer.get("marks", {})
    units = {f"{piece.power} {piece}" for piece in world.pieces}
    told = {f"{power} {unit}" for power, each in answer["units"].items() for unit in each}
    found += [f"units {told - units}, by the book {units - told}"] * (units != told)
    of = {str(piece): world.of[piece.id] for piece in world.pieces if piece.id in world.of}
    said = {unit: each["continent"] for unit, each in marks.get("units", {}).items() if "continent" in each}
    found += _unlike("continents", said, of)
    owners = {centre: power for power, centres in answer["centers"].items() for centre in centres}
    found += _unlike("centres", owners, world.owners)
    feeds = {place: each["continent"] for place, each in marks.get("spaces", {}).items() if "continent" in each}
    found += _unlike("feeds", feeds, world.feeds)
    out = {p: frozenset(each["eliminated"].split(",")) for p, each in marks.get("powers", {}).items()}
    alive = {*world.owners.values(), *(piece.power for piece in world.pieces)}
    book = {power: gone for power, gone in world.eliminated.items() if power in alive}
    out = {power: gone for power, gone in out.items() if power in alive}
    found += _unlike("eliminated", out, book)
    return [f"{line}: {each}" for each in found]


def _unlike(what: str, said: Mapping[str, object], book: Mapping[str, object]) -> list[str]:
    """Where two say different things, each of them."""
    keys = sorted(key for key in {*said, *book} if said.get(key) != book.get(key))
    return [f"{what} {[(key, said.get(key)) for key in keys]}, by the book {[book.get(key) for key in keys]}"] * bool(
        keys
    )
