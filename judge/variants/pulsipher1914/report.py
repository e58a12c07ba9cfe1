"""What players read of 1914 beside the board: ledger, factors, supply lines, capitals, declarations, bombers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.orders.spelled import foreign, unit_text
from judge.rules.questions import Block
from judge.variants.pulsipher1914.bombers import range_in
from judge.variants.pulsipher1914.state import BOMBED, BOOK, CAPITAL_OPEN, HAD, RETREATED, VISITING, CountryState
from judge.variants.pulsipher1914.supply import Break, Supply
from judge.variants.pulsipher1914.table import BOMBER, COUNTRIES, FIRST_YEAR, GREATS, MINORS

_CODE = re.compile(r"\b[A-Z]{3}(?:/[A-Z]{2})?\b")


def blocks(position: Position) -> tuple[Block, ...]:
    """The blocks that stand beside the board in results, on desks and in status."""
    state = CountryState(position)
    year = max(position.phase.year, FIRST_YEAR)
    found = [
        Block("Supply points", tuple(_points(state))),
        Block("Ledger of the last phase", tuple(_book(state))),
        Block(f"Political factors, and levels of {year}", tuple(_factors(state))),
        Block("Supply lines as units stand", tuple(_lines(state)) if position.phase.year >= FIRST_YEAR else ()),
        Block("Capitals, declarations, guests and bombers", tuple(_other(state))),
    ]
    return tuple(block for block in found if block.lines)


def name_of(state: CountryState, country: str) -> str:
    """A country as people read it."""
    return state.position.board.powers[country].name


def in_names(text: str, board: Board) -> str:
    """A line of the book with the places in it spelled out."""
    return _CODE.sub(lambda found: board.spelled.get(found[0], found[0]), text)


def _points(state: CountryState) -> Iterator[str]:
    greats = (name for name in GREATS if not state.is_out(name))
    yield ", ".join(f"{name_of(state, name)} {state.points.get(name, 0)}" for name in greats)
    led = [(minor, state.controller(minor)) for minor in MINORS if state.controller(minor)]
    if led:
        yield ", ".join(
            f"{name_of(state, minor)} {state.points.get(minor, 0)} (led by {name_of(state, player)})"
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
        head = f"{name_of(state, country)}: had {had}"
        head += f", has {had + sum(changes)} left" if changes else ""
        lines = [in_names(entry, state.position.board) for entry in entries if not entry.startswith(HAD)]
        yield "\n".join((head, *lines))


def _factors(state: CountryState) -> Iterator[str]:
    year = state.position.phase.year
    for minor in MINORS:
        totals = [f"{name_of(state, player)} {n}" for player in GREATS if (n := state.factors(player, minor))]
        player = state.controller(minor)
        led = f"led by {name_of(state, player)}" if player else f"level {state.level(minor, year)}"
        yield f"{name_of(state, minor)} ({led}): {', '.join(totals) or 'none'}"


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
                broken.append(f"{name} has none: {_broken(state, supply.broken_at(start))}")
            elif len(line) == 1:
                good.append(f"{name} is there")
            else:
                good.append(f"{name} by {', '.join(board.provinces[code].name for code in line[1:])}")
        yield "\n".join((f"{name_of(state, country)}: {'; '.join(good) or 'none of its units has one'}", *broken))


def _broken(state: CountryState, found: Break | None) -> str:
    """Where a line breaks, and whose doing that is."""
    if found is None:
        return "its country has no capital"
    board = state.position.board
    where = board.provinces[found.code].name
    if found.why == "held" and found.unit is not None:
        return f"it breaks in {where}, where {foreign(found.unit, board)} stands"
    if found.why == "watched" and found.unit is not None:
        return f"it breaks in {where}, into which {foreign(found.unit, board)} could come"
    owner = state.position.owners.get(found.code, "")
    return (
        f"it breaks in {where}, a centre {'of ' + name_of(state, owner) if owner else 'that is nobody' + chr(39) + 's'}"
    )


def _other(state: CountryState) -> Iterator[str]:
    position, board = state.position, state.position.board
    capitals = [(country, state.capital(country)) for country in GREATS if not state.is_out(country)]
    yield "Capitals: " + ", ".join(
        f"{board.provinces[code].name} ({name_of(state, c)})" for c, code in capitals if code
    )
    for country in GREATS:
        if state.is_out(country):
            yield f"{name_of(state, country)} has surrendered."
        elif not state.capital(country):
            yield f"{name_of(state, country)} has lost its capital, and names another."
        elif state.must_stand(country):
            yield f"{name_of(state, country)} lost its capital in the season before, and its units hold in this one."
    for country in COUNTRIES:
        if state.get(country, CAPITAL_OPEN) and state.player(country) and (code := state.capital(country)):
            place = board.provinces[code].name
            yield f"{name_of(state, country)} has {place} as its capital, unless it names another with its moves."
    for one, other in state.allies():
        yield f"{name_of(state, one)} and {name_of(state, other)} are allies this year."
    for unit in position.units:
        who = foreign(unit, board)
        if unit.mark(VISITING):
            yield f"{who[:1].upper()}{who[1:]} stands there without capture."
        if unit.mark(RETREATED):
            yield f"{who[:1].upper()}{who[1:]} has retreated, and attacks nobody this season."
        if unit.kind == BOMBER:
            yield f"{who[:1].upper()}{who[1:]}: its range is {range_in(position.phase.year)} spaces."
    for code, entry in state.marks.items():
        if entry.get(BOMBED, "")[1:] == str(position.phase.year):
            yield f"{board.provinces[code].name} was bombed, and yields nothing this year."
