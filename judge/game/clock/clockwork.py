"""What the clock does to a game: reminders, the late call, processing, the wait for a word on a held mail; and when it
wants to be woken next.

Everything here asks "has its moment come?", never "is it exactly that moment?", so that a late or a doubled tick
does no harm: each thing happens once per version of the deadline.

A mail that lacks proof is held until its supposed author has said yes or no. The turn waits for that word only where
the mail came in time for this phase and either was sent to the seat's own live address, or speaks for a seat whose
orders on file are not complete. However many such mails there are, a seat holds a phase up for `held_wait` at most;
where the game waits for the seat's orders anyway, that time runs beside the grace and not after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.board.phase import PhaseKind
from judge.game.clock import ladder
from judge.game.clock.extensions import close_at_deadline
from judge.game.clock.holds import goes_on as after_hold
from judge.game.clock.schedule import make_up
from judge.game.clock.turnover import asks_nothing, turn_page
from judge.game.core import events as ev
from judge.game.core.commands import Context, Decision, HeldMail, Refusal, Tick
from judge.game.core.events import Event
from judge.game.core.evolve import REGISTRY, Feature, OwnClock
from judge.game.core.immutable import remembered_briefly
from judge.game.core.model import Game, Running
from judge.game.core.parts import Awaited
from judge.game.core.reasons import UNHEARD, UNPROVED
from judge.game.filing.standing import State, goes_on, seats_behind, standings
from judge.game.settings.table import NEVER_WAITS
from judge.game.talk.closing import decided


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


PATIENCE = timedelta(minutes=2)
"""A delay shorter than this is nobody's news: mail is being read."""


def tick(game: Game, command: Tick, context: Context) -> Decision | Refusal:
    """The events that are due at `context.now`: those of the features that want this moment, else of the calendar."""
    if command.away is None and (
        due := tuple(event for one in _clocks(game) for event in one.events_due(game, context.now, context.lot))
    ):
        return Decision(due)
    if game.held_until is not None and command.away is None:
        return Decision(after_hold(game, context.now))
    if not isinstance(game, Running) or game.held_since is not None:
        return Decision()
    if command.away is not None:
        return Decision(make_up(game, command.away, context.now))
    if (moment := _turning(game)) is not None and context.now >= moment:
        if command.blocked:
            return Decision(_delay(game, command.blocked, command.cause, context.now, moment))
        if words := still_awaited(game, command.held, context.now, moment):
            return Decision(_wait(game, words, context.now, moment))
        return Decision(turn_page(game, context.now))
    if context.now < game.deadline.at:
        return Decision((*ladder.reminders(game, context.now), *ladder.steps(game, context.now)))
    return Decision((*close_at_deadline(game, context.now), *_after_deadline(game, command, context.now)))


def _after_deadline(game: Running, command: Tick, now: datetime) -> tuple[ev.Event, ...]:
    """The deadline has passed and orders are missing."""
    due = game.deadline.at
    words = still_awaited(game, command.held, now, due)
    if game.deadline.called:
        return _grace_over(game, command, words, now) or ladder.steps(game, now)
    if command.blocked:
        return _delay(game, command.blocked, command.cause, now, due)
    if unheard := [seat for seat in seats_behind(game) if seat.id in command.unheard and seat.filled]:
        names = ", ".join(game.board.powers[power].name for seat in unheard for power in seat.powers)
        return _delay(game, UNHEARD.format(names=names), f"unheard {names}", now, due)
    waiting = {mail.seat for mail in words}
    call = [
        one for one in ladder.late_call(game, now) if not isinstance(one, ev.SeatVacated) or one.seat not in waiting
    ]
    return (*call, *announce(game, words, now, due, calling=True))


def _grace_over(game: Running, command: Tick, words: Sequence[HeldMail], now: datetime) -> tuple[ev.Event, ...]:
    """Seats fall vacant, unless mail that came in time is unread, or still waits for a word."""
    waiting = {mail.seat for mail in words}
    ended = ladder.vacancies(game, now, waiting)
    if ended and command.blocked:
        return _delay(game, command.blocked, command.cause, now, game.deadline.grace or game.deadline.at)
    return ended


def next_wake(game: Game, now: datetime) -> datetime | None:
    """When the clock should look at this game again; None: only when a mail changes something.

    A moment in the past means that something is due and was held up.
    """
    theirs = [moment for one in _clocks(game) if (moment := one.next_moment(game)) is not None]
    return min([*theirs, *_own_moments(game, now)], default=None)


def _clocks(game: Game) -> tuple[OwnClock, ...]:
    return REGISTRY.clocks(game.stage, alone=game.practice is not None)


def _own_moments(game: Game, now: datetime) -> list[datetime]:
    """When the calendar of a game that runs wants the clock."""
    if game.held_until is not None:
        return [game.held_until]
    if not isinstance(game, Running) or game.held_since is not None:
        return []
    moments = [ladder.next_moment(game, now), _turning(game)]
    if not game.deadline.called:
        moments.append(game.deadline.at)
    elif ladder.grace_runs(game):
        moments.append(game.deadline.grace)
    return [moment for moment in moments if moment is not None]


