"""News about a game that begins by itself: when it will, and when it will not after all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from judge.game.core.commands import GM_SEAT
from judge.game.core.events import Event, PlayerJoined
from judge.game.table.autostart import StartCalledOff, StartScheduled
from judge.report import times
from judge.report.batch import Batch
from judge.report.frame import Reader
from judge.report.news import News


def scheduled_news(batch: Batch, event: StartScheduled, reader: Reader) -> Iterator[News]:
    """To everybody at the table; the last one to join reads it in his welcome."""
    if batch.starts or batch.after.begins != event.begins or _is_welcomed(batch, reader):
        return
    zone = batch.after.settings.zone
    own = times.theirs(event.begins, zone, reader.member.zone)
    when = times.deadline(event.begins, zone) + (f" (yours: {own})" if own else "")
    gm = reader.seat == GM_SEAT
    more = (
        'Nothing is left for you to do; "start" begins it at once, and "set autostart none" leaves the start to you.'
        if gm
        else 'Until then you may send "prefer" with the powers that you like, or "leave" if you cannot play after all.'
    )
    if batch.before is None:
        yield News("Players who waited for a game have come together: I have made and opened one in your name.", "", 1)
    sentence = f"All {batch.after.settings.players} seats are taken: the game begins by itself on {when}. {more}"
    yield News(sentence, f"begins {times.short(event.begins, zone)}", 8)


def called_off_news(batch: Batch, event: StartCalledOff, reader: Reader) -> Iterator[News]:
    """The seat that is free again, or the Gamemaster who takes the start into his hands."""
    why = "a seat is free again" if event.free else "the Gamemaster will start it by hand"
    yield News(f"The game does not begin by itself after all: {why}.", "the start is put off", 7)


def _is_welcomed(batch: Batch, reader: Reader) -> bool:
    return any(event.seat == reader.seat for event in batch.every(PlayerJoined))


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    StartScheduled: scheduled_news,
    StartCalledOff: called_off_news,
}
"""For the table of notices."""
