"""The first words of a receipt: how the player stands, by when the rest is due, until when they may change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from judge.board.phase import PhaseKind
from judge.game.clock.clockwork import early_moment
from judge.game.core.decision import Status
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Seat
from judge.game.filing.standing import Standing, State, forecast, standing
from judge.game.settings.table import NEVER_WAITS
from judge.orders.spelled import unit_texts
from judge.report.core.answer import Answer, Received
from judge.report.core.frame import moment
from judge.report.core.naming import Said, Text, power_name, say
from judge.report.reply.lessons import lessons
from judge.report.reply.lines import MailLine
from judge.report.seat.desk import OpenLine, due_said, named, open_lines_of, waits_beside
from judge.report.seat.onfile import filed_now


@dataclass(frozen=True)  # without slots, for what is worked out once
class AuthorsSeat:
    """A game that the mail is about, the seat that its author holds there, and the game ahead of the mail's events."""

    game: Game
    seat: Seat | None
    before: Game | None = None

    @property
    def plays(self) -> bool:
        """Whether there are orders to be shown: the game has begun and goes on."""
        return self.seat is not None and self.game.position is not None and self.game.stage is Stage.RUNNING

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """How each of the seat's powers stands."""
        return tuple([standing(self.game, power) for power in self.seat.powers]) if self.seat is not None else ()

    @property
    def state(self) -> State:
        """The worst of their states."""
        return min([one.state for one in self.standings], key=_WORST.index, default=State.NOTHING_NEEDED)

    @cached_property
    def open(self) -> tuple[OpenLine, ...]:
        """Its lines that were asked back and still wait to be put right."""
        return open_lines_of(self.game, self.standings)


_WORST = (State.NEEDS_CORRECTION, State.MISSING, State.PARTIAL, State.COMPLETE, State.NOTHING_NEEDED)


def verdict(
    places: Sequence[AuthorsSeat], lines: Sequence[MailLine], answers: Sequence[Answer], received: Received
) -> tuple[str, Said]:
    """(status, headline) of a receipt for a mail; about several games, the worst status, and a headline that names
    them.
    """
    at = received.at
    if received.unfilled and places[0].plays:
        return _unfilled(places[0], at)
    first = places[0].game.key
    ordered = [place for place in places if place.plays and _ordered(answers, place.game.key, first)]
    if not ordered:
        return done(lines, playing=places[0].plays)
    played = any(answer.verb == "process" and answer.status is Status.TAKEN for answer in answers)
    found = [
        _of_place(place, [line for line in lines if (line.game or first) == place.game.key], at, played=played)
        for place in ordered
    ]
    if len(found) == 1:
        return found[0]
    status = min((status for status, _ in found), key=lambda status: _WORST.index(State(status.lower())))
    games = [
        {"game": place.game.key, "status": state, "headline": headline}
        for place, (state, headline) in zip(ordered, found, strict=True)
    ]
    return status, say("headline-of-games", games=games)


def tells(fact: Any, part: Text) -> bool:
    """Whether `part` is `fact` itself or a fact inside it."""
    return fact == part or (isinstance(fact, Said) and any(tells(inner, part) for inner in fact.facts.values()))


def _ordered(answers: Sequence[Answer], game: str, first: str) -> bool:
    """Whether the mail gave orders for a game; what names none is about the first."""
    return any((answer.game or first) == game and answer.orders_own for answer in answers)


def _of_place(place: AuthorsSeat, lines: Sequence[MailLine], at: datetime, *, played: bool) -> tuple[str, Said]:
    """(status, headline) of one game for which the mail gave orders. `played`: it has a phase played at once, too."""
    game, seat = place.game, place.seat
    assert seat is not None
    wrong = list(dict.fromkeys(line.number for line in lines if line.refused))  # several orders may stand on one
    orders = [number for number in wrong if any(line.number == number and not line.of_command for line in lines)]
    if orders and game.settings.no_mistakes:
        return "NEEDS CORRECTION", _correction(place, orders)
    word, headline = _as_it_stands(game, seat, place.state, place.open, at)
    if played and game.sandbox is not None:
        word, headline = "DONE", say("headline-played")
    return word, say("headline-not-taken", lines=wrong, rest=headline) if wrong else headline


