"""The Gamemaster's office: a deputy for a while, and another Gamemaster for good.

A deputy does all that the Gamemaster may, until the day named; each act is logged under both names. The game changes
hands only when the one who gives it and the one who takes it both say so; the operator may say it for either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.acts.declared import Act, May
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Command, Context, Decision, Refusal, Role
from judge.game.core.model import Game
from judge.game.core.parts import Deputy
from judge.languages import tell, together
from judge.mail.queries import ForPerson
from judge.mail.vocabulary.clauses import ADDRESS, alone, missing, plain, read_when
from judge.mail.vocabulary.model import ANYONE, Clause, Reading, Unclear, Verb, VerbOfGm
from judge.report.core.audience import CONCERNED, FORMER, PUBLIC, Batch
from judge.report.core.letter import Letter, Reader, moment
from judge.report.table.news import News, news
from judge.report.table.repairs import office_state, to_others

LONGEST = timedelta(days=92)
"""A deputy is for a while; who stays away longer hands the game over."""


@dataclass(frozen=True, slots=True)
class Deputize(Command):
    """Let a registered person act for the Gamemaster until a moment."""

    person: int
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DeputyNamed(ev.Event, told="person,until"):
    """`person` acts for the Gamemaster until `until`."""

    person: int
    until: datetime


def _read_deputy(clause: Clause) -> Reading:
    """`deputy ADDRESS until DATE`, `deputy off`."""
    if plain(clause.rest).lower() in ("off", "none", "no more", "nobody"):
        return DismissDeputy()
    match = ADDRESS.search(clause.rest)
    until = re.search(r"\b(?:until|till|to)\s+(.+)$", clause.rest, re.IGNORECASE)
    if match is None or until is None:
        return _no_deputy(clause, match[1] if match else "", plain(until[1]) if until else "")
    when = read_when(plain(until[1]), clause.around, f"deputy {match[1]} until")
    if not isinstance(when, Unclear):
        return ForPerson(Deputize(0, when), match[1])
    return when if when.candidates else _no_deputy(clause, match[1], "", when.sentence)


def _no_deputy(clause: Clause, address: str, until: str, why: str = "") -> Unclear:
    """A line that names no deputy, or no day: the example has what was written, and in a week where no day was."""
    day = clause.around.now.astimezone(clause.around.zone) + timedelta(days=7)
    line = f"deputy {address or 'deputy@judge.test'} until {until or f'{day.day} {day:%B %Y}'}"
    if why:
        return Unclear("no-date", together(why, tell("Write it like this: {line}", line=line)))
    return missing(
        tell("The day") if address else tell("The address") if until else tell("The address or the date"), line
    )


def _deputize(game: Game, command: Deputize, context: Context) -> Decision | Refusal:
    """Name a deputy; only the Gamemaster can."""
    if (refusal := _unfit(game, context, command.person)) is not None:
        return refusal
    if command.until <= context.now:
        return Refusal("in-the-past", tell("That moment has passed already."))
    if command.until - context.now > LONGEST:
        return Refusal(
            "too-long", tell("A deputy is for three months at most; after that, hand the game over."), "hand over"
        )
    event = DeputyNamed(at=context.now, by=context.seat, person=command.person, until=command.until)
    return Decision(
        (event,), said=tell("Your deputy may act for you in {game} until then, and everybody is told.", game=game.key)
    )


def _unfit(game: Game, context: Context, person: int) -> Refusal | None:
    if context.actor.deputy:
        return Refusal("deputy", tell("That is for the Gamemaster in person to decide."))
    if game.seat_played_by(person, context.now) is not None:
        return Refusal("plays", tell("That person plays in {game}.", game=game.key))
    if person == game.gm:
        return Refusal("already", tell("That person is the Gamemaster of {game}.", game=game.key))
    return None


def _deputy_named(batch: Batch, event: DeputyNamed, reader: Reader) -> Iterator[News]:
    if reader.member.person != event.person:  # a letter of their own says it
        yield news("deputy", 5, name=batch.cast.member(event.person).name, until=moment(batch.after, event.until))


@dataclass(frozen=True, slots=True)
class DismissDeputy(Command):
    """The deputy acts no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeputyDismissed(ev.Event, told="person"):
    """The term of the deputy `person` is over."""

    person: int


