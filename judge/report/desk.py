"""Your desk: what one reader has to do, by when, and the order form to do it with. It comes first in every report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from judge.adjudicate.duty import Duty
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.game.clock.extensions import AHEAD
from judge.game.core.commands import GM_SEAT
from judge.game.core.model import Game, Seat, Stage
from judge.game.core.turns import asked, forecast, rest_of_turn
from judge.game.filing.standing import State, standing, standings
from judge.game.instructions.filed import FiledOrder
from judge.orders.spelled import place, unit_text
from judge.report import times
from judge.report.cast import Member
from judge.report.naming import instruction_words, joined, kept, many, power_name
from judge.report.openlines import open_lines, words

BLANK = "______"
"""What a form leaves for the player to fill in."""


@dataclass(frozen=True, slots=True)
class Item:
    """One labelled line: "RETREAT", "A Burgundy must retreat: Gascony, Paris - or disband"."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Desk:
    """`tasks` in order of urgency, `facts` beside them, `example` a line to reply with.

    `form`: the lines of the order form; `todo`: the task in a few words for the subject, `brief`: in as few as can be,
    for one that has no room; `due`, `due_own`: the
    deadline in the game's zone and, where it differs, the reader's; `idle`: nothing is asked of this reader.
    """

    title: str
    tasks: tuple[Item, ...] = ()
    facts: tuple[Item, ...] = ()
    example: str = ""
    form: tuple[str, ...] = ()
    todo: str = ""
    brief: str = ""
    due: str = ""
    due_own: str = ""
    idle: bool = False
    due_at: str = ""
    """The deadline as ISO text in UTC, for machines."""
    version: int = 0
    """Which version of the deadline this is: the SEQUENCE of its entry in a calendar."""


def desk(game: Game, seat: str, member: Member) -> Desk:
    """The desk of a seat; of the Gamemaster for "gm"; of an onlooker for ""."""
    found = _desk(game, seat, member)
    if game.deadline is None:
        return found
    return replace(found, due_at=game.deadline.at.isoformat(), version=game.deadline.version)


def _desk(game: Game, seat: str, member: Member) -> Desk:
    due, own = deadline_texts(game, member)
    if seat not in game.seats:
        return _onlooker(game, seat, due, own)
    held = game.seats[seat]
    tasks, form = _work(game, held)
    names = joined(power_name(power, game.board).upper() for power in held.powers)
    title = f"YOUR DESK, {names}" if names else "YOUR DESK"
    if game.stage is Stage.ENDED:
        return Desk(title, (_OVER,), idle=True)
    tasks = [*(Item("PUT RIGHT", words(one)) for one in open_lines(game, held)), *tasks]
    return Desk(
        title=title,
        tasks=tuple(tasks) or (Item("NOTHING", "is asked of you in this phase."),),
        facts=_facts(game, held),
        example=_example(game, held, form),
        form=tuple(form),
        todo=_todo(game, held, form, times.short),
        brief=_todo(game, held, form, times.of_day).partition(";")[0],
        due=due,
        due_own=own,
        idle=not form,
    )


_OVER = Item("NOTHING", "is asked of you: the game is over.")


def deadline_texts(game: Game, member: Member) -> tuple[str, str]:
    """Until when orders are wanted, in the game's zone and in the reader's own; "" where there is no deadline.

    While the game is on hold that moment will pass without anything. Once the deadline has passed, what counts is the
    end of the grace, and it comes first.
    """
    if game.deadline is None:
        return "", ""
    zone, at = game.settings.zone, game.deadline.at
    if game.held_since is not None:
        until = f" until {times.short(game.held_until, zone)}" if game.held_until is not None else ""
        return f"{times.deadline(at, zone)} - ON HOLD{until}, no deadline runs", ""
    if (end := term(game)) is None:
        return f"{times.deadline(at, zone)} - PASSED, the game waits", ""
    passed = f" - END OF GRACE; the deadline, {times.short(at, zone)}, has passed" if game.deadline.called else ""
    return f"{times.deadline(end, zone)}{passed}", times.theirs(end, zone, member.zone)


def term(game: Game) -> datetime | None:
    """Until when orders are wanted: the deadline, or the end of the grace once that has passed; None: no such end."""
    if game.deadline is None or not game.deadline.called:
        return game.deadline.at if game.deadline is not None else None
    waited_for = any(game.seats[key].filled for key in game.deadline.late)
    return game.deadline.grace if waited_for else None


ON_HOLD = "on hold"

