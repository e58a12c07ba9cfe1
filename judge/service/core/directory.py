"""The directory: who writes from an address, who sits behind a token, where letters to a person go.

Every mail asks this, and hardly ever does an answer change. What was read once is kept, for all transactions, until
the store's stamp says that somebody changed something.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from judge.store import Transaction, View
from judge.store.rows import Address, Person, SeatRow

K = TypeVar("K")
V = TypeVar("V")

MOST = 4096


@dataclass(frozen=True)
class _KnownPersons:
    """What was read under one stamp."""

    stamp: str | None
    owners: dict[str, Person | None] = field(default_factory=dict)
    seats: dict[str, SeatRow | None] = field(default_factory=dict)
    addresses: dict[int, tuple[Address, ...]] = field(default_factory=dict)


class Directory:
    """What all transactions of a process know of persons and seats; safe to use from several threads."""

    def __init__(self) -> None:
        self._known = _KnownPersons(None)

    def open(self, view: View | Transaction) -> DirectoryPage:
        """The directory as this transaction sees it."""
        stamp = view.people.stamp()
        known = self._known
        if stamp != known.stamp:
            known = self._known = _KnownPersons(stamp)
        return DirectoryPage(view, known)


class DirectoryPage:
    """The directory in one transaction. Once that transaction changes persons or seats, it asks the tables alone."""

    def __init__(self, view: View | Transaction, known: _KnownPersons) -> None:
        self._view = view
        self._known = known

    def owner(self, address: str) -> Person | None:
        """Whose proved address this is."""
        return self._ask(self._known.owners, address, lambda: self._view.people.by_address(address, verified=True))

    def at_hand(self, address: str) -> Person | None:
        """Whose proved address this is, as far as that is known without asking."""
        return None if self._view.people.touched else self._known.owners.get(address)

    def seat(self, nonce: str) -> SeatRow | None:
        """The seat that a token with this nonce speaks for."""
        return self._ask(self._known.seats, nonce, lambda: self._view.games.seat_by_nonce(nonce))

    def addresses(self, person: int) -> tuple[Address, ...]:
        """A person's addresses, the address of record first."""
        return self._ask(self._known.addresses, person, lambda: self._view.people.addresses(person))

    def _ask(self, kept: dict[K, V], key: K, read: Callable[[], V]) -> V:
        if self._view.people.touched:
            return read()
        if key in kept:
            return kept[key]
        if len(kept) >= MOST:
            kept.clear()
        found = kept[key] = read()
        return found
