"""The letters of the calendar: results with the call for the next orders, reminders, the late call, the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.board.position import Position, position_from_json
from judge.game.clock.extensions import AHEAD
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Running, Stage
from judge.game.filing.standing import State, standings
from judge.game.table.scoring import SYSTEMS
from judge.game.talk.ballots import UNANIMOUS
from judge.report.core.batch import Batch
from judge.report.core.facts import Moment, Said, Text, phase_fact, say
from judge.report.core.frame import Reader, moment
from judge.report.core.letter import Kind, Letter, Plain, plain
from judge.report.core.naming import power_name
from judge.report.played.chart import CentreChart, YearTable, chart, projected_owners, years
from judge.report.played.endings import ending_in_short, ending_sentence
from judge.report.played.finishers import Finisher, finishers, game_points
from judge.report.played.ratings import PointsRow
from judge.report.played.results import Results, UnitsLine, final_positions, results_of, retreats_due
from judge.report.seat.desk import Desk, desk, due, filed_lines
from judge.report.seat.openlines import open_lines
from judge.report.table.awaiting import called_late
from judge.report.table.epilogue import Call, SealedWords, call_for, statements_so_far, words_of
from judge.report.table.repairs import changes_of, headline_of
from judge.report.table.talk import (
    Clipping,
    ClosedVote,
    OpenVote,
    announcements,
    clippings,
    closed_votes,
    open_votes,
    votes_that_end,
)
from judge.rules.questions import Block


@dataclass(frozen=True, slots=True)
class ClosedDeadline:
    """The deadline of the turn that began with the phase `turn`: ISO text in UTC, and its version."""

    turn: str
    due_at: str
    version: int


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
    """That the Gamemaster had the turn processed, before its time or without somebody's orders (A14)."""
    closes: ClosedDeadline | None = None
    """The deadline that this turn had, for calendars: where the turn came first, nothing is due then any more."""
    more: tuple[Block, ...] = ()
    """What the game's rules tell beside what the board shows."""


Played = ev.PhaseAdjudicated | ev.PhaseSkipped

BY_HAND = (GM_SEAT, "operator")
"""Who processes beside the clock."""


def results_letters(batch: Batch) -> Iterator[Letter]:
    """One letter to each reader for everything that was processed at once (B18, B47)."""
    played = [event for event in batch.events if isinstance(event, (ev.PhaseAdjudicated, ev.PhaseSkipped))]
    if not played:
        return
    common = _common(batch, played)
    about = f"{played[0].phase}/v{common['version']}"
    shared: dict[str, Any] = {name: Plain(plain(fact)) for name, fact in common.items()}
    for reader in batch.readers(observers=True):
        word = by_word(batch, played[0], reader)
        view = ResultsView(desk=desk(batch.after, reader.seat, reader.member), by_word=word, **shared)
        yield batch.letter(Kind.RESULTS, about, reader, view)


def _common(batch: Batch, played: Sequence[Played]) -> dict[str, Any]:
    """What every reader's results letter has in common."""
    game = batch.after
    board, settings = game.board, game.settings
    verbatim = settings.show_orders == "verbatim"
    results = tuple(results_of(event, game, explain=settings.explain, verbatim=verbatim) for event in played)
    final = position_from_json(played[-1].after, board)
    deadlines = batch.every(ev.DeadlineSet)
    replay = batch.after_rollback()
    return {
        "headline": headline_of(batch),
        "reprocessed": replay is not None,
        "why": replay.reason if replay else "",
        "changes": changes_of(batch, played),
        "phase": game.calendar.label(played[0].phase),
        "title": results[0].title,
        "version": max(result.version for result in results),
        "results": results,
        "retreats": _retreats(results, final),
        "positions": final_positions(final),
        "chart": _chart(batch, played, final),
        "press": clippings(batch),
        "notes": _notes(batch),
        "votes": open_votes(batch.after),
        "closed": closed_votes(batch),
        "vacant": vacant_powers(batch.after),
        "ended": ending_sentence(batch.after),
        "ending": ending_in_short(batch.after),
        "supersedes": max(result.supersedes for result in results),
        "more": game.rules.desk(final),
        "next": game.calendar.label(deadlines[-1].phase) if deadlines else "",
        "closes": _closes(batch),
    }


