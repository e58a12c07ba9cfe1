"""Who sits where: opening a game, joining, the lot, leaving, being assigned or replaced.

Drawing powers by lot: the only element of chance, recorded as a seed so that anybody can draw it again.

Preferences are served as well as they can be together; where they leave a choice, the seed decides.

Games that begin by themselves: so long after the last seat is taken, unless somebody gives theirs up again.

The time between is for preferences, and for whoever finds that they cannot play after all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from math import inf
from types import MappingProxyType

from judge.board.position import position_to_json
from judge.game.clock.schedule import first_deadline
from judge.game.core import events as ev
from judge.game.core.commands import (
    GM_SEAT,
    Actor,
    Assign,
    Context,
    Decision,
    Join,
    Leave,
    Lot,
    Open,
    Prefer,
    Question,
    Refusal,
    Role,
    Start,
    Vacate,
    not_drawn,
    over,
)
from judge.game.core.evolve import Feature, OwnClock, put, with_seat, without
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Seat, Tenure
from judge.game.table import filling
from judge.game.table.deciding import may_open
from judge.game.table.filling import (
    is_full,
    noted_for_the_gamemaster,
    place_in_line,
    put_in_line,
    sit_down,
    step_back,
    without_hopeful,
)
from judge.game.table.vacancies import is_invited, take_over, used
from judge.languages import tell, together
from judge.orders.spelled import listed
from judge.pace import later, zone_info

_UNIT = 1 << 40
"""One step down a preference list outweighs any lot."""


Hand = tuple[str, ...]
"""The powers that one player has together."""


def draw(
    seed: int, seats: Sequence[str], hands: Sequence[Hand], wishes: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, Hand]:
    """Seat -> the powers it plays, with the least total distance from everybody's wishes.

    `wishes`: seat -> groups of powers, best first, equals in one group; powers that are not named come last. Several
    powers in one hand are liked as the one of them that is liked best. Deterministic in its arguments. There must be
    as many seats as hands.

    >>> sorted(draw(7, ["1", "2"], [("FRANCE",), ("ITALY", "RUSSIA")], {"1": [["ITALY"]]}).items())
    [('1', ('ITALY', 'RUSSIA')), ('2', ('FRANCE',))]
    """
    if len(seats) != len(hands):
        raise ValueError("as many seats as hands")
    cost = [[_cost(seed, seat, hand, wishes.get(seat, ())) for hand in hands] for seat in seats]
    return {seat: hands[column] for seat, column in zip(seats, cheapest(cost), strict=True)}


def cheapest(cost: Sequence[Sequence[int]]) -> list[int]:
    """Row -> its column in the assignment of least total cost; n^3 steps for n rows and n columns.

    The Hungarian method by shortest augmenting paths (Jonker and Volgenant 1987): each row in turn finds its cheapest
    way into the assignment, which may move rows that have their columns already.

    >>> cheapest([[4, 1], [2, 3]])
    [1, 0]
    """
    count = len(cost)
    row_price, column_price = [0] * count, [0] * (count + 1)
    held_by = [-1] * (count + 1)
    """Column -> its row; the last column stands for the row that looks for one."""
    for row in range(count):
        held_by[count] = row
        came_from = _path(cost, row_price, column_price, held_by)
        column = came_from.pop()
        while column != count:
            before = came_from[column]
            held_by[column] = held_by[before]
            column = before
    columns = {held_by[column]: column for column in range(count)}
    return [columns[row] for row in range(count)]


def _path(
    cost: Sequence[Sequence[int]], row_price: list[int], column_price: list[int], held_by: Sequence[int]
) -> list[int]:
    """Column -> the column before it on the cheapest way to a free one, and at the end that free column. The prices
    are raised so that no reduced cost falls below zero.
    """
    count = len(cost)
    away: list[float] = [inf] * count
    before = [count] * count
    seen = [False] * (count + 1)
    here = count
    while held_by[here] >= 0:
        seen[here] = True
        row = held_by[here]
        for column in range(count):
            reduced = cost[row][column] - row_price[row] - column_price[column]
            if not seen[column] and reduced < away[column]:
                away[column], before[column] = reduced, here
        nearest = min((column for column in range(count) if not seen[column]), key=lambda column: away[column])
        step = int(away[nearest])
        for column in range(count + 1):
            if seen[column]:
                row_price[held_by[column]] += step
                column_price[column] -= step
            elif column < count:
                away[column] -= step
        here = nearest
    return [*before, here]


def _cost(seed: int, seat: str, hand: Hand, wishes: Sequence[Sequence[str]]) -> int:
    rank = next((i for i, group in enumerate(wishes) if not set(hand).isdisjoint(group)), len(wishes))
    chance = hashlib.sha256(f"{seed}/{seat}/{'+'.join(hand)}".encode()).digest()
    return rank * _UNIT + int.from_bytes(chance[:4], "big")


def open_game(game: Game, command: Open, context: Context) -> Decision | Refusal:
    """Put the game on the list; everything that must be decided beforehand must be decided."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.FORMING:
        return Refusal("already-open", tell("{game} has been opened already.", game=game.key))
    if (refusal := may_open(game)) is not None:
        return refusal
    return Decision(
        (ev.GameOpened(at=context.now, by=context.seat),), said=tell("{game} is open; players may join.", game=game.key)
    )


