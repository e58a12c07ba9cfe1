"""Somebody else plays for a player: a substitute for a while, and the seat stays the player's own; a proxy for one
phase, where the house rules allow it (DATC 4.E.5).

A player says until when they look for one; whoever takes it files orders and writes press in their name until that day,
or until either of them ends it. What is for the player in person stays with them: votes, their diary, the press of
before, and to give the seat up. It is bound to the player's tenure, so that it ends with it.

A proxy is bound to the phase and to the tenure of its holder, so that it ends by itself when either does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from judge.game.clock import ladder
from judge.game.core import events as ev
from judge.game.core.commands import (
    Actor,
    Clear,
    Command,
    Context,
    Decision,
    OrderLine,
    Refusal,
    Role,
    SendPress,
    Submit,
    Wait,
    over,
)
from judge.game.core.events import Event, OrdersFiled
from judge.game.core.evolve import Feature, OwnClock
from judge.game.core.model import Game, Running, Stage
from judge.game.core.parts import Proxy, Seat, Substitute
from judge.game.filing.advance import ClearKept, phase_to_come
from judge.game.filing.kept import MakePlan, UsePlan
from judge.game.filing.sheets import any_taken, filed_by
from judge.game.filing.submitting import Do, DropLine, SameAgain, Undo, submit
from judge.game.table.vacancies import may_come
from judge.game.talk.press import RecallPress
from judge.languages import moment_mark, tell

LONGEST = timedelta(days=60)
"""Who stays away longer gives the seat up."""


@dataclass(frozen=True, slots=True)
class SeekSubstitute(Command):
    """Look for somebody who plays in one's place until a moment."""

    until: datetime


@dataclass(frozen=True, slots=True)
class BeSubstitute(Command):
    """Play for the player of a power who looks for somebody; empty: the only one. The Gamemaster names the `person`."""

    power: str = ""
    person: int = 0


@dataclass(frozen=True, slots=True)
class EndSubstitute(Command):
    """The player plays again, or looks for nobody any more; a substitute gives it back. The Gamemaster names the
    `power`.
    """

    power: str = ""


OF_A_SUBSTITUTE = (
    Submit, Clear, ClearKept, DropLine, Do, SameAgain, Wait, SendPress, RecallPress, MakePlan, UsePlan, Undo,
    EndSubstitute,
)  # fmt: skip
"""What a substitute may do in the player's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteSought(ev.Event, told="seat,until"):
    """The player of `seat` looks for somebody who plays for them until `until`."""

    seat: str
    tenure: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteFound(ev.Event, told="seat,person,until"):
    """`person` plays for the player of `seat` until `until`."""

    seat: str
    person: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteEnded(ev.Event, told="seat,person,why"):
    """Nobody plays for the player of `seat` any more; `person`: who did, 0 where nobody had come; `why`: "withdrawn",
    "date", "given-up"; "left", where the player did, and "ended", where the game has.
    """

    seat: str
    person: int
    why: str


def line_to_take(game: Game, seat: Seat) -> str:
    """The line with which somebody becomes a seat's substitute."""
    return f"substitute for {seat.powers[0].title()} in {game.key}"


def not_for_substitutes(command: Command, context: Context) -> Refusal | None:
    """Why a substitute may not do this; None where they may, and for everybody else."""
    actor = context.actor
    if not actor.deputy or actor.role is not Role.PLAYER or isinstance(command, OF_A_SUBSTITUTE):
        return None
    sentence = tell("That is for the player in person. A substitute orders, says ready or wait, and writes press.")
    return Refusal("substitute", tell("{sentence} `substitute off` gives the seat back to them.", sentence=sentence))


