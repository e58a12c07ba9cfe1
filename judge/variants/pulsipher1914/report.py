"""What players read of 1914 beside the board: the ledger, the chart of factors, capitals and declarations."""

from __future__ import annotations

from collections.abc import Iterator

from judge.board.position import Position
from judge.rules.calendar import Calendar
from judge.rules.questions import Block
from judge.variants.pulsipher1914.state import BOMBED, BOOK, CountryState
from judge.variants.pulsipher1914.table import COUNTRIES, GREATS, MINORS, first_capital


def blocks(position: Position, calendar: Calendar) -> tuple[Block, ...]:
    """The blocks that stand beside the board in results, on desks and in status."""
    state = CountryState(position)
    found = [Block("Supply points", tuple(_points(state)))]
    if book := tuple(_book(state)):
        found.append(Block("Ledger of the last phase", book))
    found.append(Block("Political factors", tuple(_factors(state))))
    if other := tuple(_other(state)):
        found.append(Block("Capitals, alliances and bombing", other))
    return tuple(found)


def name_of(state: CountryState, country: str) -> str:
    """A country as people read it."""
    return state.position.board.powers[country].name


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
    for country in COUNTRIES:
        if entries := state.get(country, BOOK):
            yield f"{name_of(state, country)}: {'; '.join(entries.splitlines())}."


def _factors(state: CountryState) -> Iterator[str]:
    year = state.position.phase.year
    for minor in MINORS:
        totals = [f"{name_of(state, player)} {n}" for player in GREATS if (n := state.factors(player, minor))]
        player = state.controller(minor)
        led = f"led by {name_of(state, player)}" if player else f"level {state.level(minor, year)}"
        yield f"{name_of(state, minor)} ({led}): {', '.join(totals) or 'none'}"


def _other(state: CountryState) -> Iterator[str]:
    position = state.position
    for country in GREATS:
        capital = state.capital(country)
        if state.is_out(country):
            yield f"{name_of(state, country)} has surrendered."
        elif not capital:
            yield f"{name_of(state, country)} has lost its capital, and names another."
        elif capital != first_capital(position.board, country):
            yield f"{name_of(state, country)}'s capital is {position.board.provinces[capital].name}."
    for one, other in state.allies():
        yield f"{name_of(state, one)} and {name_of(state, other)} are allies this year."
    for code, entry in state.marks.items():
        if entry.get(BOMBED, "")[1:] == str(position.phase.year):
            yield f"{position.board.provinces[code].name} was bombed, and yields nothing this year."
