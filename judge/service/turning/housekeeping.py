"""What is kept for a while only, and thrown away once a day: questions that nobody answered in time, counts of days
gone by, addresses of strangers, what forgotten persons left, and the bytes of old mails where the operator wishes so
(`mail.keep_raw`).
"""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.service.core.house import House
from judge.service.people.dossiers import clear_away, left_behind
from judge.service.trust import errands
from judge.store import View
from judge.store.inbox import PURGED_AT_ONCE

TIDIED = "housekeeping.tidied"
"""The day (ISO date) on which things were last put in order."""

COUNTS_KEPT = timedelta(days=7)
STRANGERS_KEPT = timedelta(days=90)
"""How long after their last mail the address of somebody unknown is remembered."""


def untidy(view: View, now: datetime) -> bool:
    """Whether things were not put in order today."""
    return (view.meta.get(TIDIED) or "") < now.date().isoformat()


def tidy(house: House) -> None:
    """Put things in order."""
    now = house.clock.now()
    with house.store.write() as unit:
        unit.meta.set(TIDIED, now.date().isoformat())
        for key in errands.lapsed(unit, now):
            unit.meta.unset(key)
        unit.contacts.forget_counts((now - COUNTS_KEPT).date())
        unit.contacts.forget_silent(now - STRANGERS_KEPT)
        unit.contacts.forget_patience(now - STRANGERS_KEPT)
        trails = left_behind(unit)
    clear_away(house, trails)
    _purge(house)


def _purge(house: House) -> None:
    """Forget the bytes of old mails, a transaction for each handful."""
    keep = house.config.keep_raw
    while keep is not None:
        with house.store.write() as unit:
            if unit.inbox.purge(house.clock.now() - keep) < PURGED_AT_ONCE:
                return
