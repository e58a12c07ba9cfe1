"""The rooms: one module, or small package, for each rule system; each says at its end which `ROOMS` it has.

Importing this package lets every room join the registry. A new rule system is a new file here and nothing else;
README.md is the lesson.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from judge.rules.registry import ROOMS, Room, UnknownRules, join, rules_for

__all__ = ["ROOMS", "Room", "UnknownRules", "join", "rules_for"]

for _found in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
    for _room in getattr(import_module(_found.name), "ROOMS", ()):
        join(_room)
