"""One mail that came by two routes: it acts once, and the better copy acts.

The second copy is logged as a duplicate at the door. But a copy may say more than the other: our own mail server may
vouch for the one that came straight and not for the one that took a detour, a mailing list may have made machine mail
of the first, a mail server may hand us one copy for each recipient. So a copy of a mail that was held or ignored is
heard in its place if it is strictly better; and a mail about to be held or ignored gives way to a better copy that is
there already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from judge.mail.envelope import Envelope
from judge.service.core.house import House
from judge.service.posting.operator import to_operator_alone
from judge.service.trust.sitting import Sitting
from judge.service.trust.speaker import hear
from judge.service.trust.taken import DENIED
from judge.store import Transaction
from judge.store.rows import Mail, MailState

Read = Callable[[House, Mail, bytes], Envelope]
"""Makes the envelope of a stored mail."""

WAITING = (MailState.HELD, MailState.IGNORED)
"""States of a first copy that has not acted."""


def take_place(house: House, unit: Transaction, mail: Mail, envelope: Envelope, read: Read) -> Mail | None:
    """A copy of a mail that has not acted: the mail to be heard now, counting from the arrival of the first, or None
    if this copy is no better, and only logged.
    """
    assert mail.first_id is not None
    first = unit.inbox.get(mail.first_id)
    waits = first.state in WAITING and first.reason != DENIED
    if waits and _worth(house, unit, mail, envelope) > _worth_of(house, unit, first, read):
        arrived = min(first.arrived_at, mail.arrived_at)
        unit.inbox.take_place(mail.id, first, house.clock.now(), arrived_at=arrived)
        return replace(mail, first_id=None, content_hash=first.content_hash, arrived_at=arrived)
    unit.inbox.set_duplicate(mail.id, house.clock.now())
    return None


def give_way(sitting: Sitting, read: Read) -> bool:
    """Whether a better copy of this mail was logged meanwhile; it is to be heard then, in place of this one."""
    house, unit, mail = sitting.house, sitting.unit, sitting.mail
    if mail.content_hash is None or mail.message_id is None:
        return False
    copies = [(_worth_of(house, unit, copy, read), copy.id) for copy in unit.inbox.copies(mail)]
    worth, best = max(copies, default=((False, False, 0), 0))
    return worth > _worth(house, unit, mail, sitting.envelope) and unit.inbox.reopen(best, sitting.now)


def _worth_of(house: House, unit: Transaction, mail: Mail, read: Read) -> tuple[bool, bool, int]:
    return _worth(house, unit, mail, read(house, mail, unit.inbox.raw(mail.id) or b""))


def _worth(house: House, unit: Transaction, mail: Mail, envelope: Envelope) -> tuple[bool, bool, int]:
    """What one copy has and another may lack: our address, a person's marks, proofs of its author."""
    config, known = house.config, house.directory.open(unit)
    speaker = hear(house, unit, known, mail, envelope)
    proofs = speaker.vouched + (speaker.seat is not None and not speaker.foreign)
    return not to_operator_alone(config, mail, envelope), not envelope.noise.is_noise, proofs
