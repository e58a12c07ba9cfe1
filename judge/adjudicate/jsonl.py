"""One phase as a JSON object in, its result as a JSON object out: the stateless face of the adjudicator.

The names are an outward contract: `{"id", "phase", "units", "centers", "dislodged", "orders"}` in,
`{"id", "units", "dislodged", "centers", "outcomes", "corrected", "unread"}` out; what a rule system remembers is under
"marks", in and out, where it remembers anything. Orders are read by the same reader
as mail. Everything comes out in the board's order, whatever the sequence in which it was given. Only the lines of one
power have one: of several orders for one unit the last counts, of too many builds the first, and what was not
understood is told in theirs. Nothing is printed or read from files here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import can_reach
from judge.adjudicate.explain import explain_all
from judge.adjudicate.jsonin import BadPhase, by_power, rank_of, read_position, texts
from judge.adjudicate.outcome import Adjudication, Outcome
from judge.board.model import Board
from judge.board.phase import ADJUSTMENTS
from judge.board.position import Position
from judge.board.unit import ABOARD, ORDINAL, Unit
from judge.orders.family import FAMILY
from judge.orders.filing import spread
from judge.orders.model import Build, Move, Order, UnitOrder, Waive, power_of
from judge.orders.reader import canonical_readers, read_orders
from judge.orders.reading import Problem, Reading, ReadOptions
from judge.rules import Rules
from judge.rules.business import Deed, begun, standing

READING = ReadOptions(permissive=True, exact_codes=True)


def adjudicate_object(
    data: Mapping[str, Any],
    board: Board,
    rules: Rules,
    *,
    explained: bool = False,
    disorder: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """The answer to one object. `disorder`: powers in civil disorder beside those that are in no player's hand.
    Raises BadPhase for anything that is not a phase of this board.
    """
    data, position = opened(data, board, rules)
    result, deeds, corrected, unread = judged(data, position, rules, disorder)
    exchange = rules.exchange()
    answer: dict[str, Any] = {"id": data.get("id")}
    answer |= _position(result)
    if rules.around & {"settled", "judged"} and (marks := _marks(result)):
        answer["marks"] = marks
    answer["outcomes"] = _outcomes(result, explained=explained)
    answer["corrected"] = corrected
    answer["unread"] = unread
    if deeds:
        answer["country"] = [_country(deed, position, rules) for deed in deeds]
    if rules.tells_winner:
        answer["winner"] = rules.winner(result.after)
    return exchange.told(answer, result) if exchange is not None else answer


def opened(data: Mapping[str, Any], board: Board, rules: Rules) -> tuple[Mapping[str, Any], Position]:
    """An object as every system's reader takes it, and its position with all that the system remembers. Raises
    BadPhase.
    """
    exchange = rules.exchange()
    if exchange is None:
        return data, read_position(data, board, rules)
    try:
        plain = exchange.plain(data, board)
        return plain, exchange.taken(data, read_position(plain, board, rules))
    except ValueError as error:
        raise error if isinstance(error, BadPhase) else BadPhase(str(error)) from error


def judged(
    data: Mapping[str, Any], position: Position, rules: Rules, disorder: frozenset[str] = frozenset()
) -> tuple[Adjudication, tuple[Deed, ...], list[dict[str, Any]], list[dict[str, Any]]]:
    """What becomes of the orders of an `opened` object: the result, the lines for countries, the orders that were
    mended and those that cannot be read. Raises BadPhase.
    """
    collapsed = disorder | _nobodys(position, rules)
    deeds = _deeds(data, position, rules)
    orders, corrected, unread = read_all(data, position, rules, collapsed)
    try:
        return adjudicate(position, orders, rules, disorder=collapsed, deeds=deeds), deeds, corrected, unread
    except ValueError as error:
        raise BadPhase(str(error)) from error


def _deeds(data: Mapping[str, Any], position: Position, rules: Rules) -> tuple[Deed, ...]:
    """The lines that are no orders for units: those that begin with a word of the rules' business."""
    words = rules.business() if "business" in rules.around else {}
    found: list[Deed] = []
    for power, lines in by_power(data, "orders", position.board) if words else ():
        for line in texts(lines, f"orders of {power}") if lines is not None else ():
            if (read := begun(line, words)) is not None:
                found.append(Deed(power, read[0], tuple(read[1].split())))
    return standing(found, words.get)


def _country(deed: Deed, position: Position, rules: Rules) -> dict[str, Any]:
    fault = rules.business()[deed.word].fault(position, deed)
    result, reason = ("illegal", fault) if fault else ("ok", deed.word)
    return {"power": deed.power, "order": str(deed).upper(), "result": [result], "reason": reason}


def _nobodys(position: Position, rules: Rules) -> frozenset[str]:
    """The powers that are in no player's hand at this moment: they are in civil disorder."""
    given = rules.for_players(position.board)
    others = (power for power in position.board.powers if power not in given)
    return frozenset([power for power in others if rules.authority(position, power) in (None, power)])


