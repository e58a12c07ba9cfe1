"""Who sits where: opening a game, joining, the lot, leaving, being assigned or replaced."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from judge.board.position import position_to_json
from judge.game.clock.schedule import first_deadline
from judge.game.core import events as ev
from judge.game.core.altering import altered
from judge.game.core.commands import GM_SEAT, Actor, Assign, Join, Leave, Open, Prefer, Role, Start, Vacate
from judge.game.core.decision import Context, Decision, Question, Refusal, not_drawn, over
from judge.game.core.evolve import put, with_seat, without
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Seat, Tenure
from judge.game.core.registry import Feature
from judge.game.table import admission
from judge.game.table.deciding import may_open
from judge.game.table.lot import draw
from judge.game.table.places import is_full, noted_for_the_gamemaster, sit_down
from judge.game.table.reserve import place_in_line, put_in_line, step_back, without_hopeful
from judge.game.table.tickets import is_invited, used
from judge.game.table.vacancies import take_over
from judge.languages import tell
from judge.orders.spelled import listed


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
    if not invited and (refusal := admission.refused(game, command, context)) is not None:
        return refusal
    if not invited and game.settings.access == "approval" and not place_in_line(game, person):
        return admission.apply_for_seat(game, command, context)
    if is_full(game):
        return put_in_line(game, person, command.preferences, context)
    joined = sit_down(game, person, command.preferences, context.now)
    accepted = (used(command.ticket, context.now, "accepted", joined.seat),) if invited else ()
    wishes = f" {_noted(game, command.preferences)}" if command.preferences else ""
    return Decision((joined, *accepted), said=tell("Welcome to {game}.{wishes}", game=game.key, wishes=wishes))


def _noted(game: Game, preferences: tuple[tuple[str, ...], ...]) -> str:
    names = [listed((game.board.powers[power].name for power in step), "or") for step in preferences]
    return tell("Noted: you would like to play {fact}.", fact=", then ".join([*names, "any"]))


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
        said += (
            tell(" {names} is vacant now. Your orders are deleted: the next player ", names=names)
            if len(seat.powers) == 1
            else tell(" {names} are vacant now. Your orders are deleted: the next player ", names=names)
        )
        said += tell("must send new orders. ")
        said += tell(
            "Until somebody else takes it you may have it back: claim {powers}",
            powers=game.board.powers[seat.powers[0]].name,
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
        return Refusal("vacant", tell("{powers} has no player.", powers=game.board.powers[command.power].name))
    event = _vacated(seat, seat.person, context, why="removed", reason=command.reason)
    if not seat.powers:
        said = tell(
            "One player fewer: {seats} of {players} have joined {game}. ",
            seats=len(game.seats) - 1,
            players=game.settings.players,
            game=game.key,
        )
        said += tell("They come back only if you `approve` or `invite` them.")
        return Decision((event,), said=said)
    return Decision((event,), said=tell("{power_names} is vacant now.", power_names=_power_names(game, seat)))


def _vacated(seat: Seat, person: int, context: Context, *, why: str, reason: str) -> ev.SeatVacated:
    return ev.SeatVacated(
        at=context.now, by=context.seat or GM_SEAT, seat=seat.id, person=person, why=why, reason=reason
    )


def _power_names(game: Game, seat: Seat) -> str:
    return game.named(seat.powers) or f"seat {seat.id}"


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


FEATURE = Feature(
    evolve={
        ev.PlayerJoined: _joined,
        ev.PreferencesChanged: _preferences,
        ev.SeatVacated: _seat_vacated,
        ev.SeatFilled: _filled,
    },
    decide={Open: open_game, Start: start, Join: join, Prefer: prefer, Leave: leave, Assign: assign, Vacate: vacate},
    gm_only=(Open, Start, Assign, Vacate),
    grave=(Assign, Vacate),
)
