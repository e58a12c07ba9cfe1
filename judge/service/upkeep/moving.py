"""A game with all its history: as one file, to be carried to another judge, and the way in there; built again from its
events, and adjudicated again.

The file is lines of JSON: a head (which game, which persons), every event as the log has it, and a seal over all of it.
Persons have numbers of the file's own; their addresses are in it only if that is wished. No token, password or check
phrase leaves: the other judge mints its own. What it holds is nothing for players' eyes: orders of the present turn,
secret votes and press are in it.

Rebuilding never adjudicates: it applies the stored events and compares the index cards. Adjudicating again takes the
position and the orders of each stored phase and compares every outcome and the position that follows. Results that were
taken back are left out: that they were wrong is why they no longer count.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, get_type_hints

import msgspec

from judge.adjudicate import adjudicate
from judge.adjudicate.outcome import Outcome
from judge.game.clock.holds import HoldGame
from judge.game.core import events as ev
from judge.game.core.commands import GM_SEAT, Actor, Command, Context, Refusal, Role, Vacate
from judge.game.core.events import kinds
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game, Stage
from judge.game.decide import decide
from judge.game.filing.submitting import deeds_from_json
from judge.history import played_phase
from judge.mail.raw.addresses import read_address
from judge.orders.model import Order, power_of
from judge.report.played.results import counting
from judge.service.core.directory import keep_readers
from judge.service.core.judge import Judge
from judge.service.core.keeper import GameChange, card, thaw_all
from judge.service.core.persons import check_phrase, enrol
from judge.service.posting.outgoing import post_letters
from judge.store import Transaction, View
from judge.store.rows import NewEvent, SeatRow, StoredEvent


@dataclass(frozen=True, slots=True)
class Replayed:
    """One game replayed: how many events or phases, and every difference as a sentence."""

    game: str
    phases: int
    unit: str
    drift: tuple[str, ...] = ()


def rebuild_all(judge: Judge, games: Iterable[str] = ()) -> list[Replayed]:
    """Rebuild games from zero."""
    return [_rebuild(judge, key) for key in _keys(judge, games)]


def adjudicate_again(judge: Judge, games: Iterable[str] = ()) -> list[Replayed]:
    """Adjudicate every stored phase of games again, as far as its results count."""
    return [_adjudicate(judge, key) for key in _keys(judge, games)]


def _keys(judge: Judge, games: Iterable[str]) -> list[str]:
    with judge.store.read() as view:
        return list(games) or [row.key for row in view.games.list()]


def _rebuild(judge: Judge, key: str) -> Replayed:
    with judge.store.read() as view:
        events = thaw_all(view.events.load(key))
        found = view.games.get(key)
    game = rebuild(events, judge.shelf)
    wanted = card(game, judge.clock.now())
    drift = [
        f"{name}: the card says {getattr(found, name)!r}, the events {getattr(wanted, name)!r}"
        for name in ("state", "phase", "seq", "map", "rules")
        if getattr(found, name) != getattr(wanted, name)
    ]
    return Replayed(key, len(events), "events", tuple(drift))


def _adjudicate(judge: Judge, key: str) -> Replayed:
    with judge.store.read() as view:
        events = thaw_all(view.events.load(key))
    game = rebuild(events, judge.shelf)
    phases = sum(isinstance(event, ev.PhaseAdjudicated) for event in counting(events, game.calendar))
    return Replayed(key, phases, "phases", drift_of(events, game))


def drift_of(events: Sequence[ev.Event], game: Game) -> tuple[str, ...]:
    """What comes out otherwise when every phase that counts is adjudicated again; `game`: as its events make it."""
    played = (one for one in counting(events, game.calendar) if isinstance(one, ev.PhaseAdjudicated))
    return tuple(line for one in played for line in _compare(one, game))


def _compare(event: ev.PhaseAdjudicated, game: Game) -> list[str]:
    played = played_phase(event, game.board)
    rules, kind = game.system.rules, played.phase.kind
    fit = rules.kinds().standing_in(kind)
    given = [result.order for result in played.results if result.given and isinstance(result.order, fit)]
    deeds, lot = deeds_from_json(event.deeds), game.lot(played.phase)
    again = adjudicate(played.before, given, rules, disorder=event.disorder, deeds=deeds, lot=lot)
    now = [*again.outcomes]
    drift = []
    for then in (result.outcome for result in played.results):
        same = next((each for each in now if _alike(each.order, then.order)), None)
        if same is not None:
            now.remove(same)
        if same is None or same.results != then.results:
            drift.append(f"{event.phase} {then.order}: {_words(then)} then, {_words(same)} now")
    if again.after != played.after:
        drift.append(f"{event.phase}: the position that follows differs")
    return drift


def _alike(one: Order, other: Order) -> bool:
    """Whether two orders are one; what rules remember of their units may differ by what was done before the orders."""
    return str(one) == str(other) and power_of(one) == power_of(other)


def _words(outcome: Outcome | None) -> str:
    return " ".join(outcome.results) if outcome else "not there"


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
class PackedGame:
    """A game on its way, read and found whole. Its persons have the numbers of the file."""

    key: str
    persons: Mapping[int, Traveller]
    events: tuple[StoredEvent, ...]
    game: Game


def pack_game(judge: Judge, view: View, key: str, *, addresses: bool) -> str:
    """The file of a game. Raises CannotCarry."""
    game = judge.keeper.load(view, key)
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


def unpack_game(judge: Judge, text: str, *, key: str = "") -> PackedGame:
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
        game = rebuild(thawed, judge.shelf)
        drift = drift_of(thawed, game)
    except Exception as error:  # whatever a file may hold that no judge has written
        where = f"the board {head.get('map')} and the rules {head.get('rules')}"
        raise CannotCarry(
            f"the game cannot be built again here; are {where} here as they were there? ({error})"
        ) from error
    if drift:
        raise CannotCarry("this judge comes to other results than are in the file: " + "; ".join(drift[:3]))
    return PackedGame(name, persons, events, game)


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


def seated_without_address(packed: PackedGame, addresses: Mapping[int, str]) -> tuple[str, ...]:
    """Seats of a game that goes on whose players nobody could reach."""
    if packed.game.stage is Stage.ENDED:
        return ()
    seats = packed.game.seats.values()
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


# --- moving in ------------------------------------------------------------------------------------------------------


_NAME = re.compile(r"[a-z][a-z0-9-]{1,31}")


@dataclass(frozen=True, slots=True)
class MovedIn:
    """What became of an imported game: who was known here, and whose seats fell vacant."""

    key: str
    stage: str
    known: int
    enrolled: int
    vacant: tuple[str, ...]


def move_in(judge: Judge, packed: PackedGame, addresses: Mapping[str, str]) -> MovedIn:
    """Write the game of a file. `addresses`: name of a person in the file ("gm" for the Gamemaster) -> address, where
    the file has none or another is right. Raises CannotCarry; nothing is written then.
    """
    now = judge.clock.now()
    reach = _addresses(packed, addresses)
    gm = packed.game.gm
    if packed.game.stage is not Stage.ENDED and not reach.get(gm):
        raise CannotCarry("its Gamemaster has no address in the file; name it: --address gm=ADDRESS")
    with judge.store.write() as unit:
        _check_name(unit, packed.key)
        before = unit.people.count()
        persons = {number: _person(judge, unit, who, reach[number]) for number, who in packed.persons.items()}
        enrolled = unit.people.count() - before
        rows = [_renumbered(one.kind, one.version, one.data, persons) for one in packed.events]
        for one, row in zip(packed.events, rows, strict=True):
            unit.events.append(packed.key, one.seq - 1, [row], at=one.at)
        game = rebuild(thaw_all(unit.events.load(packed.key)), judge.shelf)
        unit.games.put_drawn(game.key, lambda: card(game, now))
        for seat in (*game.seats.values(), None):
            person = seat.person if seat else game.gm
            name = seat.id if seat else GM_SEAT
            unit.games.put_seat(SeatRow(game.key, name, judge.entropy(8).hex(), now, person or None))
        keep_readers(unit, None, game, now)
        change = GameChange(game, game)
        vacant = seated_without_address(packed, reach)
        _arrive(judge, change, vacant)
        judge.keeper.save(unit, change, now, judge.entropy)
        post_letters(judge, unit, change, now)
    judge.keeper.settle(change)
    powers = tuple(power for seat in vacant for power in game.seats[seat].powers or (f"seat {seat}",))
    return MovedIn(game.key, str(change.after.stage), len(persons) - enrolled, enrolled, powers)


def _addresses(packed: PackedGame, given: Mapping[str, str]) -> dict[int, str]:
    reach = {number: who.address for number, who in packed.persons.items()}
    for name, address in given.items():
        plain = read_address(address)
        if plain is None:
            raise CannotCarry(f'"{address}" is not a mail address')
        numbers = [number for number, who in packed.persons.items() if who.name.casefold() == name.casefold()]
        if name.casefold() == "gm":
            numbers = [packed.game.gm]
        if len(numbers) != 1:
            known = ", ".join(sorted(who.name for who in packed.persons.values()))
            raise CannotCarry(f"{'nobody' if not numbers else 'more than one'} in the game is called {name}: {known}")
        reach[numbers[0]] = plain
    return reach


def _check_name(unit: Transaction, key: str) -> None:
    if _NAME.fullmatch(key) is None:
        raise CannotCarry(f'"{key}" is not a name for a game: 2 to 32 letters, digits and dashes, a letter first')
    if unit.games.find(key) is not None or unit.events.last_seq(key):
        raise CannotCarry(f"there is a game named {key} here already; import it under another name: --as NAME")


def _person(judge: Judge, unit: Transaction, who: Traveller, address: str) -> int:
    """Who is known here by the address, else somebody new. The operator answers for addresses of a file."""
    if address:
        return enrol(judge, unit, address, name=_unless_known(unit, address, who.name), zone="", verified=True).id
    now = judge.clock.now()
    return unit.people.add(who.name, zone=who.zone, check_phrase=check_phrase(judge.entropy(3)), now=now).id


def _unless_known(unit: Transaction, address: str, name: str) -> str:
    return "" if unit.people.by_address(address) is not None else name


def _renumbered(kind: str, version: int, data: str, persons: Mapping[int, int]) -> NewEvent:
    fields = renumbered(kind, msgspec.json.decode(data), lambda number: persons[number])
    return NewEvent(kind, version, msgspec.json.encode(fields).decode())


def _arrive(judge: Judge, change: GameChange, vacant: tuple[str, ...]) -> None:
    """What the move itself brings about, as the operator's acts."""
    commands: list[Command] = [
        Vacate("", "the game has moved, and nobody knows where to write", seat) for seat in vacant
    ]
    if change.after.stage is Stage.RUNNING and change.after.held_since is None:
        commands.append(HoldGame("the game has moved to this judge"))
    context = Context(Actor(Role.OPERATOR, str(Role.OPERATOR)), judge.clock.now(), judge.lot, judge.shelf)
    for command in commands:
        decision = decide(change.after, command, context)
        if isinstance(decision, Refusal):
            raise CannotCarry(decision.sentence)
        judge.keeper.apply(change, decision.events)
