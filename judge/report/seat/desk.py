"""The desk: what one reader has to do and by when, the order form with a line for each thing that is asked for, lines
of theirs to be put right, and deadlines that calendars must cancel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from judge.adjudicate.duty import Duty, LedgerDue
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.game.clock.extensions import AHEAD
from judge.game.clock.ladder import grace_runs
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Begun, Game, Running, Stage
from judge.game.core.parts import Fault, Seat
from judge.game.filing.judging import told_again
from judge.game.filing.standing import (
    Outlook,
    Standing,
    State,
    Work,
    outlook,
    rest_of_turn,
    seats_behind,
    standing,
    waited_for,
)
from judge.game.filing.submitting import how_to_drop
from judge.game.instructions.kinds import FiledOrder
from judge.game.table.filling import powers_vacant
from judge.languages import tell
from judge.orders.spelled import place, places, unit_text, unit_texts
from judge.report.core.letter import Member, moment, who
from judge.report.core.naming import Moment, Said, Text, instruction_words, order_text, phase_fact, power_name, say
from judge.rules.business import Deed

BLANK = "______"
"""What a form leaves for the player to fill in."""


def form_lines(position: Position, duty: Duty, power: str) -> list[str]:
    """The order form for one power and phase: a line for each unit, build or removal that is asked for. `power`: its
    name where the reader has several.
    """
    whose = f"{power}: " if power else ""
    units = [*duty.units, *(lost.unit for lost in duty.retreats if lost.options)]
    lines = [f"{unit} - {BLANK}" for unit in unit_texts(units, position.board)]
    return [*lines, *[f"{whose}{_to_build()}"] * duty.builds, *[f"{whose}{_to_remove()}"] * duty.removals]


def _to_build() -> str:
    return tell("BUILD {blank}", blank=BLANK)


def _to_remove() -> str:
    return tell("REMOVE {blank}", blank=BLANK)


def open_form(game: Running, view: Outlook) -> list[str]:
    """The order form for what has no order on file, in this phase and in those that are ordered along with it."""
    form: list[str] = []
    for work in view.works:
        several, left = power_name(work.power, game.board) if len(view.works) > 1 else "", what_is_left(work)
        for position, duty in ((game.position, work.now), (work.later, work.then)):
            if position is not None and duty is not None:
                form += form_lines(position, left(duty), several)
    return form


def what_is_left(work: Work) -> Callable[[Duty], Duty]:
    """Of what a phase asks of a power, that for which nothing is on file yet."""
    found = work.standing
    free = {unit.id for unit in found.unordered}

    def left(duty: Duty) -> Duty:
        return replace(
            duty,
            units=tuple(unit for unit in duty.units if unit.id in free),
            retreats=tuple(lost for lost in duty.retreats if lost.unit.id in free),
            builds=min(duty.builds, found.builds_open),
            removals=min(duty.removals, found.removals_open),
            apart=duty.apart if found.builds_open or found.removals_open else (),
        )

    return left


def filed_lines(game: Game, power: str) -> tuple[Text, ...]:
    """The orders on file for a power, spelled out, in their order; those for another turn say for which phase."""
    sheet = game.sheets.get(power)
    if sheet is None or not isinstance(game, Begun):
        return ()
    turn = {str(phase) for phase in rest_of_turn(game)}
    return tuple(_filed_line(line, game, now=line.phase in turn) for line in sheet.lines)


def _filed_line(line: FiledOrder, game: Game, *, now: bool) -> Text:
    order = instruction_words(line.instruction, game.board, adjusting=line.adjusts)
    if now and not line.wrong:
        return order
    wrong = line.text.strip() if line.wrong else ""
    return say("filed-line", order=order, wrong=wrong, phase="" if now else phase_fact(game, line.phase))


def may_extend(game: Game, view: Outlook) -> bool:
    """Whether a free extension is of any use: to a player still in the game, whose turns leave the time to ask."""
    if not game.settings.extensions or not view.active or game.deadline is None:
        return False
    return game.deadline.set_at is None or game.deadline.at - game.deadline.set_at > AHEAD


def acts(game: Game, seat: Seat, view: Outlook) -> tuple[str, ...]:
    """Ballots on open votes; more time, while there is some to be had; the end of one's own wait."""
    if not isinstance(game, Running) or not view.active or game.practice is not None:
        return ()
    ballots = tuple(line for _, ballot in sorted(game.votes.items()) for line in ballot.lines)
    extend = may_extend(game, view) and view.extensions > 0 and not game.deadline.called
    flags = ("ready",) if seat.wait and game.settings.early else ()
    return (*ballots, *(("extension",) if extend else ()), *flags)


