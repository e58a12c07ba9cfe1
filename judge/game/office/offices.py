"""The Gamemaster's office: a deputy for a while, and another Gamemaster for good.

A deputy does all that the Gamemaster may, until the day named; each act is logged under both names. The game changes
hands only when the one who gives it and the one who takes it both say so; the operator may say it for either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game.core import events as ev
from judge.game.core.affairs import Deputy
from judge.game.core.commands import Command, Role
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game
from judge.game.core.registry import Feature

LONGEST = timedelta(days=92)
"""A deputy is for a while; who stays away longer hands the game over."""


@dataclass(frozen=True, slots=True)
class Deputize(Command):
    """Let a registered person act for the Gamemaster until a moment."""

    person: int
    until: datetime


@dataclass(frozen=True, slots=True)
class DismissDeputy(Command):
    """The deputy acts no longer."""


@dataclass(frozen=True, slots=True)
class HandOver(Command):
    """Offer the game to a registered person."""

    person: int


@dataclass(frozen=True, slots=True)
class Adopt(Command):
    """Take over a game that was offered, as its Gamemaster. The operator names the `person`."""

    person: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DeputyNamed(ev.Event, told="person,until"):
    """`person` acts for the Gamemaster until `until`."""

    person: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeputyDismissed(ev.Event, told="person"):
    """The term of the deputy `person` is over."""

    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOffered(ev.Event, told="person"):
    """The Gamemaster would give the game to `person`."""

    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GamemasterChanged(ev.Event, told="person,before"):
    """`person` is the Gamemaster now, with a new tenure: tokens of the one before are no longer valid."""

    person: int
    before: int
    tenure: int


def deputize(game: Game, command: Deputize, context: Context) -> Decision | Refusal:
    """Name a deputy; only the Gamemaster can."""
    if (refusal := _unfit(game, context, command.person)) is not None:
        return refusal
    if command.until <= context.now:
        return Refusal("in-the-past", "That moment has passed already.")
    if command.until - context.now > LONGEST:
        return Refusal("too-long", "A deputy is for three months at most; after that, hand the game over.", "hand over")
    event = DeputyNamed(at=context.now, by=context.seat, person=command.person, until=command.until)
    return Decision((event,), said=f"Your deputy may act for you in {game.key} until then, and everybody is told.")


def dismiss(game: Game, command: DismissDeputy, context: Context) -> Decision | Refusal:
    """End the deputy's term before its day; refused where there is no deputy."""
    if game.deputy is None or game.deputy.until < context.now:
        return Refusal("no-deputy", f"Nobody acts for the Gamemaster of {game.key}.")
    event = DeputyDismissed(at=context.now, by=context.seat, person=game.deputy.person)
    return Decision((event,), said="Nobody acts for you any more.")


def hand_over(game: Game, command: HandOver, context: Context) -> Decision | Refusal:
    """Offer the game to somebody, who then adopts it."""
    if (refusal := _unfit(game, context, command.person)) is not None:
        return refusal
    event = GameOffered(at=context.now, by=context.seat, person=command.person)
    return Decision((event,), said=f"{game.key} is offered; it changes hands when the other Gamemaster answers: yes")


def adopt(game: Game, command: Adopt, context: Context) -> Decision | Refusal:
    """Become the Gamemaster of a game that was offered, or for which the operator found nobody else."""
    actor = context.actor  # a deputy to whom the game is offered takes it in their own name
    person = command.person if actor.role is Role.OPERATOR else actor.deputy or actor.person
    if actor.role is not Role.OPERATOR and game.heir != person:
        return Refusal("not-offered", f"{game.key} was not offered to you; its Gamemaster would have to hand it over.")
    if person == game.gm:
        return Refusal("already", f"That person is the Gamemaster of {game.key}.")
    if game.seat_played_by(person, context.now) is not None:
        return Refusal("gm-plays", "A Gamemaster does not play in a game of their own; leave it first.", mend="leave")
    event = GamemasterChanged(
        at=context.now,
        by=context.seat or str(context.actor.role),
        person=person,
        before=game.gm,
        tenure=game.gm_tenure + 1,
    )
    return Decision((event,), said=f"{game.key} is yours to run.")


def _unfit(game: Game, context: Context, person: int) -> Refusal | None:
    if context.actor.deputy:
        return Refusal("deputy", "That is for the Gamemaster in person to decide.")
    if game.seat_played_by(person, context.now) is not None:
        return Refusal("plays", f"That person plays in {game.key}.")
    if person == game.gm:
        return Refusal("already", f"That person is the Gamemaster of {game.key}.")
    return None


def _named(game: Game, event: DeputyNamed) -> Game:
    return replace(game, deputy=Deputy(event.person, event.until))


def _dismissed(game: Game, event: DeputyDismissed) -> Game:
    return replace(game, deputy=None)


def _offered(game: Game, event: GameOffered) -> Game:
    return replace(game, heir=event.person)


def _changed(game: Game, event: GamemasterChanged) -> Game:
    return replace(game, gm=event.person, gm_tenure=event.tenure, heir=0, deputy=None)


FEATURE = Feature(
    evolve={DeputyNamed: _named, DeputyDismissed: _dismissed, GameOffered: _offered, GamemasterChanged: _changed},
    decide={Deputize: deputize, DismissDeputy: dismiss, HandOver: hand_over, Adopt: adopt},
    gm_only=(Deputize, DismissDeputy, HandOver),
)
