"""The deadline barrier: what keeps a phase from being adjudicated although its time has come.

Mail counts by its arrival at our site. Before a phase is adjudicated everything that arrived in time must have been
taken; a source out of reach, a downtime just over, mail of its seats that is unread, held or quarantined make it wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.model import Game
from judge.store import View
from judge.store.rows import Mail, MailState

MAX_PER_SENDER = 3
"""More waiting mails of one sender than this do not hold a game up: nobody may stall it with a flood."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which we were not there. Phases that fell due in it wait until `until` plus the backlog window."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the daemon knows beside the database: sources that cannot be read, the last outage, an operator's stop."""

    unreachable: tuple[str, ...] = ()
    outage: Outage | None = None
    backlog_window: timedelta = timedelta(minutes=30)
    stopped: str = ""


def blocked(view: View, game: Game, now: datetime, around: Surroundings) -> str:
    """Why no phase of this game may be adjudicated now; "" when nothing stands in the way."""
    if game.deadline is None:
        return ""
    if around.stopped:
        return around.stopped
    if around.unreachable:
        return f"mail cannot be fetched from {', '.join(around.unreachable)}"
    if (outage := around.outage) is not None and game.deadline.at >= outage.since:
        until = outage.until + around.backlog_window
        if now < until and game.deadline.at <= until:
            return "the judge was away and is reading its mail first"
    waiting = waiting_mails(view, game, now)
    if waiting:
        numbers = ", ".join(str(mail.id) for mail in waiting)
        return f"mail that came in time is held or not read yet (number {numbers})"
    return ""


def waiting_mails(view: View, game: Game, now: datetime) -> tuple[Mail, ...]:
    """Unsettled mails that came before the deadline (or before now, when that is earlier) and may concern this game."""
    assert game.deadline is not None
    mails = view.inbox.unsettled(min(now, game.deadline.at), game=game.key)
    return _capped([mail for mail in mails if _may_concern(view, game, mail)])


def _may_concern(view: View, game: Game, mail: Mail) -> bool:
    """What names the game does; what nobody has read may; of the rest what comes from somebody at this table."""
    if mail.game == game.key or mail.state is MailState.NEW:
        return True
    person = view.people.by_address(mail.sender or mail.envelope_from, verified=True)
    return person is not None and (person.id == game.gm or game.seat_held_by(person.id) is not None)


def _capped(mails: Sequence[Mail]) -> tuple[Mail, ...]:
    seen: dict[str, int] = {}
    kept: list[Mail] = []
    for mail in mails:
        sender = mail.sender or mail.envelope_from
        seen[sender] = seen.get(sender, 0) + 1
        if seen[sender] <= MAX_PER_SENDER:
            kept.append(mail)
    return tuple(kept)
