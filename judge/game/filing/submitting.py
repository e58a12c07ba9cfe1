"""Commands about the orders of the turn: give them, wait for the deadline."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from judge.board.phase import Phase
from judge.game.core import events as ev
from judge.game.core.commands import Actor, OrderLine, Role, Submit, Wait
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Begun, Game, Running, Stage
from judge.game.core.parts import Seat
from judge.game.core.registry import Feature
from judge.game.filing.advance import keep, later_phase, phase_to_come
from judge.game.filing.overtaken import TOO_LATE, WAIT
from judge.game.filing.sheets import file_lines
from judge.game.filing.standing import rest_of_turn
from judge.languages import tell


def submit(game: Game, command: Submit, context: Context, *, unseen: bool = False) -> Decision | Refusal:
    """Orders for the current turn, or to be kept for one to come. `unseen`: see `file_lines`."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    powers = (command.power,) if command.power else seat.powers
    if not set(powers) <= set(seat.powers):
        return Refusal(
            "not-your-power",
            tell("You do not play {powers} in {game}.", powers=game.board.powers[command.power].name, game=game.key),
        )
    if command.turn and (to_come := phase_to_come(game, command.turn)) is not None:
        return keep(game, command, powers, to_come, context)
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    return _by_phase(game, command, powers, context, unseen=unseen)


def _by_phase(
    game: Begun, command: Submit, powers: tuple[str, ...], context: Context, *, unseen: bool
) -> Decision | Refusal:
    """Orders for the phase that is played now go on file; retreats and builds that are ordered with the moves are kept
    until it is known what there is to retreat or to build (setting `seasons`).
    """
    ahead: dict[Phase, list[OrderLine]] = {}
    present: list[OrderLine] = []
    for line in command.lines:
        phase = later_phase(game, powers, line.text) if not unseen else None
        (present if phase is None else ahead.setdefault(phase, [])).append(line)
    if not ahead:
        return file_lines(game, command.lines, powers, context, replace_all=command.replace, unseen=unseen)
    decisions = [
        keep(game, replace(command, lines=tuple(lines)), powers, phase, context) for phase, lines in ahead.items()
    ]
    decisions.append(file_lines(game, present, powers, context, replace_all=command.replace))
    refusal = next((one for one in decisions if isinstance(one, Refusal)), None)
    if refusal is not None:
        return refusal
    done = [one for one in decisions if isinstance(one, Decision)]
    return Decision(
        tuple(event for one in done for event in one.events), tuple(verdict for one in done for verdict in one.verdicts)
    )


def wait(game: Game, command: Wait, context: Context) -> Decision | Refusal:
    """Hold early processing back until the deadline, for this turn only."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if command.turn and (to_come := phase_to_come(game, command.turn)) is not None:
        if (seat.id, str(to_come), WAIT) in context.actor.later:
            return Refusal("overtaken", f"That {TOO_LATE}.")
        return _wait_then(game, seat, to_come, context.now, on=command.on)
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    if (seat.id, "", WAIT) in context.actor.later:
        return Refusal("overtaken", f"That {TOO_LATE}.")
    said = (
        tell("I wait for the deadline this turn, as you ask.")
        if command.on
        else tell("You are ready: once every order is in, the turn may be processed early.")
    )
    if not game.settings.early:
        said += tell(" (In this game nothing is processed before the deadline anyway.)")
    return Decision((ev.WaitChanged(at=context.now, by=seat.id, seat=seat.id, on=command.on),), said=said)


def _wait_then(game: Begun, seat: Seat, phase: Phase, now: datetime, *, on: bool) -> Decision:
    """The same for a turn to come."""
    title = game.calendar.title(phase)
    said = (
        tell("I wait for the deadline of {title}, as you ask.", title=title)
        if on
        else tell("I do not wait in {title}.", title=title)
    )
    event = ev.WaitChanged(at=now, by=seat.id, seat=seat.id, on=on, phase=str(phase))
    return Decision((event,), said=said)


def ordering(game: Game, actor: Actor) -> tuple[Running, Seat] | Refusal:
    """The game and the seat that gives orders in it, or why this actor cannot."""
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended; there is nothing to order any more.", game=game.key))
    if not isinstance(game, Running):
        return Refusal(
            "not-started", tell("{game} has not started yet; you will be told when orders are due.", game=game.key)
        )
    seat = game.seats.get(actor.seat)
    if actor.role is not Role.PLAYER or seat is None or not seat.powers:
        return _of_no_seat(game, actor)
    if not set(seat.powers) & set(game.survivors):
        return Refusal("eliminated", tell("Your power has no units and no centres left, so there is nothing to order."))
    return game, seat


def _of_no_seat(game: Running, actor: Actor) -> Refusal:
    """Whoever held a seat that is vacant now is told so, and the way back where there is one."""
    for seat in game.seats.values():
        lost = seat.terms[-1] if seat.terms and not seat.filled and seat.powers else None
        if lost is None or not actor.person or lost.person != actor.person:
            continue
        name = game.board.powers[seat.powers[0]].name
        said = tell("You are no player of {game} any more: {name} has no player now.", game=game.key, name=name)
        if lost.why == "left" or (lost.why == "nmr" and not game.returns.get(actor.person, 0)):
            return Refusal(
                "seat-lost",
                tell("{said} You may have it back, if you are the first.", said=said),
                f"claim {game.key} {name}",
            )
        return Refusal("seat-lost", said)
    if game.sandbox is not None:
        own = f"sandbox {game.key}"
        return Refusal(
            "private",
            tell("Only whoever has {game} orders there. A board of your own is: {own}", game=game.key, own=own),
            mend=own,
        )
    return Refusal("no-seat", tell("Only the players of {game} order units.", game=game.key))


def _wrong_turn(game: Begun, named: str) -> Refusal | None:
    phases = rest_of_turn(game)
    word = named.upper()
    if any(str(phase).startswith(word) or word == f"{phase.season}{phase.year:04}" for phase in phases):
        return None
    return Refusal(
        "wrong-phase",
        tell(
            "These orders are for {phase_title}, but {game} is at {phase_title2}. Nothing was "
            "changed. If they are for that, send them again below the line `for {phases}:`.",
            phase_title=_phase_title(game, named),
            game=game.key,
            phase_title2=game.phase_title,
            phases=phases[0],
        ),
    )


def _phase_title(game: Begun, named: str) -> str:
    try:
        return game.calendar.title(named)
    except ValueError:
        return named


FEATURE = Feature(decide={Submit: submit, Wait: wait})
