"""A mail that is heard after mails that came later, because it was held, say, counts from its own arrival.

What later mails said stands, the rest of it counts as if it had been heard when it came. If it came in time, its
author is not late, even where they were called so meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Refusal
from judge.game.core.events import VoteCast
from judge.game.core.evolve import Feature
from judge.game.core.model import Game
from judge.game.core.parts import Fault, faults_from_json
from judge.game.filing.standing import seats_behind
from judge.game.instructions.kinds import FiledOrder, filed_from_json
from judge.languages import tell, told_later


@dataclass(frozen=True, slots=True)
class CountOnTime(Command):
    """The actor's orders came in time, though they were heard only after the actor was called late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LateWithdrawn(ev.Event, told="seat"):
    """A seat that was called late was not: its orders had come in time."""

    seat: str
    version: int


Word = tuple[str, str, str]
"""The power or seat, the phase, and what was said: the unit or site of an order, `WAIT`, a vote, a fault, a deed."""

WAIT = "wait"

OVERTAKEN = told_later("came too late: a mail that reached me after this one changed it, and that one stands")
TOO_LATE = told_later("That came too late: a mail that reached me after this one changed it, and that one stands.")
"""What is said of a word that a later mail has overtaken."""


def vote_word(number: int) -> str:
    """The word for a ballot in a vote."""
    return f"vote {number}"


def fault_word(power: str, fault: Fault) -> Word:
    """The word for a line that was asked back."""
    return power, fault.phase, f"line {fault.line} of {fault.mail}: {fault.text}"


def deed_word(power: str, word: str) -> Word:
    """The word for a deed, by its own first word."""
    return power, "", f"deed {word}"


def later_words(game: Game, events: Iterable[tuple[ev.Event, datetime]], since: datetime) -> frozenset[Word]:
    """What mails that came after `since` have said in this turn: of every line that they changed or were asked back,
    of waiting, of votes, of deeds. `events`: all of the game, oldest first, each with the moment when its mail came.
    """
    found: set[Word] = set()
    before: dict[str, set[FiledOrder]] = {}
    deeds: dict[str, dict[str, Any]] = {}
    for event, came in events:
        if isinstance(event, ev.WaitChanged) and event.by != "judge" and came > since:
            found.add((event.seat, event.phase, WAIT))
        elif isinstance(event, VoteCast) and came > since:
            found.add((event.seat, "", vote_word(event.number)))
        elif isinstance(event, ev.OrdersFiled) and event.phase == str(game.phase) and game.position is not None:
            lines = set(filed_from_json(event.lines, game.position, event.power))
            if came > since:
                found |= {(event.power, *line.key) for line in lines ^ before.get(event.power, set())}
                asked = (fault for fault in faults_from_json(event.faults) if fault.mail == event.mail)
                found |= {fault_word(event.power, fault) for fault in asked}
            before[event.power] = lines
        elif isinstance(event, ev.DeedsFiled):
            done, old = {deed["word"]: deed for deed in event.deeds}, deeds.get(event.power, {})
            if came > since:
                changed = (word for word in done.keys() | old.keys() if done.get(word) != old.get(word))
                found |= {deed_word(event.power, word) for word in changed}
            deeds[event.power] = done
        elif isinstance(event, ev.PhaseAdjudicated):
            deeds.clear()
    return frozenset(found)


def count_on_time(game: Game, command: CountOnTime, context: Context) -> Decision | Refusal:
    """Take the late mark back, where there is one and nothing is missing any more."""
    deadline = game.deadline
    if (
        deadline is None
        or context.seat not in deadline.late
        or context.actor.arrived is None
        or context.actor.arrived > deadline.at
    ):
        return Decision()
    if any(seat.id == context.seat for seat in seats_behind(game)):
        return Decision()
    event = LateWithdrawn(at=context.now, by=context.seat, seat=context.seat, version=deadline.version)
    return Decision((event,), said=tell("Your orders came in time: you are not late, and nothing is counted."))


def _withdrawn(game: Game, event: LateWithdrawn) -> Game:
    deadline = game.deadline
    if deadline is None or deadline.version != event.version:
        return game
    late = tuple(seat for seat in deadline.late if seat != event.seat)
    return replace(game, deadline=replace(deadline, late=late))


FEATURE = Feature(
    evolve={LateWithdrawn: _withdrawn},
    decide={CountOnTime: count_on_time},
)
