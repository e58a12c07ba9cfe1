"""What a picture of a phase shows, in two or three sentences for who hears it: what changed, not every order.

Every list is short: of what is more, it says how many. The whole stands in the report beside the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from judge.adjudicate.outcome import Result
from judge.board.model import Board, province_of
from judge.board.phase import PhaseKind
from judge.board.unit import Unit
from judge.history import OrderResult, PlayedPhase
from judge.orders.model import Build, Disband, Move, Retreat
from judge.orders.spelled import place
from judge.report.core.naming import Said, Text, power_name, say

_MOST = 5
"""Powers, places and units of a list that are named."""


def pictured(played: PlayedPhase) -> Said:
    """What changed in a phase. Of moves: which powers came into centres that were not theirs, where moves bounced, who
    was driven out or destroyed; of the other phases: who retreated, was disbanded, built, removed.
    """
    return say("pictured", parts=list(_fought(played) if played.phase.kind is PhaseKind.MOVES else _adjusted(played)))


def _fought(played: PlayedPhase) -> Iterator[Said]:
    board = played.before.board
    moves = [(result.order, result) for result in played.results if isinstance(result.order, Move)]
    came = [(order, result.power) for order, result in moves if result.results[0] is Result.OK]
    if moves:
        yield say("pictured-moves", done=len(came), all=len(moves))
    if taken := _taken(came, played):
        into = [
            say("pictured-into", power=power_name(power, board), places=_places(codes, board))
            for power, codes in taken.items()
        ]
        yield say("pictured-taken", powers=_few(into))
    bounced = [province_of(order.to) for order, result in moves if result.results[0] is Result.BOUNCED]
    if bounced:
        yield say("pictured-bounced", places=_places(bounced, board))
    yield from _fate("driven-out", (one for one in played.results if one.results[-1] is Result.DISLODGED), board)
    yield from _fate("destroyed", (one for one in played.results if Result.DISBANDED in one.results), board)


def _taken(came: Iterable[tuple[Move, str]], played: PlayedPhase) -> dict[str, list[str]]:
    """Power -> the centres of others, or of nobody, into which it came."""
    found: dict[str, list[str]] = {}
    for order, power in came:
        code = province_of(order.to)
        if code in played.before.board.centres and played.before.owners.get(code) != power:
            found.setdefault(power, []).append(code)
    return found


def _adjusted(played: PlayedPhase) -> Iterator[Said]:
    """Retreats, builds and removals."""
    board = played.before.board
    done = [result for result in played.results if result.results[0] is Result.OK]
    went = [
        say("pictured-way", unit=_unit(one.order.unit, board), place=place(province_of(one.order.to), board))
        for one in done
        if isinstance(one.order, Retreat)
    ]
    if went:
        yield say("pictured-fate", fate="retreated", units=_few(went))
    built = [_unit(Unit(0, o.kind, o.at, o.power, o.at), board) for one in done if isinstance(o := one.order, Build)]
    if built:
        yield say("pictured-fate", fate="built", units=_few(built))
    gone = [
        one
        for one in played.results
        if Result.DISBANDED in one.results or (isinstance(one.order, Disband) and one.results[0] is Result.OK)
    ]
    yield from _fate("disbanded" if played.phase.kind is PhaseKind.RETREATS else "removed", gone, board)


def _fate(fate: str, results: Iterable[OrderResult], board: Board) -> Iterator[Said]:
    """Whom it met, if anybody."""
    units = [_unit(one.unit, board) for one in results if one.unit is not None]
    if units:
        yield say("pictured-fate", fate=fate, units=_few(units))


def _unit(unit: Unit, board: Board) -> Said:
    at = place(province_of(unit.at), board)
    return say("pictured-unit", kind=unit.kind, place=at, power=power_name(unit.power, board))


def _places(codes: Iterable[str], board: Board) -> list[Text]:
    """Places by their names, each once."""
    return _few([place(code, board) for code in dict.fromkeys(codes)])


def _few(items: Sequence[Text]) -> list[Text]:
    """The first of a list, and how many more there are."""
    more = len(items) - _MOST
    return [*items[:_MOST], say("pictured-more", count=more)] if more > 1 else list(items)
