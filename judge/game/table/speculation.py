"""What if: own orders and guesses at foreign ones, played on the public position. Private, and nothing is kept.

Units without an order hold, as they would. Orders on file are not looked at: whoever wants them tried writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.adjudicate import adjudicate
from judge.board.position import position_to_json
from judge.game.clock.turnover import results_to_json
from judge.game.core.commands import OrderLine, Refusal, Status, Verdict
from judge.game.core.events import PhaseAdjudicated
from judge.game.core.model import Game, Running
from judge.game.filing.conditional import gathered, is_block, numbers_of
from judge.languages import tell
from judge.orders.model import Order
from judge.orders.reader import read_orders
from judge.orders.reading import Reading, ReadOptions

PER_DAY = 20
"""Dry runs of one person in a day."""


@dataclass(frozen=True, slots=True)
class Speculation:
    """What would come of it, as an event that never happened, and what became of each line."""

    outcome: PhaseAdjudicated
    verdicts: tuple[Verdict, ...]


def speculate(game: Game, lines: Sequence[OrderLine], powers: tuple[str, ...]) -> Speculation | Refusal:
    """Play the present phase with these orders. A line is the asker's own if it fits their units, else anybody's."""
    if not isinstance(game, Running):
        return Refusal("not-running", tell("{game} is not running; there is nothing to try.", game=game.key))
    conditions = [line for line in gathered(lines, game.board) if is_block(line.text)]
    waiting = {number for line in conditions for number in numbers_of(line)}
    lines = [line for line in lines if line.number not in waiting]
    lines = [replace(line, text=part) for line in lines for part in line.text.split(";") if part.strip()]
    readings = _readings(game, lines, powers)
    verdicts = tuple(_verdict(lines[reading.line - 1].number, reading) for reading in readings)
    verdicts += tuple(_untried(line) for line in conditions)
    orders: dict[object, Order] = {}
    for reading in readings:
        if reading.understood and reading.order is not None:
            orders[getattr(reading.order, "unit", reading.line)] = reading.order
    if not orders:
        problem = next((reading.problem for reading in readings if reading.problem), None)
        sentence = tell("There is no order among the lines that I could try.")
        return Refusal("nothing-to-try", f"{sentence} {problem.sentence}" if problem else sentence)
    deeds = [deed for power in powers for deed in game.deeds.get(power, ())]
    result = adjudicate(game.position, list(orders.values()), game.rules, deeds=deeds)
    outcome = PhaseAdjudicated(
        at=game.turn_opened_at or game.created_at,
        phase=str(game.position.phase),
        before=position_to_json(game.position),
        outcomes=results_to_json(result.outcomes, {}),
        after=position_to_json(result.after),
    )
    return Speculation(outcome, verdicts)


def _readings(game: Running, lines: Sequence[OrderLine], powers: tuple[str, ...]) -> list[Reading]:
    """Headings and nationalities say whose an order is; without them, whoever has the unit."""
    text = "\n".join(" ".join(line.text.splitlines()) for line in lines)
    options = ReadOptions(kinds=game.rules.kinds())
    anybody = read_orders(text, game.position, None, options=options)
    own = [reading for power in powers for reading in read_orders(text, game.position, power, options=options)]
    known = {reading.line: reading for reading in own if reading.understood}
    return [known.get(reading.line, reading) if not reading.understood else reading for reading in anybody]


def _untried(line: OrderLine) -> Verdict:
    sentence = tell("I try plain orders; please write those of the branch that you want to see, without IF and ENDIF.")
    return Verdict(line.number, line.text.partition("\n")[0], Status.REFUSED, "", "condition", sentence)


def _verdict(number: int, reading: Reading) -> Verdict:
    if reading.understood:
        return Verdict(
            number, reading.text, Status.TAKEN, str(reading.order), sentence="tried", instruction=reading.order
        )
    problem = reading.problem
    if problem is None or not reading.order_like:
        return Verdict(number, reading.text, Status.IGNORED, reason="no-order", sentence=tell("not an order"))
    return Verdict(number, reading.text, Status.REFUSED, "", problem.slug, problem.sentence, clause=problem.clause)
