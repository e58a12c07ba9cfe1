"""A game that was played elsewhere moves in: its persons are enrolled, its seats get tokens of this judge.

A game that runs is on hold from then on: its Gamemaster resumes it when everybody has heard. Seats whose players cannot
be reached fall vacant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from judge.game.clock.holds import HoldGame
from judge.game.core.commands import GM_SEAT, Actor, Command, Role, Vacate
from judge.game.core.decision import Context, Refusal
from judge.game.core.evolve import rebuild
from judge.game.core.model import Stage
from judge.game.decide import decide
from judge.mail.raw.addresses import read_address
from judge.people.phrases import check_phrase
from judge.service.core.house import House
from judge.service.core.keeper import GameChange, card, thaw_all
from judge.service.core.persons import enrol
from judge.service.core.readers import keep_readers
from judge.service.posting.mailbag import post_letters
from judge.service.upkeep.parcels import CannotCarry, GameParcel, Traveller, renumbered, seated_without_address
from judge.store import Transaction
from judge.store.rows import NewEvent, SeatRow

_NAME = re.compile(r"[a-z][a-z0-9-]{1,31}")


@dataclass(frozen=True, slots=True)
class MovedIn:
    """What became of an imported game: who was known here, and whose seats fell vacant."""

    key: str
    stage: str
    known: int
    enrolled: int
    vacant: tuple[str, ...]


def move_in(house: House, parcel: GameParcel, addresses: Mapping[str, str]) -> MovedIn:
    """Write the game of a parcel. `addresses`: name of a person in the file ("gm" for the Gamemaster) -> address, where
    the file has none or another is right. Raises CannotCarry; nothing is written then.
    """
    now = house.clock.now()
    reach = _addresses(parcel, addresses)
    gm = parcel.game.gm
    if parcel.game.stage is not Stage.ENDED and not reach.get(gm):
        raise CannotCarry("its Gamemaster has no address in the file; name it: --address gm=ADDRESS")
    with house.store.write() as unit:
        _check_name(unit, parcel.key)
        before = unit.people.count()
        persons = {number: _person(house, unit, who, reach[number]) for number, who in parcel.persons.items()}
        enrolled = unit.people.count() - before
        rows = [_renumbered(one.kind, one.version, one.data, persons) for one in parcel.events]
        for one, row in zip(parcel.events, rows, strict=True):
            unit.events.append(parcel.key, one.seq - 1, [row], at=one.at)
        game = rebuild(thaw_all(unit.events.load(parcel.key)), house.shelf)
        unit.games.put_drawn(game.key, lambda: card(game, now))
        for seat in (*game.seats.values(), None):
            person = seat.person if seat else game.gm
            name = seat.id if seat else GM_SEAT
            unit.games.put_seat(SeatRow(game.key, name, house.entropy(8).hex(), now, person or None))
        keep_readers(unit, None, game, now)
        change = GameChange(game, game)
        vacant = seated_without_address(parcel, reach)
        _arrive(house, change, vacant)
        house.keeper.save(unit, change, now, house.entropy)
        post_letters(house, unit, change, now)
    house.keeper.settle(change)
    powers = tuple(power for seat in vacant for power in game.seats[seat].powers or (f"seat {seat}",))
    return MovedIn(game.key, str(change.after.stage), len(persons) - enrolled, enrolled, powers)


def _addresses(parcel: GameParcel, given: Mapping[str, str]) -> dict[int, str]:
    reach = {number: who.address for number, who in parcel.persons.items()}
    for name, address in given.items():
        plain = read_address(address)
        if plain is None:
            raise CannotCarry(f'"{address}" is not a mail address')
        numbers = [number for number, who in parcel.persons.items() if who.name.casefold() == name.casefold()]
        if name.casefold() == "gm":
            numbers = [parcel.game.gm]
        if len(numbers) != 1:
            known = ", ".join(sorted(who.name for who in parcel.persons.values()))
            raise CannotCarry(f"{'nobody' if not numbers else 'more than one'} in the game is called {name}: {known}")
        reach[numbers[0]] = plain
    return reach


def _check_name(unit: Transaction, key: str) -> None:
    if _NAME.fullmatch(key) is None:
        raise CannotCarry(f'"{key}" is not a name for a game: 2 to 32 letters, digits and dashes, a letter first')
    if unit.games.find(key) is not None or unit.events.last_seq(key):
        raise CannotCarry(f"there is a game named {key} here already; import it under another name: --as NAME")


def _person(house: House, unit: Transaction, who: Traveller, address: str) -> int:
    """Who is known here by the address, else somebody new. The operator answers for addresses of a file."""
    if address:
        return enrol(house, unit, address, name=_unless_known(unit, address, who.name), zone="", verified=True).id
    now = house.clock.now()
    return unit.people.add(who.name, zone=who.zone, check_phrase=check_phrase(house.entropy(3)), now=now).id


def _unless_known(unit: Transaction, address: str, name: str) -> str:
    return "" if unit.people.by_address(address) is not None else name


def _renumbered(kind: str, version: int, data: str, persons: Mapping[int, int]) -> NewEvent:
    fields = renumbered(kind, msgspec.json.decode(data), lambda number: persons[number])
    return NewEvent(kind, version, msgspec.json.encode(fields).decode())


def _arrive(house: House, change: GameChange, vacant: tuple[str, ...]) -> None:
    """What the move itself brings about, as the operator's acts."""
    commands: list[Command] = [
        Vacate("", "the game has moved, and nobody knows where to write", seat) for seat in vacant
    ]
    if change.after.stage is Stage.RUNNING and change.after.held_since is None:
        commands.append(HoldGame("the game has moved to this judge"))
    context = Context(Actor(Role.OPERATOR, str(Role.OPERATOR)), house.clock.now(), house.lot, house.shelf)
    for command in commands:
        decision = decide(change.after, command, context)
        if isinstance(decision, Refusal):
            raise CannotCarry(decision.sentence)
        house.keeper.apply(change, decision.events)
