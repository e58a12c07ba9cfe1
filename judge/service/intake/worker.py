"""The worker: takes mails from the inbox, a group to a commit. One whose processing fails three times is quarantined.

The commit of a group costs as much as that of one mail. When one mail of a group stumbles, the group is undone and
each mail is heard by itself, so that no other suffers for it.

Where several daemons hear mails on one database, each locks, before it reads anything, who wrote the mails of its group
and the games that they seem to be for; what another has in hand at this moment, and what came behind an earlier mail of
the same author that is in other hands, it leaves for its next group. A mail that turns out to be for another game, or
to want more than a unit of work may do beside others, is undone and heard once more with that lock, or alone.
"""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from threading import Event, Lock

from judge.mail.tokens import Purpose, read_token
from judge.service.core.judge import Judge, LastFew
from judge.service.core.keeper import Ledger
from judge.service.hearing.stages import hear_mail, whose
from judge.service.posting.operator import tell_operator
from judge.service.trust.patience import known_as
from judge.service.trust.prove import details
from judge.service.trust.read import envelope_of
from judge.store import Conflict, StoreTrouble, Transaction
from judge.store.engine import Key, game_key
from judge.store.errors import Contended, NotShared, StoreUndone
from judge.store.inbox import LEASE
from judge.store.people import normal
from judge.store.rows import Mail

log = logging.getLogger("judge.mail")

BATCH = 32
"""Mails that go into one commit. While they are heard, what comes meanwhile waits to be stored: more would spare little
more, and keep whoever sends waiting for longer than a twentieth of a second.
"""
BESIDE_OTHERS = 16
"""As many where other daemons hear mails on the same database: the fewer games are locked at once, the less they wait
for each other.
"""
MOST_IN_HAND = 500
"""Mails that the door may hand over before they are heard; more wait in the inbox."""
MOST_CONFLICTS = 20
"""So often a mail is heard again at once, because another process wrote to its game; then it waits its turn again."""
PAUSE = 0.05
MOST_WORDS = 12
"""Words of a subject that are looked at for the name of a game before a mail is read."""


class _HearAgain(Exception):
    """A unit of work was undone for this mail: it is heard again by itself, `shared` or not."""

    def __init__(self, mail: int, *, shared: bool) -> None:
        super().__init__(f"mail {mail} is heard again")
        self.mail = mail
        self.shared = shared


