"""Mails that a source could not take in and moved aside: too large, or such that their server cannot show them.

Nothing in them was read, so it is reported: the operator, of each mail once; its sender, once a day, if the
address is a registered one that was proved. Strangers and machines hear nothing.
"""

from __future__ import annotations

from judge.languages import tell
from judge.mail.envelope import Envelope, read_envelope
from judge.report.core.alerts import alert
from judge.service.core.directory import member
from judge.service.core.house import House
from judge.service.posting.operator import tell_operator
from judge.service.posting.outgoing import put
from judge.store import Transaction
from judge.transport.ports import Arrival, known_sender


def report_aside(house: House, unit: Transaction, head: Arrival, size: int) -> None:
    """Tell whom it concerns of a mail that lies in its source's quarantine folder; `head`: its first bytes, as far as
    they could be read, and `size` its length in bytes.
    """
    envelope = read_envelope(
        head.raw, head.received_at, mail_from=known_sender(head.source, head.mail_from), trusted=house.site
    )
    large = size > house.config.max_bytes
    _tell_operator(house, unit, head, envelope, size, large=large)
    if large and not envelope.noise.is_noise:
        _tell_sender(house, unit, head, envelope, size)


def _tell_operator(
    house: House, unit: Transaction, head: Arrival, envelope: Envelope, size: int, *, large: bool
) -> None:
    limit, wire = house.config.max_bytes, head.source.partition(":")[0]
    what = f"is larger than the {_kb(limit)} that I take" if large else "cannot be read there, tried three times"
    sender = envelope.from_address or "an unreadable address"
    if large:
        mend = "raise mail.max_bytes, restart the judge and move the mail back to where it came from"
    else:
        mend = "look at it with a mail program, and move it back when it can be read"
    tell_operator(
        house, unit, f"oversize/{head.transport_key}", subject=f"a mail was set aside ({_kb(size)})",
        items=(
            f"A mail of {_kb(size)} that came by {wire} from {sender} {what}. It goes unread to the quarantine folder "
            f'of its mailbox, and from then on no deadline waits for it; its subject: "{envelope.subject}".',
            f"If its author needs it: {mend}.",
        ),
    )  # fmt: skip


def _tell_sender(house: House, unit: Transaction, head: Arrival, envelope: Envelope, size: int) -> None:
    address, now = envelope.from_address, house.clock.now()
    person = unit.people.by_address(address, verified=True) if address else None
    key = f"judge/oversize/{head.transport_key}"
    if person is None or unit.letters.by_key(key) is not None:
        return
    if not unit.contacts.allow(f"person:{person.id}", "oversize", now.date(), 1):
        return
    letter = alert(
        member(unit, person.id),
        house.office,
        key=key,
        subject="your mail was too large",
        items=(
            tell(
                'A mail of {kb} came from your address ("{subject}"). I take up to {kb2}, so nothing '
                "in it was read and nothing was changed.",
                kb=_kb(size),
                subject=envelope.subject,
                kb2=_kb(house.config.max_bytes),
            ),
            tell("Please send it again as plain text, or with attachments that are smaller."),
        ),
    )
    put(house, unit, letter, now)


def _kb(octets: int) -> str:
    return f"{max(1, octets // 1024)} KB"
