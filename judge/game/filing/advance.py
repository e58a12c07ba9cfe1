"""Orders ahead of their phase: kept as written, bound to the units when the phase comes, and told to the player.

    for S1902:
    A Bur - Mun

What can never be an order, or depends on what nobody may know then, is refused at once. The rest is kept, and counts as
orders when its phase comes. A line for a unit that is there and cannot do it is then to be put right like any other;
one that fits no unit is told to its author, and makes nobody late.
Such lines stay text: what "Bur - Mun" means is known only when the units stand. Orders that always stand ("always A
Mun H") are values from the first, for the unit that stands there; they are filed for the units for which nothing else
was ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.game.core.commands import (
    Actor,
    Command,
    Context,
    Decision,
    OrderLine,
    Refusal,
    Role,
    Status,
    Submit,
    Verdict,
)
from judge.game.core.events import Event, Json
from judge.game.core.evolve import Feature, evolve_turn
from judge.game.core.model import Begun, Game
from judge.game.filing.conditional import gathered, is_block, read_parts
from judge.game.filing.read import options_of
from judge.game.filing.standing import rest_of_turn
from judge.game.instructions.conditions import CLAUSE, mentions_condition, read_branches, too_early
from judge.game.instructions.facts import Trouble
from judge.languages import tell
from judge.orders.reader import looks_like_order, read_line
from judge.orders.reading import Problem

File = Callable[[Begun, tuple[OrderLine, ...], tuple[str, ...], Context], Decision]

FARTHEST = 10
"""Years ahead for which orders are kept."""
MOST = 100
"""Lines kept for one power and phase."""
_UNKNOWABLE = frozenset(
    {"no-such-place", "impassable", "unfinished", "question", "not-an-order", "two-meanings"}
    | {"not-your-power", "power-not-played"}
)
"""What is wrong with a line whatever the position will be."""


@dataclass(frozen=True, slots=True)
class ClearKept(Command):
    """Forget what is kept for a phase to come."""

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersKept(Event, told="power,phase"):
    """All that is now kept for a power and a phase to come: groups of lines, one for each mail."""

    power: str
    phase: str
    groups: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBound(Event, told="power,phase,filed,failed"):
    """The phase has come: `filed` are the orders that went on file, `failed` the lines that could not be taken."""

    power: str
    phase: str
    filed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


# --- keeping ------------------------------------------------------------------------------------------------------


def phase_to_come(game: Begun, named: str) -> Phase | None:
    """The phase of a heading if it lies ahead of what can be ordered now; None for any other."""
    calendar = game.calendar
    try:
        phase = calendar.read(named)
    except ValueError:
        return None
    now, turn = game.position.phase, rest_of_turn(game)
    known = turn if now.kind is not PhaseKind.MOVES else turn[:1]
    return phase if calendar.rank(phase) > calendar.rank(now) and phase not in known else None


def keep(game: Begun, command: Submit, powers: tuple[str, ...], phase: Phase, context: Context) -> Decision | Refusal:
    """Keep lines for a phase to come. What can never be an order is refused now, everything else is checked then.

    Where one player has several powers, they are kept under the first: whose each line is shows when the phase comes.
    """
    if phase.year - game.position.phase.year > FARTHEST:
        return Refusal("too-far", tell("I keep orders for at most {farthest} years ahead.", farthest=FARTHEST))
    pieces = gathered(command.lines, game.board)
    verdicts = tuple(_kept_verdict(game, powers, phase, line) for line in pieces)
    good = tuple(verdict.text for verdict in verdicts if verdict.status is Status.TAKEN)
    events = []
    for power in powers[:1] if good else ():
        old = () if command.replace else game.kept.get(power, {}).get(str(phase), ())
        groups = (*(group for group in old if group != good), good)
        if sum(map(len, groups)) > MOST:
            title = game.calendar.title(phase)
            return Refusal(
                "too-many",
                tell(
                    "More than {most} lines are kept for {title}. Send `clear {phase}` first.",
                    most=MOST,
                    title=title,
                    phase=phase,
                ),
            )
        if groups != old:
            events.append(
                OrdersKept(at=context.now, by=context.seat, power=power, phase=str(phase), groups=_plain(groups))
            )
    return Decision(tuple(events), (*verdicts, *_of_blocks(pieces, verdicts)))


def later_phase(game: Begun, powers: tuple[str, ...], text: str) -> Phase | None:
    """The phase under the present deadline that a line is for which is no move: retreats and builds may be ordered with
    the moves (setting `seasons`). Of several powers of a player, the first that can be meant says which.
    """
    later = rest_of_turn(game)[1:] if game.position.phase.kind is PhaseKind.MOVES else ()
    if not later or not looks_like_order(text, game.board):
        return None
    return next(filter(None, (_later_phase(game, power, text, later) for power in powers)), None)


def _later_phase(game: Begun, power: str, text: str, later: tuple[Phase, ...]) -> Phase | None:
    board = game.board
    part = text.partition("\n")[0]
    if mentions_condition(text):
        branches = read_branches(text, board, power, lambda one: looks_like_order(one, board))
        part = branches[0].order if isinstance(branches, tuple) else part
    for phase in (game.position.phase, *later):
        readings = read_line(part, replace(game.position, phase=phase), power, options=options_of(game, power))
        if any(reading.problem is None or reading.problem.slug != "wrong-phase" for reading in readings):
            return phase if phase in later else None
    return None


def _of_blocks(pieces: Sequence[OrderLine], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The further lines of conditions over several lines."""
    return [
        Verdict(
            number,
            text,
            Status.TAKEN if verdict.status is Status.TAKEN else Status.IGNORED,
            sentence=tell("part of the condition in line {piece}", piece=piece.number),
        )
        for piece, verdict in zip(pieces, verdicts, strict=True)
        for number, text in zip(piece.more, piece.text.split("\n")[1:], strict=False)
    ]


