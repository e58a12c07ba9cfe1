"""Taking back what the Gamemaster did last: the command that undoes each act; some only an undo gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from judge.game.clock.holds import HoldGame
from judge.game.clock.schedule import GraceMoved, moved, not_running, on_short_notice
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, ChangeSettings, Command, Context, Decision, Refusal, Role, Vacate, over
from judge.game.core.evolve import REGISTRY, Decider, Feature, Undo
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Running, Stage
from judge.game.filing.submitting import restored
from judge.game.office.rulings import PositionImported
from judge.game.repair.rewriting import PhaseReopened, RolledBack
from judge.game.settings.redrawn import COUNTED, SEATING
from judge.game.settings.table import Settings, settings_from_text, settings_to_text
from judge.game.table.deciding import PresetTaken
from judge.game.table.filling import Approve, PhraseSet
from judge.game.table.vacancies import PlayerExcused, take_over
from judge.languages import moment_mark, tell, told_later

GRAVE = (
    "rollback", "amend", "reopen", "end", "carry vote", "disqualify", "hand over", "deputy", "assign", "vacate",
    "reveal",
)  # fmt: skip
"""Each needs a second proof: the table of authority has its row from here, the Gamemaster's first letter its list."""

GRAVE_ACTS = ", ".join(GRAVE)


@dataclass(frozen=True, slots=True)
class DeadlineAgain(Command):
    """The deadline before the Gamemaster's, which `added` so much to it."""

    added: timedelta


@dataclass(frozen=True, slots=True)
class GraceAgain(Command):
    """The late call before the Gamemaster's deadline stands again, with its grace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraceRestored(ev.Event, told="until"):
    """The deadline that followed a late call is taken back: the call stands. `until`: the end of its grace."""

    until: datetime | None
    version: int


def deadline_again(game: Game, command: DeadlineAgain, context: Context) -> Decision | Refusal:
    """Put the deadline back; refused where that moment has passed, or comes too soon for those who relied on this."""
    if not isinstance(game, Running):
        return not_running(game)
    at, clock = game.deadline.at - command.added, game.held_since or context.now
    if at <= clock:
        return _passed(tell("The deadline before it was {at}, and that has passed.", at=moment_mark(at)))
    if (refusal := on_short_notice(game, at, clock)) is not None:
        return refusal
    said = tell("The deadline is {at} again, and everybody is told.", at=moment_mark(at))
    return Decision((moved(game, at, context, why="set", reason="taken back"),), said=said)


def grace_again(game: Game, command: GraceAgain, context: Context) -> Decision | Refusal:
    """Let the late call stand again; refused where its grace is over, or ends too soon for those who relied on more."""
    if not isinstance(game, Running):
        return not_running(game)
    was, clock = game.deadline.before, game.held_since or context.now
    if was is None or game.deadline.called:
        return _passed(tell("That deadline has come and passed."))
    if was.grace is not None:
        if was.grace <= clock:
            return _passed(
                tell(
                    "The time of grace before it would have ended {grace}, and that has passed.",
                    grace=moment_mark(was.grace),
                )
            )
        if (refusal := on_short_notice(game, was.grace, clock)) is not None:
            return refusal
    event = GraceRestored(at=context.now, by=context.seat, until=was.grace, version=game.deadline.version + 1)
    ends = (
        tell("until {at}", at=moment_mark(was.grace))
        if was.grace is not None
        else tell("for the orders that are missing")
    )
    return Decision((event,), said=tell("The game waits {ends}, as it did before, and everybody is told.", ends=ends))


def _passed(sentence: str) -> Refusal:
    return Refusal(
        "in-the-past",
        tell("{sentence} Name another moment, if this one is wrong.", sentence=sentence),
        mend="help deadline",
    )


def _deadline_restored(game: Game, event: GraceRestored) -> Game:
    now = game.deadline
    if now is None or now.before is None:
        return game
    return altered(game, deadline=replace(now.before, version=event.version, nudged=now.nudged))


@dataclass(frozen=True, slots=True)
class Unassign(Command):
    """`person`, whom the Gamemaster put at a seat, leaves it to `former`; 0: it was vacant before."""

    seat: str
    person: int
    former: int = 0


@dataclass(frozen=True, slots=True)
class SeatAgain(Command):
    """`person`, from whom the Gamemaster took a seat, has it again."""

    seat: str
    person: int


@dataclass(frozen=True, slots=True)
class WithdrawOrders(Command):
    """The orders that the Gamemaster filed for a power make way for those before them. `number`: of their set."""

    power: str
    number: int


def of_seat(events: Sequence[ev.Event], place: int) -> Unassign | None:
    """What takes an assignment back; the seat's former player left in the same act, or it was vacant."""
    act = events[place]
    if not isinstance(act, ev.SeatFilled):
        return None
    went = events[place - 1] if place else None
    replaced = isinstance(went, ev.SeatVacated) and went.seat == act.seat and went.why == "replaced"
    return Unassign(act.seat, act.person, went.person if replaced and isinstance(went, ev.SeatVacated) else 0)


