"""`process`, and mail that is not settled: the Gamemaster goes on without a mail by naming its number.

Only a mail that waits in this game and phase can be named: with a wrong number nothing is done at all, since somebody
who names a mail that does not wait has another state of things in mind.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.game.clock.awaiting import in_time, still_awaited
from judge.game.core.commands import HeldMail, Process, Role
from judge.game.core.decision import Decision, Refusal
from judge.game.core.events import PhaseAdjudicated, PhaseSkipped
from judge.game.core.model import Game, Running
from judge.report.core import times
from judge.report.core.frame import seat_title
from judge.service.trust.sitting import Sitting
from judge.service.turning.barrier import held_mails, unread_mails


@dataclass(frozen=True, slots=True)
class UnsettledMail:
    """A mail that is not settled, for the Gamemaster; `needed`: the turn waits for it."""

    number: int
    came: datetime
    words: str
    needed: bool


def unsettled(sitting: Sitting, game: Game, command: Process) -> Refusal | None:
    """Why a Gamemaster's `process` has to wait for mail, or names a mail that does not wait; None if it may go on."""
    if not isinstance(game, Running) or sitting.actor(game).role is not Role.GM:
        return None  # whoever may not process is told so
    waiting = _waiting(sitting, game)
    unknown = sorted(set(command.despite) - {mail.number for mail in waiting})
    if unknown:
        return _no_such_mail(game, waiting, unknown)
    open_ones = [mail for mail in waiting if mail.needed and mail.number not in command.despite]
    if not open_ones:
        return None
    numbers = sorted({mail.number for mail in open_ones} | set(command.despite))
    return Refusal(
        "mail-unsettled",
        f"Mail that came in time is not settled: {_listed(game, open_ones)}. To go on without it:",
        mend=f"process {game.phase} despite {' '.join(map(str, numbers))}",
    )


def go_on_without(sitting: Sitting, command: Process, result: Decision | Refusal) -> None:
    """Stop the named mails from holding up later phases, once the phase was processed without them."""
    if isinstance(result, Decision) and any(isinstance(one, (PhaseAdjudicated, PhaseSkipped)) for one in result.events):
        for number in command.despite:
            sitting.unit.inbox.waive(number)


def _waiting(sitting: Sitting, game: Running) -> list[UnsettledMail]:
    unread = [
        mail for mail in unread_mails(sitting.house, sitting.unit, game, sitting.now) if mail.id != sitting.mail.id
    ]
    found = [UnsettledMail(mail.id, mail.arrived_at, "not read yet", needed=True) for mail in unread]
    held = [mail for mail in held_mails(sitting.unit, game, sitting.now) if in_time(game, mail.came)]
    needed = {mail.number for mail in still_awaited(game, held, sitting.now, sitting.now)}
    found += [UnsettledMail(mail.number, mail.came, _speaks_for(game, mail), mail.number in needed) for mail in held]
    return sorted(found, key=lambda mail: mail.number)


def _speaks_for(game: Game, mail: HeldMail) -> str:
    return f"held, in the name of {seat_title(game, mail.seat)}"


def _no_such_mail(game: Game, waiting: list[UnsettledMail], unknown: list[int]) -> Refusal:
    which = f"Mail {unknown[0]} does" if len(unknown) == 1 else f"Mails {', '.join(map(str, unknown))} do"
    said = f"{which} not wait in {game.phase} of {game.key}. Nothing was done."
    if not waiting:
        return Refusal("no-such-mail", f"{said} No mail waits here.", mend=f"process {game.phase}")
    numbers = " ".join(str(mail.number) for mail in waiting)
    return Refusal(
        "no-such-mail", f"{said} What waits: {_listed(game, waiting)}.", mend=f"process {game.phase} despite {numbers}"
    )


def _listed(game: Game, mails: list[UnsettledMail]) -> str:
    return "; ".join(
        f"number {mail.number} ({mail.words}, came {times.short(mail.came, game.settings.zone)})" for mail in mails
    )
