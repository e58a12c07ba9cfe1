"""The end of a game: how it ended, who played what, the chart of all years, the statements of its players."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from judge.game.core import events as ev
from judge.game.core.affairs import DiaryPage
from judge.game.core.commands import GM_SEAT, Colour
from judge.game.core.events import Event
from judge.game.core.model import Game, Stage
from judge.game.talk.closing import UNANIMOUS
from judge.game.talk.epilogue import StatementMade, StatementsPublished, StatementsReminded, sealed, silent
from judge.report.core.audience import did
from judge.report.core.batch import Batch
from judge.report.core.frame import Cast, Reader, moment, shown_name, who
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import Moment, Said, Text, Who, phase_fact, say
from judge.report.played.chart import YearTable, years
from judge.report.played.endings import Finisher, ending_in_short, ending_sentence, finishers, game_points
from judge.report.played.ratings import PointsRow
from judge.report.played.results import UnitsLine, final_positions
from judge.report.seat.closing import ClosedDeadline, closed
from judge.report.table.news import News, news
from judge.report.table.talk import PressView
from judge.report.table.turns import notes_of
from judge.report.table.votes import ClosedVote, closed_votes


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


@dataclass(frozen=True, slots=True)
class EndedView:
    """The final letter: how it ended, the chart of all years, who played what, how the votes went; `points`: of each
    power by the `systems`, none where the game is not rated."""

    sentence: Said | None
    ending: Said | None
    finishers: tuple[Finisher, ...]
    years: YearTable
    systems: tuple[str, ...]
    points: tuple[PointsRow, ...]
    positions: tuple[UnitsLine, ...]
    closed: tuple[ClosedVote, ...]
    notes: tuple[str, ...]
    statements: tuple[SealedWords, ...] = ()
    diaries: tuple[SealedWords, ...] = ()
    call: Call | None = None
    seed: int | None = None
    """Of the lot, where it was kept back while who plays what was a secret."""
    unplayed: Said | None = None
    """That the orders of the last turn were not carried out, where that is so."""
    closes: ClosedDeadline | None = None
    """The deadline that is none any more, for calendars; a report that tells of the last turn says it itself."""
    thanks: bool = False
    """Whether the reader has played to the end: neither looks on nor was eliminated."""


def endings(batch: Batch) -> Iterator[Letter]:
    """The final letter, to everybody, with all names (an anonymous game is anonymous no longer). To the Gamemaster who
    has written `end` it is the answer.
    """
    if not batch.has(ev.GameEnded):
        return
    game = batch.after
    view = EndedView(
        sentence=ending_sentence(game),
        ending=ending_in_short(game),
        finishers=finishers(game, batch.cast),
        years=years(game),
        systems=game.settings.scoring,
        points=game_points(game),
        positions=final_positions(game.position) if game.position else (),
        seed=game.seed if game.settings.anonymous else None,
        closed=() if batch.tells_results else closed_votes(batch),
        notes=() if batch.tells_results else notes_of(batch),
        statements=statements_so_far(game),
        diaries=tuple(words_of(game, page) for page in sorted(game.diaries, key=lambda page: page.seat)),
        unplayed=_unplayed(batch),
        closes=None if batch.tells_results else closed(batch.before),
    )
    by_hand = not batch.tells_results and any(event.by == GM_SEAT for event in batch.every(ev.GameEnded))
    playing = {seat.id for seat in game.seats.values() if seat.filled and set(seat.powers) & set(game.survivors)}
    for reader in batch.told(*batch.every(ev.GameEnded), doer=True):
        own = replace(view, call=call_for(game, reader), thanks=reader.seat in playing)
        letter = batch.letter(Kind.ENDED, str(game.seq), reader, own)
        yield replace(letter, answers=by_hand and any(did(event, reader) for event in batch.every(ev.GameEnded)))


def _unplayed(batch: Batch) -> Said | None:
    """A vote that ends the game goes before the orders of its turn."""
    game = batch.after
    if game.ending is None or game.ending.how not in UNANIMOUS or game.position is None or batch.tells_results:
        return None
    return say("unplayed", phase=phase_fact(game, str(game.position.phase)))