def acts_after(game: Game, before: Game | None, seat: Seat, found: Iterable[Standing]) -> tuple[str, ...]:
    """What can follow the mail that a receipt answers: taking back what it filed, waiting for the deadline or not.
    `found`: how the seat's powers stand.
    """
    if not isinstance(game, Running) or not seat.powers:
        return ()
    changed = before is not None and any(game.sheets.get(one) != before.sheets.get(one) for one in seat.powers)
    undo = ("undo",) if changed and before is not None and any(map(before.sheets.get, seat.powers)) else ()
    if game.practice is not None:
        return (*undo, "ready")
    if not game.settings.early:
        return undo
    if seat.wait:
        return (*undo, "ready")
    complete = all(one.state is State.COMPLETE for one in found)
    return (*undo, "wait") if complete else undo


@dataclass(frozen=True, slots=True)
class OpenLine:
    """One line: its text, when it came, why it was no order, and how the question ends.

    `line` is its number in the mail `mail`; `drop`: what gives it up.
    """

    text: str
    when: Moment | None
    said: str
    mend: Said
    line: int = 0
    mail: str = ""
    drop: str = ""


def in_full(one: OpenLine) -> Said:
    """One line with all there is to it: which, why not, and how the question ends."""
    return say("open-line", line=named(one), why=one.said.rstrip("."), mend=one.mend)


def named(one: OpenLine) -> Said:
    """Which line it is."""
    return say("your-line", when=one.when, text=one.text)


def open_lines(game: Game, seat: Seat | None) -> tuple[OpenLine, ...]:
    """The open lines of a seat, the oldest first; empty in a game in which faulty orders stand as written."""
    return open_lines_of(game, [standing(game, power) for power in seat.powers] if seat else ())


def open_lines_of(game: Game, found: Iterable[Standing]) -> tuple[OpenLine, ...]:
    """The open lines of these powers, the oldest first."""
    powers = [(one.power, fault) for one in found for fault in one.faults]
    faults = [fault for _, fault in powers]
    return tuple(_open_line(game, power, fault, faults) for power, fault in powers)


def _open_line(game: Game, power: str, fault: Fault, faults: list[Fault]) -> OpenLine:
    proposals = [order_text(line, game.board, adjusting=fault.adjusts) for line in fault.proposals]
    drop = how_to_drop(fault, faults)
    return OpenLine(
        text=fault.text.partition("\n")[0],
        when=moment(game, fault.at) if fault.at else None,
        said=told_again(game, power, fault),
        mend=say("mend", proposals=proposals, wants=_wanted(game, fault), drop=drop),
        drop=drop,
        line=fault.line,
        mail=fault.mail,
    )


def _wanted(game: Game, fault: Fault) -> Said:
    """What puts it right: an order for a certain unit, a build or removal, or an order for every unit."""
    position = game.position
    units = (*position.units, *(lost.unit for lost in position.dislodged)) if position is not None else ()
    unit = next((unit for unit in units if unit.id == fault.unit), None)
    if unit is not None:
        return say("wanted-order", unit=unit_text(unit, game.board))
    return say("wanted-adjustment") if fault.adjusts else say("wanted-orders")


