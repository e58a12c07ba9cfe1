"""Pictures as letters name them: which phase's orders, or which position. They are drawn when the letter is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.board.phase import PhaseKind
from judge.board.position import Position, position_to_json
from judge.game.core import events as ev
from judge.game.core.model import Game
from judge.report.core.naming import PhaseFact, phase_fact
from judge.report.played.results import Played

ORDERS, POSITION, FINAL, AFTER = "orders", "position", "final", "after"
BIG, PART = "big", "part"
"""Extents of a picture that is not the whole board at its usual size."""
DARK = "dark"
"""The face of a picture on dark ground."""
SPECULATION, PREVIEW, IMPORTED, SANDBOX = "speculation", "preview", "imported", "sandbox"


@dataclass(frozen=True, slots=True)
class Tried:
    """What a picture of a phase that was never played is drawn from: position and orders as the JSON of events.
    `stamp`, the word across it: "speculation", "preview", "imported" or "sandbox".
    """

    stamp: str
    before: ev.Json | None
    outcomes: Sequence[ev.Json]
    after: ev.Json


@dataclass(frozen=True, slots=True)
class MapPicture:
    """One picture: the orders of a phase ("orders"), where everything stands ahead of it ("position"), would stand
    after it ("after"), or stood when the game was over ("final"). `version`: of the results that it shows or stands on;
    `form`: "png", "svg" or "pdf"; `tried`: of something that was never played; `extent`: "big", or "part",
    which is that of `powers`, or without any where the board is crowded; `face`: "dark", or "" for the usual one.
    """

    what: str
    phase: PhaseFact
    version: int
    form: str = "png"
    printed: bool = False
    game: str = ""
    tried: Tried | None = None
    extent: str = ""
    powers: tuple[str, ...] = ()
    face: str = ""


def tried_pictures(
    game: Game, stamp: str, events: Sequence[Played], form: str = "png", *, printed: bool = False
) -> tuple[MapPicture, ...]:
    """The pictures of phases that were never played: the orders of the one that was fought, and what it led to."""

    def picture(what: str, phase: str, tried: Tried) -> MapPicture:
        return MapPicture(what, phase_fact(game, phase), game.results_version, form, printed, game.key, tried)

    found = []
    ordered = [event for event in events if isinstance(event, ev.PhaseAdjudicated) and event.outcomes]
    if fought := last_fought(ordered) or (ordered[-1] if ordered else None):
        found.append(picture(ORDERS, fought.phase, Tried(stamp, fought.before, fought.outcomes, fought.after)))
    if events:
        # Only with the orders it follows from does a position show where a stand-off bars retreats.
        last, driven_out = events[-1], bool(events[-1].after.get("dislodged"))
        before, outcomes = (
            (last.before, last.outcomes) if driven_out and isinstance(last, ev.PhaseAdjudicated) else (None, ())
        )
        found.append(picture(AFTER, (ordered or events)[-1].phase, Tried(stamp, before, outcomes, last.after)))
    return tuple(found)


def placed_picture(game: Game, position: Position, stamp: str) -> MapPicture:
    """The picture of a position that was brought from elsewhere, or put so by hand."""
    tried = Tried(stamp, None, (), position_to_json(position))
    return MapPicture(POSITION, phase_fact(game, str(position.phase)), game.results_version, game=game.key, tried=tried)


def last_fought(played: Sequence[Played]) -> ev.PhaseAdjudicated | None:
    """The last movement phase among those played; None if there is none."""
    moves = [one for one in played if isinstance(one, ev.PhaseAdjudicated) and one.phase.endswith(PhaseKind.MOVES)]
    return moves[-1] if moves else None
