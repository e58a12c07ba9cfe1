"""Results, with the call for the next orders: the letters of a turn that was processed.

The end of a game: how it ended, who played what, the chart of all years, the statements of its players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.board.position import Position
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Colour
from judge.game.core.events import Event, position_of
from judge.game.core.model import Game, Stage
from judge.game.core.parts import DiaryPage
from judge.game.filing.standing import State, standings
from judge.game.office.undoing import ActTakenBack
from judge.game.repair.correcting import PositionCorrected
from judge.game.table.filling import powers_vacant
from judge.game.talk.closing import UNANIMOUS
from judge.game.talk.epilogue import StatementMade, StatementsPublished, StatementsReminded, sealed, silent
from judge.game.talk.press import edits
from judge.history.formats import njudge_lines
from judge.report.core.audience import Batch, did
from judge.report.core.letter import Cast, Kind, Letter, Plain, Reader, moment, plain, shown_name, who
from judge.report.core.naming import Moment, Said, Text, Who, phase_fact, power_name, say
from judge.report.played.chart import (
    CentreChart,
    Finisher,
    PointsRow,
    YearTable,
    chart,
    ending_in_short,
    ending_sentence,
    finishers,
    game_points,
    projected_owners,
    years,
)
from judge.report.played.results import (
    Results,
    UnitsLine,
    ZinePrint,
    final_positions,
    printed,
    results_of,
    retreats_due,
)
from judge.report.seat.desk import ClosedDeadline, Desk, closed, desk
from judge.report.table.calls import landed
from judge.report.table.news import News, news
from judge.report.table.repairs import changes_of, headline_of
from judge.report.table.talk import Clipping, PressView, announcements, clippings
from judge.report.table.votes import ClosedVote, OpenVote, closed_votes, open_votes
from judge.rules.questions import Block


@dataclass(frozen=True, slots=True)
class ResultsView:
    """A results letter, in the order of its blocks.

    `headline`: the Gamemaster's; `reprocessed`, `why`, `changes`: of results that were taken back. `phase`, `title`: of
    the first phase played; `results`: one block a phase, skipped ones included; `positions` and `chart` show where
    things stand at the end; `missing`: powers that were processed without orders.
    """

    phase: str
    title: str
    version: int
    desk: Desk
    results: tuple[Results, ...]
    retreats: tuple[Said, ...]
    positions: tuple[UnitsLine, ...]
    chart: CentreChart
    press: tuple[Clipping, ...]
    notes: tuple[str, ...]
    votes: tuple[OpenVote, ...]
    closed: tuple[ClosedVote, ...]
    vacant: tuple[str, ...]
    ended: Said | None = None
    ending: Said | None = None
    supersedes: int = 0
    next: str = ""
    headline: str = ""
    reprocessed: bool = False
    why: str = ""
    changes: tuple[str, ...] = ()
    by_word: Said | None = None
    """That the Gamemaster had the turn processed, before its time or without somebody's orders."""
    landed: Said | None = None
    """Past what the calendar has moved the next deadline on."""
    closes: ClosedDeadline | None = None
    """The deadline that this turn had, for calendars: where the turn came first, nothing is due then any more."""
    more: tuple[Block, ...] = ()
    """What the game's rules tell beside what the board shows."""
    printed: ZinePrint | None = None
    """What makes a file of it that a zine can print: for editors."""
    njudge: tuple[str, ...] = ()
    """All of it once more in njudge's layout, for readers whose tools want that."""


Played = ev.PhaseAdjudicated | ev.PhaseSkipped

BY_HAND = (GM_SEAT, "operator")
"""Who processes beside the clock."""


def results_letters(batch: Batch) -> Iterator[Letter]:
    """One letter to each reader for everything that was processed at once."""
    played = [event for event in batch.events if isinstance(event, (ev.PhaseAdjudicated, ev.PhaseSkipped))]
    if not played:
        return
    common = _common(batch, played)
    about = f"{played[0].phase}/v{common['version']}"
    shared: dict[str, Any] = {name: Plain(plain(fact)) for name, fact in common.items()}
    to_print = printed(batch.after, batch.cast, [event.phase for event in played])
    for reader in batch.told(*played, doer=True):
        word = by_word(batch, played[0], reader)
        editor = edits(batch.after, reader.member.person)
        view = ResultsView(
            desk=desk(batch.after, reader.seat, reader.member), by_word=word, printed=to_print if editor else None,
            **shared,
        )  # fmt: skip
        yield batch.letter(Kind.RESULTS, about, reader, view)