@dataclass(frozen=True, slots=True)
class DeskItem:
    """One labelled line: "retreat", and which unit must retreat to where. A label is a code; templates spell it."""

    label: str
    text: Text


@dataclass(frozen=True, slots=True)
class Desk:
    """`tasks` in order of urgency, `facts` beside them, `example` a line to reply with.

    `form`: the lines of the order form; `todo`: the task in a few words for the subject, `brief`: in as few as can be,
    for one that has no room; `due`: the deadline; `idle`: nothing is asked of this reader.
    """

    title: Said
    tasks: tuple[DeskItem, ...] = ()
    facts: tuple[DeskItem, ...] = ()
    example: str = ""
    form: tuple[str, ...] = ()
    todo: Text = ""
    brief: Text = ""
    due: Moment | None = None
    idle: bool = False
    version: int = 0
    """Which version of the deadline this is: the SEQUENCE of its entry in a calendar."""
    tenure: int = 0
    """How often the reader's seat was taken: whoever takes it over has calendar entries of their own."""
    acts: tuple[str, ...] = ()
    """What can be done beside orders, as lines to send."""


def desk(game: Game, seat: str, member: Member, *, lacking: bool = False) -> Desk:
    """The desk of a seat; of the Gamemaster for "gm"; of an onlooker for "". `lacking`: the form asks only for what
    has no order on file.
    """
    found = _desk(game, seat, member, lacking=lacking)
    if game.deadline is None:
        return found
    return replace(found, version=game.deadline.version, tenure=game.seats[seat].tenure if seat in game.seats else 0)


def _desk(game: Game, seat: str, member: Member, *, lacking: bool) -> Desk:
    if seat not in game.seats:
        return _onlooker(game, seat, member)
    held = game.seats[seat]
    view = outlook(game, held)
    tasks, form = _work(game, view)
    title = say("desk-title", of=who(game, seat))
    if game.stage is Stage.ENDED:
        return Desk(title, (_OVER,), idle=True)
    tasks = [
        *(DeskItem("put-right", in_full(one)) for one in open_lines_of(game, [work.standing for work in view.works])),
        *tasks,
    ]
    if game.practice is not None and game.sandbox is not None:
        return _own_board(game, tasks, form)
    idle = not form
    form = open_form(game, view) if lacking and isinstance(game, Running) else form
    return Desk(
        title=title,
        tasks=tuple(tasks) or (_nothing(game, held, idle=idle),),
        facts=_facts(game, held, view),
        example=_example(game, held, form),
        form=tuple(form),
        todo=_todo(game, form, brief=False),
        brief=_todo(game, form, brief=True),
        due=due(game, member),
        idle=idle,
        acts=acts(game, held, view),
    )


def _own_board(game: Game, tasks: Sequence[DeskItem], form: Sequence[str]) -> Desk:
    """The desk of whoever has a sandbox: nothing is due there, and it stays for a while."""
    moves = game.position is not None and game.position.phase.kind is PhaseKind.MOVES
    orders = (DeskItem("orders", say("task-sandbox")),) if moves else tuple(tasks)
    kept = game.deadline and moment(game, game.deadline.at)
    facts = (DeskItem("kept", say("desk-kept", until=kept)),) if kept else ()
    return Desk(say("desk-of-board"), orders, facts, form=tuple(form), idle=False)


_OVER = DeskItem("nothing", say("task-over"))


def due(game: Game, member: Member) -> Moment | None:
    """Until when orders are wanted; None where there is no deadline.

    While the game is on hold that moment will pass without anything. Once the deadline has passed, what counts is the
    end of the grace, and it comes first.
    """
    if game.deadline is None:
        return None
    at = moment(game, game.deadline.at)
    if game.held_since is not None:
        until = moment(game, game.held_until) if game.held_until is not None else None
        return replace(at, note=say("due-on-hold", until=until))
    if (end := term(game)) is None:
        return replace(at, note=say("due-passed", waits=bool(seats_behind(game))))
    found = moment(game, end, member)
    return replace(found, note=say("due-grace", deadline=at)) if game.deadline.called else found


