"""The phases of a game that were played, and when it was in which: read from its events."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from judge.adjudicate.outcome import Outcome, Result, outcomes_from_json
from judge.board.model import Board, province_of
from judge.board.phase import Phase
from judge.board.position import Position
from judge.board.unit import Unit
from judge.game.core.events import Event, GameStarted, PhaseAdjudicated, PhaseSkipped, position_of
from judge.game.core.immutable import remembered_briefly
from judge.game.core.model import Game, Stage
from judge.game.instructions.kinds import Instruction, instruction_from_json
from judge.game.repair.rewriting import RolledBack
from judge.orders.family import units_of
from judge.orders.kinds import Units
from judge.orders.model import Build, Move, Order, Retreat, Waive
from judge.rules.reasons import REASONS


@dataclass(frozen=True, slots=True)
class OrderResult:
    """One order of a phase, what became of it, and what its author wrote.

    `order`, `results`, `reason`: of the `outcome`. `power`: whose order it was; `unit`: the unit that it was for, None
    for builds. `text`: the line as it was sent; "" for an order that nobody gave. `filed`: what stood on file, where
    that was more than the order that was carried out: a condition, a list. `veiled`: units had a part in it whose
    orders are not read out; the outcome does not name them.
    """

    outcome: Outcome
    text: str = ""
    filed: Instruction | None = None
    veiled: bool = False
    order: Order = field(init=False)
    power: str = field(init=False)
    unit: Unit | None = field(init=False)
    results: tuple[Result, ...] = field(init=False)
    reason: str = field(init=False)

    def __post_init__(self) -> None:
        order, end = self.outcome
        put = object.__setattr__
        own = order if isinstance(order, (Build, Waive)) else order.unit
        put(self, "order", order)
        put(self, "power", own.power)
        put(self, "unit", own if isinstance(own, Unit) else None)
        put(self, "results", end.results)
        put(self, "reason", end.reason)

    @property
    def given(self) -> bool:
        """Whether somebody ordered it; the adjudicator answers for units and builds without an order too."""
        return self.reason not in REASONS or not REASONS[self.reason].unordered


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A line that named no unit of its author's, in a game that takes mistakes, and `why` it was no order."""

    power: str
    text: str
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class PlayedPhase:
    """A phase and all that became of it. `version`: 1, or more when its results were amended."""

    phase: Phase
    before: Position
    after: Position
    results: tuple[OrderResult, ...]
    version: int = 1
    missing: tuple[str, ...] = ()
    """Powers processed without any orders of theirs."""
    disorder: tuple[str, ...] = ()
    """Powers in civil disorder."""
    unplaced: tuple[Unplaced, ...] = ()
    whole: bool = True
    """Whether every order is read out. Where some are not, no strengths are told: they would count secret supports."""


def _filed(stored: dict[str, Any] | None, units: Units) -> Instruction | None:
    return instruction_from_json(stored, units) if stored else None


@remembered_briefly
def played_phase(event: PhaseAdjudicated, board: Board, begun: Position | None = None) -> PlayedPhase:
    """The phase that an event tells of. `begun`: where it began, for an event that is kept without that."""
    before = begun or position_of(event.before, board)
    units = units_of(before)
    outcomes = outcomes_from_json(event.outcomes, units)
    results = tuple(
        OrderResult(outcome, each["text"], _filed(each["filed"], units))
        for outcome, each in zip(outcomes, event.outcomes, strict=True)
    )
    after = position_of(event.after, board)
    unplaced = tuple(Unplaced(**one) for one in event.unplaced)
    return PlayedPhase(before.phase, before, after, results, event.version, event.missing, event.disorder, unplaced)


def read_out(event: PhaseAdjudicated, game: Game, begun: Position | None = None) -> PlayedPhase:
    """A phase with the orders that the game's rules have read out to all; with every order once the game is over.

    What became of an order that is read out does not tell of another that is not.
    """
    played, rules = played_phase(event, game.board, begun), game.rules
    if "disclosed" not in rules.around or game.stage is Stage.ENDED:
        return played
    told = tuple(result for result in played.results if rules.disclosed(played.before, result.order))
    secret = {result.unit.id for result in played.results if result not in told and result.unit is not None}
    return replace(
        played, results=tuple(_veiled(result, secret) for result in told), whole=len(told) == len(played.results)
    )


def _veiled(result: OrderResult, secret: Collection[int]) -> OrderResult:
    """A result without strengths, and without the units whose orders are secret, but for those that everybody saw
    standing where the order led.
    """
    end, order = result.outcome.end, result.order
    target = province_of(order.to) if isinstance(order, (Move, Retreat)) else ""
    seen = tuple(unit for unit in end.by if unit.id not in secret or province_of(unit.at) == target)
    outcome = Outcome((order, end._replace(by=seen, strengths=None)))
    return replace(result, outcome=outcome, veiled=seen != end.by)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The phases of a game as they came, each from the moment of its beginning on."""

    moments: tuple[datetime, ...]
    phases: tuple[str, ...]

    def at(self, moment: datetime) -> str:
        """The code of the phase that was to be played then, "" before the start."""
        place = bisect_right(self.moments, moment)
        return self.phases[place - 1] if place else ""


def timeline(events: Iterable[Event]) -> Timeline:
    """The timeline of a game from its log. What was taken back is on it twice."""
    found: list[tuple[datetime, str]] = []
    for event in events:
        if isinstance(event, GameStarted):
            found.append((event.at, event.position["phase"]))
        elif isinstance(event, (PhaseAdjudicated, PhaseSkipped)):
            found.append((event.at, event.after["phase"]))
        elif isinstance(event, RolledBack):
            found.append((event.at, event.phase))
    return Timeline(tuple(at for at, _ in found), tuple(phase for _, phase in found))
