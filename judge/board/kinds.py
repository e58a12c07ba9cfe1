"""Kinds of units, and what they stand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Terrain(StrEnum):
    """What a province is made of."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A kind of unit that the board or a rule system declares: letter "A", name "Army"."""

    letter: str
    name: str
    stands: frozenset[Terrain] = frozenset(Terrain)
    """What it may stand on."""
    coasts: bool = False
    """Whether, in a province with several coasts, it stands at one of them."""
    carries: frozenset[str] = frozenset()
    """Letters of the kinds that it carries over the sea (XII)."""


ARMY = UnitKind("A", "Army", frozenset({Terrain.INLAND, Terrain.COAST}))
FLEET = UnitKind("F", "Fleet", frozenset({Terrain.COAST, Terrain.SEA}), coasts=True, carries=frozenset({"A"}))
KINDS: Mapping[str, UnitKind] = MappingProxyType({kind.letter: kind for kind in (ARMY, FLEET)})
"""The kinds that every board knows; it may give them other names, and add kinds of its own."""
