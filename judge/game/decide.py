"""Commands in, events or a refusal out. Pure: the context is handed in, nothing is stored or sent."""

from __future__ import annotations

from dataclasses import replace

from judge.game.clock import ladder
from judge.game.core import commands
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Create, Decision, Refusal, Role, gm_only
from judge.game.core.events import Event
from judge.game.core.evolve import REGISTRY, Systems, evolve
from judge.game.core.model import Begun, Game
from judge.game.filing.advance import phase_to_come
from judge.game.table.substitutes import not_for_substitutes
from judge.languages import tell

_ON_ORDERS = (commands.Submit, commands.Clear, commands.Wait)
"""Commands about the orders of the present turn."""


def decide(game: Game, command: Command, context: Context) -> Decision | Refusal:
    """What comes of a command. `Create` has no game yet: see `judge.game.office.desk.create`."""
    actor = context.actor
    if isinstance(command, Create):
        return Refusal("exists", tell("There is a game named {command} already.", command=command.key))
    if isinstance(command, REGISTRY.gm_only) and actor.role not in (Role.GM, Role.OPERATOR):
        return gm_only(game.key, alone=game.practice is not None)
    if isinstance(command, commands.Tick) and actor.role is not Role.JUDGE:
        return Refusal("judge-only", tell("Only the clock does that."))
    if isinstance(command, _ON_ORDERS) and game.replay is not None:
        return _of_then(game.replay.phase)
    if isinstance(command, commands.Submit) and not _ahead(game, command) and ladder.frozen(game, actor) is not None:
        return ladder.FROZEN
    if (refusal := not_for_substitutes(command, context)) is not None:
        return refusal
    decision: Decision | Refusal = REGISTRY.deciders[type(command)](game, command, context)
    if game.replay is not None and actor.role is Role.PLAYER and _orders_anew(decision, game.replay.phase):
        return _of_then(game.replay.phase)  # by a plan, `undo` or `same again`
    if isinstance(decision, Decision) and any(
        isinstance(event, ev.OrdersFiled) and ladder.thaws(game, event, actor) for event in decision.events
    ):
        return ladder.FROZEN
    return _followed(game, _signed(decision, actor), context.systems)


def _ahead(game: Game, command: commands.Submit) -> bool:
    """Whether orders are for a turn to come, of which nothing stands yet."""
    return bool(command.turn) and isinstance(game, Begun) and phase_to_come(game, command.turn) is not None


def _of_then(phase: str) -> Refusal:
    return Refusal(
        "replay",
        tell(
            "{phase} is processed again with the orders filed at the time; no new ones are taken "
            "for it. Nothing was changed. If an order was read wrongly then, tell your "
            "Gamemaster, who can amend it.",
            phase=phase,
        ),
    )


def _orders_anew(decision: Decision | Refusal, phase: str) -> bool:
    """Whether orders would change for a phase whose results were read by all."""
    events = decision.events if isinstance(decision, Decision) else ()
    return any(isinstance(event, ev.OrdersFiled) and event.phase == phase for event in events)


def _signed(decision: Decision | Refusal, actor: Actor) -> Decision | Refusal:
    """What a deputy does is logged under both names."""
    if isinstance(decision, Refusal) or not actor.deputy:
        return decision
    return replace(decision, events=tuple(replace(event, deputy=actor.deputy) for event in decision.events))


def _followed(game: Game, decision: Decision | Refusal, systems: Systems) -> Decision | Refusal:
    """The decision with what its events bring about at once."""
    if isinstance(decision, Refusal) or not any(map(REGISTRY.is_followed, decision.events)):
        return decision
    events: list[Event] = []
    waiting = list(decision.events)
    while waiting:
        event = waiting.pop(0)
        events.append(event)
        game = evolve(game, event, systems)
        waiting += REGISTRY.followed_by(game, event)
    return replace(decision, events=tuple(events))
