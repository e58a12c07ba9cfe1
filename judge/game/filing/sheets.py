"""Orders come in: read, checked, merged with what is on file, and answered line by line.

A mail that names some units changes only these (requirements 4.5); the last order for a unit counts (ruling 7);
a line that cannot be taken leaves everything on file as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from judge.adjudicate.explain import meaning
from judge.adjudicate.legality import Illegality, legality
from judge.board.phase import Phase
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Clear, OrderLine, Role, Submit, Wait
from judge.game.core.context import Context
from judge.game.core.decision import MENDED, Decision, Status, Verdict
from judge.game.core.faults import Fault, faults_from_json, faults_to_json
from judge.game.core.model import Begun, G, Game, Running, Seat, Sheet, Stage
from judge.game.core.refusal import Refusal
from judge.game.core.registry import Feature
from judge.game.filing.adjusting import too_many, with_lines, within_number
from judge.game.filing.advance import keep, later_phase, phase_to_come
from judge.game.filing.blankets import left_alone, left_to_rest
from judge.game.filing.blocks import numbers_of
from judge.game.filing.faults import as_ahead, fault_of, left_open
from judge.game.filing.merging import filed_line, merged
from judge.game.filing.offers import instead_of, lines_of
from judge.game.filing.overtaken import TOO_LATE, WAIT, fault_word
from judge.game.filing.readings import Read, apart, better, read_mail, with_offers, without_contradictions
from judge.game.filing.standing import standing
from judge.game.filing.turns import forecast, goes_on, rest_of_turn
from judge.game.filing.whose import of_each_line
from judge.game.instructions.filed import FiledOrder, filed_to_json
from judge.game.instructions.kinds import Conditional
from judge.orders.filing import SUPERSEDED
from judge.orders.model import Misorder, Order


def submit(game: Game, command: Submit, context: Context, *, unseen: bool = False) -> Decision | Refusal:
    """Orders for the current turn, or to be kept for one to come. `unseen`: see `file_lines`."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    powers = (command.power,) if command.power else seat.powers
    if not set(powers) <= set(seat.powers):
        return Refusal("not-your-power", f"You do not play {game.board.powers[command.power].name} in {game.key}.")
    if command.turn and (to_come := phase_to_come(game, command.turn)) is not None:
        return keep(game, command, powers, to_come, context)
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    return _by_phase(game, command, powers, context, unseen=unseen)


def _by_phase(
    game: Begun, command: Submit, powers: tuple[str, ...], context: Context, *, unseen: bool
) -> Decision | Refusal:
    """Orders for the phase that is played now go on file; retreats and builds that are ordered with the moves are kept
    until it is known what there is to retreat or to build (setting `seasons`).
    """
    ahead: dict[Phase, list[OrderLine]] = {}
    present: list[OrderLine] = []
    for line in command.lines:
        phase = later_phase(game, powers[0], line.text) if not unseen else None
        (present if phase is None else ahead.setdefault(phase, [])).append(line)
    if not ahead:
        return file_lines(game, command.lines, powers, context, replace_all=command.replace, unseen=unseen)
    decisions = [
        keep(game, replace(command, lines=tuple(lines)), powers, phase, context) for phase, lines in ahead.items()
    ]
    decisions.append(file_lines(game, present, powers, context, replace_all=command.replace))
    refusal = next((one for one in decisions if isinstance(one, Refusal)), None)
    if refusal is not None:
        return refusal
    done = [one for one in decisions if isinstance(one, Decision)]
    return Decision(
        tuple(event for one in done for event in one.events), tuple(verdict for one in done for verdict in one.verdicts)
    )


def any_taken(decision: Decision) -> bool:
    """Whether a line was taken at all."""
    return any(verdict.status is Status.TAKEN for verdict in decision.verdicts)


def filed_by(game: Game, event: ev.OrdersFiled, seat: str) -> ev.OrdersFiled:
    """Orders that the seat `seat` files for a power which it does not play: its slips are no faults of the player."""
    sheet = game.sheets.get(event.power)
    own = tuple(fault for fault in faults_from_json(event.faults) if sheet and fault in sheet.faults)
    return replace(event, by=seat, faults=faults_to_json(own))