def unassign(game: Game, command: Unassign, context: Context) -> Decision | Refusal:
    """Give a seat back to the player before, or leave it vacant; refused where it has changed hands since."""
    seat = game.seats.get(command.seat)
    if game.stage is Stage.ENDED:
        return over(game.key)
    if seat is None or seat.person != command.person:
        return Refusal("changed-since", tell("Somebody else has that seat now; assign the power again."), mend="status")
    if command.former and game.seat_played_by(command.former, context.now) is not None:
        return Refusal("elsewhere", tell("The former player now plays another power; assign the power again."))
    why = "replaced" if command.former else "withdrawn"
    events: list[ev.Event] = [
        ev.SeatVacated(
            at=context.now, by=context.seat, seat=seat.id, person=command.person, why=why, reason="taken back"
        )
    ]
    if command.former:
        tenure = game.tenures.get(seat.id, seat.tenure) + 1
        events.append(
            ev.SeatFilled(at=context.now, by=context.seat, seat=seat.id, person=command.former, tenure=tenure)
        )
    names = game.named(seat.powers)
    whose = (
        tell("has its former player again; their orders must be sent again")
        if command.former
        else tell("is vacant again")
    )
    return Decision(tuple(events), said=f"{names} {whose}.")


def seat_again(game: Game, command: SeatAgain, context: Context) -> Decision | Refusal:
    """Give a seat back that was vacated by mistake, as to somebody who returns; refused once it is filled."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    seat = game.seats.get(command.seat)
    if seat is None or seat.filled or game.seat_played_by(command.person, context.now) is not None:
        return Refusal(
            "changed-since",
            tell("Somebody has taken that seat, or another one, since; assign the power again."),
            "status",
        )
    events = take_over(game, seat, command.person, context.now, by=context.seat, resumes=True)
    return Decision(
        events,
        said=tell(
            "{named} has its former player again; their orders must be sent again.", named=game.named(seat.powers)
        ),
    )


def withdraw_orders(game: Game, command: WithdrawOrders, context: Context) -> Decision | Refusal:
    """The set before the Gamemaster's is in force again."""
    sheet = game.sheets.get(command.power)
    power = game.board.powers[command.power]
    if sheet is None or sheet.number != command.number or sheet.undo is None:
        sentence = tell(
            "The orders of {name} were changed or played since; nothing of them is taken back.", name=power.told
        )
        return Refusal("changed-since", sentence, mend=f"order as {power.name}")
    what = tell("The orders before yours are") if sheet.undo else tell("Nothing is")
    return Decision(
        (restored(sheet, context),),
        said=tell("{what} on file for {name}; its player is told.", what=what, name=power.told),
    )


@dataclass(frozen=True, slots=True)
class WithdrawNote(Command):
    """A note that waits for the next report shall not be printed."""

    text: str


@dataclass(frozen=True, slots=True)
class CloseAgain(Command):
    """Off the list, while nobody has joined."""


