"""The store and its unit of work: one transaction that either keeps all of it or nothing.

    with store.write() as unit:
        unit.events.append("g17", 3, events, at=now)
        unit.letters.add(letter)

Do no network and no drawing inside. What `read` gives cannot write.
"""

import hmac
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from sqlalchemy import Connection, Engine

from judge.store.behind import forget, settle
from judge.store.contacts import Contacts
from judge.store.daemons import Daemons, Departures
from judge.store.engine import QUEUE_SECONDS, Synchronous, parse, read_engine, translated, write_engine
from judge.store.errors import NotShared, StoreBehind, StoreBusy
from judge.store.games import Events, Games, Pictures
from judge.store.inbox import Inbox
from judge.store.leases import this_process
from judge.store.leftovers import Leftovers
from judge.store.letters import Letters
from judge.store.locks import Locks, enter, sharing
from judge.store.meta import EPOCH, INSTANCE, SECRET, Meta, Recovery, renew, untouched
from judge.store.outbox import Outbox
from judge.store.people import Lists, People
from judge.store.schema import SchemaState, check
from judge.store.schema import upgrade as upgrade_schema
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
        any (`judge.store.locks`); what is to be changed is locked by the block, and whatever it must not change then
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

    `instance` names this process in leases (default: a name of its own, see `judge.store.leases`). With `upgrade` a
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
