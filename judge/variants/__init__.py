"""Rule systems: one module or small package each, which lists its `ROOMS` (registered systems) at its end.

Importing this package registers them all. A new rule system is a new file here; README.md is the tutorial.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from judge.rules.model import ROOMS, Room, UnknownRules, join, rules_for

__all__ = ["ROOMS", "Room", "UnknownRules", "join", "rules_for"]

for _found in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
    for _room in getattr(import_module(_found.name), "ROOMS", ()):
        join(_room)
