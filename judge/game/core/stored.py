"""Events as the log stores them: plain JSON and back, the positions in them, and what makes an older schema the present
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module

import msgspec

from judge.board.model import Board
from judge.board.position import Position, position_from_json
from judge.game.core.events import Event, Json
from judge.game.core.remembered import remembered_briefly
from judge.game.instructions.upcasting import always_of_schema_1, phase_of_schema_1


def kinds() -> Mapping[str, type[Event]]:
    """Every kind of event by name, those of the features too, and of `judge.acts`."""
    import_module("judge.acts")
    return {kind.__name__: kind for kind in Event.__subclasses__()}


@remembered_briefly
def position_of(stored: Mapping[str, Json], board: Board) -> Position:
    """The position that an event holds, made once for all who ask for it while its turn is played and told."""
    return position_from_json(stored, board)


def to_json(event: Event) -> dict[str, Json]:
    """An event's fields as plain JSON; moments as ISO text in UTC ("2026-03-01T12:00:00Z")."""
    data: dict[str, Json] = msgspec.to_builtins(event)
    if not event.deputy:
        del data["deputy"]
    return data


def all_to_json(events: Iterable[Event]) -> list[dict[str, Json]]:
    """Several events' fields as plain JSON."""
    return [to_json(event) for event in events]


Upcaster = Callable[[dict[str, Json]], dict[str, Json]]


def _faults_as_values(data: dict[str, Json]) -> dict[str, Json]:
    """Faults were mere texts: what they were for is not known, nor why they were no orders."""
    asked = {"phase": data["phase"], "reason": "", "sentence": "", "line": 0, "unit": None, "site": "", "clause": ""}
    asked |= {"foreign": False, "ahead": False, "proposals": [], "at": data["at"], "mail": ""}
    return {**data, "faults": [{**asked, "text": text} for text in data.get("faults", ())]}


UPCASTERS: dict[tuple[str, int], Upcaster] = {
    ("PhaseAdjudicated", 1): phase_of_schema_1,
    ("DeadlineSet", 1): lambda data: {**data, "beyond": []},
    ("GameHeld", 1): lambda data: {**data, "until": None},
    ("OrdersFiled", 1): _faults_as_values,
    ("WaitChanged", 1): lambda data: {**data, "phase": ""},
    ("ProcessingDelayed", 1): lambda data: {**data, "cause": ""},
    ("LadderStep", 1): lambda data: {**data, "reason": ""},
    ("AlwaysChanged", 1): always_of_schema_1,
}
"""(kind, version) -> what turns its fields into those of version + 1."""


def from_json(kind: str, version: int, data: Mapping[str, Json]) -> Event:
    """The event of stored fields. Raises KeyError for a kind this program does not know, msgspec.ValidationError for
    fields that are no such event's.
    """
    cls = _kinds()[kind]
    while version < cls.VERSION:
        data = UPCASTERS[kind, version](dict(data))
        version += 1
    return msgspec.convert(data, cls)


def all_from_json(stored: Iterable[tuple[str, int, Mapping[str, Json]]]) -> list[Event]:
    """Several events of (kind, version, stored fields); raises what `from_json` does."""
    return [from_json(kind, version, data) for kind, version, data in stored]


@cache
def _kinds() -> Mapping[str, type[Event]]:
    return kinds()
