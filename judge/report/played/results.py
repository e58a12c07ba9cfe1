"""The results of one phase as a reader sees them: orders with end and cause, in sentences, as a zine prints them.

Why an order had its outcome: the facts that stand beside it in a report.

An outcome has its own reason and culprits. Who dislodged a unit, at which strengths, and whether a support was enough
follow from the other outcomes of the same phase.

Pictures as letters name them: which phase's orders, or which position. They are drawn when the letter is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from judge.adjudicate.explain import explain, why_closed
from judge.adjudicate.outcome import Result
from judge.board.model import Board, Location, province_of
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position, position_to_json
from judge.board.unit import Unit, names_of
from judge.game.core import events as ev
from judge.game.core.events import Event, PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game
from judge.game.filing.submitting import deeds_from_json
from judge.game.repair.rewriting import RolledBack
from judge.game.table.sandbox import SteppedBack
from judge.history import OrderResult, PlayedPhase, Unplaced, read_out
from judge.languages import tell
from judge.orders.kinds import kinds_on
from judge.orders.model import Build, Convoy, Disband, Misorder, Move, Order, Support
from judge.orders.spelled import adjective, foreign, order_words, place, unit_texts
from judge.report.core.letter import Cast, moment
from judge.report.core.naming import Moment, PhaseFact, Said, Text, instruction_words, phase_fact, power_name, say
from judge.report.played.pictured import pictured
from judge.rules.calendar import Calendar

_CONTESTS = frozenset({"stood-off", "held", "head-to-head"})
UNORDERED = say("causes", parts=[say("cause-no-order")])
"""The cause of what became of a unit that was given no order, and stood."""


class Causes:
    """All order results of one phase, and the cause of each."""

    def __init__(
        self, results: Sequence[OrderResult], board: Board, season: str = "", *, strengths_told: bool = True
    ) -> None:
        self._board, self._season, self._strengths_told = board, season, strengths_told
        self._of_unit = {result.unit.id: result for result in results if result.unit is not None}
        self._arrived = {
            province_of(result.order.to): result
            for result in results
            if isinstance(result.order, Move) and result.results[0] is Result.OK
        }
        self._driven_out = {
            province_of(result.unit.at): result
            for result in results
            if result.unit is not None and Result.DISLODGED in result.results
        }
        self._helpers = [
            result for result in results if isinstance(result.order, Support) and result.results[0] is Result.OK
        ]

    def of(self, result: OrderResult) -> Text:
        """The cause of what became of one order; "" for one that was simply carried out.

        What became of the unit comes after what became of the order: failed, and dislodged by German A Ruhr.
        """
        first, *fate = result.results
        driven_out = Result.DISLODGED in result.results
        parts = [] if first is Result.DISLODGED else [self._order(result, driven_out=driven_out)]
        if driven_out:
            parts.append(self._dislodged(result))
        if Result.DISBANDED in fate and not isinstance(result.order, Disband):
            parts.append(say("cause-disbanded"))
        found = [part for part in parts if part is not None]
        return say("causes", parts=found) if found else ""

    def _order(self, result: OrderResult, *, driven_out: bool) -> Said | None:
        reason, first = result.reason, result.results[0]
        if reason == "no-order":
            return say("cause-no-order")
        if reason == "carried-along":
            return say("cause-aboard")
        if first is Result.OK:
            return self._success(result)
        if driven_out and first is Result.BOUNCED:
            return say("cause-failed")
        if reason in _CONTESTS:
            return say("cause-bounced", rivals=self._rivals(result), strengths=result.outcome.strengths)
        if reason in ("not-vacated", "own-unit"):
            return say("cause-in-the-way", rivals=self._rivals(result))
        if first is Result.CUT:
            return say("cause-cut", rivals=[] if driven_out else self._rivals(result))
        return say("cause", result=first, why=reason_of(result.order, reason, self._board, self._season))

    def _success(self, result: OrderResult) -> Said | None:
        order = result.order
        if isinstance(order, Move):
            loser = self._driven_out.get(province_of(order.to))
            strengths = self._strengths(result, loser) if loser else None
            return say("cause-stronger", strengths=strengths) if strengths else None
        if isinstance(order, Support):
            helped = self._of_unit.get(order.of.id)
            failed = helped is not None and order.to is not None and helped.results[0] is not Result.OK
            return say("cause-not-enough") if failed else None
        return say(f"cause-{result.reason}") if result.reason in ("removed-in-disorder", "unused") else None

    def _dislodged(self, result: OrderResult) -> Said:
        attacker = self._arrived.get(province_of(result.unit.at)) if result.unit else None
        if attacker is None or attacker.unit is None:
            return say("cause-dislodged", by="", strengths=None)
        strengths = self._strengths(attacker, result)
        return say("cause-dislodged", by=foreign(attacker.unit, self._board), strengths=strengths)

    def _strengths(self, mover: OrderResult, loser: OrderResult) -> tuple[int, int] | None:
        """Attack against defence: supports that were given, without those of the loser's own country (IX.3)."""
        if not self._strengths_told:
            return None
        helpers = [each for each in self._helpers if _helps(each, mover) and each.power != loser.power]
        stays = [each for each in self._helpers if _helps(each, loser) and _in_place(each)]
        return 1 + len(helpers), 1 if isinstance(loser.order, Move) else 1 + len(stays)

    def _rivals(self, result: OrderResult) -> list[str]:
        """The culprits that stood in the way themselves; those who only helped them are left out."""
        target = province_of(result.order.to) if isinstance(result.order, Move) else ""
        units = result.outcome.by
        chief = [unit for unit in units if not self._only_helps(unit, target)]
        return [foreign(unit, self._board) for unit in chief or units]

    def _only_helps(self, unit: Unit, target: str) -> bool:
        result = self._of_unit.get(unit.id)
        return result is not None and isinstance(result.order, Support) and province_of(unit.at) != target


