"""Case files: a position, orders, and what becomes of every one of them, under one rule system or several.

The format is explained by example in tests/cases/README.md. Orders are written in canonical notation, and read by a
small reader of their own: a case must be able to say orders that the reader for players would refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from judge.adjudicate import Adjudication, Outcome, adjudicate
from judge.adjudicate.riding import Aboard, Ashore
from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Position, numbered
from judge.board.unit import ABOARD, Unit
from judge.orders.model import Build, Convoy, Disband, Hold, Misorder, Move, Order, Rail, Retreat, Support, Waive
from judge.rules import Rules
from judge.variants import rules_for


class BadCase(ValueError):
    """The case file itself is wrong; the message names the line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a stage: an order (or what happens to a unit without one) and its end."""

    text: str
    given: bool
    """False for lines in parentheses: nobody ordered it, but it is what the unit does."""
    power: str
    """Who ordered it, where the line says so (builds)."""
    end: str
    """Results, and for dislodged units the options: "cut dislodged (AEG SMY)"; with `"reason"` if the case says."""


@dataclass(slots=True)
class Case:
    """A whole file. `stages`: rules -> one list of lines for each phase."""

    title: str = ""
    board: str = "standard"
    phase: str = "S1901M"
    rules: tuple[str, ...] = ()
    units: list[tuple[str, str]] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    marks: dict[str, dict[str, str]] = field(default_factory=dict)
    disorder: list[str] = field(default_factory=list)
    stages: dict[str, list[list[Line]]] = field(default_factory=dict)
    otherwise: tuple[str, ...] = ()
    """Rules under which everything is as in the first block."""


def read_cases(text: str) -> list[Case]:
    """Several cases in one file: what stands above the first title is true of all of them."""
    above, *texts = re.split(r"^(?=# )", text, flags=re.MULTILINE)
    return [read_case(f"{title}\n{above}{rest}") for title, _, rest in (each.partition("\n") for each in texts)]


def read_case(text: str) -> Case:
    """A case from the text of its file; raises BadCase."""
    case = Case()
    current: list[list[Line]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split(" #")[0].rstrip() if not raw.startswith("#") else raw
        try:
            current = _read_line(case, line, current)
        except (ValueError, IndexError, KeyError) as error:
            raise BadCase(f"line {number}: {raw.strip()!r}: {error}") from None
    if not case.stages:
        raise BadCase("the case has no orders")
    return case


def _read_line(case: Case, line: str, current: list[list[Line]]) -> list[list[Line]]:
    if line.startswith("#"):
        case.title = case.title or line.lstrip("# ")
        return current
    if not line:
        return current
    if line.startswith(" "):
        current[-1].append(_order_line(line.strip()))
        return current
    word, _, rest = line.partition(" ")
    if word in ("map", "phase", "rules"):
        _read_header(case, line)
    elif word == "owns":
        power, *centres = rest.split()
        case.owners.update(dict.fromkeys(centres, _power(power)))
    elif word == "marks":
        subject, name, value = rest.split()
        case.marks.setdefault(_power(subject), {})[name] = value
    elif word == "disorder":
        case.disorder += rest.upper().split()
    elif word == "orders":
        return case.stages.setdefault(case.rules[0], [[]])
    elif word == "under":
        names = rest.split()
        stages: list[list[Line]] = [[]]
        case.stages.update(dict.fromkeys(names, stages))
        return stages
    elif word == "then":
        current.append([])
    else:
        case.units += [(_power(word), unit.strip()) for unit in rest.split(",")]
    return current


def _power(word: str) -> str:
    """The key of a power, whose blanks a case writes as underscores."""
    return word.upper().replace("_", " ")


def _read_header(case: Case, line: str) -> None:
    for name, value in re.findall(r"\b(map|phase|rules)\s+(.+?)(?=\s+(?:map|phase|rules)\s|$)", line):
        if name == "map":
            case.board = value
        elif name == "phase":
            case.phase = value
        else:
            case.rules = tuple(value.split())


def _order_line(line: str) -> Line:
    text, arrow, end = line.partition("->")
    if not arrow:
        raise ValueError("a line of orders says what becomes of it, after ->")
    text = text.strip()
    given = not text.startswith("(")
    power, colon, order = text.strip("()").rpartition(":")
    return Line(order.strip(), given, _power(power.strip()) if colon else "", " ".join(end.split()))


def read_order(text: str, position: Position, power: str = "") -> Order:
    """An order in canonical notation, bound to the units of a position; raises ValueError."""
    retreating = [each.unit for each in position.dislodged] if position.phase.kind == "R" else []
    units = {str(unit): unit for unit in (*position.units, *retreating)}
    if text == "WAIVE":
        return Waive(power)
    if match := re.fullmatch(r"([AF]) (\S+) B", text):
        return Build(power or position.board.home_of[province_of(match[2])], match[1], match[2])
    if match := re.fullmatch(r"(. \S+) (H|D)", text):
        return Hold(units[match[1]]) if match[2] == "H" else Disband(units[match[1]])
    if match := re.fullmatch(r"(. \S+) ABOARD (. \S+)", text):
        return Aboard(units[match[1]], units[match[2]])
    if match := re.fullmatch(r"(. \S+) ASHORE", text):
        return Ashore(units[match[1]])
    if match := re.fullmatch(r"(. \S+) RR (\S+)", text):
        return Rail(units[match[1]], match[2])
    if match := re.fullmatch(r"(. \S+) - (\S+)( VIA)?", text):
        return Move(units[match[1]], match[2], via=bool(match[3]))
    if match := re.fullmatch(r"(. \S+) - (\S+(?: - \S+)+)", text):
        *route, to = match[2].split(" - ")
        return Move(units[match[1]], to, route=tuple(route))
    if match := re.fullmatch(r"(. \S+) S (. \S+)(?: - (\S+))?", text):
        return Support(units[match[1]], units[match[2]], match[3])
    if match := re.fullmatch(r"(. \S+) C (. \S+) - (\S+)", text):
        return Convoy(units[match[1]], units[match[2]], match[3])
    if match := re.fullmatch(r"(. \S+) R (\S+)", text):
        return Retreat(units[match[1]], match[2])
    if match := re.fullmatch(r'(. \S+) "(.*)"', text):
        return Misorder(units[match[1]], match[2], "unreadable")
    raise ValueError(f"{text!r} is no order in canonical notation")


def rules_named(name: str) -> Rules:
    """The rules of a name such as "1976" or "1976+paradox=all-hold"."""
    key, *choices = name.split("+")
    return rules_for(key).with_choices(dict(choice.split("=", 1) for choice in choices))


def position_of(case: Case, board: Board) -> Position:
    """The position that a case starts from."""
    units = _aboard(tuple(_unit(number, line, power) for number, (power, line) in enumerate(case.units, 1)))
    return Position(board, Phase.read(case.phase), units, MappingProxyType(dict(case.owners)), marks=case.marks)


def _unit(number: int, line: str, power: str) -> Unit:
    """The unit of "A MAR", or of "A MAR [continent Africa]", of which something is remembered."""
    name, _, mark = line.partition(" [")
    kind, at = name.split()
    named, _, value = mark.rstrip("]").partition(" ")
    return Unit(number, kind, at, power, at, ((named, value),) if mark else ())


def _aboard(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The units, those that are aboard others with the identity of the carrier that they name."""
    named = {str(unit): str(unit.id) for unit in numbered(units)}
    return tuple(unit.marked(ABOARD, named[name]) if (name := unit.mark(ABOARD)) else unit for unit in units)


