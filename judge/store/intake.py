"""Group commit of incoming mails: those that arrive together share one commit; each has a future that is done after it.

One thread owns the writing. While it commits one group, the next gathers in its queue; so slow commits make groups
larger, not mails fewer. A mail's future is done only after the commit that holds it: a 250 that waits for it is true.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Protocol

from judge.store.acceptance import Accepted, Receipt
from judge.store.errors import StoreCrowded, StoreTrouble
from judge.store.rows import Mail, NewMail
from judge.store.unit import Store, Transaction


class Takes(Protocol):
    """A consumer that is handed mails as they are stored, already claimed."""

    def wants(self) -> datetime | None:
        """Until when mails that are handed over now stay in their hand; None if they want none: they wait in the
        inbox.
        """
        ...

    def busy(self) -> bool:
        """Whether they are at work on earlier ones, so that nobody is kept waiting if a few more join these."""
        ...

    def hand(self, mails: Sequence[tuple[Mail, bytes]]) -> None:
        """These are committed, in the order of their numbers, in the store's owner's hand, each with its bytes."""
        ...


MAX_GROUP = 200
MAX_WAITING = 2000
LINGER = 0.005
"""Seconds that a group waits for others to join it while the taker is at work: each group costs a commit."""

_Waiting = tuple[NewMail, "Future[Receipt]"]


class InboxWriter:
    """Puts mails into the inbox in groups.

        with InboxWriter(store) as writer:
            receipt = writer.submit(mail).result()                           # a thread
            receipt = await asyncio.wrap_future(writer.submit(mail))         # a coroutine

    `stored` is called after each commit that brought at least one mail, from the writer's thread: a place to wake
    the loop that takes mails from the inbox. A `taker` gets them into its hands besides, while it wants them.
    Leaving the block writes what still waits, then ends.
    """

    def __init__(
        self,
        store: Store,
        *,
        max_group: int = MAX_GROUP,
        max_waiting: int = MAX_WAITING,
        stored: Callable[[], None] = lambda: None,
        taker: Takes | None = None,
    ) -> None:
        self._store = store
        self._taker = taker
        self._max_group = max_group
        self._stored = stored
        self._queue: queue.Queue[_Waiting | None] = queue.Queue(max_waiting)
        self._door = threading.Lock()
        self._open = True
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="inbox-writer", daemon=True)
        self._thread.start()

    def submit(self, mail: NewMail) -> "Future[Receipt]":
        """Hand a mail over; never blocks.

        The future brings Stored or Duplicate after the commit, or raises StoreTrouble if the mail could not be
        kept (database busy, disk full, too many mails waiting, writer closed): answer 451 then.
        """
        future: Future[Receipt] = Future()
        with self._door:
            if not self._open:
                future.set_exception(StoreTrouble("the inbox is closing; try again later"))
                return future
            try:
                self._queue.put_nowait((mail, future))
            except queue.Full:
                future.set_exception(StoreCrowded("too many mails wait for the disk; try again later"))
        return future

    def close(self) -> None:
        """Take no more mails, write those that wait, and end. May be called twice."""
        with self._door:
            first, self._open = self._open, False
        if first:
            self._queue.put(None)
        self._thread.join()

    def __enter__(self) -> "InboxWriter":
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._ended and (item := self._queue.get()) is not None:
            if self._taker is not None and self._taker.busy():
                time.sleep(LINGER)
            group = [item] if _begun(item) else []
            if group:
                self._write(group)

    def _gather(self, group: list[_Waiting]) -> None:
        """Add the mails that were submitted meanwhile."""
        while len(group) < self._max_group:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return
            if item is None:
                self._ended = True
                return
            if _begun(item):
                group.append(item)

    def _write(self, group: list[_Waiting], *, alone: bool = False) -> None:
        """Store a group, and what can join it unless it is to stay `alone`; tell everybody how it went."""
        taken: Sequence[Accepted] = ()
        try:
            with self._store.write(shared=True) as unit:
                if not alone:
                    self._gather(group)
                until = self._taker.wants() if self._taker else None
                taken = _put(unit, [mail for mail, _ in group], self._store.owner, until)
        except StoreTrouble as trouble:
            # The trouble is the disk's, not one mail's: everybody hears of it at once.
            for _, future in group:
                future.set_exception(trouble)
        except Exception as error:
            self._write_singly(group, error)
        else:
            for (_, future), (receipt, _) in zip(group, taken, strict=True):
                future.set_result(receipt)
            ours = [(row, mail.raw) for (mail, _), (_, row) in zip(group, taken, strict=True) if row is not None]
            if self._taker is not None and ours:
                self._taker.hand(ours)
            self._stored()

    def _write_singly(self, group: Sequence[_Waiting], error: Exception) -> None:
        """Store each mail of a failed group by itself, so that only the faulty one fails."""
        if len(group) == 1:
            group[0][1].set_exception(error)
            return
        for one in group:
            self._write([one], alone=True)


def _begun(item: _Waiting) -> bool:
    """Whether this mail is still to be stored: its sender did not give up meanwhile."""
    return item[1].set_running_or_notify_cancel()


def _put(unit: Transaction, mails: Sequence[NewMail], owner: str, until: datetime | None) -> Sequence[Accepted]:
    if until is None:
        return [(receipt, None) for receipt in unit.inbox.put_all(mails)]
    return unit.inbox.take_all(mails, owner=owner, until=until)
