"""What to send instead of a line that is not taken: only what this unit can do, here and now, by the rules.

A line that is offered is taken when it comes back as it stands, be it copied or chosen by its number. Nothing is
offered for the lines of a mail beyond `MOST_LINES`: work on one mail is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from judge.adjudicate.legality import Illegality, legality
from judge.board.position import Position
from judge.game.model import Game
from judge.orders.model import Convoy, Misorder, Order, Support
from judge.orders.problems import out_of_reach
from judge.orders.reading import Problem
from judge.orders.suggestions import suggest

MOST_CANDIDATES = 8
"""As many lines to copy as a reader still looks through."""

_MOST_INSTEAD = 5
"""As many where nothing of what was written can be done."""

MOST_LINES = 100
"""Refused lines of one mail for which something is offered: more than the units of any player."""


def fault_of(game: Game, order: Order, position: Position) -> Illegality | None:
    """Why an order cannot be followed in a position; None for one that can, and for one of another kind of phase."""
    try:
        return legality(order, position, game.rules)
    except ValueError:
        return Illegality(order, "wrong-phase")


def instead_of(game: Game, order: Order, position: Position) -> tuple[Order, ...]:
    """What can be done that is nearest to an order that cannot."""
    if isinstance(order, Misorder):
        return ()
    possible = (other for other in suggest(order, position) if fault_of(game, other, position) is None)
    return tuple(islice(possible, _MOST_INSTEAD))


def possible_only(game: Game, problem: Problem, position: Position) -> Problem:
    """A problem that offers nothing impossible. Where all that was meant is impossible, it says so."""
    meant = [candidate for candidate in problem.candidates if not isinstance(candidate, str)]
    good = tuple(order for order in meant if fault_of(game, order, position) is None)
    if not meant or len(good) == len(problem.candidates):
        return replace(problem, candidates=lines_of(game, problem.candidates))
    if good:
        return _offering(game, problem, good)
    if not problem.offer:
        wrong = fault_of(game, meant[0], position)
        problem = replace(out_of_reach(wrong.meaning if wrong else problem.sentence), clause=problem.clause)
    return _offering(game, problem, instead_of(game, meant[0], position))


def _offering(game: Game, problem: Problem, orders: Iterable[Order]) -> Problem:
    return problem.offering(lines_of(game, tuple(orders)))


def lines_of(game: Game, candidates: Iterable[Order | str]) -> tuple[Order | str, ...]:
    """The lines as this game wants them written: foreign units by their nationality, where it demands that (B48)."""
    found = tuple(candidates)
    return tuple(_line_of(game, candidate) for candidate in found) if game.settings.nationality else found


def _line_of(game: Game, order: Order | str) -> Order | str:
    if not isinstance(order, (Support, Convoy)) or order.of.power == order.unit.power:
        return order
    unit, of = str(order.of), game.board.powers[order.of.power].adjective.upper()
    return str(order).replace(f" {unit}", f" {of} {unit}", 1)
