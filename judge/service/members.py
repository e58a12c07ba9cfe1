"""Persons as letters need them: looked up when first asked for, once in a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.report.cast import Member
from judge.store import NoSuchRow, Unit, View
from judge.store.rows import Person


class Members(Mapping[int, Member]):
    """The persons of a store as letters need them, looked up when first asked for."""

    def __init__(self, view: View | Unit) -> None:
        self._view = view
        self._known: dict[int, Member] = {}

    def __getitem__(self, person: int) -> Member:
        if person not in self._known:
            self._known[person] = member(self._view, person)
        return self._known[person]

    def learn(self, person: Person) -> None:
        """This person's row was read just now: it need not be read again."""
        address = address_of(self._view, person.id)
        self._known[person.id] = Member(person.id, person.name, address, person.zone, person.check_phrase)

    def __contains__(self, person: object) -> bool:
        return person in self._known

    def __iter__(self) -> Iterator[int]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def member(view: View | Unit, person_id: int) -> Member:
    """One person as letters need him; somebody erased is nameless."""
    try:
        found = view.people.get(person_id)
    except NoSuchRow:
        return Member(person_id, f"player {person_id}")
    return Member(person_id, found.name, address_of(view, person_id), found.zone, found.check_phrase)


def address_of(view: View | Unit, person_id: int) -> str:
    """A person's address of record, "" if there is none."""
    rows = view.people.addresses(person_id)
    return rows[0].address if rows else ""
