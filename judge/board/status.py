"""What is wrong with a position: everything at once, for machines and for whoever made it by hand.

A position that came of play has an empty status. Where several units may stand in a space is a rule system's business
(`Rules.stacks`), so it is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from judge.board.model import Board, province_of
from judge.board.phase import RETREATS, Phase
from judge.board.unit import Dislodged, Unit


class Stack(NamedTuple):
    """Who may stand together in a province."""

    power: str
    most: int = 99
    enters: frozenset[str] | None = None
    """The kinds of unit of which one may come in beside others; None: all."""
    mixed: bool = True
    """Whether one may come in beside units of another kind."""
    beside: frozenset[str] = frozenset()
    """The kinds of unit that stand beside any others, and are not counted."""


Stacks = Mapping[str, Stack]
"""Province in which several units may stand -> whose, and how many."""


_ALONE = Stack("", 1)


class Placed(Protocol):
    """What is looked at: a position."""

    @property
    def board(self) -> Board: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def units(self) -> tuple[Unit, ...]: ...
    @property
    def owners(self) -> Mapping[str, str]: ...
    @property
    def dislodged(self) -> tuple[Dislodged, ...]: ...

    def at(self, province: str) -> tuple[Unit, ...]:
        """The units in a province."""
        ...


class Flaw(NamedTuple):
    """One thing that is wrong: a code, the place or power that it is about, and a sentence."""

    code: str
    where: str
    what: str


def status_of(position: Placed, stacks: Stacks) -> tuple[Flaw, ...]:
    """Everything that is wrong with a position; nothing: it may be played.

    The codes: no-kind, no-place, cannot-stand, no-power, same-unit, no-carrier, crowded, no-centre, not-retreating,
    no-attacker, cannot-retreat.
    """
    board = position.board
    beaten = [each.unit for each in position.dislodged]
    return (
        *(flaw for unit in (*position.units, *beaten) for flaw in _unit(unit, board)),
        *_same((*position.units, *beaten)),
        *riders((*position.units, *beaten)),
        *crowds(position.units, stacks),
        *crowds(beaten, stacks),
        *_owners(position),
        *(flaw for each in position.dislodged for flaw in _beaten(each, position)),
        *(flaw for each in position.dislodged for flaw in _options(each, position, stacks)),
    )


def occupancy(position: Placed, stacks: Stacks) -> tuple[Flaw, ...]:
    """Of what can be wrong, that alone which comes of units and retreats seen together: for what was read piece by
    piece, and found to stand where it can.
    """
    if not position.dislodged and _spread_out(position.units):
        return ()
    beaten = [each.unit for each in position.dislodged]
    return (
        *riders((*position.units, *beaten)),
        *crowds(position.units, stacks),
        *crowds(beaten, stacks),
        *(flaw for each in position.dislodged for flaw in _options(each, position, stacks)),
    )


def _spread_out(units: tuple[Unit, ...]) -> bool:
    """Whether each stands by itself and is carried by none: as in most positions, where nothing more need be asked."""
    return len({province_of(unit.at) for unit in units}) == len(units) and not any(unit.marks for unit in units)


def _unit(unit: Unit, board: Board) -> Iterator[Flaw]:
    if unit.power not in board.powers:
        yield Flaw("no-power", unit.at, f"{unit} belongs to {unit.power}, which is no power of this board")
    if unit.kind not in board.kinds:
        yield Flaw("no-kind", unit.at, f"{unit} is of no kind that this board has")
    elif province_of(unit.at) not in board.provinces:
        yield Flaw("no-place", unit.at, f"{unit} stands at no place of this board")
    elif not unit.aboard and not board.can_stand(unit.kind, unit.at):
        yield Flaw("cannot-stand", unit.at, f"{unit} cannot stand there")


def _same(units: Iterable[Unit]) -> Iterator[Flaw]:
    seen: dict[int, Unit] = {}
    for unit in units:
        if (other := seen.setdefault(unit.id, unit)) is not unit:
            yield Flaw("same-unit", unit.at, f"{unit} and {other} are one unit, number {unit.id}")


def riders(units: Iterable[Unit]) -> Iterator[Flaw]:
    """Who is carried is where its carrier is, and has it for itself."""
    everybody = {unit.id: unit for unit in units}
    carried = [unit for unit in everybody.values() if unit.aboard]
    taken: set[int] = set()
    for unit in carried:
        carrier = everybody.get(unit.aboard)
        if carrier is None or province_of(carrier.at) != province_of(unit.at):
            yield Flaw("no-carrier", unit.at, f"{unit} is aboard a unit that is not there")
        elif unit.aboard in taken:
            yield Flaw("no-carrier", unit.at, f"{carrier} carries two units")
        taken.add(unit.aboard)


def crowds(units: Iterable[Unit], stacks: Stacks) -> Iterator[Flaw]:
    """Spaces in which more units stand than may (VII.1), each once."""
    standing: dict[str, list[Unit]] = {}
    for unit in units:
        if not unit.aboard:
            standing.setdefault(province_of(unit.at), []).append(unit)
    for province, here in standing.items():
        stack = stacks.get(province, _ALONE)
        counted = _counted(here, stack)
        if len(counted) > 1 and (len(counted) > stack.most or any(unit.power != stack.power for unit in counted)):
            count = {2: "two", 3: "three"}.get(len(here), str(len(here)))
            yield Flaw("crowded", province, f"there are {count} units in {province}: {', '.join(map(str, here))}")


def _counted(units: Iterable[Unit], stack: Stack) -> list[Unit]:
    return [unit for unit in units if unit.kind not in stack.beside]


def _owners(position: Placed) -> Iterator[Flaw]:
    board = position.board
    for centre, power in position.owners.items():
        if centre not in board.provinces or not board.provinces[centre].centre:
            yield Flaw("no-centre", centre, f"{power} owns {centre}, which is no centre")
        if power not in board.powers:
            yield Flaw("no-power", centre, f"{centre} belongs to {power}, which is no power of this board")


def _beaten(each: Dislodged, position: Placed) -> Iterator[Flaw]:
    """A unit retreats in its season, and from somebody."""
    unit = each.unit
    if position.phase.kind is not RETREATS:
        yield Flaw("not-retreating", unit.at, f"{unit} must retreat, but {position.phase} has no retreats")
    if not unit.aboard and not position.at(province_of(unit.at)):
        yield Flaw("no-attacker", unit.at, f"{unit} was driven out, and nobody is there")


def _options(each: Dislodged, position: Placed, stacks: Stacks) -> Iterator[Flaw]:
    """Where a dislodged unit may go it can stand, and nobody stands but whom any stand beside."""
    unit, board = each.unit, position.board
    for option in each.options:
        if unit.kind in board.kinds and not board.can_stand(unit.kind, option):
            yield Flaw("cannot-retreat", option, f"{unit} cannot retreat to {option}: it cannot stand there")
        elif holders := _counted(position.at(province_of(option)), stacks.get(province_of(option), _ALONE)):
            yield Flaw("cannot-retreat", option, f"{unit} cannot retreat to {option}: {holders[0]} stands there")
