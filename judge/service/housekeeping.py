"""What is kept for a while only, and thrown away once a day: questions that nobody answered in time, counts of days
gone by.
"""

from __future__ import annotations

from datetime import timedelta

from judge.service.addresses import lapsed_errands
from judge.service.house import House

TIDIED = "housekeeping.tidied"
"""The day (ISO date) on which things were last put in order."""

COUNTS_KEPT = timedelta(days=7)


def tidy(house: House) -> bool:
    """Put things in order, unless that was done today. True if it was done now."""
    now = house.clock.now()
    today = now.date().isoformat()
    with house.store.read() as view:
        if (view.meta.get(TIDIED) or "") >= today:
            return False
    with house.store.write() as unit:
        unit.meta.set(TIDIED, today)
        for key in lapsed_errands(unit, now):
            unit.meta.unset(key)
        unit.contacts.forget_counts((now - COUNTS_KEPT).date())
    return True
