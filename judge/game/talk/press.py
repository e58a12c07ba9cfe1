"""Press between players, which the judge never compares with orders; and the editors who print a game and read what is
public of it.

Editors read what is public, as observers do, with results in a form to print. The Gamemaster names them, and takes them
off again; they may step down themselves. Somebody who plays or runs the game is not an editor of it for as long as that
lasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from types import MappingProxyType

from judge.board.phase import PhaseKind
from judge.game.core import events as ev
from judge.game.core.commands import (
    GM_SEAT,
    Actor,
    Colour,
    Command,
    Context,
    Decision,
    Question,
    Refusal,
    Role,
    SendPress,
)
from judge.game.core.events import Event
from judge.game.core.evolve import Feature
from judge.game.core.immutable import altered
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Outgoing
from judge.languages import tell, together, told_later
from judge.orders.spelled import listed
from judge.pace import spell_span

_MOST_EDITORS = 10
"""Editors of one game."""


@dataclass(frozen=True, slots=True)
class NameEditor(Command):
    """Make a registered person an editor of the game."""

    person: int


@dataclass(frozen=True, slots=True)
class DismissEditor(Command):
    """A person is editor no longer: by the Gamemaster, or by themselves."""

    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorNamed(ev.Event, told="person"):
    """`person` is an editor of the game."""

    person: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorDismissed(ev.Event, told="person"):
    """`person` is no longer an editor. `by` is "" where they stepped down."""

    person: int


def edits(game: Game, person: int) -> bool:
    """Whether a person is an editor, and neither plays nor runs the game."""
    return person in game.editors and person != game.gm and game.seat_held_by(person) is None


def name_editor(game: Game, command: NameEditor, context: Context) -> Decision | Refusal:
    """Make somebody an editor; refused for whoever plays or runs the game."""
    person, key = command.person, game.key
    if game.practice is not None:
        return Refusal(
            "private", tell("{key} is a practice game, which one person plays alone; it has no editors.", key=key)
        )
    if game.stage is Stage.ENDED:
        return Refusal("game-over", tell("{key} has ended.", key=key), mend=f"history {key}")
    if game.seat_played_by(person, context.now) is not None:
        return Refusal("plays", tell("That person plays in {key}; an editor only reads what is public.", key=key))
    if person == game.gm:
        return Refusal("already", tell("That person is the Gamemaster of {key}, and reads all of it.", key=key))
    if person in game.editors:
        return Refusal("already", tell("That person is an editor of {key} already.", key=key))
    if len(game.editors) >= _MOST_EDITORS:
        return Refusal(
            "too-many",
            tell("{key} has {most} editors, and cannot have more.", key=key, most=_MOST_EDITORS),
            mend=f"status {key}",
        )
    event = EditorNamed(at=context.now, by=context.seat, person=person)
    return Decision((event,), said=tell("They are an editor of {key}, and are told so.", key=key))


def dismiss_editor(game: Game, command: DismissEditor, context: Context) -> Decision | Refusal:
    """An editor's end. `said` is for the Gamemaster; who steps down is answered by whoever asks in their place."""
    if command.person not in game.editors:
        return Refusal(
            "no-editor", tell("That person is not an editor of {game}.", game=game.key), mend=f"status {game.key}"
        )
    if not _may_dismiss(context.actor, command.person):
        return Refusal("gm-only", tell("Only the Gamemaster of {game} may do that.", game=game.key))
    event = EditorDismissed(at=context.now, by=context.seat, person=command.person)
    return Decision(
        (event,), said=tell("They are no longer an editor of {game}, and get no more letters about it.", game=game.key)
    )


def _may_dismiss(actor: Actor, person: int) -> bool:
    return actor.role in (Role.GM, Role.OPERATOR) or actor.person == person


def _named(game: Game, event: EditorNamed) -> Game:
    return replace(game, editors=(*game.editors, event.person))


def _dismissed(game: Game, event: EditorDismissed) -> Game:
    return replace(game, editors=tuple(person for person in game.editors if person != event.person))


LEAST, MOST = timedelta(minutes=1), timedelta(minutes=30)
"""Least and greatest delay."""

_MARGIN = timedelta(minutes=1)


def longest_veil(game: Game, now: datetime) -> timedelta:
    """The greatest delay of press sent now: where it can be, short enough to arrive ahead of the deadline that it was
    sent ahead of.
    """
    if game.deadline is None or game.held_since is not None:
        return MOST
    room = game.deadline.at - now - game.settings.recall - _MARGIN
    return MOST if room < 2 * LEAST else min(MOST, room)


