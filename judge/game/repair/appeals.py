"""Appeals: a player doubts what became of an order; the Gamemaster looks into it, and everybody reads what they found.

An appeal is about one order of results that count. It changes nothing by itself and holds nothing up; where the
Gamemaster finds that the results are wrong they put them right with the commands that there are for that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.adjudicate.outcome import outcomes_from_json
from judge.board.position import Position, position_to_json
from judge.board.unit import Unit
from judge.game.core import events as ev
from judge.game.core.affairs import Appeal
from judge.game.core.altering import altered
from judge.game.core.commands import Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Played
from judge.game.core.registry import Feature
from judge.orders.model import Build, Order, Waive, power_of
from judge.orders.reader import read_orders
from judge.orders.spelled import order_words
from judge.orders.stored import units_of

MOST_OPEN = 3
"""Appeals of one seat that wait for an answer."""
LONGEST = 2000
STANDS, AMENDED, WITHDRAWN = "stands", "amended", "withdrawn"


@dataclass(frozen=True, slots=True)
class MakeAppeal(Command):
    """What became of the order in `line` is doubted. `phase`: whose results, "" for the last; `words`: why."""

    line: str
    phase: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class DecideAppeal(Command):
    """The Gamemaster's answer: the results stand, or are amended, and why."""

    number: int
    stands: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class WithdrawAppeal(Command):
    """Its author doubts no more."""

    number: int


@dataclass(frozen=True, slots=True)
class ReopenAppeal(Command):
    """The answer is taken back; the appeal waits for another one."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealMade(ev.Event, told="number,phase,order"):
    """`power`, `order`: the order in doubt, canonical; `version`: of the results."""

    number: int
    phase: str
    version: int
    power: str
    order: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecided(ev.Event, told="number,how,why"):
    """`how`: "stands" or "amended"."""

    number: int
    how: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealWithdrawn(ev.Event, told="number"):
    """Its author has taken it back."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealReopened(ev.Event, told="number"):
    """The Gamemaster has taken their answer back."""

    number: int


def appeal(game: Game, command: MakeAppeal, context: Context) -> Decision | Refusal:
    """Put one order of past results before the Gamemaster."""
    actor = context.actor
    if actor.role is Role.GM:
        return Refusal("gm", "Only players make appeals; you answer them, and may look at any phase with `history`.")
    if actor.role is not Role.PLAYER or context.seat not in game.seats:
        return Refusal("no-seat", f"Only the players of {game.key} appeal; others may write to its Gamemaster.")
    played = _played(game, command.phase)
    if isinstance(played, Refusal):
        return played
    found = _doubted(played, command.line)
    if isinstance(found, Refusal):
        return found
    phase, version = played.event.phase, played.event.version
    if (refusal := _again(game, context.seat, phase, version, str(found), power_of(found))) is not None:
        return refusal
    event = AppealMade(
        at=context.now, by=context.seat, number=game.appeals_made + 1, phase=phase, version=version,
        power=power_of(found), order=str(found), words=command.words.strip()[:LONGEST],
    )  # fmt: skip
    said = f"Your appeal {event.number} is with the Gamemaster: {game.calendar.title(phase)}, "
    said += f"{order_words(found, game.board)}. Everybody reads what they decide; until then the results stand."
    return Decision((event,), said=said)


def _played(game: Game, phase: str) -> Played | Refusal:
    """The results that are meant, if they count and are remembered."""
    if game.replay is not None and (not phase or phase in [taken.event.phase for taken in game.replay.taken]):
        what = phase or game.replay.phase
        sentence = f"The results of {what} were taken back and do not count; new ones will follow."
        return Refusal("taken-back", sentence, mend="status")
    if not game.past:
        return Refusal("nothing-played", f"{game.key} has no results yet, so there is nothing to appeal.")
    if not phase:
        return next((one for one in reversed(game.past) if one.event.outcomes), game.past[-1])
    found = [one for one in game.past if one.event.phase.startswith(phase)]
    if found:
        return found[0]
    known = ", ".join(one.event.phase for one in game.past)
    return Refusal("no-such-results", f"{phase} is not among the results that can be appealed: {known}.", "history")


def _doubted(played: Played, line: str) -> Order | Refusal:
    """The order of a phase that a line names: by its unit, whatever the line says that it did."""
    position = _position(played)
    units = units_of(position)
    orders = [order for order, _ in outcomes_from_json(played.event.outcomes, units)]
    readings = [reading.order for reading in read_orders(line, position, None) if reading.order is not None]
    phase = played.event.phase
    for wanted in readings:
        same = [order for order in orders if _plain(order) == _plain(wanted) and power_of(order) == power_of(wanted)]
        if same:
            return same[0]
    unit = next(filter(None, map(_unit, readings)), None)
    other = next((order for order in orders if unit is not None and _unit(order) == unit), None)
    if other is not None:
        told = order_words(other, position.board)
        sentence = f'No order of {phase} reads "{line.strip()[:60]}"; that unit\'s is {told}.'
        return Refusal("no-such-line", sentence, mend=f"appeal {phase} {told}")
    sentence = f'No order of {phase} reads "{line.strip()[:60]}". Copy the line from the results.'
    return Refusal("no-such-line", sentence, mend=f"history {phase}")


