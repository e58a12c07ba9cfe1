"""The first words of a receipt: how the player stands, by when the rest is due, until when they may change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.board.phase import PhaseKind
from judge.game.clock.clockwork import early_moment
from judge.game.core.decision import Status
from judge.game.core.model import Game, Seat, Stage
from judge.game.filing.standing import State, standing
from judge.game.settings.spans import spell_span
from judge.report import times
from judge.report.answer import Answer
from judge.report.lines import MailLine
from judge.report.naming import joined, many
from judge.report.onfile import filed_now
from judge.report.openlines import OpenLine, open_lines


@dataclass(frozen=True, slots=True)
class Place:
    """A game that the mail is about, the seat that its author holds there, and the game ahead of the mail's events."""

    game: Game
    seat: Seat | None
    before: Game | None = None

    @property
    def plays(self) -> bool:
        """Whether there are orders to be shown: the game has begun and goes on."""
        return self.seat is not None and self.game.position is not None and self.game.stage is Stage.RUNNING


_WORST = (State.NEEDS_CORRECTION, State.MISSING, State.PARTIAL, State.COMPLETE, State.NOTHING_NEEDED)


def verdict(
    places: Sequence[Place], lines: Sequence[MailLine], answers: Sequence[Answer], at: datetime
) -> tuple[str, str]:
    """(status, headline) of a receipt for a mail that came `at`; about several games, the worst status, and a headline
    that names them.
    """
    first = places[0].game.key
    ordered = [place for place in places if place.plays and _ordered(answers, place.game.key, first)]
    if not ordered:
        return done(lines)
    found = [
        _of_place(place, [line for line in lines if (line.game or first) == place.game.key], at) for place in ordered
    ]
    if len(found) == 1:
        return found[0]
    status = min((status for status, _ in found), key=lambda status: _WORST.index(State(status.lower())))
    said = [f"{place.game.key}: {state}, {words}" for place, (state, words) in zip(ordered, found, strict=True)]
    return status, " ".join(said)


def _ordered(answers: Sequence[Answer], game: str, first: str) -> bool:
    """Whether the mail gave orders for a game; what names none is about the first."""
    return any((answer.game or first) == game and answer.orders_own for answer in answers)


def _of_place(place: Place, lines: Sequence[MailLine], at: datetime) -> tuple[str, str]:
    """(status, headline) of one game for which the mail gave orders."""
    game, seat = place.game, place.seat
    assert seat is not None
    states = [standing(game, power).state for power in seat.powers]
    state = min(states, key=_WORST.index, default=State.NOTHING_NEEDED)
    wrong = [line.number for line in lines if line.to_mend]
    if wrong and game.settings.no_mistakes:
        return "NEEDS CORRECTION", _correction(game, seat, wrong)
    word, headline = _as_it_stands(game, seat, state, at)
    if wrong:
        return word, f"{_which(wrong)} not taken; the game does not wait for that. {headline[0].upper()}{headline[1:]}"
    return word, headline


def _as_it_stands(game: Game, seat: Seat, state: State, at: datetime) -> tuple[str, str]:
    """Where every line of the mail was taken."""
    due = _due(game)
    waiting = open_lines(game, seat)
    if state is State.NEEDS_CORRECTION:
        return state.value.upper(), f"{_still_open(waiting)}, by {due}.{_how(waiting)}"
    if state is State.MISSING:
        if any(filed_now(game, power) for power in seat.powers):
            return "PARTIAL", f"not enough yet: without the rest, due by {due}, you would be late."
        return "MISSING", f"nothing is on file; orders are due by {due}."
    headline = {
        State.COMPLETE: f"nothing more is needed. {_until(game, seat, at)}",
        State.PARTIAL: f"the rest is due by {due}; {_left_alone(game)}.",
        State.NOTHING_NEEDED: "nothing is asked of you in this phase.",
    }[state]
    if waiting:
        headline = f"{headline} But {_still_open(waiting)}; until then nothing is processed early.{_how(waiting)}"
    return state.value.upper(), headline


