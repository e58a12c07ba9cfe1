"""The post: composes letters from their stored views and carries them out. Runs after the commit, outside any turn.

A letter that cannot be composed is set aside and the operator told; it never rolls an order back. A letter is sent at
least once and always with the same bytes and Message-ID; twice only if we die between the relay's word and our commit.
"""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from judge.mail.blame import blame, too_fast
from judge.mail.letters import Composed, TemplateError
from judge.mail.tokens import Purpose, mint
from judge.report.core.letter import Kind
from judge.service.core.house import House
from judge.service.core.subjects import all_subjects
from judge.service.pictures.gallery import Gallery, unfolded
from judge.service.posting.allowance import Allowance, learn, report_unreached
from judge.service.posting.bounces import CALLS, SUSPENDED, came_back
from judge.service.posting.composing import Awaited, Composer, Job, Outcome
from judge.service.posting.operator import report_broken, report_flaws, report_given_up, tell_operator
from judge.service.posting.signing import Sign
from judge.store import StoreTrouble, Transaction
from judge.store.outbox import SendingOrder, next_try
from judge.store.rows import LetterRow, ParcelRow
from judge.transport import ports
from judge.transport.ports import Courier, Deferred, PauseQueue, Refused, Sent

log = logging.getLogger("judge.post")

BATCH = 50

_ADDRESS = re.compile(r"[^\s<>]+@[^\s<>]+")
"""What a relay repeats of our letters, and no log may."""


def _sending_order() -> SendingOrder:
    """When more is to be composed or sent than can: what answers a mail, then calls for orders and results, then press
    and what goes to many.
    """
    bulk = (kind for subject in all_subjects() for kind in subject.bulk)
    return SendingOrder(calls=frozenset(CALLS), bulk=frozenset((Kind.PRESS, Kind.DIGEST, *bulk)))


