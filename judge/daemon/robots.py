"""Robots that play a power by mail: plain, sensible moves, written the way people write them, slips included.

They know what a player knows (the position and their own letters) and go through the same door as everybody.

Whether a robot writes follows from how its orders stand, not from what it remembers of having written: whoever lacks
orders writes, as soon as the judge has read what they wrote before. So no mail that is refused, lost or overtaken ends
a game.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from random import Random

from judge.adjudicate import adjudicate
from judge.adjudicate.duty import Duty, LedgerDue, can_reach, duty, ways_of
from judge.board.model import Board, Location, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.board.unit import Unit
from judge.game.core.model import Begun, Game, Running
from judge.game.filing.standing import State, goes_on, standing
from judge.orders.model import Build, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.report.core.letter import Kind
from judge.rules import Rules
from judge.service.core.judge import Judge
from judge.store.rows import MailState
from judge.transport.maildir import read_mailbox
from judge.transport.writing import MailDraft, answer_to, compose


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


_LONGEST = timedelta(minutes=1)
"""Between two mails for one phase; the first comes after a pause of the demo, each later one after twice the last."""

_OF_ITS_OWN = (Kind.CONFIRM, Kind.HELD, Kind.AWAITED)
"""Letters whose reply address is not the seat's, but waits for a yes."""


@dataclass(frozen=True, slots=True)
class _Written:
    """The last mail with orders of one robot. `times`: how often it has written for this phase."""

    phase: str
    message_id: str
    at: datetime
    times: int


class RobotMail:
    """The robots' mail of one game. `send` hands a mail to the judge and raises where it does not take it."""

    def __init__(
        self, judge: Judge, key: str, send: Callable[[EmailMessage], None], chance: Random, *, pause: float
    ) -> None:
        self._judge = judge
        self._key = key
        self._send = send
        self._chance = chance
        self._pause = pause
        self._written: dict[str, _Written] = {}
        self._heard: dict[str, int] = {}

    def write_orders(self, game: Running) -> str:
        """Let the next robot that lacks orders write one mail. Returns its power, "" if none has to write now."""
        for power in self.lacking(game):
            if self._may_write(game, power) and self._write(game, power):
                return power
        return ""

    def lacking(self, game: Running) -> list[str]:
        """The powers of robots for whose orders the game waits."""
        return [power for power in owing(game) if self._plays(game, power)]

    def new_press(self, game: Game) -> Iterable[tuple[str, EmailMessage, str]]:
        """The press that came since this was asked last: the power that it came to ("" for the Gamemaster), the letter
        and its words. What lay there already when the robots began is old.
        """
        for power in (*game.board.powers, ""):
            local = local_part(power)
            letters = read_mailbox(self._judge.config.var / "mail", self.address(local))
            first = self._heard.setdefault(local, len(letters))
            self._heard[local] = len(letters)
            for letter in letters[first:]:
                if words := _press_in(message := letter.message):
                    yield power, message, words

    def answer_press(self, game: Running, power: str, letter: EmailMessage, to: str) -> None:
        """A sentence to whoever plays `to`, in answer to a letter of press."""
        said = reply_to_press(game, power, self._chance)
        draft = answer_to(letter, MailDraft(body=f"press to {game.named([to])}\n{said}\nendpress"))
        self._send(compose(self.address(local_part(power)), draft, self._judge.clock.now(), letter))

    def address(self, local: str) -> str:
        """An address of the demo."""
        return f"{local}@{self._judge.config.domain}"

    def _plays(self, game: Game, power: str) -> bool:
        """Whether the robot of this name has the seat, and not a human being."""
        seat = game.seat_of(power)
        with self._judge.store.read() as view:
            robot = view.people.by_address(self.address(local_part(power)))
        return seat is not None and robot is not None and seat.person == robot.id

    def _may_write(self, game: Running, power: str) -> bool:
        """Not while a mail of its own waits to be read, and less and less often while nothing comes of it."""
        last = self._written.get(power)
        if last is None or last.phase != str(game.phase):
            return True
        with self._judge.store.read() as view:
            mail = view.inbox.by_reference(last.message_id)
        if mail is not None and mail.state is MailState.NEW:
            return False
        seconds: float = self._pause * 2 ** min(last.times, 10)
        return self._judge.clock.now() >= last.at + min(_LONGEST, timedelta(seconds=seconds))

    def _write(self, game: Running, power: str) -> bool:
        """Send orders for the position as it is. A robot answers no letter with them: the newest that it has may still
        be about the phase before. That letter's reply address proves who writes.
        """
        address, now = self.address(local_part(power)), self._judge.clock.now()
        letters = (mail.message for mail in reversed(read_mailbox(self._judge.config.var / "mail", address)))
        newest = next((letter for letter in letters if letter["X-Judge-Kind"] not in _OF_ITS_OWN), None)
        if newest is None:
            return False
        orders = think_of_turn(game, power, self._chance)
        business = think_of_business(game, power)
        lines = "\n".join((write(orders, game.board, self._chance), *business)).strip()
        draft = MailDraft(str(newest["Reply-To"]), f"{self._key}: {game.named([power])}", lines)
        self._send(message := compose(address, draft, now))
        last = self._written.get(power)
        times = last.times + 1 if last is not None and last.phase == str(game.phase) else 0
        self._written[power] = _Written(str(game.phase), message["Message-ID"], now, times)
        return True


def owing(game: Running) -> list[str]:
    """The powers for whose orders the game waits, or for a mend of what was asked back in them."""
    found = ((power, standing(game, power)) for power in game.board.powers)
    owed = [power for power, stands in found if stands.state is not State.NOTHING_NEEDED and not stands.settled]
    if not game.deliberates:
        return owed
    players = game.rules.for_players(game.board)
    return [power for power in players if not (game.deeds.get(power) or game.sheets.get(power))]


def local_part(power: str) -> str:
    """The local part of the address of the robot that plays a power; of "": of the one that is the Gamemaster."""
    return power.lower().replace(" ", "-") or "gm"


def _press_in(letter: EmailMessage) -> str:
    """The words of press in a letter, one line; "" in any other letter."""
    body = letter.get_body(("plain",)) if letter["X-Judge-Kind"] == Kind.PRESS else None
    lines = body.get_content().splitlines() if body is not None else []
    return " ".join(line.removeprefix("|").strip() for line in lines if line.startswith("|"))
