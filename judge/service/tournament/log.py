"""The log of a tournament: events of its own beside those of the games, under the key "tournament:NAME"; and what its
boards came to, read from the games' cards.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

import msgspec

from judge.game.table.scoring import answers_for, points_of, score_from_json
from judge.people import tournament as tm
from judge.store import Transaction, View
from judge.store.rows import NewEvent

INDEX = "tournament."
"""Of the settings under which the stage of each tournament is kept, by its name."""


def load(view: View | Transaction, name: str) -> tm.Tournament | None:
    """A tournament as it stands; None if there is none of that name."""
    found: tm.Tournament | None = None
    for stored in view.events.load(f"tournament:{name}"):
        event = tm.happening_from_json(stored.kind, msgspec.json.decode(stored.data))
        if found is None:
            assert isinstance(event, tm.Announced)
            found = tm.announce(name, event)
        else:
            found = tm.proceed(found, event)
    return found


def record(
    unit: Transaction, name: str, before: tm.Tournament | None, events: Sequence[tm.Happening], now: datetime,
    mail: int | None = None,
) -> tm.Tournament:  # fmt: skip
    """Let events happen to a tournament, and write them. Raises Conflict if somebody was first."""
    after, rows = before, []
    for event in events:
        kind, facts = tm.happening_to_json(event)
        rows.append(NewEvent(kind, 1, msgspec.json.encode(facts).decode()))
        if after is None:
            assert isinstance(event, tm.Announced)
            after = tm.announce(name, event)
        else:
            after = tm.proceed(after, event)
    assert after is not None
    unit.events.append(f"tournament:{name}", before.seq if before else 0, rows, at=now, mail_id=mail)
    unit.meta.set(f"{INDEX}{name}", str(after.stage))
    return after


def results_of(view: View | Transaction, now: tm.Tournament) -> dict[str, list[tm.BoardPart]]:
    """What the boards that are over came to, by the tournament's scoring."""
    found: dict[str, list[tm.BoardPart]] = {}
    for board in (board for boards in now.rounds for board in boards if board.over):
        card = view.games.find(board.game)
        kept = json.loads(card.summary).get("score") if card is not None else None
        found[board.game] = []
        if kept:
            score = score_from_json(kept)
            points = points_of(score.placings, (now.terms.scoring,))[now.terms.scoring]
            found[board.game] = [
                tm.BoardPart(person, part, points[placing.power], placing.best, placing.centres)
                for placing in score.placings
                for person, part in answers_for(placing.terms)
            ]
    return found
