"""What readers do not wish to get: reminders that somebody has paused, talk for observers who want results alone, and
single letters for those who want a digest. And in what form they wish to get the rest.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from judge.report.core.letter import Kind, Letter
from judge.service.core.directory import topic_of
from judge.store import NoSuchRow, Transaction, View

RESULTS = frozenset({Kind.STARTED, Kind.RESULTS, Kind.CORRECTED, Kind.ENDED})
"""What an observer gets who wants results alone."""


def unwanted(view: View | Transaction, letter: Letter) -> bool:
    """Whether the reader of a letter has said that they do not want its kind."""
    if not letter.person:
        return False
    if letter.kind is Kind.REMINDER and not letter.view.get("gm"):  # what a Gamemaster asks for is no clock's letter
        return not _options(view, letter.person).get("reminders", True)
    if letter.seat or not letter.game:
        return False
    wish = _observes(view, letter.person, letter.game)
    return wish == "digest" or (wish == "results" and letter.kind not in RESULTS)


def _options(view: View | Transaction, person: int) -> dict[str, object]:
    try:
        found: dict[str, object] = json.loads(view.people.get(person).options)
    except NoSuchRow:
        return {}
    return found


def _observes(view: View | Transaction, person: int, game: str) -> str:
    """What somebody wants to get of a game that they observe, "" if they do not observe it."""
    rows = [row for row in view.lists.subscriptions(person) if row.topic == topic_of(game)]
    return str(json.loads(rows[0].options).get("what", "report")) if rows else ""


# --- the form of letters ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Format:
    """What comes with the text of a letter, which comes always: the letter as a page, pictures, deadlines as a calendar
    file. Pictures without a page are files beside the text.
    """

    page: bool = True
    pictures: bool = True
    calendar: bool = True
    manner: str = ""
    """How the words are put: "spoken" for the ear, "terse" for those who know; "" as usual."""
    explain: bool = False
    """Whether reports say in sentences why orders failed, though the game does not ask for it."""
    njudge: bool = False
    """Whether reports hold their results in njudge's layout, too."""
    face: str = ""
    """"dark" for pictures on dark ground; "" for the usual ones."""
    language: str = ""
    """The code of the language in which letters are told; "" for the one that is usual here."""


def formats_of(view: View | Transaction, persons: Collection[int]) -> dict[int, Format]:
    """In what form these persons want their letters."""
    return {number: _format(person.options) for number, person in view.people.get_all(persons).items()}


def set_format(unit: Transaction, person: int, changes: Mapping[str, Any]) -> Format:
    """Note what somebody wants; what `changes` does not name stays as it is. Returns all of it."""
    row = unit.people.get(person)
    wanted = replace(_format(row.options), **changes)
    options = {**json.loads(row.options), "format": asdict(wanted)}
    unit.people.save(replace(row, options=json.dumps(options)))
    return wanted


def _format(options: str) -> Format:
    return Format(**json.loads(options).get("format", {})) if '"format"' in options else Format()
