"""Data of erased persons: their mails, our letters to them, and their addresses wherever they are stored.

Nothing of this is looked up by an address on an ordinary day, so no index helps here: whoever is forgotten costs a look
through the inbox and the outbox, once or, while a letter to them is still on its way, once a day.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, or_, select, update

from judge.store.people import OF_MAILBOX
from judge.store.rows import DeliveryState, LetterState, MailState
from judge.store.tables import (
    addresses,
    contact_counts,
    contacts,
    deliveries,
    inbox,
    letter_bytes,
    letters,
    mail_bytes,
    patience,
    persons,
)

FORGOTTEN = "its author is forgotten"
"""What is left of the verdict on a mail."""

_SETTLED = (MailState.PROCESSED, MailState.IGNORED, MailState.DUPLICATE, MailState.DROPPED)
_ON_ITS_WAY = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)
_NOTICES = ("bounce", "complaint", "auto-reply")
"""How the reason begins for which a machine's notice about a letter of ours was ignored; it may name the reader."""

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Trail:
    """Where somebody has been: their addresses, in lower case, from when on they were known, when they were forgotten,
    and the numbers of the last mail and letter then. What came later is a new acquaintance's.
    """

    addresses: tuple[str, ...]
    known_since: datetime
    forgotten_at: datetime
    last_mail: int
    last_letter: int


