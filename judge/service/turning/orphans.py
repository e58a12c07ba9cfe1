"""A game whose Gamemaster is gone: the operator gives it to another one, and everybody at the table is told."""

from __future__ import annotations

from judge.acts.office import Adopt
from judge.game.core.commands import Actor, Context, Refusal, Role
from judge.game.decide import decide
from judge.service.core.judge import Judge
from judge.service.core.keeper import GameChange
from judge.service.posting.outgoing import post_letters


class CannotAdopt(Exception):
    """The message says why a game cannot be given to somebody."""


def give_to(judge: Judge, key: str, address: str) -> None:
    """Make the person behind an address the Gamemaster of a game. Raises CannotAdopt with a sentence."""
    now = judge.clock.now()
    with judge.store.write() as unit:
        game = judge.keeper.load(unit, key)
        if game is None:
            raise CannotAdopt(f"There is no game named {key} here.")
        person = unit.people.by_address(address, verified=True)
        if person is None:
            raise CannotAdopt(f"{address} is not registered; ask them to send: register")
        decision = decide(game, Adopt(person.id), Context(Actor(Role.OPERATOR), now, judge.lot, judge.shelf))
        if isinstance(decision, Refusal):
            raise CannotAdopt(decision.sentence)
        change = GameChange(game, game)
        judge.keeper.apply(change, decision.events)
        judge.keeper.save(unit, change, now, judge.entropy)
        post_letters(judge, unit, change, now)
    judge.keeper.settle(change)
