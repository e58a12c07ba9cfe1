"""`clear`: withdraw what is on file for the turn, orders and deeds alike."""

from __future__ import annotations

from dataclasses import replace

from judge.game.core import events as ev
from judge.game.core.commands import Clear
from judge.game.core.decision import Context, Decision, Refusal
from judge.game.core.model import Game
from judge.game.core.parts import Sheet
from judge.game.core.registry import Feature
from judge.game.filing import deeds
from judge.game.filing.overtaken import TOO_LATE
from judge.game.filing.read import filed
from judge.game.filing.sheets import stay, still_open
from judge.game.filing.submitting import ordering
from judge.orders.spelled import listed
from judge.rules.business import Deed


def clear(game: Game, command: Clear, context: Context) -> Decision | Refusal:
    """Withdraw everything on file for this turn."""
    if isinstance(open_ := ordering(game, context.actor), Refusal):
        return open_
    game, seat = open_
    powers = [power for power in ((command.power,) if command.power else seat.powers) if power in seat.powers]
    sheets = [sheet for power in powers if (sheet := game.sheets.get(power)) and (sheet.lines or sheet.faults)]
    if not sheets and not any(game.deeds.get(power) for power in powers):
        return Refusal("nothing-on-file", "There are no orders on file to withdraw.")
    emptied = [event for sheet in sheets if (event := _cleared(sheet, context)) is not None]
    undone = deeds.cleared(game, powers, context)
    if not emptied and not undone:
        return Refusal("overtaken", f"That {TOO_LATE}.")
    gone = [deed.word for event in undone for deed in game.deeds[event.power] if not _stands(deed, event)]
    names = [*(["orders"] if emptied else []), *dict.fromkeys(gone)]
    said = f"Your {listed(names)} {'are' if emptied or len(names) > 1 else 'is'} withdrawn"
    stays = any(event.lines for event in emptied) or any(event.deeds for event in undone)
    rest = ", but for those of mails that came after this one." if stays else "; nothing is on file now."
    return Decision((*emptied, *undone), said=said + rest)


def _stands(deed: Deed, event: ev.DeedsFiled) -> bool:
    return any(kept["word"] == deed.word for kept in event.deeds)


def _cleared(sheet: Sheet, context: Context) -> ev.OrdersFiled | None:
    """A set without what stood on it when the mail came; None where that changes nothing."""
    lines = stay(sheet, context.actor, replace_all=True)
    faults = still_open(sheet, context.actor, replace_all=True)
    if lines == sheet.lines and faults == sheet.faults:
        return None
    return filed(replace(sheet, number=sheet.number + (lines != sheet.lines), lines=lines, faults=faults), context)


FEATURE = Feature(decide={Clear: clear})
