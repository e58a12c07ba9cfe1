"""The letters of sandboxes and practice games: what was played and why, where everything stands, what to write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.adjudicate.duty import Duty, ways_of
from judge.board.model import Location, province_of
from judge.board.phase import PhaseKind
from judge.board.unit import Unit
from judge.game.core import events as ev
from judge.game.core.model import Begun, Game, Stage
from judge.game.filing.standing import asked
from judge.game.repair.changes import changes_told
from judge.game.table.sandbox import PHASES, SEAT, BoardEdited, PhaseReleased, SandboxFading, SteppedBack, phases_played
from judge.history import played_phase
from judge.orders.model import Hold, Move, Order, Support
from judge.orders.spelled import build_words, order_words, place, removal_words
from judge.report.core.audience import Batch
from judge.report.core.letter import (
    Kind,
    Letter,
    Member,
    Office,
    Reader,
    Reply,
    Thread,
    labelled,
    moment,
    office_frame,
    plain,
)
from judge.report.core.naming import Said, Text, phase_fact, power_name, say
from judge.report.played.chart import CentreChart, chart
from judge.report.played.results import (
    SANDBOX,
    UNORDERED,
    MapPicture,
    Results,
    UnitsLine,
    counting,
    final_positions,
    placed_picture,
    results_of,
    retreats_due,
    sentences_for,
    tried_pictures,
)
from judge.report.seat.desk import Desk, desk, filed_lines


@dataclass(frozen=True, slots=True)
class Refiled:
    """The orders of a power that are on file again."""

    name: str
    orders: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class SandboxView:
    """`title`: the phase to be played; `news`: what its player has just done to it, or what becomes of it; `happened`:
    the phases just played; `on_file`: what is on file, after going back or at the start; `lesson`: how it is used, in
    the first letter.
    """

    title: str
    news: tuple[Said, ...]
    desk: Desk
    happened: tuple[Results, ...]
    positions: tuple[UnitsLine, ...]
    retreats: tuple[Said, ...]
    chart: CentreChart
    on_file: tuple[Refiled, ...] = ()
    lesson: tuple[Said, ...] = ()
    ended: bool = False
    shown: tuple[MapPicture, ...] = ()


_TOLD = (
    ev.GameStarted, ev.PhaseAdjudicated, ev.PhaseSkipped, ev.GameEnded, SteppedBack, BoardEdited, SandboxFading,
)  # fmt: skip
"""What its player gets a letter about; a receipt says the rest."""


def sandbox_letters(batch: Batch) -> Iterator[Letter]:
    """One letter for whatever changed the board, however much of it came in one mail."""
    game = batch.after
    if game.sandbox is None or not isinstance(game, Begun) or not batch.has(*_TOLD):
        return
    if batch.has(PhaseReleased) and not batch.has(ev.GameStarted, ev.PhaseAdjudicated):
        return  # the results of the phase, which is played at once, show the board that comes of it
    by_mail = batch.has(ev.GameStarted, SteppedBack, BoardEdited)
    for reader in batch.readers():
        letter = batch.letter(Kind.SANDBOX, str(game.seq), reader, _view(batch, game, reader))
        # Answers are for the board as it is then, whichever letter they answer.
        yield replace(letter, answers=by_mail, view={**letter.view, "reply": {**letter.view["reply"], "turn": ""}})


def _view(batch: Batch, game: Begun, reader: Reader) -> SandboxView:
    played = counting(batch.events, game.calendar)
    before = batch.before if isinstance(batch.before, Begun) and played else game
    moves = game.position.phase.kind is PhaseKind.MOVES
    whole = desk(game, reader.seat, reader.member)
    return SandboxView(
        title=game.phase_title,
        news=tuple(_news(batch, game)),
        desk=replace(whole, tasks=() if moves else whole.tasks, facts=()),
        happened=tuple(_ordered(event, game) for event in played if isinstance(event, ev.PhaseAdjudicated)),
        positions=final_positions(game.position),
        retreats=retreats_due(game.position),
        chart=chart(before.position, game.position, projected=False, year=max(game.chart, default=0)),
        on_file=_on_file(batch, game),
        lesson=(say("sandbox-lesson"), say("sandbox-more", game=game.key)) if batch.starts else (),
        ended=game.stage is Stage.ENDED,
        shown=tried_pictures(game, SANDBOX, played) or (placed_picture(game, game.position, SANDBOX),),
    )


def _ordered(event: ev.PhaseAdjudicated, game: Begun) -> Results:
    """The results of a phase, without the units that nobody ordered and that stood: in a sandbox they are most."""
    whole = results_of(event, game, explain=True)
    rows = (
        (block, tuple(row for row in block.lines if row.failed or row.cause != UNORDERED)) for block in whole.blocks
    )
    blocks = tuple(replace(block, lines=lines) for block, lines in rows if lines)
    said = whole.said or ("" if blocks else say("sandbox-all-stood", phase=phase_fact(game, event.phase)))
    return replace(whole, blocks=blocks, said=said, missing=(), version=1, supersedes=0)


@dataclass(frozen=True, slots=True)
class ShownView:
    """Somebody's sandbox, shown to somebody else. `by`: whose it is, by name; `line`: begins one's own board there."""

    by: str
    game: str
    title: str
    line: str
    news: tuple[Said, ...]
    positions: tuple[UnitsLine, ...]
    retreats: tuple[Said, ...]
    chart: CentreChart
    shown: tuple[MapPicture, ...] = ()


def shown_to(game: Begun, by: str, member: Member, address: str, office: Office, *, day: str) -> Letter:
    """The position of a sandbox to somebody with whom it is shared: once a day to an address."""
    assert game.sandbox is not None
    sandbox = game.sandbox
    source = (say("sandbox-source", game=sandbox.source),) if sandbox.source else ()
    line = f"sandbox {game.key}"
    view = ShownView(
        by=by,
        game=game.key,
        title=game.phase_title,
        line=line,
        news=source,
        positions=final_positions(game.position),
        retreats=retreats_due(game.position),
        chart=chart(game.position, game.position, projected=False, year=max(game.chart, default=0)),
        shown=(placed_picture(game, game.position, SANDBOX),),
    )
    office_facts = plain(replace(office_frame(member, office), variant=labelled(game)))
    return Letter(
        kind=Kind.SHOWN,
        idem_key=f"{game.key}/{Kind.SHOWN}/{day}/{address.lower()}",
        view={"frame": office_facts, "reply": plain(Reply(choices=(line,), yes=line)), **plain(view)},
        game=game.key,
        person=member.person,
        address="" if member.person else address,
        thread=Thread.ALONE,
    )


def _on_file(batch: Batch, game: Game) -> tuple[Refiled, ...]:
    if not batch.has(SteppedBack) and not batch.starts:
        return ()
    return tuple(
        Refiled(power_name(power, game.board), filed_lines(game, power))
        for power in game.board.powers
        if filed_lines(game, power)
    )


def _news(batch: Batch, game: Begun) -> Iterator[Said]:
    sandbox = game.sandbox
    if batch.starts:
        yield say("sandbox-begun")
        if sandbox is not None and sandbox.source:
            yield say("sandbox-from", game=sandbox.source, phase=phase_fact(game, str(sandbox.start.phase)))
    for event in batch.events:
        if isinstance(event, SteppedBack):
            yield say("sandbox-back", phase=phase_fact(game, event.phase), start=event.start)
        elif isinstance(event, BoardEdited):
            yield say("sandbox-edited", changes=changes_told(game, event.edits, event.changes))
        elif isinstance(event, SandboxFading) and game.deadline is not None:
            yield say("sandbox-fading", until=moment(game, game.deadline.at))
        elif isinstance(event, ev.GameEnded):
            powers = [power_name(power, game.board) for power in event.powers]
            yield say("sandbox-over", lapsed=event.reason == "lapsed", powers=powers)


@dataclass(frozen=True, slots=True)
class PracticeView:
    """`number` of `of`: which phase is asked for, 0 once the game is over; `power`: the reader's; `happened`: the
    phases just played; `lesson`: paragraphs about the phase to come, with `examples`, lines that could be sent."""

    number: int
    of: int
    power: str
    desk: Desk
    happened: tuple[Results, ...]
    positions: tuple[UnitsLine, ...]
    chart: CentreChart
    lesson: tuple[Said, ...]
    examples: tuple[str, ...] = ()
    ended: Said | None = None


def practice_letters(batch: Batch) -> Iterator[Letter]:
    """The call for the first orders, then one letter for each phase, the last of them with the end."""
    game = batch.after
    played = batch.every(ev.PhaseAdjudicated)
    if game.practice is None or game.sandbox is not None or not isinstance(game, Begun):
        return
    if not (batch.starts or played or batch.has(ev.GameEnded)):
        return
    for reader in batch.readers():
        letter = batch.letter(Kind.PRACTICE, str(game.seq), reader, _practice_view(batch, game, reader, played))
        yield replace(letter, answers=batch.starts)


def _practice_view(batch: Batch, game: Begun, reader: Reader, played: Sequence[ev.PhaseAdjudicated]) -> PracticeView:
    power = game.seats[SEAT].powers[0]
    before = batch.before.position if batch.before is not None and batch.before.position is not None else game.position
    over = game.stage is Stage.ENDED
    return PracticeView(
        number=0 if over else phases_played(game) + 1,
        of=PHASES,
        power=power_name(power, game.board),
        desk=replace(desk(game, reader.seat, reader.member), facts=()),
        happened=tuple(_own(event, game, power) for event in played),
        positions=final_positions(game.position),
        chart=chart(before, game.position, projected=False, year=max(game.chart, default=0)),
        lesson=_farewell(game) if over else _lesson(game, power),
        examples=() if over else _examples(game, power),
        ended=_ended(game) if over else None,
    )


def _own(event: ev.PhaseAdjudicated, game: Game, power: str) -> Results:
    """A phase as far as it is about the player: their orders, and in sentences what became of each and why."""
    whole = results_of(event, game)
    own = tuple(block for block in whole.blocks if block.key == power)
    return replace(
        whole, blocks=own, said="", explain=True, explained=tuple(sentences_for(played_phase(event, game.board), power))
    )


# --- what comes next ----------------------------------------------------------------------------------------------


def _lesson(game: Begun, power: str) -> tuple[Said, ...]:
    duty = asked(game.position, game.rules).get(power)
    if duty is None:
        return (say("lesson-nothing"),)
    kind = {PhaseKind.MOVES: _moves, PhaseKind.RETREATS: _retreats, PhaseKind.ADJUSTMENTS: _adjustments}[
        game.position.phase.kind
    ]
    return (*kind(game, power, duty), say("lesson-how"))


def _moves(game: Begun, power: str, duty: Duty) -> tuple[Said, ...]:
    spring = not game.calendar.captures_before_moves(game.position.phase)
    centres = say("lesson-centres", spring=spring, near=_in_reach(game, duty))
    if game.past:
        return (centres,)
    alone, units = say("lesson-alone", power=power_name(power, game.board)), say("lesson-units", units=len(duty.units))
    return alone, units, say("lesson-strength"), centres


def _in_reach(game: Begun, duty: Duty) -> tuple[str, ...]:
    """Centres of others, or of nobody, to which one of the units could move."""
    position, board = game.position, game.board
    near = {province_of(to) for unit in duty.units for to in _ways(game, unit)}
    near |= {province_of(unit.at) for unit in duty.units}
    found = [code for code in board.centres if code in near and position.owners.get(code) != duty.power]
    return tuple(place(code, board) for code in found)


def _retreats(game: Game, power: str, duty: Duty) -> tuple[Said, ...]:
    return (say("lesson-retreats"),)


def _adjustments(game: Begun, power: str, duty: Duty) -> tuple[Said, ...]:
    own, units = len(game.position.centres(power)), len(game.position.of(power))
    return (say("lesson-adjustments", centres=own, units=units, removals=duty.removals, builds=duty.builds),)


def _examples(game: Begun, power: str) -> tuple[str, ...]:
    """Lines that could be sent: each in the form that the phase asks for, the first options listed."""
    position, board = game.position, game.board
    duty = asked(position, game.rules).get(power)
    if duty is None:
        return ()
    if position.phase.kind is not PhaseKind.MOVES:
        site = duty.sites[0] if duty.builds and duty.sites else None
        build = (build_words(*site, board),) if site else ()
        removal = (removal_words(duty.units[0], board),) if duty.removals and duty.units else ()
        return (*build, *removal)
    lines = _with_support(game, duty.units) or (Move(duty.units[0], _ways(game, duty.units[0])[0]),)
    return tuple(order_words(line, board) for line in (*lines, Hold(duty.units[-1])))


def _with_support(game: Begun, units: Sequence[Unit]) -> tuple[Order, ...]:
    """The first move that another unit could support, and that support; empty if there is none."""
    for unit in units:
        for to in _ways(game, unit):
            for friend in units:
                if friend is not unit and province_of(to) in map(province_of, _ways(game, friend)):
                    return Move(unit, to), Support(friend, unit, to)
    return ()


def _ways(game: Begun, unit: Unit) -> tuple[Location, ...]:
    return ways_of(game.position, unit, game.rules)


# --- the end ------------------------------------------------------------------------------------------------------


def _ended(game: Game) -> Said:
    lapsed = game.ending is not None and game.ending.reason == "lapsed"
    return say("practice-over", lapsed=lapsed, phases=phases_played(game))


def _farewell(game: Game) -> tuple[Said, ...]:
    return say("lesson-real-games"), say("lesson-what-next")
