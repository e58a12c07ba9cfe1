"""The closed choices of the 1976 family: every question on which rulebooks or judges differ, with all its answers.

A choice is a field of `Rules` and an enumeration here; its value is the word that players and operators write
(`--choice convoy_routes=one-suffices`). Each enumeration names the DATC cases that tell its answers apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from judge.board.spelling import nearest


class ConvoyRoutes(StrEnum):
    """Several fleets could carry an army by different routes, and one of them is dislodged (DATC 6.F.9-13)."""

    ANY_BREAKS = "any-breaks"
    """XII.4: the army may not move if any of the possible routes is broken."""
    ONE_SUFFICES = "one-suffices"
    """1982 and later: it moves as long as one route is whole."""


class Paradox(StrEnum):
    """What a convoyed attack does to the support that decides over its own convoy (DATC 6.F.14-24)."""

    RULES_1971 = "1971"
    """XII.5: it does not cut the support of an attack on one of its convoying fleets."""
    RULES_1982 = "1982"
    """It does not cut the support of any action in a sea that holds a convoying fleet."""
    RULES_2000 = "2000"
    """It does not cut the support of an attack on a fleet without which it could not arrive (2000, 2023)."""
    SZYKMAN = "szykman"
    """Support is cut as ever; the convoying fleets of a paradox hold."""
    ALL_HOLD = "all-hold"
    """Support is cut as ever; no unit that takes part in a paradox moves."""
    THUNDAR = "thundar"
    """It cuts unless the attack is on the last leg of its route; it always cuts where it dislodges; a convoy that
    would disrupt itself does not occur."""


class AdjacentConvoy(StrEnum):
    """When an army goes by sea to a province that it could walk to (DATC 6.G.1-9, 11, 13, 19, 20)."""

    SWAP_ONLY = "swap-only"
    """XIV.5: only to exchange places with the unit there, whoever carries it."""
    INTENT = "intent"
    """1982: when an own fleet is ordered to carry it, or it asks for the convoy and a fleet offers one."""
    OWN_FLEET_OR_VIA = "own-fleet-or-via"
    """2000, 2023: when an own fleet is ordered to carry it, or its order says "via convoy"."""
    EXPLICIT = "explicit"
    """Only when its order says "via convoy"."""


class LandFallback(StrEnum):
    """An army meant to go by sea to a neighbouring province, and there is no convoy (DATC 6.G.8, 11, 20)."""

    YES = "yes"
    """It walks."""
    NO = "no"
    """It stays."""


class ConvoyedOrigin(StrEnum):
    """Where a convoyed attack comes from, for a support given into the army's own province (DATC 6.G.13)."""

    PROVINCE = "province"
    """From where the army started: such a support is not cut."""
    SEA = "sea"
    """From the sea: it is cut."""


class DislodgedEffect(StrEnum):
    """Whether a dislodged unit has any effect on the space its attacker came from (DATC 6.G.10, 14, 15)."""

    NEVER = "never"
    """IX.7 as printed: none, by land or by sea."""
    UNLESS_CONVOYED = "unless-convoyed"
    """None after a head-to-head battle; as ever where one of the two was convoyed."""


class ConvoyedRetreat(StrEnum):
    """Whether a unit may retreat to where the army that dislodged it by convoy came from (DATC 6.H.11, 12)."""

    NO = "no"
    YES = "yes"


class SupportCoast(StrEnum):
    """The coast named when supporting a fleet into a two-coast province (DATC 6.B.7-9, 15)."""

    MUST_MATCH = "must-match"
    """The coast has to be named, and be the one the fleet goes to."""
    MAY_BE_OMITTED = "may-be-omitted"
    """It may be left out; if given it has to match."""
    IGNORED = "ignored"
    """VII.3b: support goes to the whole province."""


class CoastalCrawl(StrEnum):
    """Two fleets changing places, one of them leaving by the other coast (DATC 6.B.13)."""

    FORBIDDEN = "forbidden"
    ALLOWED = "allowed"
    """Before 1971."""


class RetreatCollisions(StrEnum):
    """Several units retreat, and have or choose the same space (XI.2)."""

    RULES_1976 = "1976"
    """Units with only the one same space are lost, unless all but one are ordered to disband."""
    MODERN = "modern"
    """Units ordered to the same space are lost; nothing else matters."""


class Removals(StrEnum):
    """Which unit goes when a country in civil disorder has too many (XIV.4; DATC 6.J.3-11)."""

    HOME_DISTANCE = "home-distance"
    """The farthest from its nearest home centre, over any borders for either kind of unit."""
    ROUTE_1976 = "1976-route"
    """The same, but armies go by land or over water and fleets by water only."""
    OWNED_DISTANCE = "2023"
    """First units that stand on no centre, then the farthest from the nearest owned centre, over any borders."""


class DisorderRetreats(StrEnum):
    """What becomes of dislodged units of a country in civil disorder (XIV.3)."""

    DISBAND = "disband"
    RETREAT = "retreat"
    """They wait for an order like any other: the player may return before the retreats."""


class ImpossibleOrders(StrEnum):
    """Whether a unit ordered to make an impossible move may be supported in place (DATC 6.D.28-30, 32)."""

    UNSUPPORTED = "unsupported"
    """It stands, but it was ordered to move: it may not."""
    HOLD = "hold"
    """The order is ignored; the unit holds and may be supported."""


class Waiving(StrEnum):
    """Builds that a player does not use."""

    ALLOWED = "allowed"
    """They lapse, written down or not."""
    BY_ORDER = "by-order"
    """They lapse, and orders are complete only when each of them is waived by order."""


class JointVictory(StrEnum):
    """Who wins where a player has several powers (XIV.2)."""

    NO = "no"
    """One of these powers, with the centres that it owns itself."""
    YES = "yes"
    """All of them, with the centres that they own together."""


CHOICES: Mapping[str, type[StrEnum]] = MappingProxyType(
    {
        "convoy_routes": ConvoyRoutes,
        "paradox": Paradox,
        "adjacent_convoy": AdjacentConvoy,
        "land_fallback": LandFallback,
        "convoyed_origin": ConvoyedOrigin,
        "dislodged_effect": DislodgedEffect,
        "convoyed_retreat": ConvoyedRetreat,
        "support_coast": SupportCoast,
        "coastal_crawl": CoastalCrawl,
        "retreat_collisions": RetreatCollisions,
        "removals": Removals,
        "disorder_retreats": DisorderRetreats,
        "impossible_orders": ImpossibleOrders,
        "waiving": Waiving,
        "joint_victory": JointVictory,
    }
)
"""Name of the choice -> its enumeration, in the order in which reports list them."""


class UnknownChoice(ValueError):
    """No such choice, or no such answer to it; the message says which there are."""


def read_choice(name: str, value: str) -> StrEnum:
    """The answer that a name and a word mean; raises UnknownChoice with what could have been meant.

    >>> read_choice("convoy_routes", "one-suffices")
    <ConvoyRoutes.ONE_SUFFICES: 'one-suffices'>
    """
    key = name.strip().lower().replace("-", "_")
    if key not in CHOICES:
        raise UnknownChoice(f"there is no choice {name!r}; {_which(key, CHOICES)}")
    word = str(value).strip().lower().replace("_", "-")
    answers = {str(answer): answer for answer in CHOICES[key]}
    if word not in answers:
        raise UnknownChoice(f"{key} cannot be {value!r}; it is one of {', '.join(answers)}")
    return answers[word]


def _which(word: str, known: Mapping[str, object]) -> str:
    near = nearest(word, known)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
