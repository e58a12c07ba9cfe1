"""Editors: whoever prints a game in a zine. They read what is public, as observers do, with results in a form to print.

The Gamemaster names them, and takes them off again; they may step down themselves. Somebody who plays or runs the game
is not an editor of it for as long as that lasts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Refusal, Role
from judge.game.core.model import Game, Stage
from judge.game.core.registry import Feature
from judge.languages import tell

MOST = 10
"""Editors of one game."""


@dataclass(frozen=True, slots=True)
class NameEditor(Command):
    """Make a registered person an editor of the game."""

    person: int


@dataclass(frozen=True, slots=True)
class DismissEditor(Command):
    """A person is editor no longer: by the Gamemaster, or by themselves."""

    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorNamed(ev.Event, told="person"):
    """`person` is an editor of the game."""

    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorDismissed(ev.Event, told="person"):
    """`person` is no longer an editor. `by` is "" where they stepped down."""

    person: int


def edits(game: Game, person: int) -> bool:
    """Whether a person is an editor, and neither plays nor runs the game."""
    return person in game.editors and person != game.gm and game.seat_held_by(person) is None


def name_editor(game: Game, command: NameEditor, context: Context) -> Decision | Refusal:
    """Make somebody an editor; refused for whoever plays or runs the game."""
    person, key = command.person, game.key
    if game.practice is not None:
        return Refusal(
            "private", tell("{key} is a practice game, which one person plays alone; it has no editors.", key=key)
        )
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{key} has ended.", key=key), mend=f"history {key}")
    if game.seat_played_by(person, context.now) is not None:
        return Refusal("plays", tell("That person plays in {key}; an editor only reads what is public.", key=key))
    if person == game.gm:
        return Refusal("already", tell("That person is the Gamemaster of {key}, and reads all of it.", key=key))
    if person in game.editors:
        return Refusal("already", tell("That person is an editor of {key} already.", key=key))
    if len(game.editors) >= MOST:
        return Refusal(
            "too-many",
            tell("{key} has {most} editors, and cannot have more.", key=key, most=MOST),
            mend=f"status {key}",
        )
    event = EditorNamed(at=context.now, by=context.seat, person=person)
    return Decision((event,), said=tell("They are an editor of {key}, and are told so.", key=key))


def dismiss_editor(game: Game, command: DismissEditor, context: Context) -> Decision | Refusal:
    """An editor's end. `said` is for the Gamemaster; who steps down is answered by whoever asks in their place."""
    if command.person not in game.editors:
        return Refusal(
            "no-editor", tell("That person is not an editor of {game}.", game=game.key), mend=f"status {game.key}"
        )
    if not _may_dismiss(context.actor, command.person):
        return Refusal("gm-only", tell("Only the Gamemaster of {game} may do that.", game=game.key))
    event = EditorDismissed(at=context.now, by=context.seat, person=command.person)
    return Decision(
        (event,), said=tell("They are no longer an editor of {game}, and get no more letters about it.", game=game.key)
    )


def _may_dismiss(actor: Actor, person: int) -> bool:
    return actor.role in (Role.GM, Role.OPERATOR) or actor.person == person


def _named(game: Game, event: EditorNamed) -> Game:
    return replace(game, editors=(*game.editors, event.person))


def _dismissed(game: Game, event: EditorDismissed) -> Game:
    return replace(game, editors=tuple(person for person in game.editors if person != event.person))


FEATURE = Feature(
    evolve={EditorNamed: _named, EditorDismissed: _dismissed},
    decide={NameEditor: name_editor, DismissEditor: dismiss_editor},
    gm_only=(NameEditor,),
    undo={
        EditorNamed: lambda act, before: DismissEditor(act.person),
        EditorDismissed: lambda act, before: NameEditor(act.person),
    },
)
