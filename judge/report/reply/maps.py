"""The answer to `map`: which pictures go along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.core import events as ev
from judge.game.core.model import Game, Stage
from judge.report.core.answer import Enclosure
from judge.report.core.facts import phase_fact
from judge.report.core.letter import plain
from judge.report.played.pictures import FINAL, ORDERS, POSITION, MapPicture, last_fought
from judge.report.played.results import Played, UnitsLine, counting, final_positions

MAP = "map"


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
        if (fought := last_fought(played)) is not None:
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
    """The picture of the present position as a tuple of one; empty before the start."""
    if game.position is None:
        return ()
    now = phase_fact(game, str(game.position.phase))
    return (MapPicture(_standing(game), now, game.results_version, game=game.key),)


def _standing(game: Game) -> str:
    return FINAL if game.stage is Stage.ENDED else POSITION


def _skipped_after(played: Sequence[Played], event: Played) -> Played:
    """The last of the phases after this one in which nobody had anything to do, or this one."""
    for later in played[played.index(event) + 1 :]:
        if not isinstance(later, ev.PhaseSkipped):
            break
        event = later
    return event
