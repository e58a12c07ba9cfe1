"""Digests go out at fixed points of the week, to those who wish one letter about all the games that they observe.

Each subscription remembers up to which event it was told. It moves on in the transaction that writes the letter, and
the letter's key names the moment it was due: nobody gets one twice, and a downtime delays a digest but loses nothing.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime, timedelta

from judge.report.table.digest import DigestSection, digest, section
from judge.service.core.house import House
from judge.service.core.keeper import thaw_all
from judge.service.core.members import member
from judge.service.posting.mailbag import put
from judge.service.posting.subscribing import DIGEST
from judge.spans import zone_info
from judge.store import Transaction
from judge.store.rows import Subscription

log = logging.getLogger("judge.turn")

LAST = "digest.last"
"""Where the point of the week is kept whose digests are written."""


def send_digests(house: House) -> int:
    """Write all digests that are due; returns how many. Harmless when asked again."""
    now = house.clock.now()
    slot = last_point(house, now)
    with house.store.read() as view:
        done = view.meta.get(LAST)
        people = view.lists.subscribers(DIGEST) if done is not None and done < slot.isoformat() else ()
    if done is not None and done >= slot.isoformat():
        return 0
    written = 0
    for row in people:
        try:
            with house.store.write() as unit:
                written += _write(house, unit, row.person_id, slot, now)
        except Exception:  # one reader's trouble is not the others'; what they missed comes with the next digest
            log.exception("digest failed", extra={"person": row.person_id})
    with house.store.write() as unit:
        unit.meta.set(LAST, slot.isoformat())
    return written


def last_point(house: House, now: datetime) -> datetime:
    """The last point of the week at which digests were due."""
    last = now
    for moment in house.config.digest.points(now - timedelta(days=8), zone_info(house.config.zone)):
        if moment > now:
            return last
        last = moment
    raise AssertionError("a grid has no end")


def _write(house: House, unit: Transaction, person: int, slot: datetime, now: datetime) -> bool:
    """One reader's digest, if there is anything to tell."""
    reader = member(unit, person)
    sections: list[DigestSection] = []
    for row in unit.lists.subscriptions(person):
        if (found := _section(house, unit, row)) is not None:
            sections.append(found)
    if not sections:
        return False
    put(house, unit, digest(reader, sections, house.office, slot=slot.isoformat()), now)
    return True


def _section(house: House, unit: Transaction, row: Subscription) -> DigestSection | None:
    """What is new in one game, and the note that it is told."""
    options, key = json.loads(row.options), row.topic.removeprefix("game:")
    game = house.keeper.load(unit, key) if options.get("what") == "digest" else None
    if game is None:
        return None
    stored = unit.events.load(key, after_seq=int(options.get("seq", 0)))
    events = thaw_all(stored)
    if not events:
        return None
    options["seq"] = game.seq
    unit.lists.subscribe(row.person_id, row.topic, row.since, options=json.dumps(options))
    return section(game, events, member(unit, row.person_id))