def join(game: Game, command: Join, context: Context) -> Decision | Refusal:
    """Take a free seat of a game that is open, ask for one, or wait for one behind a full table; refused to whom the
    game's conditions keep out.
    """
    person = context.actor.person
    if person == game.gm:
        return Refusal("gm-plays", tell("A Gamemaster does not play in a game of their own."))
    if game.seat_held_by(person) is not None:
        return Refusal("already-in", tell("You already have a seat in {game}.", game=game.key))
    if game.stage is not Stage.OPEN:
        return Refusal("not-open", tell("{game} is not open for new players. Send: list", game=game.key), mend="list")
    invited = is_invited(game, command.ticket, context.now)
    if not invited and (refusal := filling.refused(game, command, context)) is not None:
        return refusal
    if not invited and game.settings.access == "approval" and not place_in_line(game, person):
        return filling.apply_for_seat(game, command, context)
    if is_full(game):
        return put_in_line(game, person, command.preferences, context)
    joined = sit_down(game, person, command.preferences, context.now)
    accepted = (used(command.ticket, context.now, "accepted", joined.seat),) if invited else ()
    wishes = _noted(game, command.preferences) if command.preferences else ""
    return Decision((joined, *accepted), said=together(tell("Welcome to {game}.", game=game.key), wishes))


def _noted(game: Game, preferences: tuple[tuple[str, ...], ...]) -> str:
    names = [listed((game.board.powers[power].told for power in step), "or") for step in preferences]
    if not names:
        return tell("Noted: you would like to play any.")
    return tell("Noted: you would like to play {fact}, then any.", fact=reduce(_then, names))


def _then(before: str, after: str) -> str:
    return tell("{before}, then {after}", before=before, after=after)


def prefer(game: Game, command: Prefer, context: Context) -> Decision | Refusal:
    """Change the preference list; the last one before the lot counts."""
    if context.seat not in game.seats:
        return Refusal("no-seat", tell("You have no seat in {game}.", game=game.key), mend=f"join {game.key}")
    if game.stage is not Stage.OPEN:
        return Refusal("drawn", tell("The powers have been drawn; preferences come too late."))
    event = ev.PreferencesChanged(at=context.now, by=context.seat, seat=context.seat, preferences=command.preferences)
    return Decision((event,), said=_noted(game, command.preferences))