def may_be_recalled(game: Game, sent: datetime, *, veiled: bool) -> timedelta:
    """How long after its sending press may still be here."""
    return game.settings.recall + (longest_veil(game, sent) if veiled else timedelta())


ALL, GM, OBSERVERS, EDITORS = "ALL", "GM", "OBSERVERS", "EDITORS"

_JUDGE = ("GM", "GAMEMASTER", "GAME MASTER", "JUDGE", "MASTER", "MODERATOR", "THE JUDGE", "THE GM", "THE GAMEMASTER")
"""Names that no press may claim (8A)."""


def press(game: Game, command: SendPress, context: Context) -> Decision | Refusal:
    """Relay a text to the seats it names; refused by the game's rules of press, or where nobody is named."""
    if (refusal := _forbidden(game, command, context.actor)) is not None:
        return refusal
    recipients = _but_the_author(game, _recipients(game, command), command, context)
    unknown = [name for name in recipients if name not in game.board.powers and name not in _OTHERS]
    if missing := [name for name in unknown if not _is_taken_seat(game, name)]:
        return Refusal(
            "unknown-recipient", tell("There is no {names} in {game}.", names=_names(game, missing[:1]), game=game.key)
        )
    if EDITORS in recipients and not any(edits(game, person) for person in game.editors):
        return Refusal("no-editor", tell("{game} has no editor.", game=game.key), mend="press to observers")
    if (refusal := _nobody_there(game, recipients)) is not None:
        return refusal
    if command.postal and recipients != (ALL,):
        return Refusal("postal", tell("Press for the next report goes to everybody."), mend="postal press")
    if not recipients:
        return Refusal("no-recipient", tell("Say to whom: a power, several powers, or all."), mend="press to all")
    if command.own_orders and (question := _for_its_readers(game, command, recipients, context)) is not None:
        return question
    event = ev.PressSent(
        at=context.now,
        by=context.seat,
        number=game.press_sent + 1,
        colour=str(command.colour),
        to=recipients,
        text=command.text,
        dateline=command.dateline,
        everyone=command.everyone,
        postal=command.postal,
    )
    official = event.by == GM_SEAT or event.to == (GM,)  # no kind of press: every game has such letters
    what = tell(_YOUR_LETTER if official and event.colour == Colour.WHITE else _YOURS[command.colour])
    return Decision((event,), said=together(_sent(game, event, what), _absent(game, recipients)))


_YOUR_LETTER = told_later("Your letter")
_YOURS = {
    Colour.WHITE: told_later("Your white press"),
    Colour.GREY: told_later("Your grey press"),
    Colour.BLACK: told_later("Your black press"),
}


def seat_name(number: str) -> str:
    """How press names a seat before the powers are drawn: "SEAT 3"."""
    return f"SEAT {number}"


def _is_taken_seat(game: Game, name: str) -> bool:
    """Whether somebody is named by their seat, in a game whose powers are not drawn yet."""
    taken = {seat_name(key) for key, seat in game.seats.items() if seat.filled}
    return game.position is None and name in taken


def _but_the_author(game: Game, recipients: tuple[str, ...], command: SendPress, context: Context) -> tuple[str, ...]:
    """Signed press goes to others only. In the list of unsigned press its author stays: who is missing would tell."""
    seat = game.seats.get(context.seat)
    if seat is None or command.colour != Colour.WHITE:
        return recipients
    return tuple(name for name in recipients if name not in seat.powers) or recipients


def _for_its_readers(game: Game, command: SendPress, recipients: tuple[str, ...], context: Context) -> Question | None:
    """The question whether orders at the end of a letter are for whoever reads it; None once its author says yes."""
    about = f"press {' '.join(recipients)} {sha256(command.text.encode()).hexdigest()[:16]}"
    if about in context.actor.agreed:
        return None
    sentence = tell(
        "Your press to {names} ends in what look like your orders: nothing was sent and "
        "nothing is ordered. With your yes it goes as it stands, and these lines are read "
        "there and ordered nowhere. To order them instead, send the mail again with ENDPRESS "
        "on a line between the two.",
        names=_names(game, recipients),
    )
    return Question("orders-in-press", sentence, about=about)


def _nobody_there(game: Game, recipients: tuple[str, ...]) -> Refusal | None:
    """Why a letter to these would be read by nobody; None where somebody reads it, or may come who does."""
    if game.position is None and any(name in game.board.powers for name in recipients):
        drawn = tell("were never drawn") if game.stage is Stage.ENDED else tell("are not drawn yet")
        sentence = tell(
            "The powers of {game} {drawn}, so nobody would read it. Write to all, or to the Gamemaster.",
            game=game.key,
            drawn=drawn,
        )
        return Refusal("not-drawn", sentence, mend="press to all")
    lost = _unread(game, recipients)
    if len(lost) < len(recipients) or not lost:
        return None
    has = tell("have no player") if lost[1:] else tell("has no player")
    return Refusal(
        "nobody-there",
        tell("{named} {has} now, so nobody would read it.", named=game.named(lost), has=has),
        mend=f"status {game.key}",
    )