def file_lines(
    game: Begun,
    lines: Sequence[OrderLine],
    powers: tuple[str, ...],
    context: Context,
    *,
    replace_all: bool,
    unseen: bool = False,
    sent_ahead: bool = False,
) -> Decision:
    """Read lines, judge each, and put what can be taken on file.

    `unseen`: their author may not see what is on file, so nothing of that shows in the verdicts. `sent_ahead`: they
    were written before the position was known; what fits nothing that is there is over with the next mail of orders.
    """
    pieces = apart(lines, game.board)
    seen = _without_sheets(game, powers) if unseen else game
    reads = _best(seen, powers, pieces)
    stays = [None] * len(reads) if replace_all else left_alone(game, reads)
    judged = [_judged(seen, read, line, context.actor) for read, line in zip(reads, stays, strict=True)]
    for power in powers:
        judged = _counted(seen, power, judged, context.actor, replace_all=replace_all)
    left = {power: _left_open(game, power, judged, context, replace_all=replace_all) for power in powers}
    if sent_ahead:
        left = {power: tuple(map(as_ahead, faults)) for power, faults in left.items()}
    judged = [_noted(one, left[one.read.power], context) for one in judged]
    verdicts = [one.verdict for one in judged]
    for piece in pieces:
        verdicts = _with_block(piece, verdicts) if piece.more else verdicts
    filed = [_file(game, power, judged, left[power], context, replace_all=replace_all) for power in powers]
    if unseen and left_to_rest(reads):
        verdicts = _veiled(verdicts)
    return Decision(tuple(event for event in filed if event is not None), tuple(verdicts))


class Judged(NamedTuple):
    """One reading and what becomes of it; `stays`: the order on file that it leaves as it is."""

    read: Read
    verdict: Verdict
    stays: bool = False

    @property
    def files(self) -> bool:
        """Whether it goes on file."""
        if self.verdict.status is Status.REFUSED:
            return isinstance(self.read.order, Misorder)  # its unit stands, and the report prints the line (A28, B38)
        return self.verdict.status is Status.TAKEN and not self.stays


def _judged(game: Begun, read: Read, stays: FiledOrder | None, actor: Actor) -> Judged:
    if stays is None:
        verdict = _judge(game, read)
        if verdict.status is not Status.IGNORED and _overtaken(actor, read):
            verdict = replace(verdict, status=Status.IGNORED, reason="overtaken", sentence=TOO_LATE)
        return Judged(read, verdict)
    same = Verdict(
        read.line, read.reading.text, Status.TAKEN, stays.order, notes=("stays",), instruction=stays.instruction
    )
    return Judged(read, same, stays=True)


def _overtaken(actor: Actor, read: Read) -> bool:
    """Whether a mail that came after this one has ordered the same (ruling 29)."""
    if not actor.later:
        return False
    what = f"build {read.reading.site}" if read.unit is None else f"unit {read.unit}"
    key = (str(read.phase), what) if read.order is None else filed_line(read).key
    return (read.power, *key) in actor.later


def _stay(sheet: Sheet | None, actor: Actor, *, replace_all: bool) -> tuple[FiledOrder, ...]:
    """The lines that stay on file beside those of a mail."""
    if sheet is None:
        return ()
    return tuple(line for line in sheet.lines if not replace_all or (sheet.power, *line.key) in actor.later)


def _still_open(sheet: Sheet | None, actor: Actor, *, replace_all: bool) -> tuple[Fault, ...]:
    """The lines of mails before it that are still to be put right beside a mail."""
    faults = sheet.faults if sheet is not None else ()
    return tuple(one for one in faults if sheet and (not replace_all or fault_word(sheet.power, one) in actor.later))


def _counted(game: Begun, power: str, judged: Sequence[Judged], actor: Actor, *, replace_all: bool) -> list[Judged]:
    """Builds and removals beyond what is due are no orders."""
    places = [at for at, one in enumerate(judged) if one.files and one.read.power == power]
    old = _stay(game.sheets.get(power), actor, replace_all=replace_all)
    extra = too_many(game, power, old, [judged[at].read for at in places])
    found = list(judged)
    for number, problem in extra.items():
        read = judged[places[number]].read
        found[places[number]] = Judged(read, _refused(replace(read, reading=replace(read.reading, problem=problem))))
    return found


def _without_sheets(game: G, powers: tuple[str, ...]) -> G:
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


def _best(game: Begun, powers: tuple[str, ...], pieces: Sequence[OrderLine]) -> list[Read]:
    """The readings of every line, in order."""
    is_legal = partial(_is_legal, game)
    meant = of_each_line(game, [_in_turn(game, power, pieces) for power in powers], is_legal)
    settled = without_contradictions(game, meant, is_legal)
    return with_offers(game, settled)


def _in_turn(game: Begun, power: str, lines: Sequence[OrderLine]) -> list[list[Read]]:
    """Read for the present phase; what does not fit, for the next one of the turn, as it will be after this mail."""
    reads = read_mail(game, power, lines, game.position)
    if not goes_on(game):
        return reads
    taken = [read for some in reads for read in some if read.order is not None]
    sheet = game.sheets.get(power)
    lines_then = merged(sheet.lines if sheet else (), [filed_line(read) for read in taken])
    later = forecast(with_lines(game, power, lines_then), power)
    return reads if later is None else better(reads, read_mail(game, power, lines, later))


