"""Bounces: which letter came back, from whom, and whether the address is still good."""

from __future__ import annotations

import logging

from judge.mail.noise import Noise
from judge.mail.tokens import Purpose
from judge.service.sitting import Sitting
from judge.service.speaker import tokens_of
from judge.store import NoSuchRow

log = logging.getLogger("judge.bounce")


def note_bounce(sitting: Sitting) -> None:
    """Count a bounce against the address it names; other noise counts nothing."""
    finding = sitting.envelope.noise
    if finding.kind is not Noise.BOUNCE:
        return
    house, unit = sitting.house, sitting.unit
    config = house.config
    tokens = tokens_of(sitting.mail, sitting.envelope, config.domain, config.local_part, house.store.secret)
    hard = any(failure.hard for failure in finding.failures)
    for token in tokens:
        if token.purpose is not Purpose.BOUNCE:
            continue
        try:
            delivery = unit.outbox.get(int(token.reference, 16))
        except NoSuchRow:
            continue
        if hard:
            text = "; ".join(failure.diagnostic or failure.status for failure in finding.failures)[:200]
            unit.outbox.bounced(delivery.id, sitting.now, text=text)
        unit.people.bounced(delivery.address, sitting.now, hard=hard)
        log.warning("bounce", extra={"delivery": delivery.id, "hard": hard})
