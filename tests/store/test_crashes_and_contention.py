"""A killed process loses nothing that it acknowledged and keeps nothing half; writers queue instead of failing."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from judge import resources
from judge.store import Store, StoreBusy, StoreFull, engine, open_store
from judge.store.rows import MailState, NewEvent, Stored
from tests.support.stores import NOON, WAIT, claim_next, same_store, some_letter, some_mail

WRITES_AND_WAITS = """
import sys, time
from tests.support.stores import NOON, claim_next, same_store, some_letter, some_mail
from judge.store.rows import NewEvent
store = same_store({path!r}, instance="victim")
with store.write() as unit:
    unit.inbox.put(some_mail("committed"))
with store.write() as unit:
    claim_next(unit, NOON, owner=store.owner)
with store.write() as unit:
    unit.events.append("g17", 0, [NewEvent("Half", 1, "{{}}")], at=NOON)
    unit.letters.add(some_letter("half"))
    print("inside", flush=True)
    time.sleep(60)
"""

ACKNOWLEDGES = """
from judge.store import InboxWriter
from tests.support.stores import same_store, some_mail
store = same_store({path!r}, instance="victim")
with InboxWriter(store, max_group=8) as writer:
    for group in range(10_000):
        futures = [(n, writer.submit(some_mail(f"{{group}}.{{n}}"))) for n in range(8)]
        for n, future in futures:
            future.result()
            print(f"{{group}}.{{n}}", flush=True)
"""


def start(code: str) -> "subprocess.Popen[bytes]":
    """Run a program that will be killed; it sees the same package as we do."""
    folder = str(Path(resources.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": folder}
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)


@pytest.mark.parametrize("heard", [1, 50, *(pytest.param(n, marks=pytest.mark.long) for n in range(3, 400, 13))])
def test_what_was_acknowledged_before_the_kill_is_there_after_it(tmp_path: Path, store: Store, heard: int) -> None:
    with start(ACKNOWLEDGES.format(path=str(tmp_path / "judge.db"))) as victim:
        assert victim.stdout is not None
        acknowledged = [victim.stdout.readline().decode().strip() for _ in range(heard)]
        os.kill(victim.pid, signal.SIGKILL)
        # What it still said before it died counts as well; half a line does not.
        acknowledged += [line.decode().strip() for line in victim.stdout if line.endswith(b"\n")]

    with same_store(tmp_path / "judge.db", instance="heir") as heir, heir.read() as view:
        mails = view.inbox.list(limit=1_000_000)
        assert set(acknowledged) <= {mail.transport_key for mail in mails}
        assert all(view.inbox.raw(mail.id) for mail in mails)


def test_a_process_killed_inside_a_transaction_leaves_no_half_of_it(tmp_path: Path, store: Store) -> None:
    code = WRITES_AND_WAITS.format(path=str(tmp_path / "judge.db"))
    with start(code) as victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == b"inside\n"
        os.kill(victim.pid, signal.SIGKILL)

    with same_store(tmp_path / "judge.db", instance="heir") as heir, heir.write() as unit:
        [mail] = unit.inbox.list()
        assert (mail.transport_key, mail.attempts, mail.lease_owner) == ("committed", 1, "victim")
        assert unit.events.last_seq("g17") == 0
        assert unit.letters.by_key("half") is None
        assert unit.inbox.give_back("victim", NOON) == 1
        assert claim_next(unit, NOON, owner=heir.owner) is not None
    with closing(sqlite3.connect(tmp_path / "judge.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("step", ["put", "claim", "events", "letters", "finish"])
def test_a_failure_at_any_step_leaves_the_mail_to_be_taken_again(store: Store, step: str) -> None:
    """The flow of one mail with a failure injected once at each step: its effect is there exactly once in the end."""
    failing = [step]

    def reach(here: str) -> None:
        if failing == [here]:
            failing.clear()
            raise RuntimeError(f"injected at {here}")

    def flow() -> None:
        with store.write() as unit:
            unit.inbox.put(some_mail("imap/1/7", content_hash="h"))
            reach("put")
        with store.write() as unit:
            unit.inbox.give_back("w", NOON)
            mail = claim_next(unit, NOON, owner="w")
            reach("claim")
        if mail is None:
            return
        with store.write() as unit:
            unit.events.append("g17", unit.events.last_seq("g17"), [NewEvent("Ordered", 1, "{}")], at=NOON)
            reach("events")
            unit.letters.add(some_letter(f"mail/{mail.id}/receipt"))
            reach("letters")
            unit.inbox.finish(mail.id, MailState.PROCESSED, NOON)
            reach("finish")

    for _ in range(3):
        try:
            flow()
        except RuntimeError as error:
            assert step in str(error)
    assert failing == []
    with store.read() as view:
        assert view.events.last_seq("g17") == 1
        assert len(view.letters.list()) == 1


def test_writers_that_read_first_all_succeed(
    store: Store, reopened: Callable[[str], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read, add one, write back, from four processes at once: with a deferred BEGIN most of them would fail."""
    # The wait for a lock is not fair, and a slow disk may keep one of four waiting for long.
    monkeypatch.setattr(engine, "BUSY_SECONDS", 120)
    stores = [reopened(f"writer-{number}") for number in range(4)]
    failures: list[Exception] = []

    def count_up(mine: Store) -> None:
        try:
            for _ in range(25):
                with mine.write() as unit:
                    unit.meta.set("count", str(int(unit.meta.get("count", "0") or 0) + 1))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=count_up, args=(each,), daemon=True) for each in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
        assert not thread.is_alive()
    assert failures == []
    with store.read() as view:
        assert view.meta.get("count") == "100"


def test_a_lock_that_is_never_freed_is_trouble_and_not_a_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.05)
    with same_store(tmp_path / "judge.db") as impatient, closing(sqlite3.connect(tmp_path / "judge.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="another process"), impatient.write():
            pass
        other.rollback()
        with impatient.write() as unit:
            assert isinstance(unit.inbox.put(some_mail("a")), Stored)


def test_a_full_disk_is_trouble_and_nothing_is_kept(tmp_path: Path, store: Store) -> None:
    with pytest.raises(StoreFull, match="make room"), store.write() as unit:
        _limit_pages(unit.inbox)
        unit.inbox.put(some_mail("a", raw=bytes(5_000_000)))
    with store.read() as view:
        assert view.inbox.list() == ()


def _limit_pages(repository: object) -> None:
    """Let the database grow no more, as a full disk would."""
    connection = repository._connection  # type: ignore[attr-defined]
    connection.exec_driver_sql("PRAGMA max_page_count=100")


def test_the_database_is_opened_as_the_design_says(tmp_path: Path, migrations: Path) -> None:
    url = f"sqlite:///{tmp_path}/judge.db"
    with open_store(url, migrations=migrations, upgrade=True) as store, store.write() as unit:
        connection = unit.inbox._connection

        def pragma(name: str) -> object:
            return connection.exec_driver_sql(f"PRAGMA {name}").scalar()

        assert pragma("journal_mode") == "wal"
        assert pragma("synchronous") == 2  # FULL
        assert pragma("foreign_keys") == 1
        assert pragma("trusted_schema") == 0
        assert pragma("busy_timeout") == 5000


def test_a_view_cannot_write_even_by_force(store: Store) -> None:
    with pytest.raises(StoreFull, match="readonly"), store.read() as view:
        view.inbox._connection.exec_driver_sql("DELETE FROM inbox")
