"""What a country does beside ordering units: the words, how they are written, and when they take effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from judge.board.phase import ADJUSTMENTS, MOVES, RETREATS
from judge.board.position import Position
from judge.board.unit import Unit
from judge.rules.business import Business, Deed
from judge.variants.pulsipher1914.examples import EXAMPLES
from judge.variants.pulsipher1914.kinds import IF, received_fault, received_slot
from judge.variants.pulsipher1914.lines import (
    ally_fault,
    amount_and_minor,
    capital_fault,
    claim_fault,
    claim_of,
    country_of,
    friendly_fault,
    friendly_of,
    gift_fault,
    gift_of,
    influence_fault,
    permit_fault,
    permit_of,
    place_named,
)
from judge.variants.pulsipher1914.state import FIRST_YEAR, GREATS, MINORS, TIES, VISITING, CountryState
from judge.variants.pulsipher1914.winter import UPKEEP, income

Check = Callable[[CountryState, Deed], str]


def _gift_in_reach(position: Position, deed: Deed, others: tuple[Deed, ...]) -> str:
    given = sum(gift_of(each)[0] for each in (deed, *others))
    return "more-than-a-fifth" if given > _to_spend(CountryState(position), deed.power) // 5 else ""


def _influence_in_reach(position: Position, deed: Deed, others: tuple[Deed, ...]) -> str:
    spent = sum(amount_and_minor(each)[0] for each in (deed, *others))
    return "not-enough-points" if spent > _to_spend(CountryState(position), deed.power) else ""


def _to_spend(state: CountryState, power: str) -> int:
    """What a power has after the yield."""
    return state.points.get(power, 0) + income(state, power)


def worth_trying(position: Position, power: str) -> Iterator[Deed]:
    """What a power could spend on factors and still have two points for each unit: the minor country that it gains for
    the least of them first.
    """
    state, year = CountryState(position), position.phase.year
    left = _to_spend(state, power) - 2 * len(position.of(power))
    if year >= FIRST_YEAR:
        left -= UPKEEP * len(position.of(power))
    found: list[tuple[int, str]] = []
    for name, minor in MINORS.items():
        if minor.barred == power or state.controller(name):
            continue
        rest = max(state.factors(other, name) for other in GREATS if other != power)
        found.append((state.level(name, year) + rest - state.factors(power, name), name))
    for lacking, name in sorted(found):
        if left > 0:
            yield Deed(power, "influence", (str(max(1, min(lacking, left))), name.title()))


def _eliminate(state: CountryState, deed: Deed) -> str:
    amount, minor = amount_and_minor(deed)
    if not minor:
        return "no-such-minor"
    return "" if 0 < amount <= state.factors(deed.power, minor) else "not-so-many-factors"


def _capital(position: Position, deed: Deed) -> str:
    if position.phase.kind is RETREATS:
        return "capital-later"
    return capital_fault(CountryState(position), deed)


def _named_capital(position: Position, deed: Deed) -> Position:
    if position.phase.kind is ADJUSTMENTS:
        return position  # it is named after the yield, with everything else
    state = CountryState(position)
    state.name_capital(deed.power, place_named(deed.words, position.board))
    return state.applied(position)


def _permit(position: Position, deed: Deed) -> str:
    if position.phase.kind is not MOVES:
        return "permit-with-moves"
    return permit_fault(CountryState(position), deed)


def _permitted(position: Position, deed: Deed) -> Position:
    state = CountryState(position)
    if permit := permit_of(deed, position.board):
        state.permit(permit)
    return state.applied(position)


def _permitted_player(position: Position, deed: Deed) -> tuple[str, ...]:
    """Whose player orders the unit to which something is permitted."""
    permit = permit_of(deed, position.board)
    return (CountryState(position).player(permit.to) or permit.to,) if permit else ()


def _stay(position: Position, deed: Deed) -> str:
    if position.phase.kind is not MOVES:
        return "with-moves"
    return "" if _guest_in(position, deed) else "no-stay-there"


def _guest_in(position: Position, deed: Deed) -> tuple[Unit, ...]:
    here = position.at(place_named(deed.words, position.board))
    return tuple(unit for unit in here if unit.power == deed.power and unit.mark(VISITING))


def _seized(position: Position, deed: Deed) -> Position:
    guests = {unit.id for unit in _guest_in(position, deed)}
    units = tuple(unit.marked(VISITING, "") if unit.id in guests else unit for unit in position.units)
    return replace(position, units=units)


def _own_unit(state: CountryState, deed: Deed) -> str:
    return "" if _unit_named(deed, state.position) else "no-such-unit-to-pay"


def _pay(position: Position, deed: Deed) -> str:
    return _own_unit(CountryState(position), deed) if position.phase.kind is MOVES else "with-moves"


def _paid_first(position: Position, deed: Deed) -> Position:
    state = CountryState(position)
    listed = [name for name in state.get(deed.power, TIES).split(",") if name]
    state.put(deed.power, TIES, ",".join(dict.fromkeys((*listed, _unit_named(deed, position)))))
    return state.applied(position)


def _unit_named(deed: Deed, position: Position) -> str:
    """ "PAY FIRST A BUR", "KEEP A TYR": the unit."""
    words = [word.strip(".,") for word in deed.words if word.lower() not in ("first", "for")]
    if len(words) < 2:
        return ""
    kind, code = words[0].upper()[:1], place_named(words[1:], position.board)
    own = [unit for unit in position.of(deed.power) if unit.kind == kind and unit.at.partition("/")[0] == code]
    return str(own[0]) if own else ""


def _target(deed: Deed) -> str:
    return amount_and_minor(deed)[1]


def _adjusting(usage: str, summary: str, check: Check, *, first_round: bool = False, **more: Any) -> Business:
    """A line of the adjustments, which do it themselves; several may stand beside each other. `first_round`: whether it
    is taken before Spring 1914 too.
    """

    def fault(position: Position, deed: Deed) -> str:
        if position.phase.kind is not ADJUSTMENTS:
            return "with-adjustments"
        if position.phase.year < FIRST_YEAR and not first_round:
            return "influence-only"
        return check(CountryState(position), deed)

    return Business(usage, summary, lambda position, deed: position, fault, several=True, **more)


_WORDS: Mapping[str, Business] = {
    "capital": Business(
        "capital PLACE", "Name a new capital, when yours is lost.", _named_capital, _capital, first=True
    ),
    "give": _adjusting(
        "give COUNTRY NUMBER",
        "Give points away, a fifth of yours at most.",
        gift_fault,
        among=_gift_in_reach,
    ),
    IF: _adjusting(
        "if received NUMBER from COUNTRY then LINE else LINE",
        "Adjustments for the case that points arrive, and for the other; several lines with semicolons between them.",
        lambda state, deed: received_fault(state.position, deed, BUSINESS),
        slot=received_slot,
        begins=("if i receive", "if i received", "if we receive", "if we received", "if i get", "if i am given"),
    ),
    "influence": _adjusting(
        "influence NUMBER COUNTRY",
        "Make points into political factors in a minor country.",
        lambda state, deed: influence_fault(deed),
        first_round=True,
        among=_influence_in_reach,
        slot=_target,
        tries=worth_trying,
    ),
    "eliminate": _adjusting(
        "eliminate NUMBER COUNTRY",
        "Give political factors of yours up.",
        _eliminate,
        slot=_target,
    ),
    "claim": _adjusting(
        "claim COUNTRY with COUNTRY",
        "Gain control of a minor country together; the last word may say for whom.",
        claim_fault,
        first_round=True,
        slot=lambda deed: claim_of(deed)[0],
    ),
    "ally": _adjusting(
        "ally COUNTRY",
        "Declare a Great Power your ally for the next year; it counts if it does the same.",
        lambda state, deed: ally_fault(deed),
        slot=country_of,
    ),
    "friendly": _adjusting(
        "friendly COUNTRY for COUNTRY",
        "Let supply lines of another country lead through one of yours.",
        friendly_fault,
        slot=lambda deed: "/".join(friendly_of(deed)),
    ),
    "keep": _adjusting(
        "keep UNIT",
        "Name the units to maintain first, where points do not suffice for all.",
        _own_unit,
        slot=lambda deed: " ".join(deed.words).upper(),
    ),
    "pay": Business(
        "pay first UNIT",
        "Name the units that are paid for first among equals.",
        _paid_first,
        _pay,
        first=True,
        several=True,
        slot=lambda deed: " ".join(deed.words).upper(),
    ),
    "permit": Business(
        "permit COUNTRY UNIT to occupy | to retreat to | to base in PLACE",
        "Let a foreign unit into a centre of yours without capturing it.",
        _permitted,
        _permit,
        first=True,
        several=True,
        told=_permitted_player,
        slot=lambda deed: " ".join(deed.words).upper(),
    ),
    "seize": Business(
        "seize PLACE",
        "Take a centre in which a unit of yours stands without capture.",
        _seized,
        _stay,
        first=True,
        several=True,
        slot=lambda deed: " ".join(deed.words).upper(),
    ),
}
BUSINESS: Mapping[str, Business] = MappingProxyType(
    {word: business._replace(example=EXAMPLES[word]) for word, business in _WORDS.items()}
)
