"""The record of each person over all games: kept beside their settings, brought up to date with every turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from functools import lru_cache

from judge.game.core.events import Event
from judge.game.core.model import Game
from judge.game.office.reliability import Record, counted
from judge.store import Transaction
from judge.store.rows import Person

RECORD = "record"


def record_of(person: Person) -> Record:
    """A person's figures so far."""
    return _record_in(person.options)


@lru_cache(maxsize=1 << 12)
def _record_in(options: str) -> Record:
    kept: Mapping[str, int] = json.loads(options).get(RECORD, {})
    return Record(**{field.name: int(kept.get(field.name, 0)) for field in fields(Record)})


def keep_records(unit: Transaction, before: Game | None, events: Sequence[Event]) -> None:
    """Add what one transaction's events say about the players of a game."""
    if before is None:
        return
    more = counted(before, events)
    if not more:
        return
    persons = unit.people.get_all(more)  # who was erased is not among them: nothing is kept of them
    unit.people.save_all([_with(person, more[person.id]) for person in persons.values()])


def _with(person: Person, more: Mapping[str, int]) -> Person:
    old = asdict(record_of(person))
    record = {name: max(0, old[name] + more.get(name, 0)) for name in old}
    return replace(person, options=json.dumps({**json.loads(person.options), RECORD: record}))
