"""What players read of 1914 beside the board: ledger, factors, supply lines, capitals, declarations, bombers; and what
a set of orders costs if it comes to the worst.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.board.model import Terrain, province_of
from judge.board.phase import ADJUSTMENTS, MOVES
from judge.board.position import Position
from judge.board.unit import Unit
from judge.languages import tell, tell_counted
from judge.orders.model import Convoy, Move, Order, Support
from judge.orders.spelled import foreign, order_words, unit_text
from judge.rules.business import Deed
from judge.rules.questions import Block
from judge.variants.pulsipher1914.bombers import range_in
from judge.variants.pulsipher1914.business import BUSINESS
from judge.variants.pulsipher1914.ledger import told_entry
from judge.variants.pulsipher1914.orders import Cover, Raid, Segments, Visit
from judge.variants.pulsipher1914.state import (
    BOMBED,
    BOMBER,
    BOOK,
    CAPITAL_OPEN,
    COUNTRIES,
    FIRST_YEAR,
    GREATS,
    HAD,
    MINORS,
    RETREATED,
    VISITING,
    CountryState,
)
from judge.variants.pulsipher1914.supply import Break, Supply
from judge.variants.pulsipher1914.winter import play_winter


def blocks(position: Position) -> tuple[Block, ...]:
    """The blocks that stand beside the board in results, on desks and in status."""
    state = CountryState(position)
    year = max(position.phase.year, FIRST_YEAR)
    found = [
        Block(tell("Supply points"), tuple(_points(state))),
        Block(tell("Ledger of the last phase"), tuple(_book(state))),
        Block(tell("Political factors, and levels of {year}", year=year), tuple(_factors(state))),
        Block(tell("Supply lines as units stand"), tuple(_lines(state)) if position.phase.year >= FIRST_YEAR else ()),
        Block(tell("Capitals, declarations, guests and bombers"), tuple(_other(state))),
    ]
    return tuple(block for block in found if block.lines)


def name_of(state: CountryState, country: str) -> str:
    """A country as people read it."""
    return state.position.board.powers[country].told


def _points(state: CountryState) -> Iterator[str]:
    greats = (name for name in GREATS if not state.is_out(name))
    yield ", ".join(f"{name_of(state, name)} {state.points.get(name, 0)}" for name in greats)
    led = [(minor, state.controller(minor)) for minor in MINORS if state.controller(minor)]
    if led:
        yield ", ".join(
            tell(
                "{state} {points} (led by {state2})",
                state=name_of(state, minor),
                points=state.points.get(minor, 0),
                state2=name_of(state, player),
            )
            for minor, player in led
        )


def _book(state: CountryState) -> Iterator[str]:
    """Each country with what it had and has, and below it a line for each thing that came or went."""
    for country in COUNTRIES:
        entries = state.get(country, BOOK).splitlines()
        if not entries:
            continue
        had = int(entries[0].removeprefix(HAD)) if entries[0].startswith(HAD) else 0
        changes = [int(entry.split(" ", 1)[0]) for entry in entries if entry[0] in "+-"]
        name, left = name_of(state, country), had + sum(changes)
        head = (
            tell("{name}: had {had}, has {left} left", name=name, had=had, left=left)
            if changes
            else tell("{name}: had {had}", name=name, had=had)
        )
        lines = [told_entry(entry, state.position.board) for entry in entries if not entry.startswith(HAD)]
        yield "\n".join((head, *lines))


def _factors(state: CountryState) -> Iterator[str]:
    year = state.position.phase.year
    for minor in MINORS:
        totals = [f"{name_of(state, player)} {n}" for player in GREATS if (n := state.factors(player, minor))]
        player = state.controller(minor)
        level = tell("level {level}", level=state.level(minor, year))
        led = tell("led by {state}", state=name_of(state, player)) if player else level
        yield f"{name_of(state, minor)} ({led}): {', '.join(totals) or tell('none')}"


def _lines(state: CountryState) -> Iterator[str]:
    """For each unit of a player where its supply line leads, and where one breaks."""
    position, board = state.position, state.position.board
    for country in COUNTRIES:
        units = position.of(country) if state.player(country) else ()
        if not units:
            continue
        supply = Supply(state, country, position.units, state.are_allies)
        good: list[str] = []
        broken: list[str] = []
        for unit in units:
            start, name = province_of(unit.at), unit_text(unit, board)
            line = supply.line(start)
            if line is None:
                broken.append(
                    tell("{name} has none: {broken}", name=name, broken=_broken(state, supply.broken_at(start)))
                )
            elif len(line) == 1:
                good.append(tell("{name} is there", name=name))
            else:
                way = ", ".join(board.spelled[code] for code in line[1:])
                good.append(tell("{name} by {way}", name=name, way=way))
        found = "; ".join(good) or tell("none of its units has one")
        yield "\n".join((f"{name_of(state, country)}: {found}", *broken))


def _broken(state: CountryState, found: Break | None) -> str:
    """Where a line breaks, and whose doing that is."""
    if found is None:
        return tell("its country has no capital")
    board = state.position.board
    where = board.spelled[found.code]
    if found.why == "held" and found.unit is not None:
        return tell("it breaks in {where}, where {foreign} stands", where=where, foreign=foreign(found.unit, board))
    if found.why == "watched" and found.unit is not None:
        return tell(
            "it breaks in {where}, into which {foreign} could come", where=where, foreign=foreign(found.unit, board)
        )
    owner = state.position.owners.get(found.code, "")
    return tell(
        "it breaks in {where}, a centre of {owner}" if owner else "it breaks in {where}, a centre that is nobody's",
        where=where,
        owner=name_of(state, owner) if owner else "",
    )


def _other(state: CountryState) -> Iterator[str]:
    position, board = state.position, state.position.board
    capitals = [(country, state.capital(country)) for country in GREATS if not state.is_out(country)]
    named = ", ".join(f"{board.spelled[code]} ({name_of(state, c)})" for c, code in capitals if code)
    yield tell("Capitals: {named}", named=named)
    for country in GREATS:
        if state.is_out(country):
            yield tell("{state} has surrendered.", state=name_of(state, country))
        elif not state.capital(country):
            yield tell("{state} has lost its capital, and names another.", state=name_of(state, country))
        elif state.must_stand(country):
            yield tell(
                "{state} lost its capital in the season before, and its units hold in this one.",
                state=name_of(state, country),
            )
    for country in COUNTRIES:
        if state.get(country, CAPITAL_OPEN) and state.player(country) and (code := state.capital(country)):
            place = board.spelled[code]
            yield tell(
                "{state} has {place} as its capital, unless it names another with its moves.",
                state=name_of(state, country),
                place=place,
            )
    for one, other in state.allies():
        yield tell(
            "{state} and {state2} are allies this year.", state=name_of(state, one), state2=name_of(state, other)
        )
    for unit in position.units:
        who = foreign(unit, board)
        if unit.mark(VISITING):
            yield tell("{who}{who2} stands there without capture.", who=who[:1].upper(), who2=who[1:])
        if unit.mark(RETREATED):
            yield tell("{who}{who2} has retreated, and attacks nobody this season.", who=who[:1].upper(), who2=who[1:])
        if unit.kind == BOMBER:
            yield tell(
                "{who}{who2}: its range is {range_in} spaces.",
                who=who[:1].upper(),
                who2=who[1:],
                range_in=range_in(position.phase.year),
            )
    for code, entry in state.marks.items():
        if entry.get(BOMBED, "")[1:] == str(position.phase.year):
            yield tell("{provinces} was bombed, and yields nothing this year.", provinces=board.spelled[code])


def reckoned(position: Position, power: str, orders: Iterable[Order], deeds: Iterable[Deed]) -> tuple[str, ...]:
    """What a power has, what its orders cost at most, and what is left, as lines for its receipt."""
    state = CountryState(position)
    if not state.player(power):
        return ()
    if position.phase.kind is MOVES:
        return tuple(_of_moves(state, power, tuple(orders)))
    if position.phase.kind is ADJUSTMENTS:
        return tuple(_of_winter(position, power, tuple(orders), tuple(deeds)))
    return ()


def _of_moves(state: CountryState, power: str, orders: tuple[Order, ...]) -> Iterable[str]:
    have, board = state.points.get(power, 0), state.position.board
    acts = [(cost, order) for order in orders if (cost := _at_most(order))]
    raids = any(isinstance(order, Raid) for order in orders)
    yield (
        tell("you have {points}; without a battle only raids are paid for", points=_points_left(have))
        if raids
        else tell("you have {points}; without a battle nothing is paid", points=_points_left(have))
    )
    for cost, order in acts:
        yield f"-{cost} {order_words(order, board)}, {_when(order)}"
    total = sum(cost for cost, _ in acts)
    yield tell("what you order costs {points} at most{left}", points=_points_left(total), left=_left(have, total))
    ground = [unit for unit in state.position.of(power) if unit.kind != BOMBER]
    worst = total + sum(_driven_out(state, unit) for unit in ground)
    yield tell(
        "if every unit is driven out besides: {points}{left}", points=_points_left(worst), left=_left(have, worst)
    )


def _driven_out(state: CountryState, unit: Unit) -> int:
    """What it costs at most to be attacked and to retreat: a fleet at sea is attacked in both parts of a season."""
    terrain = state.position.board.provinces[province_of(unit.at)].terrain
    return 3 if terrain is Terrain.SEA else 2


def _at_most(order: Order) -> int:
    if isinstance(order, Segments):
        return _part(order.first) + _part(order.then)
    if isinstance(order, (Move, Visit, Raid)):
        return 1 if isinstance(order, Raid) and order.lost else 2
    return 1 if isinstance(order, (Support, Convoy, Cover)) else 0


def _when(order: Order) -> str:
    """When an order costs that."""
    if isinstance(order, Raid):
        return tell("if it gets through") if order.lost else tell("if it is beaten off, else 1")
    return tell("if it beats a raid off") if isinstance(order, Cover) else tell("if it meets somebody")


def _part(text: str) -> int:
    return {"-": 2, "S": 1, "C": 1}.get(text[:1], 0)


def _of_winter(position: Position, power: str, orders: tuple[Order, ...], deeds: tuple[Deed, ...]) -> Iterable[str]:
    """The adjustments as they are if nobody else sends anything, supply lines aside."""
    state = CountryState(position)
    have = state.points.get(power, 0)
    play_winter(position, orders, state, deeds, lambda: position.phase, BUSINESS)
    yield tell("you have {points}; if nobody else sends anything:", points=_points_left(have))
    for line in state.get(power, BOOK).splitlines():
        if not line.startswith(HAD):
            yield told_entry(line, position.board)
    yield tell("{points} left", points=_points_left(state.points.get(power, 0)))


def _points_left(number: int) -> str:
    return f"{number} {tell_counted(number, 'point', 'points')}"


def _left(have: int, cost: int) -> str:
    return (
        tell(", {left} left", left=have - cost)
        if cost <= have
        else tell(", {cost} more than you have", cost=cost - have)
    )