def _turning(game: Running) -> datetime | None:
    """When the page is turned: by orders, or by a vote that ends the game at the deadline."""
    moment = processing_moment(game)
    if decided(game) is None:
        return moment
    return game.deadline.at if moment is None else min(moment, game.deadline.at)


@remembered_briefly
def processing_moment(game: Running) -> datetime | None:
    """The earliest moment at which the turn may be processed, as things stand; None while something is missing.

    With everything in, nothing asked back and nobody waiting: `early_delay` after the last thing that made it possible,
    at the latest at the deadline; a phase that was reopened is not processed early, one that asks nothing of anybody at
    once. One for business is played at its deadline, or at once when everybody has written and nothing is to delay it.
    After a late call: `early_delay` after the missing orders arrived.
    """
    if game.practice is not None:
        return moment_of(game)
    deadline = game.deadline
    if not goes_on(game) and asks_nothing(game):
        return deadline.set_at or deadline.at
    behind = seats_behind(game)
    if behind:
        return deadline.at if game.terms.nmr in NEVER_WAITS else None
    filed = [sheet.filed_at for sheet in game.sheets.values()]
    last = max((moment for moment in (deadline.cleared_at, *filed) if moment is not None), default=None)
    if deadline.called and last is not None and last > deadline.at:
        return last + game.settings.early_delay
    talks = game.position.phase.kind is PhaseKind.TALKS  # orders that are in are for later; people are still talking
    if game.deliberates:
        at_once = not game.settings.early_delay and game.settings.early and _all_have_written(game)
        return deadline.set_at or deadline.at if at_once else deadline.at
    early = game.settings.early and not talks and game.reopened != str(game.phase)
    if not early or last is None or not _all_settled(game):
        return deadline.at
    return min(deadline.at, max(last + game.settings.early_delay, _waited_until(game, last)))


def early_moment(game: Game) -> datetime | None:
    """When the turn is processed if nothing changes, where that is before its deadline, or is all that a late player
    was waited for; None where the deadline itself is the moment, or something is missing, or the game is on hold.
    """
    if not isinstance(game, Running) or game.held_since is not None:
        return None
    moment = processing_moment(game)
    return moment if moment is not None and (game.deadline.called or moment != game.deadline.at) else None


def _all_have_written(game: Running) -> bool:
    """Whether something of every player is on file."""
    return all(any(game.deeds.get(p) or game.sheets.get(p) for p in seat.powers) for seat in game.active_seats)


def _waited_until(game: Running, last: datetime) -> datetime:
    """Until when players have asked to wait: `last` where none has."""
    if not any(seat.wait for seat in game.seats.values()):
        return last
    waits = [seat.wait_until or game.deadline.at for seat in game.active_seats if seat.wait]
    return max(waits, default=last)


def _all_settled(game: Game) -> bool:
    return all(one.settled for one in standings(game))


def _delay(game: Running, reason: str, cause: str, now: datetime, gate: datetime) -> tuple[ev.Event, ...]:
    """Something of ours stands in the way: said once for each cause, and to the Gamemaster again after some hours.
    Nobody hears of a delay of moments, nor of one before the deadline: no results were promised for then.
    """
    due = max(gate, game.deadline.at)
    overdue = ladder.steps(game, now, due, reason)
    if (cause or reason) in game.deadline.delayed or now - due < PATIENCE:
        return overdue
    event = ev.ProcessingDelayed(at=now, reason=reason, version=game.deadline.version, cause=cause)
    return (event, *overdue)


def _wait(game: Running, words: Sequence[HeldMail], now: datetime, gate: datetime) -> tuple[ev.Event, ...]:
    """Mails without proof that came in time: the turn waits for a word on them."""
    numbers = ", ".join(str(mail.number) for mail in words)
    despite = f"process {game.phase} despite {numbers.replace(',', '')}"
    reason = UNPROVED.format(numbers=numbers, line=despite)
    return (*announce(game, words, now, gate), *ladder.steps(game, now, max(gate, game.deadline.at), reason))


def moment_of(game: Game) -> datetime | None:
    """When the phase of a practice game is played; None while its player may still order something."""
    assert game.practice is not None
    if game.practice.released is not None and game.practice.phase == str(game.phase):
        return game.practice.released
    if game.sandbox is not None and game.sandbox.paused:
        return None
    filed = [sheet.filed_at for sheet in game.sheets.values() if sheet.filed_at is not None]
    if not all(one.settled for one in standings(game)) or any(s.wait for s in game.seats.values()):
        return None
    return max(filed, default=game.turn_opened_at or game.created_at)


FEATURE = Feature(
    decide={Tick: tick},
    evolve={WordAwaited: _awaited},
)