def clear(game: Game, command: Clear, context: Context) -> Decision | Refusal:
    """Withdraw everything on file for this turn."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    powers = (command.power,) if command.power else seat.powers
    filed = [game.sheets[power] for power in powers if power in seat.powers and power in game.sheets]
    if not any(sheet.lines or sheet.faults for sheet in filed):
        return Refusal("nothing-on-file", "There are no orders on file to withdraw.")
    cleared = [_cleared(sheet, context) for sheet in filed]
    events = tuple(event for event in cleared if event is not None)
    if not events:
        return Refusal("overtaken", f"That {TOO_LATE}.")
    if any(event.lines for event in events):
        return Decision(events, said="Your orders are withdrawn, but for those of mails that came after this one.")
    return Decision(events, said="Your orders are withdrawn; nothing is on file now.")


def _cleared(sheet: Sheet, context: Context) -> ev.OrdersFiled | None:
    """A set without what stood on it when the mail came; None where that changes nothing."""
    lines = _stay(sheet, context.actor, replace_all=True)
    faults = _still_open(sheet, context.actor, replace_all=True)
    if lines == sheet.lines and faults == sheet.faults:
        return None
    return ev.OrdersFiled(
        at=context.now, by=context.seat, power=sheet.power, phase=sheet.phase,
        number=sheet.number + (lines != sheet.lines), lines=[filed_to_json(line) for line in lines],
        faults=faults_to_json(faults), mail=context.actor.mail,
    )  # fmt: skip


def wait(game: Game, command: Wait, context: Context) -> Decision | Refusal:
    """Hold early processing back until the deadline, for this turn only (ruling 11a)."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if command.turn and (to_come := phase_to_come(game, command.turn)) is not None:
        if (seat.id, str(to_come), WAIT) in context.actor.later:
            return Refusal("overtaken", f"That {TOO_LATE}.")
        return _wait_then(game, seat, to_come, context.now, on=command.on)
    if command.turn and (wrong := _wrong_turn(game, command.turn)) is not None:
        return wrong
    if (seat.id, "", WAIT) in context.actor.later:
        return Refusal("overtaken", f"That {TOO_LATE}.")
    said = (
        "I wait for the deadline this turn, as you ask."
        if command.on
        else "You are ready: once every order is in, the turn may be processed early."
    )
    if not game.settings.early:
        said += " (In this game nothing is processed before the deadline anyway.)"
    return Decision((ev.WaitChanged(at=context.now, by=seat.id, seat=seat.id, on=command.on),), said=said)


def _wait_then(game: Begun, seat: Seat, phase: Phase, now: datetime, *, on: bool) -> Decision:
    """The same for a turn to come."""
    title = game.calendar.title(phase)
    said = f"I wait for the deadline of {title}, as you ask." if on else f"I do not wait in {title}."
    event = ev.WaitChanged(at=now, by=seat.id, seat=seat.id, on=on, phase=str(phase))
    return Decision((event,), said=said)


def ordering(game: Game, actor: Actor) -> tuple[Running, Seat] | Refusal:
    """The game and the seat that gives orders in it, or why this actor cannot."""
    if game.stage is Stage.ENDED:
        return Refusal("game-over", f"{game.key} has ended; there is nothing to order any more.")
    if not isinstance(game, Running):
        return Refusal("not-started", f"{game.key} has not started yet; you will be told when orders are due.")
    seat = game.seats.get(actor.seat)
    if actor.role is not Role.PLAYER or seat is None or not seat.powers:
        return Refusal("no-seat", f"Only the players of {game.key} order units.")
    if not set(seat.powers) & set(game.survivors):
        return Refusal("eliminated", "Your power has no units and no centres left, so there is nothing to order.")
    return game, seat


def _wrong_turn(game: Begun, named: str) -> Refusal | None:
    phases = rest_of_turn(game)
    word = named.upper()
    if any(str(phase).startswith(word) or word == f"{phase.season}{phase.year}" for phase in phases):
        return None
    return Refusal(
        "wrong-phase",
        f"These orders are for {_phase_title(game, named)}, but {game.key} is at {game.phase_title}. Nothing was "
        f"changed. If they are for that, send them again below the line `for {phases[0]}:`.",
    )


def _phase_title(game: Begun, named: str) -> str:
    try:
        return game.calendar.title(named)
    except ValueError:
        return named


