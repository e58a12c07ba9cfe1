"""Mail by IMAP: INBOX is the queue. Fetch, store, and only then move to Processed.

A crash anywhere leaves a mail in INBOX, where it is found again; the transport key (account, content, UIDVALIDITY,
UID) makes the second taking harmless. Of two judges on one mailbox (and one database), the one that stored a mail moves
it: two moves at one moment leave two copies. What nobody has moved for a while is moved by whoever finds it.

News is awaited with IDLE in short slices and a SEARCH after each, or by polling where a server has no IDLE. A lost
connection is noticed, logged and tried again after a growing pause.
"""

import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.transport.imap_box import (
    CONNECTION_TROUBLE,
    ImapAccount,
    LineLost,
    LoginRefused,
    MailBox,
    QueuedMail,
    Unreadable,
    open_mailbox,
)
from judge.transport.pace import BackOff
from judge.transport.ports import (
    AT_ONCE,
    ATTEMPTS,
    HEAD,
    Accept,
    Arrival,
    Knows,
    Oversize,
    SourceUnreachable,
    TemporaryTrouble,
    content_mark,
    store_all,
)

log = logging.getLogger("judge.transport")


@dataclass(frozen=True)
class ImapHabits:
    """How an account is watched. Times in seconds, sizes in bytes."""

    idle_slice: float = 45.0
    poll_interval: float = 30.0
    longest_connection: float = 25 * 60.0
    max_bytes: int = 1_048_576
    batch_bytes: int = 4_194_304
    patience: float = 60.0
    """How long a mail that was stored before, here or elsewhere, is left to whoever stored it."""


def _wait(stop: threading.Event, seconds: float) -> None:
    stop.wait(seconds)


