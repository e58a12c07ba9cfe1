"""One plain sentence for every outcome, in full names; the same for retreats and builds that were refused.

Everything said here is in the outcome: its result, its culprits, the strengths compared, the clause. The letters that
players get have their own words; these are for `judge adjudicate --explain` and the reports' `explain` mode.
"""

from __future__ import annotations

from collections.abc import Iterable

from judge.adjudicate.outcome import Adjudication, Outcome, Result
from judge.board.model import Board, Location, province_of
from judge.board.unit import NUMBER, Dislodged, Unit
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
    return f"{sentence[:1].upper()}{sentence[1:]}{clause}.{_fate(say, outcome, driven)}"


def meaning(order: Order, reason: str, board: Board, season: str) -> str:
    """The reason in a few words, which name the places of the order where the general ones only point at them; of a
    border that is closed in the season, the sentence of the board.
    """
    say = Sayer(board, season)
    if reason == "border-closed":
        return why_closed(order, board, season)
    if reason == "cannot-go-there" and isinstance(order, Move):
        kind = {"A": "an army", "F": "a fleet"}.get(order.unit.kind, "this unit")
        if province_of(order.to) == province_of(order.unit.at):
            return f"{say.place(province_of(order.to))} is where the unit stands already"
        return f"{kind} cannot go from {say.place(order.unit.at)} to {say.place(order.to)}{_shore(order, board, say)}"
    if reason == "home-not-owned" and isinstance(order, Build):
        return f"{say.place(province_of(order.at))} is in other hands"
    return meaning_in(system_of(board), reason)


def _shore(order: Move, board: Board, say: Sayer) -> str:
    """What a place touches that a fleet cannot come to, if its board says so: Yakutsk, the Arctic."""
    province = board.provinces[province_of(order.to)]
    shore = province.facts.get("shore")
    if shore is None or order.unit.kind not in board.carriers:
        return ""
    return f": {say.place(province.code)} touches no sea but {shore}, where no fleet sails"


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
    return closed.why.rstrip(".") if closed else REASONS["border-closed"].meaning


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
            return "a build"
        if isinstance(order, Build):
            return f"the build of {order.kind} {self.place(order.at)}"
        if isinstance(order, Misorder):
            return f'{self.unit(order.unit)} "{order.text}"'
        unit = self.unit(order.unit)
        if isinstance(order, Move):
            how = " by rail" if isinstance(order, Rail) else " via convoy" if order.via else ""
            return f"{unit} - {self.place(order.to)}{how}"
        if isinstance(order, Support):
            return f"{unit} S {self.unit(order.of)}" + (f" - {self.place(order.to)}" if order.to else "")
        if isinstance(order, Convoy):
            return f"{unit} C {self.unit(order.of)} - {self.place(order.to)}"
        if isinstance(order, Retreat):
            return f"{unit} retreating to {self.place(order.to)}"
        if isinstance(order, Hold):
            return f"{unit} holding"
        return f"the removal of {unit}" if isinstance(order, Disband) else kind_of(order).told(order, self.board)

    def target(self, order: Order) -> str:
        """The name of the place an order is about."""
        if isinstance(order, (Move, Convoy, Retreat)) or (isinstance(order, Support) and order.to):
            return self.place(province_of(str(order.to)))
        return self.place(order.at) if isinstance(order, Build) else self.place(getattr(order, "unit").at)  # noqa: B009


def _against(outcome: Outcome) -> str:
    """ "2 against 2, "."""
    return f"{outcome.strengths[0]} against {outcome.strengths[1]}, " if outcome.strengths else ""


def _supported(say: Sayer, units: tuple[Unit, ...]) -> str:
    return f" supported by {say.units(units)}" if units else ""


def _moved(say: Sayer, outcome: Outcome) -> str:
    order = outcome.order
    how = "was convoyed" if outcome.reason == "convoyed" else "moved"
    return f"{say.unit(order.unit)} {how} to {say.place(order.to)}" if isinstance(order, Move) else say.order(order)


def _stood_off(say: Sayer, outcome: Outcome) -> str:
    """Rivals come first, then who helped the strongest of them: as many as made up its strength."""
    helpers = max(0, outcome.strengths[1] - 1) if outcome.strengths else 0
    first = max(1, len(outcome.by) - helpers)
    rivals, supporters = outcome.by[:first], outcome.by[first:]
    others = f"{say.unit(rivals[0])}{_supported(say, supporters)}"
    others += f" and by {say.units(rivals[1:])}" if rivals[1:] else ""
    return (
        f"{say.order(outcome.order)} failed: {_against(outcome)}{say.target(outcome.order)} was also wanted by {others}"
    )


def _held(say: Sayer, outcome: Outcome) -> str:
    holder, *helpers = outcome.by
    return (
        f"{say.order(outcome.order)} failed: {_against(outcome)}{say.target(outcome.order)} was held by "
        f"{say.unit(holder)}{_supported(say, tuple(helpers))}"
    )