Spell = Callable[[datetime, str], str]
"""How a moment is written in a zone."""


def next_in_short(game: Game, spell: Spell = times.short) -> str:
    """For a subject: when the next deadline is, or that none runs; "" where there is none."""
    if game.deadline is None:
        return ""
    if game.held_since is not None:
        return ON_HOLD
    if (end := term(game)) is None:
        return "the game waits"
    return f"{'grace ends' if game.deadline.called else 'next'} {spell(end, game.settings.zone)}"


def form_lines(position: Position, duty: Duty) -> list[str]:
    """The order form for one power and phase: a line for each unit, build or removal that is asked for."""
    units = [*duty.units, *(lost.unit for lost in duty.retreats if lost.options)]
    lines = [f"{unit_text(unit, position.board)} - {BLANK}" for unit in units]
    return [*lines, *[f"BUILD {BLANK}"] * duty.builds, *[f"REMOVE {BLANK}"] * duty.removals]


def filed_lines(game: Game, power: str) -> tuple[str, ...]:
    """The orders on file for a power, spelled out, in their order; those for another turn say for which phase."""
    sheet = game.sheets.get(power)
    if sheet is None or game.position is None:
        return ()
    turn = {str(phase) for phase in rest_of_turn(game)}
    return tuple(_filed_line(line, game, now=line.phase in turn) for line in sheet.lines)


def _filed_line(line: FiledOrder, game: Game, *, now: bool) -> str:
    text = instruction_words(line.instruction, game.board, adjusting=line.adjusts)
    if line.wrong:
        text = f'{text}   ("{line.text.strip()}" is no order)'
    return text if now else f"{text}   (for {game.calendar.title(line.phase)})"


def _work(game: Game, seat: Seat) -> tuple[list[Item], list[str]]:
    if game.position is None:
        return [], []
    tasks: list[Item] = []
    form: list[str] = []
    now = asked(game.position, game.rules)
    for power in seat.powers:
        several = f"{power_name(power, game.board)}: " if len(seat.powers) > 1 else ""
        if (duty := now.get(power)) is not None:
            tasks += [Item(item.label, several + item.text) for item in _asked(game.position, duty)]
            form += form_lines(game.position, duty)
        later = forecast(game, power)
        after = asked(later, game.rules).get(power) if later is not None else None
        if later is not None and after is not None:
            tasks += [Item(item.label, several + item.text) for item in _coming(game, later, now.get(power), after)]
            form += form_lines(later, after)
    return tasks, form


def _coming(game: Game, later: Position, due: Duty | None, after: Duty) -> list[Item]:
    """What the next phase under the same deadline asks; with retreats of one's own it depends on them."""
    return _asked(later, after) if due is None else [Item("THEN", _then(after, _undecided(game, due)))]


def _undecided(game: Game, due: Duty | None) -> int:
    """How many retreats of a power have a choice and no order on file yet."""
    if due is None:
        return 0
    sheet = game.sheets.get(due.power)
    ordered = {line.unit for line in sheet.lines} if sheet else set()
    return sum(bool(lost.options) and lost.unit.id not in ordered for lost in due.retreats)


def _asked(position: Position, duty: Duty) -> list[Item]:
    board = position.board
    items: list[Item] = []
    if duty.units:
        units = ", ".join(kept(unit_text(unit, board)) for unit in duty.units)
        items.append(Item("ORDERS", f"for {many(len(duty.units), 'unit')}: {units}"))
    for lost in duty.retreats:
        options = ", ".join(kept(place(option, board)) for option in lost.options)
        text = f"must retreat: {options} - or disband" if options else "has no retreat and is disbanded"
        items.append(Item("RETREAT", f"{unit_text(lost.unit, board)} {text}"))
    if duty.builds:
        items.append(Item("BUILD", f"{many(duty.builds, 'unit')} (or waive): {_sites(position, duty)}"))
    if duty.removals:
        items.append(Item("REMOVE", many(duty.removals, "unit")))
    return items


def _sites(position: Position, duty: Duty) -> str:
    """Where the builds may be: "A or F Brest, A Paris"."""
    kinds: dict[str, list[str]] = {}
    for kind, at in duty.sites:
        kinds.setdefault(place(at, position.board), []).append(kind)
    return ", ".join(kept(f"{joined(letters, last='or')} {name}") for name, letters in kinds.items())


