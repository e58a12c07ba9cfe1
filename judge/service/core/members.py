"""Persons as letters need them: looked up when first asked for, once in a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.report.core.cast import Member
from judge.service.core.directory import Directory, DirectoryPage
from judge.service.core.records import record_of
from judge.store import Transaction, View
from judge.store.rows import Address, Person


class Members(Mapping[int, Member]):
    """The persons of a store as letters need them, looked up when first asked for."""

    def __init__(self, view: View | Transaction, people: DirectoryPage | None = None) -> None:
        self._view = view
        self._people = people or Directory().open(view)
        self._known: dict[int, Member] = {}

    def __getitem__(self, person: int) -> Member:
        if person not in self._known:
            self.gather((person,))
        return self._known[person]

    def gather(self, persons: Iterable[int]) -> None:
        """Look several persons up at once; somebody erased is nameless."""
        missing = [person for person in persons if person not in self._known]
        if not missing:
            return
        found = self._view.people.get_all(missing)
        addresses = self._view.people.addresses_of(found)
        for number in missing:
            nameless = Member(number, f"player {number}")
            self._known[number] = _member(found[number], addresses[number]) if number in found else nameless

    def addresses(self, person: int) -> tuple[Address, ...]:
        """A person's addresses, the address of record first."""
        return self._people.addresses(person)

    def forget(self, person: int) -> None:
        """Drop what is cached of a person that was changed."""
        self._known.pop(person, None)

    def learn(self, person: Person) -> None:
        """Cache a person's row that was just read."""
        self._known[person.id] = _member(person, self.addresses(person.id))

    def __contains__(self, person: object) -> bool:
        return person in self._known

    def __iter__(self) -> Iterator[int]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def member(view: View | Transaction, person_id: int) -> Member:
    """One person as letters need them; somebody erased is nameless."""
    return Members(view)[person_id]


def _member(person: Person, addresses: Sequence[Address]) -> Member:
    record = str(record_of(person))
    return Member(person.id, person.name, _best(addresses), person.zone, person.check_phrase, record)


def address_of(view: View | Transaction, person_id: int) -> str:
    """Where letters to a person go, "" if there is nowhere: the address of record, or while that one is suspended the
    next proved one.
    """
    return _best(view.people.addresses(person_id))


def _best(rows: Sequence[Address]) -> str:
    good = (row for row in rows if row.suspended_at is None and (row.primary or row.verified_at))
    found = next(good, None) or next(iter(rows), None)
    return found.address if found else ""