def term(game: Game) -> datetime | None:
    """Until when orders are wanted: the deadline, or the end of the grace once that has passed; None: no such end."""
    if game.deadline is None or not game.deadline.called:
        return game.deadline.at if game.deadline is not None else None
    return game.deadline.grace if grace_runs(game) else None


def due_said(game: Game) -> Said | str:
    """By when what is missing must come, for sentences; "" where there is no deadline and no hold."""
    if game.deadline is None and game.held_since is None:
        return ""
    end = term(game)
    return say("due", held=game.held_since is not None, due=moment(game, end) if end is not None else None)


def waits_beside(game: Game, seat: Seat | None) -> bool:
    """Whether the deadline has passed without a seat's player being late: the game waits for others, and while
    something of theirs is missing for them as well. Nobody is called late twice in a turn.
    """
    deadline = game.deadline
    return deadline is not None and deadline.called and seat is not None and seat.id not in deadline.late


def next_in_short(game: Game, *, brief: bool) -> Text:
    """For a subject: when the next deadline is, or that none runs; "" where there is none."""
    if game.deadline is None:
        return ""
    if game.held_since is not None:
        return say("todo-on-hold")
    if (end := term(game)) is None:
        return say("todo-game-waits")
    return say("todo-next", due=moment(game, end), grace=game.deadline.called, brief=brief)


def _work(game: Game, view: Outlook) -> tuple[list[DeskItem], list[str]]:
    if not isinstance(game, Begun):
        return [], []
    tasks: list[DeskItem] = []
    form: list[str] = []
    for work in view.works:
        several = power_name(work.power, game.board) if len(view.works) > 1 else ""
        left = what_is_left(work)
        if work.now is not None:
            tasks += _asked(game, game.position, left(work.now), several)
            form += form_lines(game.position, work.now, several)
        if work.later is not None and work.then is not None:
            tasks += _coming(game, work.later, work.now, left(work.then), several)
            form += form_lines(work.later, work.then, several)
    return tasks, form


def _coming(game: Begun, later: Position, due: Duty | None, after: Duty, power: str) -> list[DeskItem]:
    """What the next phase under the same deadline asks; with retreats of one's own it depends on them."""
    if due is None:
        return _asked(game, later, after, power)
    undecided = _undecided(game, due)
    return [_then(part, _of_ledger(game, undecided, part), power) for part in _parts(after)]


def _of_ledger(game: Begun, undecided: Sequence[Unit], due: LedgerDue) -> int:
    ledgers = [game.rules.ledger(game.position, unit) for unit in undecided]
    return ledgers.count(due.ledger)


def _undecided(game: Game, due: Duty) -> tuple[Unit, ...]:
    """The dislodged units of a power that have a choice and no order on file yet."""
    sheet = game.sheets.get(due.power)
    ordered = {line.unit for line in sheet.lines} if sheet else set()
    return tuple(lost.unit for lost in due.retreats if lost.options and lost.unit.id not in ordered)


_MOST_LINES = 8


def _nothing(game: Game, held: Seat, *, idle: bool) -> DeskItem:
    """Where no orders are asked for: that all are in, what may be done beside, or that there is nothing to do."""
    if not idle:
        return DeskItem("nothing", say("task-complete"))
    if isinstance(game, Running) and game.deliberates:
        alive = [power for power in held.powers if power in game.survivors]
        if not alive:
            return DeskItem("nothing", say("task-none-now"))
        lines = tuple(_may_be_done(game, alive[0]))
        return DeskItem("nothing", say("task-business", lines=lines[:_MOST_LINES]))
    return DeskItem("nothing", say("task-none-now"))


def _may_be_done(game: Running, power: str) -> Iterator[str]:
    """A line of each thing that the rules let a power do now beside ordering units."""
    business = game.rules.business()
    for word, one in business.items():
        line = one.example(game.position, power) if one.example is not None else ""
        deed = Deed(power, word, tuple(line.split()[len(word.split()) :]))
        if line and not one.fault(game.position, deed) and not one.among(game.position, deed, ()):
            yield line


