"""The store and its unit of work: one transaction that either keeps all of it or nothing.

    with store.write() as unit:
        unit.events.append("g17", 3, events, at=now)
        unit.letters.add(letter)

Do no network and no drawing inside. What `read` gives cannot write.
"""

import hmac
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine

from judge.store import stamp
from judge.store.behind import forget, settle
from judge.store.contacts import Contacts, ContactsView
from judge.store.engine import translated
from judge.store.events import Events, EventsView
from judge.store.games import Games, GamesView
from judge.store.inbox import Inbox
from judge.store.inbox_view import InboxView
from judge.store.leftovers import Leftovers
from judge.store.letters import Letters, LettersView
from judge.store.lists import Lists, ListsView
from judge.store.meta import EPOCH, INSTANCE, SECRET, Meta, MetaView
from judge.store.outbox import Outbox
from judge.store.outbox_view import OutboxView
from judge.store.people import People, PeopleView
from judge.store.pictures import Pictures, PicturesView
from judge.store.recovery import Recovery


def _unmeasured(_seconds: float) -> None:
    return None


class View:
    """All repositories as they stood at one moment, to look at."""

    def __init__(self, connection: Connection) -> None:
        self.inbox = InboxView(connection)
        self.events = EventsView(connection)
        self.games = GamesView(connection)
        self.people = PeopleView(connection)
        self.lists = ListsView(connection)
        self.contacts = ContactsView(connection)
        self.letters = LettersView(connection)
        self.outbox = OutboxView(connection)
        self.pictures = PicturesView(connection)
        self.meta = MetaView(connection)


class Transaction(View):
    """All repositories inside one transaction; whoever asks for a View may be handed a Transaction."""

    inbox: Inbox
    events: Events
    games: Games
    people: People
    lists: Lists
    contacts: Contacts
    letters: Letters
    outbox: Outbox
    pictures: Pictures
    meta: Meta

    def __init__(self, connection: Connection) -> None:
        self.inbox = Inbox(connection)
        self.events = Events(connection)
        self.games = Games(connection)
        self.people = People(connection)
        self.lists = Lists(connection)
        self.contacts = Contacts(connection)
        self.letters = Letters(connection)
        self.outbox = Outbox(connection)
        self.pictures = Pictures(connection)
        self.meta = Meta(connection)
        self.leftovers = Leftovers(connection)
        self.recovery = Recovery(connection)
        self._connection = connection

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part that may fail alone: an exception undoes what the block did, and passes on; the rest stands.

        with store.write() as unit:
            for mail in mails:
                with suppress(Stumble), unit.part():
                    take(unit, mail)
        """
        settle(self._connection)
        try:
            with self._connection.begin_nested():
                yield
                settle(self._connection)
        except BaseException:
            forget(self._connection)
            self.events.forget()
            self.contacts.forget()
            raise


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
        self.waited: Callable[[float], None] = _unmeasured
        """Told after each wait for the write lock, in seconds."""
        self.owner = owner
        with self.read() as view:
            self.id = view.meta.get(INSTANCE) or ""
            self.secret = bytes.fromhex(view.meta.get(SECRET) or "")
            epoch = view.meta.get(EPOCH)
        self.letter_key = hmac.digest(self.secret, f"epoch {epoch}".encode(), "sha256") if epoch else self.secret

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction, committed when the block ends, undone when it raises.

        Raises StoreTrouble when the database cannot take it (busy, full), RuntimeError when this thread is inside
        another `write` already, which could only wait for itself.
        """
        with self._transaction(keep=True) as unit:
            yield unit

    @contextmanager
    def rehearse(self) -> Iterator[Transaction]:
        """One transaction that is always undone: to see what would happen (dry runs)."""
        with self._transaction(keep=False) as unit:
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
    def _transaction(self, *, keep: bool) -> Iterator[Transaction]:
        if getattr(self._writing, "now", False):
            raise RuntimeError("a unit of work is open in this thread; pass it on instead of opening another")
        self._writing.now = True
        try:
            with translated(), self._writer.connect() as connection:
                forget(connection)
                stamp.untouched(connection)
                asked = time.perf_counter()
                with connection.begin() as transaction:
                    self.waited(time.perf_counter() - asked)
                    yield Transaction(connection)
                    settle(connection)
                    stamp.renew(connection)
                    if not keep:
                        transaction.rollback()
        finally:
            self._writing.now = False
