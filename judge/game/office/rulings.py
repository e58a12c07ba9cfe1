"""What only a Gamemaster may do: process, order for a power, head a report, reveal players, disqualify."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.board.position import position_from_json, position_to_json
from judge.game.clock.turnover import turn_page
from judge.game.core import events as ev
from judge.game.core.commands import (
    GM_SEAT,
    Actor,
    Command,
    Context,
    Decision,
    OrderLine,
    Process,
    Question,
    Refusal,
    Role,
    Submit,
    over,
)
from judge.game.core.evolve import Feature
from judge.game.core.model import Game, Running, Stage
from judge.game.filing.sheets import any_taken, filed_by
from judge.game.filing.standing import State, standings
from judge.game.filing.submitting import submit
from judge.game.repair.importing import read_import
from judge.game.repair.rewriting import RollForward, roll_forward
from judge.languages import moment_mark, tell, together, told_later

LONGEST_HEADLINE = 200


@dataclass(frozen=True, slots=True)
class OrderAs(Command):
    """Orders that the Gamemaster files for a power; its player gets a copy.

    `amends`: they put right what was read wrongly in a phase that was taken back; no others are taken for it.
    """

    power: str
    lines: tuple[OrderLine, ...]
    replace: bool = False
    amends: bool = False


@dataclass(frozen=True, slots=True)
class Headline(Command):
    """A neutral line at the top of the next report; empty: none."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Reveal(Command):
    """Everybody may know who plays what in an anonymous game."""


@dataclass(frozen=True, slots=True)
class Disqualify(Command):
    """Take a power from its player for what they did; that stays on record."""

    power: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ImportPosition(Command):
    """Begin the game elsewhere than at the set-up: with a position of a game that was run by hand.

    `phase`: the one that comes next; empty: as the text says.
    """

    phase: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSet(ev.Event, told="text"):
    """The next report has this headline; "" for none."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(ev.Event, told=""):
    """The game is anonymous no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionImported(ev.Event, told="made"):
    """Where the game will begin; None: at the set-up after all."""

    position: ev.Json


def order_as(game: Game, command: OrderAs, context: Context) -> Decision | Refusal:
    """File orders as if the power's player had written them, under the Gamemaster's name."""
    seat = game.seat_of(command.power)
    if seat is None:
        return Refusal("not-running", tell("{game} is not running; nothing can be ordered yet.", game=game.key))
    if command.amends != (game.replay is not None):
        return _not_now(game, command)
    player = Actor(Role.PLAYER, seat.id, seat.person or 0, context.actor.mail)
    decision = submit(
        game, Submit(command.lines, command.power, replace=command.replace), replace(context, actor=player)
    )
    if isinstance(decision, Refusal):
        return decision
    if not any_taken(decision):
        return replace(decision, events=())  # their slips are asked back from them, and are no faults of the player
    events = tuple(_by_gm(game, event, context.actor) for event in decision.events)
    power = game.board.powers[command.power]
    said = tell("Filed for {name}; its player gets a copy.", name=power.told) if events else decision.said
    return replace(decision, events=events, said=said)


def _not_now(game: Game, command: OrderAs) -> Refusal:
    """Only orders of a phase that was taken back are amended; for the present turn orders are given."""
    power = game.board.powers[command.power]
    if game.replay is None:
        sentence = tell("Nothing has been taken back, so there is nothing to amend; give orders for the present turn.")
        return Refusal("no-replay", sentence, mend=f"order as {power.name}")
    phase = game.replay.phase
    return Refusal(
        "replay",
        tell(
            "{phase} is processed again with the orders filed at the time, and all players have "
            "read them. What was read wrongly then is put right below `amend as {name}`; `reopen "
            "{phase}` lets everybody order again.",
            phase=phase,
            name=power.name,
        ),
    )


def _by_gm(game: Game, event: ev.Event, actor: Actor) -> ev.Event:
    seat = actor.seat or GM_SEAT
    return filed_by(game, event, seat) if isinstance(event, ev.OrdersFiled) else replace(event, by=seat)


