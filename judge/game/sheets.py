"""Orders come in: read, checked, merged with what is on file, and answered line by line.

A mail that names some units changes only these (requirements 4.5); the last order for a unit counts (ruling 7);
a line that cannot be taken leaves everything on file as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import duty
from judge.adjudicate.legality import Illegality, legality
from judge.board.phase import Phase
from judge.board.position import Position
from judge.game import events as ev
from judge.game.advance import keep, phase_to_come
from judge.game.blankets import left_alone, left_to_rest
from judge.game.blocks import numbers_of
from judge.game.commands import Actor, Clear, OrderLine, Role, Submit, Wait
from judge.game.conditions import is_conditional, on_file
from judge.game.decision import Decision, Status, Verdict
from judge.game.model import FiledLine, Game, Seat, Sheet, Stage
from judge.game.offers import instead_of, lines_of
from judge.game.readings import Read, apart, better, read_mail, with_offers, without_contradictions
from judge.game.refusal import Refusal
from judge.game.turns import forecast, goes_on, rest_of_turn
from judge.orders.filing import SUPERSEDED
from judge.orders.model import Misorder, Order

Lot = Callable[[], int]

_TOO_LATE = "came too late: a mail that reached me after this one changed it, and that one stands"


def submit(
    game: Game, command: Submit, actor: Actor, now: datetime, lot: Lot, *, unseen: bool = False
) -> Decision | Refusal:
    """Orders for the current turn, or to be kept for one to come. `unseen`: see `file_lines`."""
    seat = game.seats.get(actor.seat)
    if (closed := closed_to(game, actor, seat)) is not None:
        return closed
    assert seat is not None
    powers = (command.power,) if command.power else seat.powers
    if not set(powers) <= set(seat.powers):
        return Refusal("not-your-power", f"You do not play {game.board.powers[command.power].name} in {game.key}.")
    if command.turn and (to_come := phase_to_come(game, command.turn)) is not None:
        return keep(game, command, powers, to_come, actor, now)
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    return file_lines(game, command.lines, powers, actor, now, replace_all=command.replace, unseen=unseen)


def any_taken(decision: Decision) -> bool:
    """Whether a line was taken at all."""
    return any(verdict.status is Status.TAKEN for verdict in decision.verdicts)


def filed_by(game: Game, event: ev.OrdersFiled, seat: str) -> ev.OrdersFiled:
    """Orders that the seat `seat` files for a power which it does not play: its slips are no faults of the player."""
    sheet = game.sheets.get(event.power)
    return replace(event, by=seat, faults=tuple(fault for fault in event.faults if sheet and fault in sheet.faults))


def file_lines(
    game: Game,
    lines: Sequence[OrderLine],
    powers: tuple[str, ...],
    actor: Actor,
    now: datetime,
    *,
    replace_all: bool,
    unseen: bool = False,
) -> Decision:
    """Read lines, judge each, and put what can be taken on file.

    `unseen`: their author may not see what is on file, so nothing of that shows in the verdicts.
    """
    verdicts: list[Verdict] = []
    taken: dict[str, list[Read]] = {power: [] for power in powers}
    faults: dict[str, list[str]] = {power: [] for power in powers}
    pieces = apart(lines, game.board)
    seen = _without_sheets(game, powers) if unseen else game
    reads = _best(seen, powers, pieces)
    stays = [None] * len(reads) if replace_all else left_alone(game, reads)
    for read, line in zip(reads, stays, strict=True):
        if line is not None:
            verdicts.append(Verdict(read.line, read.reading.text, Status.TAKEN, line.order, notes=("stays",)))
            continue
        verdict = _judge(seen, read)
        if verdict.status is Status.TAKEN and _overtaken(actor, read):
            verdict = replace(verdict, status=Status.IGNORED, reason="overtaken", sentence=_TOO_LATE)
        verdicts.append(verdict)
        if verdict.status is Status.TAKEN:
            taken[read.power].append(read)
        elif verdict.status is Status.REFUSED:
            faults[read.power].append(verdict.text)
    for piece in pieces:
        verdicts = _with_block(piece, verdicts) if piece.more else verdicts
    filed = [
        event
        for power in powers
        if (event := _file(game, power, replace_all, taken[power], faults[power], actor, now)) is not None
    ]
    if unseen and left_to_rest(reads):
        verdicts = _veiled(verdicts)
    return Decision(tuple(filed), tuple(verdicts))


def _without_sheets(game: Game, powers: tuple[str, ...]) -> Game:
    return replace(game, sheets={power: sheet for power, sheet in game.sheets.items() if power not in powers})


def _veiled(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """One verdict for each line that orders all other units, whichever of them it was that had orders before."""
    found = {
        verdict.line: Verdict(verdict.line, verdict.text, Status.TAKEN, sentence="for every unit without an order")
        for verdict in verdicts
    }
    return list(found.values())


def _with_block(piece: OrderLine, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts, with one for each line of a condition over several lines, and these as they were written."""
    texts = dict(zip(numbers_of(piece), piece.text.split("\n"), strict=False))
    answered = {verdict.line: verdict.status for verdict in verdicts if verdict.line in texts}
    taken = Status.REFUSED not in answered.values()
    status, words = Status.TAKEN, f"part of the condition in line {piece.number}"
    if not taken:
        status, words = Status.IGNORED, f"{words}, of which nothing was taken"
    rest = [Verdict(number, text, status, sentence=words) for number, text in texts.items() if number not in answered]
    return [*(replace(verdict, text=texts.get(verdict.line, verdict.text)) for verdict in verdicts), *rest]


