"""The worker: takes mails from the inbox one by one. A mail that makes it stumble three times is quarantined."""

from __future__ import annotations

import logging
import traceback

from judge.service.desk import take
from judge.service.house import House
from judge.store import Conflict, StoreTrouble
from judge.store.rows import Mail

log = logging.getLogger("judge.mail")

BATCH = 20


class Worker:
    """Drains the inbox; may be called from several threads, each mail is claimed once."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._owner = house.store.owner

    def drain(self) -> int:
        """Take every mail that waits; returns how many were heard. Raises StoreTrouble when the store fails."""
        heard = 0
        while mails := self._claim():
            for mail in mails:
                heard += self._hear(mail)
        return heard

    def _claim(self) -> tuple[Mail, ...]:
        now = self._house.clock.now()
        with self._house.store.write() as unit:
            for number in unit.inbox.quarantine_exhausted(now):
                log.error("quarantined", extra={"mail": number})
            return unit.inbox.claim(now, owner=self._owner, limit=BATCH)

    def _hear(self, mail: Mail) -> int:
        with self._house.store.read() as view:
            raw = view.inbox.raw(mail.id)
        for _ in range(3):
            try:
                take(self._house, mail, raw or b"")
                return 1
            except Conflict:
                continue
            except StoreTrouble:
                raise
            except Exception:
                self._stumble(mail, traceback.format_exc())
                return 0
        return 0

    def _stumble(self, mail: Mail, trace: str) -> None:
        with self._house.store.write() as unit:
            aside = unit.inbox.stumbled(mail.id, trace, self._house.clock.now())
        last = trace.strip().splitlines()[-1]
        log.error("mail failed", extra={"mail": mail.id, "quarantined": aside, "error": last})
