"""Mails that come more than once, or late: one copy acts, and each counts from its own arrival."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from judge.game.core import events as ev
from judge.game.core.commands import Clear, Extend, Process, SetDeadline, Submit, Wait
from judge.game.core.decision import Decision, Refusal, Status
from judge.game.core.model import Game, Stage
from judge.game.filing.again import SameAgain, Undo
from judge.game.filing.overtaken import CountOnTime, Word, later_words
from judge.game.filing.plans import UsePlan
from judge.mail.envelope import Envelope
from judge.mail.script import ReadRequest
from judge.report.core import times
from judge.service.core.envelopes import envelope_of
from judge.service.core.house import House
from judge.service.core.keeper import EVER, thaw
from judge.service.posting.operator import to_operator_alone
from judge.service.trust.sitting import Sitting
from judge.service.trust.speaker import hear
from judge.store import Transaction
from judge.store.rows import Mail, MailState

_SAME_MOMENT = timedelta(seconds=1)
"""Mail servers note the second: mails of one second count as they are heard."""

OF_THE_TURN = (Submit, Clear, Wait, Undo, SameAgain, UsePlan, Extend, SetDeadline, Process)
"""Commands that mean the turn in which they were sent."""


def too_late(sitting: Sitting, said: ReadRequest, game: Game) -> Refusal | None:
    """Why a command of a mail that is heard too late does nothing any more; None if it is not too late.

    Orders that name their phase are judged by that.
    """
    request, opened = said.request, game.turn_opened_at
    if not sitting.comes_late or not isinstance(request, OF_THE_TURN) or game.stage is not Stage.RUNNING:
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
    sitting.comes_late = sitting.mail.comes_late
    since = sitting.mail.arrived_at + _SAME_MOMENT
    if not sitting.comes_late and sitting.ledger.newest_heard(sitting.now) <= since:
        return
    for key in dict.fromkeys(said.game for said in sitting.script.said):
        game = sitting.game(key)
        if game is None or game.stage is not Stage.RUNNING:
            continue
        words = later_words(game, _with_arrival(sitting, key), since) | _repeated(sitting, game, since)
        sitting.later[key] = words
        seat = sitting.actor(game).seat
        own = {seat, *(game.seats[seat].powers if seat in game.seats else ())}
        sitting.comes_late = sitting.comes_late or any(who in own for who, *_ in words)


def _with_arrival(sitting: Sitting, key: str) -> Iterator[tuple[ev.Event, datetime]]:
    """The events of a game, each with the arrival of the mail that brought it about. What is in the future came while
    the clock was ahead, and goes before nothing.
    """
    stored = sitting.unit.events.load(key)
    arrivals = sitting.unit.inbox.arrivals({one.mail_id for one in stored if one.mail_id is not None})
    for one in stored:
        came = arrivals.get(one.mail_id or 0, one.at)
        yield thaw(one), came if came <= sitting.now else EVER


def _repeated(sitting: Sitting, game: Game, since: datetime) -> frozenset[Word]:
    """Of the orders on file, those that mails of this author which came after this one gave once more: that changed
    nothing and left no event, only what the mails were answered.
    """
    acting, actor = sitting.speaker.acting, sitting.actor(game)
    own = [row.address for row in sitting.ledger.members.addresses(acting.id)] if acting is not None else []
    later = sitting.unit.inbox.heard_between(since, sitting.now, senders=own, game=game.key, seat=actor.seat)
    given = {
        command["order"]
        for mail in later
        for command in json.loads(mail.verdict or "{}").get("commands", ())
        if command["status"] == Status.TAKEN and command.get("game", game.key) == game.key
    }
    seat = game.seats.get(actor.seat)
    sheets = [game.sheets[power] for power in (seat.powers if seat else ()) if power in game.sheets]
    return frozenset((sheet.power, *line.key) for sheet in sheets for line in sheet.lines if line.order in given)


def count_on_time(sitting: Sitting) -> str:
    """Take late marks back, once the mail is carried out, of whose orders came in time; what they are told of it."""
    told = []
    for key in list(sitting.changes):
        game = sitting.game(key)
        if game is not None and game.deadline is not None and sitting.actor(game).seat in game.deadline.late:
            decision = sitting.tell(game, CountOnTime())
            told.append(decision.said if isinstance(decision, Decision) else "")
    return " ".join(filter(None, told))


DENIED = "denied by the address of record"
"""The reason of a held mail of which somebody said that it is not theirs."""

_WAITING = (MailState.HELD, MailState.IGNORED)
"""States of a first copy that has not acted."""


def take_place(house: House, unit: Transaction, mail: Mail, envelope: Envelope) -> Mail | None:
    """A copy of a mail that has not acted: the mail to be heard now, counting from the arrival of the first, or None
    if this copy is no better, and only logged.
    """
    assert mail.first_id is not None
    first = unit.inbox.get(mail.first_id)
    waits = first.state in _WAITING and first.reason != DENIED
    if waits and _worth(house, unit, mail, envelope) > _worth_of(house, unit, first):
        arrived = min(first.arrived_at, mail.arrived_at)
        unit.inbox.take_place(mail.id, first, house.clock.now(), arrived_at=arrived)
        return replace(mail, first_id=None, content_hash=first.content_hash, arrived_at=arrived)
    unit.inbox.set_duplicate(mail.id, house.clock.now())
    return None


def give_way(sitting: Sitting) -> bool:
    """Whether a better copy of this mail was logged meanwhile; it is to be heard then, in place of this one."""
    house, unit, mail = sitting.house, sitting.unit, sitting.mail
    if mail.content_hash is None or mail.message_id is None:
        return False
    copies = [(_worth_of(house, unit, copy), copy.id) for copy in unit.inbox.copies(mail)]
    worth, best = max(copies, default=((False, False, 0), 0))
    return worth > _worth(house, unit, mail, sitting.envelope) and unit.inbox.reopen(best, sitting.now)


def _worth_of(house: House, unit: Transaction, mail: Mail) -> tuple[bool, bool, int]:
    return _worth(house, unit, mail, envelope_of(house, mail, unit.inbox.raw(mail.id) or b""))


def _worth(house: House, unit: Transaction, mail: Mail, envelope: Envelope) -> tuple[bool, bool, int]:
    """What one copy has and another may lack: our address, a person's marks, proofs of its author."""
    config, known = house.config, house.directory.open(unit)
    speaker = hear(house, unit, known, mail, envelope)
    proofs = speaker.vouched + (speaker.seat is not None and not speaker.foreign)
    return not to_operator_alone(config, mail, envelope), not envelope.noise.is_noise, proofs