def _asked(game: Game, position: Position, duty: Duty, power: str) -> list[DeskItem]:
    """What one phase asks; `power`: its name where the reader has several."""
    board = position.board
    items: list[DeskItem] = []
    if duty.units:
        units = unit_texts(duty.units, board)
        items.append(DeskItem("orders", say("task-orders", power=power, units=units)))
    for lost in duty.retreats:
        unit, options = unit_text(lost.unit, board), places(lost.options, board)
        disbands = game.rules.may_disband()
        task = say("task-retreat", power=power, unit=unit, options=options, disbands=disbands)
        items.append(DeskItem("retreat", task))
    return [*items, *(item for part in _parts(duty) for item in _adjustments(position, part, power))]


def _parts(duty: Duty) -> tuple[LedgerDue, ...]:
    return duty.apart or (LedgerDue("", duty.builds, duty.sites, duty.removals),)


def _adjustments(position: Position, due: LedgerDue, power: str) -> Iterator[DeskItem]:
    if due.builds:
        sites = _sites(position, due)
        yield DeskItem("build", say("task-build", power=power, ledger=due.ledger, builds=due.builds, sites=sites))
    if due.removals:
        units = unit_texts(due.removable, position.board)
        task = say("task-remove", power=power, ledger=due.ledger, removals=due.removals, units=units)
        yield DeskItem("remove", task)


def _sites(position: Position, duty: LedgerDue) -> list[dict[str, Any]]:
    """Where the builds may be: Brest, army or fleet; Paris, army."""
    kinds: dict[str, list[str]] = {}
    for kind, at in duty.sites:
        kinds.setdefault(place(at, position.board), []).append(kind)
    return [{"at": name, "kinds": letters} for name, letters in kinds.items()]


def _then(due: LedgerDue, undecided: int, power: str) -> DeskItem:
    """What the next phase of the turn will ask. `undecided`: own dislodged units that may still retreat or disband;
    each one that retreats is a unit more to feed."""
    most = due.builds - due.removals
    return DeskItem("then", say("task-then", power=power, ledger=due.ledger, least=most - undecided, most=most))


def _open_votes(game: Game) -> list[dict[str, Any]]:
    return [{"number": number, "kind": ballot.kind} for number, ballot in sorted(game.votes.items())]


def _facts(game: Game, seat: Seat, view: Outlook) -> tuple[DeskItem, ...]:
    facts = [DeskItem("votes", say("desk-votes", votes=_open_votes(game)))]
    if may_extend(game, view) and game.deadline is not None and not game.deadline.called:
        told = say("desk-extensions", left=view.extensions, most=game.settings.extensions)
        facts.append(DeskItem("extensions-left", told))
    facts.append(DeskItem("status", say("status", states=[work.standing.state for work in view.works])))
    if flag := flag_of(game, seat):
        facts.append(DeskItem("flag", flag))
    return tuple(facts)


def flag_of(game: Game, seat: Seat) -> Said | str:
    """That a seat has asked to wait, and until when where that ends by itself before the deadline; "" else."""
    if not seat.wait or game.stage is not Stage.RUNNING:
        return ""
    until = wait_ends(game, [seat])
    return say("flag-wait", until=moment(game, until) if until is not None else None)


def wait_ends(game: Game, waiting: Sequence[Seat]) -> datetime | None:
    """When the last of several waits ends by itself; None where that is with the deadline, or none runs."""
    if game.deadline is None or game.held_since is not None:
        return None
    last = max([seat.wait_until or game.deadline.at for seat in waiting], default=game.deadline.at)
    return last if last < game.deadline.at else None


def status_of(game: Game, seat: Seat) -> Said:
    """How the orders of a seat's powers stand."""
    return say("status", states=[standing(game, power).state for power in seat.powers])


