"""The closed choices of the 1976 family: every question on which rulebooks or judges differ, with all its answers.

A choice is a field of `Rules` and an enumeration here; its value is the word that players and operators write
(`--choice convoy_routes=one-suffices`). Each enumeration names the DATC cases that tell its answers apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from judge.board.spelling import nearest
from judge.languages import tell


class RuleAnswer(StrEnum):
    """An answer to a question: its value is the word that is written, `said` what it means, as players read it."""

    said: str

    def __new__(cls, word: str, said: str) -> Self:
        answer = str.__new__(cls, word)
        answer._value_ = word
        answer.said = said
        return answer


class ConvoyRoutes(RuleAnswer):
    """Several fleets could carry an army by different routes, and one of them is dislodged (DATC 6.F.9-13)."""

    ANY_BREAKS = "any-breaks", "The army stays where it is if any of the possible routes is broken."
    """The rulebook of 1976, XII.4."""
    ONE_SUFFICES = "one-suffices", "The army moves as long as one route is whole."


class Paradox(RuleAnswer):
    """What a convoyed attack does to the support that decides over its own convoy (DATC 6.F.14-24)."""

    RULES_1971 = "1971", "It does not cut the support of an attack on one of the fleets that carry it."
    """The rulebook of 1976, XII.5."""
    RULES_1982 = "1982", "It does not cut a support for anything that happens in a sea with a fleet that carries it."
    RULES_2000 = "2000", "It does not cut the support of an attack on a fleet without which it could not arrive."
    SZYKMAN = (
        "szykman",
        "It cuts support as always; the fleets whose convoy makes the paradox hold, and the army stays.",
    )
    ALL_HOLD = "all-hold", "It cuts support as always; no unit that takes part in the paradox moves."
    THUNDAR = (
        "thundar",
        "It cuts, unless the support is for an attack on the last sea of its route; it always cuts where it "
        "dislodges. A convoy that would break itself up does not take place.",
    )


class AdjacentConvoy(RuleAnswer):
    """When an army goes by sea to a province that it could walk to (DATC 6.G.1-9, 11, 13, 19, 20)."""

    SWAP_ONLY = "swap-only", "Only to change places with the unit there, whoever carries it."
    """The rulebook of 1976, XIV.5."""
    INTENT = (
        "intent",
        "If a fleet of its own power is ordered to carry it, or if its order asks for a convoy and a fleet offers one.",
    )
    OWN_FLEET_OR_VIA = (
        "own-fleet-or-via",
        "If a fleet of its own power is ordered to carry it, or if its order says VIA.",
    )
    EXPLICIT = "explicit", "Only if its order says VIA."


class LandFallback(RuleAnswer):
    """An army meant to go by sea to a neighbouring province, and there is no convoy (DATC 6.G.8, 11, 20)."""

    YES = "yes", "It walks."
    NO = "no", "It stays where it is."


class ConvoyedOrigin(RuleAnswer):
    """Where a convoyed attack comes from, for a support given into the army's own province (DATC 6.G.13)."""

    PROVINCE = (
        "province",
        "From the province in which the army began: a support for an attack on that province is not cut by it.",
    )
    SEA = "sea", "From the sea: it cuts such a support too."


class DislodgedEffect(RuleAnswer):
    """Whether a dislodged unit has any effect on the space its attacker came from (DATC 6.G.10, 14, 15)."""

    NEVER = "never", "None, by land or by sea."
    """The rulebook of 1976, IX.7."""
    UNLESS_CONVOYED = (
        "unless-convoyed",
        "None if the two met head-on; if one of them came by convoy, the same as any other unit.",
    )


class ConvoyedRetreat(RuleAnswer):
    """Whether a unit may retreat to where the army that dislodged it by convoy came from (DATC 6.H.11, 12)."""

    NO = "no", "No."
    YES = "yes", "Yes."


class SupportCoast(RuleAnswer):
    """The coast named when supporting a fleet into a two-coast province (DATC 6.B.7-9, 15)."""

    MUST_MATCH = "must-match", "It must be named, and be the one to which the fleet goes."
    MAY_BE_OMITTED = (
        "may-be-omitted",
        "It may be left out; if it is named, it must be the one to which the fleet goes.",
    )
    IGNORED = "ignored", "It does not matter: support goes to the whole province."
    """The rulebook of 1976, VII.3b."""


class CoastalCrawl(RuleAnswer):
    """Two fleets changing places, one of them leaving by the other coast (DATC 6.B.13)."""

    FORBIDDEN = "forbidden", "No."
    ALLOWED = "allowed", "Yes, as before 1971."


class Cutting(RuleAnswer):
    """Which attacks cut a support (X)."""

    FOREIGN = "1976", "Those of other countries; from the place that is supported into only one that dislodges."
    ANY_ATTACK = "1958", "Those of any country, its own too, but none from the place that is supported into."


class ForeignBoarding(RuleAnswer):
    """Whether fleets carry armies of other countries, where armies come aboard them (1958)."""

    NO = "no", "No: an army comes aboard a fleet of its own country only."
    YES = "yes", "Yes: an army goes where the fleet of the other country takes it."


