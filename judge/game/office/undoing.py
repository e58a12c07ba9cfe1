"""Taking back what the Gamemaster did last: the command that undoes it, where there is one.

Nothing is deleted: an act and its taking back both stand in the log. What went out to players (results, who plays
what, a disqualification) is not undone here; results have their own repairs (`judge.game.repair.rewriting`).

Acts lie on a stack: what was taken back is off it, its taking back never lies on it, and so a second `undo` takes back
the act before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from judge.board.position import position_from_json
from judge.game.clock.holds import HoldGame, Resume
from judge.game.clock.nudging import PlayersNudged
from judge.game.clock.outages import GraceMoved
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, ChangeSettings, Command, Vacate
from judge.game.core.decision import Context
from judge.game.core.model import Game
from judge.game.core.registry import Feature
from judge.game.core.votes import VoteCalled
from judge.game.office.offices import Deputize, DeputyDismissed, DeputyNamed, DismissDeputy, GameOffered
from judge.game.office.putting_back import DeadlineAgain, GraceAgain
from judge.game.office.restoring import CloseAgain, RestoreImport, RestoreSettings, WithdrawNote, WithdrawOffer
from judge.game.office.rulings import Headline, HeadlineSet, PositionImported, Revealed
from judge.game.office.withdrawing import SeatAgain, WithdrawOrders, of_seat
from judge.game.repair.appeals import AppealDecided, ReopenAppeal
from judge.game.repair.correcting import CorrectPosition, PositionCorrected
from judge.game.repair.edits import changes_between
from judge.game.repair.forward import PlayForward
from judge.game.repair.reopening import PhaseReopened
from judge.game.repair.rewriting import RolledBack
from judge.game.settings.redrawn import SEATING
from judge.game.settings.table import settings_to_text
from judge.game.settings.years import COUNTED
from judge.game.table.admission import Approve, PhraseSet, SetPhrase, TurnedAway
from judge.game.table.deciding import PresetTaken
from judge.game.table.filling import GameAdvertised
from judge.game.table.inviting import Withdraw
from judge.game.table.reserve import ReserveJoined
from judge.game.table.tickets import InvitationsEnded, PlayersInvited
from judge.game.table.vacancies import PlayerExcused
from judge.game.talk.editors import DismissEditor, EditorDismissed, EditorNamed, NameEditor
from judge.game.talk.epilogue import StatementMade

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
    if isinstance(act, ev.OrdersFiled):
        return WithdrawOrders(act.power, act.number)
    if isinstance(act, ev.DeadlineSet):
        return _deadline_before(events, place, act, before)
    if isinstance(act, ev.GameResumed):
        return _held_before(before())
    if isinstance(act, ev.GameHeld) and (was := before()).held_since is not None:
        return HoldGame(was.held_reason, was.held_until)
    if isinstance(act, HeadlineSet):
        return Headline(before().headline)
    if isinstance(act, DeputyDismissed):
        deputy = before().deputy
        return Deputize(deputy.person, deputy.until) if deputy else None
    if isinstance(act, ev.SeatVacated):
        powers = before().seats[act.seat].powers
        if act.why != "removed":
            return None
        return SeatAgain(act.seat, act.person) if powers else Approve(act.person)
    if isinstance(act, PhraseSet):
        return SetPhrase(before().gathering.phrase, before().settings.access)
    if isinstance(act, PositionCorrected):
        return _position_before(act, before())
    if isinstance(act, PresetTaken):
        game = before()
        return RestoreSettings(tuple(settings_to_text(game.settings).items()), tuple(sorted(game.decided)))
    if isinstance(act, ev.SettingChanged):
        return _plainly(events[begins(events, place)])  # what moved with it moves back with it
    if isinstance(act, PositionImported):
        earlier = [event.position for event in events[:place] if isinstance(event, PositionImported)]
        return RestoreImport(earlier[-1] if earlier else None)
    return _plainly(act)


_STANDS: Mapping[type[ev.Event], tuple[str, str]] = {
    ev.PhaseAdjudicated: ("Results are out; they are taken back with a command of their own", "rollback"),
    ev.PhaseSkipped: ("Results are out; they are taken back with a command of their own", "rollback"),
    PhaseReopened: ("Everybody was told to order again, and may have done so; the phase may be processed", "process"),
    PlayerExcused: (
        "An excuse cannot be taken back: everybody knows the new deadline. Move it if it is wrong, or vacate the seat",
        "help deadline",
    ),
    ev.SeatVacated: (
        "The player has been told that they are out; give them the seat again if that was wrong",
        "help assign",
    ),
    Revealed: ("Everybody has read who plays what", "log"),
    ev.GameEnded: ("The game is over, and everybody has read it", ""),
    ev.GameStarted: ("The game has begun, and everybody knows their power; it may be ended", "help end"),
    ev.PressSent: ("Your letter has been read", "log"),
    VoteCalled: ("The vote is open; it may be voted down", "log"),
    TurnedAway: ("They have read it; `approve` lets them in after all", "status"),
    ReserveJoined: ("They have read it; `refuse` takes them off the reserve list", "status"),
    InvitationsEnded: ("Invite them again, if that was wrong", "help invite"),
    GameAdvertised: ("Everybody who wanted to hear of games has the letter", "log"),
    PlayersNudged: ("The letter has been read", "log"),
    StatementMade: ("It is kept as your statement on the game; another one replaces it", "help statement"),
    ev.GameCreated: ("It may be closed", "help end"),
}
"""Acts that nothing undoes: why, and the command that comes nearest."""


def why_not(events: Sequence[ev.Event], place: int) -> tuple[str, str]:
    """A sentence on an act that cannot be taken back, and what to send instead."""
    act = events[place]
    if isinstance(act, ev.GameEnded) and any(isinstance(event, ev.PhaseAdjudicated) for event in events[:place]):
        return f"{_STANDS[ev.GameEnded][0]}; the last turn may be taken back", "rollback"
    if isinstance(act, ev.DeadlineSet) and act.why == "excused":
        return _STANDS[PlayerExcused]
    if isinstance(act, ev.DeadlineSet) and act.why in ("calendar", "start", "reopened"):
        act = next((before for before in events[place::-1] if type(before) in _STANDS), act)
    return _STANDS.get(type(act), ("It is in the log, and players have read it", "log"))


def _plainly(act: ev.Event) -> Command | None:
    """The inverse of what says itself how it was before."""
    if isinstance(act, ev.SettingChanged):
        return ChangeSettings(act.name, act.old)
    if isinstance(act, ev.NoteWritten):
        return WithdrawNote(act.text)
    if isinstance(act, AppealDecided):
        return ReopenAppeal(act.number)
    if isinstance(act, ev.GameOpened):
        return CloseAgain()
    if isinstance(act, ev.GameHeld):
        return Resume()
    if isinstance(act, DeputyNamed):
        return DismissDeputy()
    if isinstance(act, EditorNamed):
        return DismissEditor(act.person)
    if isinstance(act, EditorDismissed):
        return NameEditor(act.person)
    if isinstance(act, GameOffered):
        return WithdrawOffer()
    if isinstance(act, PlayersInvited):
        return Withdraw(act.tickets)
    if isinstance(act, ev.PlayerJoined):
        return Vacate("", "taken back", act.seat)
    return PlayForward() if isinstance(act, RolledBack) else None


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


def _position_before(act: PositionCorrected, game: Game) -> Command | None:
    if game.position is None:
        return None
    changes = changes_between(position_from_json(act.position, game.board), game.position)
    return CorrectPosition(changes, reason="the correction is taken back") if changes else None


def _noted_only(game: Game, event: ActTakenBack) -> Game:
    return game


FEATURE = Feature(evolve={ActTakenBack: _noted_only})
