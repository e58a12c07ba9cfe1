"""Which pictures a letter shows: names of pictures, read from its view. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.report.core.letter import Kind

ORDERS, POSITION = "orders", "position"

AT_MOST = 2
"""Pictures in one letter, so that a mail stays below half a megabyte."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The name of a picture of one game. `what`: the orders of `phase` and what became of them, or where everything
    stands ahead of it; `version`: that of the results it shows, or stands on. `printed`: black and white.
    """

    what: str
    phase: str
    version: int
    printed: bool = False

    @property
    def kind(self) -> str:
        """What it is kept under beside game and phase."""
        return f"{self.what}/{self.version}{'/bw' if self.printed else ''}"

    @property
    def name(self) -> str:
        """Of its file, without ending: facts that everybody knows who may see it."""
        return f"{self.phase}-{self.what}{'-bw' if self.printed else ''}"


_SHOW_POSITION = frozenset({Kind.STARTED, Kind.TAKEOVER, Kind.CORRECTED, "status"})
PICTURED = frozenset({Kind.RESULTS, Kind.RECEIPT, *_SHOW_POSITION})
"""Kinds of letters that may show a picture."""


def shown_in(kind: str, view: Mapping[str, Any]) -> tuple[Shown, ...]:
    """The pictures that a letter shows, in their order: public facts alone, whoever reads it.

    Results show the orders of the phase that was fought, and where everything stands now; whatever else tells a
    position shows that. A receipt shows what the letters that it encloses would show.
    """
    reply = view.get("reply") or {}
    found: list[Shown] = []
    if kind == Kind.RESULTS:
        found += _fought(view["results"])
    enclosed = {str(one["kind"]) for one in view.get("enclosures", ())}
    tells = kind == Kind.RESULTS or not _SHOW_POSITION.isdisjoint({kind, *enclosed})
    if tells and reply.get("turn"):
        found.append(Shown(POSITION, reply["turn"], reply["version"]))
    return tuple(found)[:AT_MOST]


def _fought(results: list[dict[str, Any]]) -> Iterator[Shown]:
    """Of the phases that were played at once, the one that says most: the moves, else the last with orders."""
    played = [result for result in results if result["blocks"]]
    best = next((result for result in played if result["kind"] == "M"), played[-1] if played else None)
    if best is not None:
        yield Shown(ORDERS, best["phase"], best["version"])
