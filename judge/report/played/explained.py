"""Results in sentences, for games whose `explain` setting asks for them: one for each order that met resistance."""

from __future__ import annotations

from collections.abc import Iterator

from judge.adjudicate.explain import explain
from judge.adjudicate.outcome import Result
from judge.history import OrderResult, PlayedPhase


def sentences(played: PlayedPhase) -> Iterator[str]:
    """The adjudicator's sentence on each order that failed or whose unit was dislodged, in the order of the phase.
    Orders whose explanation would reveal secret orders are left out.
    """
    for result in played.results:
        if result.results != (Result.OK,) and result.reason != "no-order" and not result.veiled:
            yield sentence_on(result, played)


def sentences_for(played: PlayedPhase, power: str) -> Iterator[str]:
    """The adjudicator's sentence on each order of one power, and on each other unit that did not simply hold."""
    for result in played.results:
        if result.power == power or result.results != (Result.OK,):
            yield sentence_on(result, played)


def sentence_on(result: OrderResult, played: PlayedPhase) -> str:
    """What the adjudicator says of one order, whatever became of it."""
    driven = next((lost for lost in played.after.dislodged if lost.unit == result.unit), None)
    return explain(result.outcome, played.before.board, driven, season=played.phase.season)
