"""The features of running a game, gathered from its folders and installed: every module there that has a `FEATURE`.

They are in the order of their modules' names: that in which several features follow one event, and in which their
clocks are asked.
"""

from __future__ import annotations

from judge.game import clock, filing, office, repair, table, talk
from judge.game.core import evolve
from judge.game.core.registry import REGISTRY, Feature, modules_of


def _features() -> tuple[Feature, ...]:
    modules = modules_of(clock, filing, office, repair, table, talk)
    return (evolve.FEATURE, *(module.FEATURE for module in modules if hasattr(module, "FEATURE")))


FEATURES = _features()

REGISTRY.add(FEATURES)
