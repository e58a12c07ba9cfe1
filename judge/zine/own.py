"""What happened in a game of this judge since an issue was printed, as everybody may know it.

Nothing is copied when it happens: the log of a game is read when an issue is made, so that no mail to a game takes
longer for its being printed. Of a turn that was taken back and played again only its last version is told.

What a game of this judge sent, as a report to print: the results letter that its editors get, put into words.

Such a letter holds public facts alone, as far as the game's settings let everybody know them; what only one reader is
told (the desk, the order form) is left out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from judge.board.model import Board
from judge.board.position import position_to_json
from judge.game.clock.schedule import TimeLost
from judge.game.core import events as ev
from judge.game.core.commands import Colour
from judge.game.core.evolve import begin, evolve_all
from judge.game.core.model import Game, Stage
from judge.game.office.rulings import Revealed
from judge.game.repair.changes import changes_told
from judge.game.repair.correcting import PositionCorrected
from judge.game.repair.rewriting import RolledBack
from judge.game.table.vacancies import DisorderChanged
from judge.game.talk.ballots import RulesAmended
from judge.game.talk.epilogue import StatementsPublished
from judge.languages import ENGLISH, speak, tell
from judge.mail.letters.words import seasons
from judge.orders.spelled import places
from judge.report.core.audience import Batch
from judge.report.core.letter import Cast, Member, Reader, shown_name
from judge.report.core.naming import power_name
from judge.report.table.notices import NEWS
from judge.report.table.turns import told_to_all
from judge.rules.calendar import CALENDAR_1976, read_phase
from judge.service.core.judge import Judge
from judge.service.core.keeper import thaw_all
from judge.service.posting.outgoing import cast_of
from judge.store import Transaction, View
from judge.zine.issue import (
    BoardMap,
    Holding,
    Holdings,
    PowerOrders,
    Press,
    Report,
    ReportedOrder,
    ReportedPhase,
    joined,
)


def report_of(view: Mapping[str, Any], board: Board, shown: BoardMap | None = None) -> Report:
    """The report of a results letter. `view`: the letter's, with its facts in words
    (`judge.mail.letters.Printer.spoken`); `shown`: the position in which it left the board.
    """
    version, why = view["supersedes"], view["why"]
    return Report(
        season=season_of([one["phase"] for one in view["results"]], [one["title"] for one in view["results"]]),
        headline=view["headline"],
        correction=tell(
            "This takes the place of version {version}{how}", version=version, how=f": {why}" if why else "."
        )
        if version
        else "",
        phases=tuple(map(_phase, view["results"])),
        retreats=tuple(view["retreats"]),
        press=tuple(Press(Colour(one["colour"]), one["source"] or "", one["text"]) for one in view["press"]),
        notes=tuple(view["notes"]),
        chart=holdings(view["chart"], board),
        wanted=tuple(view["vacant"]),
        ended=view["ended"] or "",
        map=shown,
    )


def season_of(codes: list[str], titles: list[str]) -> str:
    """Phases as zines call them; of several years each with its own.

    >>> season_of(["F1901R", "W1901A"], ["Fall 1901 retreats", "Winter 1901 adjustments"])
    "Autumn and Winter '01"
    """
    each = [seasons([{"code": code, "title": title}]) for code, title in zip(codes, titles, strict=True)]
    return joined(tuple(dict.fromkeys(each)))


_SEASON = re.compile(
    r"(?P<name>spring|summer|fall|autumn|winter)\s+(?:\d\d)?(?P<year>\d\d)"
    r"|(?P<code>[SFW])\s?(?:\d\d)?(?P<of>\d\d)(?P<step>[MRAB])?",
    re.IGNORECASE,
)
_BY_CODE = {"S": "Spring", "F": "Fall", "W": "Winter", "SR": "Summer", "FR": "Autumn"}


def as_zines_write(season: str) -> str:
    """A season that was read as zines have it; as it came where it is not one.

    >>> as_zines_write("F1901"), as_zines_write("spring 1902"), as_zines_write("S03R"), as_zines_write("the third turn")
    ("Fall '01", "Spring '02", "Summer '03", 'the third turn')
    """
    found = _SEASON.fullmatch(season.strip())
    if found is None:
        return season
    code = (found["code"] or "").upper() + ("R" if (found["step"] or "").upper() == "R" else "")
    name = found["name"].capitalize() if found["name"] else _BY_CODE.get(code, _BY_CODE[code[0]])
    return f"{name} '{found['year'] or found['of']}"


def in_order(reports: Sequence[Report]) -> list[Report]:
    """Reports by their seasons, of one season as they came; all as they came where any season cannot be read."""
    ranks = [season_rank(report.season) for report in reports]
    read = [rank for rank in ranks if rank is not None]
    if len(read) < len(ranks):
        return list(reports)
    return [report for _, report in sorted(zip(read, reports, strict=True), key=lambda one: one[0])]


def season_rank(season: str) -> tuple[int, ...] | None:
    """The place in time of a season as people write it, the last where several are named; None if it cannot be read.

    >>> season_rank("Fall '01") < season_rank("Autumn 1901") < season_rank("W01") < season_rank("Spring and Fall '02")
    True
    >>> season_rank("the third turn") is None
    True
    """
    last = re.split(r"\band\b|[,&]", season)[-1]
    code = read_phase(last, CALENDAR_1976)
    # the phases after Fall are Autumn in zines, where the calendar takes either word for the same
    return (*CALENDAR_1976.rank(code), "autumn" in last.lower()) if code is not None else None


def _phase(result: Mapping[str, Any]) -> ReportedPhase:
    return ReportedPhase(
        title=result["title"],
        powers=tuple(
            PowerOrders(
                block["name"], tuple(ReportedOrder(line["order"], bool(line["failed"])) for line in block["lines"])
            )
            for block in result["blocks"]
        ),
        said=result["said"] or "",
        missing=tuple(result["missing"]),
    )


def holdings(chart: Mapping[str, Any], board: Board) -> Holdings:
    """A centre chart in codes, as zines print it."""
    codes = dict(zip(places(board.centres, board), board.centres, strict=True))
    short = abbreviations(board)
    rows = tuple(
        Holding(
            power=row["name"],
            label=short[row["key"]],
            centres=tuple(sorted(codes.get(name, name) for name in row["centres"])),
            now=row["now"],
            was=row["was"],
        )
        for row in chart["rows"]
    )
    return Holdings(chart["title"], rows, tuple(codes.get(name, name) for name in chart["free"]))


def abbreviations(board: Board) -> Mapping[str, str]:
    """Power -> the letters of its name that part it from all others, three at least: "GER"."""
    names = {power: "".join(filter(str.isalnum, power_name(power, board).upper())) for power in board.powers}

    def short(name: str) -> str:
        starts = (name[:n] for n in range(3, len(name)))
        return next((start for start in starts if sum(one.startswith(start) for one in names.values()) == 1), name)

    return {power: short(name) for power, name in names.items()}


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
def news_of(judge: Judge, view: View | Transaction, key: str, since: int) -> OwnNews | None:
    """What is new in a game behind event number `since`; None if there is no such game, or it is somebody's own."""
    game = judge.keeper.load(view, key)
    if game is None or game.practice is not None:
        return None
    found: dict[str, Report] = {}
    changes: list[str] = []
    statements: list[tuple[str, str]] = []
    replaced, late = 0, False
    cast = cast_of(judge, view, game)
    for batch in batches(judge, view, key, cast):
        if batch.after.seq <= since:
            continue
        for event in batch.every(RolledBack):
            found = {phase: report for phase, report in found.items() if not _after(batch, phase, event.phase)}
        if told := told_to_all(batch):
            found[_first_phase(batch)] = _report(judge, batch, told)
            late = False
        late = late or batch.has(ev.LateCalled)
        replaced += len(batch.every(ev.SeatFilled))
        changes += _changes(judge, batch)
        if batch.has(StatementsPublished):
            statements += _statements(batch)
    return OwnNews(
        game, game.seq, tuple(found.values()), tuple(dict.fromkeys(changes)), replaced, late, tuple(statements)
    )


