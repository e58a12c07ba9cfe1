"""Vacant seats of a running game: claiming one, returning to one, excuses for force majeure, civil disorder (XIV).

Tickets of invitations: whether one is good, and how it ends.

Invitations: leave to sit down, given by the Gamemaster to whoever answers a letter.

The log holds tickets and no addresses: a ticket is known to the judge and to the reader of its letter alone. An
invitation goes before every condition that a game sets to those who come by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.game.clock.schedule import GraceMoved, Opened, moved, next_deadline
from judge.game.core import events as ev
from judge.game.core.commands import Actor, Command, Context, Decision, Refusal, over
from judge.game.core.events import Event
from judge.game.core.evolve import Feature, with_seat
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Invitation, Seat
from judge.languages import tell
from judge.pace import later, spell_span, zone_info


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersInvited(ev.Event, told="count,until"):
    """Letters with these tickets went out; `count` of them."""

    tickets: tuple[str, ...]
    count: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationsEnded(ev.Event, told="count,why"):
    """These tickets are used up. `why`: "accepted", "declined", "withdrawn"."""

    tickets: tuple[str, ...]
    count: int
    why: str


def is_invited(game: Game, ticket: str, now: datetime) -> bool:
    """Whether this ticket is good now."""
    found = game.gathering.invitations.get(ticket)
    return found is not None and found.state == "open" and now <= found.until


def used(ticket: str, at: datetime, why: str, by: str) -> InvitationsEnded:
    """The end of one invitation."""
    return InvitationsEnded(at=at, by=by, tickets=(ticket,), count=1, why=why)


def _invited(game: Game, event: PlayersInvited) -> Game:
    from_now = {ticket: Invitation(event.until) for ticket in event.tickets}
    return _with(game, {**game.gathering.invitations, **from_now})


def _ended(game: Game, event: InvitationsEnded) -> Game:
    known = game.gathering.invitations
    over = {ticket: replace(known[ticket], state=event.why) for ticket in event.tickets if ticket in known}
    return _with(game, {**known, **over})


def _with(game: Game, invitations: dict[str, Invitation]) -> Game:
    return altered(game, gathering=replace(game.gathering, invitations=MappingProxyType(invitations)))


RETURN_TIME = timedelta(hours=24)
"""What somebody who comes back has to send their orders: enough for that, too short to play for time."""


@dataclass(frozen=True, slots=True)
class Claim(Command):
    """Take a vacant power of a running game; empty: the only one. `ticket`: of an invitation, if there is one."""

    power: str = ""
    ticket: str = ""


@dataclass(frozen=True, slots=True)
class Excuse(Command):
    """Forces of nature: what a player missed does not count, and the schedule is adjusted."""

    power: str
    by: timedelta | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerExcused(ev.Event, told="person,seat,reason"):
    """What a player missed does not count. `seat`: where, `person`: who."""

    seat: str
    person: int
    reason: str = ""


def vacant_seats(game: Game) -> tuple[Seat, ...]:
    """Seats without a player whose power is still in the game."""
    alive = set(game.survivors)
    return tuple(seat for seat in game.seats.values() if not seat.filled and alive.intersection(seat.powers))


def claim(game: Game, command: Claim, context: Context) -> Decision | Refusal:
    """Take the seat of a vacant power; refused where there is none, or who claims may not have it."""
    invited = is_invited(game, command.ticket, context.now)
    if (refusal := _may_not_claim(game, context.actor, invited=invited)) is not None:
        return refusal
    seat = _wanted(game, command.power or _own_power(game, context.actor.person))
    if isinstance(seat, Refusal):
        return seat
    result = _claimed(game, seat, context)
    if not invited or isinstance(result, Refusal):
        return result
    return replace(result, events=(*result.events, used(command.ticket, context.now, "accepted", seat.id)))


def _claimed(game: Game, seat: Seat, context: Context) -> Decision | Refusal:
    """Somebody who may claim takes a vacant seat, unless they have come back once before."""
    if _left_by(seat, context.actor.person):
        return Decision(
            take_over(game, seat, context.actor.person, context.now, by=seat.id, resumes=True), said=_said(game, seat)
        )
    returning = any(context.actor.person in other.past for other in game.seats.values())
    if returning and game.returns.get(context.actor.person, 0) >= 1:
        return Refusal(
            "returned-once",
            tell("You have come back to {game} once already; the house rules allow that only once.", game=game.key),
            clause="4B",
        )
    return Decision(
        take_over(game, seat, context.actor.person, context.now, by=seat.id, returning=returning),
        said=_said(game, seat),
    )


def _left_by(seat: Seat, person: int) -> bool:
    """Whether a person gave this seat up and nobody has sat there since: they may have it back."""
    return not seat.filled and bool(seat.terms) and (seat.terms[-1].person, seat.terms[-1].why) == (person, "left")


def take_over(
    game: Game,
    seat: Seat,
    person: int,
    now: datetime,
    *,
    by: str,
    returning: bool = False,
    resumes: bool = False,
) -> tuple[ev.Event, ...]:
    """A vacant seat gets a player: a newcomer with time to get acquainted, somebody returning with a day.

    `resumes`: its last player takes back that they gave it up, which is no return.
    """
    tenure = game.tenures.get(seat.id, seat.tenure) + 1
    known = returning or resumes
    filled = ev.SeatFilled(
        at=now, by=by, seat=seat.id, person=person, tenure=tenure, returning=returning, offer=not known
    )
    if not isinstance(game, Running) or now < game.deadline.at:
        return (filled,)
    if not known:
        return filled, fair_start(game, now)
    if game.terms.nmr != "grace" or not game.deadline.called:
        return (filled,)
    until = max(now + RETURN_TIME, game.deadline.grace or now)
    return filled, GraceMoved(at=now, until=until, version=game.deadline.version, why="returned")


def fair_start(game: Running, now: datetime) -> ev.DeadlineSet:
    """A replacement who comes when the deadline has passed gets a whole phase to think."""
    landed = next_deadline(game, Opened(now, slipped=True, planned=game.deadline.planned))
    return ev.DeadlineSet(
        at=now,
        phase=str(game.position.phase),
        deadline=landed.at,
        version=game.deadline.version + 1,
        why="replacement",
        beyond=landed.beyond,
        holidays=landed.holidays,
    )


def _may_not_claim(game: Game, actor: Actor, *, invited: bool) -> Refusal | None:
    if game.stage is Stage.OPEN:
        return Refusal(
            "not-running",
            tell("{game} has not begun; there are seats to join.", game=game.key),
            mend=f"join {game.key}",
        )
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", tell("{game} is not running.", game=game.key), mend="list")
    if not actor.person:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    if actor.person == game.gm:
        return Refusal("gm-plays", tell("A Gamemaster does not play in a game of their own."))
    if game.seat_held_by(actor.person) is not None:
        return Refusal("already-in", tell("You play in {game} already.", game=game.key))
    if actor.person in game.barred:
        return Refusal(
            "barred", tell("The Gamemaster has removed you from your seat; only they can give you one again.")
        )
    return None if invited or may_come(game, actor.person) else _private(game)


def may_come(game: Game, person: int) -> bool:
    """Whether somebody may take a vacant power unasked: of an open table, or of one where they sat or waited before."""
    if person in game.gathering.turned_away:
        return False
    if game.settings.access == "open" or any(one.person == person for one in game.gathering.reserve):
        return True
    return any(person in seat.past for seat in game.seats.values())


def _private(game: Game) -> Refusal:
    sentence = tell(
        "In {game} the Gamemaster says who plays. Stand by there, and they read that you "
        "would like a power when one is vacant; it is then theirs to give.",
        game=game.key,
    )
    return Refusal("private", sentence, mend=f"standby {game.key}")


def _wanted(game: Game, power: str) -> Seat | Refusal:
    """The seat that a claim means."""
    empty = vacant_seats(game)
    if power:
        seat = game.seat_of(power)
        if seat is not None and seat in empty:
            return seat
        sentence = tell(
            "{power} in {game} has a player."
            if seat is not None and seat.filled
            else "{power} in {game} is not available.",
            power=game.board.powers[power].told,
            game=game.key,
        )
        return Refusal("taken", sentence, mend=f"standby {game.key}")
    if not empty:
        return Refusal("taken", tell("No power is vacant in {game}.", game=game.key), mend=f"standby {game.key}")
    if len(empty) > 1:
        names = [power for seat in empty for power in seat.powers]
        return Refusal(
            "which-power",
            tell("{named} are vacant; say which.", named=game.named(names)),
            mend=f"claim {game.key} {names[0].title()}",
        )
    return empty[0]


def _own_power(game: Game, person: int) -> str:
    """A power of the vacant seat that somebody held before, which they mean where they name none; "" for none."""
    own = [seat for seat in vacant_seats(game) if person in seat.past]
    return own[0].powers[0] if len(own) == 1 else ""


def _said(game: Game, seat: Seat) -> str:
    return tell("{named} in {game} is yours.", named=game.named(seat.powers), game=game.key)


# --- forces of nature ---------------------------------------------------------------------------------------------


def excuse(game: Game, command: Excuse, context: Context) -> Decision | Refusal:
    """What was missed does not count, the player has their seat again, and there is a new deadline."""
    seat = game.seat_of(command.power)
    if not isinstance(game, Running) or seat is None:
        return Refusal("not-running", tell("{game} is not running.", game=game.key))
    power = game.board.powers[command.power]
    former = seat.terms[-1].person if seat.terms and seat.terms[-1].why == "nmr" else None
    person = former or seat.person
    if person is None:
        return Refusal("vacant", tell("{name} has no player who could be excused.", name=power.told))
    if former is not None and seat.person not in (None, former) and game.settings.begun in seat.begun:
        return Refusal(
            "begun",
            tell(
                "A replacement has begun to play {name}; it is too late to excuse the former player.", name=power.told
            ),
            clause="4B",
        )
    if former is not None and seat.person != former and game.seat_held_by(former) is not None:
        return Refusal("elsewhere", tell("The former player of {name} now plays another power.", name=power.told))
    span = command.by or game.settings.extension_length
    if span > game.settings.max_extension:
        return Refusal(
            "too-long",
            tell("At most {max_extension} at a time.", max_extension=spell_span(game.settings.max_extension)),
        )
    events: list[ev.Event] = []
    if former is not None and seat.person != former:
        events += _give_back(seat, former, context, tenure=game.tenures.get(seat.id, seat.tenure) + 1)
    at = later(max(game.deadline.at, context.now), span, zone_info(game.settings.zone))
    at = max(at, game.deadline.promised)
    events.append(PlayerExcused(at=context.now, by=context.seat, seat=seat.id, person=person, reason=command.reason))
    events.append(moved(game, at, context, why="excused", reason=command.reason))
    return Decision(
        tuple(events),
        said=tell("{name} is excused: this does not count against them, and the deadline is moved.", name=power.told),
    )


def _give_back(seat: Seat, former: int, context: Context, *, tenure: int) -> list[ev.Event]:
    events: list[ev.Event] = []
    if seat.person is not None:
        events.append(ev.SeatVacated(at=context.now, by=context.seat, seat=seat.id, person=seat.person, why="replaced"))
    events.append(ev.SeatFilled(at=context.now, by=context.seat, seat=seat.id, person=former, tenure=tenure))
    return events


def _excused(game: Game, event: PlayerExcused) -> Game:
    """Had they come back by themselves, that return is free."""
    count = game.returns.get(event.person, 0)
    seat = game.seats[event.seat]
    if not count or event.person not in seat.past:
        return game
    return replace(game, returns=MappingProxyType({**game.returns, event.person: count - 1}))


@dataclass(frozen=True, slots=True)
class Disorder(Command):
    """Let a power without a player stand in civil disorder."""

    power: str


@dataclass(frozen=True, slots=True)
class Revive(Command):
    """End the civil disorder of a power: the game waits for a player for it again."""

    power: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DisorderChanged(Event, told="seat,stands"):
    """A vacant seat's powers stand in civil disorder from now on (`stands`), or do so no longer."""

    seat: str
    stands: bool


