"""Why an order came to what it came to, in the few words that stand beside it in a report.

One result tells its own reason and culprits; who drove a unit out, with how many against how many, and whether a
support that was given was enough, is read off the other results of the same phase.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.adjudicate.explain import meaning
from judge.adjudicate.outcome import Result
from judge.board.model import Board, province_of
from judge.board.position import Unit
from judge.history import OrderResult
from judge.orders.model import Disband, Move, Support
from judge.report.naming import foreign, joined, kept

_CONTESTS = frozenset({"stood-off", "held", "head-to-head"})


class Causes:
    """All order results of one phase, and the words for each."""

    def __init__(self, results: Sequence[OrderResult], board: Board, season: str = "") -> None:
        self._board, self._season = board, season
        self._of_unit = {result.unit.id: result for result in results if result.unit is not None}
        self._arrived = {
            province_of(result.order.to): result
            for result in results
            if isinstance(result.order, Move) and result.results[0] is Result.OK
        }
        self._helpers = [
            result for result in results if isinstance(result.order, Support) and result.results[0] is Result.OK
        ]

    def words(self, result: OrderResult) -> str:
        """The words for one order; "" for one that was simply carried out.

        What became of the unit is said after what became of the order: "failed; DISLODGED by German A Ruhr".
        """
        first, *fate = result.results
        driven_out = Result.DISLODGED in result.results
        parts = [] if first is Result.DISLODGED else [self._order(result, driven_out=driven_out)]
        if driven_out:
            parts.append(self._dislodged(result))
        if Result.DISBANDED in fate and not isinstance(result.order, Disband):
            parts.append("disbanded")
        return "; ".join(part for part in parts if part)

    def _order(self, result: OrderResult, *, driven_out: bool) -> str:
        reason, first = result.reason, result.results[0]
        if reason == "no-order":
            return "no order"
        if first is Result.OK:
            return self._success(result)
        if driven_out and first is Result.BOUNCED:
            return "failed"
        if reason in _CONTESTS:
            return f"bounced with {self._rivals(result)}" + _numbers(result.outcome.strengths)
        if reason in ("not-vacated", "own-unit"):
            return f"failed: {self._rivals(result)} did not leave"
        if first is Result.CUT:
            cutter = "" if driven_out else self._rivals(result)
            return "cut" + (f" by {cutter}" if cutter else "")
        return f"{_HEADS.get(first, 'failed')}: {meaning(result.order, reason, self._board, self._season)}"

    def _success(self, result: OrderResult) -> str:
        order = result.order
        if isinstance(order, Move):
            loser = self._loser(order)
            return "ok, " + _against(self._strengths(result, loser)) if loser else ""
        if isinstance(order, Support):
            helped = self._of_unit.get(order.of.id)
            failed = helped is not None and order.to is not None and helped.results[0] is not Result.OK
            return "given, not enough" if failed else ""
        return _SUCCESSES.get(result.reason, "")

    def _dislodged(self, result: OrderResult) -> str:
        attacker = self._arrived.get(province_of(result.unit.at)) if result.unit else None
        if attacker is None or attacker.unit is None:
            return "DISLODGED"
        return f"DISLODGED by {self._name(attacker.unit)} ({_against(self._strengths(attacker, result))})"

    def _loser(self, move: Move) -> OrderResult | None:
        """Whoever this successful move drove out."""
        target = province_of(move.to)
        for result in self._of_unit.values():
            unit = result.unit
            if unit is not None and province_of(unit.at) == target and Result.DISLODGED in result.results:
                return result
        return None

    def _strengths(self, mover: OrderResult, loser: OrderResult) -> tuple[int, int]:
        """Attack against defence: supports that were given, without those of the loser's own country (IX.3)."""
        helpers = [each for each in self._helpers if _helps(each, mover) and each.power != loser.power]
        stays = [each for each in self._helpers if _helps(each, loser) and _in_place(each)]
        return 1 + len(helpers), 1 if isinstance(loser.order, Move) else 1 + len(stays)

    def _rivals(self, result: OrderResult) -> str:
        """The culprits that stood in the way themselves; those who only helped them are left out."""
        target = province_of(result.order.to) if isinstance(result.order, Move) else ""
        units = result.outcome.by
        chief = [unit for unit in units if not self._only_helps(unit, target)]
        return joined(self._name(unit) for unit in chief or units)

    def _only_helps(self, unit: Unit, target: str) -> bool:
        result = self._of_unit.get(unit.id)
        return result is not None and isinstance(result.order, Support) and province_of(unit.at) != target

    def _name(self, unit: Unit) -> str:
        """A unit with its nationality, held together by no-break spaces so that no line ends inside it."""
        return kept(foreign(unit, self._board))


_HEADS = {Result.NO_CONVOY: "no convoy", Result.VOID: "no effect", Result.ILLEGAL: "impossible",
          Result.DISBANDED: "disbanded", Result.BOUNCED: "failed"}  # fmt: skip
_SUCCESSES = {"removed-in-disorder": "no order; the farthest from home", "unused": "unused"}


def _helps(support: OrderResult, helped: OrderResult) -> bool:
    """Whether a support was for the unit of another order."""
    order = support.order
    return isinstance(order, Support) and helped.unit is not None and order.of.id == helped.unit.id


def _in_place(support: OrderResult) -> bool:
    return isinstance(support.order, Support) and support.order.to is None


def _against(strengths: tuple[int, int]) -> str:
    return kept(f"{strengths[0]} against {strengths[1]}")


def _numbers(strengths: tuple[int, int] | None) -> str:
    """Both sides in parentheses, after a blank; nothing where one stood against one."""
    if strengths is None or strengths == (1, 1):
        return ""
    return f" ({_against(strengths)})"
