"""The list of reasons: every slug that an outcome can carry, what it means, and the clause that says so.

Clauses are of the 1976 rulebook, "B.." of the house rules for play by mail; a system that adds reasons names its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Reason(NamedTuple):
    """What a slug means, and where the rules say so."""

    meaning: str
    clause: str
    unordered: bool = False
    """Whether it is said of what became of units, and of builds, for which there was no order."""


_reasons: dict[str, Reason] = {
    # moves
    "moved": Reason("the unit moved", "VII.1"),
    "convoyed": Reason("the army was convoyed", "XII.1"),
    "stood-off": Reason("another unit was ordered to the same space with as much strength or more", "VIII"),
    "held": Reason("the unit in the space was at least as strong", "IX.2"),
    "head-to-head": Reason("the unit in the space came the other way and was at least as strong", "VIII"),
    "not-vacated": Reason("the unit in the space was to leave, but did not", "VIII"),
    "own-unit": Reason("a unit of the same country did not leave the space", "IX.3"),
    "no-help-against-own": Reason("a country's support does not help to dislodge its own unit", "IX.3"),
    "convoy-disrupted": Reason("a fleet that was to carry the army was dislodged", "XII.3"),
    "needs-army": Reason("the unit gets in only with the support of an army", "IX"),
    "not-carried": Reason("no fleets were ordered to carry the army all the way", "XII.1"),
    "railway-closed": Reason("a place along the railway was occupied, or somebody else went there", "VII.1"),
    "railway-cut-short": Reason(
        "beyond where it stopped a place along the railway was occupied, or somebody else went there", "VII.1"
    ),
    "no-railway": Reason("no railway leads from there to there", "VII.1"),
    "no-support-by-rail": Reason("a unit that travels by rail cannot be supported into its goal", "IX.1"),
    "paradox": Reason("the convoy would have decided over itself, so it did not take place", "XII.5"),
    # supports and convoys
    "supported": Reason("the support was given", "IX.2"),
    "support-cut": Reason("the supporting unit was attacked", "X"),
    "support-dislodged": Reason("the supporting unit was dislodged", "X"),
    "supported-move-not-ordered": Reason("the other unit was not ordered to make this move", "IX.1"),
    "supported-unit-moves": Reason("the other unit was ordered to move, and cannot be supported in place", "IX.6"),
    "supported-unit-was-to-move": Reason("a unit ordered to make an impossible move cannot be supported", "IX.6"),
    "supported-coast-differs": Reason("the other fleet went to another coast", "VII.3b"),
    "carried": Reason("the fleet carried the army", "XII.1"),
    "convoy-unused": Reason("the army needed no convoy and walked", "XIV.5"),
    "convoyed-move-not-ordered": Reason("the army was not ordered to make this move", "XII.1"),
    "convoy-dislodged": Reason("the convoying fleet was dislodged", "XII.3"),
    # units that stand
    "stood": Reason("the unit held", "IX.6"),
    "no-order": Reason("no order was given; the unit held", "VII.1", unordered=True),
    "dislodged": Reason("the unit was ordered to hold, and was dislodged", "IX.2"),
    "dislodged-without-order": Reason("no order was given; the unit was dislodged", "IX.2", unordered=True),
    # impossible orders
    "cannot-go-there": Reason("this unit cannot go from there to there", "VII.1"),
    "border-closed": Reason("the border is closed in this season", "VII.1"),
    "coast-missing": Reason("the fleet could go to either coast, and none was named", "VII.3b"),
    "no-fleets-to-carry": Reason("the army could go there only by convoy, and no chain of fleets stands", "XII.1"),
    "cannot-support-there": Reason("the unit could not go to the space it was to support into", "IX.1"),
    "supported-unit-cannot-go-there": Reason("the supported unit could never make that move", "IX.1"),
    "supporter-needed-for-convoy": Reason("the army can get there only over the sea of the supporter", "XII.1"),
    "convoy-not-at-sea": Reason("only fleets in a body of water convoy", "XIV.5"),
    "only-armies-are-convoyed": Reason("only armies are convoyed", "XII.1"),
    "convoy-not-between-coasts": Reason("armies are convoyed from one coast to another", "XII.1"),
    "convoy-of-no-use": Reason("no route of the army leads over this fleet's sea", "XII.2"),
    "no-such-unit": Reason("the order names a unit that does not exist", "VII.4"),
    "ambiguous": Reason("the order has more than one meaning", "VII.4"),
    "unreadable": Reason("the order could not be understood", "VII.4"),
    "no-such-order": Reason("the rules of this game have no such order", "VII.4"),
    "not-paid": Reason("its power had not enough left to pay for it", "VII.4"),
    # retreats
    "retreated": Reason("the unit retreated", "XI"),
    "disbanded-by-order": Reason("the unit was disbanded as ordered", "XI.2"),
    "no-retreat-ordered": Reason("no retreat was ordered", "XI.2", unordered=True),
    "nowhere-to-retreat": Reason("there was no space to retreat to", "XI", unordered=True),
    "civil-disorder": Reason("units of a country in civil disorder do not retreat", "XIV.3"),
    "retreats-collided": Reason("another unit was ordered to retreat to the same space", "XI.2"),
    "same-only-retreat": Reason("several units could retreat to this space only", "XI.2"),
    "retreat-occupied": Reason("the space is occupied", "XI"),
    "retreat-to-attacker": Reason("the attacker came from there", "XI"),
    "retreat-stood-off": Reason("the space was left vacant by a stand-off", "XI"),
    "retreat-not-adjacent": Reason("the unit could not go there in one move; retreats are not convoyed", "XI.2"),
    "retreat-not-open": Reason("the space is not open to this retreat", "XI"),
    # adjustments
    "built": Reason("the unit was built", "XIII.2"),
    "removed": Reason("the unit was removed as ordered", "XIII.2"),
    "removed-in-disorder": Reason(
        "a unit had to go and none was named: the farthest from home goes", "XIV.4", unordered=True
    ),
    "waived": Reason("the build was not used", "XIII.2"),
    "unused": Reason("the build was not ordered and lapses", "XIII.2", unordered=True),
    "too-many-builds": Reason("there are no more units to build", "XIII.2"),
    "too-many-removals": Reason("no more units have to go", "XIII.2"),
    "not-a-home-centre": Reason("units are built in home supply centres only", "XIII.2"),
    "home-not-owned": Reason("the home centre is in other hands", "XIII.2"),
    "home-occupied": Reason("the centre is occupied", "XIII.2"),
    "built-there-already": Reason("only one unit can be built in a centre", "XIII.2"),
    "unit-cannot-stand-there": Reason("this kind of unit cannot stand there", "XIII.2"),
    "build-coast-missing": Reason("the coast of the new fleet was not named", "XIII.2"),
}

REASONS: Mapping[str, Reason] = MappingProxyType(_reasons)
"""Slug -> reason: those of 1976, and those that the other systems have added."""


def add_reasons(reasons: Mapping[str, Reason]) -> None:
    """Let a system add reasons of its own. Raises ValueError for a slug that means something else already."""
    for slug, reason in reasons.items():
        if _reasons.setdefault(slug, reason) != reason:
            raise ValueError(f"two reasons are called {slug!r}")


_retold: dict[str, tuple[Mapping[str, str], Mapping[str, str]]] = {}


def retell(system: str, sentences: Mapping[str, str], clauses: Mapping[str, str]) -> None:
    """Let a system, called by its key, tell shared reasons in words of its own, slug -> sentence, and cite clauses of
    its own where these name those of 1976, clause -> clause.
    """
    _retold[system] = sentences, clauses


def meaning_in(system: str, slug: str) -> str:
    """What a reason means in the words of a system; the slug's own where nobody knows it."""
    sentences, _ = _retold.get(system, ({}, {}))
    return sentences.get(slug) or (REASONS[slug].meaning if slug in REASONS else slug.replace("-", " "))


def clause_in(system: str, clause: str) -> str:
    """The clause of a system that stands for one of 1976; the clause itself where it names no other."""
    return _retold[system][1].get(clause, clause) if system in _retold else clause


def clause_of(slug: str) -> str:
    """The clause behind a reason; empty for a slug that a reader of orders made up."""
    reason = REASONS.get(slug)
    return reason.clause if reason else ""