def disorder(game: Game, command: Disorder, context: Context) -> Decision | Refusal:
    """Nobody waits for the power's orders any more."""
    seat = _vacant(game, command.power)
    if isinstance(seat, Refusal):
        return seat
    power = game.board.powers[command.power]
    if seat.disorder:
        return Decision(said=tell("{name} is in civil disorder already.", name=power.told))
    event = DisorderChanged(at=context.now, by=context.seat, seat=seat.id, stands=True)
    return Decision(
        (event,),
        said=tell(
            "{name} is in civil disorder until somebody takes it over, or you write: revive {name}", name=power.told
        ),
    )


def revive(game: Game, command: Revive, context: Context) -> Decision | Refusal:
    """The power waits for a player like any other vacant one."""
    seat = _vacant(game, command.power)
    if isinstance(seat, Refusal):
        return seat
    power = game.board.powers[command.power]
    if not seat.disorder:
        return Refusal(
            "no-disorder", tell("{name} is not in civil disorder.", name=power.told), mend=f"disorder {power.name}"
        )
    event = DisorderChanged(at=context.now, by=context.seat, seat=seat.id, stands=False)
    return Decision((event,), said=tell("{name} is vacant again: the game waits for a player for it.", name=power.told))


def _vacant(game: Game, power: str) -> Seat | Refusal:
    """The seat of a power, if it has no player; why not, otherwise."""
    known = game.board.powers[power]
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.RUNNING:
        return Refusal(
            "not-running",
            tell("{game} is not running; before its start write: set unplayed {name}", game=game.key, name=known.told),
        )
    seat = game.seat_of(power)
    if seat is None:
        return Refusal(
            "no-seat",
            tell(
                "Nobody plays {name} in {game}; it is in civil disorder from the start.", name=known.told, game=game.key
            ),
        )
    if seat.filled:
        return Refusal(
            "not-vacant",
            tell("{name} has a player, so it is not in civil disorder.", name=known.told),
            mend=f"vacate {known.name}",
        )
    return seat


