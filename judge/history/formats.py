"""Played phases in the formats of other programs: saved games of the Python package `diplomacy`, cases as DATC files
have them, results as njudge printed them.

The first two have positions, orders and what became of them, and nothing else of a game.

Njudge's is written out line by line, for the mappers and statistics that read such mails: its words are no words of
ours. It tells what the report tells, and nothing that the report does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from textwrap import wrap
from typing import Any

from judge.adjudicate.duty import duties, duty
from judge.adjudicate.outcome import Result
from judge.board.model import Board, Location, province_of
from judge.board.phase import SEASONS, Phase, PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.game.core.events import PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game
from judge.history.phases import OrderResult, PlayedPhase, read_out
from judge.languages import ENGLISH
from judge.orders.model import Build, Convoy, Disband, Misorder, Move, Order, Retreat, Support, Waive
from judge.orders.spelled import adjective, listed
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


_WIDTH = 78
_NJUDGE_KINDS = {"A": "Army", "F": "Fleet"}
_COASTS = {"(nc)": "(north coast)", "(sc)": "(south coast)", "(ec)": "(east coast)", "(wc)": "(west coast)"}
_TAGS = {
    Result.BOUNCED: "bounce", Result.CUT: "cut", Result.VOID: "void", Result.ILLEGAL: "void",
    Result.NO_CONVOY: "no convoy", Result.DISLODGED: "dislodged",
}  # fmt: skip
_TITLES = {
    PhaseKind.MOVES: "Movement results",
    PhaseKind.RETREATS: "Retreat orders",
    PhaseKind.ADJUSTMENTS: "Adjustment orders",
    PhaseKind.TALKS: "Negotiations",
}
_PHASES = {
    PhaseKind.MOVES: "Movement",
    PhaseKind.RETREATS: "Retreats",
    PhaseKind.ADJUSTMENTS: "Adjustments",
    PhaseKind.TALKS: "Negotiations",
}
_IN_YEAR = {
    ("S", PhaseKind.MOVES): 1, ("S", PhaseKind.RETREATS): 2, ("F", PhaseKind.MOVES): 3, ("F", PhaseKind.RETREATS): 4,
}  # fmt: skip
_A_YEAR = 5
_LETTERS = {PhaseKind.MOVES: "M", PhaseKind.RETREATS: "R", PhaseKind.ADJUSTMENTS: "B", PhaseKind.TALKS: "N"}


@dataclass(frozen=True, slots=True)
class _NjudgeReport:
    """One game's results, being printed."""

    game: Game
    board: Board

    def lines(self, played: Sequence[PlayedPhase], final: Position, judge: str) -> Iterator[str]:
        """All lines, unbroken; an empty one parts the blocks."""
        variant = "Standard Gunboat" if self.game.settings.anonymous else "Standard"
        if self.board.key != "standard":
            variant = self.board.title
        yield f":: Judge: {judge}  Game: {self.game.key}  Variant: {variant}"
        if self.game.deadline is not None:
            yield f":: Deadline: {_code(self.game.deadline.phase)} {_moment(self.game.deadline.at)}"
        for phase in played:
            yield ""
            yield from self._phase(phase)
        if played and _counted(played, final):
            yield ""
            yield from self._ownership(final)
        if self.game.deadline is not None:
            kind = _PHASES[self.game.deadline.phase.kind]
            yield ""
            yield f"The next phase of '{self.game.key}' will be {kind} for {self._season(self.game.deadline.phase)}."
            yield f"The deadline for orders will be {_moment(self.game.deadline.at)}."

    def _season(self, phase: Phase) -> str:
        return f"{self.game.calendar.title(phase).split()[0]} of {phase.year}"

    def _phase(self, played: PlayedPhase) -> Iterator[str]:
        phase = played.phase
        yield f"{_TITLES[phase.kind]} for {self._season(phase)}. ({self.game.key}.{self._number(phase):03})"
        yield ""
        for power in self.board.powers:
            rows = [result for result in played.results if result.power == power]
            yield from (f"{self._name(power)}: {self._order(result, played)}" for result in rows)
        dislodged = list(self._dislodged(played)) if phase.kind is PhaseKind.MOVES else []
        if dislodged:
            yield ""
            yield "The following units were dislodged:"
            yield ""
            yield from dislodged

    def _number(self, phase: Phase) -> int:
        """A number that grows with every phase; njudge counts those that were played."""
        years = phase.year - self.board.first_phase.year
        return max(0, years) * _A_YEAR + _IN_YEAR.get((phase.season, phase.kind), _A_YEAR)

    def _name(self, power: str) -> str:
        """njudge's own names are one word: "Austria"."""
        return self.board.powers[power].name.partition("-")[0]

    def _place(self, location: Location) -> str:
        return _names(self.board).get(location, location)

    def _unit(self, unit: Unit, reader: str = "") -> str:
        whose = f"{adjective(unit.power, self.board)} " if reader and unit.power != reader else ""
        return f"{whose}{_NJUDGE_KINDS.get(unit.kind, unit.kind)} {self._place(unit.at)}"

    def _order(self, result: OrderResult, played: PlayedPhase) -> str:
        said = self._said(result.order, result, played)
        tags = [_TAGS[one] for one in result.results if one in _TAGS and said[-1:] == "."]
        return f"{said} (*{', '.join(dict.fromkeys(tags))}*)" if tags else said

    def _said(self, order: Order, result: OrderResult, played: PlayedPhase) -> str:
        own = result.power
        match order:
            case Build(_, kind, at):
                return f"Builds {'an army' if kind == 'A' else 'a fleet'} in {self._place(at)}."
            case Waive():
                return "Build waived." if result.given else "1 build pending."
            case Disband(unit) if played.phase.kind is PhaseKind.ADJUSTMENTS:
                return f"Removes the {_NJUDGE_KINDS.get(unit.kind, unit.kind).lower()} in {self._place(unit.at)}."
            case Disband(unit):
                return f"{self._unit(unit)} DISBAND."
            case Move(unit, to):
                way = [self._place(each) for each in (*self._seas(unit, to, result, played), to)]
                return f"{self._unit(unit)} -> {' -> '.join(way)}."
            case Retreat(unit, to):
                return f"{self._unit(unit)} -> {self._place(to)}."
            case Support(unit, of, to):
                return f"{self._unit(unit)} SUPPORT {self._unit(of, own)}{f' -> {self._place(to)}' if to else ''}."
            case Convoy(unit, of, to):
                return f"{self._unit(unit)} CONVOY {self._unit(of, own)} -> {self._place(to)}."
            case _:
                stands = result.given and result.unit is not None and Result.ILLEGAL not in result.results
                named = self._unit(order.unit)
                return f"{named} HOLD." if stands else f"{named}, No Order Processed."

    def _seas(self, unit: Unit, to: Location, result: OrderResult, played: PlayedPhase) -> Sequence[Location]:
        """The seas of a convoy: those of the fleets that were ordered to carry this army there, in its way's order."""
        order = result.order
        if isinstance(order, Move) and order.route:
            return tuple(step for step in order.route if province_of(step) not in map(province_of, (unit.at, to)))
        if unit.kind != "A" or to in self.board.reach("A", unit.at):
            return ()
        fleets = [
            each.order.unit.at
            for each in played.results
            if isinstance(each.order, Convoy) and each.order.of == unit and each.order.to == to
        ]
        return _in_order(self.board, unit.at, to, fleets)

    def _dislodged(self, played: PlayedPhase) -> Iterator[str]:
        for lost in played.after.dislodged:
            unit = self._driven_out(lost.unit)
            options = listed(map(self._place, lost.options), last="or")
            yield f"{unit} can retreat to {options}." if lost.options else f"{unit} was destroyed."
        for result in played.results:
            if result.unit and {Result.DISLODGED, Result.DISBANDED} <= set(result.results):
                yield f"{self._driven_out(result.unit)} was destroyed."

    def _driven_out(self, unit: Unit) -> str:
        kind = _NJUDGE_KINDS.get(unit.kind, unit.kind)
        return f"The {adjective(unit.power, self.board)} {kind} in {self._place(unit.at)}"

    def _ownership(self, final: Position) -> Iterator[str]:
        yield "Ownership of supply centers:"
        yield ""
        for power in self.board.powers:
            if centres := final.centres(power):
                yield f"{self._name(power)}: {', '.join(map(self._place, centres))}."
        if free := [code for code in self.board.centres if code not in final.owners]:
            yield f"Unowned: {', '.join(map(self._place, free))}."
        yield ""
        for power in self.board.powers:
            owned, units = len(final.centres(power)), len(final.of(power))
            if owned or units:
                counts = f"{_few(owned, 'Supply center')}, {_few(units, 'Unit')}"
                yield f"{self._name(power)}: {counts}: {self._due(final, power, owned - units)}"

    def _due(self, final: Position, power: str, balance: int) -> str:
        winter = final.phase.kind is PhaseKind.ADJUSTMENTS
        due = duty(final, power, self.game.rules) if winter else None
        if due is not None and due.removals:
            said = f"Removes {_few(due.removals, 'unit')}."
        else:
            said = f"Builds {_few(due.builds if due is not None else max(0, balance), 'unit')}."
        seat = self.game.seat_of(power)
        return said if seat is not None and seat.filled else f"{said} (* CD *)"


