"""What happened in a game of this judge since an issue was printed, as everybody may know it.

Nothing is copied when it happens: the log of a game is read when an issue is made, so that no mail to a game takes
longer for its being printed. Of a turn that was taken back and played again only its last version is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from judge.board.position import position_to_json
from judge.game.clock.outages import TimeLost
from judge.game.core import events as ev
from judge.game.core.evolve import begin, evolve_all
from judge.game.core.model import Game, Stage
from judge.game.office.rulings import Revealed
from judge.game.repair.correcting import PositionCorrected
from judge.game.repair.rewriting import RolledBack
from judge.game.table.vacancies import DisorderChanged
from judge.game.talk.amendments import RulesAmended
from judge.game.talk.epilogue import StatementsPublished
from judge.languages import ENGLISH, speak, tell
from judge.report.core.batch import Batch
from judge.report.core.frame import Cast, Member, Reader, shown_name
from judge.report.core.naming import power_name
from judge.report.table.notices import NEWS
from judge.report.table.turns import told_to_all
from judge.service.core.house import House
from judge.service.core.keeper import thaw_all
from judge.service.posting.outgoing import cast_of
from judge.store import Transaction, View
from judge.zine.issue import BoardMap, Report
from judge.zine.reports import report_of, season_of

_CHANGES = (
    ev.SeatVacated, ev.SeatFilled, ev.GameHeld, ev.GameResumed, ev.GamemasterChanged, Revealed, DisorderChanged,
    RulesAmended, TimeLost,
)  # fmt: skip
"""What an issue tells beside results."""
ERRATA = (PositionCorrected, RolledBack)
"""What changes results that were printed."""


@dataclass(frozen=True, slots=True)
class OwnNews:
    """What is new in a game: up to which event, its results, other changes in a sentence each, how many players came
    anew, whether somebody is late, and what players said at the end.
    """

    game: Game
    seq: int
    reports: tuple[Report, ...] = ()
    changes: tuple[str, ...] = ()
    replaced: int = 0
    late: bool = False
    statements: tuple[tuple[str, str], ...] = ()


@speak(ENGLISH)  # an issue is for all its readers, in the language of its templates
def news_of(house: House, view: View | Transaction, key: str, since: int) -> OwnNews | None:
    """What is new in a game behind event number `since`; None if there is no such game, or it is somebody's own."""
    game = house.keeper.load(view, key)
    if game is None or game.practice is not None:
        return None
    found: dict[str, Report] = {}
    changes: list[str] = []
    statements: list[tuple[str, str]] = []
    replaced, late = 0, False
    cast = cast_of(house, view, game)
    for batch in batches(house, view, key, cast):
        if batch.after.seq <= since:
            continue
        for event in batch.every(RolledBack):
            found = {phase: report for phase, report in found.items() if not _after(batch, phase, event.phase)}
        if told := told_to_all(batch):
            found[_first_phase(batch)] = _report(house, batch, told)
            late = False
        late = late or batch.has(ev.LateCalled)
        replaced += len(batch.every(ev.SeatFilled))
        changes += _changes(house, batch)
        if batch.has(StatementsPublished):
            statements += _statements(batch)
    return OwnNews(
        game, game.seq, tuple(found.values()), tuple(dict.fromkeys(changes)), replaced, late, tuple(statements)
    )


def batches(house: House, view: View | Transaction, key: str, cast: Cast) -> Iterator[Batch]:
    """The log of a game, what was written at once together, with the game before and after."""
    rows = view.events.load(key)
    before: Game | None = None
    earlier: list[ev.Event] = []
    for _, group in groupby(rows, key=lambda row: (row.at, row.mail_id)):
        events = thaw_all(group)
        if before is None:
            created, rest = events[0], events[1:]
            assert isinstance(created, ev.GameCreated)
            after = evolve_all(begin(created, house.keeper.systems), rest, house.keeper.systems)
        else:
            after = evolve_all(before, events, house.keeper.systems)
        batch = Batch(before, tuple(events), after, cast, tuple(earlier))
        yield batch
        earlier = [] if batch.has(ev.PhaseAdjudicated) else [*earlier, *events]
        before = after


def _first_phase(batch: Batch) -> str:
    return next(event.phase for event in batch.events if isinstance(event, (ev.PhaseAdjudicated, ev.PhaseSkipped)))


def _after(batch: Batch, phase: str, first: str) -> bool:
    """Whether a phase was taken back with `first`."""
    rank = batch.after.calendar.rank
    return rank(phase) >= rank(first)


def _report(house: House, batch: Batch, told: Mapping[str, Any]) -> Report:
    spoken, _ = house.pressroom.do(lambda press: press.spoken(told))
    position = batch.after.position
    shown = None
    if position is not None:
        title = batch.after.phase_title if batch.after.stage is Stage.RUNNING else tell("the end")
        phase = _first_phase(batch)
        version = told.get("version", 1)
        shown = BoardMap(f"{batch.after.key}-{phase}-{version}", position_to_json(position), f"Before {title}")
    ordered = [one for one in spoken["results"] if one["blocks"]] or spoken["results"]
    season = season_of([one["phase"] for one in ordered], [one["title"] for one in ordered])
    return replace(report_of(spoken, batch.after.board, shown), season=season)


def _changes(house: House, batch: Batch) -> Iterator[str]:
    """Sentences for everybody."""
    reader = Reader("", Member(0, ""))
    if batch.before is None or batch.after.stage is Stage.FORMING or batch.after.stage is Stage.OPEN:
        return
    for event in batch.events:
        if isinstance(event, PositionCorrected):
            yield corrected(batch, event)
        if isinstance(event, _CHANGES) and type(event) in NEWS:
            for one in NEWS[type(event)](batch, event, reader):
                yield house.in_words(one.said)


def _statements(batch: Batch) -> Iterator[tuple[str, str]]:
    """(whose, what) of everything that was said at the end, once it may be read."""
    game = batch.after
    for seat, page in game.statements.items():
        if page.text:
            powers = game.seats[seat].powers if seat in game.seats else ()
            who = ", ".join(power_name(power, game.board) for power in powers) or "The Gamemaster"
            name = shown_name(game, batch.cast, seat)
            yield (f"{who} ({name})" if name else who), page.text


def corrected_since(house: House, view: View | Transaction, key: str, since: int) -> tuple[str, datetime] | None:
    """What changed results that were printed up to event `since`, in a sentence, and when; None for nothing."""
    rows = view.events.load(key, after_seq=since)
    kinds = {kind.__name__ for kind in ERRATA}
    found = [row for row in rows if row.kind in kinds]
    if not found:
        return None
    game = house.keeper.load(view, key)
    assert game is not None
    members = cast_of(house, view, game)
    for batch in batches(house, view, key, members):
        if batch.after.seq >= found[-1].seq:
            event = next(one for one in batch.events if isinstance(one, ERRATA))
            return corrected(batch, event), found[-1].at
    return None


def corrected(batch: Batch, event: PositionCorrected | RolledBack) -> str:
    """What a Gamemaster put right, in a sentence."""
    title = batch.after.calendar.title(event.phase)
    why = f" ({' '.join(event.reason.split())})" if event.reason else ""
    if isinstance(event, PositionCorrected):
        return tell(
            "The position after {title} was corrected{why}: {changes}.",
            title=title,
            why=why,
            changes="; ".join(event.changes),
        )
    return tell("The results of {title} were taken back and do not count{why}.", title=title, why=why)


def reports_at(reports: Sequence[Report]) -> tuple[str, ...]:
    """The seasons that reports are of, each once, in their order."""
    return tuple(dict.fromkeys(report.season for report in reports))
