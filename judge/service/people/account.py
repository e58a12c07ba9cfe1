"""`my account`: everything that the judge has on file about the person who asks, so that they can put it right."""

from __future__ import annotations

import json

from judge.game.core.decision import Decision, Refusal
from judge.mail.script import ReadRequest
from judge.mail.vocabulary.records import MyAccount
from judge.report.core.frame import seat_title
from judge.report.reply.account import AccountView, AddressFact, account_enclosure
from judge.service.core.persons import PASSWORD
from judge.service.core.readers import topic_of
from judge.service.people.editors import edited
from judge.service.posting.mailbag import QUEUE
from judge.service.posting.subscribing import DIGEST
from judge.service.posting.wishes import formats_of
from judge.service.trust.handlers import Result, answers
from judge.service.trust.sitting import Sitting


@answers
def my_account(sitting: Sitting, said: ReadRequest, _: MyAccount) -> Result:
    """What is on file, and what changes it."""
    person = sitting.speaker.acting
    if person is None:
        return Refusal("who", "I do not know you yet.", mend="register")
    view = sitting.unit
    row = view.people.get(person.id)
    form = formats_of(view, (person.id,))[person.id]
    edits = edited(sitting.house, view, person.id)
    topics = [one.topic for one in view.lists.subscriptions(person.id)]
    account = AccountView(
        name=row.name,
        zone=row.zone,
        addresses=tuple(
            AddressFact(one.address, one.primary, one.verified_at is not None, one.suspended_at is not None)
            for one in view.people.addresses(person.id)
        ),
        password=view.people.secret(person.id, PASSWORD) is not None,
        reminders=bool(json.loads(row.options).get("reminders", True)),
        page=form.page,
        pictures=form.pictures,
        calendar=form.calendar,
        plays=_plays(sitting, person.id),
        observes=tuple(key for key in _after(topic_of(""), topics) if key not in edits),
        edits=tuple(edits),
        digest=DIGEST in topics,
        queues=_after(QUEUE, topics),
    )
    sitting.enclosures.append(account_enclosure(account))
    return Decision()


def _plays(sitting: Sitting, person: int) -> tuple[tuple[str, str], ...]:
    return tuple((seat_title(game, seat), game.key) for game, seat in sitting.games_of(person) if game.ending is None)


def _after(prefix: str, topics: list[str]) -> tuple[str, ...]:
    return tuple(topic.removeprefix(prefix) for topic in topics if topic.startswith(prefix))
