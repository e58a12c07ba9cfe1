"""Processing a turn: adjudicate it, skip phases that ask nothing of anybody, judge victory, set the next deadline.

Separation of seasons: any single player may ask that retreats and builds be ordered apart, this once (6E).

The judge divides a turn by itself where it asks what nobody could foresee (`judge.game.clock.turnover`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import duties
from judge.adjudicate.outcome import Outcome, outcomes_to_json
from judge.board.phase import Phase, PhaseKind
from judge.board.position import position_to_json
from judge.game.clock.schedule import Opened, has_slipped, next_deadline
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, OrderLine, Refusal, Role
from judge.game.core.events import Event
from judge.game.core.evolve import Feature, evolve_turn
from judge.game.core.model import Begun, Game, Running, Stage, next_version
from judge.game.filing.advance import bind
from judge.game.filing.kept import standing_orders
from judge.game.filing.sheets import file_lines
from judge.game.filing.standing import asked, carried_out, powers_surprised, rest_of_turn, standing_in_phase
from judge.game.filing.submitting import deeds_of, deeds_to_json
from judge.game.instructions.kinds import FiledOrder, instruction_to_json
from judge.game.settings.table import NEVER_WAITS
from judge.game.talk.ballots import carried
from judge.game.talk.closing import close_all, close_votes
from judge.languages import tell
from judge.orders.model import Order
from judge.rules.questions import together


@dataclass(frozen=True, slots=True)
class SplitTurn(Command):
    """Divide the present turn: its first phase is played at the deadline that stands, the rest later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSplit(Event, told="phase"):
    """The turn that has come to `phase` is cut into one turn for each phase."""

    phase: str


def split(game: Game, command: SplitTurn, context: Context) -> Decision | Refusal:
    """Divide the turn. Nobody else has to agree."""
    if not isinstance(game, Running):
        return Refusal("not-running", tell("{game} is not running; there is nothing to split.", game=game.key))
    active = context.actor.role is Role.PLAYER and context.seat in {seat.id for seat in game.active_seats}
    if not active and context.actor.role is not Role.GM:
        return Refusal("no-seat", tell("Only the players of {game} may ask for that.", game=game.key), clause="6E")
    if game.split:
        return Decision(said=tell("That was asked for before: retreats and builds are ordered separately."))
    if len(rest_of_turn(game)) < 2:
        return Refusal(
            "nothing-to-split",
            tell(
                "{phase_title} have a deadline of their own; there is nothing to split.", phase_title=game.phase_title
            ),
            clause="6E",
        )
    event = TurnSplit(at=context.now, by=context.seat, phase=str(game.position.phase))
    return Decision((event,), said=tell("Retreats and builds are ordered separately this time; everybody is told."))


def _split(game: Game, event: TurnSplit) -> Game:
    return replace(game, split=event.phase)


def turn_page(began: Running, now: datetime, *, by: str = "judge", votes: bool = True) -> tuple[ev.Event, ...]:
    """All events of processing the current turn now, with the orders on file; `votes`: whether open ones close."""
    game: Begun = began
    turn = game.calendar.turn_of(game.position.phase)
    version, slipped = began.deadline.version, has_slipped(began, now)
    planned = began.deadline.planned or began.deadline.at
    events: list[ev.Event] = []

    def happen(more: Iterable[ev.Event]) -> None:
        nonlocal game
        for event in more:
            events.append(event)
            game = evolve_turn(game, event)

    closed = close_votes(game, now) if votes else ()
    happen(closed)
    while game.stage is Stage.RUNNING:
        if asks_nothing(game):
            happen([_play(game, now, by) if _goes_by_itself(game) else _skip(game, now)])
        elif game.position.phase not in turn:
            break
        elif _parts_here(game, began):
            happen([TurnSplit(at=now, phase=str(game.position.phase))])
            break
        else:
            happen([_play(game, now, by)])
        if ending := _victory(game, now):
            happen((*close_all(game, now, "ended"), *ending))
        if isinstance(game, Running) and game.position.phase in turn:
            happen(bind(game, now, _file_now))
    if isinstance(game, Running):
        happen(carried(began, closed, now))
        played = [Phase.read(event.phase).kind for event in events if isinstance(event, ev.PhaseAdjudicated)]
        split = PhaseKind.RETREATS in played and game.position.phase.kind is PhaseKind.ADJUSTMENTS
        opened = Opened(now, slipped=slipped, split=split, planned=planned)
        happen([_next_deadline(game, opened, version)])
        happen(opening_orders(game, now))
    return tuple(events)


def asks_nothing(game: Begun) -> bool:
    """Whether nobody has anything to do in the present phase, and has done nothing beside."""
    talks = game.deliberates or game.position.phase.kind is PhaseKind.TALKS
    return not talks and not asked(game.position, game.rules) and not deeds_of(game)


def _goes_by_itself(game: Begun) -> bool:
    """Whether a phase that asks nothing of anybody still changes something: units are removed whatever is ordered."""
    return any(not due.nothing for due in duties(game.position, game.rules).values())


def _parts_here(game: Begun, began: Begun) -> bool:
    """Whether the rest of the turn gets a deadline of its own: it asks something of a player that they could not
    foresee, and the game waits for orders. Nobody is late whose orders were in, and no unit is lost for it.
    """
    if game.position is began.position or game.settings.nmr in NEVER_WAITS:
        return False
    return bool(powers_surprised(game, began))


