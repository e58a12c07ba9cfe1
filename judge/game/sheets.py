"""Orders come in: read, checked, merged with what is on file, and answered line by line.

A mail that names some units changes only these (requirements 4.5); the last order for a unit counts (ruling 7);
a line that cannot be taken leaves everything on file as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.adjudicate.duty import duty
from judge.adjudicate.legality import legality
from judge.board.phase import Phase
from judge.board.position import Position
from judge.game import events as ev
from judge.game.commands import Actor, Clear, OrderLine, Role, Submit, Wait
from judge.game.decision import Decision, Status, Verdict
from judge.game.model import FiledLine, Game, Seat, Stage
from judge.game.refusal import Refusal
from judge.game.turns import forecast, rest_of_turn
from judge.orders.model import Build, Convoy, Hold, Misorder, Move, Order, Retreat, Support, Waive
from judge.orders.reader import read_line
from judge.orders.reading import Reading, ReadOptions

Lot = Callable[[], int]

MOST_CANDIDATES = 8
"""As many lines to copy as a reader still looks through."""


@dataclass(frozen=True, slots=True)
class _Read:
    """One reading together with whose and which phase's it is."""

    power: str
    phase: Phase
    position: Position
    reading: Reading


def submit(game: Game, command: Submit, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Orders for the current turn."""
    seat = game.seats.get(actor.seat)
    if (closed := _closed(game, actor, seat)) is not None:
        return closed
    assert seat is not None
    powers = (command.power,) if command.power else seat.powers
    if not set(powers) <= set(seat.powers):
        return Refusal("not-your-power", f"You do not play {game.board.powers[command.power].name} in {game.key}.")
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    reads = [(line, read) for line in command.lines for read in _read(game, powers, line)]
    verdicts: list[Verdict] = []
    taken: dict[str, list[tuple[_Read, Order]]] = {power: [] for power in powers}
    faults: dict[str, list[str]] = {power: [] for power in powers}
    for line, read in reads:
        verdict, order = _judge(game, line, read)
        verdicts.append(verdict)
        if order is not None:
            taken[read.power].append((read, order))
        elif verdict.status is Status.REFUSED:
            faults[read.power].append(verdict.text)
    filed = [
        event
        for power in powers
        if (event := _file(game, power, command, taken[power], faults[power], actor, now)) is not None
    ]
    return Decision(tuple(filed), tuple(verdicts))


def clear(game: Game, command: Clear, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Withdraw everything on file for this turn."""
    seat = game.seats.get(actor.seat)
    if (closed := _closed(game, actor, seat)) is not None:
        return closed
    assert seat is not None
    powers = (command.power,) if command.power else seat.powers
    events = [
        ev.OrdersFiled(
            at=now, by=seat.id, power=power, phase=sheet.phase, number=sheet.number + 1, lines=[], mail=actor.mail
        )
        for power in powers
        if (sheet := game.sheets.get(power)) is not None and sheet.lines and power in seat.powers
    ]
    if not events:
        return Refusal("nothing-on-file", "There are no orders on file to withdraw.")
    return Decision(tuple(events), said="Your orders are withdrawn; nothing is on file now.")


def wait(game: Game, command: Wait, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Hold early processing back until the deadline, for this turn only (ruling 11a)."""
    seat = game.seats.get(actor.seat)
    if (closed := _closed(game, actor, seat)) is not None:
        return closed
    assert seat is not None
    said = (
        "I wait for the deadline this turn, as you ask."
        if command.on
        else "You are ready: once every order is in, the turn may be processed early."
    )
    if not game.settings.early:
        said += " (In this game nothing is processed before the deadline anyway.)"
    if seat.wait == command.on:
        return Decision(said=said)
    return Decision((ev.WaitChanged(at=now, by=seat.id, seat=seat.id, on=command.on),), said=said)


def _closed(game: Game, actor: Actor, seat: Seat | None) -> Refusal | None:
    if game.stage is Stage.ENDED:
        return Refusal("game-over", f"{game.key} has ended; there is nothing to order any more.")
    if game.stage is not Stage.RUNNING:
        return Refusal("not-started", f"{game.key} has not started yet; you will be told when orders are due.")
    if actor.role is not Role.PLAYER or seat is None or not seat.powers:
        return Refusal("no-seat", f"Only the players of {game.key} order units.")
    if not set(seat.powers) & set(game.survivors):
        return Refusal("eliminated", "Your power has no units and no centres left, so there is nothing to order.")
    return None


def _wrong_turn(game: Game, named: str) -> Refusal | None:
    phases = rest_of_turn(game)
    word = named.upper()
    if any(str(phase).startswith(word) or word == f"{phase.season}{phase.year}" for phase in phases):
        return None
    return Refusal(
        "wrong-phase",
        f"These orders are for {_phase_title(named)}, but {game.key} is at {phases[0].title}. Nothing was changed.",
    )


def _phase_title(named: str) -> str:
    try:
        return Phase.read(named).title
    except ValueError:
        return named


def _options(game: Game) -> ReadOptions:
    settings = game.settings
    return ReadOptions(
        spelled_names=settings.spelled_names,
        demand_nationality=settings.nationality,
        permissive=not settings.no_mistakes,
        no_mistakes=settings.no_mistakes,
    )


def _read(game: Game, powers: tuple[str, ...], line: OrderLine) -> list[_Read]:
    """Every reading of one line: as an order of this phase, else of a later phase of this turn.

    With several powers under one player, the first whose units the line fits is meant.
    """
    assert game.position is not None
    first: list[_Read] = []
    for power in powers:
        for position in _positions(game, power):
            readings = read_line(line.text, position, power, options=_options(game))
            reads = [_Read(power, position.phase, position, reading) for reading in readings]
            if reads and all(read.reading.problem is None for read in reads):
                return reads
            first = first or reads
    return first


def _positions(game: Game, power: str) -> Iterable[Position]:
    assert game.position is not None
    yield game.position
    later = forecast(game, power)
    if later is not None:
        yield later


def _judge(game: Game, line: OrderLine, read: _Read) -> tuple[Verdict, Order | None]:
    reading = read.reading
    if reading.problem is not None or reading.order is None:
        return _refused(line, reading), None
    order = reading.order
    wrong = None if isinstance(order, Misorder) else legality(order, read.position, game.rules)
    if wrong is None:
        return Verdict(
            line.number, reading.text, Status.TAKEN, str(order), sentence=reading.corrected, notes=reading.notes
        ), order
    sentence = wrong.meaning
    status = Status.REFUSED if game.settings.no_mistakes else Status.TAKEN
    candidates = _possible(order, read.position) if game.settings.no_mistakes else ()
    verdict = Verdict(
        line.number, reading.text, status, str(order), wrong.reason, sentence, candidates, reading.notes, wrong.clause
    )
    return verdict, None if game.settings.no_mistakes else order


def _possible(order: Order, position: Position) -> tuple[str, ...]:
    """What the unit could do instead, for an order that it cannot follow."""
    if isinstance(order, Retreat):
        lost = next((lost for lost in position.dislodged if lost.unit == order.unit), None)
        return tuple(f"{order.unit} R {place}" for place in lost.options) if lost else ()
    if isinstance(order, (Move, Hold, Support, Convoy)):
        reach = position.board.reach(order.unit.kind, order.unit.at)
        return tuple(str(Move(order.unit, place)) for place in reach[:MOST_CANDIDATES])
    return ()


def _refused(line: OrderLine, reading: Reading) -> Verdict:
    problem = reading.problem
    if problem is None:
        return Verdict(line.number, reading.text, Status.IGNORED, reason="no-order", sentence="not an order")
    candidates = tuple(str(candidate) for candidate in problem.candidates)
    return Verdict(
        line.number, reading.text, Status.REFUSED, "", problem.slug, problem.sentence, candidates, reading.notes,
        problem.clause,
    )  # fmt: skip


Key = tuple[str, str]


def _key(phase: str, order: Order, line: FiledLine) -> Key:
    """What a later order replaces: the same unit's, or the same site's."""
    if isinstance(order, Build):
        return phase, f"build {order.at.partition('/')[0]}"
    if isinstance(order, Waive):
        return phase, "waive"
    return phase, f"unit {line.unit}"


def _filed_key(line: FiledLine) -> Key:
    if line.unit is not None:
        return line.phase, f"unit {line.unit}"
    if line.order == "WAIVE":
        return line.phase, "waive"
    return line.phase, f"build {line.order.split()[1].partition('/')[0]}"


def _file(
    game: Game,
    power: str,
    command: Submit,
    taken: list[tuple[_Read, Order]],
    faults: list[str],
    actor: Actor,
    now: datetime,
) -> ev.OrdersFiled | None:
    assert game.position is not None
    sheet = game.sheets.get(power)
    old = () if sheet is None or command.replace else sheet.lines
    lines = _merged(game, power, old, taken)
    kept_faults = () if sheet is None or command.replace else sheet.faults
    all_faults = tuple(dict.fromkeys((*kept_faults, *faults)))
    if sheet is not None and lines == sheet.lines and all_faults == sheet.faults:
        return None
    if not lines and not all_faults:
        return None
    fresh = lines != (sheet.lines if sheet else ())
    number = (sheet.number if sheet else 0) + (1 if fresh else 0)
    return ev.OrdersFiled(
        at=now,
        by=actor.seat,
        power=power,
        phase=str(game.position.phase),
        number=number,
        lines=[{"phase": ln.phase, "unit": ln.unit, "order": ln.order, "text": ln.text} for ln in lines],
        faults=all_faults,
        mail=actor.mail,
    )


def _merged(
    game: Game, power: str, old: tuple[FiledLine, ...], taken: list[tuple[_Read, Order]]
) -> tuple[FiledLine, ...]:
    lines: dict[Key, FiledLine] = {}
    waives: dict[str, list[FiledLine]] = {}
    for line in old:
        if line.order == "WAIVE":
            waives.setdefault(line.phase, []).append(line)
        else:
            lines[_filed_key(line)] = line
    renewed = {str(read.phase) for read, order in taken if isinstance(order, Waive)}
    for phase in renewed:
        waives[phase] = []
    for read, order in taken:
        unit = None if isinstance(order, (Build, Waive)) else order.unit.id
        line = FiledLine(str(read.phase), unit, str(order), read.reading.text)
        if isinstance(order, Waive):
            waives.setdefault(line.phase, []).append(line)
            continue
        key = _key(line.phase, order, line)
        lines.pop(key, None)
        lines[key] = line
    every = (*lines.values(), *(line for some in waives.values() for line in some))
    return _within_number(game, power, every)


def _within_number(game: Game, power: str, lines: tuple[FiledLine, ...]) -> tuple[FiledLine, ...]:
    """No more builds or removals than are due: the newest count, waives give way first."""
    limits = _limits(game, power)
    kept: list[FiledLine] = []
    room = dict(limits)
    newest_first = [*reversed(lines)]
    builds_first = sorted(newest_first, key=lambda line: line.order == "WAIVE")
    for line in builds_first:
        if line.phase not in room:
            kept.append(line)
        elif room[line.phase] > 0:
            room[line.phase] -= 1
            kept.append(line)
    keep = {id(line) for line in kept}
    return tuple(line for line in lines if id(line) in keep)


def _limits(game: Game, power: str) -> Mapping[str, int]:
    """Adjustment phases of this turn -> how many lines may stand there."""
    limits: dict[str, int] = {}
    for position in _positions(game, power):
        if position.phase.kind == "A":
            due = duty(position, power, game.rules)
            limits[str(position.phase)] = due.builds + due.removals
    return limits
