"""Played phases in the formats of other programs: saved games of the Python package `diplomacy`, cases as DATC files
have them. Positions, orders and what became of them, and nothing else of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from judge.adjudicate.duty import duties
from judge.adjudicate.outcome import Result
from judge.board.phase import SEASONS, Phase, PhaseKind
from judge.board.position import Position
from judge.history.phases import OrderResult, PlayedPhase
from judge.orders.model import Build, Misorder, Retreat, Waive
from judge.rules import Rules

SAVED_RULES = ("NO_PRESS", "POWER_CHOICE")
"""The rules that a saved game names: it has no press in it."""

_RESULTS = {
    Result.BOUNCED: "bounce",
    Result.CUT: "cut",
    Result.VOID: "void",
    Result.ILLEGAL: "void",
    Result.NO_CONVOY: "no convoy",
    Result.DISLODGED: "dislodged",
    Result.DISBANDED: "disband",
}
"""What became of an order in the package's words; what succeeded has none."""


def saved_game(key: str, phases: Sequence[PlayedPhase], now: Position, rules: Rules, *, over: bool) -> dict[str, Any]:
    """A game as `diplomacy.utils.export.from_saved_game_format` reads it. `now`: where everything stands, for the phase
    to come; a game that is `over` ends with the phase "COMPLETED".
    """
    board = now.board
    facts = {"game_id": key, "map": board.key, "rules": list(SAVED_RULES)}
    last = "COMPLETED" if over else str(now.phase)
    told = [
        {
            "name": str(played.phase),
            "state": _state(played.before, str(played.phase), rules) | facts,
            "orders": {power: _orders(played, power) for power in board.powers},
            "results": _results(played),
            "messages": [],
        }
        for played in phases
    ]
    coming = {"name": last, "state": _state(now, last, rules) | facts, "orders": {}, "results": {}, "messages": []}
    return {"id": key, "map": board.key, "rules": list(SAVED_RULES), "phases": [*told, coming]}


def _state(position: Position, name: str, rules: Rules) -> dict[str, Any]:
    powers = position.board.powers
    due = duties(position, rules) if position.phase.kind is PhaseKind.ADJUSTMENTS else {}
    lost = {power: [one for one in position.dislodged if one.unit.power == power] for power in powers}
    return {
        "name": name,
        "note": "",
        "zobrist_hash": "0",
        "units": {power: [*map(str, position.of(power)), *(f"*{one.unit}" for one in lost[power])] for power in powers},
        "retreats": {power: {str(one.unit): list(one.options) for one in lost[power]} for power in powers},
        "centers": {power: list(position.centres(power)) for power in powers},
        "homes": {power: list(position.board.powers[power].homes) for power in powers},
        "influence": {power: [] for power in powers},
        "civil_disorder": dict.fromkeys(powers, 0),
        "builds": {
            power: {"count": due[power].builds - due[power].removals if power in due else 0, "homes": []}
            for power in powers
        },
    }


def _orders(played: PlayedPhase, power: str) -> list[str]:
    return [str(result.order) for result in played.results if result.given and result.power == power]


def _results(played: PlayedPhase) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for result in played.results:
        if not isinstance(result.order, Waive):
            what = str(result.unit) if result.unit else f"{_built(result)}"
            found[what] = [word for each in result.results if (word := _RESULTS.get(each))]
    return found


def _built(result: OrderResult) -> str:
    order = result.order
    return f"{order.kind} {order.at}" if isinstance(order, Build) else str(order)


# --- cases --------------------------------------------------------------------------------------------------------


def cases(key: str, title: str, phases: Iterable[PlayedPhase], now: Position) -> str:
    """Every phase as a case: the position, the orders, the position behind it; then where everything stands now, as a
    case without orders.
    """
    lines = [f"VARIANT_ALL {now.board.key}", f"# {key}, {title}", ""]
    for played in phases:
        lines += [f"CASE {key} {played.phase}", *_before(played.before)]
        lines += ["ORDERS", *(_ordered(played.before, result) for result in played.results if result.given)]
        lines += ["POSTSTATE", *_units(played.after), *_dislodged("POSTSTATE_DISLODGED", played.after)]
        lines += ["END", ""]
    lines += [f"CASE {key} {now.phase} (to come)", *_before(now), "END", ""]
    return "\n".join(lines)


def _before(position: Position) -> Iterator[str]:
    yield f"PRESTATE_SETPHASE {_phase_name(position.phase)}"
    yield "PRESTATE"
    yield from _units(position)
    yield from _dislodged("PRESTATE_DISLODGED", position)
    yield "PRESTATE_SUPPLYCENTER_OWNERS"
    for power in position.board.powers:
        for code in position.centres(power):
            yield f"    {_name(position, power)}: {code}"


_SEASONS = {season.code: season.name for season in SEASONS}
_KINDS = {PhaseKind.MOVES: "Movement", PhaseKind.RETREATS: "Retreat", PhaseKind.ADJUSTMENTS: "Adjustment"}


def _phase_name(phase: Phase) -> str:
    season = _SEASONS.get(phase.season, phase.season)
    return f"{season} {phase.year}, {_KINDS.get(phase.kind, phase.kind.value)}"


def _name(position: Position, power: str) -> str:
    return position.board.powers[power].name


def _units(position: Position) -> Iterator[str]:
    for unit in position.units:
        yield f"    {_name(position, unit.power)}: {unit}"


def _dislodged(heading: str, position: Position) -> Iterator[str]:
    if position.dislodged:
        yield heading
        for lost in position.dislodged:
            yield f"    {_name(position, lost.unit.power)}: {lost.unit}"


def _ordered(before: Position, result: OrderResult) -> str:
    """A line of orders: retreats are moves there, builds and removals begin with their verb."""
    order = result.order
    text = str(order)
    if isinstance(order, Retreat):
        text = f"{order.unit} - {order.to}"
    elif isinstance(order, Build):
        text = f"Build {order.kind} {order.at}"
    elif isinstance(order, Misorder):
        text = f"{order.unit} H"
    return f"    {_name(before, result.power)}: {text}"
