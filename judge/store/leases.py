"""Rows that a process leases, as inbox, letters and outbox have them, and the names of the processes that do.

A name is never used twice: host, process number, the moment at which that process began, and a few drawn letters.
What a dead process had in hand is given back at once; what a living one has, or one on another machine of which we
cannot tell, stays its own until its lease lapses.
"""

from __future__ import annotations

import os
import secrets
import socket
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, NamedTuple

from sqlalchemy import Connection, Table, select, update

_BEGAN = 19
"""The place of the starting time among the fields of /proc/PID/stat that follow the command's name."""


class LeaseOwner(NamedTuple):
    """One process of a judge."""

    host: str
    pid: int
    began: str
    """When the process began, in the words of this machine; "" where it does not tell."""
    nonce: str

    def __str__(self) -> str:
        """The text stored in a lease."""
        return f"{self.host}:{self.pid}:{self.began}:{self.nonce}"

    @classmethod
    def read(cls, name: str) -> LeaseOwner | None:
        """The owner of a lease; None where the name is none of ours."""
        parts = name.rsplit(":", 3)
        if len(parts) != 4 or not parts[1].isdigit():
            return None
        return cls(parts[0], int(parts[1]), parts[2], parts[3])


def this_process() -> LeaseOwner:
    """A new name for this process."""
    return LeaseOwner(socket.gethostname(), os.getpid(), _began(os.getpid()), secrets.token_hex(4))


def is_dead(name: str) -> bool:
    """Whether the owner of a lease was a process of this machine that has ended. False where that cannot be known."""
    owner = LeaseOwner.read(name)
    if owner is None or owner.host != socket.gethostname():
        return False
    return not _lives(owner.pid) or _began(owner.pid) != owner.began


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _began(pid: int) -> str:
    """When a process began, "" where this machine does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The command's name comes second, in parentheses, and may hold anything, blanks and parentheses too.
    fields = stat.rpartition(")")[2].split()
    return fields[_BEGAN] if len(fields) > _BEGAN else ""


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
        owned = (columns.state == self.in_hand_state, columns.lease_owner == owner)
        theirs = update(self.table).where(*owned)
        if self._connection.dialect.name != "sqlite":
            # Of one that stands still in the middle of a transaction some are locked: they are freed when it is ended.
            free = select(columns.id).where(*owned).with_for_update(skip_locked=True)
            theirs = theirs.where(columns.id.in_(list(self._connection.scalars(free))))
        values = {"state": self.freed_state, "next_try": now, "lease_owner": None}
        return self._connection.execute(theirs, values).rowcount
