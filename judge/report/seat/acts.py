"""What a seat can do now beside giving orders, each as a line to send. Pages show these lines as buttons."""

from __future__ import annotations

from collections.abc import Iterable

from judge.game.clock.extensions import AHEAD
from judge.game.core.model import Game, Running
from judge.game.core.parts import Seat
from judge.game.filing.outlook import Outlook
from judge.game.filing.standing import Standing, State


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
