"""News about a game that begins by itself: when it will, or that it will no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from judge.game.core.commands import GM_SEAT
from judge.game.core.events import Event, PlayerJoined
from judge.game.table.autostart import StartCalledOff, StartScheduled
from judge.report.core.batch import Batch
from judge.report.core.facts import say
from judge.report.core.frame import Reader, moment
from judge.report.table.news import News, news


def scheduled_news(batch: Batch, event: StartScheduled, reader: Reader) -> Iterator[News]:
    """To everybody at the table; the last one to join reads it in their welcome."""
    if batch.starts or batch.after.begins != event.begins or _is_welcomed(batch, reader):
        return
    if batch.before is None:
        yield News(say("made-for-players"), weight=1)
    begins, gm = moment(batch.after, event.begins, reader.member), reader.seat == GM_SEAT
    yield news("start-scheduled", 8, seats=batch.after.settings.players, at=begins, gm=gm)


def called_off_news(batch: Batch, event: StartCalledOff, reader: Reader) -> Iterator[News]:
    """The seat that is free again, or the Gamemaster who takes the start into their hands; nothing where somebody from
    the reserve list took the seat at once.
    """
    if batch.after.begins is not None:
        return
    yield news("start-called-off", 7, free=event.free)


def _is_welcomed(batch: Batch, reader: Reader) -> bool:
    return any(event.seat == reader.seat for event in batch.every(PlayerJoined))


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    StartScheduled: scheduled_news,
    StartCalledOff: called_off_news,
}
"""For the table of notices."""
