"""Rule systems: one module or small package each, which lists its `RULE_SYSTEMS` (registered systems) at its end.

Importing this package registers them all. A new rule system is a new file here; README.md is the tutorial.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from judge.rules.model import RULE_SYSTEMS, RuleSystem, UnknownRules, join, rules_for

__all__ = ["RULE_SYSTEMS", "RuleSystem", "UnknownRules", "join", "rules_for"]

for _found in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
    for _system in getattr(import_module(_found.name), "RULE_SYSTEMS", ()):
        join(_system)
