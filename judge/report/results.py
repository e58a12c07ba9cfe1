"""The results of one phase as a reader sees them: every order with its end and its cause, retreats, positions.

Everything is derived from the event (B36): positions that follow from results cannot contradict them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judge.adjudicate.outcome import Result
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position, Unit, position_from_json
from judge.game.events import Event, PhaseAdjudicated, PhaseSkipped
from judge.game.rewriting import RolledBack
from judge.report.causes import Record
from judge.report.explained import sentences
from judge.report.naming import adjective, filed_text, foreign, kept, order_text, place, power_name, unit_text

NOTHING_HAPPENED = "Nothing happened."
"""What is said of a phase in which nobody had anything to do (B47)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One order: spelled out and in codes, whether it failed, and why in words ("" where it simply happened).

    `written`: the player's own text where it differed in more than spelling ("" otherwise) (B04).
    """

    order: str
    code: str
    failed: bool
    cause: str = ""
    written: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """All orders of one power in one phase."""

    key: str
    name: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """One phase. `said` stands instead of orders when there were none; `missing`: powers without orders.

    `supersedes`: the version that these results replace, 0 for the first. `explained`: sentences, where asked for.
    """

    phase: str
    title: str
    version: int
    kind: str
    blocks: tuple[Block, ...] = ()
    said: str = ""
    missing: tuple[str, ...] = ()
    retreats: tuple[str, ...] = ()
    supersedes: int = 0
    explained: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one power's units stand."""

    key: str
    name: str
    units: tuple[str, ...]
    codes: tuple[str, ...]


Played = PhaseAdjudicated | PhaseSkipped


def counting(events: Iterable[Event]) -> tuple[Played, ...]:
    """The phases among the events whose results count, each in its last version (L11)."""
    played: dict[str, Played] = {}
    for event in events:
        if isinstance(event, (PhaseAdjudicated, PhaseSkipped)):
            played.pop(event.phase, None)
            played[event.phase] = event
        elif isinstance(event, RolledBack):
            for key in [key for key in played if key in event.void or phase_order(key) > phase_order(event.phase)]:
                del played[key]
    return tuple(played.values())


_SEASONS, _KINDS = "SUFW", "MRA"


def phase_order(bound: str) -> tuple[int, ...]:
    """A phase's code as numbers that sort: year, season, kind, as far as it names them."""
    if not bound:
        return ()
    if bound.isdigit():
        return (int(bound),)
    parts = (int(bound[1:5]), _SEASONS.index(bound[0]))
    return (*parts, _KINDS.index(bound[5])) if len(bound) > 5 else parts


def results_of(
    event: PhaseAdjudicated | PhaseSkipped, board: Board, *, explain: bool = False, verbatim: bool = False
) -> Results:
    """The results block of a phase that was played or skipped; with `explain`, sentences on what met resistance; with
    `verbatim`, each player's own words beside his orders (B04).
    """
    after = position_from_json(event.after, board)
    if isinstance(event, PhaseSkipped):
        phase = Phase.read(event.phase)
        return Results(event.phase, phase.title, 1, phase.kind, said=NOTHING_HAPPENED)
    before = position_from_json(event.before, board)
    return Results(
        phase=event.phase,
        title=before.phase.title,
        version=event.version,
        kind=before.phase.kind,
        blocks=_blocks(event.outcomes, before, verbatim=verbatim),
        said="" if event.outcomes else NOTHING_HAPPENED,
        missing=tuple(power_name(power, board) for power in event.missing),
        retreats=(*retreats_due(after), *_lost(event.outcomes, board)) if before.phase.kind == "M" else (),
        supersedes=event.version - 1,
        explained=tuple(sentences(event, board)) if explain else (),
    )


def _lost(outcomes: Sequence[Mapping[str, Any]], board: Board) -> Iterator[str]:
    """A sentence for each unit that was driven out and had nowhere to go (A56)."""
    for outcome in outcomes:
        if Result.DISLODGED in outcome["results"] and Result.DISBANDED in outcome["results"]:
            yield f"{foreign(Unit(*outcome['unit']), board)} has no retreat and is disbanded."


def retreats_due(position: Position) -> tuple[str, ...]:
    """A sentence for each dislodged unit: where it may go, or that it is lost."""
    board = position.board
    return tuple(
        f"{foreign(lost.unit, board)}: {', '.join(kept(place(option, board)) for option in lost.options)}."
        if lost.options
        else f"{foreign(lost.unit, board)} has no retreat and is disbanded."
        for lost in position.dislodged
    )


def final_positions(position: Position) -> tuple[Standing, ...]:
    """Every power's units, in the board's order; dislodged ones are not on the board."""
    board = position.board
    return tuple(
        Standing(
            power,
            power_name(power, board),
            tuple(unit_text(unit, board) for unit in position.of(power)),
            tuple(str(unit) for unit in position.of(power)),
        )
        for power in board.powers
        if position.of(power)
    )


def _blocks(outcomes: Sequence[Mapping[str, Any]], before: Position, *, verbatim: bool) -> tuple[Block, ...]:
    board = before.board
    lines: dict[str, list[Line]] = {}
    record = Record(outcomes, board)
    for outcome in outcomes:
        lines.setdefault(outcome["power"], []).append(_line(outcome, before, record.words(outcome), verbatim=verbatim))
    order = [power for power in board.powers if power in lines] + [p for p in lines if p not in board.powers]
    return tuple(Block(power, power_name(power, board), tuple(lines[power])) for power in order)


def _line(outcome: Mapping[str, Any], before: Position, cause: str, *, verbatim: bool) -> Line:
    board = before.board
    code = _with_nationality(outcome, before)
    return Line(
        order=order_text(code, board, adjusting=before.phase.kind == "A"),
        code=code,
        failed=outcome["results"][0] != Result.OK,
        cause=cause,
        written=_written(outcome, board, verbatim=verbatim),
    )


def _with_nationality(outcome: Mapping[str, Any], before: Position) -> str:
    """The canonical order; a foreign unit that is helped gets its nationality: "F NTH C English A LON - BEL"."""
    code: str = outcome["order"]
    words = code.split()
    if len(words) < 5 or words[2] not in ("S", "C"):
        return code
    helped = next((unit for unit in before.units if [unit.kind, unit.at] == words[3:5]), None)
    if helped is None or helped.power == outcome["power"]:
        return code
    return " ".join([*words[:3], adjective(helped.power, before.board), *words[3:]])


def _written(outcome: Mapping[str, Any], board: Board, *, verbatim: bool) -> str:
    """What the player wrote, where his line was not followed as an order at all, or had a condition or a list in it;
    `verbatim`: in any case.
    """
    if filed := outcome.get("filed"):
        return filed_text(filed, board)
    text = str(outcome.get("text") or "").strip()
    if verbatim:
        return text
    ignored = Result.ILLEGAL.value in outcome["results"] or outcome.get("reason") in ("misorder", "no-such-unit")
    return text if ignored and text != outcome["order"] else ""