@dataclass(frozen=True, slots=True)
class RestoreSettings(Command):
    """The settings as they were before a preset was taken; `decided` as in the game."""

    settings: tuple[tuple[str, str], ...]
    decided: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RestoreImport(Command):
    """The game begins where it would have begun before the last import; None: at the set-up."""

    position: ev.Json


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWithdrawn(ev.Event, told="text"):
    """The last note with this text is not printed."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClosed(ev.Event, told=""):
    """Off the list again; nobody had joined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsRestored(ev.Event, told=""):
    """`settings`: complete; `decided`: what of them was chosen."""

    settings: dict[str, str]
    decided: tuple[str, ...]


def withdraw_note(game: Game, command: WithdrawNote, context: Context) -> Decision | Refusal:
    """Take a note out of what waits for the next report; refused once it is printed."""
    if command.text not in game.notes:
        return Refusal(
            "printed", tell("That note was printed already; write another one that puts it right."), mend="note:"
        )
    event = NoteWithdrawn(at=context.now, by=context.seat, text=command.text)
    return Decision((event,), said=tell("The note will not be printed."))


def close_again(game: Game, command: CloseAgain, context: Context) -> Decision | Refusal:
    """Take a game off the list; refused once somebody has joined."""
    if game.stage is not Stage.OPEN or game.seats:
        return Refusal("joined", tell("Players have joined {game}; it stays open.", game=game.key))
    return Decision((GameClosed(at=context.now, by=context.seat),), said=tell("{game} is off the list.", game=game.key))


def restore_settings(game: Game, command: RestoreSettings, context: Context) -> Decision | Refusal:
    """Set all settings as they were before a preset; refused once the game is open."""
    if game.stage is not Stage.FORMING:
        return Refusal("opened", tell("{game} is open, and players rely on its settings.", game=game.key))
    event = SettingsRestored(at=context.now, by=context.seat, settings=dict(command.settings), decided=command.decided)
    return Decision((event,), said=tell("{game} has the settings that it had before.", game=game.key))


def restore_import(game: Game, command: RestoreImport, context: Context) -> Decision | Refusal:
    """Forget the last imported position; refused once the game has begun."""
    if game.stage not in (Stage.FORMING, Stage.OPEN):
        return Refusal("begun", tell("{game} has begun.", game=game.key))
    where = tell("at the set-up") if command.position is None else tell("with the position imported before")
    event = PositionImported(at=context.now, by=context.seat, position=command.position)
    return Decision((event,), said=tell("{game} will begin {where}.", game=game.key, where=where))


def _note_withdrawn(game: Game, event: NoteWithdrawn) -> Game:
    notes = list(game.notes)
    if event.text in notes:
        del notes[len(notes) - 1 - notes[::-1].index(event.text)]
    return replace(game, notes=tuple(notes))


def _closed(game: Game, event: GameClosed) -> Game:
    return replace(game, stage=Stage.FORMING)


def _restored(game: Game, event: SettingsRestored) -> Game:
    return replace(game, settings=settings_from_text(event.settings, Settings()), decided=frozenset(event.decided))


Before = Callable[[], Game]
"""The game ahead of the act."""

_NOT_BY_ITSELF = frozenset({"calendar", "replacement", "takeover", "excused", "reopened"})
"""Why a deadline was set together with something else, which would stand without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActTakenBack(ev.Event, told="last"):
    """The events from number `act` of the log on to `last` were one act of the Gamemaster; those from `since` to here
    have taken it back.
    """

    act: int
    last: int
    since: int
    what: str = ""
    """The kind of the act's last event, by the name of its class: "GameHeld"; "" in old logs."""


def acts(events: Sequence[ev.Event]) -> list[int]:
    """The places of the Gamemaster's acts that stand, oldest first: of each its last event. Places count from 0."""
    gone: set[int] = set()
    for place, event in enumerate(events):
        if isinstance(event, ActTakenBack):
            gone |= {*range(event.act - 1, event.last), *range(event.since - 1, place + 1)}
    return [
        place
        for place, event in enumerate(events)
        if event.by == GM_SEAT and place not in gone and (place + 1 == len(events) or not _belongs(events, place + 1))
    ]