class ImapSource:
    """Watches one account; see `judge.transport.ports.MailSource`.

    `now` dates successes and mails whose server gives no arrival; `wait`, `tick` and `chance` are injected by tests.
    `run` and `poll_once` may be used at once: each has a connection of its own, and one of them drains at a time.
    """

    def __init__(
        self,
        account: ImapAccount,
        accept: Accept,
        *,
        now: Callable[[], datetime],
        habits: ImapHabits | None = None,
        oversize: Oversize | None = None,
        wait: Callable[[threading.Event, float], None] = _wait,
        tick: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name = f"imap:{account.name}"
        self._account = account
        self._accept = accept
        self._now = now
        self._habits = habits or ImapHabits()
        self._oversize = oversize
        self._wait = wait
        self._tick = tick
        self._back_off = BackOff(chance)
        self._turn = threading.Lock()
        self._unreadable: Counter[str] = Counter()
        self._left: dict[str, float] = {}
        """Mails in INBOX that are stored already, and since when we know."""
        self._failures = 0
        self.last_success: datetime | None = None

    def poll_once(self) -> int:
        """Drain INBOX over a fresh connection and return how many mails were taken; raises `SourceUnreachable`."""
        with self._reached() as box:
            return self._drain(box, threading.Event())

    def run(self, stop: threading.Event) -> None:
        """Watch the account until told to stop."""
        while not stop.is_set():
            try:
                with self._reached() as box:
                    self._watch(box, stop)
            except SourceUnreachable as trouble:
                pause = self._pause_after(trouble)
                log.warning("%s, next try in %.0f s", trouble, pause)
                self._wait(stop, pause)

    def recall(self, since: datetime, knows: Knows, /) -> int:
        """Take from Processed what arrived since a moment and is not known; nothing is moved there."""
        with self._reached() as box, self._turn:
            # Servers search by days of their own zone (RFC 3501, 6.4.4).
            uids, taken = box.taken_since((since - timedelta(days=1)).date()), 0
            for start in range(0, len(uids), AT_ONCE):
                mails = [mail for mail in box.look(uids[start : start + AT_ONCE]) if self._counts(mail, since)]
                texts = box.read([mail.uid for mail in mails]) if mails else {}
                new = [mail for mail in mails if mail.uid in texts and not knows(texts[mail.uid])]
                arrivals = [self._arrival(box, mail, texts[mail.uid], folder=self._account.processed) for mail in new]
                verdicts = store_all(self._accept, arrivals)
                if trouble := next((each for each in verdicts if isinstance(each, TemporaryTrouble)), None):
                    raise SourceUnreachable(f"{self.name}: {trouble}") from trouble
                taken += len(arrivals)
            return taken

    def _counts(self, mail: QueuedMail, since: datetime) -> bool:
        return mail.size <= self._habits.max_bytes and (mail.arrived is None or mail.arrived >= since)

    def silent_for(self) -> float | None:
        """Seconds since INBOX was last searched and everything in it taken; None before the first time."""
        return None if self.last_success is None else (self._now() - self.last_success).total_seconds()

    def _pause_after(self, trouble: SourceUnreachable) -> float:
        if isinstance(trouble.__cause__, LoginRefused):
            return self._back_off.longest
        pause = self._back_off.pause(self._failures)
        self._failures += 1
        return pause

    @contextmanager
    def _reached(self) -> Iterator[MailBox]:
        """An open mailbox; every trouble becomes `SourceUnreachable`, for a server may send anything."""
        box: MailBox | None = None
        try:
            box = open_mailbox(self._account)
            yield box
            box.close()
        except SourceUnreachable:
            raise
        except Exception as error:
            if not isinstance(error, (*CONNECTION_TROUBLE, LineLost, LoginRefused)):
                log.exception("%s: unexpected trouble", self.name)
            raise SourceUnreachable(f"{self.name}: {error or type(error).__name__}") from error
        finally:
            if box is not None:
                box.drop()

    def _watch(self, box: MailBox, stop: threading.Event) -> None:
        """Drain and wait, over and over, until the connection has had its time."""
        end = self._tick() + self._habits.longest_connection
        while not stop.is_set():
            self._drain(box, stop)
            self._failures = 0
            if self._tick() >= end:
                return
            if box.can_idle:
                box.wait_for_news(self._habits.idle_slice, stop, self._tick)
            else:
                self._wait(stop, self._habits.poll_interval)

    def _drain(self, box: MailBox, stop: threading.Event) -> int:
        with self._turn:
            uids = box.waiting()
            keys = {self._key(box, uid) for uid in uids}
            self._left = {key: since for key, since in self._left.items() if key in keys}
            self._unreadable = Counter({key: times for key, times in self._unreadable.items() if key in keys})
            taken, left = 0, 0
            for start in range(0, len(uids), AT_ONCE):
                if stop.is_set():
                    return taken
                mails = box.look(uids[start : start + AT_ONCE])
                stored, failed = self._take(box, mails)
                taken, left = taken + stored, left + failed
                if failed and not stored:
                    break
            if left:
                raise SourceUnreachable(f"{self.name}: {left} mails could not be stored")
            self.last_success = self._now()
            return taken

    def _take(self, box: MailBox, mails: list[QueuedMail]) -> tuple[int, int]:
        """Take mails in groups of bearable size; how many were stored, and how many stay in INBOX for trouble."""
        stored, failed = 0, 0
        group: list[QueuedMail] = []
        for mail in mails:
            if mail.size > self._habits.max_bytes:
                failed += not self._set_aside(box, mail, box.read_head(mail.uid, HEAD), mail.size)
                continue
            if group and sum(other.size for other in group) + mail.size > self._habits.batch_bytes:
                done = self._take_group(box, group)
                stored, failed, group = stored + done[0], failed + done[1], []
            group.append(mail)
        done = self._take_group(box, group)
        return stored + done[0], failed + done[1]

    def _take_group(self, box: MailBox, group: list[QueuedMail]) -> tuple[int, int]:
        if not group:
            return 0, 0
        try:
            texts = box.read([mail.uid for mail in group])
        except Unreadable as error:
            return self._take_singly(box, group, error)
        arrivals = [(mail, self._arrival(box, mail, texts[mail.uid])) for mail in group if mail.uid in texts]
        verdicts = store_all(self._accept, [arrival for _, arrival in arrivals])
        ours, orphans, failed = [], [], 0
        for (mail, arrival), verdict in zip(arrivals, verdicts, strict=True):
            if isinstance(verdict, TemporaryTrouble):
                log.warning("%s: mail not stored: %s", self.name, verdict)
                failed += 1
            elif verdict:
                ours.append(mail.uid)
            elif self._is_orphan(self._key(box, mail.uid)):
                orphans.append((mail.uid, arrival.raw))
        box.move(ours, self._account.processed)
        self._move_orphans(box, orphans)
        return len(arrivals) - failed, failed

    def _move_orphans(self, box: MailBox, orphans: list[tuple[int, bytes]]) -> None:
        """Move what a crash has left in INBOX; where a move takes several commands, it may have been copied before."""
        folder = self._account.processed
        if not box.moves_by_copy:
            box.move([uid for uid, _ in orphans], folder)
            return
        for uid, raw in orphans:
            box.move([uid], folder, copied=[uid] if box.has_copy(folder, raw) else ())

    def _is_orphan(self, key: str) -> bool:
        """Whether a mail that was stored before has waited long enough for whoever stored it."""
        now = self._tick()
        return now - self._left.setdefault(key, now) >= self._habits.patience

    def _take_singly(self, box: MailBox, group: list[QueuedMail], error: Unreadable) -> tuple[int, int]:
        """The server cannot show one of these mails: find it, and after some attempts set it aside."""
        if len(group) > 1:
            results = [self._take_group(box, [mail]) for mail in group]
            return sum(stored for stored, _ in results), sum(failed for _, failed in results)
        (mail,) = group
        key = self._key(box, mail.uid)
        self._unreadable[key] += 1
        if self._unreadable[key] < ATTEMPTS:
            log.warning("%s: UID %d cannot be read: %s", self.name, mail.uid, error)
            return 0, 1
        return 0, 0 if self._set_aside(box, mail, b"", mail.size) else 1

    def _set_aside(self, box: MailBox, mail: QueuedMail, head: bytes, size: int) -> bool:
        """Move a mail to the quarantine; False if it has to stay, because nobody could be told."""
        try:
            if self._oversize is not None:
                self._oversize(self._arrival(box, mail, head), size)
        except TemporaryTrouble as trouble:
            log.warning("%s: UID %d cannot be set aside yet: %s", self.name, mail.uid, trouble)
            return False
        log.warning("%s: UID %d of %d bytes goes to %s", self.name, mail.uid, size, self._account.quarantine)
        box.move([mail.uid], self._account.quarantine)
        return True

    def _arrival(self, box: MailBox, mail: QueuedMail, raw: bytes, *, folder: str = "") -> Arrival:
        place = f"{folder}:{box.uidvalidity}" if folder else str(box.uidvalidity)
        return Arrival(
            raw=raw,
            source=self.name,
            transport_key=f"{self.name}:{content_mark(raw)}:{place}:{mail.uid}",
            mail_from="",
            rcpt_to=(),
            received_at=mail.arrived or self._now(),
            peer="",
        )

    def _key(self, box: MailBox, uid: int) -> str:
        return f"{self.name}:{box.uidvalidity}:{uid}"
