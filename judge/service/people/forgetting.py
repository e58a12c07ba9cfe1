"""Forgetting a person: at once what the judge knows of them, and once their last letter has gone all that was written.

What is still on its way or unsettled keeps only itself: the rest goes with the next sweep of the house, and it comes by
again every day until nothing is left.
"""

from __future__ import annotations

import json
from datetime import datetime

from judge.service.core.house import House
from judge.service.trust.errands import errands_of
from judge.store import Transaction
from judge.store.leftovers import Trail

_TRAIL = "forgotten."
"""Prefix of the settings that remember whose remains are to be cleared away, by the number of the person."""


def forget(unit: Transaction, person: int, now: datetime) -> None:
    """Erase a person whose last letter is written, and remember what to clear away when it has gone."""
    trail = unit.leftovers.trail(person, now)
    if trail is None:
        return
    for key in errands_of(unit, person):
        unit.meta.unset(key)
    unit.meta.set(f"{_TRAIL}{person}", _written(trail))
    unit.people.erase(person)


def clear_away(house: House) -> None:
    """Clear away what forgotten persons left, as far as it is settled."""
    with house.store.read() as view:
        waiting = list(view.meta.all(_TRAIL))
    for key in waiting:
        with house.store.write() as unit:
            kept = unit.meta.get(key)
            if kept is not None and unit.leftovers.clear(_read(kept)):
                unit.meta.unset(key)


def _written(trail: Trail) -> str:
    return json.dumps(
        {
            "addresses": trail.addresses,
            "since": trail.known_since.isoformat(),
            "at": trail.forgotten_at.isoformat(),
            "mail": trail.last_mail,
            "letter": trail.last_letter,
        }
    )


def _read(kept: str) -> Trail:
    facts = json.loads(kept)
    since, at = datetime.fromisoformat(facts["since"]), datetime.fromisoformat(facts["at"])
    return Trail(tuple(facts["addresses"]), since, at, int(facts["mail"]), int(facts["letter"]))
