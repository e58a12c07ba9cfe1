"""Contacts: when an address wrote to us and how often we answered it, so that we flood nobody.

Counts are per address, kind and day. How patient we are with one sender reaches over weeks: a text that belongs to
`judge.service.trust.patience`, kept here so that neither a restart nor a second process makes us forget it.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime

from sqlalchemy import Connection, and_, bindparam, delete, select, update

from judge.store.behind import Late, Values, apart, later
from judge.store.people import normal
from judge.store.rows import Contact
from judge.store.sql import any_of, build, put_all, put_new, shape
from judge.store.tables import contact_counts, contacts, patience

OF_MAILBOX = "base:"
"""Stands before the address of a mailbox under which letters to all its forms are counted."""

_CONTACT = shape(Contact, contacts)

_CHANGE = update(contacts).where(contacts.c.address == bindparam("this"))
_THIS_COUNT = and_(
    contact_counts.c.address == bindparam("whose"),
    contact_counts.c.kind == bindparam("what"),
    contact_counts.c.day == bindparam("when"),
)
_COUNT = select(contact_counts.c.count).where(_THIS_COUNT)
_COUNT_ONE_MORE = (
    update(contact_counts)
    .where(_THIS_COUNT, contact_counts.c.count < bindparam("up_to"))
    .values(count=contact_counts.c.count + 1)
)
_PATIENCES_OF = apart(select(patience.c.whom, patience.c.state).where(patience.c.whom.in_(any_of("many"))))
_PATIENCE = apart(select(patience.c.state).where(patience.c.whom == bindparam("with_whom")))


def _write_patience(connection: Connection, rows: Sequence[Values]) -> None:
    put_all(connection, patience, list({row["whom"]: row for row in rows}.values()))


_MOST = 2**31 - 1
"""The largest count: a column of whole numbers, and what is compared with it, holds no larger ones."""

_PATIENCES = Late(frozenset((patience,)), _write_patience)


class Contacts:
    """Who wrote to us, and how patient we are with them; what was read or written of our patience is remembered."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._patience: dict[str, str] = {}

    def get(self, address: str) -> Contact | None:
        """What we know of an address, None if it never wrote."""
        query = select(*_CONTACT).where(contacts.c.address == normal(address))
        return build(Contact, self._connection.execute(query).first())

    def count(self, address: str, kind: str, day: date) -> int:
        """How often something of this kind was allowed to the address on this day."""
        return self._connection.scalar(_COUNT, _which(address, kind, day)) or 0

    def counts(self, address: str, kinds: Iterable[str], day: date) -> list[int]:
        """The counts of several kinds."""
        return [self.count(address, kind, day) for kind in kinds]

    def patience(self, whom: str) -> str:
        """What was kept by `be_patient`; "" if nothing was."""
        known = self._patience.get(normal(whom))
        if known is not None:
            return known
        return self._connection.scalar(_PATIENCE, {"with_whom": normal(whom)}) or ""

    def heard(self, address: str, now: datetime) -> None:
        """A mail came from this address."""
        address = normal(address)
        if not put_new(self._connection, contacts, {"address": address, "first_at": now, "last_at": now}):
            self._connection.execute(_CHANGE, {"last_at": now, "this": address})

    def allow(self, address: str, kind: str, day: date, limit: int) -> bool:
        """Count one more of this kind for the address and day, unless the limit is reached (False, not counted)."""
        if limit < 1:
            return False
        values = {"address": normal(address), "kind": kind, "day": day.isoformat(), "count": 1}
        if put_new(self._connection, contact_counts, values):
            return True
        which = {**_which(address, kind, day), "up_to": min(limit, _MOST)}
        return self._connection.execute(_COUNT_ONE_MORE, which).rowcount == 1

    def count_more(self, address: str, kinds: Iterable[str], day: date) -> None:
        """Count one more of each of several kinds, whatever their counts are."""
        for kind in kinds:
            self.allow(address, kind, day, _MOST)

    def foresee(self, whom: Collection[str]) -> None:
        """Read at once how patient we are with several, who will be asked for one by one."""
        names = [name for name in map(normal, whom) if name not in self._patience]
        if names:
            self._patience |= dict.fromkeys(names, "") | dict(
                self._connection.execute(_PATIENCES_OF, {"many": names}).all()
            )

    def be_patient(self, whom: str, state: str, now: datetime) -> None:
        """Keep how patient we are with an address or a person."""
        self._patience[normal(whom)] = state
        later(self._connection, _PATIENCES, {"whom": normal(whom), "state": state, "at": now})

    def forget(self) -> None:
        """Drop what is known here: part of the transaction was undone."""
        self._patience.clear()

    def forget_patience(self, before: datetime) -> int:
        """Throw away what has not changed since a moment; returns how many."""
        return self._connection.execute(delete(patience).where(patience.c.at < before)).rowcount

    def forget_silent(self, before: datetime) -> int:
        """Delete the addresses that have not written since a moment; returns how many."""
        return self._connection.execute(delete(contacts).where(contacts.c.last_at < before)).rowcount

    def forget_counts(self, before: date) -> int:
        """Throw away the counts of days gone by; returns how many."""
        query = delete(contact_counts).where(contact_counts.c.day < before.isoformat())
        return self._connection.execute(query).rowcount


def _which(address: str, kind: str, day: date) -> dict[str, object]:
    return {"whose": normal(address), "what": kind, "when": day.isoformat()}
