"""What players read of 1914 beside the board: ledger, factors, supply lines, capitals, declarations, bombers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.languages import tell
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
        Block(tell("Supply points"), tuple(_points(state))),
        Block(tell("Ledger of the last phase"), tuple(_book(state))),
        Block(tell("Political factors, and levels of {year}", year=year), tuple(_factors(state))),
        Block(tell("Supply lines as units stand"), tuple(_lines(state)) if position.phase.year >= FIRST_YEAR else ()),
        Block(tell("Capitals, declarations, guests and bombers"), tuple(_other(state))),
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
        head = f"{name_of(state, country)}: had {had}"
        head += f", has {had + sum(changes)} left" if changes else ""
        lines = [in_names(entry, state.position.board) for entry in entries if not entry.startswith(HAD)]
        yield "\n".join((head, *lines))


def _factors(state: CountryState) -> Iterator[str]:
    year = state.position.phase.year
    for minor in MINORS:
        totals = [f"{name_of(state, player)} {n}" for player in GREATS if (n := state.factors(player, minor))]
        player = state.controller(minor)
        led = tell("led by {state}", state=name_of(state, player)) if player else f"level {state.level(minor, year)}"
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
                broken.append(
                    tell("{name} has none: {broken}", name=name, broken=_broken(state, supply.broken_at(start)))
                )
            elif len(line) == 1:
                good.append(tell("{name} is there", name=name))
            else:
                good.append(f"{name} by {', '.join(board.spelled[code] for code in line[1:])}")
        yield "\n".join((f"{name_of(state, country)}: {'; '.join(good) or 'none of its units has one'}", *broken))


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
        "it breaks in {where}, a centre {state}",
        where=where,
        state="of " + name_of(state, owner) if owner else "that is nobody" + chr(39) + "s",
    )


def _other(state: CountryState) -> Iterator[str]:
    position, board = state.position, state.position.board
    capitals = [(country, state.capital(country)) for country in GREATS if not state.is_out(country)]
    yield "Capitals: " + ", ".join(f"{board.spelled[code]} ({name_of(state, c)})" for c, code in capitals if code)
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
