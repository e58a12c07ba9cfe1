"""Robots that play a power by mail: plain, sensible moves, written the way people write them, slips included.

They know what a player knows (the position and their own letters) and go through the same door as everybody.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from random import Random

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import Duty, LedgerDue, can_reach, duty, ways_of
from judge.board.model import Board, Location, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.game.core.model import Begun
from judge.game.filing.turns import goes_on
from judge.orders.model import Build, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules import Rules


def think(position: Position, power: str, rules: Rules, chance: Random) -> list[Order]:
    """One power's orders for the position's phase."""
    due = duty(position, power, rules)
    if position.phase.kind is PhaseKind.MOVES:
        return _march(position, power, due.units, rules, chance)
    if position.phase.kind is PhaseKind.RETREATS:
        return [_withdraw(position, lost.unit, lost.options, chance) for lost in due.retreats]
    return _adjust(position, due, rules, chance)


def think_of_turn(game: Begun, power: str, chance: Random) -> list[Order]:
    """One power's orders for everything that the present turn asks: after retreats, the adjustments of the winter."""
    orders = think(game.position, power, game.rules, chance)
    if game.position.phase.kind is not PhaseKind.RETREATS or not goes_on(game):
        return orders
    return [*orders, *think(adjudicate(game.position, orders, game.rules).after, power, game.rules, chance)]


def think_of_business(game: Begun, power: str) -> list[str]:
    """What one power does beside ordering units in the present phase, as lines of its mail."""
    found: list[str] = []
    for business in game.rules.business().values() if "business" in game.rules.around else ():
        tried = list(business.tries(game.position, power)) if business.tries is not None else []
        found += [str(deed) for deed in tried[:1] if not business.fault(game.position, deed)]
    return found


_RIDES = 0.15
"""How often a robot gives an order of a kind that 1976 does not have."""

_PHRASES = (
    "I have read you. This season I think of {place}, and I shall be glad if we do not meet there.",
    "Thank you for writing. My eyes are on {place}; let us leave each other in peace elsewhere.",
    "I am only a robot, but I can be asked. {place} is what I want next; what do you want?",
    "Agreed, as far as a robot can agree to anything: {place} is all that I am after.",
)


def reply_to_press(game: Begun, power: str, chance: Random) -> str:
    """A sentence in answer to press: true as far as a robot knows its own mind, and no promise."""
    moves = [order for order in think(game.position, power, game.rules, chance) if isinstance(order, Move)]
    goal = game.board.place_name(province_of(moves[0].to)) if moves else "peace"
    return chance.choice(_PHRASES).format(place=goal)


def wanted_power(words: str, board: Board) -> str:
    """The power that somebody asks to play, in their own words; "" if they ask for none.

    >>> from pathlib import Path
    >>> from judge.board.load import load_board
    >>> board = load_board(Path("maps/standard"))
    >>> wanted_power("May I play Turkey, please?", board), wanted_power("What a nice game!", board)
    ('TURKEY', '')
    >>> wanted_power("I'd rather be Italy, or Austria.", board), wanted_power("Let me have Austria.", board)
    ('', 'AUSTRIA')
    """
    if not re.search(r"\b(?:play|be|have|take|swap|change|seat|rather)\b", words, re.IGNORECASE):
        return ""
    first = {key: power.name.partition("-")[0] for key, power in board.powers.items()}  # Austria is Austria-Hungary
    named = [key for key, name in first.items() if re.search(rf"\b{name}\b", words, re.IGNORECASE)]
    return named[0] if len(named) == 1 else ""


def _march(position: Position, power: str, units: Sequence[Unit], rules: Rules, chance: Random) -> list[Order]:
    """Units nearest to something worth having go first; the others help them where they can."""
    by_now = rules.calendar.captures_before_moves(position.phase)
    goals = {centre for centre in position.board.centres if position.owners.get(centre) != power}
    distance = {kind: _distances(position.board, kind, goals) for kind in position.board.kinds}
    taken: set[str] = set()
    moves: dict[int, Move] = {}
    orders: list[Order] = []
    for unit in sorted(units, key=lambda u: (distance[u.kind].get(u.at, 99), chance.random())):
        order = (
            _ride(position, unit, rules, chance)
            or _help(position, unit, moves, rules, chance)
            or _advance(
                position, ways_of(position, unit, rules), unit, distance[unit.kind], taken, power, chance, by_now=by_now
            )
        )
        orders.append(order)
        if isinstance(order, Move):
            moves[unit.id] = order
            taken.add(province_of(order.to))
        else:
            taken.add(province_of(unit.at))
    return orders


def _ride(position: Position, unit: Unit, rules: Rules, chance: Random) -> Order | None:
    """An order of a kind that only these rules have, now and then; of who is carried, whenever there is one."""
    own = [kind for kind in rules.kinds() if kind.lower is not None]
    tried = [order for kind in own for order in kind.tries(position, unit)]
    return chance.choice(tried) if tried and (unit.aboard or chance.random() < _RIDES) else None


def _advance(
    position: Position,
    ways: Sequence[Location],
    unit: Unit,
    distance: dict[Location, int],
    taken: set[str],
    power: str,
    chance: Random,
    *,
    by_now: bool,
) -> Order:
    """A step towards something worth having. `by_now`: whether centres change hands before units move again."""
    own = {province_of(other.at) for other in position.of(power)}
    here = distance.get(unit.at, 99) + (0 if by_now else 0.5)
    best: tuple[float, Location] | None = None
    for place in ways:
        province = province_of(place)
        if province in taken or province in own:
            continue
        worth = distance.get(place, 99) + chance.random() * 0.8
        if best is None or worth < best[0]:
            best = (worth, place)
    return Move(unit, best[1]) if best is not None and best[0] <= here else Hold(unit)


