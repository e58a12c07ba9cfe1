"""The post: which letters are composed and sent next, how many may go to which provider, and what became of each; it
runs after the commit, outside any turn.

Composing (`judge.service.posting.composing`) and sending are two hands that share nothing but the store. A letter is
sent at least once and always with the same bytes and Message-ID; twice only if we die between the relay's word and our
commit.
"""

from __future__ import annotations

import logging
import random
import re
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from operator import length_hint

from judge.config import Relay
from judge.languages import speak, tell
from judge.mail.noise import blame, too_fast
from judge.mail.tokens import Purpose, mint
from judge.report.core.letter import Kind, seat_title
from judge.service.core.judge import Judge, all_subjects
from judge.service.pictures.gallery import Gallery, unfolded
from judge.service.posting.bounces import CALLS, SUSPENDED, came_back
from judge.service.posting.composing import Composing, Sign
from judge.service.posting.operator import is_ours, report_given_up, tell_gm, tell_operator
from judge.store import StoreTrouble, Transaction, View
from judge.store.outbox import SendingOrder, next_try
from judge.store.rows import Delivery, ParcelRow
from judge.transport import ports
from judge.transport.ports import Courier, Deferred, PauseQueue, Refused, Sent

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


def report_unreached(judge: Judge, unit: Transaction, delivery: Delivery, now: datetime) -> None:
    """A letter was refused whose reader nobody but a human being can reach: the operator and the Gamemaster hear the
    address, once a day.
    """
    letter = unit.letters.get(delivery.letter_id)
    if is_plain(delivery.address) or is_ours(letter):
        return
    key = f"beyond-ascii/{letter.person_id or 0}/{now.date().isoformat()}"
    game = judge.keeper.load(unit, letter.game) if letter.game else None

    def words(*, to_gm: bool) -> tuple[str, Sequence[str]]:
        subject = tell("an answer to an address beyond ASCII cannot leave")
        why = tell(
            "Addresses with letters beyond ASCII before the @ are answered only through a relay that offers SMTPUTF8."
        )
        if game is None or not to_gm:
            return subject, (tell("The relay refused a letter to {address}.", address=delivery.address), why)
        which = tell(
            "The {kind} letter to {seat_title} ({address}) was refused.",
            kind=letter.kind,
            seat_title=seat_title(game, letter.seat or ""),
            address=delivery.address,
        )
        way_on = tell("What such a player sends still counts, but no answer arrives: reach them another way.")
        return subject, (which, why, way_on)

    with speak(judge.language()):
        subject, items = words(to_gm=False)
    tell_operator(judge, unit, key, subject=subject, items=items)
    if game is not None:
        tell_gm(judge, unit, game.key, key, partial(words, to_gm=True))


log = logging.getLogger("judge.post")

BATCH = 50
FATES, FATES_WAIT = 10, 0.2
"""Letters that may have gone before that is written down, together, and seconds that the first of them waits for the
others: if we die meanwhile, so many go twice.
"""
RUNNING_LOW = 25
"""So few parcels are left for the courier when the next are claimed."""
LOOK_AGAIN = timedelta(minutes=15)
"""How long a pause lasts that somebody else may end, who does not tell us."""

_ADDRESS = re.compile(r"[^\s<>]+@[^\s<>]+")
"""What a relay repeats of our letters, and no log may."""


def _sending_order() -> SendingOrder:
    """When more is to be composed or sent than can: what answers a mail, then calls for orders and results, then press
    and what goes to many.
    """
    bulk = (kind for subject in all_subjects() for kind in subject.bulk)
    return SendingOrder(calls=frozenset(CALLS), bulk=frozenset((Kind.PRESS, Kind.DIGEST, *bulk)))