class Worker:
    """Drains the inbox; may be called from several threads, each mail is heard once.

    The door hands it mails as they are stored (`judge.store.unit.Takes`): their first attempt is counted with the
    commit that stores them. All others it claims.
    """

    def __init__(self, judge: Judge, *, pause: Callable[[float], object] = time.sleep) -> None:
        self._judge = judge
        self._pause = pause
        self._owner = judge.store.owner
        self._handed: deque[tuple[Mail, bytes]] = deque()
        self._full = Event()
        self._draining = Lock()
        self._unheard: list[int] = []
        self._games: LastFew[frozenset[Key]] = LastFew(MOST_IN_HAND)
        """What mails turned out to need besides what could be seen beforehand, by number."""
        self._seen_keys: LastFew[frozenset[Key]] = LastFew(MOST_IN_HAND)
        """What could be seen, of those that were looked at before."""
        self._cooling: list[tuple[Mail, bytes]] = []
        """Mails that another daemon holds up: they come again in a moment, and others go ahead meanwhile."""
        self._cool_at = 0.0

    def wants(self) -> datetime | None:
        """Until when mails that the door hands over now stay in hand; None if there are too many already."""
        return self._judge.clock.now() + LEASE if len(self._handed) < MOST_IN_HAND else None

    def busy(self) -> bool:
        """Whether mails are being heard at this moment."""
        return self._draining.locked()

    def hand(self, mails: Sequence[tuple[Mail, bytes]]) -> None:
        """Accept mails that were stored and claimed for this worker."""
        self._handed.extend(mails)
        if len(self._handed) >= BATCH:
            self._full.set()

    @property
    def held_up(self) -> bool:
        """Whether mails are in hand; when none was heard, another daemon's work keeps them from it."""
        return bool(self._handed or self._cooling)

    def gather(self, seconds: float) -> None:
        """Let mails come in till they make a full group, or for so long."""
        self._full.clear()
        if len(self._handed) < BATCH:
            self._full.wait(seconds)

    def hear_group(self, *, before: int = sys.maxsize) -> int:
        """Take the mails whose turn it is, as many as go into one commit, with lower numbers than `before`; returns how
        many were heard, 0 if none waits or another daemon holds up all that do. Raises StoreTrouble when the store
        fails.
        """
        with self._draining:
            self._free_unheard()
            group = self._next(before)
            try:
                return self._hear(group)
            except StoreTrouble:  # what is not settled goes back to the inbox as soon as the store is well again
                self._unheard += [mail.id for mail, _ in (*group, *self._cooling)]
                self._cooling.clear()
                raise

    def drain(self) -> int:
        """Take every mail that waits; returns how many were heard. Raises StoreTrouble when the store fails."""
        total = 0
        while heard := self.hear_group():
            total += heard
        return total

    def put_back(self) -> None:
        """Return all claimed mails to the inbox, their attempts uncounted; called on shutdown."""
        if not (self._handed or self._cooling or self._unheard) or not self._draining.acquire(blocking=False):
            return  # a drain that does not end has them still; whoever starts next frees them
        try:
            self._free_unheard()
            with self._judge.store.write(shared=True) as unit:
                mine = [mail.id for mail, _ in (*self._handed, *self._cooling)]
                unit.inbox.put_back(mine, owner=self._owner)
            self._handed.clear()
            self._cooling.clear()
        finally:
            self._draining.release()

    def _next(self, before: int) -> Sequence[tuple[Mail, bytes]]:
        """The mails below a number whose turn it is, in the order of their numbers."""
        if self._cooling and (not self._handed or time.monotonic() >= self._cool_at):
            self._handed.extendleft(sorted(self._cooling, key=lambda one: one[0].id, reverse=True))
            self._cooling.clear()
            self._cool_at = time.monotonic() + PAUSE
        with self._judge.store.read() as view:
            waiting = view.inbox.first_waiting(self._judge.clock.now()) or sys.maxsize
        group: list[tuple[Mail, bytes]] = []
        # One of ours that waits is one whose lease lapsed, by a clock that jumped; if nobody took it, it is still ours.
        while self._handed and self._handed[0][0].id < min(waiting + 1, before) and len(group) < self._most():
            group.append(self._handed.popleft())
        if group or waiting >= before:
            return group
        return self._claim(before=min(self._handed[0][0].id, before) if self._handed else before)

    def _most(self) -> int:
        """How many mails go into one commit."""
        return BESIDE_OTHERS if self._judge.store.company else BATCH

    def _claim(self, *, before: int) -> Sequence[tuple[Mail, bytes]]:
        now = self._judge.clock.now()
        with self._judge.store.write(shared=True) as unit:
            for number in unit.inbox.quarantine_exhausted(now):
                log.error("quarantined", extra={"mail": number})
                self._report(unit, number, "the process ended each time while it had this mail in hand")
            mails = unit.inbox.claim(now, owner=self._owner, limit=self._most(), before=before)
            raws = unit.inbox.raws([mail.id for mail in mails])
        return [(mail, raws.get(mail.id, b"")) for mail in mails]

    def _hear(self, group: Sequence[tuple[Mail, bytes]]) -> int:
        """Hear mails one after the other in one transaction; if one stumbles, each in a transaction of its own; if one
        must be heard alone, those before it, that one and those behind it. Returns how many were heard.
        """
        if not group:
            return 0
        try:
            return self._take(group)
        except _HearAgain as again:
            at = next(place for place, (mail, _) in enumerate(group) if mail.id == again.mail)
            return self._hear(group[:at]) + self._hear_alone(*group[at]) + self._hear(group[at + 1 :])
        except StoreUndone:
            return self._hear_one_by_one(group)
        except StoreTrouble:
            raise
        except Exception:
            return self._hear_one_by_one(group)

    def _hear_one_by_one(self, group: Sequence[tuple[Mail, bytes]]) -> int:
        return sum(self._hear_alone(mail, raw) for mail, raw in group)

    def _hear_alone(self, mail: Mail, raw: bytes) -> int:
        """Hear one mail; returns how many were heard. That somebody else wrote to its game meanwhile is nothing it did:
        it is heard again.
        """
        shared = True
        for _ in range(MOST_CONFLICTS):
            try:
                return self._take([(mail, raw)], shared=shared)
            except _HearAgain as again:
                shared = again.shared
            except Conflict as conflict:
                log.info("somebody was first", extra={"mail": mail.id, "game": conflict.game})
                self._pause(PAUSE)
            except StoreUndone:
                self._pause(PAUSE)
            except StoreTrouble:
                raise
            except Exception:
                self._stumble(mail, traceback.format_exc())
                return 1
        self._unheard.append(mail.id)
        return 1

    def _free_unheard(self) -> None:
        """What trouble of the store kept us from hearing is as if never taken: no attempt, and no lease to wait for."""
        if self._unheard:
            with self._judge.store.write(shared=True) as unit:
                unit.inbox.put_back(self._unheard, owner=self._owner)
            self._unheard.clear()

    def _take(self, group: Sequence[tuple[Mail, bytes]], *, shared: bool = True) -> int:
        """Hear mails in one transaction, as far as they are still in our hand: what was settled is settled. Those that
        another daemon holds up wait for the next group. Returns how many were heard.
        """
        judge = self._judge
        with judge.store.write(shared=shared) as unit:
            ours = unit.inbox.in_hand([mail.id for mail, _ in group], owner=self._owner)
            held_up = self._held_up(unit, [one for one in group if one[0].id in ours])
            ledger = Ledger(judge.keeper, unit, judge.directory)
            authors = filter(None, (ledger.people.at_hand(mail.envelope_from) for mail, _ in group))
            unit.contacts.foresee({known_as(author) for author in authors})
            for mail, raw in group:
                if mail.id in ours and mail.id not in held_up:
                    self._hear_one(unit, ledger, mail, raw)
        ledger.settle()
        self._cooling += [one for one in group if one[0].id in held_up]
        return len(group) - len(held_up)

    def _hear_one(self, unit: Transaction, ledger: Ledger, mail: Mail, raw: bytes) -> None:
        """Raises _HearAgain where a mail wants what this unit of work does not hold."""
        if not unit.shared:
            hear_mail(self._judge, unit, ledger, mail, raw)
            return
        try:
            hear_mail(self._judge, unit, ledger, mail, raw)
        except Contended as contended:
            self._games.keep(str(mail.id), self._games.get(str(mail.id), frozenset()) | {contended.key})
            raise _HearAgain(mail.id, shared=True) from contended
        except NotShared as wanted:
            raise _HearAgain(mail.id, shared=False) from wanted

    def _held_up(self, unit: Transaction, group: Sequence[tuple[Mail, bytes]]) -> frozenset[int]:
        """The mails that cannot be heard now because of another daemon, by number. Nothing of the others is in any
        other hand then, to the end of this unit of work.
        """
        if not self._judge.store.many:
            return frozenset()
        # Whoever is alone may be so since a moment ago: what the dead one had in hand goes first all the same.
        behind = unit.inbox.behind([mail for mail, _ in group])
        if not self._judge.store.company:
            return behind
        keys = self._keys(unit, group)
        got = unit.locks.get(frozenset().union(*keys.values()))
        # What touches the same as one that is held up stays behind it.
        touched: set[Key] = set()
        held_up: set[int] = set()
        for mail, _ in group:
            if mail.id in behind or not keys[mail.id] <= got or touched & keys[mail.id]:
                touched |= keys[mail.id]
                held_up.add(mail.id)
        return frozenset(held_up)

    def _keys(self, unit: Transaction, group: Sequence[tuple[Mail, bytes]]) -> dict[int, frozenset[Key]]:
        """What each mail will touch, as far as its envelope tells: who wrote it, and the games that it names."""
        judge, people = self._judge, self._judge.directory.open(unit)
        keys: dict[int, set[Key]] = {}
        words: dict[int, set[str]] = {}
        for mail, raw in group:
            if (known := self._seen_keys.get(str(mail.id))) is not None:
                keys[mail.id], words[mail.id] = {*known, *self._games.get(str(mail.id), ())}, set()
                continue
            envelope = envelope_of(judge, mail, raw)
            judge.envelopes.keep(mail.transport_key, envelope)  # whoever hears it wants it again
            authors = {normal(address) for address in (mail.envelope_from, envelope.from_address) if address}
            owners = filter(None, map(people.owner, authors))
            keys[mail.id] = {("who", who) for who in (*authors, *map(known_as, owners))}
            keys[mail.id] |= self._games.get(str(mail.id), frozenset())
            words[mail.id] = set(envelope.subject.lower().replace("[", " ").replace("]", " ").split()[:MOST_WORDS])
            for detail in details(mail, envelope, judge.config.domain, judge.config.local_part):
                token = read_token(detail, judge.store.secret)
                if token is None:
                    words[mail.id].add(detail)
                elif token.purpose is Purpose.SEAT and (seat := people.seat(token.reference)) is not None:
                    keys[mail.id].add(game_key(seat.game))
        games = unit.games.known({word for some in words.values() for word in some})
        found = {n: frozenset(some | {game_key(game) for game in words[n] & games}) for n, some in keys.items()}
        for number, some in found.items():
            self._seen_keys.keep(str(number), some)
        return found

    def _stumble(self, mail: Mail, trace: str) -> None:
        with self._judge.store.write() as unit:
            if mail.id not in unit.inbox.in_hand([mail.id], owner=self._owner):
                return  # we were so slow that somebody else took it
            aside = unit.inbox.stumbled(mail.id, trace, self._judge.clock.now())
            with suppress(Exception), unit.part():
                whose(self._judge, unit, mail, unit.inbox.raw(mail.id) or b"")
            last = error_sentence(trace)
            if aside:
                self._report(unit, mail.id, last)
        log.error("mail failed", extra={"mail": mail.id, "quarantined": aside, "error": last.partition(":")[0]})

    def _report(self, unit: Transaction, number: int, error: str) -> None:
        tell_operator(
            self._judge, unit, f"quarantine/{number}", subject=f"mail {number} is in quarantine",
            items=(
                f"Mail number {number} could not be processed in three attempts: {error[:300]}",
                "A game that it may concern waits with its deadline. To look at it: judge quarantine show "
                f"{number}; then: judge quarantine retry {number}, or: judge quarantine drop {number}",
            ),
        )  # fmt: skip


def error_sentence(trouble: str) -> str:
    """The sentence of the error in a traceback, without what stands below it; of anything else its last line.

    >>> error_sentence('Traceback:\\n  File "x", line 1\\n    g()\\nx.Wrong: (db.Wrong) too large\\n[SQL: 1]')
    'Wrong: too large'
    """
    lines = trouble.strip().split("\n")
    last_frame = max((at for at, line in enumerate(lines) if line.startswith('  File "')), default=len(lines))
    said = next((line for line in lines[last_frame + 1 :] if line and not line.startswith(" ")), lines[-1])
    return re.sub(r"^(?:\w+\.)*(\w+): (?:\([\w.]+\) )?", r"\1: ", said)
