"""`process`: the Gamemaster has one phase processed, and is asked first where orders are missing.

A `process` is for the phase that it names, or that the letter was about which it answers; the same mail once more
finds another phase and does nothing. While somebody's orders are not all there, or somebody waits, it is asked about
once, and the yes is good for that phase and what was named in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from judge.game.clock.turnover import turn_page
from judge.game.core.commands import Actor, Process
from judge.game.core.decision import Context, Decision, Question, Refusal
from judge.game.core.model import Game, Running
from judge.game.core.moments import told
from judge.game.core.registry import Feature
from judge.game.filing.standing import State, standings
from judge.game.repair.rewriting import RollForward, roll_forward

Open = tuple[str, str]
"""Why a turn is not ready ("missing", "vacant", "fault", "partial", "waits"), and the power."""


def process(game: Game, command: Process, context: Context) -> Decision | Refusal:
    """Process the present phase now, with the orders on file."""
    if not isinstance(game, Running):
        return Refusal("not-running", f"{game.key} is not running; there is nothing to process.")
    phase, named = game.position.phase, command.phase.upper()
    if not named:
        sentence = "Say which phase; otherwise this mail, if it came twice, would process the next one too."
        return Refusal("which-phase", sentence, mend=f"process {phase}")
    if named != str(phase):
        sentence = f"{game.key} is at {game.phase_title} ({phase}), and this is about {named}. Nothing was done."
        return Refusal("wrong-phase", sentence, mend=f"process {phase}")
    if game.replay is not None:
        return roll_forward(game, RollForward(), context)
    open_ = tuple(not_ready(game, context.now))
    if open_ and not _agreed(game, open_, context.actor):
        return Question("not-ready", _question(game, open_, context.now), about=_about(game, open_))
    return Decision(turn_page(game, context.now, by=context.seat), said=f"{game.calendar.title(phase)} is processed.")


def not_ready(game: Running, now: datetime) -> Iterator[Open]:
    """What speaks against processing now. Until the deadline that is also a unit without an order, and a wait."""
    early = now < game.deadline.at and not game.deadline.called
    for one in standings(game):
        seat = game.seat_of(one.power)
        if one.late and (seat is None or not seat.filled):
            yield "vacant", one.power
        elif one.faults:
            yield "fault", one.power
        elif one.late:
            yield "missing", one.power
        elif early and one.state is State.PARTIAL:
            yield "partial", one.power
    for seat in game.active_seats if early else ():
        if seat.wait:
            yield from (("waits", power) for power in seat.powers if power in game.survivors)


def _about(game: Game, open_: Sequence[Open]) -> str:
    return f"process {game.phase} despite {' '.join(f'{why}:{power}' for why, power in open_)}"


def _agreed(game: Game, open_: Sequence[Open], actor: Actor) -> bool:
    """Whether a yes was about this phase and all of these; who has come since is missed by nobody."""
    wanted = set(_about(game, open_).split())
    return any(wanted <= set(about.split()) for about in actor.agreed)


_SENTENCES = {
    "missing": "Nothing has come from {}.",
    "fault": "A line of {} still waits to be put right.",
    "vacant": "There is no player for {}, and there are no orders.",
    "partial": "A unit has no order among those of {}.",
    "waits": "{} asked to wait for the deadline.",
}


def _question(game: Running, open_: Sequence[Open], now: datetime) -> str:
    parts = [f"You are about to process {game.phase_title}."]
    for why, sentence in _SENTENCES.items():
        names = game.named(power for kind, power in open_ if kind == why)
        parts += [sentence.format(names)] if names else []
    if now < game.deadline.at:
        parts.append(f"Everybody was told that there is time until {told(game.deadline.at)}.")
    elif game.deadline.grace is not None and now < game.deadline.grace:
        parts.append(f"The time of grace that was promised runs until {told(game.deadline.grace)}.")
    return " ".join([*parts, "Units without an order hold."])


FEATURE = Feature(
    decide={
        Process: process,
    },
    gm_only=(Process,),
)
