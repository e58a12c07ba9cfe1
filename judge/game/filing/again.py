"""`undo` goes back to the orders before the last mail, `same again` repeats those of the last turn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from judge.board.phase import PhaseKind
from judge.board.unit import Unit
from judge.game.core import events as ev
from judge.game.core.commands import Command, OrderLine
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game
from judge.game.core.moments import told
from judge.game.core.parts import Sheet
from judge.game.core.registry import Feature
from judge.game.filing.overtaken import TOO_LATE
from judge.game.filing.read import filed
from judge.game.filing.sheets import file_lines
from judge.game.filing.submitting import ordering
from judge.game.instructions.kinds import FiledOrder, unit_of


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Take the last change of the orders back. A second `undo` takes the first one back."""


@dataclass(frozen=True, slots=True)
class SameAgain(Command):
    """Order again what was ordered in the last movement phase, for the units that still stand where they stood."""


def undo(game: Game, command: Undo, context: Context) -> Decision | Refusal:
    """Put the set before the last mail in force again, as a new set."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if any(power in seat.powers for power, *_ in context.actor.later):
        return Refusal("overtaken", f"Your `undo` {TOO_LATE}.")
    sheets = [game.sheets[power] for power in seat.powers if power in game.sheets]
    changed = [sheet for sheet in sheets if sheet.undo is not None and sheet.undo != sheet.lines]
    if not changed:
        return Refusal("nothing-to-undo", "There is no change of your orders in this turn to take back.")
    last = max(sheet.filed_at for sheet in changed if sheet.filed_at is not None)
    if any(grant.by == seat.id and grant.why == "extension" and grant.at >= last for grant in game.deadline.grants):
        return Refusal(
            "extended",
            "What you did last was to take an extension: everybody knows the new deadline, so it stands. Your orders "
            "stand too; to withdraw these, clear them.",
            mend="clear",
        )
    events = tuple(restored(sheet, context) for sheet in changed if sheet.filed_at == last)
    empty = all(not sheet.undo for sheet in changed)
    then = "nothing is on file, as before" if empty else "the set before them is in force again"
    return Decision(
        events, said=f"Your orders of {told(last)} are taken back: {then}. `undo` once more takes that back, too."
    )


def restored(sheet: Sheet, context: Context) -> ev.OrdersFiled:
    """The set before the last mail, filed once more as a new one; what that mail was asked back is gone with it."""
    faults = tuple(fault for fault in sheet.faults if fault.mail != sheet.mail)
    return filed(replace(sheet, number=sheet.number + 1, lines=sheet.undo or (), faults=faults), context)


def _stands(line: FiledOrder, standing: Collection[Unit]) -> bool:
    """Whether the unit of an order stands where it stood."""
    return unit_of(line.instruction) in standing


def same_again(game: Game, command: SameAgain, context: Context) -> Decision | Refusal:
    """The orders of the last movement phase once more; each is read and judged again, and answered (4.5)."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if game.position.phase.kind is not PhaseKind.MOVES:
        return Refusal("not-now", "Only moves can be ordered again; retreats and builds are never the same.")
    standing = {unit for power in seat.powers for unit in game.position.of(power)}
    lines = [line for power in seat.powers for line in game.played.get(power, ())]
    if not lines:
        return Refusal("nothing-again", "You ordered no moves last time; there is nothing to order again.")
    still = [line for line in lines if _stands(line, standing)]
    if not still:
        return Refusal("nothing-again", "None of your units stands where it stood; there is nothing to order again.")
    written = tuple(OrderLine(0, line.order) for line in still)
    return file_lines(game, written, seat.powers, context, replace_all=False)


FEATURE = Feature(
    decide={Undo: undo, SameAgain: same_again},
)
