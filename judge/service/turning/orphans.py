"""A game whose Gamemaster is gone: the operator gives it to another one, and everybody at the table is told."""

from __future__ import annotations

from judge.acts.office import Adopt
from judge.game.core.commands import Actor, Context, Refusal, Role
from judge.game.decide import decide
from judge.service.core.house import House
from judge.service.core.keeper import GameChange
from judge.service.posting.outgoing import post_letters


class CannotAdopt(Exception):
    """The message says why a game cannot be given to somebody."""


def give_to(house: House, key: str, address: str) -> None:
    """Make the person behind an address the Gamemaster of a game. Raises CannotAdopt with a sentence."""
    now = house.clock.now()
    with house.store.write() as unit:
        game = house.keeper.load(unit, key)
        if game is None:
            raise CannotAdopt(f"There is no game named {key} here.")
        person = unit.people.by_address(address, verified=True)
        if person is None:
            raise CannotAdopt(f"{address} is not registered; ask them to send: register")
        decision = decide(game, Adopt(person.id), Context(Actor(Role.OPERATOR), now, house.lot, house.shelf))
        if isinstance(decision, Refusal):
            raise CannotAdopt(decision.sentence)
        change = GameChange(game, game)
        house.keeper.apply(change, decision.events)
        house.keeper.save(unit, change, now, house.entropy)
        post_letters(house, unit, change, now)
    house.keeper.settle(change)