def _plain(groups: tuple[tuple[str, ...], ...]) -> Json:
    return [list(group) for group in groups]


def _kept_verdict(game: Begun, powers: tuple[str, ...], phase: Phase, line: OrderLine) -> Verdict:
    if is_block(line.text):
        return _kept_block(game, powers, phase, line)
    if not looks_like_order(line.text, game.board):
        return Verdict(line.number, line.text, Status.IGNORED, reason="no-order", sentence=tell("not an order"))
    found = [_hopeless(replace(game.position, phase=phase), power, line.text) for power in powers]
    problem = found[0] if all(found) else None
    if problem is not None:
        return Verdict(
            line.number, line.text, Status.REFUSED, "", problem.slug, problem.sentence, clause=problem.clause
        )
    return Verdict(
        line.number,
        line.text,
        Status.TAKEN,
        sentence=tell("kept for {phase}; checked when it comes", phase=game.calendar.title(phase)),
    )


def _hopeless(then: Position, power: str, text: str) -> Problem | None:
    """What is wrong with a line whatever the position will be in its phase: its condition, or its words."""
    texts = [text]
    if mentions_condition(text):
        branches = read_branches(text, then.board, power, lambda part: looks_like_order(part, then.board))
        trouble = (
            branches
            if isinstance(branches, Trouble)
            else too_early([way.condition for way in branches or ()], then.phase)
        )
        if trouble is not None:
            return Problem(trouble.slug, trouble.sentence, (), CLAUSE)
        texts = [branch.order for branch in branches] if isinstance(branches, tuple) else texts
    problems = [reading.problem for part in texts for reading in read_line(part, then, power) if reading.problem]
    return next((one for one in problems if one.slug in _UNKNOWABLE), None)


def _kept_block(game: Game, powers: tuple[str, ...], phase: Phase, line: OrderLine) -> Verdict:
    """A condition over several lines is kept whole; its orders are checked when the phase comes."""
    board, head = game.board, line.text.partition("\n")[0]
    parts = read_parts(line.text, board, powers[0], lambda text: looks_like_order(text, board))
    if isinstance(parts, Trouble):
        return Verdict(line.number, head, Status.REFUSED, "", parts.slug, parts.sentence, clause=CLAUSE)
    return Verdict(
        line.number,
        line.text,
        Status.TAKEN,
        sentence=tell("kept for {phase}; checked when it comes", phase=game.calendar.title(phase)),
    )


def clear_kept(game: Game, command: ClearKept, context: Context) -> Decision | Refusal:
    """Withdraw what is kept for a phase to come."""
    seat = game.seats.get(context.seat)
    powers = seat.powers if seat is not None and context.actor.role is Role.PLAYER else ()
    found = [power for power in powers if command.phase in game.kept.get(power, {})]
    if not found:
        return Refusal("nothing-kept", tell("Nothing of yours is kept for {phase}.", phase=command.phase), mend="clear")
    events = tuple(
        OrdersKept(at=context.now, by=context.seat, power=power, phase=command.phase, groups=[]) for power in found
    )
    return Decision(
        events, said=tell("Nothing is kept for {phase} any more.", phase=game.calendar.title(command.phase))
    )


# --- when the phase comes -----------------------------------------------------------------------------------------


def bind(game: Begun, now: datetime, file: File) -> Iterable[Event]:
    """File what was kept for the phase that has just come, and for those after it that a winter's mail covers.

    `file` reads and judges lines as if they had come by mail now.
    """
    here = game.position.phase
    covered = rest_of_turn(game) if here.kind is not PhaseKind.MOVES else (here,)
    for phase in covered:
        for power, phases in game.kept.items():
            for event in _bound(game, power, phase, phases.get(str(phase), ()), now, file):
                yield event
                game = evolve_turn(game, event)


def _bound(
    game: Begun, power: str, phase: Phase, groups: tuple[tuple[str, ...], ...], now: datetime, file: File
) -> Iterable[Event]:
    """Mail by mail, as they came: the last of several orders for one unit counts."""
    seat = game.seat_of(power)
    if seat is None or not groups:
        return
    context = Context(Actor(Role.PLAYER, seat.id, seat.person or 0), now)
    filed: list[str] = []
    failed: list[str] = []
    for group in groups:
        lines = tuple(OrderLine(number, text) for number, text in enumerate(group, 1))
        decision = file(game, lines, seat.powers if power == seat.powers[0] else (power,), context)
        for event in decision.events:
            yield event
            game = evolve_turn(game, event)
        filed += [verdict.order for verdict in decision.verdicts if verdict.status is Status.TAKEN and verdict.order]
        failed += [f"{v.text}: {v.sentence}" for v in decision.verdicts if v.status is Status.REFUSED]
    yield KeptBound(at=now, power=power, phase=str(phase), filed=tuple(filed), failed=tuple(failed))


# --- state --------------------------------------------------------------------------------------------------------


def _orders_kept(game: Game, event: OrdersKept) -> Game:
    groups = tuple(tuple(group) for group in event.groups)
    phases = {key: value for key, value in game.kept.get(event.power, {}).items() if key != event.phase}
    if groups:
        phases[event.phase] = groups
    return replace(game, kept=MappingProxyType({**game.kept, event.power: MappingProxyType(phases)}))


def _kept_bound(game: Game, event: KeptBound) -> Game:
    return _orders_kept(game, OrdersKept(at=event.at, power=event.power, phase=event.phase, groups=[]))


FEATURE = Feature(
    evolve={OrdersKept: _orders_kept, KeptBound: _kept_bound},
    decide={ClearKept: clear_kept},
)
