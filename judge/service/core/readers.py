"""Who reads of a game without a seat in it: the subscribers of its topic, its editors among them, and a deputy.

A game's own log says who edits it; the list of subscribers follows it, as index cards do.
"""

from __future__ import annotations

from datetime import datetime

from judge.game.core.model import Game
from judge.store import Transaction


def topic_of(game: str) -> str:
    """The topic under which a game's reports are subscribed to."""
    return f"game:{game}"


def deputies_of(game: str) -> str:
    """The topic under which those are kept who act for somebody in a game: the Gamemaster's deputy, and players'
    substitutes. They get letters by their office.
    """
    return f"deputy:{game}"


def keep_readers(unit: Transaction, before: Game | None, after: Game, now: datetime) -> None:
    """Bring the list of subscribers up to date: new editors get every report, former ones get none;
    and a deputy is known to be one.
    """
    was = frozenset(before.editors) if before is not None else frozenset[int]()
    for person in after.editors:
        if person not in was:
            unit.lists.subscribe(person, topic_of(after.key), now, options="{}")
    for person in was.difference(after.editors):
        unit.lists.unsubscribe(person, topic_of(after.key))
    acted, acting = _acting(before), _acting(after)
    for person in acted - acting:
        unit.lists.unsubscribe(person, deputies_of(after.key))
    for person in acting - acted:
        unit.lists.subscribe(person, deputies_of(after.key), now, options="{}")


def _acting(game: Game | None) -> frozenset[int]:
    """Who acts for somebody else in a game: the Gamemaster's deputy, and the substitutes of players."""
    if game is None:
        return frozenset()
    deputy = game.deputy.person if game.deputy is not None else 0
    substitutes = (seat.substitute.person for seat in game.seats.values() if seat.substitute is not None)
    return frozenset(filter(None, (deputy, *substitutes)))
