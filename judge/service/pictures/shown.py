"""Which pictures a letter shows: names of pictures, read from its view. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.report.core.letter import Kind
from judge.report.reply.maps import MAP, ORDERS, POSITION

AT_MOST, AT_MOST_ASKED = 2, 6
"""Pictures in one letter, so that a mail stays below half a megabyte."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The name of a picture of one game. `what`: the orders of `phase` and what became of them, or where everything
    stands ahead of it; `version`: that of the results it shows, or stands on. `printed`: black and white; `form`:
    "png", "pdf" or "svg".
    """

    what: str
    phase: str
    version: int
    printed: bool = False
    form: str = "png"

    @property
    def kind(self) -> str:
        """What it is kept under beside game and phase."""
        form = "" if self.form == "png" else f"/{self.form}"
        return f"{self.what}/{self.version}{'/bw' if self.printed else ''}{form}"

    @property
    def name(self) -> str:
        """Of its file: facts that everybody knows who may see it."""
        return f"{self.phase}-{self.what}{'-bw' if self.printed else ''}.{self.form}"


_SHOW_POSITION = frozenset({Kind.STARTED, Kind.TAKEOVER, Kind.CORRECTED, "status"})
PICTURED = frozenset({Kind.RESULTS, Kind.RECEIPT, MAP, *_SHOW_POSITION})
"""Kinds of letters that may show a picture."""


def asked_for(kind: str, view: Mapping[str, Any]) -> tuple[Shown, ...]:
    """The pictures that the reader of a letter has asked for, in their order."""
    asked = [one for sort, each in _parts(kind, view) if sort == MAP for one in each["shown"]]
    found = [Shown(one["what"], one["phase"]["code"], one["version"], one["printed"], one["form"]) for one in asked]
    return tuple(dict.fromkeys(found))[:AT_MOST_ASKED]


def shown_in(kind: str, view: Mapping[str, Any]) -> tuple[Shown, ...]:
    """The pictures that belong to a letter of a kind, in their order: public facts alone, whoever reads it.

    Results show the orders of the phase that was fought, and where everything stands now; whatever else tells a
    position shows that. A receipt shows what the letters that it encloses would show.
    """
    found: list[Shown] = []
    reply = view.get("reply") or {}
    if kind == Kind.RESULTS:
        found += _fought(view["results"])
    tells = kind == Kind.RESULTS or any(sort in _SHOW_POSITION for sort, _ in _parts(kind, view))
    if tells and reply.get("turn"):
        found.append(Shown(POSITION, reply["turn"], reply["version"]))
    return tuple(found)[:AT_MOST]


def _parts(kind: str, view: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A letter and those that it encloses: each one's kind and view."""
    yield kind, view
    for one in view.get("enclosures", ()):
        yield str(one["kind"]), one["view"]


def _fought(results: list[dict[str, Any]]) -> Iterator[Shown]:
    """Of the phases that were played at once, the one that says most: the moves, else the last with orders."""
    played = [result for result in results if result["blocks"]]
    best = next((result for result in played if result["kind"] == "M"), played[-1] if played else None)
    if best is not None:
        yield Shown(ORDERS, best["phase"], best["version"])