def by_gm(event: ev.Event) -> bool:
    """Whether the log of the Gamemaster tells an event: an act of theirs, or a change of the office."""
    return event.by in (GM_SEAT, Role.OPERATOR.value) or isinstance(event, ev.GamemasterChanged)


def begins(events: Sequence[ev.Event], place: int) -> int:
    """Where the act begins that ends with the event at `place`."""
    while place and _belongs(events, place):
        place -= 1
    return place


_TOGETHER: Mapping[type[ev.Event], tuple[type[ev.Event], ...]] = {
    ev.GameResumed: (ev.DeadlineSet, GraceMoved),
    RolledBack: (PhaseReopened,),
    PhaseReopened: (ev.DeadlineSet,),
    ev.SeatVacated: (ev.SeatFilled,),
    ev.SeatFilled: (ev.DeadlineSet, GraceMoved, PlayerExcused),
    PlayerExcused: (ev.DeadlineSet,),
    ev.OrdersFiled: (ev.OrdersFiled,),
    ev.SettingChanged: (ev.SettingChanged, PhraseSet),
}
"""An event of an act -> what may follow it in the same act."""

_LEADING = {"players": SEATING} | dict.fromkeys(COUNTED, ("first_year", *COUNTED))
"""A setting that moves with another -> what stands before it in the log when it does."""


def _belongs(events: Sequence[ev.Event], place: int) -> bool:
    """Whether the event at `place` belongs to the act of the one before it."""
    before, event = events[place - 1], events[place]
    if (before.by, before.at) != (event.by, event.at) or not isinstance(event, _TOGETHER.get(type(before), ())):
        return False
    if isinstance(event, ev.DeadlineSet):
        return event.why in ("resumed", "replacement", "excused", "reopened")
    if isinstance(event, ev.OrdersFiled) and isinstance(before, ev.OrdersFiled):
        return event.power == before.power
    if isinstance(event, ev.SettingChanged) and isinstance(before, ev.SettingChanged):
        return before.name in _LEADING.get(event.name, ())
    return not isinstance(before, ev.SeatVacated) or before.why == "replaced"


def taken_back(events: Sequence[ev.Event], place: int, context: Context) -> ActTakenBack:
    """What stands behind the events that take back the act whose last event is at `place`; `events`: all so far."""
    what = type(events[place]).__name__
    first, since = begins(events, place) + 1, len(events) + 1
    return ActTakenBack(
        at=context.now, by=context.seat, deputy=context.actor.deputy, act=first, last=place + 1, since=since, what=what
    )


def inverse(events: Sequence[ev.Event], place: int, before: Before) -> Command | None:
    """The command that undoes the event at `place`; None if there is none."""
    act = events[place]
    if isinstance(act, (ev.DeadlineSet, GraceMoved)) and place and isinstance(events[place - 1], ev.GameResumed):
        return _held_before(before())
    if isinstance(act, ev.DeadlineSet) and act.why == "replacement" and place:
        return of_seat(events, place - 1)
    if isinstance(act, ev.SeatFilled):
        return of_seat(events, place)
    if isinstance(act, ev.DeadlineSet):
        return _deadline_before(events, place, act, before)
    if isinstance(act, ev.SeatVacated):
        powers = before().seats[act.seat].powers
        if act.why != "removed":
            return None
        return SeatAgain(act.seat, act.person) if powers else Approve(act.person)
    if isinstance(act, ev.SettingChanged):
        first = events[begins(events, place)]  # what moved with it moves back with it
        return ChangeSettings(first.name, first.old) if isinstance(first, ev.SettingChanged) else None
    if isinstance(act, PositionImported):
        earlier = [event.position for event in events[:place] if isinstance(event, PositionImported)]
        return RestoreImport(earlier[-1] if earlier else None)
    undo = REGISTRY.undo(act)
    undone: Command | None = undo(act, before) if callable(undo) else None
    return undone


