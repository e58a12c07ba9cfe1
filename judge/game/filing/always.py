"""Orders that always stand: for every movement phase in which nothing else is ordered for their unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.adjudicate.legality import legality
from judge.board.phase import PhaseKind
from judge.game.core.commands import Actor, Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.events import Event, Json
from judge.game.core.model import Begun, Game
from judge.game.core.parts import Sheet
from judge.game.core.registry import Feature
from judge.game.filing.read import filed, options_of
from judge.game.instructions.kinds import FiledOrder, bound, placed, placed_from_json, placed_to_json
from judge.orders.kinds import kind_of
from judge.orders.model import UnitOrder
from judge.orders.reader import read_line
from judge.orders.spelled import order_words


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
        return Refusal("no-seat", f"Only the players of {game.key} order units, once it has begun.")
    if not command.order:
        events = tuple(
            AlwaysChanged(at=context.now, by=seat.id, power=power, orders=[])
            for power in seat.powers
            if game.always.get(power)
        )
        return Decision(events, said="No order of yours stands for always any more.")
    position = replace(game.position, phase=game.calendar.moves_before(game.position.phase))
    for power in seat.powers:
        readings = read_line(command.order, position, power, options=options_of(game, power))
        order = readings[0].order if len(readings) == 1 and readings[0].problem is None else None
        if isinstance(order, UnitOrder) and kind_of(order).standing:
            return _always(game, power, order, context)
    problem = readings[0].problem if readings else None
    sentence = problem.sentence if problem else "That is not an order for one unit in a movement phase."
    offered = [str(one) for one in problem.candidates] if problem else []
    return Refusal("always-unclear", sentence, mend=f"always {offered[0]}" if offered else "")


def _always(game: Game, power: str, order: UnitOrder, context: Context) -> Decision:
    standing = placed(order)
    others = (old for old in game.always.get(power, ()) if old.unit != standing.unit)
    orders = [placed_to_json(each) for each in (*others, standing)]
    event = AlwaysChanged(at=context.now, by=context.seat, power=power, orders=orders)
    words = order_words(order, game.board)
    said = f"From the next turn on {words} stands whenever you order nothing else for that unit."
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


FEATURE = Feature(evolve={AlwaysChanged: _always_changed}, decide={Always: always})