def headline(game: Game, command: Headline, context: Context) -> Decision | Refusal:
    """Head the next report, as long as nobody objected to headlines."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    text = " ".join(command.text.split())
    if not game.settings.headlines:
        return Refusal(
            "no-headlines", tell("A player of {game} has objected; there are no headlines.", game=game.key), clause="8A"
        )
    if len(text) > LONGEST_HEADLINE:
        return Refusal(
            "too-long", tell("A headline has at most {longest_headline} characters.", longest_headline=LONGEST_HEADLINE)
        )
    if text == game.headline:
        return Refusal("no-headline", tell("Write the headline on the same line."), mend="headline: Quiet in the west")
    said = tell("That will appear at the top of the next report.") if text else tell("The next report has no headline.")
    return Decision((HeadlineSet(at=context.now, by=context.seat, text=text),), said=said)


def reveal(game: Game, command: Reveal, context: Context) -> Decision | Refusal:
    """Tell who plays what."""
    if not game.settings.anonymous:
        return Refusal(
            "known", tell("Names are no secret in {game}: everybody may read who plays what.", game=game.key)
        )
    if game.stage is not Stage.RUNNING:
        return Refusal("not-running", tell("{game} is not running.", game=game.key))
    return Decision((Revealed(at=context.now, by=context.seat),), said=tell("Everybody is told who plays what."))


def disqualify(game: Game, command: Disqualify, context: Context) -> Decision | Refusal:
    """Take a power away for misconduct: there must be a reason, since it stays on record."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is not Stage.RUNNING:
        return Refusal(
            "not-running", tell("{game} is not running; nobody plays a power in it.", game=game.key), mend="help remove"
        )
    seat = game.seat_of(command.power)
    power = game.board.powers[command.power]
    if seat is None or seat.person is None:
        return Refusal("vacant", tell("{name} has no player.", name=power.told))
    if not command.reason.strip():
        return Refusal(
            "no-reason",
            tell("It stays on record, so please give a reason."),
            mend=f'disqualify {power.name} reason "..."',
        )
    event = ev.SeatVacated(
        at=context.now, by=context.seat, seat=seat.id, person=seat.person, why="disqualified", reason=command.reason
    )
    return Decision(
        (event,), said=tell("The player of {name} is disqualified, and {name} is vacant now.", name=power.told)
    )


def import_position(game: Game, command: ImportPosition, context: Context) -> Decision | Refusal:
    """Take unit lists over from a game that was run by hand."""
    if game.stage is Stage.ENDED:
        return over(game.key)
    if game.stage is Stage.RUNNING:
        return Refusal(
            "begun",
            tell("{game} has begun; use `correct position` for single units.", game=game.key),
            mend="correct position",
        )
    found = read_import(command.text, command.phase, game.board, game.rules)
    if isinstance(found, Refusal):
        return found
    position = found.position
    units, centres = len(position.units) + len(position.dislodged), len(position.owners)
    title = game.calendar.title(position.phase)
    return Decision(
        (PositionImported(at=context.now, by=context.seat, position=position_to_json(position)),),
        said=together(
            tell(
                "{game} will begin with {title}: {units} units and {centres} owned centres.",
                game=game.key,
                title=title,
                units=units,
                centres=centres,
            ),
            tell("Please check the doubtful points.") if found.doubts else "",
        ),
    )


def _headlined(game: Game, event: HeadlineSet) -> Game:
    return replace(game, headline=event.text)


def _revealed(game: Game, event: Revealed) -> Game:
    return replace(game, settings=replace(game.settings, anonymous=False))


def _imported(game: Game, event: PositionImported) -> Game:
    imported = position_from_json(event.position, game.board) if event.position is not None else None
    return replace(game, imported=imported)


Open = tuple[str, str]
"""Why a turn is not ready ("missing", "vacant", "fault", "partial", "waits"), and the power."""