_STANDS: Mapping[type[Any], Undo] = {
    ev.PhaseAdjudicated: (told_later("Results are out; they are taken back with a command of their own"), "rollback"),
    ev.PhaseSkipped: (told_later("Results are out; they are taken back with a command of their own"), "rollback"),
    ev.SeatVacated: (
        told_later("The player has been told that they are out; give them the seat again if that was wrong"),
        "help assign",
    ),
    ev.GameEnded: (told_later("The game is over, and everybody has read it"), ""),
    ev.GameStarted: (told_later("The game has begun, and everybody knows their power; it may be ended"), "help end"),
    ev.PressSent: (told_later("Your letter has been read"), "log"),
    ev.VoteCalled: (told_later("The vote is open; it may be voted down"), "log"),
    ev.GameCreated: (told_later("It may be closed"), "help end"),
}
"""Acts of every game that nothing undoes."""


def why_not(events: Sequence[ev.Event], place: int) -> tuple[str, str]:
    """A sentence on an act that cannot be taken back, and what to send instead."""
    act = events[place]
    if isinstance(act, ev.DeadlineSet) and act.why in ("calendar", "start", "reopened", "excused"):
        act = next((before for before in events[place::-1] if isinstance(REGISTRY.undo(before), tuple)), act)
    why = REGISTRY.undo(act)
    if not isinstance(why, tuple):
        return tell("It is in the log, and players have read it"), "log"
    if isinstance(act, ev.GameEnded) and any(isinstance(event, ev.PhaseAdjudicated) for event in events[:place]):
        return tell("{why}; the last turn may be taken back", why=tell(why[0])), "rollback"
    return tell(why[0]), why[1]


def _deadline_before(events: Sequence[ev.Event], place: int, act: ev.DeadlineSet, before: Before) -> Command | None:
    if act.why in _NOT_BY_ITSELF:
        return None
    if any(isinstance(event, ev.DeadlineSet) and event.phase != act.phase for event in events[place + 1 :]):
        return None  # the turn that it was for is over
    earlier = [event for event in events[:place] if isinstance(event, ev.DeadlineSet) and event.phase == act.phase]
    if not earlier:
        return None
    was, now = before().deadline, [event.deadline for event in events if isinstance(event, ev.DeadlineSet)][-1]
    if was is not None and was.called and now == act.deadline:
        return GraceAgain()
    return DeadlineAgain(act.deadline - earlier[-1].deadline)  # what others have added since stays


def _held_before(game: Game) -> HoldGame:
    """The hold that was lifted. A day on which it would be over by now ends it no more."""
    return HoldGame(game.held_reason or "taken back", game.held_until)


def _preset_before(act: PresetTaken, before: Before) -> Command:
    game = before()
    return RestoreSettings(tuple(settings_to_text(game.settings).items()), tuple(sorted(game.decided)))


def _noted_only(game: Game, event: ActTakenBack) -> Game:
    return game


_COMMANDS: Mapping[type[Command], Decider] = {
    DeadlineAgain: deadline_again,
    GraceAgain: grace_again,
    WithdrawNote: withdraw_note,
    CloseAgain: close_again,
    RestoreSettings: restore_settings,
    RestoreImport: restore_import,
    Unassign: unassign,
    SeatAgain: seat_again,
    WithdrawOrders: withdraw_orders,
}
"""Only an undo gives them."""

FEATURE = Feature(
    evolve={
        GraceRestored: _deadline_restored,
        NoteWithdrawn: _note_withdrawn,
        GameClosed: _closed,
        SettingsRestored: _restored,
        ActTakenBack: _noted_only,
    },
    undo={
        **_STANDS,
        ev.NoteWritten: lambda act, before: WithdrawNote(act.text),
        ev.GameOpened: lambda act, before: CloseAgain(),
        ev.GameResumed: lambda act, before: _held_before(before()),
        ev.OrdersFiled: lambda act, before: WithdrawOrders(act.power, act.number),
        ev.PlayerJoined: lambda act, before: Vacate("", "taken back", act.seat),
        PresetTaken: _preset_before,
    },
    decide=_COMMANDS,
    gm_only=tuple(_COMMANDS),
)
