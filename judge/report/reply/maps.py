"""The answer to `map`: which pictures go along. The pictures themselves are drawn when the letter is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.board.phase import PhaseKind
from judge.game.core import events as ev
from judge.game.core.model import Game
from judge.report.core.answer import Enclosure
from judge.report.core.facts import PhaseFact, phase_fact
from judge.report.core.letter import plain
from judge.report.played.results import Played, UnitsLine, counting, final_positions

MAP, ORDERS, POSITION = "map", "orders", "position"


@dataclass(frozen=True, slots=True)
class MapPicture:
    """One picture: the orders of a phase, or where everything stands ahead of it. `version`: that of the results that
    it shows or stands on; `form`: "png", "svg" or "pdf".
    """

    what: str
    phase: PhaseFact
    version: int
    form: str
    printed: bool


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
        named.append((POSITION, now, game.results_version))
    elif (event := next((one for one in played if one.phase == phase), None)) is not None:
        if isinstance(event, ev.PhaseAdjudicated):
            named.append((ORDERS, event.phase, event.version))
        after = _skipped_after(played, event)
        named.append((POSITION, str(after.after["phase"]), getattr(event, "version", 1)))
    elif phase == now:
        named.append((POSITION, now, game.results_version))
    else:
        return None
    shown = tuple(MapPicture(what, phase_fact(game, code), version, form, printed) for what, code, version in named)
    return Enclosure(MAP, plain(MapView(shown, final_positions(game.position) if not phase else ())))


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
