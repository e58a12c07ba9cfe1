"""What a game remembers of its last phases, so that results can be taken back: no file is opened for that.

Memory is bounded and rebuilt from the log with everything else; how far back it reaches is the same for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from judge.game.core.altering import altered
from judge.game.core.events import PhaseAdjudicated
from judge.game.core.model import G, Game, Played, Running

REACH = 8
"""Phases that can be taken back: more than a year. Each costs some memory in every game."""


def remember(game: Running, event: PhaseAdjudicated) -> Running:
    """The game ahead of a phase's results, with what must be known to take them back; a replay ends with them."""
    played = Played(replace(event, before=None), altered(game, past=()))  # `before` is in the game of that time
    game = altered(game, past=(*game.past, played)[-REACH:], headline="", courtesy=False)
    if event.version > 1:
        game = altered(game, versions=noted(game.versions, {event.phase: event.version}))
    if game.replay is not None and game.replay.phase == event.phase:
        game = taken_up(game, event.at)
    return game


def taken_up(game: G, now: datetime) -> G:
    """A game behind its replay: the calendar runs again, unless it was on hold before its results were taken back."""
    assert game.replay is not None
    since = now if game.replay.held else None
    return altered(
        game, replay=None, held_since=since, held_reason=game.replay.held_reason, held_until=game.replay.held_until
    )


def next_version(game: Game, phase: str) -> int:
    """The number of a phase's next results: 1, or one more than were published before."""
    return game.versions.get(phase, 0) + 1


def noted(versions: Mapping[str, int], more: Mapping[str, int]) -> Mapping[str, int]:
    """The versions published, with more of them."""
    return MappingProxyType({**versions, **more})