def _help(position: Position, unit: Unit, moves: dict[int, Move], rules: Rules, chance: Random) -> Order | None:
    """Support a move of ours against somebody, if the rules let us."""
    for move in moves.values():
        if not can_reach(position, unit, move.to) or rules.support_fault(position, unit, move.unit, move.to):
            continue
        if position.at(province_of(move.to)) and chance.random() < 0.85:
            return Support(unit, move.unit, move.to)
    return None


def _withdraw(position: Position, unit: Unit, options: Sequence[Location], chance: Random) -> Order:
    if not options:
        return Disband(unit)
    home = [place for place in options if position.board.home_of.get(province_of(place)) == unit.power]
    return Retreat(unit, chance.choice(home or list(options)))


def _adjust(position: Position, due: Duty, rules: Rules, chance: Random) -> list[Order]:
    whole = LedgerDue("", due.builds, due.sites, due.removals, position.of(due.power), due.waiting)
    parts = due.apart or (whole,)
    return [order for part in parts for order in _adjust_ledger(position, due.power, part, rules, chance)]


def _adjust_ledger(position: Position, power: str, due: LedgerDue, rules: Rules, chance: Random) -> list[Order]:
    if due.removals:
        goals = set(position.centres(power))
        distance = {kind: _distances(position.board, kind, goals) for kind in position.board.kinds}
        far_first = sorted(due.removable, key=lambda u: -distance[u.kind].get(u.at, 99))
        return [Disband(unit) for unit in far_first[: due.removals]]
    orders: list[Order] = []
    sites = list(due.sites)
    chance.shuffle(sites)
    used: Counter[str] = Counter()
    spends = "deliberates" in rules.around and rules.deliberates(position)
    builds = min(due.builds, 1) if spends else due.builds  # who spends it all has none to fight with
    for kind, place in sites * builds:
        province = province_of(place)
        if len(orders) < builds and used[province] < rules.room(position, province):
            orders.append(Build(power, kind, place))
            used[province] += 1
    orders += [Waive(power)] * (due.builds - len(orders))
    return orders


def _distances(board: Board, kind: str, goals: Iterable[str]) -> dict[Location, int]:
    """How many moves each location is from the nearest goal, by this kind's own way."""
    found: dict[Location, int] = {}
    queue: deque[Location] = deque()
    for goal in goals:
        for place in (goal, *board.provinces[goal].locations()):
            if board.reach(kind, place):
                found[place] = 0
                queue.append(place)
    while queue:
        place = queue.popleft()
        for near in board.reach(kind, place):
            if near not in found:
                found[near] = found[place] + 1
                queue.append(near)
    return found


# --- handwriting ------------------------------------------------------------------------------------------------

_GREETINGS = ("", "", "Hello judge,", "Hi,", "Dear Judge,", "My orders:")
_GOODBYES = ("", "", "Thanks!", "Regards", "Cheers,", "Best wishes")


def write(orders: Sequence[Order], board: Board, chance: Random) -> str:
    """The orders as the text of a mail, in one of several hands."""
    hand = chance.choice((_codes, _names, _sentences, _codes))
    lines = [hand(order, board, chance) for order in orders]
    if chance.random() < 0.2:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
    body = "\n".join(lines)
    greeting, goodbye = chance.choice(_GREETINGS), chance.choice(_GOODBYES)
    return "\n".join(part for part in (greeting, "" if greeting else None, body, "", goodbye) if part is not None)


def _codes(order: Order, board: Board, chance: Random) -> str:
    text = str(order)
    return text.title() if chance.random() < 0.5 else text.lower() if chance.random() < 0.3 else text


def _names(order: Order, board: Board, chance: Random) -> str:
    arrow = chance.choice((" - ", " to ", " -> ", " – "))

    def named(unit: Unit) -> str:
        return f"{unit.kind} {_place(unit.at, board, chance)}{unit.number}"

    match order:
        case Move(unit, to) if type(order) is Move:
            return f"{named(unit)}{arrow}{_place(to, board, chance)}"
        case Support(unit, of, to) if to:
            helped = named(of)
            return f"{named(unit)} S {helped}{arrow}{_place(to, board, chance)}"
        case Hold(unit):
            return f"{named(unit)} holds"
        case _:
            return str(order)


def _sentences(order: Order, board: Board, chance: Random) -> str:
    def piece(unit: Unit) -> str:
        return f"{board.kinds[unit.kind].name} {board.place_name(unit.at)}{unit.number}"

    match order:
        case Move(unit, to) if type(order) is Move:
            return f"{piece(unit)} moves to {board.place_name(to)}."
        case Support(unit, of, to) if to:
            return f"{piece(unit)} supports {piece(of)} to {board.place_name(to)}."
        case Retreat(unit, to):
            return f"{piece(unit)} retreats to {board.place_name(to)}."
        case Build(_, kind, at):
            return f"Build {board.kinds[kind].name.lower()} {board.place_name(at)}"
        case Hold(unit):
            return f"{piece(unit)} stands"
        case _:
            return str(order)


def _place(place: Location, board: Board, chance: Random) -> str:
    """The name, now and then with a slip of two letters."""
    name = board.place_name(place)
    if len(name) > 7 and chance.random() < 0.08 and " " not in name:
        at = chance.randrange(2, len(name) - 2)
        name = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    return name