def _unread(game: Game, recipients: tuple[str, ...]) -> tuple[str, ...]:
    """The powers among the recipients that nobody plays, and whose next player is not handed what they were told."""
    return tuple(power for power in _vacant(game, recipients) if not _handed_on(game, power))


def _vacant(game: Game, recipients: tuple[str, ...]) -> tuple[str, ...]:
    seats = {power: game.seat_of(power) for power in recipients if power in game.board.powers}
    return tuple(power for power, seat in seats.items() if seat is None or not seat.filled)


def _handed_on(game: Game, power: str) -> bool:
    return game.settings.inherit_press and game.stage is Stage.RUNNING and game.seat_of(power) is not None


def _absent(game: Game, recipients: tuple[str, ...]) -> str:
    """What its author is told of recipients that have no player."""
    lost, later = _unread(game, recipients), [p for p in _vacant(game, recipients) if _handed_on(game, p)]
    said = (
        (
            tell("{named} have no player: nobody reads it there.", named=game.named(lost))
            if lost[1:]
            else tell("{named} has no player: nobody reads it there.", named=game.named(lost))
        )
        if lost
        else ""
    )
    if not later:
        return said
    return together(
        said,
        tell("{named} have no player now; the next player reads it.", named=game.named(later))
        if later[1:]
        else tell("{named} has no player now; the next player reads it.", named=game.named(later)),
    )


def _sent(game: Game, event: ev.PressSent, press: str) -> str:
    """The echo to the author of `press` ("Your letter"): where it goes, and how long it can be recalled."""
    if event.postal:
        return tell(
            '{press} (number {event}) will appear in the next report. Until then: "recall {event}".',
            press=press,
            event=event.number,
        )
    to, veiled = _names(game, event.to), event.colour != Colour.WHITE
    wait = may_be_recalled(game, event.at, veiled=veiled)
    if event.by == GM_SEAT or not wait:
        return tell("{press} goes to {to}.", press=press, to=to)
    if not veiled:
        return tell(
            '{press} goes to {to}. "recall {event}" takes it back within {wait}.',
            press=press,
            to=to,
            event=event.number,
            wait=spell_span(wait),
        )
    latest = spell_span(max(timedelta(minutes=1), wait - wait % timedelta(minutes=1)))
    return tell(
        "{press} goes to {to} within {latest}, at a random moment, so that its time tells nothing about "
        'you. Until it has left, "recall {event}" takes it back.',
        press=press,
        to=to,
        latest=latest,
        event=event.number,
    )


def _forbidden(game: Game, command: SendPress, actor: Actor) -> Refusal | None:
    if actor.role not in (Role.PLAYER, Role.GM):
        return Refusal("no-seat", tell("Only the players of {game} and its Gamemaster send press.", game=game.key))
    if game.stage is Stage.FORMING:
        return Refusal("not-open", tell("{game} is not open yet.", game=game.key))
    if not command.text.strip():
        return Refusal("empty-press", tell("There is no text to pass on. Write it below the line that says press."))
    if command.postal and game.stage is Stage.ENDED:
        sentence = tell("{game} has ended, and no report will follow in which this could stand.", game=game.key)
        return Refusal("no-report", sentence, mend="press to all")
    if actor.role is Role.GM:
        return None if command.colour is Colour.WHITE else Refusal("gm-colour", tell("A Gamemaster's press is signed."))
    if command.dateline.strip().strip("\"'").upper() in _JUDGE:
        return Refusal("as-gm", tell("No press may ever appear to come from the Gamemaster or the judge."), clause="8A")
    if command.to == (GM,):
        return (
            None if command.colour is Colour.WHITE else Refusal("gm-colour", tell("Press to the GM is always signed."))
        )
    if str(command.colour) not in game.settings.press:
        allowed = ", ".join(game.settings.press) or tell("none")
        return Refusal(
            "colour-off",
            tell(
                "{game} does not allow {colour} press (allowed: {allowed}).",
                game=game.key,
                colour=tell(str(command.colour)),
                allowed=allowed,
            ),
        )
    if game.settings.anonymous and command.colour is Colour.WHITE and game.stage is Stage.OPEN:
        return Refusal("anonymous", tell("In this game nobody learns who joins before the powers are drawn."))
    quiet = not game.settings.minor_press and game.stage is Stage.RUNNING
    if quiet and game.phase is not None and game.phase.kind is not PhaseKind.MOVES:
        return Refusal(
            "quiet-phase", tell("There is no press during retreats and adjustments in this game."), clause="XI.1"
        )
    return _switched_off(game, command)