class Post:
    """Composes and sends. `frozen` says why nothing leaves at present (a restored backup), "" otherwise. `answered` is
    told how long each mail waited for its answer to go.
    """

    def __init__(
        self,
        house: House,
        courier: Courier,
        *,
        jitter: Callable[[], float] = random.random,
        sign: Sign | None = None,
        gallery: Gallery | None = None,
        answered: Callable[[timedelta], object] = lambda _: None,
    ) -> None:
        self._house = house
        self._courier = courier
        self._composer = Composer(house, sign=sign, gallery=gallery)
        self._owner = house.store.owner
        self._jitter = jitter
        self._answered = answered
        self._order = _sending_order()
        self._awaited = Awaited()
        self._allowance = Allowance(house.config.relay)
        self._in_hand: list[int] = []
        self._owed: list[tuple[ParcelRow, ports.Fate]] = []
        self._untried: list[ParcelRow] = []
        self._smtputf8: bool | None = None
        self.frozen = ""

    def prepare(self) -> None:
        """Make ready for deadlines: they bring the results of many games at once."""
        with suppress(TemplateError):  # a letter will say so
            self._house.pressroom.printer().learn("results")
        with self._house.store.write() as unit:
            unit.letters.wake_all(self._house.clock.now())

    def picture_came(self, name: str) -> None:
        """A picture is there, or will not come: the letters that wait for it are composed with the next group. May be
        called from any thread.
        """
        self._awaited.came(name)

    def run(self) -> int:
        """Compose and send everything that may go now, group by group, so that no letter waits for the composing of a
        thousand others; returns how many deliveries were settled.
        """
        settled = self._send()
        while self.compose_some():
            settled += self._send()
        return settled

    def compose_all(self) -> int:
        """Compose every letter that waits for it; returns how many. Nothing is locked while it is laid out."""
        done = 0
        while some := self.compose_some():
            done += some
        return done

    def compose_some(self) -> int:
        """Compose the next group of letters; returns how many were looked at, 0 if none waits."""
        self._catch_up()
        batch = self._claim()
        if not batch:
            return 0
        self._in_hand = [letter.id for letter in batch]
        with self._house.store.read() as view:
            jobs = self._composer.jobs(view, batch)
            composed = self._composer.compose(view, [job for job in jobs if job.hung.waits is None])
        with self._house.store.write() as unit:
            self._keep(unit, composed)
            report_flaws(self._house, unit, self._composer.flaws)
            self._put_back(unit, jobs)
        self._in_hand, self._composer.flaws = [], {}
        return len(batch)

    def _put_back(self, unit: Transaction, jobs: Sequence[Job]) -> None:
        """Letters that wait for their pictures are composed when these have come, or their time is over."""
        later: dict[timedelta, list[int]] = {}
        for job in jobs:
            if job.hung.waits is not None:
                later.setdefault(job.hung.waits, []).append(job.letter.id)
        self._awaited.wait(job for job in jobs if job.hung.waits is not None)
        now = self._house.clock.now()
        for wait, letters in later.items():
            unit.letters.put_back(letters, owner=self._owner, now=now + wait)

    def _send(self) -> int:
        if not self.frozen:
            return self.send_all()
        # Nobody gets a letter twice, but the operator must hear of it.
        return self.send_all(to=self._house.config.operator) if self._house.config.operator else 0

    def send_all(self, *, to: str | None = None) -> int:
        """Hand every delivery that is due (with `to`: to this address) to the courier; each fate is committed as soon
        as it is known.
        """
        self._catch_up()
        settled = 0
        while True:
            with self._house.store.write() as unit:
                if unit.outbox.paused():
                    return settled
                now = self._house.clock.now()
                parcels = unit.outbox.claim(now, owner=self._owner, limit=BATCH, to=to, order=self._order)
                claimed, parcels = len(parcels), self._without_suspended(unit, parcels)
                parcels = self._allowed(unit, parcels)
                handed = list(self._wrapped(unit, parcels))
            if not claimed:
                return settled
            settled += self._hand_over(handed)

    def next_try(self) -> datetime | None:
        """When the post should look again."""
        with self._house.store.read() as view:
            return min(filter(None, (view.outbox.next_try(), view.letters.next_try())), default=None)

    def release_leases(self) -> None:
        """Nothing to do for deliveries: a lease that lapsed is claimable again. Letters that broke us are set aside."""
        with self._house.store.write() as unit:
            for letter_id in unit.letters.break_exhausted(self._house.clock.now()):
                log.error("letter broken", extra={"letter": letter_id})
                broken = unit.letters.get(letter_id)
                report_broken(self._house, unit, broken, "the process ended each time while it wrote it")

    def close(self) -> None:
        """Close open connections."""
        self._courier.close()

    def _claim(self) -> tuple[LetterRow, ...]:
        now = self._house.clock.now()
        with self._house.store.write() as unit:
            unit.letters.wake(self._awaited.complete(), now)
            return unit.letters.claim_uncomposed(now, owner=self._owner, limit=BATCH, order=self._order)

    def _keep(self, unit: Transaction, composed: Sequence[tuple[Job, Outcome]]) -> int:
        done: list[tuple[int, bytes, str | None]] = []
        for job, result in composed:
            letter = job.letter
            if isinstance(result, Composed):
                done.append((letter.id, result.mime, result.subject))
                continue
            unit.letters.broken(letter.id, result)
            error = result.partition(":")[0]  # what comes after may be words of the letter
            log.error("letter cannot be composed", extra={"letter": letter.id, "kind": letter.kind, "error": error})
            report_broken(self._house, unit, letter, result)
        return unit.letters.composed_all(done)

    def _wrapped(self, unit: Transaction, parcels: Sequence[ParcelRow]) -> Iterator[tuple[ParcelRow, ports.Parcel]]:
        """A copy that was kept back for longer than its pictures are kept fails; the others go."""
        for parcel in parcels:
            try:
                yield parcel, self._parcel(unit, parcel)
            except LookupError as error:
                number, now = parcel.delivery.id, self._house.clock.now()
                unit.outbox.failed(number, now, owner=self._owner, text=str(error))
                log.error("a copy waited too long", extra={"delivery": number, "kind": parcel.kind})

    def _parcel(self, unit: Transaction, parcel: ParcelRow) -> ports.Parcel:
        """With an envelope sender of its own (VERP), so that a bounce names the delivery."""
        house = self._house
        token = mint(Purpose.BOUNCE, f"{parcel.delivery.id:016x}", house.store.secret)
        sender = f"{house.config.local_part}+{token}@{house.config.domain}"
        return ports.Parcel(parcel.delivery.id, sender, (parcel.delivery.address,), unfolded(parcel.mime, unit))

    def _hand_over(self, handed: list[tuple[ParcelRow, ports.Parcel]]) -> int:
        """Until a fate is committed it is remembered here: trouble of the store after the relay's word must neither
        send a letter twice nor make the others wait for their leases.
        """
        mine = {parcel.delivery.id: parcel for parcel, _ in handed}
        settled = 0
        try:
            for result in self._courier.deliver(parcel for _, parcel in handed):
                stored = mine.pop(int(result.parcel.id))
                self._owed += [(stored, fate) for fate in result.fates.values()]
                self._learn(smtputf8=result.smtputf8)
                settled += self._settle_owed()
        finally:
            self._untried += mine.values()
        self._catch_up()
        return settled

    def _learn(self, *, smtputf8: bool | None) -> None:
        """Remember what the relay offers, where that is news."""
        if smtputf8 is None or smtputf8 == self._smtputf8:
            return
        with self._house.store.write() as unit:
            learn(unit, smtputf8=smtputf8)
        self._smtputf8 = smtputf8

    def _settle_owed(self) -> int:
        owed, self._owed = self._owed, []
        try:
            with self._house.store.write() as unit:
                return sum(self._settle(unit, parcel, fate) for parcel, fate in owed)
        except StoreTrouble:
            self._owed = owed
            raise

    def _catch_up(self) -> None:
        """What trouble of the store kept us from writing down is written down now; while it lasts, StoreTrouble."""
        if self._owed:
            self._settle_owed()
        if not (self._untried or self._in_hand):
            return
        now = self._house.clock.now()
        with self._house.store.write() as unit:
            unit.letters.put_back(self._in_hand, owner=self._owner, now=now)
            for parcel in self._untried:
                unit.outbox.untried(parcel.delivery.id, now, owner=self._owner)
        self._untried, self._in_hand = [], []

    def _settle(self, unit: Transaction, parcel: ParcelRow, fate: ports.Fate) -> int:
        now, number = self._house.clock.now(), parcel.delivery.id
        facts = {"delivery": number, "kind": parcel.kind, "game": parcel.game}
        if isinstance(fate, Sent):
            unit.outbox.sent(number, now, code=fate.code, text=fate.text)
            log.info("sent", extra=facts)
            if parcel.asked_at is not None:
                self._answered(now - parcel.asked_at)
        elif isinstance(fate, Refused):
            unit.outbox.failed(number, now, owner=self._owner, code=fate.code, text=fate.text)
            log.warning("refused", extra={**facts, "code": fate.code})
            report_unreached(self._house, unit, unit.outbox.get(number), now)
            text, fault = f"{fate.code} {fate.text}"[:200], blame(fate.text, code=fate.code)
            came_back(self._house, unit, unit.outbox.get(number), fault=fault, text=text)
        elif isinstance(fate, PauseQueue):
            unit.outbox.untried(number, now, owner=self._owner)
            unit.outbox.pause(fate.reason)
            log.error("outbox paused: %s", _ADDRESS.sub("(address)", fate.reason))
            tell_operator(
                self._house, unit, f"outbox/{now.date().isoformat()}", subject="the outbox was paused",
                items=(f"The relay turned us away: {fate.reason}", "When that is mended: judge outbox resume"),
            )  # fmt: skip
        else:
            self._defer(unit, parcel, fate, now)
        return 1

    def _defer(self, unit: Transaction, parcel: ParcelRow, fate: Deferred, now: datetime) -> None:
        delivery = parcel.delivery
        if too_fast(fate.code, fate.text):
            self._allowance.rest(delivery.address, now)
            log.warning("a provider asks for a rest", extra={"delivery": delivery.id, "code": fate.code})
        again = next_try(delivery.attempts, now=now, first_try=delivery.first_try or now, jitter=self._jitter)
        if again is None:
            unit.outbox.failed(delivery.id, now, owner=self._owner, code=fate.code, text=f"given up: {fate.text}")
            log.error("given up", extra={"delivery": delivery.id, "game": parcel.game})
            report_given_up(self._house, unit, delivery)
            return
        unit.outbox.deferred(delivery.id, again, owner=self._owner, code=fate.code, text=fate.text)
        log.info("deferred", extra={"delivery": delivery.id, "code": fate.code})

    def _allowed(self, unit: Transaction, parcels: tuple[ParcelRow, ...]) -> tuple[ParcelRow, ...]:
        """What may go within the hour; the rest is put back until its turn comes, with its attempt not counted."""
        now, go = self._house.clock.now(), []
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
