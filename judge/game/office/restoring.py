"""The commands that only an undo gives: what they bring back had no command of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core import events as ev
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.game.core.registry import Feature
from judge.game.office.offices import GameOffered
from judge.game.office.rulings import PositionImported
from judge.game.settings.table import Settings, settings_from_text


@dataclass(frozen=True, slots=True)
class WithdrawNote(Command):
    """A note that waits for the next report shall not be printed."""

    text: str


@dataclass(frozen=True, slots=True)
class WithdrawOffer(Command):
    """The game is offered to nobody."""


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
        return Refusal("printed", "That note was printed already; write another one that puts it right.", mend="note:")
    event = NoteWithdrawn(at=context.now, by=context.seat, text=command.text)
    return Decision((event,), said="The note will not be printed.")


def withdraw_offer(game: Game, command: WithdrawOffer, context: Context) -> Decision | Refusal:
    """Take back the offer of the game to another Gamemaster; refused where there is none."""
    if not game.heir:
        return Refusal("no-offer", f"{game.key} is not offered to anybody now.")
    return Decision(
        (GameOffered(at=context.now, by=context.seat, person=0),), said=f"{game.key} is not offered to anybody now."
    )


def close_again(game: Game, command: CloseAgain, context: Context) -> Decision | Refusal:
    """Take a game off the list; refused once somebody has joined."""
    if game.stage is not Stage.OPEN or game.seats:
        return Refusal("joined", f"Players have joined {game.key}; it stays open.")
    return Decision((GameClosed(at=context.now, by=context.seat),), said=f"{game.key} is off the list.")


def restore_settings(game: Game, command: RestoreSettings, context: Context) -> Decision | Refusal:
    """Set all settings as they were before a preset; refused once the game is open."""
    if game.stage is not Stage.FORMING:
        return Refusal("opened", f"{game.key} is open, and players rely on its settings.")
    event = SettingsRestored(at=context.now, by=context.seat, settings=dict(command.settings), decided=command.decided)
    return Decision((event,), said=f"{game.key} has the settings that it had before.")


def restore_import(game: Game, command: RestoreImport, context: Context) -> Decision | Refusal:
    """Forget the last imported position; refused once the game has begun."""
    if game.stage not in (Stage.FORMING, Stage.OPEN):
        return Refusal("begun", f"{game.key} has begun.")
    where = "at the set-up" if command.position is None else "with the position imported before"
    event = PositionImported(at=context.now, by=context.seat, position=command.position)
    return Decision((event,), said=f"{game.key} will begin {where}.")


def _note_withdrawn(game: Game, event: NoteWithdrawn) -> Game:
    notes = list(game.notes)
    if event.text in notes:
        del notes[len(notes) - 1 - notes[::-1].index(event.text)]
    return replace(game, notes=tuple(notes))


def _closed(game: Game, event: GameClosed) -> Game:
    return replace(game, stage=Stage.FORMING)


def _restored(game: Game, event: SettingsRestored) -> Game:
    return replace(game, settings=settings_from_text(event.settings, Settings()), decided=frozenset(event.decided))


FEATURE = Feature(
    evolve={NoteWithdrawn: _note_withdrawn, GameClosed: _closed, SettingsRestored: _restored},
    decide={
        WithdrawNote: withdraw_note,
        WithdrawOffer: withdraw_offer,
        CloseAgain: close_again,
        RestoreSettings: restore_settings,
        RestoreImport: restore_import,
    },
    gm_only=(WithdrawNote, WithdrawOffer, CloseAgain, RestoreSettings, RestoreImport),
)