class Offered:
    """Parcels for a courier, until it is told to stop: what it has begun then comes to its end."""

    def __init__(self, parcels: Iterable[ports.Parcel]) -> None:
        self._left = deque(parcels)

    def __iter__(self) -> Offered:
        return self

    def __next__(self) -> ports.Parcel:
        try:
            return self._left.popleft()
        except IndexError:  # `stop` may have come from another thread
            raise StopIteration from None

    def __length_hint__(self) -> int:
        return len(self._left)

    def add(self, parcels: Iterable[ports.Parcel]) -> None:
        """There are more, behind the last."""
        self._left.extend(parcels)

    def stop(self) -> None:
        """There is no more."""
        self._left.clear()


class Post:
    """Both hands. A daemon has a thread for each; `run` is for whoever has one thread for both."""

    def __init__(
        self,
        judge: Judge,
        courier: Courier,
        *,
        jitter: Callable[[], float] = random.random,
        sign: Sign | None = None,
        gallery: Gallery | None = None,
        answered: Callable[[timedelta], object] = lambda _: None,
    ) -> None:
        order = _sending_order()
        self.composing = Composing(judge, order, sign=sign, gallery=gallery)
        self.sending = Sending(judge, courier, order, jitter=jitter, answered=answered)
        self.prepare, self.picture_came = self.composing.prepare, self.composing.picture_came
        self.compose_all, self.release_leases = self.composing.compose_all, self.composing.break_exhausted
        self.send_all, self.close = self.sending.send_all, self.sending.close

    def run(self) -> int:
        """Compose and send everything that may go now, group by group, so that no letter waits for the composing of a
        thousand others; returns how many deliveries were settled.
        """
        settled = self.sending.send()
        while self.composing.compose_some():
            settled += self.sending.send()
        return settled


