"""The directory: who writes from an address, who sits behind a token and what else one stands for, and persons as
letters need them.

Every mail asks this, and hardly ever does an answer change. What was read once is kept, for all transactions, until
the store's stamp says that somebody changed something.

An errand is kept until its letter's time is up, so that an answer that comes too often or too late is told so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.game.office.reliability import Record, counted, in_words
from judge.report.core.letter import Member
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
        self._touch = view.people.touch()

    def owner(self, address: str) -> Person | None:
        """Whose proved address this is."""
        return self._ask(self._known.owners, address, lambda: self._view.people.by_address(address, verified=True))

    def at_hand(self, address: str) -> Person | None:
        """Whose proved address this is, as far as that is known without asking."""
        return None if self._touch.directory else self._known.owners.get(address)

    def seat(self, nonce: str) -> SeatRow | None:
        """The seat that a token with this nonce speaks for."""
        return self._ask(self._known.seats, nonce, lambda: self._view.games.seat_by_nonce(nonce))

    def addresses(self, person: int) -> tuple[Address, ...]:
        """A person's addresses, the address of record first."""
        return self._ask(self._known.addresses, person, lambda: self._view.people.addresses(person))

    def _ask(self, kept: dict[K, V], key: K, read: Callable[[], V]) -> V:
        if self._touch.directory:
            return read()
        if key in kept:
            return kept[key]
        if len(kept) >= MOST:
            kept.clear()
        found = kept[key] = read()
        return found


# --- the record of each person over all games, brought up to date with every turn -----------------------------------


RECORD = "record"


def record_of(person: Person) -> Record:
    """A person's figures so far."""
    return _record_in(person.options)


@lru_cache(maxsize=1 << 12)
def _record_in(options: str) -> Record:
    kept: Mapping[str, int] = json.loads(options).get(RECORD, {})
    return Record(**{field.name: int(kept.get(field.name, 0)) for field in fields(Record)})


def language_code(person: Person) -> str:
    """The code of the language in which somebody wants letters, "" for the usual one."""
    if '"language"' not in person.options:
        return ""
    return str(json.loads(person.options).get("format", {}).get("language", ""))


def keep_records(unit: Transaction, before: Game | None, events: Sequence[Event]) -> None:
    """Add what one transaction's events say about the players of a game."""
    if before is None:
        return
    more = counted(before, events)
    if not more:
        return
    persons = unit.people.get_all(more, to_change=True)  # who was erased is not among them: nothing is kept of them
    unit.people.save_all([_with(person, more[person.id]) for person in persons.values()])


def _with(person: Person, more: Mapping[str, int]) -> Person:
    old: dict[str, int] = msgspec.to_builtins(record_of(person))
    record = {name: max(0, old[name] + more.get(name, 0)) for name in old}
    return replace(person, options=json.dumps({**json.loads(person.options), RECORD: record}))


# --- persons as letters need them: looked up when first asked for, once in a transaction ----------------------------


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
        yield (
            person.id,
            Member(person.id, person.name, best, person.zone, person.check_phrase, record, language_code(person)),
        )


def address_of(view: View | Transaction, person_id: int) -> str:
    """Where letters to a person go, "" if there is nowhere: the address of record, or while that one is suspended the
    next proved one.
    """
    return _best(view.people.addresses(person_id))


def _best(rows: Sequence[Address]) -> str:
    good = (row for row in rows if row.suspended_at is None and (row.primary or row.verified_at))
    found = next(good, None) or next(iter(rows), None)
    return found.address if found else ""


# --- who reads of a game without a seat: subscribers of its topic, its editors, a deputy ----------------------------


def topic_of(game: str) -> str:
    """The topic under which a game's reports are subscribed to."""
    return f"game:{game}"


def deputies_of(game: str) -> str:
    """The topic under which those are kept who act for somebody in a game: the Gamemaster's deputy, and players'
    substitutes. They get letters by their office.
    """
    return f"deputy:{game}"


def keep_readers(unit: Transaction, before: Game | None, after: Game, now: datetime) -> None:
    """Bring the list of subscribers up to date: new editors get every report, former ones get none;
    and a deputy is known to be one.
    """
    was = frozenset(before.editors) if before is not None else frozenset[int]()
    for person in after.editors:
        if person not in was:
            unit.lists.subscribe(person, topic_of(after.key), now, options="{}")
    for person in was.difference(after.editors):
        unit.lists.unsubscribe(person, topic_of(after.key))
    acted, acting = _acting(before), _acting(after)
    for person in acted - acting:
        unit.lists.unsubscribe(person, deputies_of(after.key))
    for person in acting - acted:
        unit.lists.subscribe(person, deputies_of(after.key), now, options="{}")


def _acting(game: Game | None) -> frozenset[int]:
    """Who acts for somebody else in a game: the Gamemaster's deputy, and the substitutes of players."""
    if game is None:
        return frozenset()
    deputy = game.deputy.person if game.deputy is not None else 0
    substitutes = (seat.substitute.person for seat in game.seats.values() if seat.substitute is not None)
    return frozenset(filter(None, (deputy, *substitutes)))


_PREFIX = "errand."
"""Of the settings that remember errands, by the reference of their token."""


@dataclass(frozen=True, slots=True)
class Errand:
    """`do`: which of our letters it was; `person`: for whom; `facts`: what is to be done; `settled`: what came of it,
    "" as long as nobody has answered.
    """

    key: str
    do: str
    person: int
    until: datetime
    facts: dict[str, Any]
    settled: str = ""


def find_errand(view: View | Transaction, key: str) -> Errand | None:
    """The errand behind a token, settled or not; None if there is none, or none any more."""
    kept = view.meta.get(_PREFIX + key)
    return _read(key, kept) if kept is not None else None


def settle_errand(unit: Transaction, errand: Errand, what: str) -> None:
    """It is done with; answers to its letter are told so."""
    write_errand(unit, replace(errand, settled=what))


def note_errand(unit: Transaction, errand: Errand, **facts: Any) -> None:
    """Remember more about an errand."""
    write_errand(unit, replace(errand, facts={**errand.facts, **facts}))


def lapsed_errands(view: View, now: datetime) -> list[str]:
    """Keys of the settings whose errands are over."""
    return [name for name, errand in _all(view) if errand.until < now]


def errands_of(view: View, person: int) -> list[str]:
    """Keys of the settings that remember errands of one person."""
    return [name for name, errand in _all(view) if errand.person == person]


def _all(view: View) -> list[tuple[str, Errand]]:
    kept = view.meta.all(_PREFIX)
    return [(name, _read(name.removeprefix(_PREFIX), value)) for name, value in kept.items()]


def write_errand(unit: Transaction, errand: Errand) -> None:
    """Keep an errand, or what has become of it."""
    facts = {"do": errand.do, "person": errand.person, "until": errand.until.isoformat(), **errand.facts}
    if errand.settled:
        facts["settled"] = errand.settled
    unit.meta.set(_PREFIX + errand.key, json.dumps(facts))


def _read(key: str, kept: str) -> Errand:
    facts = json.loads(kept)
    do, person, until = str(facts.pop("do")), int(facts.pop("person")), datetime.fromisoformat(facts.pop("until"))
    return Errand(key, do, person, until, facts, str(facts.pop("settled", "")))
