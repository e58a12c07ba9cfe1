"""Limits on what we write about mails that nothing proves.

They are counted in the database: whoever guesses passwords, or turns us against somebody's address, must not win by a
restart or by a second process. And they are counted by what the other side cannot choose anew for each mail: by the
mailbox behind its numbered addresses, by its domain, by the thread, and for the whole house. Answers to proved mails
are measured in `patience.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.service.trust.sitting import Sitting
from judge.store.contacts import OF_MAILBOX

UNPROVED = 5
"""Mails without proof, for one person in a day, that are asked back; what comes on top is put aside in silence."""

WRONG_PASSWORDS = 5
"""Wrong passwords, for one person in a day, after which no password is believed until tomorrow."""

_ANSWER = "unproved-answer"
"""What answers to mails that nothing proves are counted as, by day and whom (`limits.unproved_answers`)."""

_DOMAINS_SHARE = 4
"""A domain gets at most this part of what the house says to strangers in a day: one in so many."""

_FOR_PROVED = 6
"""So many times more answers a day go to a stranger for whom our server vouches."""

_NUMBERED = re.compile(r"(?:[-_.=][0-9a-f]*\d[0-9a-f]*|\d{5,})+$")


def base_address(address: str) -> str:
    """The mailbox behind an address that a system makes anew for each mail.

    >>> [base_address(one) for one in ("desk+0001@crm.test", "Case-0002@crm.test", "anna1985@players.test")]
    ['desk@crm.test', 'case@crm.test', 'anna1985@players.test']
    """
    local, _, domain = address.lower().rpartition("@")
    name = local.partition("+")[0]
    return f"{_NUMBERED.sub('', name) or name}@{domain}"


def no_room(sitting: Sitting, address: str) -> str:
    """Why a stranger's mail, or one that nothing proves, gets no answer to this address today, "" if it gets one. One
    more answer is counted then, and `sitting.last_answer` says whether it is the last.
    """
    bounds, contacts, day = list(_bounds(sitting, address)), sitting.unit.contacts, sitting.now.date()
    left = [(most - contacts.count(whom, _ANSWER, day), what) for whom, most, what in bounds]
    if spent := next((what for more, what in left if more < 1), ""):
        return f"{spent} had its answers today"
    for whom, most, _ in bounds:
        contacts.allow(whom, _ANSWER, day, most)
    sitting.last_answer = sitting.last_answer or any(more == 1 for more, _ in left)
    return ""


def _bounds(sitting: Sitting, address: str) -> Iterator[tuple[str, int, str]]:
    """Under which name, up to which number, and in words, an answer is counted."""
    bounds, envelope = sitting.house.config.bounds, sitting.envelope
    most = bounds.unproved_answers * (_FOR_PROVED if sitting.proved else 1)
    yield address, most, "this address"
    if root := next(iter(envelope.references), envelope.in_reply_to):
        yield f"thread:{root}"[:250], most, "this thread"
    if sitting.speaker.person is None:
        yield f"{OF_MAILBOX}{base_address(address)}", most, "this mailbox, under several addresses,"
        share = max(bounds.strangers_a_day // _DOMAINS_SHARE, 1)
        yield f"domain:{address.rpartition('@')[2].lower()}", share, "this domain"
        yield "strangers:all", bounds.strangers_a_day, "people unknown here"