def _then(duty: Duty, undecided: int) -> str:
    """What the next phase of the turn will ask. `undecided`: own dislodged units that may still retreat or disband;
    each one that retreats is a unit more to feed."""
    most = duty.builds - duty.removals
    least = most - undecided
    if most <= 0:
        amount = f"{-most}" if least == most else f"{-most} to {-least}"
        return f"you remove {amount}, by the same deadline"
    amount = f"{most}" if least == most else f"{max(least, 0)} to {most}"
    return f"you build {amount}, by the same deadline" + ("" if least == most else ", as your retreats go")


def _open_votes(game: Game) -> str:
    return joined(f"no. {number} ({ballot.kind})" for number, ballot in sorted(game.votes.items()))


def _facts(game: Game, seat: Seat) -> tuple[Item, ...]:
    votes = _open_votes(game)
    facts = [Item("VOTES", votes or "none open")]
    if _may_extend(game, seat):
        facts.append(Item("EXTENSIONS LEFT", f"{game.extensions_left(seat)} of {game.settings.extensions}"))
    facts.append(Item("STATUS", " / ".join(STATUS[standing(game, power).state] for power in seat.powers) or "-"))
    if seat.wait:
        facts.append(Item("FLAG", "wait"))
    return tuple(facts)


def _may_extend(game: Game, seat: Seat) -> bool:
    """Whether a free extension is of any use: to a player still in the game, whose turns leave the time to ask."""
    if not game.settings.extensions or seat not in game.active_seats or game.deadline is None:
        return False
    return game.deadline.set_at is None or game.deadline.at - game.deadline.set_at > AHEAD


STATUS: Mapping[State, str] = {
    State.NOTHING_NEEDED: "nothing needed",
    State.MISSING: "nothing sent",
    State.PARTIAL: "partial",
    State.NEEDS_CORRECTION: "needs correction",
    State.COMPLETE: "complete",
}
"""A power's standing in the words of the desk."""


def _example(game: Game, seat: Seat, form: list[str]) -> str:
    """How a retreat is written: legal, and no advice (B03) since it is the first option listed.

    For moves, builds and removals the form says how: whoever copies an example that is no advice gives a move away.
    """
    if not form or game.position is None:
        return ""
    for lost in game.position.dislodged:
        if lost.unit.power in seat.powers and lost.options:
            return f"{unit_text(lost.unit, game.board)} - {place(lost.options[0], game.board)}"
    return ""


def _todo(game: Game, seat: Seat, form: list[str], spell: Spell) -> str:
    """The task for a subject line: "retreat by Sun 17 Jan 23:59 EST"."""
    if game.deadline is None or game.position is None:
        return ""
    if game.held_since is not None:
        return ON_HOLD
    if not form:
        return f"nothing due; {next_in_short(game, spell)}"
    if (end := term(game)) is None:
        return "the game waits for orders"
    when = spell(end, game.settings.zone)
    if game.position.phase.kind is PhaseKind.MOVES:
        return f"orders by {when}"
    builds = sum(line.startswith("BUILD") for line in form)
    removals = sum(line.startswith("REMOVE") for line in form)
    if builds + removals < len(form):
        return f"retreat by {when}"
    words = [f"{verb} {number}" for verb, number in (("build", builds), ("remove", removals)) if number]
    return f"{joined(words)} by {when}"


def _onlooker(game: Game, seat: str, due: str, own: str) -> Desk:
    """The Gamemaster's desk says how many sets are asked for; an observer's has only the deadline."""
    todo, brief = next_in_short(game), next_in_short(game, times.of_day)
    if seat != GM_SEAT:
        return Desk(
            "FOR ONLOOKERS",
            (Item("NOTHING", "is asked of you."),),
            todo=todo,
            brief=brief,
            due=due,
            due_own=own,
            idle=True,
        )
    if game.stage is Stage.ENDED:
        return Desk("YOUR DESK, GAMEMASTER", (_OVER,), idle=True)
    due_of = [one for one in standings(game) if one.state is not State.COMPLETE]
    vacant = [p for s in game.seats.values() if not s.filled for p in s.powers if p in game.survivors]
    tasks = [Item("WAITING", f"for {many(len(due_of), 'set')} of orders" if due_of else "for nobody")]
    if vacant:
        tasks.append(Item("VACANT", joined(power_name(power, game.board) for power in vacant)))
    if votes := _open_votes(game):
        tasks.append(Item("VOTES", f"open: {votes}"))
    return Desk("YOUR DESK, GAMEMASTER", tuple(tasks), todo=todo, brief=brief, due=due, due_own=own, idle=True)