def njudge_lines(
    game: Game, events: Sequence[PhaseAdjudicated | PhaseSkipped], final: Position, judge: str
) -> tuple[str, ...]:
    """The results of these phases in njudge's layout, `judge` as its name, broken at 78 columns; empty where nothing
    was played.
    """
    played = [read_out(event, game) for event in events if isinstance(event, PhaseAdjudicated)]
    if not played:
        return ()
    lines = _NjudgeReport(game, game.board).lines(played, final, judge)
    return tuple(part for line in lines for part in _broken(line))


def _broken(line: str) -> Sequence[str]:
    """A line as it is printed; most fit."""
    return wrap(line, _WIDTH, subsequent_indent="   ") if len(line) > _WIDTH else (line.rstrip(),)


@lru_cache(maxsize=64)
def _names(board: Board) -> Mapping[Location, str]:
    """The places of a board with their coasts in full: "St Petersburg (south coast)"."""
    names = dict(board.spelled_in[ENGLISH.code])
    for short, coast in _COASTS.items():
        names = {at: name.replace(short, coast) for at, name in names.items()}
    return names


def _counted(played: Sequence[PlayedPhase], final: Position) -> bool:
    """Whether the turn ended a year's moves, so that the centres were counted."""
    return any(phase.phase.season == "F" for phase in played) and final.phase.kind is not PhaseKind.RETREATS


def _in_order(board: Board, start: Location, goal: Location, fleets: Sequence[Location]) -> tuple[Location, ...]:
    """The shortest way by sea over these fleets, by breadth; as they come where there is none."""
    ways: list[tuple[Location, ...]] = [(each,) for each in fleets if _touch(board, each, start)]
    seen: set[Location] = set()
    while ways:
        way = ways.pop(0)
        if _touch(board, way[-1], goal):
            return way
        for each in fleets:
            if each not in way and each not in seen and each in board.reach("F", way[-1]):
                seen.add(each)
                ways.append((*way, each))
    return tuple(fleets)


def _touch(board: Board, sea: Location, land: Location) -> bool:
    return province_of(land) in map(province_of, board.reach("F", sea))


def _few(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _code(phase: Phase) -> str:
    """njudge's own code of a phase: "W1901B" for adjustments."""
    return f"{phase.season}{phase.year}{_LETTERS[phase.kind]}"


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%a %b %d %Y %H:%M:%S +0000")
