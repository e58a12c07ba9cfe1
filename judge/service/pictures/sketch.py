"""Which pictures a letter shows, read from its view; what is to be drawn, as values that can be handed to another
process; and the drawing itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
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
from judge.orders.family import units_of
from judge.report.core.letter import Kind
from judge.report.played.results import AFTER, FINAL, IMPORTED, ORDERS, PART, POSITION, PREVIEW, SANDBOX, SPECULATION
from judge.report.reply.inquiries import MAP
from judge.service.core.judge import Shelf
from judge.service.core.keeper import Keeper, thaw
from judge.store import Transaction, View

AT_MOST, AT_MOST_ASKED = 2, 6
"""Pictures in one letter, so that a mail stays below half a megabyte."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The name of a picture. `what`: the orders of `phase` and what became of them, where everything stands ahead of
    it, or stood at the end; `version`: that of the results it shows, or stands on. `printed`: black and white; `form`:
    "png", "pdf" or "svg"; `game`: if not that of the letter; `tried`: JSON of what was never played, "" otherwise;
    `extent`: "" for the whole board, "big" for the same in large, "part" for what concerns these `powers`, or without
    any for where the board is crowded; `face`: "dark" for dark pages, "" for the usual one.
    """

    what: str
    phase: str
    version: int
    printed: bool = False
    form: str = "png"
    game: str = ""
    tried: str = ""
    extent: str = ""
    powers: tuple[str, ...] = ()
    face: str = ""

    @property
    def kind(self) -> str:
        """What it is kept under beside game and phase."""
        form = "" if self.form == "png" else f"/{self.form}"
        which = f"tried-{sha256(self.tried.encode()).hexdigest()[:32]}" if self.tried else str(self.version)
        extent = f"/{self.extent}{' ' if self.powers else ''}{'+'.join(self.powers)}" if self.extent else ""
        face = f"/{self.face}" if self.face else ""
        return f"{self.what}/{which}{'/bw' if self.printed else ''}{form}{extent}{face}"

    @property
    def name(self) -> str:
        """Of its file: facts that everybody knows who may see it."""
        words = (
            self.phase, self.what, *([self.stamp] if self.tried else []), *(["bw"] if self.printed else []),
            *re.findall(r"\w+", " ".join((self.extent, *self.powers, self.face)).lower()),
        )  # fmt: skip
        return f"{'-'.join(words)}.{self.form}"

    @property
    def coloured(self) -> bool:
        """Whether it is neither black and white nor for the printer."""
        return not self.printed and self.form != "pdf"

    @property
    def stamp(self) -> str:
        """What it shows instead of what was played: "speculation", "preview", "imported"; "" for what was."""
        return str(json.loads(self.tried)["stamp"]) if self.tried else ""


_SHOW_POSITION = frozenset({Kind.STARTED, Kind.TAKEOVER, Kind.CORRECTED, Kind.PRACTICE, Kind.ENDED})
_NAME_THEIRS = frozenset({"status", SPECULATION, PREVIEW, IMPORTED, SANDBOX, Kind.SHOWN})
"""Kinds whose views name the pictures that belong to them."""
PICTURED = frozenset({
    Kind.RESULTS, Kind.RECEIPT, Kind.NOTICE, Kind.VACANCY, MAP, *_SHOW_POSITION, *_NAME_THEIRS,
})  # fmt: skip
"""Kinds of letters that may show a picture."""


def asked_for(kind: str, view: Mapping[str, Any]) -> tuple[Shown, ...]:
    """The pictures that the reader of a letter has asked for, in their order."""
    found = [one for sort, each in _parts(kind, view) if sort == MAP or each.get("asked") for one in _named(each)]
    return tuple(dict.fromkeys(found))[:AT_MOST_ASKED]


def shown_in(kind: str, view: Mapping[str, Any], part: Iterable[str] | None = None) -> tuple[Shown, ...]:
    """The pictures that belong to a letter of a kind, in their order: of public facts alone, whoever reads it, but for
    those of what was tried.

    Results show the orders of the phase that was fought, and where everything stands now; whatever else tells a
    position shows that. A receipt shows what the letters that it encloses would show. `part`: where the whole board
    cannot be read on a telephone, the powers of this reader (`judge.report.core.letter.Frame.part`): what concerns them
    is shown after the orders, and in place of a second whole board.
    """
    found: list[Shown] = []
    if kind in (Kind.RESULTS, Kind.PRACTICE):
        found += _fought(view["results" if kind == Kind.RESULTS else "happened"])
    if _tells_position(kind, view):
        reply = view.get("reply") or {}
        over = kind == Kind.ENDED or view.get("ended")
        if reply.get("turn"):
            found.append(Shown(FINAL if over else POSITION, reply["turn"], reply["version"]))
    found += [one for sort, each in _parts(kind, view) if sort in _NAME_THEIRS for one in _named(each)]
    found = list(dict.fromkeys(found))[:AT_MOST]
    if part is not None and found and not found[0].tried:
        found[1:] = [replace(one, extent=PART, powers=tuple(part)) for one in found]
    return tuple(found)


def _tells_position(kind: str, view: Mapping[str, Any]) -> bool:
    if kind == Kind.NOTICE:
        return bool(view.get("positions"))
    if kind == Kind.VACANCY:
        return not view.get("warning")
    return kind == Kind.RESULTS or kind in _SHOW_POSITION


def _parts(kind: str, view: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A letter and those that it encloses: each one's kind and view."""
    yield kind, view
    for one in view.get("enclosures", ()):
        yield str(one["kind"]), one["view"]


def _named(view: Mapping[str, Any]) -> Iterator[Shown]:
    """The pictures that a view names."""
    for one in view.get("shown", ()):
        tried = json.dumps(one["tried"], sort_keys=True) if one.get("tried") else ""
        yield Shown(
            one["what"], one["phase"]["code"], one["version"], one["printed"], one["form"], one.get("game", ""), tried,
            one.get("extent", ""), tuple(one.get("powers", ())), one.get("face", ""),
        )  # fmt: skip


def _fought(results: list[dict[str, Any]]) -> Iterator[Shown]:
    """Of the phases that were played at once, the one that says most: the moves, else the last with orders."""
    played = [result for result in results if result["blocks"]]
    best = next((result for result in played if result["kind"] == "M"), played[-1] if played else None)
    if best is not None:
        yield Shown(ORDERS, best["phase"], best["version"])


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
