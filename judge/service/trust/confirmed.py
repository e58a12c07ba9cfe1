"""A mail that was held, and confirmed by now: it counts from its own arrival (ruling 29)."""

from __future__ import annotations

from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.commands import Clear, Extend, Process, SetDeadline, Submit, Wait
from judge.game.core.model import Game, Stage
from judge.game.core.refusal import Refusal
from judge.game.filing.again import SameAgain, Undo
from judge.game.filing.overtaken import CountOnTime, later_words
from judge.game.filing.plans import UsePlan
from judge.mail.script import Said
from judge.report.core import times
from judge.service.core.keeper import thaw
from judge.service.trust.sitting import Sitting

OF_THE_TURN = (Submit, Clear, Wait, Undo, SameAgain, UsePlan, Extend, SetDeadline, Process)
"""Commands that mean the turn in which they were sent."""


def too_late(sitting: Sitting, said: Said, game: Game) -> Refusal | None:
    """Why a command of a mail that was confirmed too late does nothing any more; None if it is not too late.

    Orders that name their phase are judged by that.
    """
    request, opened = said.request, game.turn_opened_at
    if sitting.mail.confirmed_at is None or not isinstance(request, OF_THE_TURN) or game.stage is not Stage.RUNNING:
        return None
    if opened is None or sitting.mail.arrived_at >= opened or (isinstance(request, Submit) and request.turn):
        return None
    came = times.received(sitting.mail.arrived_at, game.settings.zone)
    return Refusal(
        "too-late",
        f"Too late: this mail came at {came}, and the turn that it was for was processed before anybody said yes to "
        "it. Nothing was changed.",
    )


def settle_order(sitting: Sitting) -> None:
    """Find out, before anything is carried out, what later mails have said in the games that this one is about."""
    if sitting.mail.confirmed_at is None:
        return
    since = sitting.mail.arrived_at
    for key in dict.fromkeys(said.game for said in sitting.script.said):
        game = sitting.game(key)
        if game is None or game.stage is not Stage.RUNNING:
            continue
        events = [thaw(stored) for stored in sitting.unit.events.load(key)]
        sitting.later[key] = later_words(game, events, since, lambda event: _arrival(sitting, event))


def _arrival(sitting: Sitting, event: ev.OrdersFiled) -> datetime:
    mail = sitting.unit.inbox.by_reference(event.mail) if event.mail else None
    return mail.arrived_at if mail is not None else event.at


def count_on_time(sitting: Sitting) -> None:
    """Take late marks back, once the mail is carried out."""
    if sitting.mail.confirmed_at is None:
        return
    for key in list(sitting.changes):
        game = sitting.game(key)
        if game is not None and game.deadline is not None and sitting.actor(game).seat in game.deadline.late:
            sitting.tell(game, CountOnTime())
