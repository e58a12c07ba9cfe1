"""How long unsigned press is delayed, so that its time tells nothing about its author."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.game.core.model import Game

LEAST, MOST = timedelta(minutes=1), timedelta(minutes=30)
"""Least and greatest delay."""

_MARGIN = timedelta(minutes=1)


def longest_veil(game: Game, now: datetime) -> timedelta:
    """The greatest delay of press sent now: where it can be, short enough to arrive ahead of the deadline that it was
    sent ahead of.
    """
    if game.deadline is None or game.held_since is not None:
        return MOST
    room = game.deadline.at - now - game.settings.recall - _MARGIN
    return MOST if room < 2 * LEAST else min(MOST, room)


def may_be_recalled(game: Game, sent: datetime, *, veiled: bool) -> timedelta:
    """How long after its sending press may still be here."""
    return game.settings.recall + (longest_veil(game, sent) if veiled else timedelta())
