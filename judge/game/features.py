"""The features of running a game: each is a module with its own commands and events, listed once, here.

A feature module offers any of five tables:

    EVOLVE   event class -> (game, event) -> game
    DECIDE   command class -> (game, command, actor, now, lot) -> Decision | Refusal
    GM_ONLY  command classes that only the Gamemaster (or the operator) may use
    FOLLOW   event class -> (game after it, event) -> what follows at once ("the vote is decided")
    CLOCK    (game -> when it next wants the clock, (game, now, lot) -> what happens then), at any stage

`judge.game.evolve` and `judge.game.decide` look here for what they do not know themselves.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

FEATURES: tuple[str, ...] = (
    "overtaken",
    "absences",
    "advance",
    "again",
    "amendments",
    "autostart",
    "awaiting",
    "ballots",
    "deciding",
    "diaries",
    "dropping",
    "epilogue",
    "extensions",
    "forward",
    "ladder",
    "offices",
    "outages",
    "plans",
    "practice",
    "proxies",
    "recall",
    "reopening",
    "rewriting",
    "rulings",
    "splitting",
    "undoing",
    "vacancies",
    "withdrawing",
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
    """Event class -> the events that it brings about at once; two features may follow one event."""
    found: dict[type[Any], list[Callable[[Any, Any], tuple[Any, ...]]]] = {}
    for module in _modules():
        for kind, follow in getattr(module, "FOLLOW", {}).items():
            found.setdefault(kind, []).append(follow)
    return {kind: _one_after_the_other(follows) for kind, follows in found.items()}


def _one_after_the_other(follows: Sequence[Callable[[Any, Any], tuple[Any, ...]]]) -> Callable[[Any, Any], Any]:
    return lambda game, event: tuple(more for follow in follows for more in follow(game, event))


@cache
def clocks() -> tuple[tuple[Callable[[Any], Any], Callable[[Any, Any, Any], tuple[Any, ...]]], ...]:
    """For each feature that wants the clock: when, and what it does then."""
    return tuple(module.CLOCK for module in _modules() if hasattr(module, "CLOCK"))


@cache
def gm_only() -> tuple[type[Any], ...]:
    """Commands of the GM's desk."""
    return tuple(kind for module in _modules() for kind in getattr(module, "GM_ONLY", ()))
