"""The features of running a game: each is a module with its own commands and events, listed once, here.

A feature module offers any of five tables:

    EVOLVE   event class -> (game, event) -> game
    DECIDE   command class -> (game, command, actor, now, lot) -> Decision | Refusal
    GM_ONLY  command classes that only the Gamemaster (or the operator) may use
    FOLLOW   event class -> (game after it, event) -> what follows at once ("the vote is decided")

`judge.game.evolve` and `judge.game.decide` look here for what they do not know themselves.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

FEATURES: tuple[str, ...] = (
    "absences",
    "advance",
    "again",
    "amendments",
    "ballots",
    "diaries",
    "deciding",
    "extensions",
    "ladder",
    "offices",
    "outages",
    "plans",
    "recall",
    "rewriting",
    "rulings",
    "splitting",
    "vacancies",
)
"""Names of modules in this package."""


@cache
def _modules() -> tuple[ModuleType, ...]:
    # Imported late: a feature may use `evolve` and `decide`, which look their handlers up here.
    return tuple(importlib.import_module(f"judge.game.{name}") for name in FEATURES)


def _merged(table: str) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for module in _modules():
        found.update(getattr(module, table, {}))
    return found


@cache
def evolvers() -> Mapping[type[Any], Callable[[Any, Any], Any]]:
    """Event class -> what it does to a game."""
    return _merged("EVOLVE")


@cache
def deciders() -> Mapping[type[Any], Callable[..., Any]]:
    """Command class -> what answers it."""
    return _merged("DECIDE")


@cache
def followers() -> Mapping[type[Any], Callable[[Any, Any], tuple[Any, ...]]]:
    """Event class -> the events that it brings about at once."""
    return _merged("FOLLOW")


@cache
def gm_only() -> tuple[type[Any], ...]:
    """Commands of the GM's desk."""
    return tuple(kind for module in _modules() for kind in getattr(module, "GM_ONLY", ()))
