"""The record of each person over all games: kept beside his settings, brought up to date with every turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace

from judge.game.events import Event
from judge.game.model import Game
from judge.game.reliability import Record, counted
from judge.store import NoSuchRow, Unit
from judge.store.rows import Person

RECORD = "record"


def record_of(person: Person) -> Record:
    """A person's figures so far."""
    kept: Mapping[str, int] = json.loads(person.options).get(RECORD, {})
    return Record(**{field.name: int(kept.get(field.name, 0)) for field in fields(Record)})


def keep_records(unit: Unit, before: Game | None, events: Sequence[Event]) -> None:
    """Add what one transaction's events say about the players of a game."""
    if before is None:
        return
    for number, more in counted(before, events).items():
        try:
            person = unit.people.get(number)
        except NoSuchRow:
            continue  # erased: nothing is kept of him
        old = asdict(record_of(person))
        record = {name: old[name] + more.get(name, 0) for name in old}
        unit.people.save(replace(person, options=json.dumps({**json.loads(person.options), RECORD: record})))
