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
    """The topic under which the deputy of a game's Gamemaster is kept: they get letters by their office."""
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
    then, now_acts = (game.deputy.person if game is not None and game.deputy else None for game in (before, after))
    if then == now_acts:
        return
    if then is not None:
        unit.lists.unsubscribe(then, deputies_of(after.key))
    if now_acts is not None:
        unit.lists.subscribe(now_acts, deputies_of(after.key), now, options="{}")