def _left_alone(game: Game) -> str:
    """What becomes of whatever has no order, in the phase that runs."""
    kind = game.phase.kind if game.phase is not None else PhaseKind.MOVES
    return {
        PhaseKind.MOVES: "a unit without an order stands",
        PhaseKind.RETREATS: "a unit without a retreat is disbanded",
        PhaseKind.ADJUSTMENTS: "a build without an order lapses, and what has to go is chosen by the rulebook",
    }.get(kind, "")


def _still_open(waiting: Sequence[OpenLine]) -> str:
    if len(waiting) == 1:
        return f"{waiting[0].named} still waits to be put right"
    return f"{many(len(waiting), 'line')} of earlier mails still wait to be put right"


def _how(waiting: Sequence[OpenLine]) -> str:
    return f" {waiting[0].mend}" if len(waiting) == 1 else " They stand below."


def _until(game: Game, seat: Seat, at: datetime) -> str:
    """Until when what is on file may be changed: no later moment is promised than the turn may be processed at."""
    if game.held_since is not None or game.deadline is None:
        return f"You may change it until {_due(game)}."
    if said := soon(game, at):
        return said
    if game.deadline.called:
        return "You may change it until the turn is processed."
    due = _due(game)
    never = not game.settings.early or game.reopened == str(game.phase)
    if never or seat.wait or game.practice is not None:
        return f"You may change it until {due}."
    delay = spell_span(game.settings.early_delay)
    return f"You may change it until the turn is processed: {delay} after everything is in, at the latest {due}."


def soon(game: Game, at: datetime) -> str:
    """When the turn is processed, where that is not its deadline; "" where it is, or where something is missing."""
    moment = early_moment(game)
    if moment is None:
        return ""
    if moment <= at:
        return "Everything is in: the turn is processed now."
    when = times.short(moment, game.settings.zone)
    return f"Everything is in: the turn is processed at {when}; you may change until then."


def _due(game: Game) -> str:
    """By when what is missing is due."""
    if game.held_since is not None:
        return "the deadline that is set when the game goes on"
    if game.deadline is None:
        return ""
    due = times.short(game.deadline.at, game.settings.zone)
    if not game.deadline.called:
        return due
    grace = game.deadline.grace
    return times.short(grace, game.settings.zone) if grace else f"{due}, which has passed"


def _which(wrong: Sequence[int]) -> str:
    """ "lines 2 and 4 were": several orders may stand on one."""
    lines = list(dict.fromkeys(wrong))
    if lines == [0]:
        return "the subject was"
    named = joined(str(number) if number else "the subject" for number in lines)
    return f"line {named} was" if len(lines) == 1 else f"lines {named} were"


def _correction(game: Game, seat: Seat, wrong: Sequence[int]) -> str:
    """Which lines were not taken, and what stands nevertheless."""
    numbers = [game.sheets[power].number for power in seat.powers if filed_now(game, power)]
    if not numbers:
        return f"{_which(wrong)} not taken; nothing is on file."
    complete = all(standing(game, power).full for power in seat.powers if filed_now(game, power))
    force = f"Set {joined(str(number) for number in numbers)} is in force"
    return f"{_which(wrong)} not taken. {force}" + (" and complete." if complete else ".")


def done(lines: Sequence[MailLine]) -> tuple[str, str]:
    """(status, headline) of a mail without orders."""
    refused = sum(line.status == Status.REFUSED for line in lines)
    taken = sum(line.status == Status.TAKEN for line in lines)
    if refused and taken:
        return "PARTLY DONE", f"{many(refused, 'line')} could not be followed."
    if refused:
        return "NOT DONE", "nothing was changed."
    if taken:
        return "DONE", "all that you asked for."
    return "NOTHING TO DO", "I found no command in this mail."