def seek(game: Game, command: SeekSubstitute, context: Context) -> Decision | Refusal:
    """Say until when one looks for a substitute; a second time, until another day."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.practice is not None:
        return Refusal("private", tell("{game} is a practice game, which one person plays alone.", game=game.key))
    seat = game.seats.get(context.seat)
    if seat is not None and game.stage is not Stage.RUNNING:
        return Refusal(
            "not-running", tell("{game} has not begun: there is nothing yet that somebody could play.", game=game.key)
        )
    if context.actor.role is not Role.PLAYER or seat is None or seat not in game.active_seats:
        return Refusal(
            "no-seat", tell("Only the players of {game} who are still in it look for a substitute.", game=game.key)
        )
    if command.until <= context.now:
        return Refusal("in-the-past", tell("That moment has passed already."))
    if command.until - context.now > LONGEST:
        sentence = tell(
            "A substitute plays for {days} days at most; whoever stays away longer gives the seat up.",
            days=LONGEST.days,
        )
        return Refusal("too-long", sentence, mend="leave")
    known = seat.substitute_at(context.now)
    if known is not None and known.person:
        return Refusal("has-one", tell("Somebody plays for you already; end that first."), mend="substitute off")
    event = SubstituteSought(
        at=context.now, by=context.seat, seat=seat.id, tenure=seat.tenure, until=command.until
    )  # fmt: skip
    return Decision(
        (event,),
        said=tell(
            "Noted: the Gamemaster reads it, and whoever waits for a power is asked. Until "
            "somebody takes it you play yourself, and the seat stays yours. `substitute off` "
            "calls it off."
        ),
    )


def be(game: Game, command: BeSubstitute, context: Context) -> Decision | Refusal:
    """Take a player's place for the time that they named."""
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", tell("{game} is not running.", game=game.key), mend="list")
    named = context.actor.role in (Role.GM, Role.OPERATOR)
    person = command.person if named else context.actor.person
    if named and not person:
        example = "substitute for France by anna@example.org"
        return Refusal(
            "whom", tell("Whoever runs a game does not play in it; say who shall: `{example}`.", example=example)
        )
    if (refusal := _unfit(game, person, context, named=named)) is not None:
        return refusal
    seat = _open(game, command.power, context.now)
    if isinstance(seat, Refusal):
        return seat
    until = seat.substitute.until if seat.substitute is not None else context.now
    when = tell("until {at}", at=moment_mark(until))
    event = SubstituteFound(at=context.now, by=context.seat, seat=seat.id, person=person, until=until)
    whose = game.named(seat.powers)
    said = (
        tell("They play {whose} {when}.", whose=whose, when=when)
        if named
        else tell("You play {whose} in {game} for its player {when}.", whose=whose, game=game.key, when=when)
    )
    return Decision((event,), said=said)


def _unfit(game: Game, person: int, context: Context, *, named: bool) -> Refusal | None:
    if not person:
        return Refusal("who", tell("I do not know you yet."), mend="register")
    if person == game.gm or game.is_deputy(person, context.now):
        return Refusal("gm-plays", tell("Whoever runs a game does not play in it."))
    if game.seat_played_by(person, context.now) is not None:
        return Refusal(
            "already-in", tell("Whoever plays in {game} already plays no second power there.", game=game.key)
        )
    if person in game.barred:
        return Refusal("barred", tell("The Gamemaster has removed that person from a seat."))
    if not named and not may_come(game, person):
        sentence = tell("In {game} the Gamemaster says who plays. Stand by there, and write to them.", game=game.key)
        return Refusal("private", sentence, mend=f"standby {game.key}")
    return None


def _open(game: Game, power: str, now: datetime) -> Seat | Refusal:
    """The seat whose player still looks for somebody."""
    free = [seat for seat in game.seats.values() if (one := seat.substitute_at(now)) is not None and not one.person]
    meant = [seat for seat in free if power in seat.powers] if power else free
    if len(meant) == 1:
        return meant[0]
    if not meant:
        said = (
            tell("{power} looks for no substitute in {game} now.", power=game.board.powers[power].told, game=game.key)
            if power
            else tell("Nobody looks for a substitute in {game}.", game=game.key)
        )
        return Refusal("not-sought", said, mend=f"status {game.key}")
    names = [power for seat in meant for power in seat.powers]
    return Refusal(
        "which-power",
        tell("{named} look for one; say which.", named=game.named(names)),
        mend=line_to_take(game, meant[0]),
    )


def end(game: Game, command: EndSubstitute, context: Context) -> Decision | Refusal:
    """The player plays again, or looks for nobody any more."""
    gm = context.actor.role in (Role.GM, Role.OPERATOR)
    if gm and not command.power:
        return Refusal("no-power", tell("Say whose substitute you mean."), mend="substitute off France")
    seat = game.seat_of(command.power) if gm else game.seats.get(context.seat)
    known = seat.substitute_at(context.now) if seat is not None else None
    if seat is None or known is None:
        return Refusal("no-substitute", tell("No substitute plays, and none is looked for."))
    why = "given-up" if context.actor.deputy and not gm else "withdrawn"
    event = SubstituteEnded(at=context.now, by=context.seat, seat=seat.id, person=known.person, why=why)
    name = game.named(seat.powers)
    if not known.person:
        return Decision(
            (event,), said=tell("No substitute is looked for any more; {name} is played as before.", name=name)
        )
    return Decision(
        (event,), said=tell("{name} is played by its own player again. Orders on file stay there.", name=name)
    )


