"""Ending a subscription by its own address: every letter to a subscriber carries one in List-Unsubscribe.

The token names person and topic, so that nothing has to be kept for it; whoever can write to it has read a letter
that we sent to that subscriber. It ends this one subscription and proves nothing else.
"""

from __future__ import annotations

import hashlib
import hmac

from judge.mail.tokens import Purpose, mint
from judge.report.alerts import alert
from judge.service.house import House
from judge.service.mailbag import put
from judge.service.sitting import Sitting
from judge.store import NoSuchRow, View


def topic_of(game: str) -> str:
    """The topic under which a game's reports are subscribed to."""
    return f"game:{game}"


def unsubscribe_address(house: House, view: View, person: int, topic: str) -> str:
    """The address that ends a subscription, "" where there is none."""
    if all(row.topic != topic for row in view.lists.subscriptions(person)):
        return ""
    reference = _reference(person, topic, house.store.secret)
    return f"{house.config.local_part}+{mint(Purpose.UNSUBSCRIBE, reference, house.store.secret)}@{house.config.domain}"


def unsubscribe(sitting: Sitting, reference: str) -> str:
    """End the subscription that a token names; returns what was done, for the log. Asking twice is no mistake."""
    unit, secret = sitting.unit, sitting.house.store.secret
    person = int(reference[:8], 16)
    try:
        unit.people.get(person)
    except NoSuchRow:
        return "a subscription of nobody"
    ended = [
        row.topic
        for row in unit.lists.subscriptions(person)
        if hmac.compare_digest(_reference(person, row.topic, secret), reference)
    ]
    for topic in ended:
        unit.lists.unsubscribe(person, topic)
    if not ended:
        return "a subscription that had ended"
    letter = alert(
        sitting.ledger.members[person], sitting.house.office, key=f"judge/mail/{sitting.mail.id}/unsubscribed",
        subject="your subscription has ended",
        items=(f"You get no more letters about {ended[0].partition(':')[2]}, because you asked for that.",),
    )  # fmt: skip
    put(sitting.house, unit, letter, sitting.now, mail_id=sitting.mail.id, noted=sitting.letters)
    return "a subscription is ended"


def _reference(person: int, topic: str, secret: bytes) -> str:
    """Eight hex digits of the person, eight of the topic."""
    mark = hmac.digest(secret, f"subscription\0{person}\0{topic}".encode(), hashlib.sha256).hex()[:8]
    return f"{person:08x}{mark}"
