"""The store and its unit of work: one transaction that either keeps all of it or nothing; and the thread that commits
incoming mails in groups.

    with store.write() as unit:
        unit.events.append("g17", 3, events, at=now)
        unit.letters.add(letter)

Do no network and no drawing inside. What `read` gives cannot write.

One thread owns the writing. While it commits one group, the next gathers in its queue; so slow commits make groups
larger, not mails fewer. A mail's future is done only after the commit that holds it: a 250 that waits for it is true.
"""

import hmac
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from sqlalchemy import Connection, Engine

from judge.store.acceptance import Accepted, Receipt
from judge.store.daemons import Daemons, Departures
from judge.store.engine import (
    QUEUE_SECONDS,
    Locks,
    Synchronous,
    enter,
    parse,
    read_engine,
    sharing,
    translated,
    write_engine,
)
from judge.store.errors import NotShared, StoreBehind, StoreBusy, StoreCrowded, StoreTrouble
from judge.store.games import Events, Games, Pictures
from judge.store.inbox import Inbox
from judge.store.leftovers import Leftovers
from judge.store.letters import Letters
from judge.store.meta import EPOCH, INSTANCE, SECRET, Meta, Recovery, renew, untouched
from judge.store.outbox import Outbox
from judge.store.people import Contacts, Lists, People
from judge.store.rows import Mail, NewMail
from judge.store.schema import SchemaState, check
from judge.store.schema import upgrade as upgrade_schema
from judge.store.sql import forget, settle, this_process
from judge.store.zines import Zines


def _unmeasured(_seconds: float) -> None:
    return None


R = TypeVar("R")


class _Made(Generic[R]):
    """A repository of a view, made when it is first asked for: most units of work need few."""

    def __init__(self, kind: Callable[[Connection], R]) -> None:
        self._kind = kind

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, view: "View", _owner: type) -> R:
        made = self._kind(view.connection)
        view.__dict__[self._name] = made
        return made


class View:
    """All repositories as they stood at one moment. The connection of a `Store.read` refuses to write."""

    inbox = _Made(Inbox)
    events = _Made(Events)
    games = _Made(Games)
    people = _Made(People)
    lists = _Made(Lists)
    contacts = _Made(Contacts)
    letters = _Made(Letters)
    outbox = _Made(Outbox)
    pictures = _Made(Pictures)
    meta = _Made(Meta)
    zines = _Made(Zines)
    daemons = _Made(Daemons)
    departures = _Made(Departures)

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    @property
    def shared(self) -> bool:
        """Whether others write at the same time as this unit of work."""
        return sharing(self.connection) is not None