def read_all(
    data: Mapping[str, Any], position: Position, rules: Rules, disorder: frozenset[str] = frozenset()
) -> tuple[list[Order], list[dict[str, Any]], list[dict[str, Any]]]:
    """The orders that were understood, the corrections that were made, and what was not understood. Units of a power
    in civil disorder hold, whatever is ordered in its name.
    """
    understood: list[Order] = []
    corrected: list[dict[str, Any]] = []
    unread: list[dict[str, Any]] = []
    options = READING if rules.kinds() is FAMILY else replace(READING, kinds=rules.kinds())
    reader_of = canonical_readers(position, options)
    for power, lines in by_power(data, "orders", position.board):
        if power in disorder:
            unread += [_refused(power, line) for line in texts(lines or [], f"orders of {power}")]
            continue
        given = texts(lines, f"orders of {power}") if lines is not None else []
        read = list(map(reader_of(power), given))
        if all(read):
            understood += read  # type: ignore[arg-type]
            continue
        own: list[Reading] = []
        for line, order in zip(given, read, strict=True):
            if order is not None:
                own.append(Reading(0, line, order))
            elif not _is_deed(line, rules):
                own += read_orders(line, position, power, options=options)
        for reading in spread(own, position):
            if reading.problem is not None:
                unread.append(_unread(power, reading.text, reading.problem))
            elif reading.order is not None:
                understood.append(reading.order)
                if reading.corrected:
                    corrected.append({"power": power, "text": reading.text, "order": str(reading.order)})
    return understood, corrected, unread


def _refused(power: str, text: str) -> dict[str, Any]:
    return {"power": power, "text": text, "reason": "civil-disorder", "candidates": []}


def _is_deed(line: str, rules: Rules) -> bool:
    return "business" in rules.around and begun(line, rules.business()) is not None


def _unread(power: str, text: str, problem: Problem) -> dict[str, Any]:
    candidates = [str(candidate) for candidate in problem.candidates]
    return {"power": power, "text": text, "reason": problem.slug, "candidates": candidates}


def _position(result: Adjudication) -> dict[str, Any]:
    """Units, dislodged units and centres after the phase."""
    units: dict[str, list[str]] = {}
    dislodged: dict[str, dict[str, list[str]]] = {}
    centers: dict[str, list[str]] = {}
    for unit in _in_order(result):
        units.setdefault(unit.power, []).append(str(unit))
    for each in (*result.after.dislodged, *result.destroyed):
        dislodged.setdefault(each.unit.power, {})[str(each.unit)] = list(each.options)
    for centre in result.before.board.centres:
        if owner := result.after.owners.get(centre):
            centers.setdefault(owner, []).append(centre)
    return {"units": units, "dislodged": dislodged, "centers": centers}


def _marks(result: Adjudication) -> dict[str, dict[str, dict[str, str]]]:
    """What the rules remember: of units by their names, of powers, of spaces. The number of a unit is in its name."""
    position = result.after
    everybody = (*position.units, *(each.unit for each in (*position.dislodged, *result.destroyed)))
    shared = Counter(str(unit) for unit in everybody)
    known = {
        f"{unit.power} {unit}" if shared[str(unit)] > 1 else str(unit): {
            name: text for name, text in unit.marks if name != ORDINAL
        }
        for unit in everybody
        if unit.marks
    }
    ids = {unit.id: str(unit) for unit in everybody}
    for name, marks in known.items():
        if ABOARD in marks:
            known[name] = {**marks, ABOARD: ids.get(int(marks[ABOARD]), marks[ABOARD])}
    powers = position.board.powers
    parts = {
        "units": {name: marks for name, marks in known.items() if marks},
        "powers": {key: dict(marks) for key, marks in position.marks.items() if key in powers},
        "spaces": {key: dict(marks) for key, marks in position.marks.items() if key in position.board.provinces},
    }
    return {part: marks for part, marks in parts.items() if marks}


def _in_order(result: Adjudication) -> Sequence[Unit]:
    """The units after the phase; new ones come last, not as they were ordered but in the board's order."""
    units = result.after.units
    if result.before.phase.kind is not ADJUSTMENTS:
        return units
    board, old = result.before.board, [unit for unit in units if unit.id < result.before.next_id]
    new = [unit for unit in units if unit.id >= result.before.next_id]
    return [*old, *sorted(new, key=lambda unit: rank_of(board, unit.power, unit.at))]


def _outcomes(result: Adjudication, *, explained: bool) -> dict[str, Any]:
    """Unit (or new unit) -> what became of its order; several for one name are numbered #1, #2."""
    outcomes, before = result.outcomes, result.before
    names = [_name(order) for order, _ in outcomes]
    sequence = list(range(len(names)))
    if before.phase.kind is ADJUSTMENTS:
        sequence.sort(key=lambda place: _rank(outcomes[place].order, before.board))
    often = Counter(names) if len(set(names)) < len(names) else {}
    sentences = explain_all(result) if explained else ()
    seen: Counter[str] = Counter()
    told: dict[str, Any] = {}
    for place in sequence:
        name = names[place]
        if often and often[name] > 1:
            seen[name] += 1
            name = f"{name}#{seen[name]}"
        told[name] = _outcome(outcomes[place], before)
        if explained:
            told[name]["explain"] = sentences[place]
    return told


def _rank(order: Order, board: Board) -> tuple[int, int]:
    at = order.at if isinstance(order, Build) else "" if isinstance(order, Waive) else order.unit.at
    return rank_of(board, power_of(order), at)


def _name(order: Order) -> str:
    if isinstance(order, Waive):
        return f"{order.power} WAIVE"
    return str(order.unit) if isinstance(order, UnitOrder) else str(order)[: -len(" B")]


def _outcome(outcome: Outcome, before: Position) -> dict[str, Any]:
    results, reason, by, strengths = outcome.end
    entry: dict[str, Any] = {
        "order": canonical(outcome, before),
        "result": [str(result) for result in results],
        "reason": reason,
        "by": [str(unit) for unit in by],
    }
    if strengths:
        entry["strengths"] = list(strengths)
    return entry


def canonical(outcome: Outcome, before: Position) -> str:
    """An order in canonical notation; VIA too where the army was convoyed to a place it could have walked to."""
    order, end = outcome
    if (
        end.reason == "convoyed"
        and isinstance(order, Move)
        and not order.via
        and can_reach(before, order.unit, order.to)
    ):
        return f"{order} VIA"
    return str(order)