def play(
    case: Case, board: Board, rules_name: str, stages: list[list[Line]]
) -> Iterator[tuple[Adjudication, list[Line]]]:
    """Adjudicate the stages of a case one after the other."""
    position = position_of(case, board)
    for lines in stages:
        orders = [read_order(line.text, position, line.power) for line in lines if line.given]
        result = adjudicate(position, orders, rules_named(rules_name), disorder=case.disorder)
        yield result, lines
        position = result.after


def differences(case: Case, load: Callable[[str], Board]) -> list[str]:
    """Everything in which the adjudicator and the case disagree, as sentences; empty if they agree."""
    board = load(case.board)
    found: list[str] = []
    for rules_name in dict.fromkeys((*case.rules, *case.stages)):
        stages = case.stages.get(rules_name, case.stages[case.rules[0]])
        for result, lines in play(case, board, rules_name, stages):
            found += [f"under {rules_name}: {sentence}" for sentence in _compare(result, lines)]
    return found


def _compare(result: Adjudication, lines: list[Line]) -> Iterator[str]:
    expected = _grouped((_key(line), line.end) for line in lines)
    actual = _grouped(ends(result))
    for key in {**expected, **actual}:
        wanted, got = expected.get(key, []), actual.get(key, [])
        if len(wanted) < len(got):
            yield f"{key}: the case does not say that it ends {got[-1]!r}"
        elif len(wanted) > len(got):
            yield f"{key}: the case says {wanted[-1]!r}, the adjudicator does not know it"
        for want, have in zip(wanted, got, strict=False):
            if not _agree(want, have):
                yield f"{key}: expected {want!r}, got {have!r}"


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Orders may be given twice (DATC 6.I.7): the ends of each, in order."""
    found: dict[str, list[str]] = {}
    for key, end in pairs:
        found.setdefault(key, []).append(end)
    return found


def _agree(expected: str, actual: str) -> bool:
    """A case may leave the reason out."""
    return expected == actual or ('"' not in expected and expected == actual.partition(' "')[0])


def _key(line: Line) -> str:
    return line.text if line.given else f"({line.text})"


def ends(result: Adjudication) -> Iterator[tuple[str, str]]:
    """Each order as a case writes it, and its end."""
    options = {each.unit.id: each.options for each in result.after.dislodged}
    moving = result.before.phase.kind == "M"
    for outcome in result.outcomes:
        end = " ".join(outcome.results)
        unit = getattr(outcome.order, "unit", None)
        if moving and unit is not None and unit.id in options:
            end += f" ({' '.join(options[unit.id])})"
        yield written(outcome), f'{end} "{outcome.reason}"'


def written(outcome: Outcome) -> str:
    """An order as a case writes it: in parentheses if nobody gave it."""
    order = outcome.order
    if isinstance(order, Misorder):
        return f'{order.unit} "{order.text}"'
    text = (
        " - ".join((str(order.unit), *order.route, order.to)) if isinstance(order, Move) and order.route else str(order)
    )
    return f"({text})" if outcome.reason in _UNORDERED or _is_silent(outcome) else text


_UNORDERED = (
    "no-order", "carried-along", "dislodged-without-order", "no-retreat-ordered", "removed-in-disorder", "unused",
    "retreated-aboard", "lost-aboard",
)  # fmt: skip


def _is_silent(outcome: Outcome) -> bool:
    """A unit that must retreat and stands in the outcomes as holding was given no order."""
    return outcome.reason in ("civil-disorder", "nowhere-to-retreat") and isinstance(outcome.order, Hold)


def read_file(path: Path) -> Case:
    """A case from a file; raises BadCase."""
    return read_case(path.read_text(encoding="utf-8"))
