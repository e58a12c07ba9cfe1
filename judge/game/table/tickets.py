"""Tickets of invitations: whether one is good, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.game.core import events as ev
from judge.game.core.affairs import Invitation
from judge.game.core.altering import altered
from judge.game.core.model import Game
from judge.game.core.registry import Feature


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersInvited(ev.Event, told="count,until"):
    """Letters with these tickets went out; `count` of them."""

    tickets: tuple[str, ...]
    count: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationsEnded(ev.Event, told="count,why"):
    """These tickets are used up. `why`: "accepted", "declined", "withdrawn"."""

    tickets: tuple[str, ...]
    count: int
    why: str


def is_invited(game: Game, ticket: str, now: datetime) -> bool:
    """Whether this ticket is good now."""
    found = game.gathering.invitations.get(ticket)
    return found is not None and found.state == "open" and now <= found.until


def used(ticket: str, at: datetime, why: str, by: str) -> InvitationsEnded:
    """The end of one invitation."""
    return InvitationsEnded(at=at, by=by, tickets=(ticket,), count=1, why=why)


def _invited(game: Game, event: PlayersInvited) -> Game:
    from_now = {ticket: Invitation(event.until) for ticket in event.tickets}
    return _with(game, {**game.gathering.invitations, **from_now})


def _ended(game: Game, event: InvitationsEnded) -> Game:
    known = game.gathering.invitations
    over = {ticket: replace(known[ticket], state=event.why) for ticket in event.tickets if ticket in known}
    return _with(game, {**known, **over})


def _with(game: Game, invitations: dict[str, Invitation]) -> Game:
    return altered(game, gathering=replace(game.gathering, invitations=MappingProxyType(invitations)))


FEATURE = Feature(evolve={PlayersInvited: _invited, InvitationsEnded: _ended})
