"""Plans: orders put aside under a name, private to a seat, and sent with one line when their time has come."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from judge.game.core.commands import Actor, Command, OrderLine, Role
from judge.game.core.decision import Context, Decision, Refusal, Status, Verdict
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.game.core.registry import Feature
from judge.game.filing.conditional import gathered, is_block
from judge.game.filing.read import Read
from judge.game.filing.readings import read_mail
from judge.game.filing.sheets import file_lines
from judge.game.filing.submitting import ordering
from judge.orders.reader import looks_like_order
from judge.orders.reading import EXPANDED

MOST = 20
"""Plans of one seat."""
LONGEST = 60
"""Lines of a plan."""
_NAME = re.compile(r"[a-z0-9][\w-]{0,30}")


@dataclass(frozen=True, slots=True)
class MakePlan(Command):
    """Put lines aside under a name; no lines: forget the plan."""

    name: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UsePlan(Command):
    """Order what a plan says, as if it were written here."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMade(Event, told="seat,made"):
    """A seat's plan of this name; without lines it is gone."""

    seat: str
    name: str
    lines: tuple[str, ...] = ()


def make(game: Game, command: MakePlan, context: Context) -> Decision | Refusal:
    """Keep a plan. Its orders are checked when it is used; what is no order at all is left out now."""
    if context.actor.role is not Role.PLAYER or context.seat not in game.seats:
        return Refusal("no-seat", f"Only the players of {game.key} make plans.")
    name, known = command.name.lower(), game.plans.get(context.seat, {})
    if _NAME.fullmatch(name) is None:
        return Refusal("bad-name", f'"{command.name}" is not a name for a plan: one word of letters and digits.')
    if not command.lines:
        if name not in known:
            return _unknown(known, name)
        return Decision(
            (PlanMade(at=context.now, by=context.seat, seat=context.seat, name=name),),
            said=f"Plan {name} is forgotten.",
        )
    lines = gathered([OrderLine(0, text) for text in command.lines], game.board)
    texts = [line.text for line in lines]
    good = tuple(text for text in texts if is_block(text) or looks_like_order(text, game.board))[:LONGEST]
    if not good:
        return Refusal("no-orders", f"Plan {name} has no orders in it. Write them below its name.")
    if name not in known and len(known) >= MOST:
        return Refusal(
            "too-many", f"You have {MOST} plans already; forget one first.", mend=f"forget plan {min(known)}"
        )
    event = PlanMade(at=context.now, by=context.seat, seat=context.seat, name=name, lines=good)
    number = _orders_in(game, context.actor, good)
    count = "1 order" if number == 1 else f"{number} orders"
    these = "this order" if number == 1 else f"these\u00a0{number}\u00a0orders"  # on one line of the receipt
    said = f"Plan {name} is put aside with {count}; nothing is ordered yet."
    said += _left_out([text for text in texts if text.strip() and text not in good])
    return Decision((event,), said=f"{said} To give {these}, send: use plan {name}")


def _left_out(texts: Sequence[str]) -> str:
    """What is said of lines that are no part of a plan, so that nobody thinks that they were heard."""
    if not texts:
        return ""
    more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
    return f' Left out of it, since it is no order of a plan: "{texts[0][:60]}"{more}.'


def _orders_in(game: Game, actor: Actor, lines: Sequence[str]) -> int:
    """How many orders lines hold: several may stand on one, and a condition is one for each unit of it."""
    if game.position is None:
        return len(lines)
    written = [OrderLine(number, text) for number, text in enumerate(lines, 1)]
    by_power = [read_mail(game, power, written, game.position) for power in game.seats[actor.seat].powers]
    return sum(max(1, _most(by_line)) for by_line in zip(*by_power, strict=True))


def _most(by_power: Sequence[Sequence[Read]]) -> int:
    """How many orders a line holds that was read for several powers: what goes for all units, for each of them."""
    like = [[read.reading for read in reads if read.reading.order_like] for reads in by_power]
    every = [sum(EXPANDED in reading.notes for reading in readings) for readings in like]
    return sum(every) + max(len(readings) - count for readings, count in zip(like, every, strict=True))


def use(game: Game, command: UsePlan, context: Context) -> Decision | Refusal:
    """File the orders of a plan; every line is answered as if it came in this mail."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    known, name = game.plans.get(seat.id, {}), command.name.lower()
    if name not in known:
        return _unknown(known, name)
    lines = tuple(OrderLine(0, text) for text in known[name])
    decision = file_lines(game, lines, seat.powers, context, replace_all=False)
    return replace(decision, verdicts=tuple(map(_anyway, decision.verdicts)))


def _anyway(verdict: Verdict) -> Verdict:
    """A line of a plan that is no order in this phase is answered, never passed over."""
    if verdict.status is not Status.IGNORED:
        return verdict
    return replace(verdict, status=Status.REFUSED, sentence="This line of the plan is not an order in this phase.")


def _unknown(known: object, name: str) -> Refusal:
    names = ", ".join(sorted(known)) if isinstance(known, (dict, MappingProxyType)) and known else "none"
    return Refusal("no-plan", f'You have no plan "{name}" (your plans: {names}).')


def _made(game: Game, event: PlanMade) -> Game:
    plans = {key: value for key, value in game.plans.get(event.seat, {}).items() if key != event.name}
    if event.lines:
        plans[event.name] = event.lines
    return replace(game, plans=MappingProxyType({**game.plans, event.seat: MappingProxyType(plans)}))


FEATURE = Feature(
    evolve={PlanMade: _made},
    decide={MakePlan: make, UsePlan: use},
)
