"""What is to be drawn, as values that can be handed to another process; and the drawing itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from judge.adjudicate.outcome import Outcome, outcomes_from_json, outcomes_to_json
from judge.board.model import Board
from judge.board.phase import Phase
from judge.board.position import Position, position_from_json
from judge.draw import (
    CODES,
    NAMES,
    BoardPictures,
    Caption,
    Look,
    Picture,
    changed_hands,
    clashes,
    orders_picture,
    position_picture,
)
from judge.draw.faces import LIGHT
from judge.draw.parts import PartOfPicture, part_for
from judge.game.core import events as ev
from judge.game.core.model import Game
from judge.game.repair.correcting import PositionCorrected
from judge.game.settings.table import Settings
from judge.game.table.sandbox import BoardEdited
from judge.history import read_out
from judge.languages import tell
from judge.orders.stored import units_of
from judge.report.played.results import AFTER, FINAL, IMPORTED, ORDERS, PREVIEW, SANDBOX, SPECULATION
from judge.service.core.keeper import Keeper, thaw
from judge.service.core.systems import Shelf
from judge.service.pictures.shown import Shown
from judge.store import Transaction, View

_PLACING = ("GameStarted", "PhaseAdjudicated", "PhaseSkipped", "PositionCorrected", "BoardEdited")
"""Events that say where everything stands."""
_STAMPS: Mapping[str, str] = MappingProxyType({
    SPECULATION: "Speculation: nothing was ordered",
    PREVIEW: "Preview: for the Gamemaster alone",
    IMPORTED: "Imported: not played here",
    SANDBOX: "Sandbox: one person orders for all",
})  # fmt: skip
"""What stands above a picture of something that was never played."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Everything that a picture is made of: plain values alone. `before`, `outcomes`: of the phase whose orders are
    shown, or which led to the position `after`; None where there is none.
    """

    settings: Settings
    title: str
    game: str
    shown: Shown
    before: Mapping[str, Any] | None
    outcomes: tuple[Mapping[str, Any], ...]
    after: Mapping[str, Any] | None
    stamps: tuple[str, ...] = ()
    begun: Mapping[str, Any] | None = None
    """The position in which the phase began that was played last: whose centre has changed hands since is shown."""


def sketch_of(view: View | Transaction, keeper: Keeper, key: str, shown: Shown) -> Sketch | None:
    """What a picture of a game shows; None if the game has no such phase."""
    game = keeper.load(view, key)
    if game is None:
        return None
    if shown.tried:
        return _never_played(game, shown)
    found: Sketch | None = None
    begun: Mapping[str, Any] | None = None
    for stored in view.events.load(key):
        if stored.kind in _PLACING:
            event = thaw(stored)
            if not isinstance(event, ev.PhaseSkipped):
                begun = event.before if isinstance(event, ev.PhaseAdjudicated) else None
            found = _shown_by(event, game, shown, begun) or found
    return found


def _shown_by(event: ev.Event, game: Game, shown: Shown, begun: Mapping[str, Any] | None) -> Sketch | None:
    """The picture, if this event is what it shows. Of several events of a phase and version the last one counts."""
    version = getattr(event, "version", 1)
    if shown.what == ORDERS:
        if isinstance(event, ev.PhaseAdjudicated) and (event.phase, version) == (shown.phase, shown.version):
            outcomes = tuple(outcomes_to_json(result.outcome for result in read_out(event, game).results))
            return Sketch(game.settings, _title(game, shown), game.key, shown, event.before, outcomes, None)
        return None
    after = _placed_by(event)
    if after is None or after["phase"] != shown.phase or version > shown.version:
        return None
    before, outcomes = (event.before, tuple(event.outcomes)) if isinstance(event, ev.PhaseAdjudicated) else (None, ())
    return Sketch(game.settings, _title(game, shown), game.key, shown, before, outcomes, after, begun=begun)


def _title(game: Game, shown: Shown) -> str:
    title = game.calendar.title(Phase.read(shown.phase))
    return {ORDERS: title, FINAL: tell("Final position"), AFTER: f"After {title}"}.get(shown.what, f"Before {title}")


def _never_played(game: Game, shown: Shown) -> Sketch:
    """The picture of something that was tried, marked as such."""
    tried = json.loads(shown.tried)
    stamps = (_STAMPS[tried["stamp"]],)
    title, after = _title(game, shown), None if shown.what == ORDERS else tried["after"]
    return Sketch(game.settings, title, game.key, shown, tried["before"], tuple(tried["outcomes"]), after, stamps,
                  tried["before"])  # fmt: skip


def _placed_by(event: ev.Event) -> Mapping[str, Any] | None:
    placed: Mapping[str, Any] | None = None
    if isinstance(event, (ev.PhaseAdjudicated, ev.PhaseSkipped)):
        placed = event.after
    elif isinstance(event, (ev.GameStarted, PositionCorrected, BoardEdited)):
        placed = event.position
    return placed


def picture_of(sketch: Sketch, shelf: Shelf, pictures: BoardPictures) -> Picture:
    """The picture of a sketch. Raises ValueError for a board that cannot be had."""
    system = shelf(sketch.settings)
    board, rules = system.board, system.rules
    topology, shown = pictures(board), sketch.shown
    printed, face = shown.printed or shown.form == "pdf", shown.face or LIGHT
    before = position_from_json(sketch.before, board) if sketch.before is not None else None
    outcomes = _outcomes(sketch, before) if before is not None else ()
    caption = Caption(sketch.game, sketch.title, shown.version, sketch.stamps)
    if shown.what == ORDERS and before is not None:
        return orders_picture(
            topology, before, outcomes, caption, Look(printed, CODES.naming, face), rules.extras(before)
        )
    assert sketch.after is not None
    after = position_from_json(sketch.after, board)
    vacant = tuple(clashes(before, outcomes)) if before is not None and after.dislodged else ()
    look = Look(printed, NAMES.naming, face)
    taken = changed_hands(position_from_json(sketch.begun, board), after) if sketch.begun is not None else ()
    return position_picture(topology, after, caption, look, rules.extras(after), vacant, taken)


def part_of(sketch: Sketch, picture: Picture, board: Board) -> PartOfPicture:
    """The part of a picture that its name asks for."""
    return part_for(picture, board, [power for power in sketch.shown.powers if power in board.powers])


def _outcomes(sketch: Sketch, before: Position) -> tuple[Outcome, ...]:
    units = units_of(before)
    return outcomes_from_json(sketch.outcomes, units)