def _best(game: Game, powers: tuple[str, ...], pieces: Sequence[OrderLine]) -> list[Read]:
    """The readings of every line, in order. With several powers under one player, the first whom it fits is meant."""
    found: list[list[Read]] | None = None
    for power in powers:
        reads = _in_turn(game, power, pieces)
        found = reads if found is None else better(found, reads)
    settled = without_contradictions(game, [read for reads in found or () for read in reads], partial(_is_legal, game))
    return with_offers(game, settled)


def _in_turn(game: Game, power: str, lines: Sequence[OrderLine]) -> list[list[Read]]:
    """Read for the present phase; what does not fit, for the next one of the turn, as it will be after this mail."""
    assert game.position is not None
    reads = read_mail(game, power, lines, game.position)
    if not goes_on(game):
        return reads
    taken = [read for some in reads for read in some if read.order is not None]
    sheet = game.sheets.get(power)
    later = forecast(_with_lines(game, power, _merged(sheet.lines if sheet else (), taken)), power)
    return reads if later is None else better(reads, read_mail(game, power, lines, later))


def _with_lines(game: Game, power: str, lines: tuple[FiledLine, ...]) -> Game:
    """The game as it were with these orders on file."""
    sheet = Sheet(power, str(game.phase), 0, lines)
    return replace(game, sheets={**game.sheets, power: sheet})


def clear(game: Game, command: Clear, actor: Actor, now: datetime, lot: Lot) -> Decision | Refusal:
    """Withdraw everything on file for this turn."""
    seat = game.seats.get(actor.seat)
    if (closed := closed_to(game, actor, seat)) is not None:
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
    if (closed := closed_to(game, actor, seat)) is not None:
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


def closed_to(game: Game, actor: Actor, seat: Seat | None) -> Refusal | None:
    """Why this actor cannot give orders; None if he can."""
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
        f"These orders are for {_phase_title(named)}, but {game.key} is at {phases[0].title}. Nothing was changed. If "
        f"they are for that, send them again below the line `for {phases[0]}:`.",
    )


def _phase_title(named: str) -> str:
    try:
        return Phase.read(named).title
    except ValueError:
        return named


def _judge(game: Game, read: Read) -> Verdict:
    reading, order = read.reading, read.order
    if order is None:
        return _refused(read)
    wrong = _fault_of(game, read, order)
    if SUPERSEDED in reading.notes:
        sentence = f"{wrong.meaning} " if wrong else ""
        sentence += "Another line of this mail counts for it."
        return Verdict(read.line, reading.text, Status.IGNORED, reason=SUPERSEDED, sentence=sentence)
    status, candidates = Status.TAKEN, tuple[str, ...]()
    if wrong is not None and game.settings.no_mistakes:
        offered = lines_of(game, instead_of(game, order, read.position))
        status, candidates = Status.REFUSED, tuple(map(str, offered))
    if wrong is not None:
        return Verdict(
            read.line, reading.text, status, read.canonical, wrong.reason, wrong.meaning, candidates, reading.notes,
            wrong.clause,
        )  # fmt: skip
    return Verdict(read.line, reading.text, status, read.canonical, sentence=reading.corrected, notes=reading.notes)


def _is_legal(game: Game, read: Read, order: Order) -> bool:
    return not isinstance(order, Misorder) and _fault_of(game, replace(read, filed=""), order) is None


def _fault_of(game: Game, read: Read, order: Order) -> Illegality | None:
    """Why an order that was read cannot be followed. A condition or a list is looked at when it is carried out."""
    if isinstance(order, Misorder) or is_conditional(read.filed):
        return None
    wrong = legality(order, read.position, game.rules)
    return None if wrong is not None and _would_be_right(game, read, order) else wrong


