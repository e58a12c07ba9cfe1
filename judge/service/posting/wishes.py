"""What readers do not wish to get: reminders that somebody has paused, talk for observers who want results alone, and
single letters for those who want a digest.
"""

from __future__ import annotations

import json

from judge.report.core.letter import Kind, Letter
from judge.store import NoSuchRow, Transaction, View

RESULTS = frozenset({Kind.STARTED, Kind.RESULTS, Kind.CORRECTED, Kind.ENDED})
"""What an observer gets who wants results alone."""


def unwanted(view: View | Transaction, letter: Letter) -> bool:
    """Whether the reader of a letter has said that he does not want its kind."""
    if not letter.person:
        return False
    if letter.kind is Kind.REMINDER:
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
    """What somebody wants to get of a game that he observes, "" if he does not observe it."""
    rows = [row for row in view.lists.subscriptions(person) if row.topic == f"game:{game}"]
    return str(json.loads(rows[0].options).get("what", "report")) if rows else ""
