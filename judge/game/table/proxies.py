"""Proxies: for one phase a player lets another order their units, where the house rules allow it (DATC 4.E.5).

A proxy is bound to the phase and to the tenure of its holder, so that it ends by itself when either does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.game.clock import ladder
from judge.game.core.commands import Actor, Command, Context, Decision, OrderLine, Refusal, Role, Submit, over
from judge.game.core.events import Event, OrdersFiled
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Proxy, Seat
from judge.game.core.registry import Feature
from judge.game.filing.advance import phase_to_come
from judge.game.filing.sheets import any_taken, filed_by
from judge.game.filing.submitting import submit
from judge.languages import tell


@dataclass(frozen=True, slots=True)
class GiveProxy(Command):
    """Let the player of a power order one's units in the present phase; empty: nobody any more."""

    power: str = ""


@dataclass(frozen=True, slots=True)
class OrderByProxy(Command):
    """Orders that the holder of a proxy files for a power; its player gets the whole set."""

    power: str
    lines: tuple[OrderLine, ...]
    replace: bool = False
    turn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyGiven(Event, told="seat,holder"):
    """The seat `seat` lets the seat `holder`, in this tenure, order its units in `phase`; `holder` "": nobody."""

    seat: str
    holder: str
    tenure: int
    phase: str


def proxy_of(game: Game, seat: Seat) -> Proxy | None:
    """The proxy that a seat has given, if it holds still."""
    proxy = seat.proxy
    if proxy is None or not game.settings.proxy or proxy.phase != str(game.phase):
        return None
    holder = game.seats.get(proxy.holder)
    return proxy if holder is not None and holder.filled and holder.tenure == proxy.tenure else None


def holds_proxy(game: Game, actor: Actor, power: str) -> bool:
    """Whether a player may order for a power that is not theirs."""
    seat = game.seat_of(power) if power else None
    if seat is None or actor.role is not Role.PLAYER or seat.id == actor.seat:
        return False
    proxy = proxy_of(game, seat)
    return proxy is not None and proxy.holder == actor.seat


def give_proxy(game: Game, command: GiveProxy, context: Context) -> Decision | Refusal:
    """Give one's proxy, give it to another, or take it back."""
    if (closed := _closed(game)) is not None:
        return closed
    seat = game.seats.get(context.seat)
    if context.actor.role is not Role.PLAYER or seat is None or not set(seat.powers) & set(game.survivors):
        return Refusal("no-seat", tell("Only the players of {game} who have units can give a proxy.", game=game.key))
    given = proxy_of(game, seat)
    if not command.power:
        return _taken_back(game, seat, given, context.now)
    name = game.board.powers[command.power].name
    if command.power in seat.powers:
        return Refusal("own-power", tell("You order your own units anyway; give the proxy to another power."))
    holder = game.seat_of(command.power)
    if holder is None or not holder.filled:
        return Refusal("vacant", tell("{name} has no player, so nobody could use your proxy.", name=name))
    if holder not in game.active_seats:
        return Refusal("out", tell("{name} is out of the game; give the proxy to a power that plays.", name=name))
    said = tell(
        "Until {title} is processed, {name} may file orders for you. `proxy off` ends it.",
        title=_title(game),
        name=name,
    )
    if given is not None and given.holder == holder.id:
        return Decision(said=said)
    event = ProxyGiven(
        at=context.now, by=seat.id, seat=seat.id, holder=holder.id, tenure=holder.tenure, phase=str(game.phase)
    )
    return Decision((event,), said=said)


def _taken_back(game: Game, seat: Seat, given: Proxy | None, now: datetime) -> Decision | Refusal:
    if given is None:
        return Refusal("no-proxy", tell("You have given no proxy that could end."))
    event = ProxyGiven(at=now, by=seat.id, seat=seat.id, holder="", tenure=0, phase=str(game.phase))
    return Decision((event,), said=tell("Your proxy has ended. The orders on file stay there until you send new ones."))


def _closed(game: Game) -> Refusal | None:
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", tell("{game} is not running; there is nothing to order yet.", game=game.key))
    if not game.settings.proxy:
        return Refusal(
            "no-proxies", tell("{game} is played without proxies: all players order their own units.", game=game.key)
        )
    return None


def _title(game: Game) -> str:
    return game.phase_title


def order_by_proxy(game: Running, command: OrderByProxy, context: Context) -> Decision | Refusal:
    """File orders for a power under the holder's name. What was on file before stays hidden from them."""
    name = game.board.powers[command.power].name
    seat = game.seat_of(command.power)
    if seat is None or not holds_proxy(game, context.actor, command.power):
        return Refusal("no-proxy", tell("You hold no proxy of {name}.", name=name))
    if command.turn and phase_to_come(game, command.turn) is not None:
        return Refusal(
            "wrong-phase",
            tell("The proxy of {name} is for {title} alone. Nothing was changed.", name=name, title=_title(game)),
        )
    owner = Actor(Role.PLAYER, seat.id, seat.person or 0, context.actor.mail)
    if ladder.is_frozen(game, seat.id):
        return ladder.FROZEN
    wanted = Submit(command.lines, command.power, replace=command.replace, turn=command.turn)
    decision = submit(game, wanted, replace(context, actor=owner), unseen=True)
    if isinstance(decision, Refusal):
        return decision
    if not any_taken(decision):
        return replace(decision, events=())  # their slips are asked back from them, and are no faults of the owner
    events = tuple(
        filed_by(game, event, context.seat) if isinstance(event, OrdersFiled) else event for event in decision.events
    )
    return replace(decision, events=events, said=tell("Filed for {name}; its player gets a copy.", name=name))


def filed_by_proxy(game: Game, event: OrdersFiled) -> bool:
    """Whether somebody else filed these orders than the player whose units they are for: another player, or their
    substitute.
    """
    return event.by in game.seats and (bool(event.deputy) or event.power not in game.seats[event.by].powers)


def _given(game: Game, event: ProxyGiven) -> Game:
    proxy = Proxy(event.holder, event.tenure, event.phase) if event.holder else None
    seat = replace(game.seats[event.seat], proxy=proxy)
    return replace(game, seats=MappingProxyType({**game.seats, event.seat: seat}))


FEATURE = Feature(
    evolve={ProxyGiven: _given},
    decide={GiveProxy: give_proxy, OrderByProxy: order_by_proxy},
)
