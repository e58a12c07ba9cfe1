"""What a held mail may do to a turn: make it wait for a word, once for each seat and phase, and never for long.

A mail that lacks proof is held until its supposed author has said yes or no. The turn waits for that word only where
the mail came in time for this phase and either was sent to the seat's own live address, or speaks for a seat whose
orders on file are not complete. However many such mails there are, a seat holds a phase up for `held_wait` at most;
where the game waits for the seat's orders anyway, that time runs beside the grace and not after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.game.core.commands import HeldMail
from judge.game.core.events import Event
from judge.game.core.model import Game, Running
from judge.game.core.parts import Awaited
from judge.game.core.registry import Feature
from judge.game.filing.standing import State, seats_behind, standings


@dataclass(frozen=True, slots=True, kw_only=True)
class WordAwaited(Event, told="seat,until"):
    """The turn waits for a word from `seat` on these mails, the first of which came at `came`, until `until` at most.

    `late`: the seat has been called late in the same moment, so that the game waits for its orders anyway.
    """

    seat: str
    phase: str
    mails: tuple[int, ...]
    came: datetime
    until: datetime
    late: bool = False


def in_time(game: Game, came: datetime) -> bool:
    """Whether a mail of this moment came for the present phase: after it began, before its deadline."""
    if game.deadline is None:
        return False
    return (game.turn_opened_at or game.created_at) <= came < game.deadline.at


def holds_up(game: Game, mail: HeldMail) -> bool:
    """Whether the turn has to wait for a word on this mail, as far as that depends on the mail and on what is on file.

    Nothing waits for a seat of which the phase asks nothing.
    """
    seat = game.seats.get(mail.seat)
    if seat is None or not seat.filled or not in_time(game, mail.came):
        return False
    states = [one.state for one in standings(game) if one.power in seat.powers]
    return any(state is not State.COMPLETE for state in states) or (mail.token and bool(states))


def awaited(game: Game, seat: str) -> Awaited | None:
    """The word of a seat for which the present phase waits, or has waited."""
    found = game.awaited.get(seat)
    return found if found is not None and found.phase == str(game.phase) else None


def still_awaited(game: Running, mails: Iterable[HeldMail], now: datetime, gate: datetime) -> tuple[HeldMail, ...]:
    """Those of the held mails for which the turn waits now, if it could have been processed at `gate`."""
    return tuple(mail for mail in mails if holds_up(game, mail) and now < _until(game, mail.seat, gate))


def announce(
    game: Running, mails: Sequence[HeldMail], now: datetime, gate: datetime, *, calling: bool = False
) -> tuple[WordAwaited, ...]:
    """Say for which seats the turn waits, once each. `mails`: those that are still awaited; `calling`: in this moment
    those whose orders are missing are called late.
    """
    late = {seat.id for seat in seats_behind(game)} if calling else set()
    seats = dict.fromkeys(mail.seat for mail in mails if awaited(game, mail.seat) is None)
    found: list[WordAwaited] = []
    for seat in seats:
        theirs = [mail for mail in mails if mail.seat == seat]
        found.append(
            WordAwaited(
                at=now, seat=seat, phase=str(game.phase), mails=tuple(mail.number for mail in theirs),
                came=min(mail.came for mail in theirs), until=_until(game, seat, gate), late=seat in late,
            )
        )  # fmt: skip
    return tuple(found)


def _until(game: Running, seat: str, gate: datetime) -> datetime:
    """When the wait for a seat's word ends: once for each phase, beside the grace and not after it."""
    found = awaited(game, seat)
    return found.until if found is not None else min(gate, game.deadline.at) + game.settings.held_wait


def until_at_most(game: Running, seat: str) -> datetime:
    """How long the present phase may wait for a seat's word: to the end of a wait that has begun, if one has."""
    return _until(game, seat, game.deadline.at)


def _awaited(game: Game, event: WordAwaited) -> Game:
    word = Awaited(event.phase, event.mails, event.came, event.until)
    return replace(game, awaited=MappingProxyType({**game.awaited, event.seat: word}))


FEATURE = Feature(
    evolve={WordAwaited: _awaited},
)
