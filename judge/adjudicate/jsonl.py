"""The stateless face of the adjudicator: one phase as a JSON object in, its result as one out; and the stream of `judge
adjudicate --jsonl`, line by line.

The names are an outward contract: `{"id", "phase", "units", "centers", "dislodged", "orders"}` in,
`{"id", "units", "dislodged", "centers", "outcomes", "corrected", "unread"}` out; what a rule system remembers is under
"marks", in and out, where it remembers anything. Orders are read by the same reader
as mail. Everything comes out in the board's order, whatever the sequence in which it was given. Only the lines of one
power have one: of several orders for one unit the last counts, of too many builds the first, and what was not
understood is told in theirs. Nothing is printed or read from files here.

Whatever a line contains, it is answered, and the next one is read. An `id` comes back as it was written: numbers that
no machine number holds keep their digits.
"""

from __future__ import annotations

import json
import logging
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, BinaryIO

import msgspec

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


log = logging.getLogger("judge.adjudicate")

LONGEST = 1_000_000
"""Bytes of one line. A phase of the largest board takes some ten thousand."""

_DIGITS = 300
"""A whole number of more digits is kept as it was written."""

_ID_FIRST = re.compile(r'\s*\{\s*"id"\s*:\s*')


class Verbatim:
    """A number as it was written, which would not come back the same."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, blank ones left out; of one that is too long its beginning, one byte more than allowed."""
    while line := stream.readline(LONGEST + 1):
        rest = line
        while len(rest) > LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST + 1)
        if line.strip():
            yield line


Options = Callable[[Any], tuple[Board, Rules, frozenset[str]]]
"""What a phase says under "options" -> its board, its rules, the powers in civil disorder. May raise BadPhase."""


def answer_line(
    line: bytes | str, board: Board, rules: Rules, *, explained: bool = False, options: Options | None = None
) -> dict[str, Any]:
    """The answer to one line, whatever it contains: a result, or `{"id", "error"}`. Without a reader of `options` a
    line has none.
    """
    if len(line) > LONGEST:
        return {"id": _id_of(_text(line)), "error": f"this line is longer than {LONGEST} bytes"}
    twice: list[str] = []
    try:
        data = _loads(line, twice)
    except UnicodeDecodeError as error:
        return {"id": None, "error": f"this is no JSON: byte {error.start + 1} is not UTF-8"}
    except RecursionError:
        return {"id": _id_of(_text(line)), "error": "this is nested too deeply"}
    except ValueError as error:
        return {"id": None, "error": f"this is no JSON: {error}"}
    if not isinstance(data, dict):
        return {"id": None, "error": "this is no JSON object"}
    if twice:
        return {"id": data.get("id"), "error": f"the key {twice[0]!r} stands twice in one object"}
    try:
        disorder = frozenset[str]()
        if options is not None:
            board, rules, disorder = options(data.get("options"))
        return adjudicate_object(data, board, rules, explained=explained, disorder=disorder)
    except BadPhase as error:
        flaws = {"flaws": [flaw._asdict() for flaw in error.flaws]} if error.flaws else {}
        return {"id": data.get("id"), "error": str(error), **flaws}
    except Exception as error:  # a mistake of ours in one phase is no reason to leave all later ones unanswered
        log.exception("a line made the adjudicator stumble")
        return {"id": data.get("id"), "error": f"the adjudicator stumbled ({type(error).__name__}); please report it"}


def write_line(answer: dict[str, Any]) -> bytes:
    """An answer as one line of UTF-8. Half characters, which UTF-8 has no bytes for, are written as escapes."""
    rest = {key: value for key, value in answer.items() if key != "id"}
    try:
        number = _written(answer["id"])
        try:
            return f'{{"id": {number}, '.encode() + msgspec.json.format(msgspec.json.encode(rest), indent=0)[1:]
        except (TypeError, UnicodeEncodeError):  # what only the slower writer can write
            text = f'{{"id": {number}, {_dumps(rest)[1:]}'
    except RecursionError:
        return write_line({"id": None, "error": "the id is nested too deeply"})
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join([_escaped(char) if 0xD800 <= ord(char) <= 0xDFFF else char for char in text]).encode()


def _loads(line: bytes | str, twice: list[str]) -> Any:
    """The value of a line; the keys that stand twice in one object are noted. Raises ValueError, RecursionError."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice.extend(key for key, often in Counter([key for key, _ in pairs]).items() if often > 1)
        return found

    text = line if isinstance(line, str) else line.decode("utf-8-sig")
    return json.loads(text, object_pairs_hook=unique, parse_int=_whole, parse_float=_broken, parse_constant=_no_number)


def _whole(text: str) -> int | Verbatim:
    return int(text) if len(text) <= _DIGITS and text != "-0" else Verbatim(text)


def _broken(text: str) -> float | Verbatim:
    number = float(text)
    return number if math.isfinite(number) and repr(number) == text else Verbatim(text)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _text(line: bytes | str) -> str:
    return line if isinstance(line, str) else line.decode("utf-8", "replace")


def _id_of(text: str) -> Any:
    """The id of an object that cannot be read as a whole, where it comes first; else None."""
    start = _ID_FIRST.match(text)
    if start is None:
        return None
    try:
        value, _ = json.JSONDecoder(parse_constant=_no_number).raw_decode(text, start.end())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (str, int)) else None


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _written(value: Any) -> str:
    """A value that was read, as it was written."""
    if isinstance(value, Verbatim):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_dumps(key)}: {_written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return _dumps(value)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}"