def _example(game: Game, seat: Seat, form: list[str]) -> str:
    """How a retreat is written: legal, and no advice since it is the first option listed.

    For moves, builds and removals the form says how: whoever copies an example that is no advice gives a move away.
    """
    if not form or game.position is None:
        return ""
    for lost in game.position.dislodged:
        if lost.unit.power in seat.powers and lost.options:
            return f"{unit_text(lost.unit, game.board)} - {place(lost.options[0], game.board)}"
    return ""


def _todo(game: Game, form: list[str], *, brief: bool) -> Text:
    """The task for a subject line: to retreat, and by when."""
    if not isinstance(game, Running):
        return ""
    if game.held_since is not None:
        return say("todo-on-hold")
    if not form:
        return say("todo-nothing", next="" if brief else next_in_short(game, brief=brief))
    if (end := term(game)) is None:
        return say("todo-waited-for")
    facts: dict[str, Any] = {"due": moment(game, end), "brief": brief}
    if game.position.phase.kind is PhaseKind.MOVES:
        return say("todo-orders", **facts)
    builds = sum(line.endswith(_to_build()) for line in form)
    removals = sum(line.endswith(_to_remove()) for line in form)
    if builds + removals < len(form):
        return say("todo-retreat", **facts)
    return say("todo-adjust", builds=builds, removals=removals, **facts)


def _onlooker(game: Game, seat: str, member: Member) -> Desk:
    """The Gamemaster's desk says how many sets are asked for; an observer's has only the deadline."""
    facts: dict[str, Any] = {
        "todo": next_in_short(game, brief=False),
        "brief": next_in_short(game, brief=True),
        "due": due(game, member),
        "idle": True,
    }
    if game.practice is not None and game.sandbox is not None:
        return Desk(say("desk-of-shown"), (DeskItem("play-on", say("task-shown", game=game.key)),), idle=False)
    if seat != GM_SEAT:
        return Desk(say("desk-of-onlookers"), (DeskItem("nothing", say("task-none")),), **facts)
    title = say("desk-title", of=who(game, GM_SEAT))
    if game.stage is Stage.ENDED:
        return Desk(title, (_OVER,), idle=True)
    sets, players = waited_for(game)
    vacant = [power for power in powers_vacant(game) if power in game.survivors]
    tasks = [DeskItem("waiting", say("task-waiting", sets=len(sets), players=players))]
    if vacant:
        tasks.append(DeskItem("vacant", say("names", names=[power_name(power, game.board) for power in vacant])))
    if votes := _open_votes(game):
        tasks.append(DeskItem("votes", say("task-votes", votes=votes)))
    return Desk(title, tuple(tasks), **facts)


@dataclass(frozen=True, slots=True)
class ClosedDeadline:
    """The deadline of the turn that began with the phase `turn`: ISO text in UTC, and its version.

    `seat` and `tenure`: whose it was, where the reader of the letter holds that seat no more.
    """

    turn: str
    due_at: str
    version: int
    seat: str = ""
    tenure: int = 0


def closed(game: Game | None, left: Seat | None = None) -> ClosedDeadline | None:
    """The deadline of `game`, which is that before the events, to be cancelled; None if it had none. `left`: the seat
    that the reader has lost.
    """
    deadline = game.deadline if game is not None else None
    if deadline is None:
        return None
    at = deadline.at.astimezone(UTC).isoformat()
    seat, tenure = (left.id, left.tenure) if left is not None else ("", 0)
    return ClosedDeadline(str(deadline.phase), at, deadline.version, seat, tenure)


def given_up(before: Game | None, after: Game, person: int) -> ClosedDeadline | None:
    """The deadline to be cancelled for a person who held a seat before their mail and holds it no longer; else None."""
    if before is None or before.seats is after.seats or (held := before.seat_held_by(person)) is None:
        return None
    now = after.seats.get(held.id)
    kept = now is not None and now.person == person
    return None if kept or after.seat_held_by(person) is not None else closed(before, held)
