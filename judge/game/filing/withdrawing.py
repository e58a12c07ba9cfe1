"""Taking back what is on file: `undo`, `clear`, `drop that line`; and `same again`, the orders of the last turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from judge.board.phase import PhaseKind
from judge.board.unit import Unit
from judge.game.core import events as ev
from judge.game.core.commands import Clear, Command, Context, Decision, OrderLine, Refusal
from judge.game.core.model import Game
from judge.game.core.parts import Fault, Sheet
from judge.game.core.registry import Feature
from judge.game.filing import submitting
from judge.game.filing.overtaken import TOO_LATE, fault_word
from judge.game.filing.read import filed
from judge.game.filing.sheets import file_lines, stay, still_open
from judge.game.filing.submitting import ordering
from judge.game.instructions.kinds import FiledOrder, unit_of
from judge.languages import moment_mark, tell
from judge.orders.spelled import listed
from judge.rules.business import Deed


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
        return Refusal("nothing-to-undo", tell("There is no change of your orders in this turn to take back."))
    last = max(sheet.filed_at for sheet in changed if sheet.filed_at is not None)
    if any(grant.by == seat.id and grant.why == "extension" and grant.at >= last for grant in game.deadline.grants):
        return Refusal(
            "extended",
            tell(
                "What you did last was to take an extension: everybody knows the new deadline, so it "
                "stands. Your orders stand too; to withdraw these, clear them."
            ),
            mend="clear",
        )
    events = tuple(restored(sheet, context) for sheet in changed if sheet.filed_at == last)
    empty = all(not sheet.undo for sheet in changed)
    then = tell("nothing is on file, as before") if empty else tell("the set before them is in force again")
    return Decision(
        events,
        said=tell(
            "Your orders of {last} are taken back: {then}. `undo` once more takes that back, too.",
            last=moment_mark(last),
            then=then,
        ),
    )


def restored(sheet: Sheet, context: Context) -> ev.OrdersFiled:
    """The set before the last mail, filed once more as a new one; what that mail was asked back is gone with it."""
    faults = tuple(fault for fault in sheet.faults if fault.mail != sheet.mail)
    return filed(replace(sheet, number=sheet.number + 1, lines=sheet.undo or (), faults=faults), context)


def _stands(line: FiledOrder, standing: Collection[Unit]) -> bool:
    """Whether the unit of an order stands where it stood."""
    return unit_of(line.instruction) in standing


def same_again(game: Game, command: SameAgain, context: Context) -> Decision | Refusal:
    """The orders of the last movement phase once more; each is read and judged again, and answered."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    if game.position.phase.kind is not PhaseKind.MOVES:
        return Refusal("not-now", tell("Only moves can be ordered again; retreats and builds are never the same."))
    standing = {unit for power in seat.powers for unit in game.position.of(power)}
    lines = [line for power in seat.powers for line in game.played.get(power, ())]
    if not lines:
        return Refusal("nothing-again", tell("You ordered no moves last time; there is nothing to order again."))
    still = [line for line in lines if _stands(line, standing)]
    if not still:
        return Refusal(
            "nothing-again", tell("None of your units stands where it stood; there is nothing to order again.")
        )
    written = tuple(OrderLine(0, line.order) for line in still)
    return file_lines(game, written, seat.powers, context, replace_all=False)