class RetreatCollisions(RuleAnswer):
    """Several units retreat, and have or choose the same space (XI.2)."""

    RULES_1976 = (
        "1976",
        "Units that have only the one same place are lost, unless all but one of them are ordered to disband.",
    )
    MODERN = "modern", "Units that are ordered to the same place are lost; nothing else matters."


class Removals(RuleAnswer):
    """Which unit goes when a country in civil disorder has too many (XIV.4; DATC 6.J.3-11)."""

    HOME_DISTANCE = (
        "home-distance",
        "The one that is farthest from its nearest home centre, counted over any borders.",
    )
    ROUTE_1976 = (
        "1976-route",
        "The one that is farthest from its nearest home centre; for armies the way goes over land or water, "
        "for fleets over water alone.",
    )
    OWNED_DISTANCE = (
        "2023",
        "First those that stand on no centre, then the one that is farthest from the nearest centre that its "
        "power owns, counted over any borders.",
    )


class DisorderRetreats(RuleAnswer):
    """What becomes of dislodged units of a country in civil disorder (XIV.3)."""

    DISBAND = "disband", "They are disbanded."
    RETREAT = (
        "retreat",
        "They wait for an order like all others, for the player may come back before the retreats are played.",
    )


class ImpossibleOrders(RuleAnswer):
    """Whether a unit ordered to make an impossible move may be supported in place (DATC 6.D.28-30, 32)."""

    UNSUPPORTED = "unsupported", "No: it holds, but it was ordered to move."
    HOLD = "hold", "Yes: the order is ignored, and the unit counts as one that holds."


class Waiving(RuleAnswer):
    """Builds that a player does not use."""

    ALLOWED = "allowed", "They lapse, whether or not anything is written about them."
    BY_ORDER = "by-order", "They lapse too, but orders are complete only if a line says `waive` for each of them."


class MinorsBlock(RuleAnswer):
    """Whether units of minor countries that nobody leads watch the spaces beside them (1914, clause 9)."""

    YES = "yes", "Yes: they belong to nobody's friends."
    NO = "no", "No: they bar only the space in which they stand."


class MinorHomeSix(RuleAnswer):
    """What its own home centre yields to a minor country that is led (1914, clause 5)."""

    NO = "no", "No: four, as any centre that is no Great Power's home."
    YES = "yes", "Yes, as to a Great Power."


class JointVictory(RuleAnswer):
    """Who wins where a player has several powers (XIV.2)."""

    NO = "no", "One of these powers, with the centres that it owns itself."
    YES = "yes", "The player, with the centres of all these powers together."


CHOICES: Mapping[str, type[RuleAnswer]] = MappingProxyType(
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
        "cutting": Cutting,
        "foreign_boarding": ForeignBoarding,
        "retreat_collisions": RetreatCollisions,
        "removals": Removals,
        "disorder_retreats": DisorderRetreats,
        "impossible_orders": ImpossibleOrders,
        "waiving": Waiving,
        "joint_victory": JointVictory,
        "minors_block": MinorsBlock,
        "minor_home_six": MinorHomeSix,
    }
)
"""Name of the choice -> its enumeration, in the order in which reports list them."""

ASKED: Mapping[str, str] = MappingProxyType(
    {
        "convoy_routes": "An army could be carried by more than one route, and a fleet of one route is dislodged",
        "paradox": "What the attack of a convoyed army does to the support that decides over its own convoy",
        "adjacent_convoy": "When an army goes by sea to a neighbouring province, to which it could also walk",
        "land_fallback": "An army was to go by sea to a neighbouring province, and there is no convoy",
        "convoyed_origin": "From where a convoyed army attacks",
        "dislodged_effect": "What effect a dislodged unit has on the place from which its attacker came",
        "convoyed_retreat": "May a unit retreat to where the convoyed army came from that dislodged it?",
        "support_coast": "Which coast is named in a support for a fleet that goes to a province with two coasts",
        "coastal_crawl": "May two fleets change places if one of them leaves by the other coast?",
        "cutting": "Which attacks cut a support?",
        "foreign_boarding": "May an army come aboard a fleet of another country, where fleets carry armies that way?",
        "retreat_collisions": "Several units retreat to the same place",
        "removals": "Which unit goes when a power in civil disorder has too many",
        "disorder_retreats": "What becomes of dislodged units of a power in civil disorder",
        "impossible_orders": "May a unit that was ordered to make an impossible move be supported where it is?",
        "waiving": "Builds that a player does not use",
        "joint_victory": "Who wins where one player has several powers",
        "minors_block": "1914: do units of minor countries that nobody leads watch the spaces beside supply lines?",
        "minor_home_six": "1914: does its own home centre yield six to a minor country that is led?",
    }
)
"""Name of the choice -> the question, as players read it."""


class UnknownChoice(ValueError):
    """No such choice, or no such answer to it; the message says which there are."""


def read_choice(name: str, value: str) -> RuleAnswer:
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
    return tell("did you mean {near}?", near=near[0]) if near else tell("there are {known}", known=", ".join(known))