def _switched_off(game: Game, command: SendPress) -> Refusal | None:
    """What a game does without, kind by kind."""
    settings, to_all = game.settings, command.everyone and not command.but
    if command.postal and not settings.postal_press:
        return Refusal(
            "postal-off", tell("{game} prints no press in its reports.", game=game.key), clause="postal_press"
        )
    if to_all and not command.postal and not settings.broadcast_press:
        return Refusal(
            "broadcast-off", tell("{game} does not allow press to everybody.", game=game.key), clause="broadcast_press"
        )
    if not to_all and not settings.partial_press:
        return Refusal(
            "partial-off", tell("{game} allows press to everybody only.", game=game.key), "broadcast", "partial_press"
        )
    if not settings.observer_press and (onlookers := [name for name in (OBSERVERS, EDITORS) if name in command.to]):
        sentence = tell(
            "In {game} players cannot write to {names}.", game=game.key, names=_names(game, tuple(onlookers))
        )
        return Refusal("observers-off", sentence, clause="observer_press")
    return None


def _recipients(game: Game, command: SendPress) -> tuple[str, ...]:
    if not command.everyone:
        return tuple(dict.fromkeys(command.to))
    if not command.but:
        return (ALL,)
    return tuple(power for power in game.board.powers if power not in command.but)


_OTHERS = {
    ALL: told_later("everybody"),
    GM: told_later("the Gamemaster"),
    OBSERVERS: told_later("the observers"),
    EDITORS: told_later("the editors"),
}
"""Recipients that are no powers."""


def _names(game: Game, recipients: Sequence[str]) -> str:
    powers = game.board.powers
    return listed(
        [
            tell(_OTHERS[name]) if name in _OTHERS else powers[name].told if name in powers else name.lower()
            for name in recipients
        ]
    )


_RECALLABLE = 50
"""Pieces of press that are remembered."""


def _kept_in_mind(game: Game, event: ev.PressSent) -> Game:
    recent = sorted(game.outgoing)[-_RECALLABLE:]
    outgoing = {number: game.outgoing[number] for number in recent}
    outgoing[event.number] = Outgoing(
        game.seq + 1, event.by, event.at, event.postal, veiled=event.colour != Colour.WHITE
    )
    return altered(game, press_sent=event.number, outgoing=MappingProxyType(outgoing))


@dataclass(frozen=True, slots=True)
class RecallPress(Command):
    """Stop press that has not left yet; 0: the last that one has sent."""

    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PressRecalled(Event, told="number"):
    """Press `number`, sent by event `event` of the game, was taken back by its author."""

    number: int
    event: int


def recall(game: Game, command: RecallPress, context: Context) -> Decision | Refusal:
    """Take press back; whether its letters can still be stopped is for the service to find out."""
    own = [number for number, sent in game.outgoing.items() if sent.by == context.seat and context.seat]
    number = command.number or max(own, default=0)
    if number not in own:
        return Refusal("no-such-press", tell("There is no press of yours that could be recalled."))
    sent = game.outgoing[number]
    if not sent.postal and context.now - sent.at >= may_be_recalled(game, sent.at, veiled=sent.veiled):
        return Refusal(
            "too-late", tell("Press {number} has left already; it cannot be recalled any more.", number=number)
        )
    event = PressRecalled(at=context.now, by=context.seat, number=number, event=sent.event)
    return Decision((event,), said=tell("Press {number} is recalled; nobody reads it.", number=number))


def _recalled(game: Game, event: PressRecalled) -> Game:
    left = {number: sent for number, sent in game.outgoing.items() if number != event.number}
    return replace(game, outgoing=MappingProxyType(left))


FEATURE = Feature(
    evolve={
        ev.PressSent: _kept_in_mind,
        PressRecalled: _recalled,
        EditorNamed: _named,
        EditorDismissed: _dismissed,
    },
    decide={
        SendPress: press,
        RecallPress: recall,
        NameEditor: name_editor,
        DismissEditor: dismiss_editor,
    },
    gm_only=(NameEditor,),
    undo={
        EditorNamed: lambda act, before: DismissEditor(act.person),
        EditorDismissed: lambda act, before: NameEditor(act.person),
    },
)
