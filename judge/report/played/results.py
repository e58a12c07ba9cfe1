"""The results of one phase as a reader sees them: orders with end and cause, in sentences, as a zine prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.adjudicate.explain import explain
from judge.adjudicate.outcome import Result
from judge.board.model import Board, Location
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit, names_of
from judge.game.core.events import Event, PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game
from judge.game.filing.deeds import deeds_from_json
from judge.game.repair.rewriting import RolledBack
from judge.game.table.sandbox import SteppedBack
from judge.history import OrderResult, PlayedPhase, Unplaced, read_out
from judge.orders.kinds import kinds_on
from judge.orders.model import Convoy, Misorder, Support
from judge.orders.spelled import adjective, foreign, order_words, place, unit_texts
from judge.report.core.frame import Cast, moment
from judge.report.core.naming import Moment, PhaseFact, Said, Text, instruction_words, phase_fact, power_name, say
from judge.report.played.causes import Causes
from judge.rules.calendar import Calendar


def sentences(played: PlayedPhase) -> Iterator[str]:
    """The adjudicator's sentence on each order that failed or whose unit was dislodged, in the order of the phase.
    Orders whose explanation would reveal secret orders are left out.
    """
    for result in played.results:
        if result.results != (Result.OK,) and result.reason != "no-order" and not result.veiled:
            yield sentence_on(result, played)


def sentences_for(played: PlayedPhase, power: str) -> Iterator[str]:
    """The adjudicator's sentence on each order of one power, and on each other unit that did not simply hold."""
    for result in played.results:
        if result.power == power or result.results != (Result.OK,):
            yield sentence_on(result, played)


def sentence_on(result: OrderResult, played: PlayedPhase) -> str:
    """What the adjudicator says of one order, whatever became of it."""
    driven = next((lost for lost in played.after.dislodged if lost.unit == result.unit), None)
    return explain(result.outcome, played.before.board, driven, season=played.phase.season)


NOTHING_HAPPENED = say("nothing-happened")
"""What is said of a phase in which nobody had anything to do."""


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One order: spelled out and in codes, whether it failed, and why ("" where it simply happened).

    `written`: the player's own text where it differed in more than spelling ("" otherwise).
    """

    order: str
    code: str
    failed: bool
    cause: Text = ""
    written: str = ""


@dataclass(frozen=True, slots=True)
class PowerBlock:
    """All orders of one power in one phase."""

    key: str
    name: str
    lines: tuple[OrderRow, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """One phase. `said` stands instead of orders when there were none; `missing`: powers without orders; `unplaced`:
    lines that were for no unit of their author's, in a game that takes mistakes.

    `supersedes`: the version that these results replace, 0 for the first. `explained`: sentences, where asked for.
    """

    phase: str
    title: str
    version: int
    kind: str
    blocks: tuple[PowerBlock, ...] = ()
    said: Text = ""
    missing: tuple[str, ...] = ()
    retreats: tuple[Said, ...] = ()
    supersedes: int = 0
    explained: tuple[str, ...] = ()
    explain: bool = True
    """Whether the sentences are for everybody; else for readers who want them."""
    unplaced: tuple[Unplaced, ...] = ()
    deeds: tuple[DeedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class DeedLine:
    """What a power did beside ordering its units, as it was written."""

    power: str
    text: str


@dataclass(frozen=True, slots=True)
class UnitsLine:
    """Where one power's units stand."""

    key: str
    name: str
    units: tuple[str, ...]
    codes: tuple[str, ...]


Played = PhaseAdjudicated | PhaseSkipped


def counting(events: Iterable[Event], calendar: Calendar) -> tuple[Played, ...]:
    """The phases among the events whose results count, each in its last version."""
    played: dict[str, Played] = {}
    for event in events:
        if isinstance(event, (PhaseAdjudicated, PhaseSkipped)):
            played.pop(event.phase, None)
            played[event.phase] = event
        elif isinstance(event, (RolledBack, SteppedBack)):
            last = calendar.rank(event.phase)
            for key in [key for key in played if key in event.void or calendar.rank(key) > last]:
                del played[key]
    return tuple(played.values())


def results_of(
    event: PhaseAdjudicated | PhaseSkipped, game: Game, *, explain: bool | None = None, verbatim: bool = False
) -> Results:
    """The results block of a phase that was played or skipped. `explain`: whether sentences on what met resistance are
    for everybody, for those who want them (False), or for nobody (None); with `verbatim`, each player's own words stand
    beside their orders.
    """
    if isinstance(event, PhaseSkipped):
        skipped = Phase.read(event.phase)
        return Results(event.phase, game.calendar.title(skipped), 1, skipped.kind, said=NOTHING_HAPPENED)
    board = game.board
    played = read_out(event, game)
    moves = played.phase.kind is PhaseKind.MOVES
    return Results(
        phase=event.phase,
        title=game.calendar.title(played.phase),
        version=played.version,
        kind=played.phase.kind,
        blocks=_blocks(played, verbatim=verbatim),
        said="" if played.results or event.deeds else NOTHING_HAPPENED,
        missing=tuple(power_name(power, board) for power in played.missing),
        retreats=(*retreats_due(played.after), *_lost(played)) if moves else (),
        supersedes=played.version - 1,
        explained=tuple(sentences(played)) if explain is not None else (),
        explain=bool(explain),
        unplaced=tuple(replace(one, power=power_name(one.power, board)) for one in played.unplaced),
        deeds=tuple(DeedLine(power_name(deed.power, board), str(deed)) for deed in deeds_from_json(event.deeds)),
    )