def clear(game: Game, command: Clear, context: Context) -> Decision | Refusal:
    """Withdraw everything on file for this turn."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    powers = [power for power in ((command.power,) if command.power else seat.powers) if power in seat.powers]
    sheets = [sheet for power in powers if (sheet := game.sheets.get(power)) and (sheet.lines or sheet.faults)]
    if not sheets and not any(game.deeds.get(power) for power in powers):
        return Refusal("nothing-on-file", tell("There are no orders on file to withdraw."))
    emptied = [event for sheet in sheets if (event := _cleared(sheet, context)) is not None]
    undone = submitting.cleared(game, powers, context)
    if not emptied and not undone:
        return Refusal("overtaken", f"That {TOO_LATE}.")
    gone = [deed.word for event in undone for deed in game.deeds[event.power] if not _is_standing(deed, event)]
    names = [*(["orders"] if emptied else []), *dict.fromkeys(gone)]
    said = f"Your {listed(names)} {'are' if emptied or len(names) > 1 else 'is'} withdrawn"
    stays = any(event.lines for event in emptied) or any(event.deeds for event in undone)
    rest = tell(", but for those of mails that came after this one.") if stays else tell("; nothing is on file now.")
    return Decision((*emptied, *undone), said=said + rest)


def _is_standing(deed: Deed, event: ev.DeedsFiled) -> bool:
    return any(kept["word"] == deed.word for kept in event.deeds)


def _cleared(sheet: Sheet, context: Context) -> ev.OrdersFiled | None:
    """A set without what stood on it when the mail came; None where that changes nothing."""
    lines = stay(sheet, context.actor, replace_all=True)
    faults = still_open(sheet, context.actor, replace_all=True)
    if lines == sheet.lines and faults == sheet.faults:
        return None
    return filed(replace(sheet, number=sheet.number + (lines != sheet.lines), lines=lines, faults=faults), context)


ALL = "drop all lines"


@dataclass(frozen=True, slots=True)
class DropLine(Command):
    """Forget lines that wait to be put right: the one with this number in its mail, or that begins with these words;
    neither: the only one. `every`: all of them.
    """

    number: int = 0
    words: str = ""
    every: bool = False


def drop(game: Game, command: DropLine, context: Context) -> Decision | Refusal:
    """End faults without an order in their place; what is on file stays as it is."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    sheets = [game.sheets[power] for power in seat.powers if power in game.sheets]
    every = [(sheet.power, fault) for sheet in sheets for fault in sheet.faults]
    open_ones = [fault for power, fault in every if fault_word(power, fault) not in context.actor.later]
    if not open_ones:
        return Refusal("nothing-open", tell("No line of yours waits to be put right."), mend="status")
    gone = _meant(command, open_ones)
    if not gone:
        return _which(open_ones)
    events = tuple(_without(sheet, gone, context) for sheet in sheets if set(sheet.faults) & set(gone))
    lines = ", ".join(f'"{fault.text}"' for fault in gone)
    return Decision(events, said=tell("Dropped: {lines}. What is on file stays as it is.", lines=lines))


def _meant(command: DropLine, faults: Sequence[Fault]) -> list[Fault]:
    """The faults that are meant; of several with one number those of the last mail; none where that is not clear."""
    found = list(faults)
    if command.number:
        found = [fault for fault in faults if fault.line == command.number]
    elif command.words:
        found = _beginning_with(command.words, faults)
    if command.every or len(found) < 2:
        return found
    latest = [fault for fault in found if fault.mail == found[-1].mail and fault.at == found[-1].at]
    one_line = len({(fault.line, fault.mail) for fault in latest}) == 1 and bool(latest[0].line)
    return latest if one_line and (command.number or len(latest) == len(found)) else []


def _beginning_with(words: str, faults: Sequence[Fault]) -> list[Fault]:
    """The faults whose line these words are; else those that they begin."""
    meant, texts = _folded(words), [(_folded(fault.text), fault) for fault in faults]
    whole = [fault for text, fault in texts if text == meant]
    return whole or [fault for text, fault in texts if text.startswith(meant)]


def _folded(text: str) -> str:
    return " ".join(text.lower().replace('"', " ").split()).rstrip(".")


def _which(faults: Sequence[Fault]) -> Refusal:
    """Each line that waits, and what drops it."""
    drops = list(dict.fromkeys(how_to_drop(fault, faults) for fault in faults))
    lines = "; ".join(f'"{fault.text}" ({how_to_drop(fault, faults)})' for fault in faults)
    if len(faults) == 1:
        return Refusal("which-line", tell("This line waits to be put right: {lines}.", lines=lines), mend=drops[0])
    sentence = tell("These lines wait to be put right: {lines}. Say which, or: {all}", lines=lines, all=ALL)
    return Refusal("which-line", sentence, mend="\n".join((*drops, ALL)))


def how_to_drop(fault: Fault, faults: Sequence[Fault]) -> str:
    """The line that drops a fault, and of the others only those that stood on the same line of the same mail."""
    if len(faults) == 1:
        return "drop that line"
    if fault.line and len({one.mail for one in faults if one.line == fault.line}) == 1:
        return f"drop line {fault.line}"
    return f'drop line "{fault.text.partition(chr(10))[0]}"'


def _without(sheet: Sheet, gone: Sequence[Fault], context: Context) -> ev.OrdersFiled:
    return filed(replace(sheet, faults=tuple(fault for fault in sheet.faults if fault not in gone)), context)


FEATURE = Feature(
    decide={Undo: undo, SameAgain: same_again, Clear: clear, DropLine: drop},
)