def _helps(support: OrderResult, helped: OrderResult) -> bool:
    """Whether a support was for the unit of another order."""
    order = support.order
    return isinstance(order, Support) and helped.unit is not None and order.of.id == helped.unit.id


def _in_place(support: OrderResult) -> bool:
    return isinstance(support.order, Support) and support.order.to is None


def reason_of(order: Order, reason: str, board: Board, season: str) -> Said:
    """Why an order could not be followed: the rules' code for it, the unit and the places it is about, and of a border
    that is closed in the season the board's own sentence.
    """
    at = order.at if isinstance(order, Build) else order.unit.at if hasattr(order, "unit") else ""
    to = order.to if isinstance(order, Move) else ""
    kind = order.unit.kind if isinstance(order, Move) else ""
    board_says = tell(why_closed(order, board, season)) if reason == "border-closed" else ""
    return say("reason", code=reason, kind=kind, at=_place(at, board), to=_place(to, board), board_says=board_says)


def _place(location: str, board: Board) -> str:
    return board.place_name(location) if province_of(location) in board.provinces else location


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
    pictured: Text = ""
    """What the picture of its orders shows, for who hears it."""


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
        pictured=pictured(played) if played.results else "",
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


ORDERS, POSITION, FINAL, AFTER = "orders", "position", "final", "after"
BIG, PART = "big", "part"
"""Extents of a picture that is not the whole board at its usual size."""
DARK = "dark"
"""The face of a picture on dark ground."""
SPECULATION, PREVIEW, IMPORTED, SANDBOX = "speculation", "preview", "imported", "sandbox"


@dataclass(frozen=True, slots=True)
class Tried:
    """What a picture of a phase that was never played is drawn from: position and orders as the JSON of events.
    `stamp`, the word across it: "speculation", "preview", "imported" or "sandbox".
    """

    stamp: str
    before: ev.Json | None
    outcomes: Sequence[ev.Json]
    after: ev.Json


@dataclass(frozen=True, slots=True)
class MapPicture:
    """One picture: the orders of a phase ("orders"), where everything stands ahead of it ("position"), would stand
    after it ("after"), or stood when the game was over ("final"). `version`: of the results that it shows or stands on;
    `form`: "png", "svg" or "pdf"; `tried`: of something that was never played; `extent`: "big", or "part",
    which is that of `powers`, or without any where the board is crowded; `face`: "dark", or "" for the usual one.
    """

    what: str
    phase: PhaseFact
    version: int
    form: str = "png"
    printed: bool = False
    game: str = ""
    tried: Tried | None = None
    extent: str = ""
    powers: tuple[str, ...] = ()
    face: str = ""


def tried_pictures(
    game: Game, stamp: str, events: Sequence[Played], form: str = "png", *, printed: bool = False
) -> tuple[MapPicture, ...]:
    """The pictures of phases that were never played: the orders of the one that was fought, and what it led to."""

    def picture(what: str, phase: str, tried: Tried) -> MapPicture:
        return MapPicture(what, phase_fact(game, phase), game.results_version, form, printed, game.key, tried)

    found = []
    ordered = [event for event in events if isinstance(event, ev.PhaseAdjudicated) and event.outcomes]
    if fought := last_fought(ordered) or (ordered[-1] if ordered else None):
        found.append(picture(ORDERS, fought.phase, Tried(stamp, fought.before, fought.outcomes, fought.after)))
    if events:
        # Only with the orders it follows from does a position show where a stand-off bars retreats.
        last, driven_out = events[-1], bool(events[-1].after.get("dislodged"))
        before, outcomes = (
            (last.before, last.outcomes) if driven_out and isinstance(last, ev.PhaseAdjudicated) else (None, ())
        )
        found.append(picture(AFTER, (ordered or events)[-1].phase, Tried(stamp, before, outcomes, last.after)))
    return tuple(found)


def placed_picture(game: Game, position: Position, stamp: str) -> MapPicture:
    """The picture of a position that was brought from elsewhere, or put so by hand."""
    tried = Tried(stamp, None, (), position_to_json(position))
    return MapPicture(POSITION, phase_fact(game, str(position.phase)), game.results_version, game=game.key, tried=tried)


def last_fought(played: Sequence[Played]) -> ev.PhaseAdjudicated | None:
    """The last movement phase among those played; None if there is none."""
    moves = [one for one in played if isinstance(one, ev.PhaseAdjudicated) and one.phase.endswith(PhaseKind.MOVES)]
    return moves[-1] if moves else None
