"""A mail that was held and confirmed by now, or that was in quarantine: it counts from its own arrival (ruling 29)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from judge.game.core import events as ev
from judge.game.core.commands import Clear, Extend, Process, SetDeadline, Submit, Wait
from judge.game.core.decision import Refusal, Status
from judge.game.core.model import Game, Stage
from judge.game.filing.again import SameAgain, Undo
from judge.game.filing.overtaken import CountOnTime, Word, later_words
from judge.game.filing.plans import UsePlan
from judge.mail.script import ReadRequest
from judge.report.core import times
from judge.service.core.keeper import thaw
from judge.service.trust.sitting import Sitting
from judge.store.rows import Mail, MailState

_MOST = 100_000
"""Mails that come in while one is held, on the busiest of judges."""

OF_THE_TURN = (Submit, Clear, Wait, Undo, SameAgain, UsePlan, Extend, SetDeadline, Process)
"""Commands that mean the turn in which they were sent."""


def too_late(sitting: Sitting, said: ReadRequest, game: Game) -> Refusal | None:
    """Why a command of a mail that was confirmed too late does nothing any more; None if it is not too late.

    Orders that name their phase are judged by that.
    """
    request, opened = said.request, game.turn_opened_at
    if not sitting.mail.comes_late or not isinstance(request, OF_THE_TURN) or game.stage is not Stage.RUNNING:
        return None
    if opened is None or sitting.mail.arrived_at >= opened or (isinstance(request, Submit) and request.turn):
        return None
    came = times.received(sitting.mail.arrived_at, game.settings.zone)
    before = "I could read it" if sitting.mail.confirmed_at is None else "anybody said yes to it"
    return Refusal(
        "too-late",
        f"Too late: this mail came at {came}, and the turn that it was for was processed before {before}. Nothing was "
        "changed.",
    )


def settle_order(sitting: Sitting) -> None:
    """Find out, before anything is carried out, what later mails have said in the games that this one is about."""
    if not sitting.mail.comes_late:
        return
    since = sitting.mail.arrived_at
    for key in dict.fromkeys(said.game for said in sitting.script.said):
        game = sitting.game(key)
        if game is None or game.stage is not Stage.RUNNING:
            continue
        events = [thaw(stored) for stored in sitting.unit.events.load(key)]
        words = later_words(game, events, since, lambda event: _arrival(sitting, event))
        sitting.later[key] = words | _repeated(sitting, game)


def _repeated(sitting: Sitting, game: Game) -> frozenset[Word]:
    """Of the orders on file, those that mails which came after this one gave once more: that changed nothing and left
    no event, only what the mails were answered.
    """
    seat = game.seats.get(sitting.actor(game).seat)
    given = {
        command["order"]
        for mail in _later_mails(sitting, game)
        for command in json.loads(mail.verdict or "{}").get("commands", ())
        if command["status"] == Status.TAKEN and command.get("game", game.key) == game.key
    }
    sheets = [game.sheets[power] for power in (seat.powers if seat else ()) if power in game.sheets]
    return frozenset((sheet.power, *line.key) for sheet in sheets for line in sheet.lines if line.order in given)


def _later_mails(sitting: Sitting, game: Game) -> Iterator[Mail]:
    """The mails of this author that came after the one that was held, and were heard."""
    acting, seat = sitting.speaker.acting, sitting.actor(game).seat
    own = {row.address for row in sitting.ledger.members.addresses(acting.id)} if acting is not None else set()
    for mail in sitting.unit.inbox.list(states=(MailState.PROCESSED,), after_id=sitting.mail.id, limit=_MOST):
        if mail.arrived_at > sitting.mail.arrived_at and (
            mail.sender in own or (mail.game, mail.seat) == (game.key, seat)
        ):
            yield mail


def _arrival(sitting: Sitting, event: ev.OrdersFiled) -> datetime:
    mail = sitting.unit.inbox.by_reference(event.mail) if event.mail else None
    return mail.arrived_at if mail is not None else event.at


def count_on_time(sitting: Sitting) -> None:
    """Take late marks back, once the mail is carried out."""
    if not sitting.mail.comes_late:
        return
    for key in list(sitting.changes):
        game = sitting.game(key)
        if game is not None and game.deadline is not None and sitting.actor(game).seat in game.deadline.late:
            sitting.tell(game, CountOnTime())