def _would_be_right(game: Game, read: Read, order: Order) -> bool:
    """Whether an adjustment is wrong only because a retreat is not on file yet: it may still come."""
    assert game.position is not None
    if read.phase == game.position.phase:
        return False
    spared = forecast(game, read.power, spared=True)
    return spared is not None and spared.phase == read.phase and legality(order, spared, game.rules) is None


def _refused(read: Read) -> Verdict:
    """A line that cannot be taken; chatter is no fault."""
    reading, problem = read.reading, read.reading.problem
    if problem is None or not reading.order_like:
        return Verdict(read.line, reading.text, Status.IGNORED, reason="no-order", sentence="not an order")
    candidates = tuple(str(candidate) for candidate in problem.candidates)
    return Verdict(
        read.line, reading.text, Status.REFUSED, "", problem.slug, problem.sentence, candidates, reading.notes,
        problem.clause,
    )  # fmt: skip


Key = tuple[str, str]


def _key(line: FiledLine) -> Key:
    """What a later order replaces: the same unit's, or the same site's."""
    if line.unit is not None:
        return line.phase, f"unit {line.unit}"
    if line.order == "WAIVE":
        return line.phase, "waive"
    if is_conditional(line.order):
        built = next((b.order for b in on_file(line.order) if b.order != "WAIVE"), "WAIVE no site")
        return line.phase, f"build {built.split()[1].partition('/')[0]}"
    return line.phase, f"build {line.order.split()[1].partition('/')[0]}"


def line_key(line: FiledLine) -> Key:
    """What a line on file is about: its phase, and the unit or the site that it orders."""
    return _key(line)


def _overtaken(actor: Actor, read: Read) -> bool:
    """Whether a mail that came after this one has ordered the same (ruling 29)."""
    line = FiledLine(str(read.phase), read.unit, read.canonical, read.reading.text)
    return bool(actor.later) and (read.power, *_key(line)) in actor.later


def _kept(sheet: Sheet | None, actor: Actor, *, replace_all: bool) -> tuple[FiledLine, ...]:
    """The lines that stay on file beside those of a mail."""
    if sheet is None:
        return ()
    return tuple(line for line in sheet.lines if not replace_all or (sheet.power, *_key(line)) in actor.later)


def _file(
    game: Game,
    power: str,
    replace_all: bool,  # noqa: FBT001 - handed through
    taken: list[Read],
    faults: list[str],
    actor: Actor,
    now: datetime,
) -> ev.OrdersFiled | None:
    assert game.position is not None
    sheet = game.sheets.get(power)
    lines = _merged(_kept(sheet, actor, replace_all=replace_all), taken)
    if goes_on(game) or game.position.phase.kind == "A":
        lines = _within_number(game, power, lines)
    kept_faults = () if sheet is None or replace_all else sheet.faults
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


def _merged(old: tuple[FiledLine, ...], taken: Sequence[Read]) -> tuple[FiledLine, ...]:
    lines: dict[Key, FiledLine] = {}
    waives: dict[str, list[FiledLine]] = {}
    for line in old:
        if line.order == "WAIVE":
            waives.setdefault(line.phase, []).append(line)
        else:
            lines[_key(line)] = line
    fresh = [FiledLine(str(read.phase), read.unit, read.canonical, read.reading.text) for read in taken]
    for phase in {line.phase for line in fresh if line.order == "WAIVE"}:
        waives[phase] = []
    for line in fresh:
        if line.order == "WAIVE":
            waives.setdefault(line.phase, []).append(line)
            continue
        lines.pop(_key(line), None)
        lines[_key(line)] = line
    return (*lines.values(), *(line for some in waives.values() for line in some))


def _within_number(game: Game, power: str, lines: tuple[FiledLine, ...]) -> tuple[FiledLine, ...]:
    """No more builds or removals than are due: the newest count, waives give way first."""
    conditional = {line.phase for line in lines if is_conditional(line.order)}
    limits = _limits(_with_lines(game, power, lines), power, conditional)
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


def _limits(game: Game, power: str, conditional: Collection[str]) -> Mapping[str, int]:
    """Adjustment phases of this turn -> lines that may stand there; where conditions are, as many as may come to be."""
    assert game.position is not None
    if game.position.phase.kind == "A":
        return {str(game.position.phase): _adjustments(game, game.position, power)}
    later = forecast(game, power)
    if later is None or later.phase.kind != "A":
        return {}
    spared = forecast(game, power, spared=True)
    asked = max(_adjustments(game, position, power) for position in (later, spared) if position is not None)
    if str(later.phase) in conditional:
        all_disbanded = adjudicate(game.position, (), game.rules).after
        asked = max(asked, _adjustments(game, all_disbanded, power))
    return {str(later.phase): asked}


def _adjustments(game: Game, position: Position, power: str) -> int:
    due = duty(position, power, game.rules)
    return due.builds + due.removals