def _closes(batch: Batch) -> ClosedDeadline | None:
    deadline = batch.before.deadline if batch.before is not None else None
    if deadline is None:
        return None
    return ClosedDeadline(str(deadline.phase), deadline.at.astimezone(UTC).isoformat(), deadline.version)


def by_word(batch: Batch, first: Played, reader: Reader) -> Said | None:
    """What a report says of a turn that the Gamemaster had processed: when it was due, and who had sent nothing."""
    before = batch.before
    if before is None or before.deadline is None or first.by not in BY_HAND or batch.after_rollback() is not None:
        return None
    deadline = before.deadline
    end = deadline.grace if deadline.called and deadline.grace is not None else deadline.at
    silent = [power_name(one.power, before.board) for one in standings(before) if one.state is State.MISSING]
    if first.at >= end:
        return say("processed-without", silent=silent) if silent else None
    due = moment(before, end, reader.member)
    return say("processed-ahead", called=deadline.called, due=due, silent=silent)


def _retreats(results: Sequence[Results], final: Position) -> tuple[Said, ...]:
    """What is due now, and what was lost at once in the phases just played."""
    lost = [said for result in results for said in result.retreats if not said.facts["options"]]
    return (*retreats_due(final), *lost)


def _notes(batch: Batch) -> tuple[str, ...]:
    waiting = batch.before.notes if batch.before else ()
    return (*announcements(batch), *waiting, *(event.text for event in batch.every(ev.NoteWritten)))


def _chart(batch: Batch, played: Sequence[Played], final: Position) -> CentreChart:
    """The chart against the last count before this turn; a preview while ownership waits for retreats."""
    first = played[0]
    begun = position_from_json(first.before, batch.after.board) if isinstance(first, ev.PhaseAdjudicated) else final
    preview = batch.after.rules.calendar.is_capture(final.phase)
    counts = batch.after.chart
    was = counts.get(max((year for year in counts if year < begun.phase.year), default=0))
    after = projected_owners(final, batch.after.rules) if preview else final
    return chart(begun, after, projected=preview, year=max(counts, default=0), was=was, now=final)


def vacant_powers(game: Game) -> tuple[str, ...]:
    """Surviving powers that look for a player: none any more once the game is over."""
    if game.stage is Stage.ENDED:
        return ()
    empty = [power for seat in game.seats.values() if not seat.filled for power in seat.powers]
    return tuple(power_name(power, game.board) for power in game.survivors if power in empty)


# --- reminders and lateness ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReminderView:
    """What is missing, by when, and the form to send it with. `hours`: until the deadline, as the ladder has it;
    `extension`: until when a free extension may still be asked for, None where none is to be had any more."""

    desk: Desk
    hours: int
    missing: Said
    extension: Said | None


def reminders(batch: Batch) -> Iterator[Letter]:
    """Only to those with something missing, once per rung and version of the deadline."""
    game = batch.after
    for event in batch.every(ev.ReminderDue):
        for reader in batch.readers():
            if reader.seat not in event.seats or not isinstance(game, Running):
                continue
            about = f"{game.phase}/d{event.version}/{event.rung}h"
            more_time = _may_extend(game, reader, event.at)
            at_desk = desk(game, reader.seat, reader.member, lacking=True)
            if more_time is None:
                at_desk = replace(at_desk, acts=tuple(act for act in at_desk.acts if act != "extension"))
            view = ReminderView(at_desk, event.rung, _missing(game, reader, event.at), more_time)
            yield batch.letter(Kind.REMINDER, about, reader, view)


def _missing(game: Running, reader: Reader, at: datetime) -> Said:
    """That orders are missing, all or some of them, how long there is still time, and what may end the game first."""
    left, votes = round((game.deadline.at - at).total_seconds() / 3600), votes_that_end(game)
    return say("reminded", lacking=lacking(game, reader.seat), due=due(game, reader.member), hours=left, votes=votes)


def _may_extend(game: Running, reader: Reader, at: datetime) -> Said | None:
    """A free extension is asked for well ahead; whoever could not answer in time is not told of it."""
    seat, last = game.seats[reader.seat], game.deadline.at - AHEAD
    if seat not in game.active_seats or not game.extensions_left(seat) or last - at < timedelta(hours=1):
        return None
    left = game.extensions_left(seat)
    return say("may-extend", until=moment(game, last), left=left, most=game.settings.extensions)