class Transaction(View):
    """All repositories inside one transaction; whoever asks for a View may be handed a Transaction."""

    leftovers = _Made(Leftovers)
    recovery = _Made(Recovery)
    locks = _Made(Locks)

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part that may fail alone: an exception undoes what the block did, and passes on; the rest stands.

        with store.write() as unit:
            for mail in mails:
                with suppress(Stumble), unit.part():
                    take(unit, mail)
        """
        settle(self.connection)
        try:
            with self.connection.begin_nested():
                yield
                settle(self.connection)
        except BaseException:
            forget(self.connection)
            self.events.forget()
            self.contacts.forget()
            raise


class InTurn:
    """A lock that goes to whoever has waited longest. Handed out otherwise, it would stay with a thread that takes it
    again a moment after giving it back: a thousand turns, a commit each, would keep all mail waiting to their end.
    """

    def __init__(self) -> None:
        self._door = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    @contextmanager
    def held(self, seconds: float) -> Iterator[None]:
        """Hold it. Raises StoreBusy where it does not come within so many seconds."""
        if not self._take(seconds):
            raise StoreBusy(f"no turn to write came within {seconds:g} s; is a transaction stuck?")
        try:
            yield
        finally:
            self._give()

    def _take(self, seconds: float) -> bool:
        with self._door:
            if not self._taken:
                self._taken = True
                return True
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        try:
            if mine.acquire(timeout=seconds):
                return True
        except BaseException:  # whoever is interrupted while they wait must not be handed it
            if not self._gone(mine):
                self._give()
            raise
        return not self._gone(mine)

    def _gone(self, mine: threading.Lock) -> bool:
        """Wait no longer; False where it came in the last moment."""
        with self._door:
            if mine not in self._waiting:
                return False
            self._waiting.remove(mine)
            return True

    def _give(self) -> None:
        with self._door:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


class Store:
    """An open database; see `judge.store.open_store`.

    `owner` names this process in leases; `id` names the database (every judge has its own), `secret` is the key
    that its tokens are signed with, and `letter_key` the one that its letters' Message-IDs are made with: another one
    after each restored backup, because the same occasion may then bring another letter, which a mailbox that keeps one
    letter of each Message-ID must not drop.
    """

    def __init__(self, writer: Engine, reader: Engine, *, owner: str) -> None:
        self._writer = writer
        self._reader = reader
        self._writing = threading.local()
        self._turn = InTurn()
        self.waited: Callable[[float], None] = _unmeasured
        """Told after each wait for the write lock, in seconds."""
        self.owner = owner
        self.company = False
        """Whether other daemons live on this database. Alone, nobody pays for locks that keep others out."""
        self.many = writer.dialect.name != "sqlite"
        """Whether others may join at any moment."""
        with self.read() as view:
            self.id = view.meta.get(INSTANCE) or ""
            self.secret = bytes.fromhex(view.meta.get(SECRET) or "")
            epoch = view.meta.get(EPOCH)
        self.letter_key = hmac.digest(self.secret, f"epoch {epoch}".encode(), "sha256") if epoch else self.secret

    @contextmanager
    def write(self, *, shared: bool = False) -> Iterator[Transaction]:
        """One transaction, committed when the block ends, undone when it raises.

        Threads write in the order in which they ask. `shared`: other daemons may write at the same time, if there are
        any (`judge.store.engine`); what is to be changed is locked by the block, and whatever it must not change then
        raises NotShared. Raises StoreTrouble when the database cannot take it (busy, full), RuntimeError when this
        thread is inside another `write` already, which could only wait for itself.
        """
        with self._transaction(keep=True, shared=shared and self.company) as unit:
            yield unit

    def together(self, work: Callable[[Transaction], R]) -> R:
        """Do it in a transaction while others may write; where it wants more than is allowed then, again alone."""
        try:
            with self.write(shared=True) as unit:
                return work(unit)
        except NotShared:
            with self.write() as unit:
                return work(unit)

    @contextmanager
    def rehearse(self) -> Iterator[Transaction]:
        """One transaction that is always undone: to see what would happen (dry runs)."""
        with self._transaction(keep=False, shared=False) as unit:
            yield unit

    @contextmanager
    def read(self) -> Iterator[View]:
        """A view of one moment: what others commit meanwhile does not show."""
        with translated(), self._reader.connect() as connection:
            yield View(connection)

    def close(self) -> None:
        """Give the connections back; the store cannot be used afterwards."""
        self._reader.dispose()
        self._writer.dispose()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self, *, keep: bool, shared: bool) -> Iterator[Transaction]:
        if getattr(self._writing, "now", False):
            raise RuntimeError("a unit of work is open in this thread; pass it on instead of opening another")
        self._writing.now = True
        asked = time.perf_counter()
        try:
            with self._turn.held(QUEUE_SECONDS), translated(), self._writer.connect() as connection:
                forget(connection)
                untouched(connection)
                with connection.begin() as transaction:
                    enter(connection, shared=shared)
                    self.waited(time.perf_counter() - asked)
                    yield Transaction(connection)
                    settle(connection)
                    renew(connection)
                    if not keep:
                        transaction.rollback()
        finally:
            self._writing.now = False


def open_store(
    url: str,
    *,
    migrations: Path,
    instance: str | None = None,
    upgrade: bool = False,
    synchronous: Synchronous = "FULL",
    entropy: Callable[[int], bytes] = secrets.token_bytes,
) -> Store:
    """Open the database at `url` ("sqlite:///var/judge.db").

    `instance` names this process in leases (default: a name of its own, see `judge.store.sql`). With `upgrade` a
    missing or older database is made or upgraded first; without it StoreBehind is raised. `synchronous="OFF"` gives up
    safety against a loss of power, for rehearsals. `entropy` makes a new database's identity and secret. Raises
    StoreNewer and StoreTrouble too.
    """
    parsed = parse(url)
    schema = check(url, migrations=migrations)
    if schema.state is not SchemaState.OK:
        if not upgrade:
            raise StoreBehind(schema.found, schema.known)
        upgrade_schema(url, migrations=migrations)
    writer = write_engine(parsed, synchronous=synchronous)
    with translated(), writer.begin() as connection:
        meta = Meta(connection)
        meta.set_once(INSTANCE, lambda: entropy(8).hex())
        meta.set_once(SECRET, lambda: entropy(32).hex())
    return Store(writer, read_engine(parsed), owner=instance or str(this_process()))


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
