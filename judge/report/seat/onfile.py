"""What a player has on file, for receipts: the orders in force, orders kept for later, how many others are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.board.phase import Phase
from judge.game.core.model import Game, Running
from judge.game.core.parts import Seat
from judge.game.filing.standing import Standing, State, carried_out_of, others_of
from judge.orders.spelled import order_words, unit_texts
from judge.report.core.letter import moment
from judge.report.core.naming import Moment, Said, Text, power_name, powers_named, say
from judge.report.seat.desk import filed_lines, wait_ends


@dataclass(frozen=True, slots=True)
class FiledSet:
    """The set on file for one power. `number` is 0 while nothing was sent; `lines` are spelled-out orders; `missing`
    says what is still asked for; `changed` what this mail changed.

    In the receipt for a mail about several games `game` names each set's, and the last set of a game says its own
    deadline and who is waited for.
    """

    power: str
    phase: str
    number: int
    state: str
    lines: tuple[Text, ...]
    missing: tuple[Said, ...] = ()
    changed: Said | None = None
    game: str = ""
    due: Moment | None = None
    waiting: Said | None = None


@dataclass(frozen=True, slots=True)
class KeptSet:
    """Lines kept for a phase to come, as written (`power` "": whoever they are for); or, with `title` "always", orders
    that stand where none are given, with "deeds" what is done beside the orders of the present phase,
    with "costs" what all of that costs.
    """

    title: str
    power: str
    lines: tuple[str, ...]


def filed_set(game: Game, before: Game | None, now: Standing) -> FiledSet:
    """The set of a power that stands so, and what differs from the one `before`."""
    power, board = now.power, game.board
    sheet = game.sheets.get(power)
    old = before.sheets.get(power) if before else None
    filed = filed_now(game, power)
    missing = [say("no-order-for", unit=unit) for unit in unit_texts(now.unordered, board)]
    if now.builds_open:
        missing.append(say("builds-open", builds=now.builds_open))
    if now.removals_open:
        missing.append(say("removals-open", removals=now.removals_open))
    return FiledSet(
        power=power_name(power, board),
        phase=game.phase_title,
        number=sheet.number if sheet and filed else 0,
        state=(State.PARTIAL if filed and now.state is State.MISSING else now.state).value.upper(),
        lines=filed_lines(game, power),
        missing=tuple(missing),
        changed=_changed(old.number, [o.order for o in old.lines], [o.order for o in sheet.lines])
        if filed and old and sheet and old.lines and old.number != sheet.number and old.phase == sheet.phase
        else None,
    )


def filed_now(game: Game, power: str) -> bool:
    """Whether anything at all is on file for a power."""
    sheet = game.sheets.get(power)
    return sheet is not None and bool(sheet.lines)


def kept_sets(game: Game, seat: Seat | None) -> tuple[KeptSet, ...]:
    """What is kept for phases to come, in their order, and what always stands."""
    if seat is None:
        return ()
    onfile = (game.kept, game.deeds, game.always)
    powers = [power for power in seat.powers if _costs(game, power) or any(one.get(power) for one in onfile)]
    return tuple(one for power in powers for one in _kept_of(game, seat, power))


def _kept_of(game: Game, seat: Seat, power: str) -> Iterator[KeptSet]:
    board, calendar = game.board, game.calendar
    name = power_name(power, board)
    whose = powers_named(seat.powers, board) if power == seat.powers[0] else name
    whose = "" if game.sandbox is not None else whose
    phases = {Phase.read(code): groups for code, groups in game.kept.get(power, {}).items()}
    for phase in sorted(phases, key=calendar.rank):
        if game.phase is None or calendar.rank(phase) >= calendar.rank(game.phase):
            lines = tuple(line.replace("\n", " / ") for group in phases[phase] for line in group)
            yield KeptSet(calendar.title(phase), whose, lines)
    if deeds := game.deeds.get(power):
        yield KeptSet("deeds", name, tuple(map(str, deeds)))
    if costs := _costs(game, power):
        yield KeptSet("costs", name, costs)
    if always := game.always.get(power):
        yield KeptSet("always", name, tuple(order_words(order, board) for order in always))


def _costs(game: Game, power: str) -> tuple[str, ...]:
    """What the orders on file cost, by rules that know costs."""
    if not isinstance(game, Running) or "reckoned" not in game.rules.around:
        return ()
    orders = (order for _, order in carried_out_of(game, power))
    return game.rules.reckoned(game.position, power, orders, game.deeds.get(power, ()))


def _changed(number: int, old: Sequence[str], new: Sequence[str]) -> Said:
    """What differs from the set before: the numbers of new lines, and how many lines are gone without another."""
    fresh = [index for index, order in enumerate(new, 1) if order not in old]
    gone = len(old) - sum(order in new for order in old)
    return say("changed", number=number, lines=fresh, withdrawn=max(0, gone - len(fresh)))


def waiting_for(game: Game, seat: Seat | None) -> Said | None:
    """How many of the others are missing, and for how many more the clock waits, never who; None where the game keeps
    that secret.
    """
    if not game.settings.waiting_shown or seat is None or game.deadline is None:
        return None
    others = others_of(game, seat)
    if not others.of:
        return None
    early = game.settings.early and not game.deadline.called
    waits, until = waited_for(game, seat) if early else (False, None)
    return say(
        "waiting-for", missing=others.missing, of=others.of, unfinished=others.unfinished if early else 0,
        waits=waits, until=until,
        players=any(len(one.powers) > 1 for one in game.seats.values()),
    )  # fmt: skip


def waited_for(game: Game, seat: Seat | None) -> tuple[bool, Moment | None]:
    """(whether somebody beside a seat has asked to wait, until when: None for the deadline)."""
    waiting = [one for one in game.active_seats if one.wait and one is not seat]
    until = wait_ends(game, waiting)
    return bool(waiting), moment(game, until) if until is not None else None