# --- the clock ----------------------------------------------------------------------------------------------------


def next_moment(game: Game) -> datetime | None:
    """When the first of those who look for somebody, or have somebody, plays again."""
    if game.stage is not Stage.RUNNING:
        return None
    return min((seat.substitute.until for seat in game.seats.values() if seat.substitute is not None), default=None)


def events_due(game: Game, now: datetime, lot: object) -> tuple[ev.Event, ...]:
    """The day has come on which a player plays again."""
    seats = game.seats.values() if game.stage is Stage.RUNNING else ()
    over = [(seat, one) for seat in seats if (one := seat.substitute) is not None and one.until <= now]
    return tuple(
        _over(seat, now, "date" if one.tenure == seat.tenure and seat.filled else "left") for seat, one in over
    )


# --- what ends it by itself ---------------------------------------------------------------------------------------


def _left(game: Game, event: ev.SeatVacated) -> tuple[ev.Event, ...]:
    """The player has given the seat up, or lost it."""
    seat = game.seats.get(event.seat)
    return (_over(seat, event.at, "left"),) if seat is not None and seat.substitute is not None else ()


def _game_over(game: Game, event: ev.GameEnded) -> tuple[ev.Event, ...]:
    """Nothing is left to be played."""
    return tuple(_over(seat, event.at, "ended") for seat in game.seats.values() if seat.substitute is not None)


def _over(seat: Seat, now: datetime, why: str) -> SubstituteEnded:
    person = seat.substitute.person if seat.substitute is not None else 0
    return SubstituteEnded(at=now, seat=seat.id, person=person, why=why)


# --- state --------------------------------------------------------------------------------------------------------


def _sought(game: Game, event: SubstituteSought) -> Game:
    return _with(game, event.seat, Substitute(0, event.until, event.tenure))


def _found(game: Game, event: SubstituteFound) -> Game:
    return _with(game, event.seat, Substitute(event.person, event.until, game.seats[event.seat].tenure))


def _ended(game: Game, event: SubstituteEnded) -> Game:
    return _with(game, event.seat, None)


def _with(game: Game, seat: str, one: Substitute | None) -> Game:
    return replace(game, seats=MappingProxyType({**game.seats, seat: replace(game.seats[seat], substitute=one)}))


@dataclass(frozen=True, slots=True)
class GiveProxy(Command):
    """Let the player of a power order one's units in the present phase; empty: nobody any more."""

    power: str = ""


@dataclass(frozen=True, slots=True)
class OrderByProxy(Command):
    """Orders that the holder of a proxy files for a power; its player gets the whole set."""

    power: str
    lines: tuple[OrderLine, ...]
    replace: bool = False
    turn: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyGiven(Event, told="seat,holder"):
    """The seat `seat` lets the seat `holder`, in this tenure, order its units in `phase`; `holder` "": nobody."""

    seat: str
    holder: str
    tenure: int
    phase: str


def proxy_of(game: Game, seat: Seat) -> Proxy | None:
    """The proxy that a seat has given, if it holds still."""
    proxy = seat.proxy
    if proxy is None or not game.settings.proxy or proxy.phase != str(game.phase):
        return None
    holder = game.seats.get(proxy.holder)
    return proxy if holder is not None and holder.filled and holder.tenure == proxy.tenure else None


def holds_proxy(game: Game, actor: Actor, power: str) -> bool:
    """Whether a player may order for a power that is not theirs."""
    seat = game.seat_of(power) if power else None
    if seat is None or actor.role is not Role.PLAYER or seat.id == actor.seat:
        return False
    proxy = proxy_of(game, seat)
    return proxy is not None and proxy.holder == actor.seat


