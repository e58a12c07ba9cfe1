"""The tour: ten short letters that show what the judge can do, each with lines to try; the last offers a real game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.game.core.model import Game, Stage
from judge.report.core.answer import Enclosure
from judge.report.core.facts import Said, say
from judge.report.core.letter import plain
from judge.report.core.naming import power_name


@dataclass(frozen=True, slots=True)
class TourView:
    """Letter `number` of `of`: what it shows, in the last the games that look for players, and in the others the line
    that brings the next one. The lines to try stand in its template.

    `sandbox`: the reader's own board, "" if they have none; `game`: one that they play with others, and `other`: a
    power there to write to.
    """

    number: int
    of: int
    title: Said
    lesson: Said
    openings: tuple[str, ...]
    next: str
    sandbox: str = ""
    game: str = ""
    other: str = ""
    ignored: tuple[str, ...] = ()


def tour_view(number: int, of: int, openings: Sequence[str], played: Iterable[tuple[Game, str]] = ()) -> Enclosure:
    """One letter of the tour. `openings`: names of games that look for players; `played`: the games of the person
    who asks, each with their seat.
    """
    going = [(game, seat) for game, seat in played if game.stage is Stage.RUNNING and seat in game.seats]
    sandboxes = [game.key for game, _ in going if game.sandbox is not None]
    talking = [(game, seat) for game, seat in going if game.practice is None and game.settings.press]
    game, other = _partner(*talking[0]) if talking else ("", "")
    view = TourView(
        number=number,
        of=of,
        title=say(f"tour-title-{number}"),
        lesson=say(f"tour-{number}", openings=openings[:3], game=game),
        openings=tuple(openings[:3]),
        next="" if number == of else f"tour {number + 1}",
        sandbox=max(sandboxes, key=lambda key: (len(key), key), default=""),
        game=game,
        other=other,
    )
    return Enclosure("tour", plain(view))


def _partner(game: Game, seat: str) -> tuple[str, str]:
    """(a game, the name of the first power of somebody else there, "" if there is none)."""
    others = [power for one in game.seats.values() if one.filled and one.id != seat for power in one.powers]
    return (game.key, power_name(others[0], game.board)) if others else ("", "")
