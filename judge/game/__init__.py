"""One game: commands in, events out. Importing it installs every feature, whichever part is asked for.

The features are gathered from its folders: every module there that has a `FEATURE`, in the order of the modules' names,
which is that in which several features follow one event, and in which their clocks are asked.
"""

from __future__ import annotations

from judge.game import clock, filing, office, repair, table, talk
from judge.game.core import evolve

FEATURES: tuple[evolve.Feature, ...] = (
    evolve.FEATURE,
    *(
        module.FEATURE
        for module in evolve.modules_of(clock, filing, office, repair, table, talk)
        if hasattr(module, "FEATURE")
    ),
)

evolve.REGISTRY.add(FEATURES)