def start(game: Game, command: Start, context: Context) -> Decision | Refusal:
    """Draw the powers and set the first deadline."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.OPEN:
        sentence = (
            tell("Open the game first.")
            if game.stage is Stage.FORMING
            else tell("{game} has started already.", game=game.key)
        )
        return Refusal("not-open", sentence, mend="open" if game.stage is Stage.FORMING else "")
    hands = game.rules.seats(game.board)
    if len(game.seats) != len(hands):
        return Refusal(
            "not-full",
            tell(
                "{game} needs {hands} players and has {seats}.", game=game.key, hands=len(hands), seats=len(game.seats)
            ),
        )
    deadline = command.deadline or first_deadline(game, context.now)
    if deadline <= context.now:
        return Refusal("in-the-past", tell("The first deadline would lie in the past."))
    seed = context.lot()
    seats = sorted(game.seats, key=int)
    drawn = draw(seed, seats, hands, {s: game.seats[s].preferences for s in seats})
    position = game.imported or game.rules.start(game.board)
    secret = context.lot() if "settled" in game.rules.around else 0
    return Decision(
        (
            ev.PowersDrawn(
                at=context.now, by=context.seat, seed=seed, powers={seat: [*hand] for seat, hand in drawn.items()}
            ),
            ev.GameStarted(at=context.now, by=context.seat, position=position_to_json(position), secret=secret),
            ev.DeadlineSet(
                at=context.now,
                by=context.seat,
                phase=str(position.phase),
                deadline=deadline,
                version=1,
                why="start",
            ),
        ),
        said=tell("{game} has started.", game=game.key),
    )


def leave(game: Game, command: Leave, context: Context) -> Decision | Refusal:
    """Give up the seat of the actor; before the start it is freed, in a running game it falls vacant."""
    seat = game.seats.get(context.seat)
    if seat is None and (decision := step_back(game, context.actor.person, context)) is not None:
        return decision
    if seat is None or seat.person is None or context.actor.role is not Role.PLAYER:
        return Refusal("no-seat", tell("You have no seat in {game}.", game=game.key))
    if game.stage is Stage.ENDED:
        return over(game.key)
    if (question := _sure(game, command, seat, context.actor)) is not None:
        return question
    vacated = ev.SeatVacated(at=context.now, by=seat.id, seat=seat.id, person=seat.person, why="left")
    if game.practice is not None:
        return Decision((vacated,), said=tell("You have left {game}, so it is over.", game=game.key))
    said = tell("You have left {game}. Thank you for playing.", game=game.key)
    if game.stage is Stage.RUNNING and set(game.survivors).intersection(seat.powers):
        names = _power_names(game, seat)
        said = together(
            said,
            tell("{names} is vacant now.", names=names)
            if len(seat.powers) == 1
            else tell("{names} are vacant now.", names=names),
            tell("Your orders are deleted: the next player must send new orders."),
            tell(
                "Until somebody else takes it you may have it back: claim {powers}",
                powers=game.board.powers[seat.powers[0]].told,
            ),
        )
    return Decision((vacated,), said=said)


def _sure(game: Game, command: Leave, seat: Seat, actor: Actor) -> Question | None:
    """What is asked before a seat is given up; None if its holder has said yes, or is sure."""
    about = f"leave {game.key} seat {seat.id} tenure {seat.tenure}"
    if command.for_good or about in actor.agreed or game.practice is not None:
        return None
    if game.stage is not Stage.RUNNING or not seat.powers:
        return Question("sure", tell("You are about to give up your seat in {game}.", game=game.key), about=about)
    return Question(
        "sure",
        tell(
            "You are about to give up {power_names} in {game}: your orders are deleted, everybody "
            "is told, and somebody else may take your place.",
            power_names=_power_names(game, seat),
            game=game.key,
        ),
        about=about,
    )


def assign(game: Game, command: Assign, context: Context) -> Decision | Refusal:
    """Seat a person at a power, whoever held it before."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    seat = game.seat_of(command.power)
    if game.stage is not Stage.RUNNING or seat is None:
        return Refusal(
            "not-running", tell("Powers are assigned only while the game is running; before that, players join.")
        )
    if command.person == game.gm:
        return Refusal("gm-plays", tell("A Gamemaster does not play in a game of their own."))
    other = game.seat_played_by(command.person, context.now)
    if other is not None and other is not seat:
        name = _power_names(game, other)
        return Refusal("already-in", tell("That person already plays {name} in {game}.", name=name, game=game.key))
    events: list[ev.Event] = []
    if seat.person is not None:
        events.append(_vacated(seat, seat.person, context, why="replaced", reason=""))
    filled = take_over(game, seat, command.person, context.now, by=context.seat)
    moved = any(isinstance(event, ev.DeadlineSet) for event in filled)
    later = tell(", and the deadline is moved so that they have time") if moved else ""
    return Decision(
        (*events, *filled),
        said=tell("{power_names} has a new player{later}.", power_names=_power_names(game, seat), later=later),
    )