def _plain(order: Order) -> str:
    """An order in codes; whether it says that it goes by sea is of no matter."""
    return str(order).removesuffix(" VIA")


def _unit(order: Order) -> Unit | None:
    return None if isinstance(order, (Build, Waive)) else order.unit


def _position(played: Played) -> Position:
    return played.before.position


def whole_event(played: Played) -> ev.PhaseAdjudicated:
    """The event of a remembered phase, with the position in which it began."""
    event: ev.PhaseAdjudicated = replace(played.event, before=position_to_json(_position(played)))
    return event


def _again(game: Game, seat: str, phase: str, version: int, order: str, power: str) -> Refusal | None:
    """Why an order is not appealed once more: it waits for an answer already, or has one."""
    for one in game.appeals.values():
        if (one.phase, one.version, one.order, one.power) != (phase, version, order, power):
            continue
        if not one.how:
            return Refusal("already", f"Appeal {one.number} is about that order already, and waits for an answer.")
        if one.how != WITHDRAWN:
            return Refusal("decided", f"Appeal {one.number} was about that order: the Gamemaster has answered it.")
    if sum(one.by == seat and not one.how for one in game.appeals.values()) >= MOST_OPEN:
        return Refusal("enough", f"{MOST_OPEN} appeals of yours wait for an answer; please wait for one.")
    return None


def decide_appeal(game: Game, command: DecideAppeal, context: Context) -> Decision | Refusal:
    """Answer an appeal, with the reason that everybody reads."""
    found = _open(game, command.number)
    if isinstance(found, Refusal):
        return found
    how = STANDS if command.stands else AMENDED
    if not re.search(r"\w", command.why):  # the dots of our own letter are no reason
        form = f"`appeal {found.number} {how} because`, and then your reason"
        sentence = f"Please say why, because everybody reads it: {form}."
        return Refusal("no-reason", sentence)
    event = AppealDecided(
        at=context.now, by=context.seat, number=found.number, how=how, why=command.why.strip()[:LONGEST]
    )
    said = f"Everybody reads that appeal {found.number} is answered: the results of {found.phase} "
    said += (
        "stand." if command.stands else f"are amended. Put them right now: amend {found.phase}, or correct position."
    )
    return Decision((event,), said=said)


def withdraw(game: Game, command: WithdrawAppeal, context: Context) -> Decision | Refusal:
    """Its author takes an appeal back."""
    found = _open(game, command.number)
    if isinstance(found, Refusal):
        return found
    if found.by != context.seat:
        return Refusal("not-yours", f"Appeal {found.number} is not yours.")
    event = AppealWithdrawn(at=context.now, by=context.seat, number=found.number)
    return Decision((event,), said=f"Appeal {found.number} is withdrawn.")


def reopen_appeal(game: Game, command: ReopenAppeal, context: Context) -> Decision | Refusal:
    """The Gamemaster takes an answer back."""
    found = game.appeals.get(command.number)
    if found is None or not found.how:
        return Refusal("not-answered", f"Appeal {command.number} has no answer that could be taken back.")
    event = AppealReopened(at=context.now, by=context.seat, number=command.number)
    return Decision((event,), said=f"The answer to appeal {command.number} is taken back; everybody is told.")


def _open(game: Game, number: int) -> Appeal | Refusal:
    found = game.appeals.get(number)
    if found is None:
        waiting = ", ".join(str(one.number) for one in game.appeals.values() if not one.how)
        known = f"those that wait for an answer: {waiting}" if waiting else "none waits for an answer"
        return Refusal("no-such-appeal", f"There is no appeal {number} in {game.key}; {known}.")
    if found.how:
        return Refusal("decided", f"Appeal {number} is closed already: {found.how}.")
    return found


# --- state --------------------------------------------------------------------------------------------------------


def _made(game: Game, event: AppealMade) -> Game:
    one = Appeal(event.number, event.by, event.phase, event.version, event.power, event.order, event.words)
    return altered(game, appeals=_with(game, one), appeals_made=event.number)


def _decided(game: Game, event: AppealDecided) -> Game:
    return _closed(game, event.number, event.how)


def _withdrawn(game: Game, event: AppealWithdrawn) -> Game:
    return _closed(game, event.number, WITHDRAWN)


def _reopened(game: Game, event: AppealReopened) -> Game:
    return _closed(game, event.number, "")


def _closed(game: Game, number: int, how: str) -> Game:
    return altered(game, appeals=_with(game, replace(game.appeals[number], how=how)))


def _with(game: Game, one: Appeal) -> MappingProxyType[int, Appeal]:
    return MappingProxyType({**game.appeals, one.number: one})


FEATURE = Feature(
    evolve={
        AppealMade: _made,
        AppealDecided: _decided,
        AppealWithdrawn: _withdrawn,
        AppealReopened: _reopened,
    },
    decide={
        MakeAppeal: appeal,
        DecideAppeal: decide_appeal,
        WithdrawAppeal: withdraw,
        ReopenAppeal: reopen_appeal,
    },
    gm_only=(DecideAppeal, ReopenAppeal),
)