def opening_orders(game: Begun, now: datetime) -> Iterable[ev.Event]:
    """What was ordered ahead of a turn that begins: kept orders first, then what always stands."""
    for event in (*bind(game, now, _file_now),):
        yield event
        game = evolve_turn(game, event)
    yield from standing_orders(game, now)


def _file_now(game: Begun, lines: tuple[OrderLine, ...], powers: tuple[str, ...], context: Context) -> Decision:
    return file_lines(game, lines, powers, context, replace_all=False, sent_ahead=True)


def _skip(game: Begun, now: datetime) -> ev.PhaseSkipped:
    after = adjudicate(game.position, (), game.rules, lot=game.lot(game.position.phase)).after
    return ev.PhaseSkipped(at=now, phase=str(game.position.phase), after=position_to_json(after))


def _play(game: Begun, now: datetime, by: str) -> ev.PhaseAdjudicated:
    phase = game.position.phase
    filed = carried_out(game)
    orders = [order for power in game.board.powers for _, order in filed.get(power, ())]
    disorder = _in_disorder(game)
    deeds, lot = deeds_of(game), game.lot(phase)
    done = {deed.power for deed in deeds} if game.rules.deliberates(game.position) else ()
    result = adjudicate(game.position, orders, game.rules, disorder=disorder, deeds=deeds, lot=lot)
    given = {power for power, lines in filed.items() if lines}
    awaited = set(game.rules.for_players(game.board)) - game.unplayed
    return ev.PhaseAdjudicated(
        at=now,
        by=by,
        phase=str(phase),
        before=position_to_json(game.position),
        outcomes=results_to_json(result.outcomes, {order: line for lines in filed.values() for line, order in lines}),
        after=position_to_json(result.after),
        version=next_version(game, str(phase)),
        disorder=disorder,
        unplaced=[] if game.terms.no_mistakes else list(_unplaced(game)),
        deeds=deeds_to_json(deeds),
        missing=tuple(p for p in asked(game.position, game.rules) if p in awaited and p not in {*given, *done}),
    )


def _unplaced(game: Game) -> Iterator[dict[str, str]]:
    """What was written for the present phase and is for no unit of its author's: it is posted as sent all the same."""
    for power in game.board.powers:
        faults = game.sheets[power].faults if power in game.sheets else ()
        for fault in faults:
            if fault.unit is None and fault.phase == str(game.phase):
                yield {"power": power, "text": fault.text, "why": fault.sentence}


def _in_disorder(game: Game) -> tuple[str, ...]:
    """Powers whose government has collapsed (XIV.3), where the game plays missing orders so; and those without a seat.

    Only this phase counts: a player who ordered all moves is not in disorder because builds are missing.
    """
    nobody = tuple(power for power in game.board.powers if power in game.unplayed)
    if game.settings.nmr not in ("disorder", "removals"):
        return nobody
    vacant = {power for seat in game.seats.values() if not seat.filled for power in seat.powers}
    silent = {power for power in game.board.powers if power in vacant or standing_in_phase(game, power).late}
    return (*nobody, *(power for key in sorted(game.seats) for power in game.seats[key].powers if power in silent))


def results_to_json(outcomes: Sequence[Outcome], written: Mapping[Order, FiledOrder]) -> list[dict[str, Any]]:
    """Outcomes as the event stores them, with the player's own words beside the canonical order."""
    pairs = zip(outcomes_to_json(outcomes), outcomes, strict=True)
    return [{**stored, **_as_written(order, written.get(order))} for stored, (order, _) in pairs]


def _as_written(order: Order, line: FiledOrder | None) -> dict[str, Any]:
    """`filed` is what stood on file where that was more than the order: a condition, a list."""
    if line is None:
        return {"text": "", "filed": None}
    more = line.instruction != order and line.order != str(order)
    return {"text": line.text, "filed": instruction_to_json(line.instruction) if more else None}


def _victory(game: Begun, now: datetime) -> tuple[ev.Event, ...]:
    champion = game.rules.winner(game.position)
    if champion is not None:
        return (ev.GameEnded(at=now, how="win", powers=_champions(game, champion)),)
    if game.end_after and game.calendar.is_settled(game.end_after, game.position.phase):
        reason = game.settings.short_winner
        return (ev.GameEnded(at=now, how="limit", powers=leaders(game), reason=reason),)
    return ()


def _champions(game: Begun, champion: str) -> tuple[str, ...]:
    """The power that has won; where powers win together, all of its side that have a seat."""
    side = next((each for each in game.rules.sides(game.position) if champion in each), ())
    return tuple(power for power in side if game.seat_of(power) is not None) or (champion,)


def leaders(game: Begun) -> tuple[str, ...]:
    """Who shares the result at the time limit: those with most units or centres, or all survivors;
    none but powers that have a player.
    """
    position = game.position
    if not game.settings.short_winner:
        return game.sharers
    by_units = game.settings.short_winner == "units"
    units = Counter(unit.power for unit in position.units)
    ranking = together(units, game.rules.sides(position)) if by_units else game.rules.ranking(position)
    counts = {p: ranking.get(p, 0) for p in game.sharers}
    most = max(counts.values(), default=0)
    return tuple(power for power in game.sharers if counts[power] == most)


def _next_deadline(game: Begun, opened: Opened, version: int) -> ev.DeadlineSet:
    landed = next_deadline(game, opened)
    return ev.DeadlineSet(
        at=opened.at,
        phase=str(game.position.phase),
        deadline=landed.at,
        version=version + 1,
        beyond=landed.beyond,
        holidays=landed.holidays,
    )


FEATURE = Feature(
    evolve={TurnSplit: _split},
    decide={SplitTurn: split},
)
