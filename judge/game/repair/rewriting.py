"""Results that were wrong: taken back, and processed again with the same orders, or ordered by everybody again; a
rollback taken back plays every phase again that it made void.

Every repair is an event that opens a new version; letters of the old one say which they were, and orders that answer
them change nothing. A position alone is corrected in `judge.game.repair.correcting`.

A rollback taken back: every phase that it made void is played again, each with the orders that it had.

Where the judge itself was mended meanwhile the phases may come out otherwise; what no longer follows is not played,
and the Gamemaster is told how far it went.

What was filed at the time stays on file until something else is ordered, so that nobody is late for having missed the
news. All have read it, though; so the phase has a deadline of its own, and is not processed before that because
everything is in: it was in from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.board.model import Board
from judge.game.clock.schedule import Opened, next_deadline
from judge.game.clock.turnover import TurnSplit, turn_page
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Refusal, Role
from judge.game.core.evolve import Feature, evolve_turn
from judge.game.core.model import Begun, Game, Replay, Running, Stage, noted, taken_up
from judge.game.core.parts import Deadline, Seat, Sheet
from judge.game.filing.read import filed
from judge.game.instructions.kinds import Conditional, FiledOrder, Ranked, bound
from judge.game.repair.correcting import PositionCorrected, corrected_again, corrected_by_hand
from judge.languages import moment_mark, tell, together, told_later
from judge.orders.model import Misorder, Move
from judge.orders.spelled import listed, order_words

STILL_FRESH = timedelta(hours=24)
"""A turn that is processed again within this time keeps the deadline of the turn after it."""


STILL_HELD = told_later("The game is still on hold, as it was before; send `resume` to let it go on.")


@dataclass(frozen=True, slots=True)
class RollBack(Command):
    """`rollback PHASE reason`: the results of a phase and of all after it no longer count; empty: the last results."""

    phase: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RollForward(Command):
    """Process what was taken back, with the same orders."""


@dataclass(frozen=True, slots=True)
class Amend(Command):
    """The last results again, with the same orders and at once: after an error of the judge itself was put right."""

    phase: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack(ev.Event, told="void,reason"):
    """The game stands again as it stood ahead of `phase`; the results of `void` no longer count."""

    phase: str
    void: tuple[str, ...]
    reason: str = ""


# --- taking back --------------------------------------------------------------------------------------------------


def roll_back(game: Game, command: RollBack, context: Context) -> Decision | Refusal:
    """The results of a phase and of all after it no longer count."""
    place = _place_of(game, command.phase)
    if isinstance(place, Refusal):
        return place
    event = _taken_back(game, place, context, command.reason)
    void = listed(game.calendar.title(code) for code in event.void)
    said = together(tell("The results of {void} no longer count.", void=void), _also_gone(game, place))
    more = tell(": the phases after it are ordered anew") if len(event.void) > 1 else ""
    return Decision(
        (event,),
        said=tell(
            "{said} {game} is at {phase} again, with the orders filed at the time. `rollforward` "
            "processes that phase once more{more}; `undo` puts everything back as it was.",
            said=said,
            game=game.key,
            phase=event.phase,
            more=more,
        ),
    )


def _also_gone(game: Game, place: int) -> str:
    """What goes with the results from a place in the memory on: the end of the game, corrections by hand."""
    said = ""
    if game.ending is not None:
        said = together(
            said,
            tell(
                "The game had ended; that is void too, with its ratings and the votes that led to it, and it goes on."
            ),
        )
    found = dict(corrected_by_hand(game.past[place:], game.position))
    changes = [change for words in found.values() for change in words]
    if changes:
        first = found.get(game.past[place].event.phase)
        gone = tell(
            "Corrections by hand go with them ({changes}); made again with `rollforward` if the results come out the "
            "same."
            if first
            else "Corrections by hand go with them ({changes}).",
            changes="; ".join(changes),
        )
        said = together(said, gone)
    return said


def _taken_back(game: Game, place: int, context: Context, reason: str) -> RolledBack:
    void = tuple(played.event.phase for played in game.past[place:])
    return RolledBack(at=context.now, by=context.seat, phase=void[0], void=void, reason=reason)


def _place_of(game: Game, phase: str) -> int | Refusal:
    """Where in the memory a phase stands."""
    if game.replay is not None:
        sentence = tell("{phase} has been taken back already and waits to be processed again.", phase=game.replay.phase)
        return Refusal("replay", sentence, mend="rollforward")
    if not game.past:
        return Refusal("nothing-played", tell("There are no results yet that could be taken back."))
    named = phase.upper()
    codes = [played.event.phase for played in game.past]
    found = [place for place, code in enumerate(codes) if code.startswith(named)] if named else [len(codes) - 1]
    if not found:
        sentence = tell(
            "{named} is not among the phases that can be taken back: {codes}.", named=named, codes=", ".join(codes)
        )
        return Refusal("no-such-results", sentence, mend=f"rollback {codes[-1]}")
    return found[0]


def _rolled_back(game: Begun, event: RolledBack) -> Game:
    """The game as it stood ahead of the phase, but for what cannot be unsaid: press, votes, seats, numbers given out.

    What was printed with the void results (notes, headline) will stand in those that replace them.
    """
    place = next(i for i, played in enumerate(game.past) if played.event.phase == event.phase)
    then = game.past[place].before
    versions = noted(game.versions, {phase: max(game.versions.get(phase, 0), 1) for phase in event.void})
    number = max(game.deadline.version if game.deadline else 0, then.deadline.version) + 1
    return replace(
        game,
        stage=Stage.RUNNING,
        ending=None,
        epilogue=None,
        position=then.position,
        sheets=then.sheets,
        chart=then.chart,
        played=then.played,
        deeds=then.deeds,
        withdrawals=then.withdrawals,
        split=then.split,
        reopened=then.reopened,
        turn_opened_at=then.turn_opened_at,
        results_version=then.results_version,
        seats=_seats_of_then(game, then),
        notes=(*then.notes, *game.notes),
        headline=game.headline or then.headline,
        courtesy=then.courtesy,
        practice=then.practice,
        kept=_still_kept(game),
        deadline=replace(then.deadline, version=number),
        versions=versions,
        past=game.past[:place],
        replay=replay_of(game, event),
        held_since=event.at,
        held_reason=tell("{phase} is processed again", phase=event.phase),
        held_until=None,
    )


def _seats_of_then(game: Game, then: Game) -> Mapping[str, Seat]:
    """Who sits where stays as it is; what a player had said for that turn holds again."""
    return MappingProxyType(
        {
            key: replace(
                seat,
                wait=old.wait,
                wait_until=old.wait_until,
                waits=old.waits | seat.waits,
                offer=old.offer,
                begun=old.begun,
                proxy=old.proxy,
            )
            if (old := then.seats.get(key)) is not None and old.tenure == seat.tenure
            else seat
            for key, seat in game.seats.items()
        }
    )


def replay_of(game: Game, event: RolledBack) -> Replay:
    """What a game that takes results back remembers of them."""
    place = next(i for i, played in enumerate(game.past) if played.event.phase == event.phase)
    due = (str(game.deadline.phase), game.deadline.at) if game.deadline is not None else None
    return Replay(
        event.phase, event.reason, event.at, game.past[place:], due,
        held=game.held_since is not None, held_reason=game.held_reason, held_until=game.held_until,
        ending=game.ending, position=game.position,
    )  # fmt: skip


def _still_kept(game: Begun) -> dict[str, dict[str, tuple[tuple[str, ...], ...]]]:
    """Orders for phases to come stay; what was on file for a phase that is void now is kept until it comes again. What
    always stands is filed again then.
    """
    kept = {power: dict(phases) for power, phases in game.kept.items()}
    for power, sheet in game.sheets.items():
        by_phase: dict[str, list[FiledOrder]] = {}
        always = [bound(order, game.position, power) for order in game.always.get(power, ())]
        for line in sheet.lines:
            if line.instruction in always:
                continue
            by_phase.setdefault(line.phase, []).append(line)
        for phase, lines in by_phase.items():
            kept.setdefault(power, {})[phase] = (tuple(_written(line, game.board, power) for line in lines),)
    return kept


def _written(line: FiledOrder, board: Board, power: str) -> str:
    """An order on file as a line that is read back as the same, whatever stood in its author's ("all hold")."""
    order = line.instruction
    if isinstance(order, (Conditional, Ranked, Misorder)) or (isinstance(order, Move) and order.route):
        return line.text
    return order_words(order, board, adjusting=line.adjusts, reader=power)


