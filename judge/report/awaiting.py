"""What is said of mails that wait for a word: to whoever is to give it, to the Gamemaster, to the others.

Each reads what is so for them: whether the turn waits at all, until when, what stands without the word, and how to end
the waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.game.clock.awaiting import WordAwaited, holds_up, until_at_most
from judge.game.core.commands import GM_SEAT, HeldMail
from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.report import times
from judge.report.batch import Batch
from judge.report.frame import Reader, seat_title
from judge.report.letter import Kind, Letter
from judge.report.naming import joined
from judge.report.news import News

OF_MAIL = "mail:"
"""Prefix of a letter's `reply_as`: answers go to the confirmation of a held mail, by its number."""


@dataclass(frozen=True, slots=True)
class AwaitedView:
    """To the one whose word is awaited. `numbers`: of the mails, in words; `came`: when the first of them did; `until`
    and `until_own`: how long the turn waits at most; `late`: the game waits for the reader's orders anyway; `others`:
    the numbers of the mails beside the one that this letter asks about, `asked`; `on_file`: what stands without the
    word."""

    numbers: str
    came: str
    until: str
    until_own: str
    late: bool
    asked: int
    others: tuple[str, ...]
    on_file: str


def word_letters(batch: Batch) -> Iterator[Letter]:
    """One letter for each seat and phase; an answer to it is the word about the mail that came last."""
    game, zone = batch.after, batch.after.settings.zone
    for event in batch.every(WordAwaited):
        for reader in batch.readers():
            if reader.seat != event.seat:
                continue
            view = AwaitedView(
                numbers=_numbers(event.mails),
                came=times.received(event.came, zone),
                until=times.deadline(event.until, zone),
                until_own=times.theirs(event.until, zone, reader.member.zone),
                late=event.late,
                asked=event.mails[-1],
                others=tuple(map(str, event.mails[:-1])),
                on_file=on_file(game, event.seat),
            )
            letter = batch.letter(Kind.AWAITED, f"{event.phase}/{event.mails[-1]}", reader, view)
            yield replace(letter, reply_as=f"{OF_MAIL}{event.mails[-1]}")


def called_late(batch: Batch, reader: Reader) -> tuple[str, ...]:
    """For the letter that calls somebody late: what is to be known of a mail in their name that waits for a word."""
    if reader.seat == GM_SEAT:
        return tuple(news.sentence for event in batch.every(WordAwaited) for news in _to_gamemaster(batch, event))
    return tuple(
        f"{_numbers(event.mails)} in your name came in time, without proof: answer my letter about "
        f"{'each' if len(event.mails) > 1 else 'that'} with confirm, and its orders count as on time; or with no."
        for event in batch.every(WordAwaited)
        if event.seat == reader.seat
    )


def on_file(game: Game, seat: str) -> str:
    """What of a seat's orders stands as things are: "your set of Tue 5 Jan 10:00 EST"."""
    held = game.seats.get(seat)
    sheets = [game.sheets[power] for power in held.powers if power in game.sheets] if held else []
    filed = [sheet.filed_at for sheet in sheets if sheet.lines and sheet.filed_at is not None]
    return f"your set of {times.short(max(filed), game.settings.zone)}" if filed else ""


def outlook(game: Game, mail: HeldMail | None, seat: str, now: datetime) -> str:
    """For the letter that asks for a word: whether the turn waits for it, and what stands without it. `mail`: None
    where the turn never waits, as for a mail that our own server denies.
    """
    if game.deadline is None or now >= game.deadline.at or game.held_since is not None:
        return ""
    zone = game.settings.zone
    due = times.deadline(game.deadline.at, zone)
    if mail is not None and holds_up(game, mail) and now < (last := until_at_most(game, seat)):
        until = times.deadline(last, zone)
        return f"The deadline is {due}. The turn waits for your word on this mail, until {until} at the latest."
    stands = f"else {on_file(game, seat)} stands" if on_file(game, seat) else "else it does not count"
    return f"The turn does not wait for this mail: confirm it before {due}, {stands}."


def _told(batch: Batch, event: WordAwaited, reader: Reader) -> Iterator[News]:
    if reader.seat == GM_SEAT:
        yield from _to_gamemaster(batch, event)
    elif reader.seat != event.seat and not event.late:
        yield from _to_others(batch, event, reader)


def _to_gamemaster(batch: Batch, event: WordAwaited) -> Iterator[News]:
    game = batch.after
    who, zone = seat_title(game, event.seat), game.settings.zone
    what = f"{_numbers(event.mails)}, in the name of {who}, came in time ({times.short(event.came, zone)})"
    waits = "wait" if len(event.mails) > 1 else "waits"
    then = f"The turn waits for that until {times.deadline(event.until, zone)} at the latest."
    if event.late:
        then = "Orders that are confirmed before the turn is processed count as on time."
    yield News(f"{what} and {waits} for a word from the author. {then}", f"mail {event.mails[0]} waits for a word", 8)
    despite = f"process {event.phase} despite {' '.join(map(str, event.mails))}"
    yield News(f"To go on without it, reply with: {despite}", "", 0)


def _to_others(batch: Batch, event: WordAwaited, reader: Reader) -> Iterator[News]:
    """Once, however many seats are waited for, and without saying which."""
    theirs = [one for one in batch.every(WordAwaited) if not one.late and one.seat != reader.seat]
    if theirs[0] is not event:
        return
    until = times.deadline(max(one.until for one in theirs), batch.after.settings.zone)
    sentence = f"The turn waits for a mail that came in time and is not confirmed yet, until {until} at the latest."
    yield News(f"{sentence} Orders on file stay there.", "the turn waits for a mail", 8)


def _numbers(mails: tuple[int, ...]) -> str:
    """ "Mail 7", "Mails 7 and 9"."""
    return f"Mail{'s' if len(mails) > 1 else ''} {joined(str(number) for number in mails)}"


def awaited_now(game: Game, now: datetime) -> bool:
    """Whether the present phase waits for anybody's word."""
    return any(word.phase == str(game.phase) and now < word.until for word in game.awaited.values())


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {WordAwaited: _told}
"""Event -> what it says to a reader."""