def _lost(played: PlayedPhase) -> Iterator[Said]:
    """Each unit that was driven out and had nowhere to go."""
    for result in played.results:
        if result.unit and Result.DISLODGED in result.results and Result.DISBANDED in result.results:
            yield _retreat(result.unit, (), played.before.board)


def retreats_due(position: Position) -> tuple[Said, ...]:
    """Each dislodged unit, and where it may go; without options it is lost."""
    return tuple(_retreat(lost.unit, lost.options, position.board) for lost in position.dislodged)


def _retreat(unit: Unit, options: Sequence[Location], board: Board) -> Said:
    disbands = "disband" in kinds_on(board).names
    return say(
        "retreat", unit=foreign(unit, board), options=[place(each, board) for each in options], disbands=disbands
    )


def final_positions(position: Position) -> tuple[UnitsLine, ...]:
    """Every power's units, in the board's order; dislodged ones are not on the board."""
    board, units = position.board, position.units
    lines: dict[str, list[tuple[str, str]]] = {}
    for unit, text, code in zip(units, unit_texts(units, board), names_of(units), strict=True):
        lines.setdefault(unit.power, []).append((text, code))
    return tuple(
        UnitsLine(power, power_name(power, board), *zip(*lines[power], strict=True))
        for power in board.powers
        if power in lines
    )


def _blocks(played: PlayedPhase, *, verbatim: bool) -> tuple[PowerBlock, ...]:
    board = played.before.board
    lines: dict[str, list[OrderRow]] = {}
    causes = Causes(played.results, board, played.phase.season, strengths_told=played.whole)
    for result in played.results:
        lines.setdefault(result.power, []).append(_line(result, played, causes.of(result), verbatim=verbatim))
    order = [power for power in board.powers if power in lines] + [p for p in lines if p not in board.powers]
    return tuple(PowerBlock(power, power_name(power, board), tuple(lines[power])) for power in order)


def _line(result: OrderResult, played: PlayedPhase, cause: Text, *, verbatim: bool) -> OrderRow:
    board = played.before.board
    return OrderRow(
        order=order_words(
            result.order, board, adjusting=played.phase.kind is PhaseKind.ADJUSTMENTS, reader=result.power
        ),
        code=_with_nationality(result, board),
        failed=result.results[0] is not Result.OK,
        cause=cause,
        written=_written(result, board, verbatim=verbatim),
    )


def _with_nationality(result: OrderResult, board: Board) -> str:
    """The canonical order; a foreign unit that is helped gets its nationality: "F NTH C English A LON - BEL"."""
    order = result.order
    if not isinstance(order, (Support, Convoy)) or order.of.power == result.power:
        return str(order)
    helped = f"{adjective(order.of.power, board)} {order.of}"
    if isinstance(order, Convoy):
        return f"{order.unit} C {helped} - {order.to}"
    return f"{order.unit} S {helped}" + (f" - {order.to}" if order.to else "")


def _written(result: OrderResult, board: Board, *, verbatim: bool) -> str:
    """What the player wrote, where the line was not followed as an order at all, or had a condition or a list in it;
    `verbatim`: in any case.
    """
    if result.filed:
        return instruction_words(result.filed, board)
    text = result.text.strip()
    if verbatim:
        return text
    ignored = Result.ILLEGAL in result.results or isinstance(result.order, Misorder)
    return text if ignored and text != str(result.order) else ""


@dataclass(frozen=True, slots=True)
class ZinePrint:
    """What the print says beside the results. `file`: its name; `phases`: all that were played at once; `gm`,
    `address`: whom the heading names, and where the game is written to; `gunboat`: nobody knows who plays what; `due`:
    the next deadline, None where there is none.
    """

    file: str
    phases: tuple[PhaseFact, ...]
    gm: str
    address: str
    gunboat: bool
    due: Moment | None


def printed(game: Game, cast: Cast, phases: Sequence[str]) -> ZinePrint:
    """The facts of a print of these phases, by their codes, as the game stands behind them."""
    return ZinePrint(
        file=f"{game.key}-{phases[0]}.txt",
        phases=tuple(phase_fact(game, code) for code in phases),
        gm=cast.member(game.gm).name,
        address=cast.office.game_address(game.key),
        gunboat=game.settings.anonymous,
        due=moment(game, game.deadline.at) if game.deadline is not None and game.ending is None else None,
    )
