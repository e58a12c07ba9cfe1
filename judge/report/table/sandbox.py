"""The letters of a sandbox: what was played and why, where everything stands, and what can be written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.board.phase import PhaseKind
from judge.game.core import events as ev
from judge.game.core.model import Begun, Game, Stage
from judge.game.table.practice import PhaseReleased
from judge.game.table.sandbox import SandboxFading
from judge.game.table.sandbox_position import BoardEdited, SteppedBack
from judge.report.core.batch import Batch
from judge.report.core.cast import Member, Office
from judge.report.core.facts import Said, Text, phase_fact, say
from judge.report.core.frame import Reader, labelled, moment, office_frame
from judge.report.core.letter import Kind, Letter, Reply, Thread, plain
from judge.report.core.naming import power_name
from judge.report.played.causes import UNORDERED
from judge.report.played.chart import CentreChart, chart
from judge.report.played.pictures import SANDBOX, MapPicture, placed_picture, tried_pictures
from judge.report.played.results import Results, UnitsLine, counting, final_positions, results_of, retreats_due
from judge.report.seat.desk import Desk, desk
from judge.report.seat.form import filed_lines


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
        desk=replace(whole, tasks=() if moves else whole.tasks, facts=(), due=None),
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
            yield say("sandbox-edited", changes=event.changes)
        elif isinstance(event, SandboxFading) and game.deadline is not None:
            yield say("sandbox-fading", until=moment(game, game.deadline.at))
        elif isinstance(event, ev.GameEnded):
            powers = [power_name(power, game.board) for power in event.powers]
            yield say("sandbox-over", lapsed=event.reason == "lapsed", powers=powers)
