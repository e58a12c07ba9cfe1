"""What each feature of a game adds: one registry, which refuses two answers to one question.

A feature is a module with a command or an event of its own, and a `FEATURE` at its end. `judge.game.features` finds
them all and installs them; `evolve`, `decide` and the clock look here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

Evolver = Callable[[Any, Any], Any]
"""(game, event) -> the game after it."""

Decider = Callable[[Any, Any, Any], Any]
"""(game, command, context) -> Decision | Refusal."""

Follower = Callable[[Any, Any], tuple[Any, ...]]
"""(game after an event, the event) -> events that it brings about at once ("the vote is decided")."""


Undo = Callable[[Any, Callable[[], Any]], Any] | tuple[str, str]
"""(event of the Gamemaster's act, what gives the game ahead of it) -> the command that undoes it, or None; or, of what
nothing undoes, why it stands, and the command that comes nearest.
"""


class OwnClock(NamedTuple):
    """What a feature wants of the clock beside the calendar, and of which games."""

    next_moment: Callable[[Any], Any]
    """game -> when it next wants the clock, or None."""
    events_due: Callable[[Any, Any, Any], tuple[Any, ...]]
    """(game, now, lot) -> the events of that moment."""
    stage: Any = None
    """Of games at this stage alone; None: at any."""
    alone: bool = False
    """Of games alone that one person plays by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """What one module answers: by class of event, by class of command."""

    evolve: Mapping[type[Any], Evolver] = field(default_factory=dict)
    decide: Mapping[type[Any], Decider] = field(default_factory=dict)
    gm_only: tuple[type[Any], ...] = ()
    """Commands that only the Gamemaster (or the operator) may give."""
    grave: tuple[type[Any], ...] = ()
    """Commands of theirs that need a second proof."""
    outside: tuple[type[Any], ...] = ()
    """Commands of theirs that are letters: what has been read stays read."""
    undo: Mapping[type[Any], Undo] = field(default_factory=dict)
    follow: Mapping[type[Any], Follower] = field(default_factory=dict)
    clock: OwnClock | None = None


class TakenTwice(Exception):
    """Two features answer for one command or event: a mistake in the program, found when it starts."""


class Registry:
    """The answers of all features. Followers and clocks keep the order in which features were added."""

    def __init__(self) -> None:
        self._evolvers: dict[type[Any], Evolver] = {}
        self._deciders: dict[type[Any], Decider] = {}
        self._followers: dict[type[Any], tuple[Follower, ...]] = {}
        self._undoings: dict[type[Any], Undo] = {}
        self.gm_only: tuple[type[Any], ...] = ()
        """Commands of the Gamemaster's desk; of these, those that need a second proof, and those that are letters."""
        self.grave: tuple[type[Any], ...] = ()
        self.outside: tuple[type[Any], ...] = ()
        self._clocks: tuple[OwnClock, ...] = ()
        self._clocks_of: dict[tuple[Any, bool], tuple[OwnClock, ...]] = {}

    def add(self, features: Iterable[Feature]) -> None:
        """Add features; raises TakenTwice where one answers for what another one answers already."""
        for feature in features:
            _merge(self._evolvers, feature.evolve)
            _merge(self._deciders, feature.decide)
            _merge(self._undoings, feature.undo)
            for kind, follow in feature.follow.items():
                self._followers[kind] = (*self._followers.get(kind, ()), follow)
            self.gm_only += feature.gm_only
            self.grave += feature.grave
            self.outside += feature.outside
            self._clocks += () if feature.clock is None else (feature.clock,)
        self._clocks_of.clear()

    @property
    def evolvers(self) -> Mapping[type[Any], Evolver]:
        """Event class -> what it does to a game."""
        return MappingProxyType(self._evolvers)

    @property
    def deciders(self) -> Mapping[type[Any], Decider]:
        """Command class -> what answers it."""
        return MappingProxyType(self._deciders)

    def undo(self, event: Any) -> Undo | None:
        """What takes back the act of the Gamemaster that an event tells, as far as the event itself says."""
        return self._undoings.get(type(event))

    def clocks(self, stage: Any, *, alone: bool) -> tuple[OwnClock, ...]:
        """What wants the clock of a game beside its calendar."""
        if (stage, alone) not in self._clocks_of:
            found = (one for one in self._clocks if one.stage in (None, stage) and (alone or not one.alone))
            self._clocks_of[stage, alone] = tuple(found)
        return self._clocks_of[stage, alone]

    def is_followed(self, event: Any) -> bool:
        """Whether an event brings about others."""
        return type(event) in self._followers

    def followed_by(self, game: Any, event: Any) -> tuple[Any, ...]:
        """The events that an event brings about at once; several features may follow one event."""
        return tuple(more for follow in self._followers.get(type(event), ()) for more in follow(game, event))


def _merge(into: dict[type[Any], Any], answers: Mapping[type[Any], Any]) -> None:
    for kind, answer in answers.items():
        if kind in into:
            raise TakenTwice(f"{kind.__name__} is answered for twice: by {into[kind]!r} and by {answer!r}")
        into[kind] = answer


REGISTRY = Registry()
"""The features of this judge, added by `judge.game.features`."""


def modules_of(*folders: ModuleType) -> list[ModuleType]:
    """Import every module of some folders: a new one takes part by being there. In the order of their own names."""
    found = [(module.name, folder.__name__) for folder in folders for module in iter_modules(folder.__path__)]
    return [import_module(f"{folder}.{name}") for name, folder in sorted(found)]
