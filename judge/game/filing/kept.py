"""Orders that are kept: plans under a name, sent with one line when their time has come; orders that always stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.adjudicate.legality import legality
from judge.board.phase import PhaseKind
from judge.game.core.commands import Actor, Command, Context, Decision, OrderLine, Refusal, Role, Status, Verdict
from judge.game.core.events import Event, Json
from judge.game.core.evolve import Feature
from judge.game.core.model import Begun, Game
from judge.game.core.parts import Sheet
from judge.game.filing.conditional import gathered, is_block
from judge.game.filing.judging import read_mail
from judge.game.filing.read import Read, filed, options_of
from judge.game.filing.sheets import file_lines
from judge.game.filing.submitting import ordering
from judge.game.instructions.kinds import FiledOrder, bound, placed, placed_from_json, placed_to_json
from judge.languages import tell, together
from judge.orders.kinds import kind_of
from judge.orders.model import UnitOrder
from judge.orders.reader import looks_like_order, read_line
from judge.orders.reading import EXPANDED
from judge.orders.spelled import order_words

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
        return Refusal("no-seat", tell("Only the players of {game} make plans.", game=game.key))
    name, known = command.name.lower(), game.plans.get(context.seat, {})
    if _NAME.fullmatch(name) is None:
        return Refusal(
            "bad-name",
            tell('"{command}" is not a name for a plan: one word of letters and digits.', command=command.name),
        )
    if not command.lines:
        if name not in known:
            return _unknown(known, name)
        return Decision(
            (PlanMade(at=context.now, by=context.seat, seat=context.seat, name=name),),
            said=tell("Plan {name} is forgotten.", name=name),
        )
    lines = gathered([OrderLine(0, text) for text in command.lines], game.board)
    texts = [line.text for line in lines]
    good = tuple(text for text in texts if is_block(text) or looks_like_order(text, game.board))[:LONGEST]
    if not good:
        return Refusal("no-orders", tell("Plan {name} has no orders in it. Write them below its name.", name=name))
    if name not in known and len(known) >= MOST:
        return Refusal(
            "too-many",
            tell("You have {most} plans already; forget one first.", most=MOST),
            mend=f"forget plan {min(known)}",
        )
    event = PlanMade(at=context.now, by=context.seat, seat=context.seat, name=name, lines=good)
    number = _orders_in(game, context.actor, good)
    count = tell("1 order") if number == 1 else tell("{number} orders", number=number)
    these = tell("this order") if number == 1 else tell("these\u00a0{number}\u00a0orders", number=number)  # one line
    said = tell("Plan {name} is put aside with {count}; nothing is ordered yet.", name=name, count=count)
    left_out = _left_out([text for text in texts if text.strip() and text not in good])
    use = tell("To give {these}, send: use plan {name}", these=these, name=name)
    return Decision((event,), said=together(said, left_out, use))


def _left_out(texts: Sequence[str]) -> str:
    """What is said of lines that are no part of a plan, so that nobody thinks that they were heard."""
    if not texts:
        return ""
    if len(texts) == 1:
        return tell('Left out of it, since it is no order of a plan: "{texts}".', texts=texts[0][:60])
    return tell(
        'Left out of it, since it is no order of a plan: "{texts}" and {number} more.',
        texts=texts[0][:60],
        number=len(texts) - 1,
    )


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
    return replace(
        verdict, status=Status.REFUSED, sentence=tell("This line of the plan is not an order in this phase.")
    )


def _unknown(known: object, name: str) -> Refusal:
    names = ", ".join(sorted(known)) if isinstance(known, (dict, MappingProxyType)) and known else tell("none")
    return Refusal("no-plan", tell('You have no plan "{name}" (your plans: {names}).', name=name, names=names))


def _made(game: Game, event: PlanMade) -> Game:
    plans = {key: value for key, value in game.plans.get(event.seat, {}).items() if key != event.name}
    if event.lines:
        plans[event.name] = event.lines
    return replace(game, plans=MappingProxyType({**game.plans, event.seat: MappingProxyType(plans)}))


@dataclass(frozen=True, slots=True)
class Always(Command):
    """An order that stands whenever its unit is in place and nothing else is ordered; empty: no such orders."""

    order: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlwaysChanged(Event, told="power,orders", version=2):
    """The orders of a power that always stand; all of them, as `judge.game.instructions.kinds` stores them."""

    power: str
    orders: Json


def always(game: Game, command: Always, context: Context) -> Decision | Refusal:
    """Set an order that stands in every movement phase in which nothing else is ordered for its unit."""
    seat = game.seats.get(context.seat)
    if game.position is None or seat is None or context.actor.role is not Role.PLAYER or not seat.powers:
        return Refusal("no-seat", tell("Only the players of {game} order units, once it has begun.", game=game.key))
    if not command.order:
        events = tuple(
            AlwaysChanged(at=context.now, by=seat.id, power=power, orders=[])
            for power in seat.powers
            if game.always.get(power)
        )
        return Decision(events, said=tell("No order of yours stands for always any more."))
    position = replace(game.position, phase=game.calendar.moves_before(game.position.phase))
    for power in seat.powers:
        readings = read_line(command.order, position, power, options=options_of(game, power))
        order = readings[0].order if len(readings) == 1 and readings[0].problem is None else None
        if isinstance(order, UnitOrder) and kind_of(order).standing:
            return _always(game, power, order, context)
    problem = readings[0].problem if readings else None
    sentence = problem.sentence if problem else tell("That is not an order for one unit in a movement phase.")
    offered = [str(one) for one in problem.candidates] if problem else []
    return Refusal("always-unclear", sentence, mend=f"always {offered[0]}" if offered else "")


def _always(game: Game, power: str, order: UnitOrder, context: Context) -> Decision:
    standing = placed(order)
    others = (old for old in game.always.get(power, ()) if old.unit != standing.unit)
    orders = [placed_to_json(each) for each in (*others, standing)]
    event = AlwaysChanged(at=context.now, by=context.seat, power=power, orders=orders)
    words = order_words(order, game.board)
    said = tell("From the next turn on {words} stands whenever you order nothing else for that unit.", words=words)
    return Decision((event,), said=said)


def standing_orders(game: Begun, now: datetime) -> Iterable[Event]:
    """File what always stands, for the units that have no order yet."""
    position = game.position
    for power, orders in game.always.items() if position.phase.kind is PhaseKind.MOVES else ():
        seat, sheet = game.seat_of(power), game.sheets.get(power)
        lines = list(sheet.lines) if sheet else []
        ordered = {line.unit for line in lines}
        for standing in orders:
            order = bound(standing, position, power)
            if order is None or order.unit.id in ordered:
                continue
            if legality(order, position, game.rules) is None:
                lines.append(FiledOrder(str(position.phase), order, f"always {order}"))
        if seat is not None and len(lines) > len(ordered):
            sheet = sheet or Sheet(power, "", 0, ())
            then = replace(sheet, phase=str(position.phase), number=sheet.number + 1, lines=tuple(lines))
            yield filed(then, Context(Actor(Role.PLAYER, seat.id), now))


def _always_changed(game: Game, event: AlwaysChanged) -> Game:
    orders = tuple(placed_from_json(order) for order in event.orders)
    return replace(game, always=MappingProxyType({**game.always, event.power: orders}))


FEATURE = Feature(
    evolve={AlwaysChanged: _always_changed, PlanMade: _made},
    decide={Always: always, MakePlan: make, UsePlan: use},
)
