"""Random retreats and adjustments, as the rulebook's pieces and as lines of JSON; and what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.model import Board
from judge.rules import Rules
from tests.support.rulebook_1976 import Piece
from tests.support.rulebook_winter import (
    DISBAND,
    Build,
    Remove,
    adjusted,
    owners_after_fall,
    retreated,
)

Homes = Callable[[Board, str], Iterable[str]]


def scattered(random: Random, board: Board, powers: list[str], many: int) -> list[Piece]:
    """Units anywhere, each somewhere else."""
    pieces: list[Piece] = []
    for place in random.sample(sorted(board.provinces), many):
        kind = random.choice([kind for kind in "AF" if board.standings(kind, place)])
        pieces.append(Piece(len(pieces) + 1, random.choice(powers), kind, random.choice(board.standings(kind, place))))
    return pieces


def units_of(pieces: Iterable[Piece]) -> dict[str, list[str]]:
    units: dict[str, list[str]] = {}
    for piece in pieces:
        units.setdefault(piece.power, []).append(str(piece))
    return units


def centres_of(owners: dict[str, str]) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for centre, owner in owners.items():
        held.setdefault(owner, []).append(centre)
    return held


# ---- retreats, and ownership in Fall


def compare_retreats(random: Random, board: Board, rules: Rules) -> list[str]:
    """Two to five units that were driven out around one place, in Spring or Fall: where they go, and who owns what."""
    phase = random.choice(("S1892R", "F1892R", "F1892R"))
    powers = random.sample(sorted(board.powers), 3)
    standing = scattered(random, board, powers, random.randint(3, 20))
    driven, options = _driven(random, board, powers, standing)
    owners = {centre: random.choice(sorted(board.powers)) for centre in board.centres if random.random() < 0.5}
    chosen = {
        n: random.choice([*may, *may, *may, DISBAND, DISBAND, "", random.choice(board.centres)])
        for n, may in options.items()
    }
    orders = {n: order for n, order in chosen.items() if order}
    lines: dict[str, list[str]] = {}
    for piece in driven:
        if order := orders.get(piece.id):
            lines.setdefault(piece.power, []).append(f"{piece} D" if order == DISBAND else f"{piece} R {order}")
    line: dict[str, Any] = {"id": 1, "phase": phase, "units": units_of(standing), "dislodged": {}, "orders": lines}
    line["centers"] = centres_of(owners)
    for piece in driven:
        line["dislodged"].setdefault(piece.power, {})[str(piece)] = list(options[piece.id])
    answer = adjudicate_object(line, board, rules)
    if "error" in answer:
        return [f"{line} {answer['error']}"]
    homes = retreated(options, orders)
    after = [*standing, *(Piece(p.id, p.power, p.kind, homes[p.id]) for p in driven if p.id in homes)]
    if phase[0] == "F":
        owners = owners_after_fall(owners, after, board.centres)
    return _differ(line, answer, after, owners)


def _driven(
    random: Random, board: Board, powers: list[str], standing: list[Piece]
) -> tuple[list[Piece], dict[int, tuple[str, ...]]]:
    """Some of those that stand drove out others; what these may do is often one place, and the same."""
    full = {piece.place for piece in standing}
    middle = random.choice([place for place in board.provinces if place not in full])
    near = {to[:3] for kind in "AF" for at in board.standings(kind, middle) for to in board.reach(kind, at)}
    driven: list[Piece] = []
    options: dict[int, tuple[str, ...]] = {}
    for place in sorted(near & full)[: random.randint(2, 4)]:
        kind = random.choice([kind for kind in "AF" if board.standings(kind, place)])
        host = next(piece for piece in standing if piece.place == place)
        others = [power for power in powers if power != host.power]
        piece = Piece(100 + len(driven), random.choice(others), kind, random.choice(board.standings(kind, place)))
        open_to = [to for to in board.reach(kind, piece.at) if to[:3] not in full]
        if not open_to:
            continue
        to_middle = [to for to in open_to if to[:3] == middle]
        driven.append(piece)
        options[piece.id] = tuple(to_middle if to_middle and random.random() < 0.6 else open_to)
    return driven, options


def _differ(line: dict[str, Any], answer: dict[str, Any], after: list[Piece], owners: dict[str, str]) -> list[str]:
    found = []
    book = {(power, unit) for power, units in units_of(after).items() for unit in units}
    said = {(power, unit) for power, units in answer["units"].items() for unit in units}
    if book != said:
        found.append(f"units {said - book}, by the book {book - said}")
    held = {(power, centre) for centre, power in owners.items()}
    told = {(power, centre) for power, centres in answer["centers"].items() for centre in centres}
    if held != told:
        found.append(f"centres {told - held}, by the book {held - told}")
    return [f"{line['phase']} {line} {' '.join(found)}"] if found else []


# ---- adjustments


def compare_adjustments(random: Random, board: Board, rules: Rules, homes: Homes) -> list[str]:
    """Powers with too many and too few units, good and bad lines, and none."""
    powers = random.sample(sorted(board.powers), 4)
    pieces = scattered(random, board, powers, random.randint(4, 24))
    owners = {
        centre: random.choice(powers) for centre in board.centres if random.random() < random.choice((0.2, 0.5, 0.8))
    }
    for power in powers:
        owners |= {home: power for home in homes(board, power) if random.random() < 0.6}
    lines = {power: _lines(random, board, power, pieces, homes) for power in powers if random.random() < 0.75}
    line: dict[str, Any] = {"id": 1, "phase": "W1892A", "units": units_of(pieces), "centers": centres_of(owners)}
    line["orders"] = {
        power: [
            f"{each.kind} {each.at} B" if isinstance(each, Build) else f"{_named(pieces, each.of)} D"
            for each in of_power
        ]
        for power, of_power in lines.items()
    }
    answer = adjudicate_object(line, board, rules)
    if "error" in answer:
        return [f"{line} {answer['error']}"]
    after = list(pieces)
    for power in powers:
        own = list(homes(board, power))
        far = [home for home in own if home in board.powers[power].homes or owners.get(home) == power]
        done = adjusted(board, power, own, owners, pieces, lines.get(power, []), far)
        after = [piece for piece in after if piece.id not in done.removed]
        after += [Piece(0, power, each.kind, each.at) for each in done.built]
    return _differ(line, answer, after, owners)


def _named(pieces: list[Piece], n: int) -> Piece:
    return next(piece for piece in pieces if piece.id == n)


def _lines(random: Random, board: Board, power: str, pieces: list[Piece], homes: Homes) -> list[Build | Remove]:
    """Builds in one's own home and elsewhere, removals of one's own."""
    found: dict[str, Build | Remove] = {}
    for home in [*homes(board, power), random.choice(board.centres)]:
        kinds = [kind for kind in "AF" if board.standings(kind, home)]
        if random.random() < 0.7:
            kind = random.choice(kinds)
            found[home] = Build(kind, random.choice(board.standings(kind, home)))
    for piece in pieces:
        if piece.power == power and piece.place not in found and random.random() < 0.3:
            found[piece.place] = Remove(piece.id)
    lines = list(found.values())
    random.shuffle(lines)
    return lines