def _changed(game: Game, event: DisorderChanged) -> Game:
    return with_seat(game, replace(game.seats[event.seat], disorder=event.stands))


@dataclass(frozen=True, slots=True)
class Invite(Command):
    """Give these tickets out, good until a moment; the service has written them down beside the addresses."""

    tickets: tuple[str, ...]
    until: datetime


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """Take invitations back that nobody has answered yet."""

    tickets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decline(Command):
    """The answer to an invitation was no."""

    ticket: str


def may_invite(game: Game) -> Refusal | None:
    """Why nobody can be invited now; None if somebody can."""
    if game.stage is Stage.FORMING:
        sentence = tell("{game} is not open yet, so nobody could accept. Open it, and invite then.", game=game.key)
        return Refusal("not-open", sentence, mend="open")
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{game} has ended.", game=game.key))
    if game.practice is not None:
        return Refusal(
            "private", tell("{game} is a practice game: one plays it alone, so nobody can be invited.", game=game.key)
        )
    if game.stage is Stage.RUNNING and not vacant_seats(game):
        return Refusal(
            "no-vacancy", tell("{game} is running and no power of it is vacant.", game=game.key), mend="status"
        )
    return None


def invite(game: Game, command: Invite, context: Context) -> Decision | Refusal:
    """Give tickets out; the service says to whom."""
    if (refusal := may_invite(game)) is not None:
        return refusal
    event = PlayersInvited(
        at=context.now, by=context.seat, tickets=command.tickets, count=len(command.tickets), until=command.until
    )
    return Decision((event,))