def _head_to_head(say: Sayer, outcome: Outcome) -> str:
    other, *helpers = outcome.by
    return (
        f"{say.order(outcome.order)} failed: {_against(outcome)}{say.unit(other)}"
        f"{_supported(say, tuple(helpers))} came the other way"
    )


def _not_vacated(say: Sayer, outcome: Outcome) -> str:
    return f"{say.order(outcome.order)} failed: {_against(outcome)}{say.unit(outcome.by[0])} did not get away"


def _own_unit(say: Sayer, outcome: Outcome) -> str:
    return f"{say.order(outcome.order)} failed: {say.unit(outcome.by[0])} did not leave, and is of the same country"


def _no_help(say: Sayer, outcome: Outcome) -> str:
    return (
        f"{say.order(outcome.order)} failed: {_against(outcome)}because support from its own country does not count "
        f"against {say.unit(outcome.by[0])}"
    )


def _disrupted(say: Sayer, outcome: Outcome) -> str:
    culprits = f" by {say.units(outcome.by)}" if outcome.by else ""
    return f"{say.order(outcome.order)} failed: the convoy was broken{culprits}"


def _cut(say: Sayer, outcome: Outcome) -> str:
    how = "dislodging it" if outcome.reason == "support-dislodged" else "attacking it"
    return f"{say.order(outcome.order)} was cut: {say.units(outcome.by)} did so by {how}"


def _because(say: Sayer, outcome: Outcome) -> str:
    return meaning_in(system_of(say.board), outcome.reason)


def _carried_out(say: Sayer, outcome: Outcome) -> str:
    return f"{say.order(outcome.order)} was carried out"


def _failed(say: Sayer, outcome: Outcome) -> str:
    return f"{say.order(outcome.order)} failed: {_because(say, outcome)}"


def _placed(say: Sayer, outcome: Outcome) -> str:
    order = outcome.order
    if isinstance(order, Build):
        return f"{order.kind} {say.place(order.at)} was built"
    return f"{say.unit(order.unit)} retreated to {say.place(order.to)}" if isinstance(order, Retreat) else ""


def _lapsed(say: Sayer, outcome: Outcome) -> str:
    return f"a build was not used: {'it was waived' if outcome.reason == 'waived' else 'none was ordered'}"


def _collided(say: Sayer, outcome: Outcome) -> str:
    others = say.units(outcome.by)
    return f"{say.order(outcome.order)} was lost with {others}: {_because(say, outcome)}"


def _given_up(say: Sayer, outcome: Outcome) -> str:
    return f"{say.unit(getattr(outcome.order, 'unit'))} was disbanded: {_because(say, outcome)}"  # noqa: B009


def _stood(say: Sayer, outcome: Outcome) -> str:
    unit = say.unit(getattr(outcome.order, "unit"))  # noqa: B009
    return f"{unit} had no order and stood" if outcome.reason == "no-order" else f"{unit} stood"


def _driven_out(say: Sayer, outcome: Outcome) -> str:
    """The order was to stand, or there was none; by whom and where to is said of every dislodged unit."""
    unit = say.unit(getattr(outcome.order, "unit"))  # noqa: B009
    ordered = "was to stand" if outcome.reason == "dislodged" else "had no order"
    odds = f": {outcome.strengths[1]} against {outcome.strengths[0]}" if outcome.strengths else ""
    return f"{unit} {ordered} and was driven out{odds}"


def _refused_by(say: Sayer, outcome: Outcome) -> str:
    """A refusal that names who is in the way."""
    culprits = f" ({say.units(outcome.by)})" if outcome.by else ""
    return f"{say.order(outcome.order)} was not possible: {_because(say, outcome)}{culprits}"


def _general(say: Sayer, outcome: Outcome) -> str:
    order = outcome.order
    why = meaning(order, outcome.reason, say.board, say.season)
    if isinstance(order, Disband) and outcome.results[0] is Result.OK:
        return f"{say.unit(order.unit)}: {why}"
    if outcome.results[0] is Result.ILLEGAL:
        return f"{say.order(order)} was not possible: {why}"
    if outcome.results[0] is Result.VOID:
        return f"{say.order(order)} had no effect: {why}"
    return f"{say.order(order)}: {why}"


def _fate(say: Sayer, outcome: Outcome, driven: Dislodged | None) -> str:
    """Dislodged, by whom, and where it may go."""
    if not outcome.dislodged:
        return ""
    by = f" by {say.unit(driven.by)}" if driven and driven.by else ""
    if Result.DISBANDED in outcome.results:
        return f" It was dislodged{by}, could not retreat and was disbanded."
    where = f" and may retreat to {', '.join(map(say.place, driven.options))}" if driven else ""
    return f" It was dislodged{by}{where}."


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
