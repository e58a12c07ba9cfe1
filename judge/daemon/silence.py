"""Sources of mail that fall silent: a password that has expired, a server that has moved. The operator hears of it long
before a deadline has to wait for what lies there.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.service.core.house import House
from judge.service.posting.operator import tell_operator
from judge.transport.ports import MailSource

PATIENCE = timedelta(hours=1)
"""How long a source may be out of reach before anybody is told; IMAP servers are restarted now and then."""

log = logging.getLogger("judge.daemon")


class Silence:
    """Remembers whom it has told of; `since`: when this process began to ask."""

    def __init__(self, since: datetime) -> None:
        self._since = since
        self._told: set[str] = set()

    def look(self, house: House, sources: Sequence[MailSource]) -> None:
        """Tell the operator of each source that has been silent for too long: once, and again the next day."""
        now = house.clock.now()
        for source in sources:
            silent = _silence(source, now - self._since)
            if silent < PATIENCE:
                self._told.discard(source.name)
                continue
            if source.name not in self._told:
                log.error("a source is silent", extra={"source": source.name, "minutes": _minutes(silent)})
            self._told.add(source.name)
            if house.config.operator:
                self._tell(house, source.name, silent, now)

    def _tell(self, house: House, name: str, silent: timedelta, now: datetime) -> None:
        key = f"source/{name}/{now.date().isoformat()}"
        with house.store.read() as view:
            if view.letters.by_key(f"judge/operator/{key}") is not None:
                return
        with house.store.write() as unit:
            tell_operator(
                house, unit, key, subject=f"mail cannot be fetched: {name}",
                items=(
                    f"For {_minutes(silent)} minutes I have not been able to read {name}. Mail that comes there "
                    "waits, and every deadline that falls due waits for it.",
                    "The log says why. A password that has changed is the usual reason: put the new one into its file "
                    "and restart the judge.",
                ),
            )  # fmt: skip


def _minutes(span: timedelta) -> int:
    return span // timedelta(minutes=1)


def _silence(source: MailSource, asked: timedelta) -> timedelta:
    seconds = source.silent_for()
    return asked if seconds is None else timedelta(seconds=seconds)
