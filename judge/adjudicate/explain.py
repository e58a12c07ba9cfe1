"""One plain sentence for every outcome, in full names; the same for retreats and builds that were refused.

Everything said here is in the outcome: its result, its culprits, the strengths compared, the clause. The letters that
players get have their own words; these are for `judge adjudicate --explain` and the reports' `explain` mode.
"""

from __future__ import annotations

from collections.abc import Iterable

from judge.adjudicate.outcome import Adjudication, Outcome, Result
from judge.board.model import Board, Location, province_of
from judge.board.unit import NUMBER, Dislodged, Unit
from judge.languages import tell, together
from judge.orders.kinds import kind_of, system_of
from judge.orders.model import Build, Convoy, Disband, Hold, Misorder, Move, Order, Rail, Retreat, Support, Waive
from judge.orders.spelled import listed
from judge.rules.reasons import REASONS, clause_in, meaning_in


def explain_all(result: Adjudication) -> tuple[str, ...]:
    """A sentence for each outcome of a phase, in the outcomes' order."""
    driven = {each.unit.id: each for each in (*result.after.dislodged, *result.destroyed)}
    board = result.before.board
    return tuple(
        explain(
            outcome,
            board,
            driven.get(outcome.order.unit.id) if hasattr(outcome.order, "unit") else None,
            season=result.before.phase.season,
        )
        for outcome in result.outcomes
    )


def explain(outcome: Outcome, board: Board, driven: Dislodged | None = None, *, season: str) -> str:
    """What became of one order and why. `driven` says by whom its unit was dislodged and where it may go."""
    say = Sayer(board, season)
    sentence = _SENTENCES.get(outcome.reason, _general)(say, outcome)
    failed = outcome.clause and outcome.results[0] is not Result.OK
    clause = f" ({clause_in(system_of(board), outcome.clause)})" if failed else ""
    return together(f"{sentence[:1].upper()}{sentence[1:]}{clause}.", _fate(say, outcome, driven))


def meaning(order: Order, reason: str, board: Board, season: str) -> str:
    """The reason in a few words, which name the places of the order where the general ones only point at them; of a
    border that is closed in the season, the sentence of the board.
    """
    say = Sayer(board, season)
    if reason == "border-closed":
        return why_closed(order, board, season)
    if reason == "cannot-go-there" and isinstance(order, Move):
        if province_of(order.to) == province_of(order.unit.at):
            return tell("{place} is where the unit stands already", place=say.place(province_of(order.to)))
        return _no_way(order, board, say)
    if reason == "home-not-owned" and isinstance(order, Build):
        return tell("{place} is in other hands", place=say.place(province_of(order.at)))
    return tell(meaning_in(system_of(board), reason))


def _no_way(order: Move, board: Board, say: Sayer) -> str:
    """And what its goal touches that a fleet cannot come to, if its board says so: Yakutsk, the Arctic."""
    here, there = say.place(order.unit.at), say.place(order.to)
    if order.unit.kind == "A":
        told = tell("an army cannot go from {here} to {there}", here=here, there=there)
    elif order.unit.kind == "F":
        told = tell("a fleet cannot go from {here} to {there}", here=here, there=there)
    else:
        told = tell("this unit cannot go from {here} to {there}", here=here, there=there)
    province = board.provinces[province_of(order.to)]
    shore = province.facts.get("shore")
    if shore is None or order.unit.kind not in board.carriers:
        return told
    why = tell("{place} touches no sea but {shore}, where no fleet sails", place=say.place(province.code), shore=shore)
    return f"{told}: {why}"


def sentence_of(order: Order, reason: str, board: Board, season: str) -> str:
    """The same as a sentence of its own."""
    words = meaning(order, reason, board, season)
    return f"{words[:1].upper()}{words[1:]}."


