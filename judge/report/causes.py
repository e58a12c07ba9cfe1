"""Why an order came to what it came to, in the few words that stand beside it in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.adjudicate.outcome import Result
from judge.board.model import Board
from judge.board.position import Unit
from judge.report.naming import foreign, joined


def cause(outcome: Mapping[str, Any], board: Board) -> str:
    """The words for one stored outcome; "" for an order that was simply carried out.

    A dislodgement is said after whatever became of the order: "failed; DISLODGED by German A Ruhr (3 against 1)".
    """
    results = [Result(word) for word in outcome["results"]]
    order, fate = results[0], results[1:]
    dislodged = Result.DISLODGED in results
    words = "" if dislodged and order is Result.DISLODGED else _order_words(order, outcome, board, dislodged=dislodged)
    if dislodged:
        words = "; ".join(part for part in (words, _dislodged_words(outcome, board)) if part)
    if Result.DISBANDED in fate:
        words = "; ".join(part for part in (words, "disbanded") if part)
    return words


def _order_words(result: Result, outcome: Mapping[str, Any], board: Board, *, dislodged: bool) -> str:
    culprits = () if dislodged else _culprits(outcome, board)
    numbers = "" if dislodged else _numbers(outcome)
    if outcome.get("reason") == "no-order":
        return "no order"
    if result is Result.OK:
        return f"ok, {numbers}" if numbers else ""
    if result is Result.BOUNCED:
        return f"bounced{_with(culprits)}" + (f" ({numbers})" if numbers else "") if culprits else "failed"
    if result is Result.CUT:
        return "support cut" + (f" by {joined(culprits)}" if culprits else "")
    if result is Result.NO_CONVOY:
        return "no convoy" + (f": {joined(culprits)}" if culprits else "")
    if result is Result.DISBANDED:
        return "disbanded"
    return "not possible" if result is Result.ILLEGAL else "no effect"


def _with(culprits: Sequence[str]) -> str:
    return f" with {joined(culprits)}" if culprits else ""


def _dislodged_words(outcome: Mapping[str, Any], board: Board) -> str:
    culprits, numbers = _culprits(outcome, board), _numbers(outcome)
    words = f"DISLODGED by {culprits[0]}" if culprits else "DISLODGED"
    return f"{words} ({numbers})" if numbers else words


def _culprits(outcome: Mapping[str, Any], board: Board) -> tuple[str, ...]:
    return tuple(foreign(Unit(*unit), board) for unit in outcome.get("by") or ())


def _numbers(outcome: Mapping[str, Any]) -> str:
    strengths = outcome.get("strengths")
    return f"{strengths[0]} against {strengths[1]}" if strengths and strengths[1] else ""
