"""Mails that are heard behind later ones (held, kept by a mail server, fetched once more): each counts from its own
arrival.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from judge.game.core import events as ev
from judge.game.core.commands import Clear, Decision, Extend, Process, Refusal, SetDeadline, Status, Submit, Wait
from judge.game.core.model import Game, Stage
from judge.game.filing.kept import UsePlan
from judge.game.filing.overtaken import CountOnTime, Word, later_words
from judge.game.filing.submitting import SameAgain, Undo
from judge.languages import tell
from judge.mail.script import ReadRequest
from judge.report.core import naming
from judge.service.core.keeper import EVER, thaw
from judge.service.trust.heard import HeardMail, Lateness

_SAME_MOMENT = timedelta(seconds=1)
"""Mail servers note the second: mails of one second count as they are heard."""

OF_THE_TURN = (Submit, Clear, Wait, Undo, SameAgain, UsePlan, Extend, SetDeadline, Process)
"""Commands that mean the turn in which they were sent."""


def too_late(heard: HeardMail, said: ReadRequest, game: Game) -> Refusal | None:
    """Why a command of a mail that is heard too late does nothing any more; None if it is not too late.

    Orders that name their phase are judged by that.
    """
    request, opened = said.request, game.turn_opened_at
    if not heard.lateness.comes_late or not isinstance(request, OF_THE_TURN) or game.stage is not Stage.RUNNING:
        return None
    if opened is None or heard.mail.arrived_at >= opened or (isinstance(request, Submit) and request.turn):
        return None
    came = naming.received(heard.mail.arrived_at, game.settings.zone)
    before = tell("I could read it") if heard.mail.confirmed_at is None else tell("anybody said yes to it")
    return Refusal(
        "too-late",
        tell(
            "Too late: this mail came at {came}, and the turn that it was for was processed "
            "before {before}. Nothing was changed.",
            came=came,
            before=before,
        ),
    )


def settle_order(heard: HeardMail) -> HeardMail:
    """The mail with what later mails have said in the games that it is about, before anything is carried out."""
    late, since = heard.mail.comes_late, heard.mail.arrived_at + _SAME_MOMENT
    if not late and heard.ledger.newest_heard(heard.now) <= since:
        return heard
    later: dict[str, frozenset[Word]] = {}
    for key in dict.fromkeys(said.game for said in heard.script.said):
        game = heard.game(key)
        if game is None or game.stage is not Stage.RUNNING:
            continue
        words = later_words(game, _with_arrival(heard, key), since) | _repeated(heard, game, since)
        later[key] = words
        seat = heard.actor(game).seat
        own = {seat, *(game.seats[seat].powers if seat in game.seats else ())}
        late = late or any(who in own for who, *_ in words)
    return replace(heard, lateness=Lateness(late, later))


def _with_arrival(heard: HeardMail, key: str) -> Iterator[tuple[ev.Event, datetime]]:
    """The events of a game, each with the arrival of the mail that brought it about. What is in the future came while
    the clock was ahead, and goes before nothing.
    """
    stored = heard.unit.events.load(key)
    arrivals = heard.unit.inbox.arrivals({one.mail_id for one in stored if one.mail_id is not None})
    for one in stored:
        came = arrivals.get(one.mail_id or 0, one.at)
        yield thaw(one), came if came <= heard.now else EVER


def _repeated(heard: HeardMail, game: Game, since: datetime) -> frozenset[Word]:
    """Of the orders on file, those that mails of this author which came after this one gave once more: that changed
    nothing and left no event, only what the mails were answered.
    """
    acting, actor = heard.speaker.acting, heard.actor(game)
    own = [row.address for row in heard.ledger.members.addresses(acting.id)] if acting is not None else []
    later = heard.unit.inbox.heard_between(since, heard.now, senders=own, game=game.key, seat=actor.seat)
    given = {
        command["order"]
        for mail in later
        for command in json.loads(mail.verdict or "{}").get("commands", ())
        if command["status"] == Status.TAKEN and command.get("game", game.key) == game.key
    }
    seat = game.seats.get(actor.seat)
    sheets = [game.sheets[power] for power in (seat.powers if seat else ()) if power in game.sheets]
    return frozenset((sheet.power, *line.key) for sheet in sheets for line in sheet.lines if line.order in given)


def count_on_time(heard: HeardMail) -> str:
    """Take late marks back, once the mail is carried out, of whose orders came in time; what they are told of it."""
    told = []
    for key in list(heard.done.changes):
        game = heard.game(key)
        if game is not None and game.deadline is not None and heard.actor(game).seat in game.deadline.late:
            decision = heard.apply(game, CountOnTime())
            told.append(decision.said if isinstance(decision, Decision) else "")
    return " ".join(filter(None, told))
