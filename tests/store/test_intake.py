"""The door's writer: groups share a commit, each mail hears its own fate, and only after the commit."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from judge.store import InboxWriter, Store, StoreTrouble
from judge.store.acceptance import Receipt
from judge.store.rows import Duplicate, Stored
from tests.support.stores import NOON, WAIT, some_mail


@pytest.fixture
def blocked(tmp_path: Path, store: Store) -> Iterator[sqlite3.Connection]:
    """Somebody else who holds the write lock; `rollback` lets it go."""
    other = sqlite3.connect(tmp_path / "judge.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


def test_a_mail_is_in_the_database_when_its_future_is_done(store: Store) -> None:
    seen: list[bool] = []

    def look(done: "Future[Receipt]") -> None:
        receipt = done.result()
        assert isinstance(receipt, Stored)
        with store.read() as view:
            seen.append(view.inbox.raw(receipt.id) is not None)

    with InboxWriter(store) as writer:
        future = writer.submit(some_mail("a"))
        future.add_done_callback(look)
        future.result(WAIT)
    assert seen == [True]


def test_mails_that_wait_together_share_a_commit(store: Store, blocked: sqlite3.Connection) -> None:
    commits: list[int] = []
    with InboxWriter(store, stored=lambda: commits.append(1)) as writer:
        futures = [writer.submit(some_mail(str(number))) for number in range(100)]
        blocked.rollback()
        receipts = [future.result(WAIT) for future in futures]
    assert len({receipt.id for receipt in receipts}) == 100
    # The first may have gone to wait alone; the others gathered behind it.
    assert len(commits) <= 2


def test_a_group_has_a_greatest_size(store: Store, blocked: sqlite3.Connection) -> None:
    commits: list[int] = []
    with InboxWriter(store, max_group=10, stored=lambda: commits.append(1)) as writer:
        futures = [writer.submit(some_mail(str(number))) for number in range(40)]
        blocked.rollback()
        for future in futures:
            future.result(WAIT)
    assert 4 <= len(commits) <= 5


def test_duplicates_inside_a_group_are_recognised(store: Store, blocked: sqlite3.Connection) -> None:
    with InboxWriter(store) as writer:
        futures = [writer.submit(some_mail(str(number), content_hash="same")) for number in range(5)]
        blocked.rollback()
        receipts = [future.result(WAIT) for future in futures]
    first = receipts[0]
    assert isinstance(first, Stored)
    assert all(isinstance(each, Duplicate) and each.first_id == first.id for each in receipts[1:])


def test_one_mail_that_cannot_be_stored_does_not_spoil_its_group(store: Store, blocked: sqlite3.Connection) -> None:
    with InboxWriter(store) as writer:
        good = [writer.submit(some_mail("a")), writer.submit(some_mail("b"))]
        bad = writer.submit(some_mail("c", received_at=NOON.replace(tzinfo=None)))
        good.append(writer.submit(some_mail("d")))
        blocked.rollback()
        assert len({future.result(WAIT).id for future in good}) == 3
        with pytest.raises(Exception, match="no zone"):
            bad.result(WAIT)


def test_trouble_with_the_database_is_everybodys_and_nothing_is_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with InboxWriter(store) as writer:
        monkeypatch.setattr(store, "write", _disk_full)
        futures = [writer.submit(some_mail(str(number))) for number in range(3)]
        for future in futures:
            with pytest.raises(StoreTrouble, match="make room"):
                future.result(WAIT)
        monkeypatch.undo()
        assert isinstance(writer.submit(some_mail("0")).result(WAIT), Stored)


def _disk_full(**_how: bool) -> object:
    raise StoreTrouble("the database cannot be written (database or disk is full); make room")


def test_closing_writes_what_waits_and_takes_no_more(store: Store, blocked: sqlite3.Connection) -> None:
    writer = InboxWriter(store)
    futures = [writer.submit(some_mail(str(number))) for number in range(20)]
    closer = threading.Thread(target=writer.close, daemon=True)
    closer.start()
    blocked.rollback()
    closer.join(WAIT)
    assert all(future.done() for future in futures)
    with pytest.raises(StoreTrouble, match="closing"):
        writer.submit(some_mail("late")).result(WAIT)
    writer.close()


def test_too_many_waiting_mails_are_turned_away_politely(store: Store, blocked: sqlite3.Connection) -> None:
    with InboxWriter(store, max_waiting=5, max_group=5) as writer:
        futures = [writer.submit(some_mail(str(number))) for number in range(40)]
        blocked.rollback()
        outcomes = [future.exception(WAIT) for future in futures]
    refused = [error for error in outcomes if error is not None]
    assert 0 < len(refused) < 40
    assert all("too many mails wait" in str(error) for error in refused)


def test_a_cancelled_mail_is_not_stored(store: Store, blocked: sqlite3.Connection) -> None:
    with InboxWriter(store, max_group=1) as writer:
        first = writer.submit(some_mail("first"))
        second = writer.submit(some_mail("second"))
        assert second.cancel()
        blocked.rollback()
        first.result(WAIT)
    with store.read() as view:
        assert [mail.transport_key for mail in view.inbox.list()] == ["first"]
