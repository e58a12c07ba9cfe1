"""The presets of the 1976 family, and the registry that variants join.

1976 is the house default. 1982, 2000 and 2023 answer as those rulebooks do; `datc` answers as the author of the
test cases prefers; `thundar` is 1976 with Thundar's rules for convoys that attack supporting fleets.
Where a rulebook leaves a convoy paradox open, Szykman's rule closes it, in every preset.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from judge.rules.choices import (
    AdjacentConvoy,
    ConvoyedRetreat,
    ConvoyRoutes,
    DislodgedEffect,
    ImpossibleOrders,
    LandFallback,
    Paradox,
    Removals,
    RetreatCollisions,
    SupportCoast,
)
from judge.rules.model import Rules

RULES_1976 = Rules()

RULES_1982 = replace(
    RULES_1976,
    key="1982",
    convoy_routes=ConvoyRoutes.ONE_SUFFICES,
    paradox=Paradox.RULES_1982,
    adjacent_convoy=AdjacentConvoy.INTENT,
    land_fallback=LandFallback.NO,
    dislodged_effect=DislodgedEffect.UNLESS_CONVOYED,
    support_coast=SupportCoast.MAY_BE_OMITTED,
    impossible_orders=ImpossibleOrders.HOLD,
)

RULES_2000 = replace(
    RULES_1982,
    key="2000",
    paradox=Paradox.RULES_2000,
    adjacent_convoy=AdjacentConvoy.OWN_FLEET_OR_VIA,
    retreat_collisions=RetreatCollisions.MODERN,
)

RULES_2023 = replace(
    RULES_2000,
    key="2023",
    convoyed_retreat=ConvoyedRetreat.YES,
    removals=Removals.OWNED_DISTANCE,
)

DATC = replace(RULES_2023, key="datc", paradox=Paradox.SZYKMAN)

THUNDAR = replace(RULES_1976, key="thundar", paradox=Paradox.THUNDAR)

_registry: dict[str, Rules] = {
    rules.key: rules for rules in (RULES_1976, RULES_1982, RULES_2000, RULES_2023, DATC, THUNDAR)
}

PRESETS: Mapping[str, Rules] = MappingProxyType(_registry)
"""Key -> rules: the presets of the 1976 family and the variants that joined."""


class UnknownPreset(ValueError):
    """No rules of this name; the message lists those there are."""


def preset(name: str) -> Rules:
    """The rules of a name; raises UnknownPreset.

    >>> preset("datc").paradox
    <Paradox.SZYKMAN: 'szykman'>
    """
    key = name.strip().lower()
    if key in _registry:
        return _registry[key]
    near = difflib.get_close_matches(key, _registry, n=1, cutoff=0.6)
    known = f"did you mean {near[0]}?" if near else f"there are {', '.join(_registry)}"
    raise UnknownPreset(f"there are no rules called {name!r}; {known}")


def register(rules: Rules) -> Rules:
    """Let a variant's rules join the presets under their key; raises ValueError if the key is taken."""
    if _registry.setdefault(rules.key, rules) is not rules:
        raise ValueError(f"two rule systems call themselves {rules.key!r}")
    return rules
