"""Persons as letters need them: looked up when first asked for, once in a transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from judge.game.office.reliability import in_words
from judge.report.core.frame import Member
from judge.service.core.directory import Directory, DirectoryPage
from judge.service.core.records import record_of
from judge.store import Transaction, View
from judge.store.rows import Address, Person


class Members(dict[int, Member]):
    """The persons of a store as letters need them, by number: looked up when first asked for with `members[number]`."""

    def __init__(self, view: View | Transaction, people: DirectoryPage | None = None) -> None:
        super().__init__()
        self._view = view
        self._people = people or Directory().open(view)

    def __missing__(self, person: int) -> Member:
        self.gather((person,))
        return self[person]

    def gather(self, persons: Iterable[int]) -> None:
        """Look several persons up at once; somebody erased is nameless."""
        missing = [person for person in persons if person not in self]
        if not missing:
            return
        found = self._view.people.get_all(missing)
        addresses = self._view.people.addresses_of(found)
        self.update((number, Member(number, f"player {number}")) for number in missing if number not in found)
        self.update(_members(found.values(), addresses))

    def addresses(self, person: int) -> tuple[Address, ...]:
        """A person's addresses, the address of record first."""
        return self._people.addresses(person)

    def forget(self, person: int) -> None:
        """Drop what is cached of a person that was changed."""
        self.pop(person, None)

    def learn(self, person: Person) -> None:
        """Cache a person's row that was just read."""
        self.update(_members((person,), {person.id: self.addresses(person.id)}))


def member(view: View | Transaction, person_id: int) -> Member:
    """One person as letters need them; somebody erased is nameless."""
    return Members(view)[person_id]


def _members(persons: Collection[Person], addresses: Mapping[int, Sequence[Address]]) -> Iterator[tuple[int, Member]]:
    """Persons by number."""
    records = in_words([record_of(person) for person in persons])
    for person, record in zip(persons, records, strict=True):
        best = _best(addresses[person.id])
        yield person.id, Member(person.id, person.name, best, person.zone, person.check_phrase, record)


def address_of(view: View | Transaction, person_id: int) -> str:
    """Where letters to a person go, "" if there is nowhere: the address of record, or while that one is suspended the
    next proved one.
    """
    return _best(view.people.addresses(person_id))


def _best(rows: Sequence[Address]) -> str:
    good = (row for row in rows if row.suspended_at is None and (row.primary or row.verified_at))
    found = next(good, None) or next(iter(rows), None)
    return found.address if found else ""