def withdraw(game: Game, command: Withdraw, context: Context) -> Decision | Refusal:
    """Nobody who answers these any more is seated; those who sit already stay."""
    still = tuple(ticket for ticket in command.tickets if is_invited(game, ticket, context.now))
    if not still:
        return Refusal("answered", tell("Those invitations are answered, or have expired; they cannot be taken back."))
    event = InvitationsEnded(at=context.now, by=context.seat, tickets=still, count=len(still), why="withdrawn")
    how = tell("The invitation is") if len(still) == 1 else tell("{still} invitations are", still=len(still))
    return Decision(
        (event,),
        said=tell("{how} withdrawn: the letters have been sent, but a yes to them gives nobody a seat.", how=how),
    )


def decline(game: Game, command: Decline, context: Context) -> Decision | Refusal:
    """Noted, and told to the Gamemaster."""
    if not is_invited(game, command.ticket, context.now):
        return Refusal("no-invitation", tell("No invitation to {game} waits for your answer.", game=game.key))
    return Decision(
        (used(command.ticket, context.now, "declined", context.seat or "judge"),),
        said=tell("You do not play in {game}; its Gamemaster is told.", game=game.key),
    )


FEATURE = Feature(
    evolve={
        DisorderChanged: _changed,
        PlayerExcused: _excused,
        PlayersInvited: _invited,
        InvitationsEnded: _ended,
    },
    decide={
        Disorder: disorder,
        Revive: revive,
        Claim: claim,
        Excuse: excuse,
        Invite: invite,
        Withdraw: withdraw,
        Decline: decline,
    },
    gm_only=(
        Disorder,
        Revive,
        Excuse,
        Invite,
        Withdraw,
    ),
    undo={
        PlayerExcused: (
            "An excuse cannot be taken back: everybody knows the new deadline. Move it if it is wrong, or vacate the "
            "seat",
            "help deadline",
        ),
        PlayersInvited: lambda act, before: Withdraw(act.tickets),
        InvitationsEnded: ("Invite them again, if that was wrong", "help invite"),
    },
)