# --- processing again ---------------------------------------------------------------------------------------------


def roll_forward(game: Running, command: RollForward, context: Context) -> Decision | Refusal:
    """Process what was taken back, with the orders filed at the time."""
    if game.replay is None:
        return Refusal("no-replay", tell("Nothing has been taken back."), mend="rollback")
    events = replayed(game, context.now, by=context.seat)
    said = together(tell("{phase} is processed again.", phase=game.replay.phase), _dropped(game.replay, events))
    if len(game.replay.taken) > 1:
        said = together(
            said,
            tell(
                "From {phase} on the phases are played again, with new orders.", phase=game.replay.taken[1].event.phase
            ),
        )
    if game.replay.held:
        said = together(said, tell(STILL_HELD))
    return Decision(events, said=said)


def replayed(game: Begun, now: datetime, *, by: str) -> tuple[ev.Event, ...]:
    """The page turned once more; the deadline after it stays if that was turned only a short while ago. What was
    corrected by hand is corrected again where the results are the same.
    """
    assert isinstance(game, Running) and game.replay is not None
    replay = game.replay
    played = with_deadline_of_then(turn_page(game, now, by=by), replay, now, since=replay.played_at)
    for event in played:
        game = evolve_turn(game, event)
    return *played, *corrected_again(game, replay, Context(Actor(Role.JUDGE, "judge"), now))


