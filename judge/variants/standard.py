"""The rules of 1976 and their relatives: one game, several editions of its book.

1976 is the judge default. 1982, 2000 and 2023 answer as those rulebooks do; `datc` answers as the author of the
test cases prefers; `thundar` is 1976 with Thundar's rules for convoys that attack supporting fleets.
Where a rulebook leaves a convoy paradox open, Szykman's rule closes it, in every preset.
"""

from __future__ import annotations

from dataclasses import replace

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
from judge.rules.model import RULES_1976, RuleSystem

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

RULE_SYSTEMS = tuple(
    RuleSystem(rules, title)
    for rules, title in (
        (RULES_1976, "1976"),
        (RULES_1982, "1982"),
        (RULES_2000, "2000"),
        (RULES_2023, "2023"),
        (DATC, "DATC"),
        (THUNDAR, "1976 with Thundar's convoys"),
    )
)
