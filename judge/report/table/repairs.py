"""Results that changed, and the Gamemaster's office: what is new in a version, and the letters about that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.board.position import Position
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game
from judge.game.office.rulings import HeadlineSet, Revealed
from judge.game.office.undoing import ActTakenBack
from judge.game.repair.changes import changes_told
from judge.game.repair.correcting import PositionCorrected, corrected_by_hand, reason_words
from judge.game.repair.rewriting import PhaseReopened, RolledBack, dropped_corrections, replay_of
from judge.game.table.filling import powers_vacant
from judge.game.table.substitutes import SubstituteEnded, SubstituteFound, SubstituteSought
from judge.game.table.vacancies import may_come
from judge.game.talk.press import EditorDismissed, EditorNamed
from judge.history import read_out
from judge.orders.spelled import listed, order_words
from judge.report.core.audience import AUDIENCE, Batch
from judge.report.core.letter import Kind, Letter, Reader, moment, who
from judge.report.core.naming import Said, Text, phase_fact, power_name, say
from judge.report.played.chart import CentreChart, chart, ending_in_short
from judge.report.played.results import UnitsLine, final_positions, retreats_due
from judge.report.seat.desk import Desk, desk, filed_lines
from judge.report.table.calls import asked_to_come, landed
from judge.report.table.news import News, NoticeView, news

Ended = tuple[str, str]
"""A power and an order of it, of which one asks what became of it."""


@dataclass(frozen=True, slots=True)
class CorrectedView:
    """A position put right by hand. `phase`: whose results these are now in version `version`; `changes`: one a line.

    `differs`: whether the position contradicts what the results say.
    """

    phase: str
    title: str
    version: int
    supersedes: int
    changes: tuple[Text, ...]
    differs: bool
    reason: str
    desk: Desk
    positions: tuple[UnitsLine, ...]
    retreats: tuple[Said, ...]
    chart: CentreChart


def corrections(batch: Batch) -> Iterator[Letter]:
    """To everybody, the Gamemaster and the observers too: the new version, with what changed."""
    game = batch.after
    events = batch.every(PositionCorrected)
    if not events or game.position is None or batch.tells_results:
        return
    last = events[-1]
    for reader in batch.told(*events, doer=True):
        view = CorrectedView(
            phase=game.calendar.label(last.phase),
            title=game.calendar.title(last.phase),
            version=last.version,
            supersedes=last.version - 1,
            changes=tuple(change for event in events for change in changes_told(game, event.edits, event.changes)),
            differs=last.differs,
            reason=listed(dict.fromkeys(reason_words(event.reason) for event in events if event.reason)),
            desk=desk(game, reader.seat, reader.member),
            positions=final_positions(game.position),
            retreats=retreats_due(game.position),
            chart=chart(game.position, game.position, projected=False, year=max(game.chart, default=0)),
        )
        yield batch.letter(Kind.CORRECTED, f"{last.phase}/v{last.version}", reader, view)


def changes_of(batch: Batch, played: Sequence[Any]) -> tuple[Said, ...]:
    """What is different in results that were processed again: one line for each order whose end is another."""
    replay = batch.after_rollback()
    if replay is None:
        return ()
    then = {taken.event.phase: _ends(taken.event, batch.after, taken.before.position) for taken in replay.taken}
    again = [event for event in played if event.phase in then and hasattr(event, "outcomes")]
    lines = [line for event in again for line in _differences(batch, event, then[event.phase], named=len(again) > 1)]
    made = listed(
        change
        for event in batch.every(PositionCorrected)
        for change in changes_told(batch.after, event.edits, event.changes)
    )
    dropped = listed(dropped_corrections(replay, batch.events))
    lines = lines or ([say("changed-nothing", corrected=made)] if again else [])
    if lines and made and lines[0].key != "changed-nothing":
        lines.append(say("corrected-again", changes=made))
    if dropped:
        lines.append(say("correction-dropped", changes=dropped))
    return *undone(batch), *lines


def undone(batch: Batch) -> tuple[Said, ...]:
    """Which act of the Gamemaster these events take back, where anybody had been told of it."""
    of_matters = {matter.__name__ for matter in AUDIENCE if isinstance(matter, type)}
    told = [one for one in batch.every(ActTakenBack) if not one.what or one.what in of_matters]
    return tuple(say("act-undone", by=batch.doer(one), what=one.what) for one in told)


def _differences(batch: Batch, event: Any, old: Mapping[Ended, tuple[str, ...]], *, named: bool) -> Iterator[Said]:
    """The orders of one phase whose end is another; `named`: it is one phase of several."""
    board, phase = batch.after.board, event.phase if named else ""
    new = _ends(event, batch.after)
    for key in dict.fromkeys((*new, *old)):
        if old.get(key) != new.get(key):
            now, before = new.get(key, ()), old.get(key, ())
            what = {"phase": phase, "power": power_name(key[0], board), "order": key[1]}
            yield say("changed-order", **what, now=now, before=before)


def headline_of(batch: Batch) -> str:
    """What heads a report, "" where nothing does or headlines were objected to."""
    if batch.before is None or not batch.after.settings.headlines:
        return ""
    texts = [event.text for event in batch.every(HeadlineSet)]
    return texts[-1] if texts else batch.before.headline


def _ends(event: Any, game: Game, begun: Position | None = None) -> dict[Ended, tuple[str, ...]]:
    results, board = read_out(event, game, begun).results, game.board
    return {(result.power, order_words(result.order, board)): tuple(map(str, result.results)) for result in results}


# --- news ---------------------------------------------------------------------------------------------------------


def _rolled_back(batch: Batch, event: RolledBack, reader: Reader) -> Iterator[News]:
    if batch.tells_results or batch.has(PhaseReopened):
        return
    yield news("rolled-back", 10, by=batch.doer(event), **_taken_back(batch, event, event.void))


def _taken_back(batch: Batch, event: RolledBack | PhaseReopened, void: Sequence[str]) -> dict[str, Any]:
    """The phase whose results are taken back, the others that go with it, and why; how the game had ended, and what
    was corrected by hand.
    """
    game = batch.after
    phases = [phase_fact(game, code) for code in void]
    facts = {
        "phase": phase_fact(game, event.phase),
        "void": phases,
        "reason": event.reason,
        "over": "",
        "corrected": "",
    }
    back = next(iter(batch.every(RolledBack)), None)
    if batch.before is None or back is None:
        return facts
    replay = replay_of(batch.before, back)
    changes = [change for _, words in corrected_by_hand(replay.taken, replay.position) for change in words]
    return {**facts, "over": ending_in_short(batch.before) or "", "corrected": listed(changes)}


def _reopened(batch: Batch, event: PhaseReopened, reader: Reader) -> Iterator[News]:
    """What was taken back with it, and what every player may do now."""
    game, seat = batch.after, batch.after.seats.get(reader.seat)
    back = [code for gone in batch.every(RolledBack) for code in gone.void]
    lines = tuple(line for power in (seat.powers if seat else ()) for line in filed_lines(game, power))
    facts = {
        **_taken_back(batch, event, back),
        "plays": seat is not None and seat in game.active_seats,
        "filed": bool(lines),
        "same": back == [event.phase],
        "landed": landed(game, due[-1]) if (due := batch.every(ev.DeadlineSet)) else None,
    }
    yield news("reopened", 11, lines, by=batch.doer(event), **facts)


def _editor_named(batch: Batch, event: EditorNamed, reader: Reader) -> Iterator[News]:
    if reader.member.person != event.person:
        write = batch.after.settings.press_from_editors
        yield news("editor", 4, name=batch.cast.member(event.person).name, write=write)


def _editor_dismissed(batch: Batch, event: EditorDismissed, reader: Reader) -> Iterator[News]:
    yield news("editor-gone", 3, name=batch.cast.member(event.person).name)


def _revealed(batch: Batch, event: Revealed, reader: Reader) -> Iterator[News]:
    game = batch.after
    rows = [
        {"seat": who(game, seat.id), "name": batch.cast.member(seat.person).name}
        for seat in game.seats.values()
        if seat.person is not None
    ]
    yield news("revealed", 7, by=batch.doer(event), rows=rows)


def _substitute_sought(batch: Batch, event: SubstituteSought, reader: Reader) -> Iterator[News]:
    facts = {"power": _of_seat(batch, event.seat), "until": moment(batch.after, event.until)}
    yield news("substitute-sought", 6, asked=bool(asked_to_come(batch)), **facts)


def _substitute_found(batch: Batch, event: SubstituteFound, reader: Reader) -> Iterator[News]:
    if reader.member.person == event.person:
        return  # a letter of their own says it
    own = reader.seat == event.seat
    name = "" if batch.after.settings.anonymous and reader.seat != GM_SEAT else batch.cast.member(event.person).name
    facts = {"power": _of_seat(batch, event.seat), "until": moment(batch.after, event.until), "name": name}
    yield news("substitute-own", 8, **facts) if own else news("substitute-found", 4, **facts)


def _substitute_ended(batch: Batch, event: SubstituteEnded, reader: Reader) -> Iterator[News]:
    power = _of_seat(batch, event.seat)
    if event.why in ("left", "ended"):
        return  # a letter of their own tells who played, and other news everybody
    if reader.seat == event.seat:
        back = news("substitute-back", 8, power=power, why=event.why)
        yield back if event.person else news("substitute-nobody", 8, power=power, why=event.why)
    elif event.person or reader.seat == GM_SEAT:
        yield news("substitute-ended", 4, power=power)


def _of_seat(batch: Batch, seat: str) -> str:
    game = batch.after
    return listed(power_name(power, game.board) for power in game.seats[seat].powers)


NEWS: Mapping[type[ev.Event], Callable[[Batch, Any, Reader], Iterator[News]]] = {
    RolledBack: _rolled_back,
    PhaseReopened: _reopened,
    EditorNamed: _editor_named,
    EditorDismissed: _editor_dismissed,
    SubstituteSought: _substitute_sought,
    SubstituteFound: _substitute_found,
    SubstituteEnded: _substitute_ended,
    Revealed: _revealed,
}
"""Event -> what it says to a reader."""


def office_letters(batch: Batch) -> Iterator[Letter]:
    """To people without a seat whom it concerns: an editor, a substitute. Each reads how the game stands."""
    for seq, event in batch.numbered():
        for person, told in dict(_of_office(batch, event)).items():
            if isinstance(event, SubstituteFound):
                yield _to_person(batch, seq, person, told)
            else:
                yield from to_others(batch, seq, event, {person: told})


def to_others(batch: Batch, seq: int, event: ev.Event, told: Mapping[int, News]) -> Iterator[Letter]:
    """What people beside the table are told of an event about an office, but for who did it in their own name."""
    gm = batch.before.gm if batch.before is not None and event.by == GM_SEAT else 0
    for person, news_of_it in told.items():
        if person and person != (event.deputy or gm):
            yield _to_person(batch, seq, person, news_of_it)


def _of_office(batch: Batch, event: ev.Event) -> Iterator[tuple[int, News]]:
    """(person, what they are told) of an event about an editor or a substitute."""
    game = {"game": batch.after.key}
    if isinstance(event, EditorNamed):
        yield event.person, news("office-editor", 0, **game, write=batch.after.settings.press_from_editors)
    elif isinstance(event, EditorDismissed) and event.by == GM_SEAT:
        yield event.person, news("office-editor-gone", 0, **game)
    elif isinstance(event, SubstituteFound):
        until, power = moment(batch.after, event.until), _of_seat(batch, event.seat)
        anonymous = batch.after.settings.anonymous
        facts = {**game, "until": until, "power": power, "anonymous": anonymous, "state": office_state(batch.after)}
        yield event.person, news("office-substitute", 0, **facts)
    elif isinstance(event, SubstituteEnded) and batch.after.seats[event.seat].person != event.person:
        seat = batch.after.seats[event.seat]
        free = event.why == "left" and not seat.filled and may_come(batch.after, event.person)
        claim = f"claim {batch.after.key} {seat.powers[0].title()}" if free else ""
        facts = {**game, "power": _of_seat(batch, event.seat), "why": event.why, "claim": claim}
        yield event.person, news("office-substitute-over", 0, **facts)


def office_state(game: Game) -> Said:
    """What somebody finds who takes an office over: the phase and its deadline, and what waits for a decision."""
    deadline = game.deadline
    return say(
        "office-state",
        phase=phase_fact(game, str(game.phase)) if game.phase is not None else None,
        due=moment(game, deadline.promised) if deadline is not None and game.held_since is None else None,
        held=game.held_since is not None,
        until=moment(game, game.held_until) if game.held_until is not None else None,
        appeals=[appeal.number for appeal in game.appeals.values() if not appeal.how],
        votes=sorted(game.votes),
        vacant=[power_name(power, game.board) for power in game.survivors if power in powers_vacant(game)],
    )


def _to_person(batch: Batch, seq: int, person: int, told: News) -> Letter:
    """A notice to somebody who has no seat."""
    reader = Reader("", batch.cast.member(person))
    view = NoticeView(told.in_short, (told.said,), desk(batch.after, "", reader.member))
    yes = "adopt" if told.said.key == "office-offered" else ""
    return batch.letter(Kind.NOTICE, f"{seq}/office", reader, view, yes=yes)