@dataclass(frozen=True, slots=True)
class LateView:
    """`personal`: to somebody who is late; the others read `late`, the powers of so many `players`. `grace`: the end of
    the suspension, None if it has none. `why`: what the late player's orders lack; `filed`: the orders that are here;
    `frozen`: whether the others' stand as they are (B29); `plays`: whether the reader orders anything; `waits`: on a
    mail that came in time."""

    desk: Desk
    personal: bool
    late: tuple[str, ...]
    grace: Moment | None
    why: Said
    filed: tuple[Text, ...] = ()
    frozen: bool = False
    plays: bool = True
    waits: tuple[Text, ...] = ()
    players: int = 0


def lacking(game: Game, seat: str) -> Said:
    """What is missing of a late player's orders: lines to put right, or all of them."""
    held = game.seats.get(seat)
    filed = held is not None and any(filed_lines(game, power) for power in held.powers)
    return say("lacking", lines=len(open_lines(game, held)), filed=filed)


def filed_by(game: Game, seat: str) -> tuple[Text, ...]:
    """All orders on file of a seat, spelled out."""
    held = game.seats.get(seat)
    return tuple(line for power in (held.powers if held else ()) for line in filed_lines(game, power))


def late_calls(batch: Batch) -> Iterator[Letter]:
    """The late players first and personally, then everybody (B23)."""
    hidden = batch.after.settings.hide_late
    for event in batch.every(ev.LateCalled):
        if not event.seats or dismissed_at_once(batch):
            continue
        late = [power for seat in event.seats for power in batch.after.seats[seat].powers]
        names = tuple(power_name(power, batch.after.board) for power in late)
        everyone = sorted(batch.readers(), key=lambda reader: reader.seat not in event.seats)
        for reader in everyone:
            view = LateView(
                desk=replace(desk(batch.after, reader.seat, reader.member), due=None),
                personal=reader.seat in event.seats,
                late=() if hidden and reader.seat != GM_SEAT else names,
                grace=moment(batch.after, event.grace, reader.member) if event.grace else None,
                why=lacking(batch.after, reader.seat),
                filed=filed_by(batch.after, reader.seat) if reader.seat in event.seats else (),
                frozen=batch.after.settings.freeze_others,
                plays=reader.seat in batch.after.seats,
                waits=called_late(batch, reader),
                players=len(event.seats),
            )
            yield batch.letter(Kind.LATE, f"{batch.after.phase}/d{event.version}", reader, view)


def dismissed_at_once(batch: Batch) -> bool:
    """Whether the house rules give no time of grace, so that who is late has lost the seat in the same moment."""
    return batch.has(ev.LateCalled) and any(event.why == "nmr" for event in batch.every(ev.SeatVacated))


# --- the end ------------------------------------------------------------------------------------------------------


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
    thanks: bool = False
    """Whether the reader has played to the end: neither looks on nor was eliminated."""


def endings(batch: Batch) -> Iterator[Letter]:
    """The final letter, to everybody, with all names (an anonymous game is anonymous no longer)."""
    if not batch.has(ev.GameEnded):
        return
    game = batch.after
    view = EndedView(
        sentence=ending_sentence(game),
        ending=ending_in_short(game),
        finishers=finishers(game, batch.cast),
        years=years(game),
        systems=tuple(SYSTEMS),
        points=game_points(game),
        positions=final_positions(game.position) if game.position else (),
        seed=game.seed if game.settings.anonymous else None,
        closed=() if batch.tells_results else closed_votes(batch),
        notes=() if batch.tells_results else _notes(batch),
        statements=statements_so_far(game),
        diaries=tuple(words_of(game, page) for page in sorted(game.diaries, key=lambda page: page.seat)),
        unplayed=_unplayed(batch),
    )
    playing = {seat.id for seat in game.seats.values() if seat.filled and set(seat.powers) & set(game.survivors)}
    for reader in batch.readers(observers=True):
        own = replace(view, call=call_for(game, reader), thanks=reader.seat in playing)
        yield batch.letter(Kind.ENDED, str(game.seq), reader, own)


def _unplayed(batch: Batch) -> Said | None:
    """A vote that ends the game goes before the orders of its turn (B67)."""
    game = batch.after
    if game.ending is None or game.ending.how not in UNANIMOUS or game.position is None or batch.tells_results:
        return None
    return say("unplayed", phase=phase_fact(game, str(game.position.phase)))
