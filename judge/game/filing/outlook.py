"""What a seat has to do until its deadline, as one value: what desks and order forms are made of."""

from __future__ import annotations

from dataclasses import dataclass

from judge.adjudicate.duty import Duty
from judge.board.position import Position
from judge.game.core.model import Begun, Game
from judge.game.core.parts import Seat
from judge.game.core.remembered import remembered
from judge.game.filing.standing import Standing, standing
from judge.game.filing.turns import asked, forecast


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What is asked of one power: `now` in the present phase, `then` in the next one under the same deadline, which
    begins with `later` as far as its player can know. None: nothing, or no such phase.
    """

    power: str
    standing: Standing
    now: Duty | None = None
    later: Position | None = None
    then: Duty | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """A seat's work, power by power. `active`: whether its player is in the game (B66a); `extensions`: how many free
    extensions they have left.
    """

    works: tuple[Work, ...]
    active: bool
    extensions: int


@remembered
def outlook(game: Game, seat: Seat) -> Outlook:
    """What a seat has to do as the game stands."""
    works = tuple(_work(game, power) for power in seat.powers)
    return Outlook(works, seat in game.active_seats, game.extensions_left(seat))


def _work(game: Game, power: str) -> Work:
    found = standing(game, power)
    if not isinstance(game, Begun):
        return Work(power, found)
    rules, later = game.rules, forecast(game, power)
    then = asked(later, rules).get(power) if later is not None else None
    return Work(power, found, asked(game.position, rules).get(power), later, then)