def why_closed(order: Order, board: Board, season: str) -> str:
    """The sentence of the border that bars the order's unit, or the one that it supports, without its full stop."""
    ways: tuple[tuple[Unit, Location], ...] = ()
    if isinstance(order, Support):
        ways = tuple((unit, order.to or order.of.at) for unit in (order.unit, order.of))
    elif isinstance(order, (Move, Retreat)):
        ways = ((order.unit, order.to),)
    closures = (board.closure(unit.kind, unit.at, to, season) for unit, to in ways)
    closed = next(filter(None, closures), None)
    return tell(closed.why).rstrip(".") if closed else tell(REASONS["border-closed"].meaning)


class Sayer:
    """Names of units, places and orders."""

    def __init__(self, board: Board, season: str) -> None:
        self.board = board
        self.season = season

    def place(self, location: Location) -> str:
        """ "St Petersburg (south coast)"."""
        return self.board.place_name(location) if province_of(location) in self.board.provinces else location

    def unit(self, unit: Unit) -> str:
        """ "A Ruhr", "A2 Paris"."""
        place = self.place(unit.at)
        number = unit.mark(NUMBER) if unit.marks else ""
        return f"{unit.kind}{number} {place}" if number else f"{unit.kind} {place}{unit.number}"

    def units(self, units: Iterable[Unit]) -> str:
        """ "A Ruhr, F Holland and A Munich"."""
        return listed(self.unit(unit) for unit in units)

    def order(self, order: Order) -> str:
        """The order in full names."""
        if isinstance(order, Waive):
            return tell("a build")
        if isinstance(order, Build):
            return tell("the build of {kind} {place}", kind=order.kind, place=self.place(order.at))
        if isinstance(order, Misorder):
            return f'{self.unit(order.unit)} "{order.text}"'
        unit = self.unit(order.unit)
        if isinstance(order, Move):
            way = f"{unit} - {self.place(order.to)}"
            if isinstance(order, Rail):
                return tell("{way} by rail", way=way)
            return tell("{way} via convoy", way=way) if order.via else way
        if isinstance(order, Support):
            return f"{unit} S {self.unit(order.of)}" + (f" - {self.place(order.to)}" if order.to else "")
        if isinstance(order, Convoy):
            return f"{unit} C {self.unit(order.of)} - {self.place(order.to)}"
        if isinstance(order, Retreat):
            return tell("{unit} retreating to {place}", unit=unit, place=self.place(order.to))
        if isinstance(order, Hold):
            return tell("{unit} holding", unit=unit)
        if isinstance(order, Disband):
            return tell("the removal of {unit}", unit=unit)
        return kind_of(order).told(order, self.board)

    def target(self, order: Order) -> str:
        """The name of the place an order is about."""
        if isinstance(order, (Move, Convoy, Retreat)) or (isinstance(order, Support) and order.to):
            return self.place(province_of(str(order.to)))
        return self.place(order.at) if isinstance(order, Build) else self.place(getattr(order, "unit").at)  # noqa: B009


def _failed_as(say: Sayer, outcome: Outcome, why: str) -> str:
    """That an order failed, at which odds, and why."""
    order = say.order(outcome.order)
    if not outcome.strengths:
        return tell("{order} failed: {why}", order=order, why=why)
    ours, theirs = outcome.strengths[:2]
    return tell("{order} failed: {ours} against {theirs}, {why}", order=order, ours=ours, theirs=theirs, why=why)


def _supported(say: Sayer, unit: Unit, helpers: tuple[Unit, ...]) -> str:
    if not helpers:
        return say.unit(unit)
    return tell("{unit} supported by {helpers}", unit=say.unit(unit), helpers=say.units(helpers))


def _moved(say: Sayer, outcome: Outcome) -> str:
    order = outcome.order
    if not isinstance(order, Move):
        return say.order(order)
    unit, place = say.unit(order.unit), say.place(order.to)
    if outcome.reason == "convoyed":
        return tell("{unit} was convoyed to {place}", unit=unit, place=place)
    return tell("{unit} moved to {place}", unit=unit, place=place)


