"""Results that changed, and the Gamemaster's office: what is new in a version, and the letters about that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.board.model import Board
from judge.board.position import Position
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.repair.reopening import PhaseReopened
from judge.game.repair.rewriting import PositionCorrected, RolledBack
from judge.game.table.offices import DeputyDismissed, DeputyNamed, GamemasterChanged, GameOffered
from judge.game.table.rulings import HeadlineSet, Revealed
from judge.history import played_phase
from judge.orders.spelled import order_words
from judge.report import times
from judge.report.batch import Batch
from judge.report.chart import Chart, chart
from judge.report.desk import Desk, desk, filed_lines
from judge.report.facts import Said
from judge.report.frame import Reader, seat_title
from judge.report.letter import Kind, Letter
from judge.report.naming import joined, power_name
from judge.report.news import News, because, sentence_start
from judge.report.results import Standing, final_positions, retreats_due

Ended = tuple[str, str]
"""A power and an order of it, of which one asks what became of it."""


@dataclass(frozen=True, slots=True)
class CorrectedView:
    """A position put right by hand. `phase`: whose results these are now in version `version`; `changes`: one a line.

    `differs`: whether the position contradicts what the results say (B36).
    """

    phase: str
    title: str
    version: int
    supersedes: int
    changes: tuple[str, ...]
    differs: bool
    reason: str
    desk: Desk
    positions: tuple[Standing, ...]
    retreats: tuple[Said, ...]
    chart: Chart


def corrections(batch: Batch) -> Iterator[Letter]:
    """To everybody, the Gamemaster and the observers too: the new version, with what changed."""
    game = batch.after
    events = batch.every(PositionCorrected)
    if not events or game.position is None:
        return
    last = events[-1]
    for reader in batch.readers(observers=True):
        view = CorrectedView(
            phase=game.calendar.label(last.phase),
            title=game.calendar.title(last.phase),
            version=last.version,
            supersedes=last.version - 1,
            changes=tuple(change for event in events for change in event.changes),
            differs=last.differs,
            reason=joined(dict.fromkeys(event.reason for event in events if event.reason)),
            desk=desk(game, reader.seat, reader.member),
            positions=final_positions(game.position),
            retreats=retreats_due(game.position),
            chart=chart(game.position, game.position, projected=False, year=max(game.chart, default=0)),
        )
        yield batch.letter(Kind.CORRECTED, f"{last.phase}/v{last.version}", reader, view)


def changes_of(batch: Batch, played: Sequence[Any]) -> tuple[str, ...]:
    """What is different in results that were processed again: one line for each order whose end is another."""
    replay = batch.after_rollback()
    if replay is None:
        return ()
    board = batch.after.board
    then = {taken.event.phase: _ends(taken.event, board, taken.before.position) for taken in replay.taken}
    again = [event for event in played if event.phase in then and hasattr(event, "outcomes")]
    lines = [line for event in again for line in _differences(batch, event, then[event.phase], named=len(again) > 1)]
    return tuple(lines or ("The results are the same as before.",) if again else ())


def _differences(batch: Batch, event: Any, old: Mapping[Ended, tuple[str, ...]], *, named: bool) -> Iterator[str]:
    """The orders of one phase whose end is another; `named`: it is one phase of several."""
    new, where = _ends(event, batch.after.board), f"{event.phase} " if named else ""
    for key in dict.fromkeys((*new, *old)):
        if old.get(key) != new.get(key):
            what = f"{where}{power_name(key[0], batch.after.board)} {key[1]}"
            now_so, then_so = _words(new.get(key, ())), _words(old.get(key, ()))
            yield f"{what}: {now_so} (before: {then_so})"


def headline_of(batch: Batch) -> str:
    """What heads a report, "" where nothing does or headlines were objected to (B56)."""
    if batch.before is None or not batch.after.settings.headlines:
        return ""
    texts = [event.text for event in batch.every(HeadlineSet)]
    return texts[-1] if texts else batch.before.headline


def _ends(event: Any, board: Board, begun: Position | None = None) -> dict[Ended, tuple[str, ...]]:
    results = played_phase(event, board, begun).results
    return {(result.power, order_words(result.order, board)): tuple(map(str, result.results)) for result in results}


def _words(results: tuple[str, ...]) -> str:
    return joined("succeeds" if result == "ok" else result for result in results) or "not ordered"


# --- news ---------------------------------------------------------------------------------------------------------


def _rolled_back(batch: Batch, event: RolledBack, reader: Reader) -> Iterator[News]:
    if batch.tells_results or batch.has(PhaseReopened):
        return
    calendar = batch.after.calendar
    title = calendar.title(event.phase)
    void = joined(calendar.title(code) for code in event.void)
    sentence = (
        f"{_actor(batch, event)} has taken the results of {void} back; they no longer count. {title} will be "
        "processed again with the same orders, and no new ones are taken for it. Orders that you sent for later "
        f"phases are kept; look at them again then. No deadline runs meanwhile.{because(event.reason)}"
    )
    yield News(sentence, f"results of {calendar.label(event.phase)} taken back", 10)


def _reopened(batch: Batch, event: PhaseReopened, reader: Reader) -> Iterator[News]:
    """What was taken back with it, and what every player may do now."""
    game, calendar = batch.after, batch.after.calendar
    back = [code for gone in batch.every(RolledBack) for code in gone.void]
    void = f", and taken the results of {joined(calendar.title(code) for code in back)} back" if back else ""
    sentence = f"{_actor(batch, event)} has opened {calendar.title(event.phase)} again{void}.{because(event.reason)}."
    seat = game.seats.get(reader.seat)
    lines = tuple(line for power in (seat.powers if seat else ()) for line in filed_lines(game, power))
    if seat is not None and seat in game.active_seats:
        sentence += " You may order anew; the turn is not processed early, even if everything is in."
        sentence += " What you had on file stands until you send something else:" if lines else ""
    yield News(sentence, "open again, order anew", 11, lines)


def _deputy_named(batch: Batch, event: DeputyNamed, reader: Reader) -> Iterator[News]:
    until = times.short(event.until, batch.after.settings.zone)
    name = batch.cast.member(event.person).name
    yield News(f"{name} acts for the Gamemaster until {until}.", f"{name} acts for the Gamemaster", 5)


def _deputy_dismissed(batch: Batch, event: DeputyDismissed, reader: Reader) -> Iterator[News]:
    yield News("The Gamemaster is back; nobody acts for them any more.", "the Gamemaster is back", 5)


def _gm_changed(batch: Batch, event: GamemasterChanged, reader: Reader) -> Iterator[News]:
    name = batch.cast.member(event.person).name
    if reader.seat == GM_SEAT:
        yield News(f"You are the Gamemaster of {batch.after.key} now. Answer this letter to run it.", "yours to run", 9)
        return
    yield News(f"{name} is the new Gamemaster of {batch.after.key}.", "a new Gamemaster", 7)


def _revealed(batch: Batch, event: Revealed, reader: Reader) -> Iterator[News]:
    game = batch.after
    rows = [
        f"{seat_title(game, seat.id)}: {batch.cast.member(seat.person).name}"
        for seat in game.seats.values()
        if seat.person is not None
    ]
    yield News(f"{_actor(batch, event)} has lifted the veil. {'; '.join(rows)}.", "who plays what", 7)


def _actor(batch: Batch, event: ev.Event) -> str:
    return sentence_start(seat_title(batch.after, event.by))


NEWS: Mapping[type[ev.Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    RolledBack: _rolled_back,
    PhaseReopened: _reopened,
    DeputyNamed: _deputy_named,
    DeputyDismissed: _deputy_dismissed,
    GamemasterChanged: _gm_changed,
    Revealed: _revealed,
}
"""Event -> what it says to a reader."""


def office_letters(batch: Batch) -> Iterator[Letter]:
    """To people without a seat whom the Gamemaster has chosen: his deputy, and the one to whom the game is offered."""
    game = batch.after
    for seq, event in batch.numbered():
        if isinstance(event, DeputyNamed):
            until = times.short(event.until, game.settings.zone)
            said = f"You may act for the Gamemaster of {game.key} until {until}. Write your commands in answer to this."
            yield _to_person(batch, seq, event.person, said, "you act for the Gamemaster")
        elif isinstance(event, GameOffered):
            said = f"The Gamemaster of {game.key} would like to give the game to you. To take it, answer: adopt"
            yield _to_person(batch, seq, event.person, said, "would you run this game?")
        elif isinstance(event, GamemasterChanged) and event.by != GM_SEAT:
            said = f"You are no longer the Gamemaster of {game.key}. Thank you for all that you did."
            yield _to_person(batch, seq, event.before, said, "another Gamemaster")


def _to_person(batch: Batch, seq: int, person: int, said: str, subject: str) -> Letter:
    from judge.report.notices import NoticeView

    reader = Reader("", batch.cast.member(person))
    view = NoticeView(subject, (said,), desk(batch.after, "", reader.member))
    return batch.letter(Kind.NOTICE, f"{seq}/office", reader, view)
