"""One phase as a JSON object in, its result as a JSON object out: the stateless face of the adjudicator.

The names are an outward contract: `{"id", "phase", "units", "centers", "dislodged", "orders"}` in,
`{"id", "units", "dislodged", "centers", "outcomes", "corrected", "unread"}` out. Orders are read by the same reader
as mail. Nothing is printed or read from files here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import can_reach
from judge.adjudicate.explain import explain_all
from judge.adjudicate.outcome import Adjudication, Outcome
from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Dislodged, Position, Unit
from judge.orders.model import Move, Order, Waive
from judge.orders.reader import read_orders
from judge.orders.reading import Reading, ReadOptions
from judge.rules import Rules

READING = ReadOptions(permissive=True)


class BadPhase(ValueError):
    """The object does not describe a phase; the message says what is wrong with it."""


def adjudicate_object(
    data: Mapping[str, Any], board: Board, rules: Rules, *, explained: bool = False
) -> dict[str, Any]:
    """The answer to one object. Raises BadPhase for anything that is not a phase of this board."""
    position = read_position(data, board)
    orders, corrected, unread = _read(data.get("orders") or {}, position)
    try:
        result = adjudicate(position, orders, rules)
    except ValueError as error:
        raise BadPhase(str(error)) from error
    answer: dict[str, Any] = {"id": data.get("id")}
    answer |= _position(result)
    answer["outcomes"] = _outcomes(result, explained=explained)
    answer["corrected"] = corrected
    answer["unread"] = unread
    return answer


def read_position(data: Mapping[str, Any], board: Board) -> Position:
    """The position that an object describes. Units are numbered as they stand there."""
    try:
        phase = Phase.read(str(data["phase"]))
    except KeyError:
        raise BadPhase('there is no "phase"; write one such as "S1901M"') from None
    except ValueError as error:
        raise BadPhase(str(error)) from None
    units: list[Unit] = []
    for power, lines in _mapping(data, "units").items():
        for line in _lines(lines, f"units of {power}"):
            units.append(_unit(line, power, board, len(units) + 1))
    retreating: list[Dislodged] = []
    for power, waiting in _mapping(data, "dislodged").items():
        for line, options in _items(waiting, f"dislodged of {power}"):
            unit = _unit(line, power, board, len(units) + len(retreating) + 1)
            retreating.append(Dislodged(unit, tuple(str(option).upper() for option in options)))
    _check_occupancy(units)
    if phase.kind == "A" and "centers" not in data:
        raise BadPhase('an adjustment phase needs "centers"')
    next_id = len(units) + len(retreating) + 1
    return Position(board, phase, tuple(units), _owners(data, board), tuple(retreating), next_id=next_id)


def _mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key) or {}
    if not isinstance(value, Mapping):
        raise BadPhase(f'"{key}" is not an object with one entry for each power')
    return value


def _items(value: Any, what: str) -> Iterable[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        raise BadPhase(f'the {what} are not an object such as {{"A BUR": ["GAS", "PAR"]}}')
    return value.items()


def _lines(value: Any, what: str) -> list[str]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
        raise BadPhase(f"the {what} are not a list of texts")
    return list(value)


def _unit(line: str, power: str, board: Board, number: int) -> Unit:
    kind, _, at = line.strip().upper().partition(" ")
    if power not in board.powers:
        raise BadPhase(f"there is no power {power!r} on this board; there are {', '.join(board.powers)}")
    if kind not in board.kinds or not board.can_stand(kind, at.strip()):
        raise BadPhase(f"{line!r} cannot stand anywhere; write units like A PAR or F SPA/SC")
    return Unit(number, kind, at.strip(), power, at.strip())


def _check_occupancy(units: list[Unit]) -> None:
    crowded = [place for place, count in Counter(province_of(unit.at) for unit in units).items() if count > 1]
    if crowded:
        raise BadPhase(f"there are two units in {crowded[0]}; only one can be in a space (VII.1)")


def _owners(data: Mapping[str, Any], board: Board) -> Mapping[str, str]:
    owners: dict[str, str] = {}
    for power, centres in _mapping(data, "centers").items():
        if power not in board.powers:
            raise BadPhase(f"there is no power {power!r} on this board; there are {', '.join(board.powers)}")
        for centre in _lines(centres, f"centers of {power}"):
            code = centre.strip().upper()
            if code not in board.centres:
                raise BadPhase(f"{centre!r} is no supply centre of this board")
            owners[code] = power
    return MappingProxyType(owners)


def _read(orders: Any, position: Position) -> tuple[list[Order], list[dict[str, Any]], list[dict[str, Any]]]:
    """The orders that were understood, the corrections that were made, and what was not understood."""
    if not isinstance(orders, Mapping):
        raise BadPhase('"orders" is not an object with one entry for each power')
    understood: list[Order] = []
    corrected: list[dict[str, Any]] = []
    unread: list[dict[str, Any]] = []
    for power, lines in orders.items():
        for line in _lines(lines, f"orders of {power}"):
            for reading in read_orders(
                line, position, power if power in position.board.powers else None, options=READING
            ):
                if reading.order is not None and reading.problem is None:
                    understood.append(reading.order)
                    if reading.corrected:
                        corrected.append({"power": power, "text": reading.text, "order": str(reading.order)})
                elif reading.problem is not None:
                    unread.append(_unread(power, reading))
    return understood, corrected, unread


def _unread(power: str, reading: Reading) -> dict[str, Any]:
    assert reading.problem is not None
    candidates = [str(candidate) for candidate in reading.problem.candidates]
    return {"power": power, "text": reading.text, "reason": reading.problem.slug, "candidates": candidates}


def _position(result: Adjudication) -> dict[str, Any]:
    """Units, dislodged units and centres after the phase."""
    units: dict[str, list[str]] = {}
    dislodged: dict[str, dict[str, list[str]]] = {}
    centers: dict[str, list[str]] = {}
    for unit in result.after.units:
        units.setdefault(unit.power, []).append(str(unit))
    for each in (*result.after.dislodged, *result.destroyed):
        dislodged.setdefault(each.unit.power, {})[str(each.unit)] = list(each.options)
    for centre in result.before.board.centres:
        if owner := result.after.owners.get(centre):
            centers.setdefault(owner, []).append(centre)
    return {"units": units, "dislodged": dislodged, "centers": centers}


def _outcomes(result: Adjudication, *, explained: bool) -> dict[str, Any]:
    """Unit (or new unit) -> what became of its order; several for one name are numbered #1, #2."""
    named = [(_name(outcome), outcome) for outcome in result.outcomes]
    often = Counter(name for name, _ in named)
    sentences = explain_all(result) if explained else ()
    seen: Counter[str] = Counter()
    told: dict[str, Any] = {}
    for place, (name, outcome) in enumerate(named):
        seen[name] += 1
        entry = _outcome(outcome, result.before)
        if explained:
            entry["explain"] = sentences[place]
        told[f"{name}#{seen[name]}" if often[name] > 1 else name] = entry
    return told


def _name(outcome: Outcome) -> str:
    order = outcome.order
    if isinstance(order, Waive):
        return f"{order.power} WAIVE"
    return str(getattr(order, "unit", None) or str(order)[: -len(" B")])


def _outcome(outcome: Outcome, before: Position) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "order": canonical(outcome, before),
        "result": [str(result) for result in outcome.results],
        "reason": outcome.reason,
        "by": [str(unit) for unit in outcome.by],
    }
    if outcome.strengths:
        entry["strengths"] = list(outcome.strengths)
    return entry


def canonical(outcome: Outcome, before: Position) -> str:
    """An order in canonical notation; VIA too where the army was convoyed to a place it could have walked to."""
    order = outcome.order
    by_sea = isinstance(order, Move) and outcome.reason == "convoyed" and not order.via
    if by_sea and isinstance(order, Move) and can_reach(before, order.unit, order.to):
        return f"{order} VIA"
    return str(order)