def with_deadline_of_then(
    events: tuple[ev.Event, ...], replay: Replay, now: datetime, *, since: datetime
) -> tuple[ev.Event, ...]:
    """The deadline that was set before anything was taken back, where these events come to the same phase again.

    Not if more than a day has gone by since the players lost their time (`since`), or if too little is left of it.
    """
    place = max((at for at, event in enumerate(events) if isinstance(event, ev.DeadlineSet)), default=None)
    if replay.due is None or place is None or now - since > STILL_FRESH:
        return events
    last, (phase, at) = events[place], replay.due
    assert isinstance(last, ev.DeadlineSet) and replay.taken
    notice = min(replay.taken[0].before.settings.min_notice, at - since)
    if last.phase != phase or at - now < notice:
        return events
    return *events[:place], replace(last, deadline=at), *events[place + 1 :]


def amend(game: Begun, command: Amend, context: Context) -> Decision | Refusal:
    """The last results once more: taken back and processed in one go."""
    place = _place_of(game, command.phase)
    if isinstance(place, Refusal):
        return place
    if place != len(game.past) - 1:
        phase = game.past[place].event.phase
        sentence = tell("Later results depend on those of {phase}; take them all back first.", phase=phase)
        return Refusal("later-results", sentence, mend=f"rollback {phase}")
    back = _taken_back(game, place, context, command.reason)
    events = replayed(evolve_turn(game, back), context.now, by=context.seat)
    dropped = _dropped(replay_of(game, back), events)
    said = together(tell("{phase} is processed again, and everybody gets the new results.", phase=back.phase), dropped)
    return Decision((back, *events), said=said)


def _dropped(replay: Replay, again: Iterable[ev.Event]) -> str:
    """What was corrected by hand in the first results that were taken back, and is not corrected again with them."""
    found = dropped_corrections(replay, again)
    return (
        tell("The results are others, so what was corrected by hand is dropped: {found}.", found="; ".join(found))
        if found
        else ""
    )


def dropped_corrections(replay: Replay, again: Iterable[ev.Event]) -> tuple[str, ...]:
    """Corrections by hand, in words, that the events of playing once more have not made again."""
    events = tuple(again)
    played = {event.phase for event in events if isinstance(event, ev.PhaseAdjudicated)}
    made = {event.phase for event in events if isinstance(event, PositionCorrected)}
    found = corrected_by_hand(replay.taken, replay.position)
    return tuple(change for phase, words in found if phase in played - made for change in words)


_PLAYED_OUT = ("win", "limit")
"""Endings that follow from the position by themselves."""


@dataclass(frozen=True, slots=True)
class PlayForward(Command):
    """Process everything that was taken back, with the same orders; the game stands where it stood before."""


