"""What the inbox, the letters and the outbox have in common: rows that a process leases."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from sqlalchemy import Connection, Table, select, update


class Leased:
    """Repositories of rows with a lease: those of `table` that are `in_hand`; `freed` is their state without one."""

    _connection: Connection
    table: ClassVar[Table]
    in_hand_state: ClassVar[StrEnum]
    freed_state: ClassVar[StrEnum]

    def holders(self) -> frozenset[str]:
        """The lease owners that have rows in hand."""
        owner, state = self.table.c.lease_owner, self.table.c.state
        held = select(owner).where(state == self.in_hand_state, owner.is_not(None))
        return frozenset(self._connection.scalars(held.distinct()))

    def give_back(self, owner: str, now: datetime) -> int:
        """Free what a dead owner had in hand, to be taken at once; the attempts stay counted. Returns how many."""
        columns = self.table.c
        theirs = update(self.table).where(columns.state == self.in_hand_state, columns.lease_owner == owner)
        values = {"state": self.freed_state, "next_try": now, "lease_owner": None}
        return self._connection.execute(theirs, values).rowcount
