"""`nudge`: the Gamemaster reminds those whose orders are missing, in words of their own. It counts as a reminder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType

from judge.acts.declared import Act, May
from judge.game.clock.ladder import unfinished
from judge.game.core import events as ev
from judge.game.core.commands import Command, Context, Decision, Refusal
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Running
from judge.game.core.parts import Seat
from judge.languages import moment_mark, tell
from judge.mail.vocabulary.clauses import plain
from judge.mail.vocabulary.founding import LONGEST_WORDS
from judge.mail.vocabulary.model import BodyRule, Clause, Reading, Unclear, VerbOfGm
from judge.mail.vocabulary.powers import read_powers
from judge.report.core.audience import CONCERNED, Batch
from judge.report.core.letter import Kind, Letter
from judge.report.core.naming import say
from judge.report.seat.desk import desk, due
from judge.report.table.calls import ReminderView, lacking, missing_orders

BETWEEN_NUDGES = timedelta(hours=12)
"""How long a player is left in peace after a nudge."""


@dataclass(frozen=True, slots=True)
class Nudge(Command):
    """Remind those whose orders are missing, of these powers only if any are named. `words`: the Gamemaster's own."""

    powers: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersNudged(ev.Event, told="seats"):
    """Seats with something missing were reminded by the Gamemaster; `version`: of the deadline."""

    seats: tuple[str, ...]
    version: int
    words: str = ""


def _nudge(game: Game, command: Nudge, context: Context) -> Decision | Refusal:
    """A reminder to whoever is missing, unless nobody is, or they were nudged a short while ago."""
    if not isinstance(game, Running):
        return Refusal("not-running", tell("{game} is not running; no orders are due.", game=game.key), mend="status")
    if game.held_since is not None:
        return Refusal("on-hold", tell("{game} is on hold; no orders are due.", game=game.key), mend="resume")
    missing = tuple(seat for seat in unfinished(game) if seat.filled)
    wanted = _wanted(game, command.powers, missing)
    if isinstance(wanted, Refusal):
        return wanted
    fresh = tuple(seat for seat in wanted if not _in_peace(game, seat, context))
    if not fresh:
        again = min(game.deadline.nudged[seat.id] for seat in wanted) + BETWEEN_NUDGES
        names = _names(game, wanted)
        sentence = (
            tell(
                "{names} were nudged already, and can be again from {again} on.", names=names, again=moment_mark(again)
            )
            if len(wanted) > 1
            else tell(
                "{names} was nudged already, and can be again from {again} on.", names=names, again=moment_mark(again)
            )
        )
        return Refusal("nudged", sentence)
    event = PlayersNudged(
        at=context.now, by=context.seat, seats=tuple(seat.id for seat in fresh), version=game.deadline.version,
        words=command.words,
    )  # fmt: skip
    names = _names(game, fresh)
    said = tell("{names} are reminded", names=names) if len(fresh) > 1 else tell("{names} is reminded", names=names)
    left = [seat for seat in wanted if seat not in fresh]
    return Decision(
        (event,),
        said=tell("{said}; {names} a short while ago.", said=said, names=_names(game, left)) if left else f"{said}.",
    )


def _wanted(game: Running, powers: tuple[str, ...], missing: tuple[Seat, ...]) -> tuple[Seat, ...] | Refusal:
    if not missing:
        return Refusal("nobody-missing", tell("Nobody with a player is missing; everything is in."), mend="status")
    if not powers:
        return missing
    named = tuple(seat for seat in missing if set(powers).intersection(seat.powers))
    if named:
        return named
    seats = [game.seat_of(power) for power in powers]
    vacant = all(seat is None or not seat.filled for seat in seats)
    one = len(powers) == 1
    sentence = tell(
        ("{powers} has no player; missing: {missing}." if one else "{powers} have no player; missing: {missing}.")
        if vacant
        else (
            "{powers} has sent everything that is needed; missing: {missing}."
            if one
            else "{powers} have sent everything that is needed; missing: {missing}."
        ),
        powers=game.named(powers),
        missing=_names(game, missing),
    )
    return Refusal("not-missing", sentence, mend="nudge")