def play_forward(game: Begun, command: PlayForward, context: Context) -> Decision | Refusal:
    """All void phases again, one turn after the other, and the ending that there was."""
    replay = game.replay
    if replay is None:
        return Refusal("no-replay", tell("Nothing has been taken back."), mend="rollback")
    events: list[ev.Event] = []
    for happened in _turns(game, replay, context):
        events += happened
        game = _after(game, happened)
    found = with_deadline_of_then(tuple(events), replay, context.now, since=replay.since)
    return Decision(found, said=_said(game, replay))


def _turns(game: Begun, replay: Replay, context: Context) -> Iterator[tuple[ev.Event, ...]]:
    """What happens, turn by turn, from the first that was taken back; nobody's open vote is closed by it."""
    turns = {taken.event.phase: taken.before for taken in replay.taken}
    while isinstance(game, Running) and (then := turns.pop(str(game.phase), None)) is not None:
        if str(game.phase) != replay.phase:
            game = _after(game, again := _orders_of_then(game, then, context.now))
            yield again
        assert isinstance(game, Running)  # whatever was on file then
        game = _after(game, played := turn_page(game, context.now, by=context.seat, votes=False))
        yield played
        game = _after(game, corrected := corrected_again(game, replay, context))
        yield corrected
    end = replay.ending
    if end is not None and end.how not in _PLAYED_OUT and game.stage is Stage.RUNNING and not _left(game, replay):
        yield (ev.GameEnded(at=context.now, by=context.seat, how=end.how, powers=end.powers, reason=end.reason),)


def _after(game: Begun, events: Iterable[ev.Event]) -> Begun:
    for event in events:
        game = evolve_turn(game, event)
    return game


def _orders_of_then(game: Game, then: Game, now: datetime) -> tuple[ev.Event, ...]:
    """Every power's set as it was when the turn was processed, and the turn divided if it was."""
    events: list[ev.Event] = []
    if then.split and game.split != then.split:
        events.append(TurnSplit(at=now, phase=then.split))
    for power in dict.fromkeys((*then.sheets, *game.sheets)):
        seat = game.seat_of(power)
        events.append(_filed(then.sheets, power, str(game.phase), now, by=seat.id if seat else ""))
    return tuple(events)


def _filed(sheets: Mapping[str, Sheet], power: str, phase: str, now: datetime, *, by: str) -> ev.OrdersFiled:
    sheet = sheets.get(power) or Sheet(power, phase, 1, ())
    return filed(sheet, Context(Actor(Role.PLAYER, by, mail=sheet.mail), now))


def _left(game: Game, replay: Replay) -> tuple[str, ...]:
    """The phases that were not played again: the game came to another one, or ended."""
    codes = [taken.event.phase for taken in replay.taken]
    done = {played.event.phase for played in game.past}
    return tuple(code for code in codes if code not in done)


def _said(game: Game, replay: Replay) -> str:
    count = len(replay.taken)
    left = _left(game, replay)
    if left:
        stands = (
            tell("{game} is at {phase}", game=game.key, phase=game.phase)
            if game.stage is Stage.RUNNING
            else tell("{game} has ended", game=game.key)
        )
        said = tell(
            "{stands}: {left} did not come again, because what went before has changed.",
            stands=stands,
            left=", ".join(left),
        )
    elif count == 1:
        said = tell("{phase} is processed again, with the same orders.", phase=replay.phase)
    else:
        said = tell(
            "The {count} phases from {phase} on are processed again, with the same orders.",
            count=count,
            phase=replay.phase,
        )
    return together(said, tell(STILL_HELD) if replay.held and game.stage is Stage.RUNNING else "")


@dataclass(frozen=True, slots=True)
class Reopen(Command):
    """`reopen PHASE reason`: the results of a phase and of all after it no longer count, and it is ordered again."""

    phase: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseReopened(ev.Event, told="phase,reason"):
    """Orders for `phase`, which was taken back, may be changed again; its deadline is set behind this."""

    phase: str
    reason: str = ""


