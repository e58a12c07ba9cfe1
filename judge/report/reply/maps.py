"""Which pictures go along with an answer, and the answer to `map`. The pictures themselves are drawn when the letter is
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.board.phase import PhaseKind
from judge.board.position import Position, position_to_json
from judge.game.core import events as ev
from judge.game.core.model import Game, Stage
from judge.report.core.answer import Enclosure
from judge.report.core.facts import PhaseFact, phase_fact
from judge.report.core.letter import plain
from judge.report.played.results import Played, UnitsLine, counting, final_positions

MAP = "map"
ORDERS, POSITION, FINAL, AFTER = "orders", "position", "final", "after"
SPECULATION, PREVIEW, IMPORTED = "speculation", "preview", "imported"


@dataclass(frozen=True, slots=True)
class Tried:
    """What a picture of something that was never played is made of: the JSON that events hold. `stamp`: "speculation",
    "preview" or "imported".
    """

    stamp: str
    before: ev.Json | None
    outcomes: Sequence[ev.Json]
    after: ev.Json


@dataclass(frozen=True, slots=True)
class MapPicture:
    """One picture: the orders of a phase ("orders"), where everything stands ahead of it ("position"), would stand
    after it ("after"), or stood when the game was over ("final"). `version`: of the results that it shows or stands on;
    `form`: "png", "svg" or "pdf"; `tried`: of something that was never played.
    """

    what: str
    phase: PhaseFact
    version: int
    form: str = "png"
    printed: bool = False
    game: str = ""
    tried: Tried | None = None


@dataclass(frozen=True, slots=True)
class MapView:
    """What goes along; `positions`: where everything stands now, for who cannot see pictures."""

    shown: tuple[MapPicture, ...]
    positions: tuple[UnitsLine, ...]
    ignored: tuple[str, ...] = ()


def map_view(game: Game, events: Sequence[ev.Event], phase: str, form: str, *, printed: bool) -> Enclosure | None:
    """The maps of a phase ("": of the last turn and of now); None if the game has not played it."""
    if game.position is None:
        return None
    played = counting(events, game.calendar)
    now = str(game.position.phase)
    named: list[tuple[str, str, int]] = []
    if not phase:
        if (fought := _last_fought(played)) is not None:
            named.append((ORDERS, fought.phase, fought.version))
        named.append((_standing(game), now, game.results_version))
    elif (event := next((one for one in played if one.phase == phase), None)) is not None:
        if isinstance(event, ev.PhaseAdjudicated):
            named.append((ORDERS, event.phase, event.version))
        after = str(_skipped_after(played, event).after["phase"])
        named.append((_standing(game) if after == now else POSITION, after, getattr(event, "version", 1)))
    elif phase == now:
        named.append((_standing(game), now, game.results_version))
    else:
        return None
    shown = tuple(
        MapPicture(what, phase_fact(game, code), version, form, printed, game.key) for what, code, version in named
    )
    return Enclosure(MAP, plain(MapView(shown, final_positions(game.position) if not phase else ())))


def standing_now(game: Game) -> tuple[MapPicture, ...]:
    """The picture of where everything stands; none before the start."""
    if game.position is None:
        return ()
    now = phase_fact(game, str(game.position.phase))
    return (MapPicture(_standing(game), now, game.results_version, game=game.key),)


def tried_pictures(
    game: Game, stamp: str, events: Sequence[Played], form: str = "png", *, printed: bool = False
) -> tuple[MapPicture, ...]:
    """The pictures of phases that were never played: the orders of the one that was fought, and what it led to."""

    def picture(what: str, phase: str, tried: Tried) -> MapPicture:
        return MapPicture(what, phase_fact(game, phase), game.results_version, form, printed, game.key, tried)

    found = []
    ordered = [event for event in events if isinstance(event, ev.PhaseAdjudicated) and event.outcomes]
    if fought := _last_fought(ordered) or (ordered[-1] if ordered else None):
        found.append(picture(ORDERS, fought.phase, Tried(stamp, fought.before, fought.outcomes, fought.after)))
    if events:
        # Only with the orders it follows from does a position show where a stand-off bars retreats.
        last, driven_out = events[-1], bool(events[-1].after.get("dislodged"))
        before, outcomes = (
            (last.before, last.outcomes) if driven_out and isinstance(last, ev.PhaseAdjudicated) else (None, ())
        )
        found.append(picture(AFTER, (ordered or events)[-1].phase, Tried(stamp, before, outcomes, last.after)))
    return tuple(found)


def imported_picture(game: Game, position: Position) -> MapPicture:
    """The picture of a position that was brought from elsewhere."""
    tried = Tried(IMPORTED, None, (), position_to_json(position))
    return MapPicture(POSITION, phase_fact(game, str(position.phase)), game.results_version, game=game.key, tried=tried)


def _standing(game: Game) -> str:
    return FINAL if game.stage is Stage.ENDED else POSITION


def _last_fought(played: Sequence[Played]) -> ev.PhaseAdjudicated | None:
    """The last moves; before there are any, nothing."""
    moves = [one for one in played if isinstance(one, ev.PhaseAdjudicated) and one.phase.endswith(PhaseKind.MOVES)]
    return moves[-1] if moves else None


def _skipped_after(played: Sequence[Played], event: Played) -> Played:
    """The last of the phases after this one in which nobody had anything to do, or this one."""
    for later in played[played.index(event) + 1 :]:
        if not isinstance(later, ev.PhaseSkipped):
            break
        event = later
    return event
