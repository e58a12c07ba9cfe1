"""Which power of a player's an order is for, where one player has several.

Every line is read for each of them. A name above or before an order says whose it is; without one, the unit or the
home does. What more than one of them can follow ("waive") is asked back; what goes for all units goes for all powers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from judge.adjudicate.duty import duty
from judge.game.core.model import Game
from judge.game.filing.read import Read
from judge.languages import tell
from judge.orders import problems
from judge.orders.filing import spread
from judge.orders.model import Build, Order, Waive
from judge.orders.reading import AWAY, EXPANDED
from judge.orders.spelled import listed

IsLegal = Callable[[Read, Order], bool]
Lines = Sequence[Sequence[Read]]
"""For each line its readings for one power."""

_LEAST_LIKELY = (AWAY, "not-your-unit", "wrong-phase", "not-an-order", "unfinished")
"""Problems of a line that is hardly for the power for which it was read, the least likely one first."""


def of_each_line(game: Game, found: Sequence[Lines], is_legal: IsLegal) -> list[Read]:
    """The readings of all lines, each for the power and the unit that is meant. `found`: power by power, in the seat's
    order.
    """
    reads = _for_powers(game, found, is_legal)
    return _one_for_each(reads) if "stacks" in game.rules.answered else reads


def _for_powers(game: Game, found: Sequence[Lines], is_legal: IsLegal) -> list[Read]:
    if len(found) == 1:
        return [read for line in found[0] for read in line]
    meant = [_of_line(list(line), is_legal) for line in zip(*found, strict=True)]
    return list(_waived_once(game, list(chain.from_iterable(meant)), is_legal))


def _of_line(by_power: list[Sequence[Read]], is_legal: IsLegal) -> list[list[Read]]:
    """One line's orders, each as the readings that may be meant: one, or several waived builds. A condition over
    several lines may hold orders for each power.
    """
    every = [read for reads in by_power for read in reads]
    if all(read.filed is not None and read.reading.problem is None for read in every):
        return [[read] for read in every]
    single = [[read for read in reads if not _is_expanded(read)] for reads in by_power]
    everywhere = [read for reads in by_power for read in reads if _is_expanded(read)]
    for_all = [[read] for read in _for_all(everywhere, is_legal)]
    if len({len(reads) for reads in single}) == 1:
        return [*(_likeliest(list(same), is_legal) for same in zip(*single, strict=True)), *for_all]
    here = [[read for read in reads if _slug(read) != AWAY] for reads in single]
    best = max(here, key=lambda reads: min((_likelihood(read, is_legal) for read in reads), default=(-1,)))
    return [*([read] for read in best), *for_all]


def _is_expanded(read: Read) -> bool:
    return EXPANDED in read.reading.notes


def _for_all(reads: list[Read], is_legal: IsLegal) -> list[Read]:
    """What goes for all units goes for all powers that can follow it; somebody answers in any case."""
    able = [read for read in reads if read.order is not None and is_legal(read, read.order)]
    return able or [read for read in reads if read.power == reads[0].power]


def _likeliest(reads: list[Read], is_legal: IsLegal) -> list[Read]:
    ranks = [_likelihood(read, is_legal) for read in reads]
    best = [read for read, rank in zip(reads, ranks, strict=True) if rank == max(ranks)]
    waives = len(best) > 1 and all(isinstance(read.order, Waive) for read in best)
    return best if waives else best[:1]


def _likelihood(read: Read, is_legal: IsLegal) -> tuple[int, ...]:
    """How likely a reading is the one that is meant."""
    order = read.order
    if read.reading.problem is None and order is not None:
        at_home = isinstance(order, Build) and read.position.board.home_of.get(read.reading.site) == order.power
        return (len(_LEAST_LIKELY) + 2, not read.reading.corrected, is_legal(read, order), at_home)
    slug = _slug(read)
    if slug in _LEAST_LIKELY:
        return (_LEAST_LIKELY.index(slug), read.unit is not None)
    offers = bool(read.reading.problem and read.reading.problem.candidates)
    return (len(_LEAST_LIKELY), read.unit is not None, offers)


def _slug(read: Read) -> str:
    return read.reading.problem.slug if read.reading.problem else ""


def _waived_once(game: Game, meant: list[list[Read]], is_legal: IsLegal) -> list[Read]:
    """One reading for each order: a waived build goes to the one power that has a build left beside this mail's."""
    sure = [reads[0] for reads in meant if len(reads) == 1]
    found = []
    for reads in meant:
        if len(reads) > 1:
            able = [read for read in reads if _has_build_left(game, read, sure, is_legal)]
            reads = [_asked_back(able)] if len(able) > 1 else able or reads
        found.append(reads[0])
    return found


def _has_build_left(game: Game, read: Read, sure: Sequence[Read], is_legal: IsLegal) -> bool:
    used = sum(
        one.power == read.power and one.phase == read.phase and isinstance(one.order, (Build, Waive)) for one in sure
    )
    legal = read.order is not None and is_legal(read, read.order)
    return legal and duty(read.position, read.power, game.rules).builds > used


def _asked_back(reads: Sequence[Read]) -> Read:
    board = reads[0].position.board
    names = [board.powers[read.power].name for read in reads]
    lines = [f"{name}: {read.reading.text}" for name, read in zip(names, reads, strict=True)]
    sentence = tell("{names} have builds to use or to waive; which of them is this for?", names=listed(names))
    problem = problems.whose(sentence, lines)
    return reads[0]._replace(reading=reads[0].reading._replace(order=None, problem=problem), filed=None)


def _one_for_each(found: Sequence[Read]) -> list[Read]:
    """Where several units alike stand together, lines that do not say which they mean are spread over them."""
    reads = list(found)
    for phase in dict.fromkeys(read.phase for read in found):
        places = [at for at, read in enumerate(found) if read.phase == phase and not read.filed]
        if places:
            new = spread([found[at].reading for at in places], found[places[0]].position)
            for at, reading in zip(places, new, strict=True):
                reads[at] = found[at]._replace(reading=reading)
    return reads
