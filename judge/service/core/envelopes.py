"""The envelope of a stored mail, read again from its bytes as the door read it."""

from __future__ import annotations

from judge.mail.envelope import Envelope, read_envelope
from judge.service.core.house import House
from judge.service.intake.door import telling_recipient
from judge.store.rows import Mail
from judge.transport.ports import known_sender


def read_again(house: House, mail: Mail, raw: bytes) -> Envelope:
    """The envelope of a mail in the inbox."""
    return read_envelope(
        raw,
        mail.received_at,
        rcpt=telling_recipient(house, mail.rcpts),
        mail_from=known_sender(mail.source, mail.envelope_from),
        peer=mail.peer,
        trusted=house.site,
    )