def _dismiss(game: Game, command: DismissDeputy, context: Context) -> Decision | Refusal:
    """End the deputy's term before its day; refused where there is no deputy."""
    if game.deputy is None or game.deputy.until < context.now:
        return Refusal("no-deputy", tell("Nobody acts for the Gamemaster of {game}.", game=game.key))
    event = DeputyDismissed(at=context.now, by=context.seat, person=game.deputy.person)
    return Decision((event,), said=tell("Nobody acts for you any more."))


def _deputy_again(act: DeputyDismissed, before: Callable[[], Game]) -> Command | None:
    deputy = before().deputy
    return Deputize(deputy.person, deputy.until) if deputy else None


@dataclass(frozen=True, slots=True)
class HandOver(Command):
    """Offer the game to a registered person."""

    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOffered(ev.Event, told="person"):
    """The Gamemaster would give the game to `person`."""

    person: int


def _read_hand_over(clause: Clause) -> Reading:
    match = ADDRESS.search(clause.rest)
    return (
        ForPerson(HandOver(0), match[1]) if match else missing(tell("The address"), "hand over to carla@players.test")
    )


def _hand_over(game: Game, command: HandOver, context: Context) -> Decision | Refusal:
    """Offer the game to somebody, who then adopts it."""
    if (refusal := _unfit(game, context, command.person)) is not None:
        return refusal
    event = GameOffered(at=context.now, by=context.seat, person=command.person)
    return Decision(
        (event,), said=tell("{game} is offered; it changes hands when the other Gamemaster answers: yes", game=game.key)
    )


@dataclass(frozen=True, slots=True)
class WithdrawOffer(Command):
    """The game is offered to nobody."""


def _withdraw_offer(game: Game, command: WithdrawOffer, context: Context) -> Decision | Refusal:
    """Take back the offer of the game to another Gamemaster; refused where there is none."""
    if not game.heir:
        return Refusal("no-offer", tell("{game} is not offered to anybody now.", game=game.key))
    return Decision(
        (GameOffered(at=context.now, by=context.seat, person=0),),
        said=tell("{game} is not offered to anybody now.", game=game.key),
    )


@dataclass(frozen=True, slots=True)
class Adopt(Command):
    """Take over a game that was offered, as its Gamemaster. The operator names the `person`."""

    person: int = 0


def _adopt(game: Game, command: Adopt, context: Context) -> Decision | Refusal:
    """Become the Gamemaster of a game that was offered, or for which the operator found nobody else."""
    actor = context.actor  # a deputy to whom the game is offered takes it in their own name
    person = command.person if actor.role is Role.OPERATOR else actor.deputy or actor.person
    if actor.role is not Role.OPERATOR and game.heir != person:
        return Refusal(
            "not-offered",
            tell("{game} was not offered to you; its Gamemaster would have to hand it over.", game=game.key),
        )
    if person == game.gm:
        return Refusal("already", tell("That person is the Gamemaster of {game}.", game=game.key))
    if game.seat_played_by(person, context.now) is not None:
        return Refusal(
            "gm-plays", tell("A Gamemaster does not play in a game of their own; leave it first."), mend="leave"
        )
    event = ev.GamemasterChanged(
        at=context.now,
        by=context.seat or str(context.actor.role),
        person=person,
        before=game.gm,
        tenure=game.gm_tenure + 1,
    )
    return Decision((event,), said=tell("{game} is yours to run.", game=game.key))


def _gm_changed(batch: Batch, event: ev.GamemasterChanged, reader: Reader) -> Iterator[News]:
    if reader.seat == GM_SEAT:
        before = batch.before
        deputy = before.deputy.person if before is not None and before.deputy is not None else 0
        name = batch.cast.member(deputy).name if deputy and deputy != event.person else ""
        yield news("gm-you", 9, game=batch.after.key, state=office_state(batch.after), deputy=name)
    else:
        yield news("gm-changed", 7, game=batch.after.key, name=batch.cast.member(event.person).name)