def process(game: Game, command: Process, context: Context) -> Decision | Refusal:
    """Process the present phase now, with the orders on file."""
    if not isinstance(game, Running):
        return Refusal("not-running", tell("{game} is not running; there is nothing to process.", game=game.key))
    phase, named = game.position.phase, command.phase.upper()
    if not named:
        sentence = tell("Say which phase; otherwise this mail, if it came twice, would process the next one too.")
        return Refusal("which-phase", sentence, mend=f"process {phase}")
    if named != str(phase):
        sentence = tell(
            "{game} is at {phase_title} ({phase}), and this is about {named}. Nothing was done.",
            game=game.key,
            phase_title=game.phase_title,
            phase=phase,
            named=named,
        )
        return Refusal("wrong-phase", sentence, mend=f"process {phase}")
    if game.replay is not None:
        return roll_forward(game, RollForward(), context)
    open_ = tuple(not_ready(game, context.now))
    if open_ and not _agreed(game, open_, context.actor):
        return Question("not-ready", _question(game, open_, context.now), about=_about(game, open_))
    return Decision(
        turn_page(game, context.now, by=context.seat),
        said=tell("{phase} is processed.", phase=game.calendar.title(phase)),
    )


def not_ready(game: Running, now: datetime) -> Iterator[Open]:
    """What speaks against processing now. Until the deadline that is also a unit without an order, and a wait."""
    early = now < game.deadline.at and not game.deadline.called
    for one in standings(game):
        seat = game.seat_of(one.power)
        if one.late and (seat is None or not seat.filled):
            yield "vacant", one.power
        elif one.faults:
            yield "fault", one.power
        elif one.late:
            yield "missing", one.power
        elif early and one.state is State.PARTIAL:
            yield "partial", one.power
    for seat in game.active_seats if early else ():
        if seat.wait:
            yield from (("waits", power) for power in seat.powers if power in game.survivors)


def _about(game: Game, open_: Sequence[Open]) -> str:
    return f"process {game.phase} despite {' '.join(f'{why}:{power}' for why, power in open_)}"


def _agreed(game: Game, open_: Sequence[Open], actor: Actor) -> bool:
    """Whether a yes was about this phase and all of these; who has come since is missed by nobody."""
    wanted = set(_about(game, open_).split())
    return any(wanted <= set(about.split()) for about in actor.agreed)


_SENTENCES = {
    "missing": told_later("Nothing has come from {}."),
    "fault": told_later("A line of {} still waits to be put right."),
    "vacant": told_later("There is no player for {}, and there are no orders."),
    "partial": told_later("A unit has no order among those of {}."),
    "waits": told_later("{} asked to wait for the deadline."),
}


def _question(game: Running, open_: Sequence[Open], now: datetime) -> str:
    parts = [tell("You are about to process {phase_title}.", phase_title=game.phase_title)]
    for why, sentence in _SENTENCES.items():
        names = game.named(power for kind, power in open_ if kind == why)
        parts += [tell(sentence).format(names)] if names else []
    if now < game.deadline.at:
        parts.append(tell("Everybody was told that there is time until {at}.", at=moment_mark(game.deadline.at)))
    elif game.deadline.grace is not None and now < game.deadline.grace:
        parts.append(
            tell("The time of grace that was promised runs until {grace}.", grace=moment_mark(game.deadline.grace))
        )
    return " ".join([*parts, tell("Units without an order hold.")])


FEATURE = Feature(
    evolve={HeadlineSet: _headlined, Revealed: _revealed, PositionImported: _imported},
    grave=(Reveal, Disqualify),
    undo={
        HeadlineSet: lambda act, before: Headline(before().headline),
        Revealed: ("Everybody has read who plays what", "log"),
    },
    decide={
        Process: process,
        OrderAs: order_as,
        Headline: headline,
        Reveal: reveal,
        Disqualify: disqualify,
        ImportPosition: import_position,
    },
    gm_only=(Process, OrderAs, Headline, Reveal, Disqualify, ImportPosition),
)