def batches(judge: Judge, view: View | Transaction, key: str, cast: Cast) -> Iterator[Batch]:
    """The log of a game, what was written at once together, with the game before and after."""
    rows = view.events.load(key)
    before: Game | None = None
    earlier: list[ev.Event] = []
    for _, group in groupby(rows, key=lambda row: (row.at, row.mail_id)):
        events = thaw_all(group)
        if before is None:
            created, rest = events[0], events[1:]
            assert isinstance(created, ev.GameCreated)
            after = evolve_all(begin(created, judge.keeper.systems), rest, judge.keeper.systems)
        else:
            after = evolve_all(before, events, judge.keeper.systems)
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


def _report(judge: Judge, batch: Batch, told: Mapping[str, Any]) -> Report:
    spoken, _ = judge.pressroom.do(lambda press: press.spoken(told))
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


def _changes(judge: Judge, batch: Batch) -> Iterator[str]:
    """Sentences for everybody."""
    reader = Reader("", Member(0, ""))
    if batch.before is None or batch.after.stage is Stage.FORMING or batch.after.stage is Stage.OPEN:
        return
    for event in batch.events:
        if isinstance(event, PositionCorrected):
            yield corrected(batch, event)
        if isinstance(event, _CHANGES) and type(event) in NEWS:
            for one in NEWS[type(event)](batch, event, reader):
                yield judge.in_words(one.said)


def _statements(batch: Batch) -> Iterator[tuple[str, str]]:
    """(whose, what) of everything that was said at the end, once it may be read."""
    game = batch.after
    for seat, page in game.statements.items():
        if page.text:
            powers = game.seats[seat].powers if seat in game.seats else ()
            who = ", ".join(power_name(power, game.board) for power in powers) or "The Gamemaster"
            name = shown_name(game, batch.cast, seat)
            yield (f"{who} ({name})" if name else who), page.text


def corrected_since(judge: Judge, view: View | Transaction, key: str, since: int) -> tuple[str, datetime] | None:
    """What changed results that were printed up to event `since`, in a sentence, and when; None for nothing."""
    rows = view.events.load(key, after_seq=since)
    kinds = {kind.__name__ for kind in ERRATA}
    found = [row for row in rows if row.kind in kinds]
    if not found:
        return None
    game = judge.keeper.load(view, key)
    assert game is not None
    members = cast_of(judge, view, game)
    for batch in batches(judge, view, key, members):
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
            changes="; ".join(changes_told(batch.after, event.edits, event.changes)),
        )
    return tell("The results of {title} were taken back and do not count{why}.", title=title, why=why)


def reports_at(reports: Sequence[Report]) -> tuple[str, ...]:
    """The seasons that reports are of, each once, in their order."""
    return tuple(dict.fromkeys(report.season for report in reports))