class Sending:
    """Carries out what is composed. `frozen` says why nothing leaves at present (a restored backup), "" otherwise.
    `answered` is told how long each mail waited for its answer to go. For one thread.
    """

    def __init__(
        self,
        judge: Judge,
        courier: Courier,
        order: SendingOrder,
        *,
        jitter: Callable[[], float],
        answered: Callable[[timedelta], object],
    ) -> None:
        self._judge = judge
        self._courier = courier
        self._order = order
        self._owner = judge.store.owner
        self._jitter = jitter
        self._answered = answered
        self._allowance = Allowance(judge.config.relay)
        self._owed: list[tuple[ParcelRow, ports.Fate]] = []
        self._owed_since = 0.0
        self._untried: list[ParcelRow] = []
        self._smtputf8: bool | None = None
        self.frozen = ""

    def send(self) -> int:
        """Carry out what may go; returns how many deliveries were settled."""
        if not self.frozen:
            return self.send_all()
        # Nobody gets a letter twice, but the operator must hear of it.
        return self.send_all(to=self._judge.config.operator) if self._judge.config.operator else 0

    def send_all(self, *, to: str | None = None) -> int:
        """Hand every delivery that is due (with `to`: to this address) to the courier. What went well is committed in
        small groups, everything else as soon as it is known.
        """
        self._catch_up()
        settled = 0
        while (handed := self._take(to, BATCH)) is not None:
            settled += self._hand_over(handed, to)
        return settled

    def _take(self, to: str | None, most: int) -> list[tuple[ParcelRow, ports.Parcel]] | None:
        """The next parcels that may go now, as they are and as they are handed over; None where nothing is due."""
        with self._judge.store.write(shared=True) as unit:
            now = self._judge.clock.now()
            unit.outbox.resume_in_time(now)
            if unit.outbox.paused():
                return None
            parcels = unit.outbox.claim(now, owner=self._owner, limit=most, to=to, order=self._order)
            if not parcels:
                return None
            if self._judge.store.many:
                self._allowance.learn_from(unit, now)
            parcels = self._allowed(unit, self._without_suspended(unit, parcels))
            if self._judge.store.many:
                self._allowance.tell(unit, [parcel.delivery.address for parcel in parcels], now)
            return list(self._wrapped(unit, parcels))

    def next_try(self) -> datetime | None:
        """When to look again."""
        with self._judge.store.read() as view:
            return view.outbox.next_try()

    def close(self) -> None:
        """Close open connections."""
        self._courier.close()

    def _wrapped(self, unit: Transaction, parcels: Sequence[ParcelRow]) -> Iterator[tuple[ParcelRow, ports.Parcel]]:
        """A copy that was kept back for longer than its pictures are kept fails; the others go."""
        pictures: dict[bytes, bytes] = {}  # one for all letters of a turn
        for parcel in parcels:
            try:
                yield parcel, self._parcel(unit, parcel, pictures)
            except LookupError as error:
                number, now = parcel.delivery.id, self._judge.clock.now()
                unit.outbox.failed(number, now, owner=self._owner, text=str(error))
                log.error("a copy waited too long", extra={"delivery": number, "kind": parcel.kind})

    def _parcel(self, unit: Transaction, parcel: ParcelRow, pictures: dict[bytes, bytes]) -> ports.Parcel:
        """With an envelope sender of its own (VERP), so that a bounce names the delivery."""
        judge = self._judge
        token = mint(Purpose.BOUNCE, f"{parcel.delivery.id:016x}", judge.store.secret)
        sender = f"{judge.config.local_part}+{token}@{judge.config.domain}"
        mime = unfolded(parcel.mime, unit, pictures)
        return ports.Parcel(parcel.delivery.id, sender, (parcel.delivery.address,), mime)

    def _hand_over(self, handed: list[tuple[ParcelRow, ports.Parcel]], to: str | None) -> int:
        """Until a fate is committed it is remembered here: trouble of the store after the relay's word must neither
        send a letter twice nor make the others wait for their leases. While all goes well and many wait, further
        parcels are put behind the last ones in time, so that no connection runs dry; no more than BATCH, before which
        an answer that is composed meanwhile does not come. The courier chose its connections by the first ones.
        """
        mine = {parcel.delivery.id: parcel for parcel, _ in handed}
        offered, going, trouble, settled = Offered(parcel for _, parcel in handed), len(handed) == BATCH, False, 0
        try:
            for result in self._courier.deliver(offered):
                stored = mine.pop(int(result.parcel.id))
                self._owed += [(stored, fate) for fate in result.fates.values()]
                well = all(isinstance(fate, Sent) for fate in result.fates.values())
                going = going and well
                if trouble or result.more or (well and mine and self._may_wait()):
                    continue
                try:
                    self._learn(smtputf8=result.smtputf8)
                    settled += self._settle_owed()
                    if going and 0 < (left := length_hint(offered)) < RUNNING_LOW:
                        further = self._take(to, BATCH - left) or []
                        going = len(further) == BATCH - left
                        mine |= {parcel.delivery.id: parcel for parcel, _ in further}
                        offered.add(parcel for _, parcel in further)
                except StoreTrouble:
                    offered.stop()
                    trouble = True
        finally:
            self._untried += mine.values()
        return settled + self._catch_up()

    def _may_wait(self) -> bool:
        """Whether fates that are known may wait for the next one."""
        if len(self._owed) == 1:
            self._owed_since = time.monotonic()
        return len(self._owed) < FATES and time.monotonic() - self._owed_since < FATES_WAIT

    def _learn(self, *, smtputf8: bool | None) -> None:
        """Remember what the relay offers, where that is news."""
        if smtputf8 is None or smtputf8 == self._smtputf8:
            return
        with self._judge.store.write() as unit:
            learn(unit, smtputf8=smtputf8)
        self._smtputf8 = smtputf8

    def _settle_owed(self) -> int:
        owed, self._owed = self._owed, []
        try:
            with self._judge.store.write(shared=all(isinstance(fate, Sent) for _, fate in owed)) as unit:
                return sum(self._settle(unit, parcel, fate) for parcel, fate in owed)
        except StoreTrouble:
            self._owed = owed
            raise

    def _catch_up(self) -> int:
        """What is not written down yet, as after trouble of the store, is written down now; returns how many deliveries
        were settled. While the trouble lasts, StoreTrouble.
        """
        settled = self._settle_owed() if self._owed else 0
        if self._untried:
            now = self._judge.clock.now()
            with self._judge.store.write(shared=True) as unit:
                for parcel in self._untried:
                    unit.outbox.untried(parcel.delivery.id, now, owner=self._owner)
            self._untried = []
        return settled

    def _settle(self, unit: Transaction, parcel: ParcelRow, fate: ports.Fate) -> int:
        now, number = self._judge.clock.now(), parcel.delivery.id
        facts = {"delivery": number, "kind": parcel.kind, "game": parcel.game}
        if isinstance(fate, Sent):
            unit.outbox.sent(number, now, code=fate.code, text=fate.text)
            log.info("sent", extra=facts)
            if parcel.asked_at is not None:
                self._answered(now - parcel.asked_at)
        elif isinstance(fate, Refused):
            unit.outbox.failed(number, now, owner=self._owner, code=fate.code, text=fate.text)
            log.warning("refused", extra={**facts, "code": fate.code})
            report_unreached(self._judge, unit, unit.outbox.get(number), now)
            text, fault = f"{fate.code} {fate.text}"[:200], blame(fate.text, code=fate.code)
            came_back(self._judge, unit, unit.outbox.get(number), fault=fault, text=text)
        elif isinstance(fate, PauseQueue):
            unit.outbox.untried(number, now, owner=self._owner)
            unit.outbox.pause(fate.reason, until=now + LOOK_AGAIN if fate.passes else None)
            log.error("outbox paused: %s", _ADDRESS.sub("(address)", fate.reason))
            tell_operator(
                self._judge, unit, f"outbox/{now.date().isoformat()}", subject="the outbox was paused",
                items=(
                    f"The relay turned us away: {fate.reason}",
                    "I try again every quarter of an hour. When that is mended, at once: judge outbox resume"
                    if fate.passes
                    else "When that is mended: judge outbox resume",
                ),
            )  # fmt: skip
        else:
            self._defer(unit, parcel, fate, now)
        return 1

    def _defer(self, unit: Transaction, parcel: ParcelRow, fate: Deferred, now: datetime) -> None:
        delivery = parcel.delivery
        if too_fast(fate.code, fate.text):
            self._allowance.rest(delivery.address, now)
            if self._judge.store.many:
                unit.departures.rest(provider_of(delivery.address), now + REST)
            log.warning("a provider asks for a rest", extra={"delivery": delivery.id, "code": fate.code})
        again = next_try(delivery.attempts, now=now, first_try=delivery.first_try or now, jitter=self._jitter)
        if again is None:
            unit.outbox.failed(delivery.id, now, owner=self._owner, code=fate.code, text=f"given up: {fate.text}")
            log.error("given up", extra={"delivery": delivery.id, "game": parcel.game})
            report_given_up(self._judge, unit, delivery)
            return
        unit.outbox.deferred(delivery.id, again, owner=self._owner, code=fate.code, text=fate.text)
        log.info("deferred", extra={"delivery": delivery.id, "code": fate.code})

    def _allowed(self, unit: Transaction, parcels: tuple[ParcelRow, ...]) -> tuple[ParcelRow, ...]:
        """What may go within the hour; the rest is put back until its turn comes, with its attempt not counted."""
        now, go = self._judge.clock.now(), []
        for parcel in parcels:
            until = self._allowance.take(parcel.delivery.address, now)
            if until is None:
                go.append(parcel)
            else:
                unit.outbox.untried(parcel.delivery.id, until, owner=self._owner)
        return tuple(go)

    def _without_suspended(self, unit: Transaction, parcels: tuple[ParcelRow, ...]) -> tuple[ParcelRow, ...]:
        """What may go: to a suspended address only what must reach its reader; the rest waits for a sign of life."""
        suspended = unit.people.suspended({parcel.delivery.address for parcel in parcels}) if parcels else frozenset()
        if not suspended:
            return parcels
        waits = [p for p in parcels if p.delivery.address in suspended and p.kind not in CALLS]
        for parcel in waits:
            unit.outbox.shelve(parcel.delivery.id, owner=self._owner, text=SUSPENDED)
        return tuple(parcel for parcel in parcels if parcel not in waits)
