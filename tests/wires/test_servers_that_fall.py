"""Two daemons under load while their PostgreSQL is started again, crashes, hands over to a standby, has no room left:
nobody starts the daemons again. They put their senders off, go on by themselves, and nothing is lost or said twice.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from judge.testing.process import PATIENCE
from tests.support.many import ManyDaemons, in_threads
from tests.support.postgres import PostgresServer, empty_database, missing, short_folder
from tests.wires.conftest import must_be_there, until

pytestmark = pytest.mark.wires

SENDERS = 4
SOME = 15
"""Mails that are acknowledged between two events, so that each is in mid-load."""

OUT_OF_REACH = "the database server is out of reach"


@pytest.fixture
def make_server() -> Iterator[Callable[..., PostgresServer]]:
    """Makes servers, each in a folder of its own."""
    must_be_there(missing())
    with ExitStack() as stack:

        def made(folder: Path | None = None, settings: dict[str, str] | None = None) -> PostgresServer:
            server = PostgresServer(folder or stack.enter_context(short_folder()), settings=settings)
            stack.callback(server.stop)
            stack.callback(server.stop)
            return server

        yield made


@pytest.fixture
def server(make_server: Callable[..., PostgresServer]) -> PostgresServer:
    """One server."""
    made = make_server()
    made.make()
    assert made.start(), made.log
    return made


@contextmanager
def under_load(url: str, folder: Path) -> Iterator[ManyDaemons]:
    """Daemons to which people write until the end of the block; then all that was written is heard and answered, and
    the promises were kept. All daemons are the processes that they were.
    """
    many = ManyDaemons(url, folder, daemons=2, games=4)
    many.start()
    done = False
    pids = [daemon.pid for daemon in many.daemons]

    def write(number: int) -> None:
        many.write(many.authors[number::SENDERS], number, stop=lambda: done)

    threads = in_threads([lambda k=k: write(k) for k in range(SENDERS)])  # type: ignore[misc]
    try:
        more(many)
        yield many
        more(many)
        done = True
        for thread in threads:
            thread.join(PATIENCE)
        many.come_to_rest()
        assert [daemon.pid for daemon in many.daemons if daemon.running] == pids
        many.check_promises()
    finally:
        done = True
        many.close()


def more(many: ManyDaemons) -> None:
    """Wait until some more mails are acknowledged: the judge works."""
    goal = many.acknowledged + SOME
    until(lambda: many.acknowledged >= goal, seconds=PATIENCE)


def told(many: ManyDaemons, words: str) -> None:
    """Wait until each daemon has told its operator of it in its log."""
    until(lambda: all(words in daemon.log for daemon in many.daemons), seconds=PATIENCE)


def test_the_server_is_started_again(server: PostgresServer, tmp_path: Path) -> None:
    with under_load(empty_database(server.url), tmp_path) as many:
        for _ in range(2):
            server.stop("fast")
            told(many, OUT_OF_REACH)
            assert server.start(), server.log
            more(many)


def test_the_server_crashes(server: PostgresServer, tmp_path: Path) -> None:
    """Killed without a word; sessions of it live on for a moment, and what they were told to commit is in doubt."""
    with under_load(empty_database(server.url), tmp_path) as many:
        for _ in range(3):
            server.kill()
            assert server.start(), server.log
            more(many)


def test_a_standby_takes_over(make_server: Callable[..., PostgresServer], tmp_path: Path) -> None:
    """With a commit that waits for the standby, as deploy/RUNBOOK.md says, whatever was acknowledged is there."""
    first, second = make_server(), make_server()
    first.make()
    assert first.start(), first.log
    url = empty_database(first.url)
    second.follow(first)
    assert second.start(), second.log
    query(first, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    query(first, "SELECT pg_reload_conf()")
    until(lambda: query(first, "SELECT sync_state FROM pg_stat_replication") == [("sync",)])
    both = f"{url}&host={second.folder}&target_session_attrs=read-write"
    with under_load(both, tmp_path) as many:
        first.kill()
        second.promote()
        more(many)


def query(server: PostgresServer, statement: str) -> list[tuple[object, ...]]:
    """What a server answers."""
    engine = create_engine(server.url.format("postgres"), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            result = connection.exec_driver_sql(statement)
            return [tuple(row) for row in result] if result.returns_rows else []
    finally:
        engine.dispose()


def test_the_disk_is_full(make_server: Callable[..., PostgresServer], tmp_path: Path) -> None:
    with short_folder() as folder, small_disk(folder, megabytes=160):
        server = make_server(folder, {"max_wal_size": "16MB", "min_wal_size": "2MB"})
        server.make()
        assert server.start(), server.log
        with under_load(empty_database(server.url), tmp_path) as many:
            filler = folder / "filler"
            fill(filler)
            until(lambda: any("make room on its disk" in one.log or OUT_OF_REACH in one.log for one in many.daemons))
            filler.unlink()
            # Where its own log finds no room it ends itself, or begins again.
            until(lambda: answers(server) or server.try_to_start(), seconds=PATIENCE)
            more(many)
        server.stop()


def answers(server: PostgresServer) -> bool:
    with suppress(OperationalError):
        return bool(query(server, "SELECT 1"))
    return False


@contextmanager
def small_disk(folder: Path, *, megabytes: int) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(filler: Path) -> None:
    """Leave no room on a disk."""
    with filler.open("wb", buffering=0) as file:
        for block in (1 << 20, 1 << 12):
            with suppress(OSError):
                while True:
                    file.write(bytes(block))
