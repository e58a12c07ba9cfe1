"""Crowded positions of 1914 with odd orders and few points, as the rulebook's pieces and as a line of JSON; and what
differs between the rulebook's season and the answer to that line.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board, Terrain
from judge.rules import Rules
from tests.support.penalties_1914 import Penalties
from tests.support.rulebook_1914 import Back, Carry, Go, Piece, Rail, World
from tests.support.seasons_1914 import Rulebook1914, Season

MOST_MOVES = 8
"""Moves of one segment: 256 guesses."""

RESTLESS = frozenset({"ITALY", "TURKEY"})
"""Minor countries whose pairs move by themselves."""


@dataclass
class Crowd:
    """One position with its orders."""

    pieces: list[Piece]
    orders: dict[int, object]
    seconds: dict[int, object]
    world: World
    points: dict[str, int]
    ties: dict[int, int]
    factors: dict[str, dict[str, int]]
    """Minor country -> player -> total."""
    line: dict[str, Any]


def melee(random: Random, board: Board) -> Crowd:
    """Four to nine units of two to four countries, most of them ordered at each other."""
    minors = frozenset(key for key, power in board.powers.items() if power.minor)
    great = sorted(set(board.powers) - minors)
    while True:
        countries = random.sample(great, random.randint(2, 3))
        control = {minor: random.choice(countries) for minor in sorted(minors) if random.random() < 0.3}
        world = World(_owners(random, board, countries), control, _allies(random, countries), minors)
        pieces = _pieces(random, board, countries, minors, control)
        orders = _orders(random, board, pieces, world)
        seconds = _seconds(random, board, pieces, orders)
        moves = sum(isinstance(order, Go) for order in orders.values())
        if moves <= MOST_MOVES and sum(isinstance(order, Go) for order in seconds.values()) <= MOST_MOVES:
            break
    payers = sorted({piece.country for piece in pieces if piece.country not in minors or piece.country in control})
    points = {country: random.choice((50, 50, *range(7))) for country in payers}
    shuffled = random.sample(pieces, len(pieces))
    ties = {piece.id: place for place, piece in enumerate(shuffled)}
    factors = {minor: dict.fromkeys(countries, 5) for minor in sorted(minors)}
    crowd = Crowd(pieces, orders, seconds, world, points, ties, factors, {})
    crowd.line = _line(random, crowd, shuffled)
    return crowd


def _owners(random: Random, board: Board, countries: list[str]) -> dict[str, str]:
    owners = dict(board.home_of)
    capitals = {str(power.facts["capital"]) for power in board.powers.values()}
    for centre in sorted(set(owners) - capitals):
        if random.random() < 0.25:
            owners[centre] = random.choice(countries)
    return owners


def _allies(random: Random, countries: list[str]) -> frozenset[frozenset[str]]:
    return frozenset({frozenset(countries[:2])}) if random.random() < 0.3 else frozenset()


def _pieces(
    random: Random, board: Board, countries: list[str], minors: frozenset[str], control: dict[str, str]
) -> list[Piece]:
    spaces = [place for place in board.provinces if place not in board.impassable]
    region = [random.choice(spaces)]
    while len(region) < random.randint(5, 10):
        place = random.choice(region)
        steps = {to[:3] for kind in "AF" for at in board.standings(kind, place) for to in board.reach(kind, at)}
        region += [random.choice(sorted(steps - set(region)))] if steps - set(region) else []
    pieces: list[Piece] = []
    for place in region:
        if random.random() < 0.15:
            continue
        country = random.choice(countries)
        home = board.home_of.get(place, "")
        if home in minors and random.random() < 0.6 and (home not in RESTLESS or home in control):
            country = home
        elif random.random() < 0.1 and control:
            country = random.choice(sorted(control))
        kinds = [kind for kind in "AF" if board.standings(kind, place)]
        kind = random.choice(kinds)
        at = random.choice(board.standings(kind, place))
        pieces.append(Piece(len(pieces) + 1, country, kind, at, random.random() < 0.1))
    return pieces


def _orders(random: Random, board: Board, pieces: list[Piece], world: World) -> dict[int, object]:
    idle = {piece.id for piece in pieces if piece.country in world.minors and piece.country not in world.control}
    orders: dict[int, object] = {}
    for piece in pieces:
        if piece.id in idle:
            continue
        steps = board.reach(piece.kind, piece.at)
        crowd = [to for to in steps if any(other.place == to[:3] for other in pieces)] or list(steps)
        if random.random() < 0.5:
            orders[piece.id] = Go(random.choice(crowd if random.random() < 0.7 else list(steps)))
        elif piece.kind == "A" and random.random() < 0.25:
            _by_rail(random, board, piece, pieces, orders)
    _by_sea(random, board, pieces, orders, idle)
    for piece in pieces:
        if piece.id not in orders and piece.id not in idle and random.random() < 0.9:
            _help(random, board, piece, pieces, orders)
    return orders


def _by_rail(random: Random, board: Board, piece: Piece, pieces: list[Piece], orders: dict[int, object]) -> None:
    territory = {place for place, each in board.provinces.items() if each.territory == piece.country}
    if any(isinstance(orders.get(each.id), Rail) for each in pieces if each.country == piece.country):
        return
    over: list[str] = []
    here = piece.place
    for _ in range(random.randint(2, 4)):
        steps = [to for to in board.reach("A", here) if to not in over and to != piece.place]
        if over and here not in territory:
            return
        steps = [to for to in steps if to in territory] or steps if random.random() < 0.8 else steps
        if not steps:
            return
        here = random.choice(steps)
        over.append(here)
    orders[piece.id] = Rail(tuple(over))


def _by_sea(random: Random, board: Board, pieces: list[Piece], orders: dict[int, object], idle: set[int]) -> None:
    """An army that a fleet carries where it could not walk."""
    for fleet in pieces:
        sea = board.provinces[fleet.place].terrain is Terrain.SEA
        if not sea or fleet.id in orders or fleet.id in idle or random.random() < 0.4:
            continue
        coasts = {to[:3] for to in board.reach("F", fleet.at) if board.standings("A", to[:3])}
        armies = [each for each in pieces if each.kind == "A" and each.place in coasts and each.id not in idle]
        armies = [each for each in armies if not isinstance(orders.get(each.id), Rail)]
        carried = {order.army for order in orders.values() if isinstance(order, Carry)}
        armies = [each for each in armies if each.id not in carried]
        if not armies:
            continue
        army = random.choice(armies)
        ways = sorted(coasts - {army.place} - set(board.reach("A", army.at)))
        if ways:
            to = random.choice(ways)
            orders[army.id], orders[fleet.id] = Go(to), Carry(army.id, to)


def _help(random: Random, board: Board, piece: Piece, pieces: list[Piece], orders: dict[int, object]) -> None:
    steps = {to[:3] for to in board.reach(piece.kind, piece.at)}
    wishes: list[object] = []
    for other in pieces:
        order = orders.get(other.id)
        if other.id == piece.id:
            continue
        if isinstance(order, Go) and order.to[:3] in steps:
            wishes += [Back(other.id, order.to[:3])] * 3
        elif other.place in steps:
            wishes += [Back(other.id)]
    if wishes:
        orders[piece.id] = random.choice(wishes)


def _seconds(random: Random, board: Board, pieces: list[Piece], orders: dict[int, object]) -> dict[int, object]:
    """Second orders of fleets at sea, or on their way there."""
    found: dict[int, object] = {}
    for piece in pieces:
        order = orders.get(piece.id)
        at = order.to if isinstance(order, Go) else piece.at
        if piece.kind != "F" or board.provinces[at[:3]].terrain is not Terrain.SEA or random.random() < 0.4:
            continue
        if isinstance(order, Back) and not _at_sea(board, order, pieces):
            continue
        seas = [to for to in board.reach("F", at) if board.provinces[to[:3]].terrain is Terrain.SEA]
        if seas and order is not None:
            found[piece.id] = Go(random.choice(seas))
    return found


def _at_sea(board: Board, order: Back, pieces: list[Piece]) -> bool:
    place = order.into or next(each.place for each in pieces if each.id == order.of)
    return board.provinces[place].terrain is Terrain.SEA


def _line(random: Random, crowd: Crowd, shuffled: list[Piece]) -> dict[str, Any]:
    names = {piece.id: f"{piece.kind} {piece.at}" for piece in crowd.pieces}
    line: dict[str, Any] = {"id": 1, "phase": "S1915M", "units": {}, "orders": {}, "centers": {}}
    line["marks"] = {"control": dict(crowd.world.control), "units": {}}
    line["marks"]["factors"] = crowd.factors
    line["marks"]["allies"] = [sorted(pair) for pair in crowd.world.allies]
    line["points"], line["ties"] = dict(crowd.points), {}
    for centre, owner in crowd.world.owners.items():
        line["centers"].setdefault(owner, []).append(centre)
    for piece in crowd.pieces:
        line["units"].setdefault(piece.country, []).append(names[piece.id])
        if piece.retreated:
            line["marks"]["units"][names[piece.id]] = {"retreated": True}
        if piece.id in crowd.orders:
            words = _words(crowd.orders[piece.id], names)
            if piece.id in crowd.seconds:
                words += f", (2) {_words(crowd.seconds[piece.id], names)}"
            line["orders"].setdefault(piece.country, []).append(f"{names[piece.id]} {words}")
    for piece in shuffled:
        line["ties"].setdefault(piece.country, []).append(names[piece.id])
    return line


def _words(order: object, names: dict[int, str]) -> str:
    match order:
        case Go(to):
            return f"- {to}"
        case Back(of, into):
            return f"S {names[of]}" + (f" - {into}" if into else "")
        case Carry(army, to):
            return f"C {names[army]} - {to}"
        case Rail(over):
            return "RR " + " - ".join(over)
    return "H"


def compare(board: Board, rules: Rules, crowd: Crowd) -> list[str]:
    """What the rulebook and the answer to the line say differently."""
    season = Rulebook1914(
        board, crowd.world, crowd.pieces, crowd.orders, crowd.seconds, crowd.points, crowd.ties
    ).season()
    if season is None:
        return []
    answer = adjudicate_object(crowd.line, board, rules)
    found = [f"unread {each}" for each in answer["unread"]]
    names = {piece.id: f"{piece.kind} {piece.at}" for piece in crowd.pieces}
    for piece in crowd.pieces:
        found += _differing(piece, crowd, season, answer, names[piece.id])
    countries = {piece.id: piece.country for piece in crowd.pieces}
    kinds = {piece.id: piece.kind for piece in crowd.pieces}
    book = {(countries[n], f"{kinds[n]} {at}") for n, at in season.after}
    said = {(country, unit) for country, units in answer["units"].items() for unit in units}
    if book != said:
        found.append(f"after: {said - book}, by the book {book - said}")
    retreats = {
        (countries[n], f"{kinds[n]} {season.driven_from[n]}"): ways for n, ways in sorted(season.retreats.items())
    }
    options = {
        (country, unit): tuple(sorted(ways))
        for country, units in answer["dislodged"].items()
        for unit, ways in units.items()
    }
    if retreats != options:
        found.append(f"dislodged {options}, by the book {retreats}")
    told = {country: answer["spent"].get(country, 0) for country in crowd.points}
    spent = {country: season.spent.get(country, 0) for country in crowd.points}
    if told != spent:
        found.append(f"spent {told}, by the book {spent}")
    unpaid = {names[n] for n in season.unpaid}
    if unpaid != set(answer["unpaid"]):
        found.append(f"unpaid {sorted(answer['unpaid'])}, by the book {sorted(unpaid)}")
    lost = Penalties(board, crowd.world, crowd.pieces).of(crowd.orders, season.first)
    if season.second is not None:
        lost |= Penalties(board, crowd.world, season.between).of(season.going, season.second)
    told_lost = {
        (minor, player)
        for minor, totals in crowd.factors.items()
        for player in totals
        if not answer["marks"]["factors"].get(minor, {}).get(player)
    }
    tired = {piece.id for piece in crowd.pieces if piece.retreated}
    if told_lost != lost and not any(isinstance(crowd.orders.get(n), Back) for n in tired):
        found.append(f"factors gone {sorted(told_lost - lost)}, by the book {sorted(lost - told_lost)}")
    return found


def _differing(piece: Piece, crowd: Crowd, season: Season, answer: dict[str, Any], name: str) -> list[str]:
    told = answer["outcomes"].get(name)
    if told is None:
        return [f"{name} has no outcome"] if piece.id in crowd.orders else []
    what = f"{told['order']}: {told['result']} {told['reason']}"
    found = []
    order = crowd.orders.get(piece.id)
    if isinstance(order, Go) and (told["result"][0] == "ok") != (piece.id in season.first.moved):
        found.append(f"{what}, by the book moved {piece.id in season.first.moved}")
    lame = isinstance(order, Back) and order.into is not None and piece.retreated  # told of conflicts that fell away
    if isinstance(order, Back) and not lame and (told["result"][0] == "ok") != (piece.id in season.first.counted):
        found.append(f"{what}, by the book counted {piece.id in season.first.counted}")
    return found
