"""A game with all its history as one file, to be carried to another judge.

The file is lines of JSON: a head (which game, which persons), every event as the log has it, and a seal over all of it.
Persons have numbers of the file's own; their addresses are in it only if that is wished. No token, password or check
phrase leaves: the other judge mints its own. What it holds is nothing for players' eyes: orders of the present turn,
secret votes and press are in it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, get_type_hints

from judge.game.core import events as ev
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game, Stage
from judge.game.core.stored import kinds
from judge.service.core.house import House
from judge.service.core.keeper import thaw_all
from judge.service.turning.replaying import drift_of
from judge.store import View
from judge.store.rows import StoredEvent

FORMAT = 1
PERSONS = frozenset({"gm", "person", "before", "deputy"})
"""Fields of events that hold the number of a person."""

Json = dict[str, Any]


class CannotCarry(Exception):
    """A game cannot be exported, or a file is no game that can be imported here; the message says why."""


@dataclass(frozen=True, slots=True)
class Traveller:
    """A person of a game on its way. `address`: "" where it does not travel."""

    name: str
    zone: str
    address: str


@dataclass(frozen=True, slots=True)
class GameParcel:
    """A game on its way, read and found whole. Its persons have the numbers of the file."""

    key: str
    persons: Mapping[int, Traveller]
    events: tuple[StoredEvent, ...]
    game: Game


def pack_game(house: House, view: View, key: str, *, addresses: bool) -> str:
    """The file of a game. Raises CannotCarry."""
    game = house.keeper.load(view, key)
    if game is None:
        raise CannotCarry(f"there is no game {key}")
    if game.practice is not None:
        raise CannotCarry(f"{key} is somebody's practice game; it stays where it is")
    stored = view.events.load(key)
    rows = [_fields(one) for one in stored]
    numbers = {old: new for new, old in enumerate(sorted(_persons_in(stored, rows)), start=1)}
    head = {
        "judge_game": FORMAT,
        "game": key,
        "map": game.settings.map,
        "rules": game.settings.rules,
        "events": len(rows),
        "persons": {new: _traveller(view, old, addresses=addresses) for old, new in numbers.items()},
    }
    lines = [head]
    for one, fields in zip(stored, rows, strict=True):
        data = renumbered(one.kind, fields, lambda old: numbers[old])
        if not addresses and data.get("mail"):
            data["mail"] = ""  # a Message-ID names its author's provider
        lines.append({"seq": one.seq, "kind": one.kind, "version": one.version, "at": one.at.isoformat(), "data": data})
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return text + json.dumps({"sha256": _seal(text)}) + "\n"


def open_parcel(house: House, text: str, *, key: str = "") -> GameParcel:
    """Read a file and look whether the game can be played here: whole, of a board and rules that are here, with results
    that this program comes to as well. `key`: its name here, else its own. Raises CannotCarry.
    """
    head, *lines = _sealed_lines(text)
    name = key or str(head["game"])
    events = tuple(_event(name, line, place) for place, line in enumerate(lines, start=1))
    if len(events) != head.get("events") or not events:
        raise CannotCarry(f"{len(events)} events are in it where {head.get('events')} should be; export it again")
    try:
        persons = {int(number): Traveller(**facts) for number, facts in head["persons"].items()}
        thawed = thaw_all(events)
        game = rebuild(thawed, house.shelf)
        drift = drift_of(thawed, game)
    except Exception as error:  # whatever a file may hold that no judge has written
        where = f"the board {head.get('map')} and the rules {head.get('rules')}"
        raise CannotCarry(
            f"the game cannot be built again here; are {where} here as they were there? ({error})"
        ) from error
    if drift:
        raise CannotCarry("this judge comes to other results than are in the file: " + "; ".join(drift[:3]))
    return GameParcel(name, persons, events, game)


def renumbered(kind: str, fields: Json, number: Callable[[int], int]) -> Json:
    """An event's fields with other numbers for its persons; 0 stays nobody."""
    return {
        name: number(value) if name in person_fields(kind) and isinstance(value, int) and value else value
        for name, value in fields.items()
    }


@cache
def person_fields(kind: str) -> frozenset[str]:
    """Which fields of a kind of event hold the number of a person."""
    hints = get_type_hints(kinds()[kind])
    return frozenset(name for name in PERSONS if hints.get(name) is int)


def seated_without_address(parcel: GameParcel, addresses: Mapping[int, str]) -> tuple[str, ...]:
    """Seats of a game that goes on whose players nobody could reach."""
    if parcel.game.stage is Stage.ENDED:
        return ()
    seats = parcel.game.seats.values()
    return tuple(seat.id for seat in seats if seat.person is not None and not addresses.get(seat.person))


def _fields(stored: StoredEvent) -> Json:
    fields: Json = json.loads(stored.data)
    return fields


def _persons_in(stored: Sequence[StoredEvent], rows: Iterable[Json]) -> set[int]:
    found = {
        row[name] for one, row in zip(stored, rows, strict=True) for name in person_fields(one.kind) if name in row
    }
    return {number for number in found if number}


def _traveller(view: View, number: int, *, addresses: bool) -> Json:
    known = view.people.get_all((number,)).get(number)
    if known is None:
        return {"name": f"player {number}", "zone": "", "address": ""}
    own = view.people.addresses(number)
    return {"name": known.name, "zone": known.zone, "address": own[0].address if addresses and own else ""}


def _seal(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _sealed_lines(text: str) -> list[Json]:
    lines = text.splitlines(keepends=True)
    try:
        parsed = [json.loads(line) for line in lines]
        head, seal = parsed[0], parsed[-1]
        known = head["judge_game"]
    except (ValueError, LookupError, TypeError) as error:
        raise CannotCarry("this is no game as judge game export --whole writes it, or not all of it") from error
    if known != FORMAT:
        raise CannotCarry(f"it has format {known}, this program reads {FORMAT}; use the newer program")
    if seal.get("sha256") != _seal("".join(lines[:-1])):
        raise CannotCarry("it was changed after it was written, or is not all of it: its seal does not fit")
    return parsed[:-1]


def _event(game: str, line: Json, place: int) -> StoredEvent:
    try:
        data = dict(line["data"])
        if line["kind"] == ev.GameCreated.__name__:
            data["key"] = game
        if line["seq"] != place:
            raise CannotCarry(f"event {place} is missing")
        if line["kind"] not in kinds():
            raise CannotCarry(f"event {place} is of a kind that this program does not know; use the newer program")
        at = datetime.fromisoformat(line["at"])
        return StoredEvent(
            game, place, line["kind"], int(line["version"]), json.dumps(data, ensure_ascii=False), at, None
        )
    except (LookupError, TypeError, ValueError) as error:
        raise CannotCarry(f"event {place} cannot be read: {error}") from error