def _in_peace(game: Running, seat: Seat, context: Context) -> bool:
    last = game.deadline.nudged.get(seat.id)
    return last is not None and context.now < last + BETWEEN_NUDGES


def _names(game: Game, seats: tuple[Seat, ...] | list[Seat]) -> str:
    return game.named(power for seat in seats for power in seat.powers)


def _nudged(game: Game, event: PlayersNudged) -> Game:
    """One reminder more for each: after two in vain the Gamemaster gets a hint, as for the judge's own."""
    deadline = game.deadline
    if deadline is None or deadline.version != event.version:
        return game
    prompted = {**deadline.prompted, **{seat: deadline.prompted.get(seat, 0) + 1 for seat in event.seats}}
    nudged = {**deadline.nudged, **dict.fromkeys(event.seats, event.at)}
    return altered(
        game, deadline=replace(deadline, prompted=MappingProxyType(prompted), nudged=MappingProxyType(nudged))
    )


def _read_nudge(clause: Clause) -> Reading:
    """`nudge`, `nudge: WORDS`, `nudge ITALY: WORDS`."""
    rest = clause.rest.strip()
    head, colon, after = rest.partition(":")
    if not colon:
        head, after = ("", rest[1:-1]) if rest[:1] in '"“' and rest[-1:] in '"”' else (rest, "")
    head = plain(re.sub(r"^(?:everybody|everyone|all|them|the missing|whoever is missing)\b", "", head.strip()))
    powers = read_powers(head, clause.around.board) if head else ()
    if isinstance(powers, Unclear):
        sentence = tell('"{head}" names no power, so nobody was nudged. Put your words after a colon.', head=head[:60])
        return Unclear("no-power", sentence, ("nudge", f"nudge: {rest}") if len(rest) <= LONGEST_WORDS else ("nudge",))
    words = "\n".join(part for part in (after.strip(), clause.body) if part.strip() and after.strip())
    if len(words) > LONGEST_WORDS:
        sentence = tell(
            "Your words have {words} characters; {longest_words} is the most. Nobody was nudged.",
            words=len(words),
            longest_words=LONGEST_WORDS,
        )
        return Unclear("too-long", sentence)
    return Nudge(powers, words)


def _letters(batch: Batch, seq: int, event: PlayersNudged) -> Iterator[Letter]:
    """The Gamemaster's reminder, to those whom it names; after the deadline too."""
    game = batch.after
    if not isinstance(game, Running):
        return
    hours = max(0, round((game.deadline.at - event.at).total_seconds() / 3600))
    for reader in batch.told(event):
        at_desk = desk(game, reader.seat, reader.member, lacking=True)
        missing = missing_orders(game, reader, event.at)
        if game.deadline.called:
            missing = say("nudged-late", lacking=lacking(game, reader.seat), due=due(game, reader.member))
        name = batch.cast.member(event.deputy or game.gm).name
        view = ReminderView(at_desk, hours, missing, None, gm=name, words=event.words)
        yield batch.letter(Kind.REMINDER, f"{seq}/nudge", reader, view)


ACTS = (
    Act(
        Nudge,
        PlayersNudged,
        _nudge,
        _nudged,
        May.OUTSIDE,
        VerbOfGm(
            "nudge",
            words=("nudge", "remind", "prod"),
            summary="Remind those whose orders are missing now, in your own words if you like.",
            usage=("nudge", "nudge: WORDS", "nudge POWER: WORDS"),
            example="nudge: The others are waiting for you, please.",
            read=_read_nudge,
            body=BodyRule.PARAGRAPH,
            risky=True,
            topic="lateness",
            after="advertise",
        ),
        undo=("The letter has been read", "log"),
        told=CONCERNED,
        letters=_letters,
    ),
)