def told_to_all(batch: Batch) -> dict[str, Any]:
    """What everybody may read of the phases that were played at once, as plain JSON; {} where none was."""
    played = [event for event in batch.events if isinstance(event, (ev.PhaseAdjudicated, ev.PhaseSkipped))]
    return {name: plain(fact) for name, fact in _common(batch, played).items()} if played else {}


def _common(batch: Batch, played: Sequence[Played]) -> dict[str, Any]:
    """What every reader's results letter has in common."""
    game = batch.after
    board, settings = game.board, game.settings
    verbatim = settings.show_orders == "verbatim"
    results = tuple(results_of(event, game, explain=settings.explain, verbatim=verbatim) for event in played)
    final = position_of(played[-1].after, board)
    if game.position is not None and batch.has(PositionCorrected):
        final = game.position
    deadlines = batch.every(ev.DeadlineSet)
    replay = batch.after_rollback()
    return {
        "headline": headline_of(batch),
        "reprocessed": replay is not None,
        "why": replay.reason if replay and not batch.has(ActTakenBack) else "",
        "changes": changes_of(batch, played),
        "phase": game.calendar.label(played[0].phase),
        "title": results[0].title,
        "version": max(result.version for result in results),
        "results": results,
        "retreats": _retreats(results, final),
        "positions": final_positions(final),
        "chart": _chart(batch, played, final),
        "press": clippings(batch),
        "notes": notes_of(batch),
        "votes": open_votes(batch.after),
        "closed": closed_votes(batch),
        "vacant": vacant_powers(batch.after),
        "ended": ending_sentence(batch.after),
        "ending": ending_in_short(batch.after),
        "supersedes": max(result.supersedes for result in results),
        "more": game.rules.desk(final),
        "njudge": njudge_lines(game, played, final, batch.cast.office.name),
        "landed": landed(game, deadlines[-1]) if deadlines else None,
        "next": game.calendar.label(deadlines[-1].phase) if deadlines else "",
        "closes": closed(batch.before),
    }


def by_word(batch: Batch, first: Played, reader: Reader) -> Said | None:
    """What a report says of a turn that the Gamemaster had processed: when it was due, and who had sent nothing."""
    before = batch.before
    if before is None or before.deadline is None or first.by not in BY_HAND or batch.after_rollback() is not None:
        return None
    deadline = before.deadline
    end = deadline.grace if deadline.called and deadline.grace is not None else deadline.at
    told = {power_name(power, before.board) for power in getattr(first, "missing", ())}  # the orders say it of these
    silent = [power_name(one.power, before.board) for one in standings(before) if one.state is State.MISSING]
    if first.at >= end:
        return say("processed-without", silent=silent) if silent else None
    due = moment(before, end, reader.member)
    unsaid = [name for name in silent if name not in told]
    return say("processed-ahead", called=deadline.called, due=due, silent=unsaid)


def _retreats(results: Sequence[Results], final: Position) -> tuple[Said, ...]:
    """What is due now, and what was lost at once in the phases just played."""
    lost = [said for result in results for said in result.retreats if not said.facts["options"]]
    return (*retreats_due(final), *lost)


def notes_of(batch: Batch) -> tuple[str, ...]:
    waiting = batch.before.notes if batch.before else ()
    return (*announcements(batch), *waiting, *(event.text for event in batch.every(ev.NoteWritten)))


def _chart(batch: Batch, played: Sequence[Played], final: Position) -> CentreChart:
    """The chart against the last count before this turn; a preview while ownership waits for retreats."""
    first = played[0]
    begun = position_of(first.before, batch.after.board) if isinstance(first, ev.PhaseAdjudicated) else final
    preview = batch.after.rules.calendar.is_capture(final.phase)
    counts = batch.after.chart
    was = counts.get(max((year for year in counts if year < begun.phase.year), default=0))
    after = projected_owners(final, batch.after.rules) if preview else final
    year, to_win = max(counts, default=0), batch.after.settings.victory
    return chart(begun, after, projected=preview, year=year, was=was, now=final, to_win=to_win)


def vacant_powers(game: Game) -> tuple[str, ...]:
    """Surviving powers that look for a player: none any more once the game is over."""
    if game.stage is Stage.ENDED:
        return ()
    empty = powers_vacant(game)
    return tuple(power_name(power, game.board) for power in game.survivors if power in empty)


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
