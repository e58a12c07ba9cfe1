"""Letters about mails that wait to be confirmed: to the person who is to confirm, to the Gamemaster, to the others.

Each reads what is so for them: whether the turn waits at all, until when, what stands without the word, and how to end
the waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.game.clock.awaiting import WordAwaited, holds_up, until_at_most
from judge.game.core.commands import GM_SEAT, HeldMail
from judge.game.core.events import Event
from judge.game.core.model import Game, Running
from judge.report.core.batch import Batch
from judge.report.core.frame import Reader, moment, who
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import Moment, Said, Text, say
from judge.report.table.news import News, news

OF_MAIL = "mail:"
"""Prefix of a letter's `reply_as`: answers go to the confirmation of a held mail, by its number."""


@dataclass(frozen=True, slots=True)
class AwaitedView:
    """To the one whose word is awaited. `numbers`: of the mails; `came`: when the first of them did; `until`: how long
    the turn waits at most; `late`: the game waits for the reader's orders anyway; `others`: the numbers of the mails
    beside the one that this letter asks about, `asked`; `on_file`: what stands without the word."""

    numbers: Said
    came: Moment
    until: Moment
    late: bool
    asked: int
    others: tuple[str, ...]
    on_file: Said | None


def word_letters(batch: Batch) -> Iterator[Letter]:
    """One letter for each seat and phase; an answer to it is the word about the mail that came last."""
    game = batch.after
    for event in batch.every(WordAwaited):
        for reader in batch.readers():
            if reader.seat != event.seat:
                continue
            view = AwaitedView(
                numbers=_numbers(event.mails),
                came=moment(game, event.came),
                until=moment(game, event.until, reader.member),
                late=event.late,
                asked=event.mails[-1],
                others=tuple(map(str, event.mails[:-1])),
                on_file=on_file(game, event.seat),
            )
            letter = batch.letter(Kind.AWAITED, f"{event.phase}/{event.mails[-1]}", reader, view)
            yield replace(letter, reply_as=f"{OF_MAIL}{event.mails[-1]}")


def called_late(batch: Batch, reader: Reader) -> tuple[Text, ...]:
    """For the letter that calls somebody late: sentences about mails in their name that wait to be confirmed."""
    if reader.seat == GM_SEAT:
        return tuple(item.said for event in batch.every(WordAwaited) for item in _to_gamemaster(batch, event))
    return tuple(
        say("late-but-word", numbers=_numbers(event.mails), several=len(event.mails) > 1)
        for event in batch.every(WordAwaited)
        if event.seat == reader.seat
    )


def on_file(game: Game, seat: str) -> Said | None:
    """Which orders of a seat are on file, named by the moment of their receipt; None if there are none."""
    held = game.seats.get(seat)
    sheets = [game.sheets[power] for power in held.powers if power in game.sheets] if held else []
    filed = [sheet.filed_at for sheet in sheets if sheet.lines and sheet.filed_at is not None]
    return say("set-of", at=moment(game, max(filed))) if filed else None


def outlook(game: Game, mail: HeldMail | None, seat: str, now: datetime) -> Said | None:
    """For the letter that asks for a word: whether the turn waits for it, and what stands without it. `mail`: None
    where the turn never waits, as for a mail that our own server denies.
    """
    if not isinstance(game, Running) or now >= game.deadline.at or game.held_since is not None:
        return None
    due = moment(game, game.deadline.at)
    if mail is not None and holds_up(game, mail) and now < (last := until_at_most(game, seat)):
        return say("turn-waits-for-word", due=due, until=moment(game, last))
    return say("turn-waits-for-no-word", due=due, stands=on_file(game, seat))


def _told(batch: Batch, event: WordAwaited, reader: Reader) -> Iterator[News]:
    if reader.seat == GM_SEAT:
        yield from _to_gamemaster(batch, event)
    elif reader.seat != event.seat and not event.late:
        yield from _to_others(batch, event, reader)


def _to_gamemaster(batch: Batch, event: WordAwaited) -> Iterator[News]:
    game = batch.after
    yield news(
        "word-awaited", 8, numbers=_numbers(event.mails), mails=event.mails, who=who(game, event.seat), late=event.late,
        came=moment(game, event.came), until=moment(game, event.until),
    )  # fmt: skip
    despite = f"process {event.phase} despite {' '.join(map(str, event.mails))}"
    yield News(say("go-on-without", despite=despite))


def _to_others(batch: Batch, event: WordAwaited, reader: Reader) -> Iterator[News]:
    """Once, however many seats are waited for, and without saying which."""
    theirs = [one for one in batch.every(WordAwaited) if not one.late and one.seat != reader.seat]
    if theirs[0] is not event:
        return
    yield news("turn-waits", 8, until=moment(batch.after, max(one.until for one in theirs)))


def _numbers(mails: tuple[int, ...]) -> Said:
    """Mails by their numbers."""
    return say("mails", numbers=mails)


def awaited_now(game: Game, now: datetime) -> bool:
    """Whether the present phase waits for anybody's word."""
    return any(word.phase == str(game.phase) and now < word.until for word in game.awaited.values())


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {WordAwaited: _told}
"""Event -> what it says to a reader."""