def _as_it_stands(game: Game, seat: Seat, state: State, waiting: Sequence[OpenLine], at: datetime) -> tuple[str, Said]:
    """(status, headline) if every line of the mail was taken. `waiting`: lines of earlier mails that still wait to be
    put right.
    """
    due = due_said(game)
    still = {"count": len(waiting), "line": named(waiting[0])} if waiting else {}
    if state is State.NEEDS_CORRECTION:
        return state.value.upper(), say("headline-still-open", due=due, **still)
    if game.sandbox is not None and state in (State.MISSING, State.PARTIAL):
        return "PARTIAL", say("headline-sandbox", kind=_kind(game), disbands=game.rules.may_disband())
    if state is State.MISSING:
        if any(filed_now(game, power) for power in seat.powers):
            return "PARTIAL", say("headline-not-enough", due=due, late=not waits_beside(game, seat))
        return "MISSING", say("headline-nothing-filed", due=due)
    if state is State.COMPLETE:
        headline = say("headline-complete", until=_until(game, seat, at))
    elif state is State.PARTIAL:
        headline = say("headline-partial", due=due, kind=_kind(game), disbands=game.rules.may_disband())
    else:
        headline = say("headline-nothing-asked")
    return state.value.upper(), say("headline-but", rest=headline, **still) if waiting else headline


def _kind(game: Game) -> PhaseKind:
    phase = game.phase
    return phase.kind if phase else PhaseKind.MOVES


def _unfilled(place: AuthorsSeat, at: datetime) -> tuple[str, Said]:
    """(status, headline) for an order form that came back as it was sent: what is missing, by when, and one example."""
    game, seat = place.game, place.seat
    assert seat is not None
    for found in place.standings:
        if (awaited := _awaited(game, found)) is not None:
            kind, example = awaited
            return "NOTHING FILLED IN", say("headline-unfilled", kind=kind, due=due_said(game), example=example)
    word, headline = _as_it_stands(game, seat, place.state, place.open, at)
    return word, say("headline-unchanged", rest=headline)


def _awaited(game: Game, found: Standing) -> tuple[PhaseKind, str] | None:
    """(kind of phase, a line) of the first thing for which a power that stands so has no order: its first possibility
    is no advice. None where nothing is missing.
    """
    if not isinstance(game, Running) or not (found.unordered or found.builds_open or found.removals_open):
        return None
    position = game.position if found.unordered else forecast(game, found.power) or game.position
    written = lessons(position, found.power, game.rules).shown.now
    units = tuple(unit_texts(found.unordered, game.board))
    line = next((line for line in written if not units or line.startswith(units)), "")
    return (position.phase.kind, line) if line else None


def _until(game: Game, seat: Seat, at: datetime) -> Said:
    """Until when what is on file may be changed: no later moment is promised than the turn may be processed at."""
    if game.held_since is not None or game.deadline is None:
        return say("change-until", due=due_said(game))
    if said := soon(game, at, seat):
        return said
    if game.deadline.called:
        return say("change-until-processed", delay=0, due="")
    never = not game.settings.early or game.reopened == str(game.phase) or game.deliberates
    if never or (seat.wait and seat.wait_until is None) or game.practice is not None:
        return say("change-until", due=due_said(game))
    waits = game.terms.nmr not in NEVER_WAITS
    return say("change-until-processed", delay=game.settings.early_delay, due=due_said(game), waits=waits)


def soon(game: Game, at: datetime, seat: Seat | None = None) -> Said | None:
    """When the turn is processed, where that is not its deadline; None where it is, or where something is missing.

    Where it is a wait that makes it so late, its end may come sooner: by the reader's own word, or by another's.
    """
    early = early_moment(game)
    if early is None:
        return None
    waiting = [one for one in game.active_seats if one.wait and one.wait_until == early]
    ready = ("own" if waiting == [seat] else "another") if waiting else ""
    named = early.replace(second=0, microsecond=0)  # as it is printed: one that is past by then is no promise
    return say("processed-soon", at=None if named <= at else moment(game, early), ready=ready)


def _correction(place: AuthorsSeat, wrong: Sequence[int]) -> Said:
    """Which lines were not taken, and what stands nevertheless."""
    game, board = place.game, place.game.board
    filed = [one for one in place.standings if filed_now(game, one.power)]
    sets = [game.sheets[one.power].number for one in filed]
    complete = all(one.full for one in filed)
    of = [power_name(one.power, board) for one in filed] if len(place.standings) > 1 else []
    late = complete and place.state is State.NEEDS_CORRECTION  # the line stands in no order's place
    return say(
        "headline-correction",
        lines=wrong,
        sets=sets,
        complete=complete,
        of=of,
        late=due_said(game) if late else "",
        called=waits_beside(game, place.seat),
    )


def done(lines: Sequence[MailLine], *, playing: bool = False) -> tuple[str, Said]:
    """(status, headline) of a mail without orders. `playing`: its author has orders to write in the game; if nothing in
    it was understood, they are told how.
    """
    refused = sum(line.status == Status.REFUSED for line in lines)
    taken = sum(line.status == Status.TAKEN for line in lines)
    status = ("PARTLY DONE" if taken else "NOT DONE") if refused else "DONE" if taken else "NOTHING TO DO"
    lost = playing and any(isinstance(line.said, Said) and line.said.facts.get("reason") == "chatter" for line in lines)
    return status, say("headline-done", refused=refused, taken=taken, lost=lost)
