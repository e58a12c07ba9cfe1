"""Which pictures a letter shows: names of pictures, read from its view. Nothing is drawn here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from judge.report.core.letter import Kind
from judge.report.played.results import FINAL, IMPORTED, ORDERS, PART, POSITION, PREVIEW, SANDBOX, SPECULATION
from judge.report.reply.inquiries import MAP

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
    cannot be read on a telephone, the powers of this reader (`judge.report.core.frame.Frame.part`): what concerns them
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
