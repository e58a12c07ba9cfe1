"""Spaces in which several units stand together, and units that are carried, for systems that have them
(`Questions.stacks`, `judge.adjudicate.riding`).

What a rule system says of single orders before a battle: who may not go, help or carry, and on which terms who goes.

Nothing here is asked of systems that leave these questions (`judge.rules.questions.IN_BATTLE`) as they are in 1976.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from judge.adjudicate.bout import Bout, Company, Units
from judge.adjudicate.outcome import Result
from judge.board.position import Position
from judge.board.status import Stack
from judge.board.unit import ANY
from judge.orders.model import Hold, Misorder, Move, Order, Support, UnitOrder
from judge.rules.model import Rules
from judge.rules.questions import Term

CROWDED_OUT = "other-kind-there"
"""The slug of a move to where own units of another kind stand and stay."""


def arrange(bout: Bout) -> None:
    """Tell the solver who stands together, who joins whom, and who is carried. Call it when moves have been entered,
    before supports are matched. Moves that cannot be made beside those who stay are taken back, and with the move
    of a fleet the boarding of its army.
    """
    company = bout.company = bout.company or Company()
    company.rides = {rider: _carrier(bout, rider) for rider in bout.layout.riders}
    for space, units in _together(bout).items():
        company.crowd[space] = units
    stacks = {bout.chart.space[code]: stack for code, stack in bout.rules.stacks(bout.position).items()}
    while (barred := _barred(bout, company, stacks)) is not None:
        bout.withdraw(barred)
        bout.faults[barred] = (Result.ILLEGAL, CROWDED_OUT)
    _settle_riders(bout, company)
    if company.crowd:
        _help_the_right_one(bout, company)
    for unit in bout.moving():
        _place(bout, company, unit, stacks.get(bout.aim[unit]))


def _help_the_right_one(bout: Bout, company: Company) -> None:
    """Where units alike stand together, a support that names any of them is for one that does what is supported."""
    given = list(bout.given)
    units = bout.position.units
    for supporter in bout.supporters:
        order: Support = given[supporter]
        if not order.of.mark(ANY):
            continue
        of = bout.number[order.of.id]
        goal = None if order.to is None else bout.chart.space.get(order.to)
        alike = [
            each
            for each in company.crowd.get(bout.at[of], ())
            if units[each].kind == units[of].kind and units[each].power == units[of].power
        ]
        does = [each for each in alike if (bout.aim[each] if bout.landing[each] is not None else None) == goal]
        if of not in does and does:
            given[supporter] = replace(order, of=units[does[0]])
    bout.given = given


def choose_guards(bout: Bout) -> None:
    """Let the one with the most support stand for all in its space; support for who is carried counts nothing.
    Call it when supports have been matched.
    """
    assert bout.company is not None
    for rider in bout.layout.riders:
        if rider not in bout.company.lands:
            for unit in bout.backing[rider]:
                bout.faults[unit] = (Result.VOID, "supported-unit-aboard")
            bout.backing[rider] = ()
    for space, units in bout.company.crowd.items():
        leaving = bout.company.sails_with
        staying = [unit for unit in units if bout.landing[unit] is None and unit not in leaving] or units
        if staying:
            bout.guard(space, max(staying, key=lambda unit: (len(bout.backing[unit]), -unit)))


def _carrier(bout: Bout, rider: int) -> int:
    return bout.number[bout.position.units[rider].aboard]


def _together(bout: Bout) -> dict[int, Units]:
    """Space in which more than one stands -> who."""
    everybody: dict[int, Units] = {}
    for unit, space in enumerate(bout.at):
        if unit not in bout.layout.riders:
            everybody[space] = (*everybody.get(space, ()), unit)
    return {space: units for space, units in everybody.items() if len(units) > 1}


def _there(bout: Bout, company: Company, space: int) -> Units:
    holder = bout.occupant[space]
    return company.crowd.get(space) or ((holder,) if holder >= 0 else ())


def _may_enter(bout: Bout, stack: Stack | None, unit: int) -> bool:
    if stack is None or stack.power != bout.power[unit]:
        return False
    return stack.enters is None or bout.position.units[unit].kind in stack.enters


def _is_ordered_out(bout: Bout, company: Company, unit: int) -> bool:
    """Or aboard a fleet that sails from there, or comes there: boarding goes before what bars the capital."""
    if bout.landing[unit] is not None:
        return True
    fleet = company.boarding.get(unit, -1)
    return fleet >= 0 and bout.landing[fleet] is not None and bout.at[unit] in (bout.at[fleet], bout.aim[fleet])


def _barred(bout: Bout, company: Company, stacks: dict[int, Stack]) -> int | None:
    """A mover that cannot come in beside own units of another kind that are not ordered out; None: there is none."""
    units = bout.position.units
    for unit in bout.moving():
        space = bout.aim[unit]
        stack = stacks.get(space)
        if not _may_enter(bout, stack, unit) or stack is None or stack.mixed:
            continue
        for each in _there(bout, company, space):
            other = units[each].kind != units[unit].kind and bout.power[each] == bout.power[unit]
            if other and company.boarding.get(each) != unit and not _is_ordered_out(bout, company, each):
                return unit
    return None


def _settle_riders(bout: Bout, company: Company) -> None:
    """Of those who are to come aboard or go ashore, keep those whose fleet is ordered out."""
    spots = list(bout.spots)
    for rider, fleet in [*company.ashore.items()]:
        if bout.landing[fleet] is None:
            bout.faults[rider] = (Result.VOID, "fleet-not-ordered-out")
            continue
        kind = bout.position.units[rider].kind
        spots[rider] = bout.chart.spots[kind][bout.position.units[rider].at]  # it had none of its own, carried
        stack = bout.rules.stacks(bout.position).get(bout.chart.codes[bout.at[rider]])
        beside = _may_enter(bout, stack, rider)
        others = [each for each in _there(bout, company, bout.at[rider]) if each != fleet]
        company.lands[rider] = (
            fleet,
            tuple(each for each in others if not (beside and bout.position.units[each].kind == kind)),
        )
    bout.spots = tuple(spots) if company.lands else bout.spots
    _settle_boarding(bout, company)


def _settle_boarding(bout: Bout, company: Company) -> None:
    """Of those who are to come aboard, keep those whose fleet comes or sails, and is theirs alone."""
    able: dict[int, list[int]] = {}
    for army, fleet in company.boarding.items():
        here = bout.at[fleet] == bout.at[army]
        if bout.landing[fleet] is None or not (here or bout.aim[fleet] == bout.at[army]):
            bout.faults[army] = (Result.VOID, "fleet-not-ordered-out" if here else "fleet-not-coming")
        else:
            able.setdefault(fleet, []).append(army)
    sure = {rider for rider, (_, others) in company.lands.items() if not others}  # nobody can keep them aboard
    full = {fleet for rider, fleet in company.rides.items() if rider not in sure}
    for fleet, armies in able.items():
        for army in armies:
            if len(armies) > 1 or fleet in full:
                bout.faults[army] = (Result.VOID, "one-army-a-fleet")
            else:
                (company.sails_with if bout.at[fleet] == bout.at[army] else company.picked_up)[army] = fleet


def _place(bout: Bout, company: Company, unit: int, stack: Stack | None) -> None:
    """Whom a mover joins, who keeps it out, and whether it goes in together with others."""
    space, units = bout.aim[unit], bout.position.units
    there = _there(bout, company, space)
    own = [each for each in there if bout.power[each] == bout.power[unit]]
    joined = [each for each in there if company.picked_up.get(each) == unit]
    if stack is not None and _may_enter(bout, stack, unit):
        coming = [each for each in bout.movers[space] or () if bout.power[each] == bout.power[unit]]
        if len(there) + len(coming) <= stack.most:
            company.stacking[unit] = stack.mixed
            joined += [each for each in own if stack.mixed or units[each].kind == units[unit].kind]
            landing = [rider for rider in company.lands if bout.at[rider] == space]
            own_landing = [rider for rider in landing if bout.power[rider] == bout.power[unit]]
            joined += [rider for rider in own_landing if units[rider].kind == units[unit].kind]
        if not stack.mixed and (others := [each for each in own if units[each].kind != units[unit].kind]):
            company.blocked[unit] = tuple(each for each in others if each not in joined)
            if not company.blocked[unit]:
                del company.blocked[unit]
    if joined:
        company.joins[unit] = tuple(joined)


def bind_held(position: Position, orders: Iterable[Order], rules: Rules) -> dict[int, Misorder]:
    """`id` of each order for a unit that may only hold in this phase (`Rules.held`) -> the misorder in its place."""
    found: dict[int, Misorder] = {}
    for order in orders:
        if isinstance(order, UnitOrder) and _acts(order) and (reason := rules.held(position, order.unit)):
            found[id(order)] = Misorder(order.unit, str(order), reason)
    return found


def _acts(order: UnitOrder) -> bool:
    """Whether an order is for more than to stand."""
    return not isinstance(order, (Hold, Misorder))


def bar_moves(bout: Bout) -> None:
    """Let those stand that may not go where they are ordered to. Call it before convoys are matched."""
    for unit in bout.moving():
        order: Move = bout.given[unit]
        if reason := bout.rules.barred(bout.position, order.unit, order.to):
            bout.withdraw(unit)
            bout.carriage.pop(unit, None)
            bout.faults[unit] = (Result.ILLEGAL, reason)


def by_the_rules(bout: Bout) -> None:
    """Take away the supports that may not be given, and tell the solver who keeps company with whom, on which terms.
    Call it when supports have been matched.
    """
    for unit in bout.supporters:
        if unit not in bout.faults and (reason := by_the_system(bout, bout.given[unit])):
            bout.faults[unit] = (Result.ILLEGAL, reason)
            supported = bout.number[bout.given[unit].of.id]
            bout.backing[supported] = tuple(each for each in bout.backing[supported] if each != unit)
    if "stacks" in bout.asked:
        choose_guards(bout)
    elif "cutting" in bout.asked:
        bout.company = bout.company or Company()
    if "terms" in bout.asked:
        _set_terms(bout)
    if "escort" in bout.asked:
        _set_escorts(bout)


def by_the_system(bout: Bout, order: Support) -> str:
    """Why a system does not let a unit support another one, as a reason's slug."""
    rules, position = bout.rules, bout.position
    goal = order.to or order.of.at
    return rules.support_fault(position, order.unit, order.of, goal)


def _set_terms(bout: Bout) -> None:
    terms = {unit: bout.rules.terms(bout.position, bout.given[unit]) for unit in bout.moving()}
    if any(terms.values()):
        bout.company = replace(
            bout.company or Company(),
            meek=_those(terms, Term.MEEK),
            needs_army=_those(terms, Term.NEEDS_ARMY),
            unpaid=_those(terms, Term.UNPAID),
            powerless=_those(terms, Term.POWERLESS),
        )


def _set_escorts(bout: Bout) -> None:
    found: dict[int, tuple[int, str]] = {}
    for unit in bout.moving():
        if escort := bout.rules.escort(bout.position, bout.given[unit]):
            found[unit] = bout.occupant[bout.chart.space[escort.at]], escort.reason
    if found:
        bout.company = replace(bout.company or Company(), escorts=found)


def _those(terms: dict[int, frozenset[Term]], term: Term) -> frozenset[int]:
    return frozenset(unit for unit, found in terms.items() if term in found)
