"""`drop that line`: a line that was asked back is not to be put right after all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.game.core import events as ev
from judge.game.core.commands import Command
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game
from judge.game.core.parts import Fault, Sheet
from judge.game.core.registry import Feature
from judge.game.filing.overtaken import fault_word
from judge.game.filing.read import filed
from judge.game.filing.submitting import ordering

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
        return Refusal("nothing-open", "No line of yours waits to be put right.", mend="status")
    gone = _meant(command, open_ones)
    if not gone:
        return _which(open_ones)
    events = tuple(_without(sheet, gone, context) for sheet in sheets if set(sheet.faults) & set(gone))
    lines = ", ".join(f'"{fault.text}"' for fault in gone)
    return Decision(events, said=f"Dropped: {lines}. What is on file stays as it is.")


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
        return Refusal("which-line", f"This line waits to be put right: {lines}.", mend=drops[0])
    sentence = f"These lines wait to be put right: {lines}. Say which, or: {ALL}"
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
    decide={DropLine: drop},
)