def _stood_off(say: Sayer, outcome: Outcome) -> str:
    """Rivals come first, then who helped the strongest of them: as many as made up its strength."""
    helpers = max(0, outcome.strengths[1] - 1) if outcome.strengths else 0
    first = max(1, len(outcome.by) - helpers)
    rivals, supporters = outcome.by[:first], outcome.by[first:]
    target, strongest = say.target(outcome.order), _supported(say, rivals[0], supporters)
    if not rivals[1:]:
        return _failed_as(say, outcome, tell("{target} was also wanted by {rival}", target=target, rival=strongest))
    why = tell(
        "{target} was also wanted by {rival} and by {others}",
        target=target,
        rival=strongest,
        others=say.units(rivals[1:]),
    )
    return _failed_as(say, outcome, why)


def _held(say: Sayer, outcome: Outcome) -> str:
    holder, *helpers = outcome.by
    held_by = _supported(say, holder, tuple(helpers))
    why = tell("{target} was held by {holder}", target=say.target(outcome.order), holder=held_by)
    return _failed_as(say, outcome, why)


def _head_to_head(say: Sayer, outcome: Outcome) -> str:
    other, *helpers = outcome.by
    why = tell("{other} came the other way", other=_supported(say, other, tuple(helpers)))
    return _failed_as(say, outcome, why)


def _not_vacated(say: Sayer, outcome: Outcome) -> str:
    return _failed_as(say, outcome, tell("{other} did not get away", other=say.unit(outcome.by[0])))


def _own_unit(say: Sayer, outcome: Outcome) -> str:
    why = tell("{other} did not leave, and is of the same country", other=say.unit(outcome.by[0]))
    return tell("{order} failed: {why}", order=say.order(outcome.order), why=why)


def _no_help(say: Sayer, outcome: Outcome) -> str:
    why = tell("because support from its own country does not count against {other}", other=say.unit(outcome.by[0]))
    return _failed_as(say, outcome, why)


def _disrupted(say: Sayer, outcome: Outcome) -> str:
    order = say.order(outcome.order)
    if not outcome.by:
        return tell("{order} failed: the convoy was broken", order=order)
    return tell("{order} failed: the convoy was broken by {culprits}", order=order, culprits=say.units(outcome.by))


def _cut(say: Sayer, outcome: Outcome) -> str:
    order, culprits = say.order(outcome.order), say.units(outcome.by)
    if outcome.reason == "support-dislodged":
        return tell("{order} was cut: {culprits} did so by dislodging it", order=order, culprits=culprits)
    return tell("{order} was cut: {culprits} did so by attacking it", order=order, culprits=culprits)


def _because(say: Sayer, outcome: Outcome) -> str:
    return tell(meaning_in(system_of(say.board), outcome.reason))


def _carried_out(say: Sayer, outcome: Outcome) -> str:
    return tell("{order} was carried out", order=say.order(outcome.order))


def _failed(say: Sayer, outcome: Outcome) -> str:
    return tell("{order} failed: {why}", order=say.order(outcome.order), why=_because(say, outcome))


def _placed(say: Sayer, outcome: Outcome) -> str:
    order = outcome.order
    if isinstance(order, Build):
        return tell("{kind} {place} was built", kind=order.kind, place=say.place(order.at))
    if isinstance(order, Retreat):
        return tell("{unit} retreated to {place}", unit=say.unit(order.unit), place=say.place(order.to))
    return ""


def _lapsed(say: Sayer, outcome: Outcome) -> str:
    if outcome.reason == "waived":
        return tell("a build was not used: it was waived")
    return tell("a build was not used: none was ordered")


def _collided(say: Sayer, outcome: Outcome) -> str:
    order, others = say.order(outcome.order), say.units(outcome.by)
    return tell("{order} was lost with {others}: {why}", order=order, others=others, why=_because(say, outcome))


