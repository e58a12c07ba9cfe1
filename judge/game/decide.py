"""Commands in, events or a refusal out. Pure: the moment and the lot are handed in, nothing is stored or sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from judge.game import ballots, clockwork, commands, desk, schedule, seating, sheets, words
from judge.game.commands import Actor, Change, Command, Create, Role
from judge.game.decision import Decision
from judge.game.evolve import Systems
from judge.game.features import deciders, gm_only
from judge.game.model import Game
from judge.game.refusal import Refusal

Lot = Callable[[], int]
"""Draws a fresh seed. Asked only when powers are drawn."""

Handler = Callable[[Game, Any, Actor, datetime, Lot], Decision | Refusal]

_HANDLERS: Mapping[type[Any], Handler] = {
    commands.Open: seating.open_game,
    commands.Start: seating.start,
    commands.Join: seating.join,
    commands.Prefer: seating.prefer,
    commands.Leave: seating.leave,
    commands.Assign: seating.assign,
    commands.Vacate: seating.vacate,
    commands.Submit: sheets.submit,
    commands.Clear: sheets.clear,
    commands.Wait: sheets.wait,
    commands.SetDeadline: schedule.set_deadline,
    commands.Extend: schedule.extend,
    commands.Hold: schedule.hold,
    commands.Resume: schedule.resume,
    commands.Process: clockwork.process,
    commands.Tick: clockwork.tick,
    commands.Press: words.press,
    commands.ProposeDraw: ballots.propose_draw,
    commands.Vote: ballots.vote,
    commands.Note: desk.note,
    commands.End: desk.end,
}

_GM_ONLY = (
    commands.Change, commands.Open, commands.Start, commands.SetDeadline, commands.Process, commands.Hold,
    commands.Resume, commands.Assign, commands.Vacate, commands.Note, commands.End,
)  # fmt: skip


def decide(game: Game, command: Command, actor: Actor, now: datetime, lot: Lot, systems: Systems) -> Decision | Refusal:
    """What comes of a command. `Create` has no game yet: see `judge.game.desk.create`."""
    if isinstance(command, Create):
        return Refusal("exists", f"There is a game named {command.key} already.")
    if isinstance(command, (*_GM_ONLY, *gm_only())) and actor.role not in (Role.GM, Role.OPERATOR):
        return Refusal("gm-only", f"Only the Gamemaster of {game.key} may do that.")
    if isinstance(command, commands.Tick) and actor.role is not Role.JUDGE:
        return Refusal("judge-only", "Only the clock does that.")
    if isinstance(command, Change):
        return desk.change(game, command, actor, now, systems)
    handler = _HANDLERS.get(type(command)) or deciders()[type(command)]
    return handler(game, command, actor, now, lot)
