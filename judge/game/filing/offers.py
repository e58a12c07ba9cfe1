"""What to send instead of a line that is not taken: only what this unit can do, here and now, by the rules.

A line that is offered is taken when it comes back as it stands, be it copied or chosen by its number. Nothing is
offered for the lines of a mail beyond `MOST_LINES`: work on one mail is bounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import islice

from judge.adjudicate.explain import sentence_of
from judge.adjudicate.legality import Illegality, legality
from judge.board.model import province_of
from judge.board.position import Position
from judge.game.core.decision import Verdict
from judge.game.core.model import Game
from judge.orders.model import Convoy, Misorder, Order, Support
from judge.orders.problems import out_of_reach
from judge.orders.reader import read_line
from judge.orders.reading import Problem
from judge.orders.suggestions import suggest

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


def known(game: Game, order: Order | None) -> bool:
    """Whether the rules know this kind of order at all."""
    return order is None or game.rules.kinds().of(order) is not None


def instead_of(game: Game, order: Order, position: Position) -> tuple[Order, ...]:
    """What can be done that is nearest to an order that cannot."""
    if isinstance(order, Misorder):
        return ()
    possible = suggest(order, position, lambda one: known(game, one) and fault_of(game, one, position) is None)
    return tuple(islice(possible, _MOST_INSTEAD))


def possible_only(game: Game, problem: Problem, position: Position) -> Problem:
    """A problem that offers nothing impossible. Where all that was meant is impossible, it says so."""
    meant = [(candidate, _order_of(candidate, position)) for candidate in problem.candidates]
    faults = [fault_of(game, order, position) if order is not None else None for _, order in meant]
    good = tuple(one for (one, order), wrong in zip(meant, faults, strict=True) if wrong is None and known(game, order))
    if good or not meant:
        return _offering(game, problem, good)
    if not problem.guessed:
        wrong = faults[0]
        why = sentence_of(wrong.order, wrong.reason, game.board, position.phase.season) if wrong else problem.sentence
        problem = replace(out_of_reach(why), clause=problem.clause)
    order = meant[0][1]
    return _offering(game, problem, instead_of(game, order, position) if order is not None else ())


def _order_of(candidate: Order | str, position: Position) -> Order | None:
    """The order that a candidate is; one with words that no order value has is read."""
    if not isinstance(candidate, str):
        return candidate
    return next((reading.order for reading in read_line(candidate, position, None)), None)


def _offering(game: Game, problem: Problem, candidates: Iterable[Order | str]) -> Problem:
    lines = lines_of(game, candidates)
    return replace(problem, candidates=lines)


def lines_of(game: Game, candidates: Iterable[Order | str]) -> tuple[Order | str, ...]:
    """The lines as this game wants them written: foreign units by their nationality, where it demands that."""
    found = tuple(candidates)
    return tuple(_line_of(game, candidate) for candidate in found) if game.settings.nationality else found


def _line_of(game: Game, order: Order | str) -> Order | str:
    if not isinstance(order, (Support, Convoy)) or order.of.power == order.unit.power:
        return order
    unit, of = str(order.of), game.board.powers[order.of.power].adjective.upper()
    return str(order).replace(f" {unit}", f" {of} {unit}", 1)


def with_free_sites(verdict: Verdict, used: Collection[str]) -> Verdict:
    """A verdict that offers no build in a province where one is on file."""
    free = tuple(line for line in verdict.candidates if not (line.endswith(" B") and _site(line) in used))
    return verdict if free == verdict.candidates else replace(verdict, candidates=free)


def _site(build: str) -> str:
    """The province of a build as an order is stored: "F STP/SC B"."""
    return province_of(build.split()[-2])
