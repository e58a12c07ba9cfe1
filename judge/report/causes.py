"""Why an order came to what it came to, in the few words that stand beside it in a report.

One outcome tells its own reason and culprits; who drove a unit out, with how many against how many, and whether a
support that was given was enough, is read off the other outcomes of the same phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.adjudicate.outcome import Result
from judge.board.model import Board, province_of
from judge.board.position import Unit
from judge.report.naming import foreign, joined, kept
from judge.rules.reasons import REASONS

Outcome = Mapping[str, Any]

_CONTESTS = frozenset({"stood-off", "held", "head-to-head"})


class Record:
    """All stored outcomes of one phase, and the words for each."""

    def __init__(self, outcomes: Sequence[Outcome], board: Board) -> None:
        self._board = board
        self._by_place = {(o["unit"][1], o["unit"][2]): o for o in outcomes if o.get("unit")}
        self._arrived = {
            province_of(o["order"].split()[3]): o for o in outcomes if _is_move(o) and o["results"][0] == Result.OK
        }
        self._helpers = [o for o in outcomes if _is_support(o) and o["results"][0] == Result.OK]

    def words(self, outcome: Outcome) -> str:
        """The words for one outcome; "" for an order that was simply carried out.

        What became of the unit is said after what became of the order: "failed; DISLODGED by German A Ruhr".
        """
        results = [Result(word) for word in outcome["results"]]
        driven_out = Result.DISLODGED in results
        parts = [] if results[0] is Result.DISLODGED else [self._order(results[0], outcome, driven_out=driven_out)]
        if driven_out:
            parts.append(self._dislodged(outcome))
        if Result.DISBANDED in results[1:] and not outcome["order"].endswith(" D"):
            parts.append("disbanded")
        return "; ".join(part for part in parts if part)

    def _order(self, result: Result, outcome: Outcome, *, driven_out: bool) -> str:
        reason = outcome["reason"]
        if reason == "no-order":
            return "no order"
        if result is Result.OK:
            return self._success(outcome)
        if driven_out and result is Result.BOUNCED:
            return "failed"
        if reason in _CONTESTS:
            return f"bounced with {self._rivals(outcome)}" + _numbers(outcome["strengths"])
        if reason == "not-vacated":
            return f"failed: {self._rivals(outcome)} did not leave"
        if result is Result.CUT:
            cutter = "" if driven_out else self._rivals(outcome)
            return "cut" + (f" by {cutter}" if cutter else "")
        if reason == "own-unit":
            return f"failed: {self._rivals(outcome)} stayed"
        meaning = REASONS[reason].meaning if reason in REASONS else reason.replace("-", " ")
        return f"{_HEADS.get(result, 'failed')}: {meaning}"

    def _success(self, outcome: Outcome) -> str:
        if _is_move(outcome):
            loser = self._loser(outcome)
            return "ok, " + _against(self._strengths(outcome, loser)) if loser else ""
        if _is_support(outcome):
            helped = self._helped(outcome)
            target = _support_target(outcome)
            failed = helped is not None and target is not None and helped["results"][0] != Result.OK
            return "given, not enough" if failed else ""
        return _SUCCESSES.get(outcome["reason"], "")

    def _dislodged(self, outcome: Outcome) -> str:
        attacker = self._arrived.get(province_of(outcome["unit"][2]))
        if attacker is None:
            return "DISLODGED"
        strengths = self._strengths(attacker, outcome)
        return f"DISLODGED by {self._name(attacker['unit'])} ({_against(strengths)})"

    def _loser(self, mover: Outcome) -> Outcome | None:
        """Whoever this successful move drove out."""
        target = province_of(mover["order"].split()[3])
        for (_, at), other in self._by_place.items():
            if province_of(at) == target and Result.DISLODGED in other["results"]:
                return other
        return None

    def _strengths(self, mover: Outcome, loser: Outcome) -> tuple[int, int]:
        """Attack against defence: supports that were given, without those of the loser's own country (IX.3)."""
        helpers = [o for o in self._helpers if self._helped(o) is mover and o["power"] != loser["power"]]
        stays = [o for o in self._helpers if self._helped(o) is loser and _support_target(o) is None]
        return 1 + len(helpers), 1 if _is_move(loser) else 1 + len(stays)

    def _helped(self, support: Outcome) -> Outcome | None:
        words = support["order"].split()
        return self._by_place.get((words[3], words[4]))

    def _rivals(self, outcome: Outcome) -> str:
        """The culprits that stood in the way themselves; those who only helped them are left out."""
        units = outcome.get("by") or []
        target = province_of(outcome["order"].split()[3]) if _is_move(outcome) else ""
        chief = [unit for unit in units if not self._only_helps(unit, target)]
        return joined(self._name(unit) for unit in chief or units)

    def _only_helps(self, unit: Sequence[Any], target: str) -> bool:
        record = self._by_place.get((unit[1], unit[2]))
        return record is not None and _is_support(record) and province_of(unit[2]) != target

    def _name(self, unit: Sequence[Any]) -> str:
        """A unit with its nationality, held together by no-break spaces so that no line ends inside it."""
        return kept(foreign(Unit(*unit), self._board))


_HEADS = {Result.NO_CONVOY: "no convoy", Result.VOID: "no effect", Result.ILLEGAL: "impossible",
          Result.DISBANDED: "disbanded", Result.BOUNCED: "failed"}  # fmt: skip
_SUCCESSES = {"removed-in-disorder": "no order; the farthest from home", "unused": "unused"}


def _is_move(outcome: Outcome) -> bool:
    words = outcome["order"].split()
    return len(words) > 3 and words[2] == "-"


def _is_support(outcome: Outcome) -> bool:
    words = outcome["order"].split()
    return len(words) > 4 and words[2] == "S"


def _support_target(outcome: Outcome) -> str | None:
    """Where a supported move goes; None for support in place."""
    words = outcome["order"].split()
    return words[6] if len(words) > 6 else None


def _against(strengths: tuple[int, int]) -> str:
    return kept(f"{strengths[0]} against {strengths[1]}")


def _numbers(strengths: Sequence[int] | None) -> str:
    """Both sides in parentheses, after a blank; nothing where one stood against one."""
    if not strengths or (strengths[0], strengths[1]) == (1, 1):
        return ""
    return f" ({_against((strengths[0], strengths[1]))})"
