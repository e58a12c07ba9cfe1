"""How many letters may go, to which provider, and whom our relay can write to at all."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from judge.config import Relay
from judge.languages import tell
from judge.report.core.frame import seat_title
from judge.service.core.house import House
from judge.service.posting.operator import is_ours, tell_gm, tell_operator
from judge.store import Transaction, View
from judge.store.rows import Delivery

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
REST = timedelta(minutes=15)
"""How long a provider is left alone that says we are too fast."""
FIRST_DAY = 50
"""Letters that may go on the first day of warming up, to one provider; twice as many on the next."""
WARM_UP_DAYS = 14


class Allowance:
    """What may leave now. Every question is asked with the time, so that tests need no clock.

    Only what has a measure is counted, and what lies more than a day back is forgotten: of a thousand providers that
    had one letter each nothing is left on the next day.
    """

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._went: dict[str, deque[datetime]] = defaultdict(deque)
        self._resting: dict[str, datetime] = {}
        self._tidied: datetime | None = None
        self._forgot: datetime | None = None

    def take(self, address: str, now: datetime) -> datetime | None:
        """None: a letter to this address may go now, and counts. Else the moment at which to ask again."""
        self._tidy(now)
        provider = provider_of(address)
        until = max(self._obstacles(provider, now), default=None)
        if until is not None:
            return until
        if self._relay.hourly:
            self._went[""].append(now)
        if self._relay.provider_hourly or self._warming(now):
            self._went[provider].append(now)
        return None

    def rest(self, address: str, now: datetime) -> None:
        """A provider said that we are too fast: all its letters wait a while."""
        self._resting[provider_of(address)] = now + REST

    def learn_from(self, unit: Transaction, now: datetime) -> None:
        """What all daemons of a database sent lately, and whom they leave alone, takes the place of what we know. Where
        there are measures no other one takes letters to the end of this transaction.
        """
        self._resting = unit.departures.resting(now)
        self._went.clear()
        if not self._measured(now):
            return
        unit.locks.wait([("departures", "")])
        for name, moment in unit.departures.since(now - (DAY if self._warming(now) else HOUR)):
            if self._relay.hourly:
                self._went[""].append(moment)
            self._went[name].append(moment)

    def tell(self, unit: Transaction, addresses: Iterable[str], now: datetime) -> None:
        """Note what goes now for all daemons, where there are measures."""
        if self._measured(now):
            unit.departures.add([(provider_of(address), now) for address in addresses])
        if self._forgot is None or now - self._forgot > HOUR:
            unit.departures.forget(now - DAY)
            self._forgot = now

    def _measured(self, now: datetime) -> bool:
        return bool(self._relay.hourly or self._relay.provider_hourly or self._warming(now))

    def _tidy(self, now: datetime) -> None:
        """Once an hour: forget whom nothing went to for a day, and who has rested."""
        if self._tidied is not None and self._tidied <= now < self._tidied + HOUR:
            return
        self._tidied = now
        for name in [name for name, went in self._went.items() if not went or went[-1] <= now - DAY]:
            del self._went[name]
        for name in [name for name, until in self._resting.items() if until <= now]:
            del self._resting[name]

    def _obstacles(self, provider: str, now: datetime) -> Iterator[datetime]:
        until = self._resting.get(provider)
        if until is not None and until > now:
            yield until
        yield from self._full("", self._relay.hourly, HOUR, now)
        yield from self._full(provider, self._relay.provider_hourly, HOUR, now)
        yield from self._full(provider, self._warming(now), DAY, now)

    def _full(self, name: str, most: int, span: timedelta, now: datetime) -> Iterator[datetime]:
        """When the place of the oldest letter of a span comes free, if all places are taken."""
        if not most:
            return
        went = self._went[name]
        while went and went[0] <= now - DAY:
            went.popleft()
        within = [moment for moment in went if moment > now - span]
        if len(within) >= most:
            yield within[-most] + span

    def _warming(self, now: datetime) -> int:
        """How many may go to a provider today while we are new to it; 0: as many as like."""
        if self._relay.warm_up is None:
            return 0
        days = (now.date() - self._relay.warm_up).days
        return FIRST_DAY << max(days, 0) if days < WARM_UP_DAYS else 0


def provider_of(address: str) -> str:
    """Who takes mail for an address, as far as the address tells.

    >>> provider_of("Anna@GoogleMail.com"), provider_of("bert@example.org")
    ('gmail.com', 'example.org')
    """
    domain = address.rpartition("@")[2].lower()
    return _SAME.get(domain, domain)


_SAME = {
    "googlemail.com": "gmail.com",
    **dict.fromkeys(("hotmail.com", "live.com", "msn.com", "hotmail.co.uk", "hotmail.fr", "hotmail.de"), "outlook.com"),
    **dict.fromkeys(("ymail.com", "rocketmail.com", "aol.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr"), "yahoo.com"),
    **dict.fromkeys(("me.com", "mac.com"), "icloud.com"),
    "gmx.de": "gmx.net",
    "protonmail.com": "proton.me",
}
"""Domains of one provider, which counts them together."""


_OFFERED = "relay.smtputf8"


def is_plain(address: str) -> bool:
    """Whether any relay takes it: a domain beyond ASCII has another form, a local part has none.

    >>> is_plain("anna@b\u00fccher.test"), is_plain("j\u00f6rg@players.test")
    (True, False)
    """
    return address.rpartition("@")[0].isascii()


def learn(unit: Transaction, *, smtputf8: bool) -> None:
    """Remember what the relay offers now."""
    unit.meta.set(_OFFERED, "yes" if smtputf8 else "no")


def reaches(view: View | Transaction, address: str) -> bool:
    """Whether a letter to this address can leave here; a relay that was never greeted is trusted to take it."""
    return is_plain(address) or view.meta.get(_OFFERED) != "no"


def report_unreached(house: House, unit: Transaction, delivery: Delivery, now: datetime) -> None:
    """A letter was refused whose reader nobody but a human being can reach: the operator and the Gamemaster hear the
    address, once a day.
    """
    letter = unit.letters.get(delivery.letter_id)
    if is_plain(delivery.address) or is_ours(letter):
        return
    key = f"beyond-ascii/{letter.person_id or 0}/{now.date().isoformat()}"
    subject = "an answer to an address beyond ASCII cannot leave"
    why = tell(
        "Addresses with letters beyond ASCII before the @ are answered only through a relay that offers SMTPUTF8."
    )
    items = (tell("The relay refused a letter to {address}.", address=delivery.address), why)
    tell_operator(house, unit, key, subject=subject, items=items)
    game = house.keeper.load(unit, letter.game) if letter.game else None
    if game is not None:
        who = tell(
            "The {kind} letter to {seat_title} ({address}) was refused.",
            kind=letter.kind,
            seat_title=seat_title(game, letter.seat or ""),
            address=delivery.address,
        )
        tell_gm(
            house,
            unit,
            game.key,
            key,
            subject=subject,
            items=(
                who,
                why,
                tell("What such a player sends still counts, but no answer arrives: reach them another way."),
            ),
        )
