"""The tour: ten short letters that show what the judge can do, each with lines to try; the last offers a real game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.report.core.answer import Enclosure
from judge.report.core.facts import Said, say
from judge.report.core.letter import plain


@dataclass(frozen=True, slots=True)
class TourView:
    """Letter `number` of `of`: what it shows, in the last the games that look for players, and in the others the line
    that brings the next one. The lines to try stand in its template.
    """

    number: int
    of: int
    title: Said
    lesson: Said
    openings: tuple[str, ...]
    next: str
    ignored: tuple[str, ...] = ()


def tour_view(number: int, of: int, openings: Sequence[str]) -> Enclosure:
    """One letter of the tour. `openings`: names of games that look for players."""
    view = TourView(
        number=number,
        of=of,
        title=say(f"tour-title-{number}"),
        lesson=say(f"tour-{number}", openings=openings[:3]),
        openings=tuple(openings[:3]),
        next="" if number == of else f"tour {number + 1}",
    )
    return Enclosure("tour", plain(view))
