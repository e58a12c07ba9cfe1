"""The worker: takes mails from the inbox, a group to a commit. One that makes it stumble three times is quarantined.

The commit of a group costs as much as that of one mail. When one mail of a group stumbles, the group is undone and
each mail is heard by itself, so that no other suffers for it.
"""

from __future__ import annotations

import logging
import traceback
from contextlib import suppress

from judge.service.desk import hear_mail, take, whose
from judge.service.house import House
from judge.service.keeper import Ledger
from judge.service.operator import tell_operator
from judge.store import StoreTrouble, Unit
from judge.store.rows import Mail

log = logging.getLogger("judge.mail")

BATCH = 50


class Worker:
    """Drains the inbox; may be called from several threads, each mail is claimed once."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._owner = house.store.owner

    def drain(self) -> int:
        """Take every mail that waits; returns how many were heard. Raises StoreTrouble when the store fails."""
        heard = 0
        while mails := self._claim():
            heard += self._hear(mails)
            if 1 < len(mails) < BATCH:
                break  # that was all; one mail alone may be one that was tried before, with others behind it
        return heard

    def _claim(self) -> tuple[Mail, ...]:
        now = self._house.clock.now()
        with self._house.store.write() as unit:
            for number in unit.inbox.quarantine_exhausted(now):
                log.error("quarantined", extra={"mail": number})
                self._report(unit, number, "the process ended each time while it had this mail in hand")
            return unit.inbox.claim(now, owner=self._owner, limit=BATCH)

    def _hear(self, mails: tuple[Mail, ...]) -> int:
        """Hear mails one after the other in one transaction; if one stumbles, each in a transaction of its own."""
        house = self._house
        try:
            with house.store.write() as unit:
                ledger = Ledger(house.keeper, unit, house.directory)
                raws = unit.inbox.raws([mail.id for mail in mails])
                for mail in mails:
                    hear_mail(house, unit, ledger, mail, raws.get(mail.id, b""))
        except StoreTrouble:
            raise
        except Exception:
            for mail in mails:
                self._hear_alone(mail)
        else:
            ledger.settle()
        return len(mails)

    def _hear_alone(self, mail: Mail) -> None:
        with self._house.store.read() as view:
            raw = view.inbox.raw(mail.id) or b""
        try:
            take(self._house, mail, raw)
        except StoreTrouble:
            raise
        except Exception:
            self._stumble(mail, traceback.format_exc())

    def _stumble(self, mail: Mail, trace: str) -> None:
        with self._house.store.write() as unit:
            aside = unit.inbox.stumbled(mail.id, trace, self._house.clock.now())
            with suppress(Exception), unit.part():
                whose(self._house, unit, mail, unit.inbox.raw(mail.id) or b"")
            last = trace.strip().splitlines()[-1]
            if aside:
                self._report(unit, mail.id, last)
        log.error("mail failed", extra={"mail": mail.id, "quarantined": aside, "error": last})

    def _report(self, unit: Unit, number: int, error: str) -> None:
        tell_operator(
            self._house, unit, f"quarantine/{number}", subject=f"mail {number} is in quarantine",
            items=(
                f"Mail number {number} could not be processed in three attempts: {error[:300]}",
                "A game that it may concern waits with its deadline. To look at it: judge quarantine show "
                f"{number}; then: judge quarantine retry {number}, or: judge quarantine drop {number}",
            ),
        )  # fmt: skip