def _given_up(say: Sayer, outcome: Outcome) -> str:
    unit = say.unit(getattr(outcome.order, "unit"))  # noqa: B009
    return tell("{unit} was disbanded: {why}", unit=unit, why=_because(say, outcome))


def _stood(say: Sayer, outcome: Outcome) -> str:
    unit = say.unit(getattr(outcome.order, "unit"))  # noqa: B009
    if outcome.reason == "no-order":
        return tell("{unit} had no order and stood", unit=unit)
    return tell("{unit} stood", unit=unit)


def _driven_out(say: Sayer, outcome: Outcome) -> str:
    """The order was to stand, or there was none; by whom and where to is said of every dislodged unit."""
    unit = say.unit(getattr(outcome.order, "unit"))  # noqa: B009
    if outcome.reason == "dislodged":
        told = tell("{unit} was to stand and was driven out", unit=unit)
    else:
        told = tell("{unit} had no order and was driven out", unit=unit)
    if not outcome.strengths:
        return told
    odds = tell("{theirs} against {ours}", theirs=outcome.strengths[1], ours=outcome.strengths[0])
    return f"{told}: {odds}"


def _refused_by(say: Sayer, outcome: Outcome) -> str:
    """A refusal that names who is in the way."""
    culprits = f" ({say.units(outcome.by)})" if outcome.by else ""
    refused = tell("{order} was not possible: {why}", order=say.order(outcome.order), why=_because(say, outcome))
    return f"{refused}{culprits}"


def _general(say: Sayer, outcome: Outcome) -> str:
    order = outcome.order
    why = meaning(order, outcome.reason, say.board, say.season)
    if isinstance(order, Disband) and outcome.results[0] is Result.OK:
        return f"{say.unit(order.unit)}: {why}"
    if outcome.results[0] is Result.ILLEGAL:
        return tell("{order} was not possible: {why}", order=say.order(order), why=why)
    if outcome.results[0] is Result.VOID:
        return tell("{order} had no effect: {why}", order=say.order(order), why=why)
    return f"{say.order(order)}: {why}"


def _fate(say: Sayer, outcome: Outcome, driven: Dislodged | None) -> str:
    """Dislodged, by whom, and where it may go."""
    if not outcome.dislodged:
        return ""
    by = say.unit(driven.by) if driven and driven.by else ""
    if Result.DISBANDED in outcome.results:
        if by:
            return tell("It was dislodged by {by}, could not retreat and was disbanded.", by=by)
        return tell("It was dislodged, could not retreat and was disbanded.")
    if driven is None:
        return tell("It was dislodged by {by}.", by=by) if by else tell("It was dislodged.")
    places = ", ".join(map(say.place, driven.options))
    if by:
        return tell("It was dislodged by {by} and may retreat to {places}.", by=by, places=places)
    return tell("It was dislodged and may retreat to {places}.", places=places)


_SENTENCES = {
    "moved": _moved,
    "convoyed": _moved,
    "stood-off": _stood_off,
    "held": _held,
    "head-to-head": _head_to_head,
    "not-vacated": _not_vacated,
    "own-unit": _own_unit,
    "no-help-against-own": _no_help,
    "convoy-disrupted": _disrupted,
    "support-cut": _cut,
    "support-dislodged": _cut,
    "supported": _carried_out,
    "carried": _carried_out,
    "convoy-dislodged": _failed,
    "not-carried": _failed,
    "paradox": _failed,
    "built": _placed,
    "retreated": _placed,
    "waived": _lapsed,
    "unused": _lapsed,
    "no-retreat-ordered": _given_up,
    "retreats-collided": _collided,
    "same-only-retreat": _collided,
    "stood": _stood,
    "no-order": _stood,
    "dislodged": _driven_out,
    "dislodged-without-order": _driven_out,
    "retreat-occupied": _refused_by,
    "retreat-to-attacker": _refused_by,
    "home-occupied": _refused_by,
}