def _letters(
    batch: Batch, seq: int, event: DeputyNamed | DeputyDismissed | GameOffered | ev.GamemasterChanged
) -> Iterator[Letter]:
    """To a deputy, to whom the game is offered, and to those whose office or offer has gone: how the game stands."""
    yield from to_others(batch, seq, event, dict(_told(batch, event)))


def _told(batch: Batch, event: ev.Event) -> Iterator[tuple[int, News]]:
    """(person, what they are told); the later of two for one person holds."""
    before, game = batch.before, {"game": batch.after.key}
    deputy = before.deputy.person if before is not None and before.deputy is not None else 0
    heir = before.heir if before is not None else 0
    if not isinstance(event, GameOffered):
        yield deputy, news("office-deputy-over", 0, **game)
    if isinstance(event, (GameOffered, ev.GamemasterChanged)) and heir != event.person:
        yield heir, news("office-offer-over", 0, **game)
    if isinstance(event, DeputyNamed):
        facts = {**game, "until": moment(batch.after, event.until), "state": office_state(batch.after)}
        yield event.person, news("office-deputy", 0, **facts)
    elif isinstance(event, GameOffered):
        yield event.person, news("office-offered", 0, **game, state=office_state(batch.after))
    elif isinstance(event, ev.GamemasterChanged):
        if deputy == event.person:
            yield deputy, news("office-deputy-over", 0, **game)
        yield event.before, news("office-over", 0, **game)


ACTS = (
    Act(
        Deputize,
        DeputyNamed,
        _deputize,
        lambda game, event: replace(game, deputy=Deputy(event.person, event.until)),
        May.GRAVE,
        VerbOfGm(
            "deputy",
            words=("deputy", "my deputy", "appoint deputy", "set deputy"),
            summary="Let somebody act for you until a day; all that they do is logged under both names.",
            usage=("deputy ADDRESS until DATE", "deputy off"),
            example="deputy deputy@judge.test until 5 May 2027",
            read=_read_deputy,
            risky=True,
            topic="deputies",
            after="headline",
        ),
        undo=lambda act, before: DismissDeputy(),
        told=PUBLIC | CONCERNED,
        news=_deputy_named,
        letters=_letters,
    ),
    Act(
        DismissDeputy,
        DeputyDismissed,
        _dismiss,
        lambda game, event: replace(game, deputy=None),
        May.GM,
        undo=_deputy_again,
        told=PUBLIC | CONCERNED,
        news=lambda batch, event, reader: iter((news("deputy-dismissed", 5),)),
        letters=_letters,
    ),
    Act(
        HandOver,
        GameOffered,
        _hand_over,
        lambda game, event: replace(game, heir=event.person),
        May.GRAVE,
        VerbOfGm(
            "hand over",
            words=("hand over", "handover", "hand over to"),
            summary="Offer the game to another Gamemaster, who takes it with `adopt`.",
            usage=("hand over to ADDRESS",),
            example="hand over to carla@players.test",
            read=_read_hand_over,
            risky=True,
            topic="deputies",
            after="editor",
        ),
        undo=lambda act, before: WithdrawOffer(),
        told=CONCERNED | FORMER,
        letters=_letters,
    ),
    Act(WithdrawOffer, GameOffered, _withdraw_offer, may=May.GM),
    Act(
        Adopt,
        ev.GamemasterChanged,
        _adopt,
        lambda game, event: replace(game, gm=event.person, gm_tenure=event.tenure, heir=0, deputy=None),
        verb=Verb(
            "adopt",
            words=("adopt", "adopt game", "takeover master"),
            summary="Become the Gamemaster of a game that was offered to you.",
            usage=("adopt", "adopt GAME"),
            example="adopt",
            read=alone(Adopt(), "adopt"),
            roles=ANYONE,
            risky=True,
            topic="deputies",
            after="hand over",
        ),
        told=PUBLIC | FORMER,
        news=_gm_changed,
        letters=_letters,
    ),
)
