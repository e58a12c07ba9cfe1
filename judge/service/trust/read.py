"""The first stage of a mail's way: what came, and in which copy. Of a mail that comes more than once one copy acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.mail.envelope import Envelope, read_envelope
from judge.service.core.judge import Judge
from judge.service.posting.operator import to_operator_alone
from judge.service.trust.heard import HeardMail
from judge.service.trust.prove import prove
from judge.store import Transaction
from judge.store.rows import Mail, MailState
from judge.transport.ports import Arrival, known_sender

# --- the envelope of a stored mail, read again from its bytes as the door read it -----------------------------------


def read_again(judge: Judge, mail: Mail, raw: bytes) -> Envelope:
    """The envelope of a mail in the inbox."""
    return read_envelope(
        raw,
        mail.received_at,
        rcpt=telling_recipient(judge, mail.rcpts),
        mail_from=known_sender(mail.source, mail.envelope_from),
        peer=mail.peer,
        trusted=judge.site,
        vouched=_is_vouched(judge, mail.source, mail.peer or ""),
    )


def envelope_of(judge: Judge, mail: Mail, raw: bytes) -> Envelope:
    """The envelope of a stored mail; the one the door read, if it is still at hand."""
    known = judge.envelopes.pop(mail.transport_key, None)
    return known or read_again(judge, mail, raw)


def read_arrival(judge: Judge, arrival: Arrival) -> Envelope:
    """The envelope of a mail as a wire hands it over."""
    return read_envelope(
        arrival.raw,
        arrival.received_at,
        rcpt=telling_recipient(judge, arrival.rcpt_to),
        mail_from=known_sender(arrival.source, arrival.mail_from),
        peer=arrival.peer or None,
        trusted=judge.site,
        vouched=_is_vouched(judge, arrival.source, arrival.peer),
    )


def _is_vouched(judge: Judge, source: str, peer: str) -> bool:
    """Whether a program of this machine handed the mail to our own SMTP listener, and its word counts here."""
    return judge.config.smtp_vouched and source == "smtp" and peer in _LOOPBACK


_LOOPBACK = frozenset({"127.0.0.1", "::1"})


def telling_recipient(judge: Judge, recipients: Sequence[str]) -> str | None:
    """Which of several recipients tells most: one with a plus-detail at our address, else one that is ours at all."""

    def worth(address: str) -> int:
        local, _, domain = address.lower().rpartition("@")
        name, _, detail = local.partition("+")
        ours = domain == judge.config.domain.lower() and name == judge.config.local_part.lower()
        return 2 if ours and detail else 1 if ours else 0

    return max(recipients, key=worth, default=None)


# --- copies ---------------------------------------------------------------------------------------------------------


def read(judge: Judge, unit: Transaction, mail: Mail, raw: bytes) -> tuple[Mail, Envelope] | None:
    """The mail that is to be heard, and its envelope; None for a copy that is no better than the one that acted."""
    envelope = envelope_of(judge, mail, raw)
    better = mail if mail.first_id is None else _take_place(judge, unit, mail, envelope)
    return None if better is None else (better, envelope)


DENIED = "denied by the address of record"
"""The reason of a held mail of which somebody said that it is not theirs."""

_WAITING = (MailState.HELD, MailState.IGNORED)
"""States of a first copy that has not acted."""


def _take_place(judge: Judge, unit: Transaction, mail: Mail, envelope: Envelope) -> Mail | None:
    """A copy of a mail that has not acted: the mail to be heard now, counting from the arrival of the first, or None
    if this copy is no better, and only logged.
    """
    assert mail.first_id is not None
    first = unit.inbox.get(mail.first_id)
    waits = first.state in _WAITING and first.reason != DENIED
    if waits and _worth(judge, unit, mail, envelope) > _worth_of(judge, unit, first):
        arrived = min(first.arrived_at, mail.arrived_at)
        unit.inbox.take_place(mail.id, first, judge.clock.now(), arrived_at=arrived)
        return replace(mail, first_id=None, content_hash=first.content_hash, arrived_at=arrived)
    unit.inbox.set_duplicate(mail.id, judge.clock.now())
    return None


def give_way(heard: HeardMail) -> bool:
    """Whether a better copy of this mail was logged meanwhile; it is to be heard then, in place of this one."""
    judge, unit, mail = heard.judge, heard.unit, heard.mail
    if mail.content_hash is None or mail.message_id is None:
        return False
    copies = [(_worth_of(judge, unit, copy), copy.id) for copy in unit.inbox.copies(mail)]
    worth, best = max(copies, default=((False, False, 0), 0))
    return worth > _worth(judge, unit, mail, heard.envelope) and unit.inbox.reopen(best, heard.now)


def _worth_of(judge: Judge, unit: Transaction, mail: Mail) -> tuple[bool, bool, int]:
    return _worth(judge, unit, mail, envelope_of(judge, mail, unit.inbox.raw(mail.id) or b""))


def _worth(judge: Judge, unit: Transaction, mail: Mail, envelope: Envelope) -> tuple[bool, bool, int]:
    """What one copy has and another may lack: our address, a person's marks, proofs of its author."""
    config, known = judge.config, judge.directory.open(unit)
    speaker = prove(judge, unit, known, mail, envelope)
    proofs = speaker.vouched + (speaker.seat is not None and not speaker.foreign)
    return not to_operator_alone(config, mail, envelope), not envelope.noise.is_noise, proofs