class Leftovers:
    """The remains of erased persons, inside a unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def trail(self, person_id: int, now: datetime) -> Trail | None:
        """The trail of somebody who is about to be erased; None if they are not there. An address to which we wrote to
        them belongs to it, unless it is somebody else's by now.
        """
        since = self._connection.scalar(select(persons.c.created_at).where(persons.c.id == person_id))
        if since is None:
            return None
        owned = select(addresses.c.address).where(addresses.c.person_id == person_id)
        of_others = exists().where(addresses.c.address == deliveries.c.address, addresses.c.person_id != person_id)
        written_to = (
            select(deliveries.c.address)
            .join(letters, letters.c.id == deliveries.c.letter_id)
            .where(letters.c.person_id == person_id, ~of_others)
        )
        found = {str(address).lower() for address in self._connection.scalars(owned.union(written_to))}
        mail, letter = (self._connection.scalar(select(func.max(t.c.id))) or 0 for t in (inbox, letters))
        return Trail(tuple(sorted(found)), since, now, mail, letter)

    def clear(self, trail: Trail) -> bool:
        """Throw away what is settled; True if nothing else is left. A mail keeps its number, its digest and the seat
        that it was for, a letter leaves nothing.
        """
        self._clear_letters(trail)
        self._clear_mails(trail)
        self._clear_notices(trail)
        self._clear_contacts(trail)
        return not self._connection.scalar(select(or_(self._unsettled(trail), self._on_its_way(trail))))

    def _clear_letters(self, trail: Trail) -> None:
        theirs = and_(_among(deliveries.c.address, trail), deliveries.c.letter_id <= trail.last_letter)
        done = and_(theirs, ~_open())
        numbers = list(self._connection.scalars(select(deliveries.c.letter_id).where(done)))
        self._connection.execute(delete(deliveries).where(done))
        for some in _handfuls(numbers):
            self._clear_verdicts(some, trail)
            gone = and_(letters.c.id.in_(some), ~exists().where(deliveries.c.letter_id == letters.c.id))
            self._connection.execute(
                delete(letter_bytes).where(letter_bytes.c.letter_id.in_(select(letters.c.id).where(gone)))
            )
            self._connection.execute(delete(letters).where(gone))

    def _clear_verdicts(self, letter_ids: Sequence[int], trail: Trail) -> None:
        """The verdict on a mail names those to whom letters went for its sake."""
        causes = select(letters.c.mail_id).where(letters.c.id.in_(letter_ids), letters.c.mail_id.is_not(None))
        query = select(inbox.c.id, inbox.c.verdict).where(inbox.c.id.in_(causes), inbox.c.verdict.is_not(None))
        for number, verdict in list(self._connection.execute(query)):
            facts = json.loads(verdict)
            for letter in facts.get("letters", ()):
                if str(letter.get("to", "")).lower() in trail.addresses:
                    letter["to"] = ""
            written = json.dumps(facts, ensure_ascii=False)
            self._connection.execute(update(inbox).where(inbox.c.id == number), {"verdict": written})

    def _clear_mails(self, trail: Trail) -> None:
        theirs = select(inbox.c.id).where(_wrote(trail), inbox.c.state.in_(_SETTLED))
        for some in _handfuls(list(self._connection.scalars(theirs))):
            self._forget_bytes(some)
            blank = {"envelope_from": "", "sender": None, "message_id": None, "rcpts": (), "peer": None}
            verdict = {"verdict": None, "reason": FORGOTTEN, "traceback": None}
            self._connection.execute(update(inbox).where(inbox.c.id.in_(some)), blank | verdict)

    def _clear_notices(self, trail: Trail) -> None:
        """The bytes of machines' notices that name them, as those of letters that came back do."""
        query = (
            select(inbox.c.id)
            .where(inbox.c.state == MailState.IGNORED, inbox.c.id <= trail.last_mail)
            .where(inbox.c.received_at >= trail.known_since)
            .where(or_(*(inbox.c.reason.startswith(kind) for kind in _NOTICES)))
        )
        wanted = [address.encode() for address in trail.addresses]
        for some in _handfuls(list(self._connection.scalars(query))):
            kept = self._connection.execute(
                select(mail_bytes.c.mail_id, mail_bytes.c.raw).where(mail_bytes.c.mail_id.in_(some))
            )
            naming = [row.mail_id for row in kept if any(address in row.raw.lower() for address in wanted)]
            self._forget_bytes(naming)

    def _clear_contacts(self, trail: Trail) -> None:
        silent = and_(_among(contacts.c.address, trail), contacts.c.last_at <= trail.forgotten_at)
        self._connection.execute(delete(contacts).where(silent))
        counted = and_(
            _among(contact_counts.c.address, trail), contact_counts.c.day <= trail.forgotten_at.date().isoformat()
        )
        self._connection.execute(delete(contact_counts).where(counted))
        patient = and_(_among(patience.c.whom, trail), patience.c.at <= trail.forgotten_at)
        self._connection.execute(delete(patience).where(patient))

    def _forget_bytes(self, mail_ids: Sequence[int]) -> None:
        self._connection.execute(delete(mail_bytes).where(mail_bytes.c.mail_id.in_(mail_ids)))

    def _unsettled(self, trail: Trail) -> ColumnElement[bool]:
        return exists().where(_wrote(trail), inbox.c.state.not_in(_SETTLED))

    def _on_its_way(self, trail: Trail) -> ColumnElement[bool]:
        return exists().where(_among(deliveries.c.address, trail), deliveries.c.letter_id <= trail.last_letter, _open())


def _among(column: ColumnElement[str], trail: Trail) -> ColumnElement[bool]:
    return func.lower(column).in_((*trail.addresses, *(f"{OF_MAILBOX}{address}" for address in trail.addresses)))


def _wrote(trail: Trail) -> ColumnElement[bool]:
    """Their mails, and those in their name."""
    his = or_(_among(inbox.c.sender, trail), _among(inbox.c.envelope_from, trail))
    return and_(his, inbox.c.id <= trail.last_mail)


def _open() -> ColumnElement[bool]:
    """A copy that may still go: not one that waits for a sign of life, nor one of a letter that cannot be written."""
    alive = exists().where(
        letters.c.id == deliveries.c.letter_id, letters.c.state.in_((LetterState.COMPOSING, LetterState.READY))
    )
    return and_(deliveries.c.state.in_(_ON_ITS_WAY), alive)


def _handfuls(numbers: Collection[int]) -> list[list[int]]:
    all_of_them = sorted(set(numbers))
    return [all_of_them[start : start + _AT_ONCE] for start in range(0, len(all_of_them), _AT_ONCE)]
