"""A mail to the address in List-Unsubscribe ends the subscription that the address names, or all invitations."""

from __future__ import annotations

from judge.report.core.alerts import alert
from judge.service.core.readers import topic_of
from judge.service.hearing.invited import unsubscribed
from judge.service.people.editors import step_down
from judge.service.posting.subscribing import invitation_of, letters_of, subscription_of
from judge.service.trust.sitting import Sitting
from judge.store import NoSuchRow


def unsubscribe(sitting: Sitting, reference: str) -> str:
    """End the subscription that a token names; returns what was done, for the log. Asking twice is no mistake."""
    unit, secret = sitting.unit, sitting.house.store.secret
    if (errand := invitation_of(unit, reference)) is not None:
        return unsubscribed(sitting, errand)
    person = int(reference[:8], 16)
    try:
        unit.people.get(person)
    except NoSuchRow:
        return "a subscription of nobody"
    ended = [row.topic for row in subscription_of(unit, reference, secret)]
    for topic in ended:
        unit.lists.unsubscribe(person, topic)
        if (game := sitting.game(topic.removeprefix(topic_of("")))) is not None:
            step_down(sitting, game, person)
    if not ended:
        return "a subscription that had ended"
    letter = alert(
        sitting.ledger.members[person], sitting.house.office, key=f"judge/mail/{sitting.mail.id}/unsubscribed",
        subject="your subscription has ended",
        items=(f"You get no more {letters_of(ended[0])}, because you asked for that.",),
    )  # fmt: skip
    sitting.send(letter)
    return "a subscription is ended"
