"""Statements at the end: the call for them, the one letter that holds them all, and those that come too late for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from judge.game.core.affairs import DiaryPage
from judge.game.core.commands import GM_SEAT, Colour
from judge.game.core.events import Event
from judge.game.core.model import Game, Stage
from judge.game.talk.epilogue import StatementMade, StatementsPublished, StatementsReminded, sealed, silent
from judge.report.core.batch import Batch
from judge.report.core.cast import Cast, shown_name
from judge.report.core.facts import Moment, Said, Text, Who, phase_fact, say
from judge.report.core.frame import Reader, moment, who
from judge.report.core.letter import Kind, Letter
from judge.report.table.news import News, news
from judge.report.table.talk import PressView


@dataclass(frozen=True, slots=True)
class SealedWords:
    """Somebody's words that were sealed until the end: whose, from which phase (diaries), and the text."""

    author: Said
    when: Text
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The call for statements: until when, how many are in; `wanted`: from this reader."""

    due: Moment
    count: Said
    wanted: bool


@dataclass(frozen=True, slots=True)
class StatementsView:
    """All statements, in the order of seats; `none`: those who have not written any."""

    statements: tuple[SealedWords, ...]
    none: tuple[Said, ...]


def call_for(game: Game, reader: Reader) -> Call | None:
    """The call for statements in the final letter; None where they are not sealed."""
    if not sealed(game) or game.epilogue is None:
        return None
    asked = sum(seat.filled for seat in game.seats.values())
    return Call(
        due=moment(game, game.epilogue.until, reader.member),
        count=say("statements-in", count=asked - len(silent(game)), of=asked),
        wanted=reader.seat in silent(game),
    )


def words_of(game: Game, page: DiaryPage, cast: Cast | None = None) -> SealedWords:
    """A page as letters print it; with a cast, signed with the author's name too."""
    name = shown_name(game, cast, page.seat) if cast is not None else ""
    phase = say("stage-running", phase=phase_fact(game, page.phase)) if page.phase else ""
    return SealedWords(say("author", who=who(game, page.seat), name=name), phase, page.text)


def statements_so_far(game: Game) -> tuple[SealedWords, ...]:
    """What the final letter may print: all statements, unless they are sealed."""
    return () if sealed(game) else tuple(words_of(game, page) for page in game.statements.values() if page.text)


def statement_letters(batch: Batch) -> Iterator[Letter]:
    """The one letter with all statements; or one that came after it, handed round at once."""
    game = batch.after
    if game.stage is not Stage.ENDED or sealed(game):
        return
    if batch.has(StatementsPublished):
        yield from _all_of_them(batch)
        return
    for seq, event in batch.numbered():
        if isinstance(event, StatementMade) and event.text:
            source = say("statement-of", who=who(game, event.seat))
            for reader in batch.told(event):
                view = PressView(0, Colour.WHITE, source, "", say("addressees", to=[Who("everybody")]), event.text, "")
                yield batch.letter(Kind.PRESS, f"{seq}/statement", reader, view)


def _all_of_them(batch: Batch) -> Iterator[Letter]:
    game = batch.after
    order = [*game.seats, GM_SEAT]
    pages = sorted((page for page in game.statements.values() if page.text), key=lambda page: order.index(page.seat))
    if not pages:
        return
    view = StatementsView(
        statements=tuple(words_of(game, page, batch.cast) for page in pages),
        none=tuple(
            say("somebody", who=who(game, seat.id))
            for seat in game.seats.values()
            if seat.filled and seat.id not in {page.seat for page in pages}
        ),
    )
    for reader in batch.told(*batch.every(StatementsPublished), doer=True):
        yield batch.letter(Kind.STATEMENTS, str(game.seq), reader, view)


def reminder_news(batch: Batch, event: StatementsReminded, reader: Reader) -> Iterator[News]:
    """To those who have not written yet."""
    if reader.seat not in event.seats or (call := call_for(batch.after, reader)) is None:
        return
    yield news("statement-wanted", 5, due=call.due, count=call.count)


NEWS: dict[type[Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {StatementsReminded: reminder_news}
"""For the table of notices."""
