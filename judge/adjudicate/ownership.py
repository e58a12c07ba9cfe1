"""Who owns the centres (XIII.1), and who has won (II)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from judge.board.model import province_of
from judge.board.position import Position, Unit
from judge.rules.model import Rules


def owners_after(position: Position, units: Iterable[Unit]) -> Mapping[str, str]:
    """XIII.1: a centre belongs to the power whose unit stands on it now; otherwise to whom it belonged before."""
    provinces = position.board.provinces
    owners = dict(position.owners)
    for unit in units:
        code = province_of(unit.at)
        if provinces[code].centre:
            owners[code] = unit.power
    return MappingProxyType(owners)


def winner(position: Position, rules: Rules) -> str | None:
    """The power that owns the centres needed to win (II), or None.

    Ownership only changes after Fall retreats, so asking at any time gives the same answer.
    """
    needed = rules.victory or position.board.victory
    for power, count in Counter(position.owners.values()).most_common(1):
        if count >= needed:
            return power
    return None
