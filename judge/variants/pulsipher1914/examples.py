"""Lines for a country as help shows them: of the reader's own units, centres and neighbours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from judge.board.model import province_of
from judge.board.position import Position
from judge.board.unit import Unit
from judge.orders.spelled import unit_text
from judge.variants.pulsipher1914.state import BOMBER, GREATS, MINORS, VISITING, CountryState, spaces_within

Example = Callable[[Position, str], str]


def _other(position: Position, power: str) -> str:
    """A Great Power that is still in the game, the reader's next neighbour in the list."""
    state, names = CountryState(position), list(GREATS)
    at = names.index(power) + 1 if power in names else 0
    return next((name for name in (*names[at:], *names[:at]) if name != power and not state.is_out(name)), "").title()


def _open_minor(position: Position, power: str) -> str:
    """The minor country in which a power has most factors, of those that it may lead and nobody leads."""
    state = CountryState(position)
    free = [name for name, minor in MINORS.items() if minor.barred != power and not state.controller(name)]
    return max(free, key=lambda name: state.factors(power, name), default="").title()


def _capital(position: Position, power: str) -> str:
    state, board = CountryState(position), position.board
    others = [home for home in board.powers[power].homes if home != state.capital(power)]
    own = [home for home in others if position.owners.get(home) == power]
    return f"capital {board.spelled[(own or others or ['PAR'])[0]]}"


def _give(position: Position, power: str) -> str:
    return f"give {_other(position, power)} 2"


def _received(position: Position, power: str) -> str:
    homes = position.board.powers[power].homes
    minor = _open_minor(position, power)
    return f"if received 3 from {_other(position, power)} then A {homes[0].title()} B else influence 1 {minor}"


def _influence(position: Position, power: str) -> str:
    minor = _open_minor(position, power)
    return f"influence 3 {minor}" if minor else ""


def _eliminate(position: Position, power: str) -> str:
    state = CountryState(position)
    minor = next((name for name in MINORS if state.factors(power, name)), "")
    return f"eliminate 1 {minor.title()}" if minor else ""


def _claim(position: Position, power: str) -> str:
    minor = _open_minor(position, power)
    return f"claim {minor} with {_other(position, power)}" if minor else ""


def _ally(position: Position, power: str) -> str:
    return f"ally {_other(position, power)}"


def _friendly(position: Position, power: str) -> str:
    state = CountryState(position)
    led = next((minor for minor in MINORS if state.controller(minor) == power), power)
    return f"friendly {led.title()} for {_other(position, power)}"


def _own(position: Position, power: str) -> Unit | None:
    return next((unit for unit in position.of(power) if unit.kind != BOMBER), None)


def _keep(position: Position, power: str) -> str:
    unit = _own(position, power)
    return f"keep {unit_text(unit, position.board)}" if unit else ""


def _pay(position: Position, power: str) -> str:
    unit = _own(position, power)
    return f"pay first {unit_text(unit, position.board)}" if unit else ""


def _permit(position: Position, power: str) -> str:
    """For a foreign unit beside a centre of the reader's, the nearest that there is."""
    board, centres = position.board, set(position.centres(power))
    foreign = [unit for unit in position.units if unit.power in GREATS.keys() - {power} and unit.kind != BOMBER]
    for far in range(1, 5):
        for unit in foreign:
            near = sorted(code for code in centres & spaces_within(board, province_of(unit.at), far))
            if near := [code for code in near if board.can_stand(unit.kind, code)]:
                return _permitted(unit, near[0], position)
    return ""


def _permitted(unit: Unit, code: str, position: Position) -> str:
    board = position.board
    name, place = unit.power.title(), board.spelled[code]
    return f"permit {name} {unit.kind} {board.spelled[province_of(unit.at)]} to occupy {place}"


def _seize(position: Position, power: str) -> str:
    guest = next((unit for unit in position.of(power) if unit.mark(VISITING)), None)
    return f"seize {position.board.spelled[province_of(guest.at)]}" if guest else ""


EXAMPLES: Mapping[str, Example] = MappingProxyType({
    "capital": _capital,
    "give": _give,
    "if received": _received,
    "influence": _influence,
    "eliminate": _eliminate,
    "claim": _claim,
    "ally": _ally,
    "friendly": _friendly,
    "keep": _keep,
    "pay": _pay,
    "permit": _permit,
    "seize": _seize,
})  # fmt: skip
