"""Who reads of a game without a seat in it: the subscribers of its topic, and its editors among them.

A game's own log says who edits it; the list of subscribers follows it, as index cards do.
"""

from __future__ import annotations

from datetime import datetime

from judge.game.core.model import Game
from judge.store import Transaction


def topic_of(game: str) -> str:
    """The topic under which a game's reports are subscribed to."""
    return f"game:{game}"


def keep_editors(unit: Transaction, before: Game | None, after: Game, now: datetime) -> None:
    """Bring the list of subscribers up to date: new editors get every report, former ones get none."""
    was = frozenset(before.editors) if before is not None else frozenset[int]()
    for person in after.editors:
        if person not in was:
            unit.lists.subscribe(person, topic_of(after.key), now, options="{}")
    for person in was.difference(after.editors):
        unit.lists.unsubscribe(person, topic_of(after.key))