def vacate(game: Game, command: Vacate, context: Context) -> Decision | Refusal:
    """Take a power from its player, or from the game somebody who has only joined yet."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    seat = game.seats.get(command.seat) if command.seat else game.seat_of(command.power)
    if game.stage is not Stage.RUNNING and seat is None:
        return not_drawn(game.key)
    if seat is None or seat.person is None:
        return Refusal("vacant", tell("{powers} has no player.", powers=game.board.powers[command.power].told))
    event = _vacated(seat, seat.person, context, why="removed", reason=command.reason)
    if not seat.powers:
        said = tell(
            "One player fewer: {seats} of {players} have joined {game}. They come back only if you `approve` or "
            "`invite` them.",
            seats=len(game.seats) - 1,
            players=game.settings.players,
            game=game.key,
        )
        return Decision((event,), said=said)
    return Decision((event,), said=tell("{power_names} is vacant now.", power_names=_power_names(game, seat)))


def _vacated(seat: Seat, person: int, context: Context, *, why: str, reason: str) -> ev.SeatVacated:
    return ev.SeatVacated(
        at=context.now, by=context.seat or GM_SEAT, seat=seat.id, person=person, why=why, reason=reason
    )


def _power_names(game: Game, seat: Seat) -> str:
    return game.named(seat.powers) or tell("seat {number}", number=seat.id)


REMOVALS = ("removed", "disqualified")
"""Why a seat was vacated when its player may not simply come back."""


def _joined(game: Game, event: ev.PlayerJoined) -> Game:
    game = altered(game, tenures=put(game.tenures, event.seat, event.tenure))
    game = without_hopeful(game, event.person, turned_away=game.gathering.turned_away - {event.person})
    game = altered(game, gathering=noted_for_the_gamemaster(game, event))
    return with_seat(game, Seat(event.seat, event.person, event.tenure, preferences=event.preferences))


def _preferences(game: Game, event: ev.PreferencesChanged) -> Game:
    return with_seat(game, replace(game.seats[event.seat], preferences=event.preferences))


def _seat_vacated(game: Game, event: ev.SeatVacated) -> Game:
    if game.stage in (Stage.FORMING, Stage.OPEN):
        if event.why in REMOVALS:
            turned_away = game.gathering.turned_away | {event.person}
            game = altered(game, gathering=replace(game.gathering, turned_away=turned_away))
        return altered(game, seats=without(game.seats, event.seat))
    seat = game.seats[event.seat]
    term = Tenure(event.person, seat.since, str(game.phase or ""), event.why)
    terms = (*seat.terms, term)
    vacant = Seat(
        seat.id, None, seat.tenure, seat.powers, seat.preferences, terms=terms, vacant_since=event.at,
        substitute=seat.substitute,  # an event of its own says that nobody plays for them any more
    )  # fmt: skip
    if event.why in REMOVALS:
        game = altered(game, barred=game.barred | {event.person})
    game = altered(game, kept=without(game.kept, *seat.powers), always=without(game.always, *seat.powers))
    game = altered(game, plans=without(game.plans, seat.id))
    votes = {number: replace(b, votes=without(b.votes, seat.id)) for number, b in game.votes.items()}
    game = altered(game, votes=MappingProxyType(votes))
    if game.replay is not None:  # what was filed at the time is processed again, whoever plays now
        return with_seat(game, vacant)
    deeds = without(game.deeds, *seat.powers)
    return altered(with_seat(game, vacant), sheets=without(game.sheets, *seat.powers), deeds=deeds)


def _filled(game: Game, event: ev.SeatFilled) -> Game:
    game = altered(game, tenures=put(game.tenures, event.seat, event.tenure))
    if event.returning:
        game = altered(game, returns=put(game.returns, event.person, game.returns.get(event.person, 0) + 1))
    game = altered(game, barred=game.barred - {event.person})
    since = str(game.phase or "")
    seat = replace(
        game.seats[event.seat],
        person=event.person,
        tenure=event.tenure,
        offer=event.offer,
        since=since,
        disorder=False,
        vacant_since=None,
    )
    return with_seat(game, seat)


CLOCK_ACTOR = Actor(Role.JUDGE, "judge")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartScheduled(ev.Event, told="begins"):
    """All seats are taken: the game begins by itself at `begins`."""

    begins: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCalledOff(ev.Event, told=""):
    """The game does not begin by itself: a seat is free again, or the house rules are others."""

    free: bool = True
    """Whether a seat is free."""


def begins(game: Game) -> datetime | None:
    """When the game begins by itself; None if it does not."""
    return game.begins if game.stage is Stage.OPEN and game.practice is None else None


def _full(game: Game) -> bool:
    return game.stage is Stage.OPEN and game.practice is None and len(game.seats) >= game.settings.players


def _seat_taken(game: Game, event: ev.PlayerJoined) -> tuple[ev.Event, ...]:
    return _schedule(game, event.at)


def _left(game: Game, event: ev.SeatVacated) -> tuple[ev.Event, ...]:
    return (StartCalledOff(at=event.at),) if begins(game) is not None else ()


def _changed(game: Game, event: ev.SettingChanged) -> tuple[ev.Event, ...]:
    """Another span counts from the change; without one the Gamemaster starts the game."""
    if event.name != "autostart":
        return ()
    if game.settings.autostart is None and begins(game) is not None:
        return (StartCalledOff(at=event.at, free=False),)
    return _schedule(game, event.at)


def _schedule(game: Game, now: datetime) -> tuple[ev.Event, ...]:
    span = game.settings.autostart
    if span is None or not _full(game):
        return ()
    return (StartScheduled(at=now, begins=later(now, span, zone_info(game.settings.zone))),)


def events_due(game: Game, now: datetime, lot: Lot) -> tuple[ev.Event, ...]:
    """The events that draw the powers and begin the game, or call that off, once its moment has come."""
    moment = begins(game)
    if moment is None or now < moment:
        return ()
    decision = start(game, Start(), Context(CLOCK_ACTOR, now, lot))
    return decision.events if isinstance(decision, Decision) else (StartCalledOff(at=now, free=False),)


def _scheduled(game: Game, event: StartScheduled) -> Game:
    return replace(game, begins=event.begins)


def _called_off(game: Game, event: StartCalledOff) -> Game:
    return replace(game, begins=None)


FEATURE = Feature(
    evolve={
        ev.PlayerJoined: _joined,
        ev.PreferencesChanged: _preferences,
        ev.SeatVacated: _seat_vacated,
        ev.SeatFilled: _filled,
        StartScheduled: _scheduled,
        StartCalledOff: _called_off,
    },
    decide={Open: open_game, Start: start, Join: join, Prefer: prefer, Leave: leave, Assign: assign, Vacate: vacate},
    gm_only=(Open, Start, Assign, Vacate),
    grave=(Assign, Vacate),
    follow={ev.PlayerJoined: _seat_taken, ev.SeatVacated: _left, ev.SettingChanged: _changed},
    clock=OwnClock(begins, events_due, stage=Stage.OPEN),
)