def reopen(game: Begun, command: Reopen, context: Context) -> Decision | Refusal:
    """Take a phase back, unless that was done, and let everybody order it again."""
    named = command.phase.upper()
    if not named:
        example = game.replay.phase if game.replay else game.past[-1].event.phase if game.past else "F1905M"
        return Refusal(
            "which-phase", tell("Say which phase everybody is to order again."), mend=f'reopen {example} reason "..."'
        )
    reason = command.reason.strip() or (game.replay.reason if game.replay is not None else "")
    if not reason:
        sentence = tell("Everybody is told, so give a reason.")
        return Refusal("no-reason", sentence, mend=f'reopen {named} reason "..."')
    back = _taken_back_by(game, named, reason, context)
    if isinstance(back, Refusal):
        return back
    for event in back:
        game = evolve_turn(game, event)
    held = game.replay is not None and game.replay.held
    opened, due = _reopened(game, reason, context)
    said = tell(
        "{phase} is open for new orders, due by {deadline}; everybody is told. What was on file stands until its "
        "player sends something else.",
        phase=due.phase,
        deadline=moment_mark(due.deadline),
    )
    return Decision(
        (*back, opened, due),
        said=together(said, tell(STILL_HELD) if held else ""),
    )


def _taken_back_by(game: Game, phase: str, reason: str, context: Context) -> tuple[RolledBack, ...] | Refusal:
    """What must be taken back first: nothing where this phase waits to be processed again."""
    if game.replay is not None:
        if game.replay.phase.startswith(phase):
            return ()
        sentence = tell("{phase} was taken back; it comes first.", phase=game.replay.phase)
        return Refusal("wrong-phase", sentence, mend=f'reopen {game.replay.phase} reason "..."')
    found = roll_back(game, RollBack(phase, reason), context)
    if isinstance(found, Refusal):
        if found.slug == "no-such-results" and game.past:
            return replace(found, mend=f'reopen {game.past[-1].event.phase} reason "..."')
        return found
    return tuple(event for event in found.events if isinstance(event, RolledBack))


def _reopened(game: Begun, reason: str, context: Context) -> tuple[PhaseReopened, ev.DeadlineSet]:
    """The phase open again, with the whole time that such a phase has at least."""
    opened = PhaseReopened(at=context.now, by=context.seat, phase=str(game.phase), reason=reason)
    game = evolve_turn(game, opened)
    assert isinstance(game, Running)  # it was on hold
    landed = next_deadline(game, Opened(context.now, slipped=True, planned=_weekday_of(game.deadline, context.now)))
    later = landed.at > game.deadline.at
    return opened, ev.DeadlineSet(
        at=context.now,
        by=context.seat,
        phase=str(game.phase),
        deadline=max(landed.at, game.deadline.at),
        version=game.deadline.version + 1,
        why="reopened",
        reason=reason,
        beyond=landed.beyond if later else (),
        holidays=landed.holidays if later else (),
    )


def _weekday_of(deadline: Deadline, now: datetime) -> datetime:
    """Day and hour of the calendar for which the phase was planned at first, in a week before now."""
    planned = deadline.planned or deadline.at
    weeks = -(-(planned - now) // timedelta(weeks=1))
    return planned - timedelta(weeks=max(0, weeks))


def _open_again(game: Game, event: PhaseReopened) -> Game:
    """The calendar runs again; whatever was awaited or said for the first time round is over."""
    seats = {key: replace(seat, wait=False, wait_until=None) for key, seat in game.seats.items()}
    sheets = {power: replace(sheet, undo=None) for power, sheet in game.sheets.items()}
    return replace(
        taken_up(game, event.at),
        reopened=event.phase,
        turn_opened_at=event.at,
        seats=MappingProxyType(seats),
        sheets=MappingProxyType(sheets),
        awaited=MappingProxyType({}),
    )


FEATURE = Feature(
    evolve={
        RolledBack: _rolled_back,
        PhaseReopened: _open_again,
    },
    decide={
        RollBack: roll_back,
        RollForward: roll_forward,
        Amend: amend,
        PlayForward: play_forward,
        Reopen: reopen,
    },
    gm_only=(
        RollBack,
        RollForward,
        Amend,
        PlayForward,
        Reopen,
    ),
    grave=(
        RollBack,
        Amend,
        Reopen,
    ),
    undo={
        RolledBack: lambda act, before: PlayForward(),
        PhaseReopened: (
            "Everybody was told to order again, and may have done so; the phase may be processed",
            "process",
        ),
    },
)