def _judge(game: Begun, read: Read) -> Verdict:
    reading, order = read.reading, read.order
    if order is None or isinstance(order, Misorder):
        return _refused(read)
    wrong = _fault_of(game, read, order)
    if SUPERSEDED in reading.notes:
        sentence = f"{_why(wrong, read)}. " if wrong else ""
        sentence += "Another line of this mail counts for it."
        return Verdict(read.line, reading.text, Status.IGNORED, reason=SUPERSEDED, sentence=sentence)
    status, candidates = Status.TAKEN, tuple[str, ...]()
    if wrong is not None and game.settings.no_mistakes:
        offered = lines_of(game, instead_of(game, order, read.position))
        status, candidates = Status.REFUSED, tuple(map(str, offered))
    if wrong is not None:
        return Verdict(
            read.line, reading.text, status, str(read.instruction), wrong.reason,
            _why(wrong, read), candidates, reading.notes, wrong.clause, read.instruction,
        )  # fmt: skip
    return Verdict(
        read.line, reading.text, status, str(read.instruction), sentence=reading.corrected, notes=reading.notes,
        instruction=read.instruction,
    )  # fmt: skip


def _why(wrong: Illegality, read: Read) -> str:
    return meaning(wrong.order, wrong.reason, read.position.board, read.position.phase.season)


def _is_legal(game: Begun, read: Read, order: Order) -> bool:
    return not isinstance(order, Misorder) and _fault_of(game, replace(read, filed=None), order) is None


def _fault_of(game: Begun, read: Read, order: Order) -> Illegality | None:
    """Why an order that was read cannot be followed. A condition or a list is looked at when it is carried out."""
    if isinstance(order, Misorder) or isinstance(read.filed, Conditional):
        return None
    wrong = legality(order, read.position, game.rules)
    return None if wrong is not None and _would_be_right(game, read, order) else wrong


def _would_be_right(game: Begun, read: Read, order: Order) -> bool:
    """Whether an adjustment is wrong only because a retreat is not on file yet: it may still come."""
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


def _lines_then(
    game: Begun, power: str, judged: Sequence[Judged], actor: Actor, *, replace_all: bool
) -> tuple[FiledOrder, ...]:
    """A power's set with a mail in it."""
    old = _stay(game.sheets.get(power), actor, replace_all=replace_all)
    fresh = [filed_line(one.read) for one in judged if one.files and one.read.power == power]
    return within_number(game, power, merged(old, fresh))


def _left_open(
    game: Begun, power: str, judged: Sequence[Judged], context: Context, *, replace_all: bool
) -> tuple[Fault, ...]:
    """What is still to be put right after a mail."""
    sheet = game.sheets.get(power)
    old = _still_open(sheet, context.actor, replace_all=replace_all)
    written = [_written(one, context) for one in judged if one.read.power == power]
    then = with_lines(game, power, _lines_then(game, power, judged, context.actor, replace_all=replace_all))
    complete = standing(then, power).full
    return left_open(old, [one for one in written if one is not None], context.actor.mail, complete=complete)


def _noted(one: Judged, left: Sequence[Fault], context: Context) -> Judged:
    """A refused line that a later one of the same mail has put right is said to be so."""
    fault = _written(one, context)
    if not isinstance(fault, Fault) or any(one.text == fault.text for one in left):
        return one
    return one._replace(verdict=replace(one.verdict, notes=(*one.verdict.notes, MENDED)))


def _file(
    game: Begun,
    power: str,
    judged: Sequence[Judged],
    faults: tuple[Fault, ...],
    context: Context,
    *,
    replace_all: bool,
) -> ev.OrdersFiled | None:
    """The set in force after a mail, with what is still to be put right; None where nothing changes."""
    sheet = game.sheets.get(power)
    before = () if sheet is None else sheet.lines
    lines = _lines_then(game, power, judged, context.actor, replace_all=replace_all)
    if sheet is None and not lines and not faults:
        return None
    if sheet is not None and lines == before and faults == sheet.faults:
        return None
    return ev.OrdersFiled(
        at=context.now,
        by=context.seat,
        power=power,
        phase=str(game.position.phase),
        number=(sheet.number if sheet else 0) + (lines != before),
        lines=[filed_to_json(line) for line in lines],
        faults=faults_to_json(faults),
        mail=context.actor.mail,
    )


def _written(one: Judged, context: Context) -> FiledOrder | Fault | None:
    """A line as it went on file, or as it was asked back; None for one that is neither."""
    if one.files:
        return filed_line(one.read)
    return (
        fault_of(one.read, one.verdict, context.actor.mail, context.now)
        if one.verdict.status is Status.REFUSED
        else None
    )


FEATURE = Feature(
    decide={
        Submit: submit,
        Clear: clear,
        Wait: wait,
    },
)