def give_proxy(game: Game, command: GiveProxy, context: Context) -> Decision | Refusal:
    """Give one's proxy, give it to another, or take it back."""
    if (closed := _closed(game)) is not None:
        return closed
    seat = game.seats.get(context.seat)
    if context.actor.role is not Role.PLAYER or seat is None or not set(seat.powers) & set(game.survivors):
        return Refusal("no-seat", tell("Only the players of {game} who have units can give a proxy.", game=game.key))
    given = proxy_of(game, seat)
    if not command.power:
        return _taken_back(game, seat, given, context.now)
    name = game.board.powers[command.power].told
    if command.power in seat.powers:
        return Refusal("own-power", tell("You order your own units anyway; give the proxy to another power."))
    holder = game.seat_of(command.power)
    if holder is None or not holder.filled:
        return Refusal("vacant", tell("{name} has no player, so nobody could use your proxy.", name=name))
    if holder not in game.active_seats:
        return Refusal("out", tell("{name} is out of the game; give the proxy to a power that plays.", name=name))
    said = tell(
        "Until {title} is processed, {name} may file orders for you. `proxy off` ends it.",
        title=_title(game),
        name=name,
    )
    if given is not None and given.holder == holder.id:
        return Decision(said=said)
    event = ProxyGiven(
        at=context.now, by=seat.id, seat=seat.id, holder=holder.id, tenure=holder.tenure, phase=str(game.phase)
    )
    return Decision((event,), said=said)


def _taken_back(game: Game, seat: Seat, given: Proxy | None, now: datetime) -> Decision | Refusal:
    if given is None:
        return Refusal("no-proxy", tell("You have given no proxy that could end."))
    event = ProxyGiven(at=now, by=seat.id, seat=seat.id, holder="", tenure=0, phase=str(game.phase))
    return Decision((event,), said=tell("Your proxy has ended. The orders on file stay there until you send new ones."))


def _closed(game: Game) -> Refusal | None:
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", tell("{game} is not running; there is nothing to order yet.", game=game.key))
    if not game.settings.proxy:
        return Refusal(
            "no-proxies", tell("{game} is played without proxies: all players order their own units.", game=game.key)
        )
    return None


def _title(game: Game) -> str:
    return game.phase_title


def order_by_proxy(game: Running, command: OrderByProxy, context: Context) -> Decision | Refusal:
    """File orders for a power under the holder's name. What was on file before stays hidden from them."""
    name = game.board.powers[command.power].told
    seat = game.seat_of(command.power)
    if seat is None or not holds_proxy(game, context.actor, command.power):
        return Refusal("no-proxy", tell("You hold no proxy of {name}.", name=name))
    if command.turn and phase_to_come(game, command.turn) is not None:
        return Refusal(
            "wrong-phase",
            tell("The proxy of {name} is for {title} alone. Nothing was changed.", name=name, title=_title(game)),
        )
    owner = Actor(Role.PLAYER, seat.id, seat.person or 0, context.actor.mail)
    if ladder.is_frozen(game, seat.id):
        return ladder.FROZEN
    wanted = Submit(command.lines, command.power, replace=command.replace, turn=command.turn)
    decision = submit(game, wanted, replace(context, actor=owner), unseen=True)
    if isinstance(decision, Refusal):
        return decision
    if not any_taken(decision):
        return replace(decision, events=())  # their slips are asked back from them, and are no faults of the owner
    events = tuple(
        filed_by(game, event, context.seat) if isinstance(event, OrdersFiled) else event for event in decision.events
    )
    return replace(decision, events=events, said=tell("Filed for {name}; its player gets a copy.", name=name))


def filed_by_proxy(game: Game, event: OrdersFiled) -> bool:
    """Whether somebody else filed these orders than the player whose units they are for: another player, or their
    substitute.
    """
    return event.by in game.seats and (bool(event.deputy) or event.power not in game.seats[event.by].powers)


def _given(game: Game, event: ProxyGiven) -> Game:
    proxy = Proxy(event.holder, event.tenure, event.phase) if event.holder else None
    seat = replace(game.seats[event.seat], proxy=proxy)
    return replace(game, seats=MappingProxyType({**game.seats, event.seat: seat}))


FEATURE = Feature(
    evolve={
        SubstituteSought: _sought,
        SubstituteFound: _found,
        SubstituteEnded: _ended,
        ProxyGiven: _given,
    },
    decide={
        SeekSubstitute: seek,
        BeSubstitute: be,
        EndSubstitute: end,
        GiveProxy: give_proxy,
        OrderByProxy: order_by_proxy,
    },
    undo={
        SubstituteFound: ("Everybody has read who plays; `substitute off` with the power ends it", "help substitutes"),
        SubstituteEnded: ("The player plays again, and has read it", "help substitutes"),
    },
    follow={ev.SeatVacated: _left, ev.GameEnded: _game_over},
    clock=OwnClock(next_moment, events_due, stage=Stage.RUNNING),
)
