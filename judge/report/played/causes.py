"""Why an order had its outcome: the facts that stand beside it in a report.

An outcome has its own reason and culprits. Who dislodged a unit, at which strengths, and whether a support was enough
follow from the other outcomes of the same phase."""

from __future__ import annotations

from collections.abc import Sequence

from judge.adjudicate.explain import why_closed
from judge.adjudicate.outcome import Result
from judge.board.model import Board, province_of
from judge.board.unit import Unit
from judge.history import OrderResult
from judge.orders.model import Build, Disband, Move, Order, Support
from judge.orders.spelled import foreign
from judge.report.core.naming import Said, Text, say

_CONTESTS = frozenset({"stood-off", "held", "head-to-head"})
UNORDERED = say("causes", parts=[say("cause-no-order")])
"""The cause of what became of a unit that was given no order, and stood."""


class Causes:
    """All order results of one phase, and the cause of each."""

    def __init__(
        self, results: Sequence[OrderResult], board: Board, season: str = "", *, strengths_told: bool = True
    ) -> None:
        self._board, self._season, self._strengths_told = board, season, strengths_told
        self._of_unit = {result.unit.id: result for result in results if result.unit is not None}
        self._arrived = {
            province_of(result.order.to): result
            for result in results
            if isinstance(result.order, Move) and result.results[0] is Result.OK
        }
        self._driven_out = {
            province_of(result.unit.at): result
            for result in results
            if result.unit is not None and Result.DISLODGED in result.results
        }
        self._helpers = [
            result for result in results if isinstance(result.order, Support) and result.results[0] is Result.OK
        ]

    def of(self, result: OrderResult) -> Text:
        """The cause of what became of one order; "" for one that was simply carried out.

        What became of the unit comes after what became of the order: failed, and dislodged by German A Ruhr.
        """
        first, *fate = result.results
        driven_out = Result.DISLODGED in result.results
        parts = [] if first is Result.DISLODGED else [self._order(result, driven_out=driven_out)]
        if driven_out:
            parts.append(self._dislodged(result))
        if Result.DISBANDED in fate and not isinstance(result.order, Disband):
            parts.append(say("cause-disbanded"))
        found = [part for part in parts if part is not None]
        return say("causes", parts=found) if found else ""

    def _order(self, result: OrderResult, *, driven_out: bool) -> Said | None:
        reason, first = result.reason, result.results[0]
        if reason == "no-order":
            return say("cause-no-order")
        if reason == "carried-along":
            return say("cause-aboard")
        if first is Result.OK:
            return self._success(result)
        if driven_out and first is Result.BOUNCED:
            return say("cause-failed")
        if reason in _CONTESTS:
            return say("cause-bounced", rivals=self._rivals(result), strengths=result.outcome.strengths)
        if reason in ("not-vacated", "own-unit"):
            return say("cause-in-the-way", rivals=self._rivals(result))
        if first is Result.CUT:
            return say("cause-cut", rivals=[] if driven_out else self._rivals(result))
        return say("cause", result=first, why=reason_of(result.order, reason, self._board, self._season))

    def _success(self, result: OrderResult) -> Said | None:
        order = result.order
        if isinstance(order, Move):
            loser = self._driven_out.get(province_of(order.to))
            strengths = self._strengths(result, loser) if loser else None
            return say("cause-stronger", strengths=strengths) if strengths else None
        if isinstance(order, Support):
            helped = self._of_unit.get(order.of.id)
            failed = helped is not None and order.to is not None and helped.results[0] is not Result.OK
            return say("cause-not-enough") if failed else None
        return say(f"cause-{result.reason}") if result.reason in ("removed-in-disorder", "unused") else None

    def _dislodged(self, result: OrderResult) -> Said:
        attacker = self._arrived.get(province_of(result.unit.at)) if result.unit else None
        if attacker is None or attacker.unit is None:
            return say("cause-dislodged", by="", strengths=None)
        strengths = self._strengths(attacker, result)
        return say("cause-dislodged", by=foreign(attacker.unit, self._board), strengths=strengths)

    def _strengths(self, mover: OrderResult, loser: OrderResult) -> tuple[int, int] | None:
        """Attack against defence: supports that were given, without those of the loser's own country (IX.3)."""
        if not self._strengths_told:
            return None
        helpers = [each for each in self._helpers if _helps(each, mover) and each.power != loser.power]
        stays = [each for each in self._helpers if _helps(each, loser) and _in_place(each)]
        return 1 + len(helpers), 1 if isinstance(loser.order, Move) else 1 + len(stays)

    def _rivals(self, result: OrderResult) -> list[str]:
        """The culprits that stood in the way themselves; those who only helped them are left out."""
        target = province_of(result.order.to) if isinstance(result.order, Move) else ""
        units = result.outcome.by
        chief = [unit for unit in units if not self._only_helps(unit, target)]
        return [foreign(unit, self._board) for unit in chief or units]

    def _only_helps(self, unit: Unit, target: str) -> bool:
        result = self._of_unit.get(unit.id)
        return result is not None and isinstance(result.order, Support) and province_of(unit.at) != target


def _helps(support: OrderResult, helped: OrderResult) -> bool:
    """Whether a support was for the unit of another order."""
    order = support.order
    return isinstance(order, Support) and helped.unit is not None and order.of.id == helped.unit.id


def _in_place(support: OrderResult) -> bool:
    return isinstance(support.order, Support) and support.order.to is None


def reason_of(order: Order, reason: str, board: Board, season: str) -> Said:
    """Why an order could not be followed: the rules' code for it, the unit and the places it is about, and of a border
    that is closed in the season the board's own sentence.
    """
    at = order.at if isinstance(order, Build) else order.unit.at if hasattr(order, "unit") else ""
    to = order.to if isinstance(order, Move) else ""
    kind = order.unit.kind if isinstance(order, Move) else ""
    board_says = why_closed(order, board, season) if reason == "border-closed" else ""
    return say("reason", code=reason, kind=kind, at=_place(at, board), to=_place(to, board), board_says=board_says)


def _place(location: str, board: Board) -> str:
    return board.place_name(location) if province_of(location) in board.provinces else location
