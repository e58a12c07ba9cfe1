"""Invitations: leave to sit down, given by the Gamemaster to whoever answers a letter.

The log holds tickets and no addresses: a ticket is known to the judge and to the reader of its letter alone. An
invitation goes before every condition that a game sets to those who come by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game, Stage
from judge.game.core.registry import Feature
from judge.game.table.tickets import InvitationsEnded, PlayersInvited, is_invited, used
from judge.game.table.vacancies import vacant_seats
from judge.languages import tell


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """Give these tickets out, good until a moment; the service has written them down beside the addresses."""

    tickets: tuple[str, ...]
    until: datetime


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Take invitations back that nobody has answered yet."""

    tickets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """The answer to an invitation was no."""

    ticket: str


def may_invite(game: Game) -> Refusal | None:
    """Why nobody can be invited now; None if somebody can."""
    if game.stage is Stage.FORMING:
        sentence = tell("{game} is not open yet, so nobody could accept. Open it, and invite then.", game=game.key)
        return Refusal("not-open", sentence, mend="open")
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended.", game=game.key))
    if game.practice is not None:
        return Refusal(
            "private", tell("{game} is a practice game: one plays it alone, so nobody can be invited.", game=game.key)
        )
    if game.stage is Stage.RUNNING and not vacant_seats(game):
        return Refusal(
            "no-vacancy", tell("{game} is running and no power of it is vacant.", game=game.key), mend="status"
        )
    return None


def invite(game: Game, command: Invite, context: Context) -> Decision | Refusal:
    """Give tickets out; the service says to whom."""
    if (refusal := may_invite(game)) is not None:
        return refusal
    event = PlayersInvited(
        at=context.now, by=context.seat, tickets=command.tickets, count=len(command.tickets), until=command.until
    )
    return Decision((event,))


def withdraw(game: Game, command: Withdraw, context: Context) -> Decision | Refusal:
    """Nobody who answers these any more is seated; those who sit already stay."""
    still = tuple(ticket for ticket in command.tickets if is_invited(game, ticket, context.now))
    if not still:
        return Refusal("answered", tell("Those invitations are answered, or have expired; they cannot be taken back."))
    event = InvitationsEnded(at=context.now, by=context.seat, tickets=still, count=len(still), why="withdrawn")
    how = tell("The invitation is") if len(still) == 1 else tell("{still} invitations are", still=len(still))
    return Decision(
        (event,),
        said=tell("{how} withdrawn: the letters have been sent, but a yes to them gives nobody a seat.", how=how),
    )


def decline(game: Game, command: Decline, context: Context) -> Decision | Refusal:
    """Noted, and told to the Gamemaster."""
    if not is_invited(game, command.ticket, context.now):
        return Refusal("no-invitation", tell("No invitation to {game} waits for your answer.", game=game.key))
    return Decision(
        (used(command.ticket, context.now, "declined", context.seat or "judge"),),
        said=tell("You do not play in {game}; its Gamemaster is told.", game=game.key),
    )


FEATURE = Feature(
    decide={Invite: invite, Withdraw: withdraw, Decline: decline},
    gm_only=(Invite, Withdraw),
    undo={
        PlayersInvited: lambda act, before: Withdraw(act.tickets),
        InvitationsEnded: ("Invite them again, if that was wrong", "help invite"),
    },
)
