"""Mails that say something of an address of record: a letter of ours came back, or somebody writes from there again."""

from __future__ import annotations

import logging

from judge.mail.blame import Blame
from judge.mail.noise import Noise
from judge.mail.tokens import Purpose
from judge.service.posting.bounces import SUSPENDED, came_back
from judge.service.trust.sitting import Sitting
from judge.service.trust.speaker import tokens_of
from judge.store import NoSuchRow
from judge.store.people import alike
from judge.store.rows import Delivery

log = logging.getLogger("judge.bounce")


def note_bounce(sitting: Sitting) -> None:
    """Count a bounce against the address whose letter came back; other noise counts nothing."""
    finding = sitting.envelope.noise
    if finding.kind is not Noise.BOUNCE:
        return
    delivery = _returned(sitting)
    if delivery is None:
        log.info("bounce of nothing we sent", extra={"mail": sitting.mail.id})
        return
    fault = min((failure.blame for failure in finding.failures), key=list(Blame).index)
    text = "; ".join(failure.diagnostic or failure.status for failure in finding.failures)[:200]
    if fault is not Blame.PASSING:
        sitting.unit.outbox.bounced(delivery.id, sitting.now, text=text)
    came_back(sitting.house, sitting.unit, delivery, fault=fault, text=text)


def alive(sitting: Sitting) -> None:
    """A person's own mail from an address proves that it lives: its counts begin again, what waited for it may go."""
    address, now = sitting.envelope.from_address, sitting.now
    person = sitting.speaker.person
    if person is None or address is None:
        return
    row = next((row for row in sitting.ledger.members.addresses(person.id) if alike(row.address, address)), None)
    if row is None or not (row.bounce_soft or row.bounce_hard or row.suspended_at):
        return
    sitting.unit.people.delivered(row.address)
    sitting.unit.outbox.unshelve(row.address, now, text=SUSPENDED)
    sitting.ledger.members.forget(person.id)


def _returned(sitting: Sitting) -> Delivery | None:
    """The delivery that a bounce speaks of."""
    unit, config = sitting.unit, sitting.house.config
    secret = sitting.house.store.secret
    for token in tokens_of(sitting.mail, sitting.envelope, config.domain, config.local_part, secret):
        if token.purpose is Purpose.BOUNCE:
            try:
                return unit.outbox.get(int(token.reference, 16))
            except NoSuchRow:
                continue
    about = sitting.envelope.noise.about
    letter = unit.letters.by_message_id(about) if about else None
    if letter is None:
        return None
    failed = {failure.recipient.lower() for failure in sitting.envelope.noise.failures}
    copies = unit.outbox.of_letter(letter.id)
    return next((copy for copy in copies if copy.address.lower() in failed), None)
