"""Letters out by SMTP: one connection per relay, kept and reused, and a fate for every recipient.

What is said against *us* pauses the queue instead of burning every letter in it.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator

from judge.transport.ports import NO_CODE, Deferred, Fate, Handed, Parcel, PauseQueue, Refused, Sent
from judge.transport.smtp_line import POLICY, OutOfService, RelayServer, SmtpLine

log = logging.getLogger("judge.transport")

_POLICY_STREAK = 3


class SmtpCourier:
    """Hands parcels to the relay that `relay_for` names for a recipient's domain.

    `helo` is the name we greet with, `pace` is called before each parcel (see `judge.transport.pace`), `per_connection`
    letters go over one connection before a fresh one is opened. Not for use by several threads at once.
    """

    def __init__(
        self,
        relay_for: Callable[[str], RelayServer],
        *,
        helo: str,
        pace: Callable[[], None] = lambda: None,
        per_connection: int = 50,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tick = tick
        self._relay_for = relay_for
        self._helo = helo
        self._pace = pace
        self._per_connection = per_connection
        self._lines: dict[RelayServer, SmtpLine] = {}
        self._policy_streak = 0
        self._smtputf8: bool | None = None

    def deliver(self, batch: Iterable[Parcel], /) -> Iterator[Handed]:
        """See `judge.transport.ports.Courier`. A relay that cannot be reached is tried once per batch."""
        down: dict[RelayServer, Deferred] = {}
        for parcel in batch:
            fates = self._deliver_one(parcel, down)
            yield Handed(parcel, fates, self._smtputf8)
            if any(isinstance(fate, PauseQueue) for fate in fates.values()):
                return

    def close(self) -> None:
        """Close all connections to relays."""
        for line in self._lines.values():
            line.close()
        self._lines.clear()

    def _deliver_one(self, parcel: Parcel, down: dict[RelayServer, Deferred]) -> dict[str, Fate]:
        fates: dict[str, Fate] = {}
        for relay, recipients in self._by_relay(parcel.rcpt_to).items():
            if relay in down:
                fates.update(dict.fromkeys(recipients, down[relay]))
                continue
            self._pace()
            try:
                fates.update(self._over(relay, parcel, recipients))
            except OutOfService as outage:
                fates.update(dict.fromkeys(recipients, outage.fate))
                if isinstance(outage.fate, Deferred):
                    down[relay] = outage.fate
            except Exception as error:
                # A server may say anything and a library stumble over it: one letter waits, the others go on.
                log.exception("a letter stumbled on its way out", extra={"delivery": parcel.id})
                self._lines.pop(relay).drop()
                fates.update(dict.fromkeys(recipients, Deferred(NO_CODE, f"it stumbled here: {type(error).__name__}")))
        return fates

    def _by_relay(self, recipients: tuple[str, ...]) -> dict[RelayServer, list[str]]:
        groups: dict[RelayServer, list[str]] = {}
        for recipient in recipients:
            groups.setdefault(self._relay_for(recipient.rpartition("@")[2].lower()), []).append(recipient)
        return groups

    def _over(self, relay: RelayServer, parcel: Parcel, recipients: list[str]) -> dict[str, Fate]:
        line = self._lines.get(relay)
        if line is None:
            line = self._lines[relay] = SmtpLine(relay, self._helo, self._per_connection, self._tick)
        fates = line.hand_over(parcel, recipients)
        self._smtputf8 = line.smtputf8
        return self._watch_policy(fates)

    def _watch_policy(self, fates: dict[str, Fate]) -> dict[str, Fate]:
        """Pause the queue when several letters in a row are refused by policy (5.7.x): then it is not the letters."""
        if any(isinstance(fate, Sent) for fate in fates.values()):
            self._policy_streak = 0
        for recipient, fate in fates.items():
            if not (isinstance(fate, Refused) and POLICY.match(fate.text)):
                continue
            self._policy_streak += 1
            if self._policy_streak >= _POLICY_STREAK:
                self._policy_streak = 0
                fates[recipient] = PauseQueue(f"{_POLICY_STREAK} letters in a row refused by policy: {fate.text}")
        return fates
