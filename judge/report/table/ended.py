"""The letter at the end of a game: how it ended, who played what, the chart of all years, the votes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.talk.closing import UNANIMOUS
from judge.report.core.audience import did
from judge.report.core.batch import Batch
from judge.report.core.facts import Said, phase_fact, say
from judge.report.core.letter import Kind, Letter
from judge.report.played.chart import YearTable, years
from judge.report.played.endings import Finisher, ending_in_short, ending_sentence, finishers, game_points
from judge.report.played.ratings import PointsRow
from judge.report.played.results import UnitsLine, final_positions
from judge.report.seat.closing import ClosedDeadline, closed
from judge.report.table.epilogue import Call, SealedWords, call_for, statements_so_far, words_of
from judge.report.table.turns import notes_of
from judge.report.table.votes import ClosedVote, closed_votes


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
