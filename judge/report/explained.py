"""Results in sentences, for games whose `explain` setting asks for them: one for each order that met resistance."""

from __future__ import annotations

from collections.abc import Iterator

from judge.adjudicate.explain import explain
from judge.adjudicate.outcome import End, Outcome, Result
from judge.board.model import Board
from judge.board.position import Position, Unit, position_from_json
from judge.game.events import PhaseAdjudicated
from judge.orders.reader import read_line


def sentences(event: PhaseAdjudicated, board: Board) -> Iterator[str]:
    """What the adjudicator says of each order that failed or whose unit was driven out, in the event's order."""
    before, after = position_from_json(event.before, board), position_from_json(event.after, board)
    driven = {lost.unit.id: lost for lost in after.dislodged}
    for stored in event.outcomes:
        if stored["results"] == [Result.OK] or stored["reason"] == "no-order":
            continue
        outcome = _outcome(stored, before)
        if outcome is not None:
            yield explain(outcome, board, driven.get(stored["unit"][0]) if stored["unit"] else None)


def sentences_for(event: PhaseAdjudicated, board: Board, power: str) -> Iterator[str]:
    """What became of each order of one power, and of every unit of another that did not simply stand."""
    before, after = position_from_json(event.before, board), position_from_json(event.after, board)
    driven = {lost.unit.id: lost for lost in after.dislodged}
    for stored in event.outcomes:
        if stored["power"] != power and stored["results"] == [Result.OK]:
            continue
        if (outcome := _outcome(stored, before)) is not None:
            yield explain(outcome, board, driven.get(stored["unit"][0]) if stored["unit"] else None)


def _outcome(stored: dict[str, object], before: Position) -> Outcome | None:
    """The outcome that was stored; None where its order cannot be bound to the position any more."""
    readings = read_line(str(stored["order"]), before, str(stored["power"]))
    if len(readings) != 1 or readings[0].order is None:
        return None
    results, by, strengths = stored["results"], stored["by"], stored["strengths"]
    assert isinstance(results, list) and isinstance(by, list)
    end = End(
        tuple(Result(word) for word in results),
        str(stored["reason"]),
        tuple(Unit(*unit) for unit in by),
        (strengths[0], strengths[1]) if isinstance(strengths, list) else None,
    )
    return Outcome((readings[0].order, end))
