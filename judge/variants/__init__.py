"""Variants as rooms: one file or small package per rule system, each ending in a `Rules` that it registers.

Rules are found by key in one place, the registry of `judge.rules.presets`; importing this package lets every room
join it. Only `judge.service` asks for rules by the key that a game records.
"""

from __future__ import annotations

from judge.rules import Rules, preset


def rules_for(key: str) -> Rules:
    """The rules of a preset or a room; raises judge.rules.UnknownPreset with what there is.

    >>> rules_for("1976").key
    '1976'
    """
    return preset(key)


__all__ = ["rules_for"]
