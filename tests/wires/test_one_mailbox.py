"""Several daemons on one PostgreSQL that can all fetch from one mailbox: one of them does, and then the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import Config, Imap
from judge.daemon.continuity import OtherDaemons
from judge.service.core.judge import Judge
from judge.service.turning.barrier import RECEIVE
from judge.store.daemons import STILL
from judge.testing.process import PATIENCE
from tests.bench.full_judge import FIVE_UNITS, order_mail
from tests.daemon.test_shared_mailboxes import Account
from tests.support.imap_server import PASSWORD, USER, ImapServer
from tests.support.many import ManyDaemons
from tests.wires.conftest import until
from tests.wires.test_many_daemons import Site, site

pytestmark = pytest.mark.wires

__all__ = ["site"]

Joins = Callable[[str], OtherDaemons]


@pytest.fixture
def joins(site: Site) -> Iterator[Joins]:
    """A daemon that can fetch from the mailbox, among the others."""
    with ExitStack() as stack:

        def one(name: str) -> OtherDaemons:
            judge: Judge = site.daemon(name)
            company = OtherDaemons(
                judge, (RECEIVE,), settled=lambda: (judge.clock.now(), ""), heard=lambda _: None, sources=[Account()]
            )
            site.stage.clock.advance(timedelta(seconds=1))
            company.join()
            stack.callback(company._presence.close)
            return company

        yield one


def fetches(company: OtherDaemons) -> bool:
    company.look()
    shared = company.shared(Account())
    return shared is not None and shared.ours


def test_the_one_that_came_first_fetches_and_then_the_next(joins: Joins) -> None:
    one, two, three = joins("one"), joins("two"), joins("three")
    assert [fetches(each) for each in (one, two, three)] == [True, False, False]
    one.leave()
    assert [fetches(each) for each in (two, three)] == [True, False]
    two._presence.close()  # as one that is killed: its connection ends, and a moment later it is seen
    until(lambda: fetches(three))


def test_one_that_stands_still_loses_it_and_sees_so_when_it_goes_on(joins: Joins, site: Site) -> None:
    one, two = joins("one"), joins("two")
    assert fetches(one) and not fetches(two)
    with site.stage.judge.store.write() as unit:  # it was not seen for a minute, and holds its connection
        (row,) = [row for row in unit.daemons.all() if row.owner == "one"]
        unit.daemons.put(replace(row, seen_at=SystemClock().now() - STILL - timedelta(seconds=1)))
    assert fetches(two)
    assert fetches(one), "it came first, and is well again"
    assert not fetches(two)


@pytest.fixture
def server() -> Iterator[ImapServer]:
    with ImapServer() as listening:
        yield listening


@pytest.fixture
def many(url: str, tmp_path: Path, server: ImapServer) -> Iterator[ManyDaemons]:
    """Three daemons that fetch from one mailbox."""
    secret = tmp_path / "password"
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    box = Imap("main", server.host, USER, str(secret), server.port, "none")

    class Fetching(ManyDaemons):
        @staticmethod
        def _config(url: str, var: Path) -> Config:
            return replace(ManyDaemons._config(url, var), imap=(box,))

    found = Fetching(url, tmp_path, daemons=3, games=2)
    yield found
    found.close()


def test_a_mail_is_fetched_by_one_daemon_and_by_another_when_that_is_killed(
    many: ManyDaemons, server: ImapServer
) -> None:
    many.start()
    until(lambda: sum("a mailbox is ours" in daemon.log for daemon in many.daemons) == 1, seconds=PATIENCE)
    holder = next(daemon for daemon in many.daemons if "a mailbox is ours" in daemon.log)
    author, other = many.authors[:2]
    until(server.idling, seconds=PATIENCE)
    put(server, author.address, author.to, author.power, 1)
    until(lambda: len(server.folder("Processed")) == 1, seconds=PATIENCE)
    assert sum(command.startswith("LOGIN") for command in server.commands) == 1, server.commands
    holder.kill()
    put(server, other.address, other.to, other.power, 2)
    until(lambda: len(server.folder("Processed")) == 2, seconds=PATIENCE)
    many.come_to_rest()
    with many.judge.store.read() as view:
        assert len(view.inbox.list(limit=10)) == 2


def put(server: ImapServer, address: str, to: str, power: str, number: int) -> None:
    server.put(order_mail(number, address, to, [f"{unit} H" for unit in FIVE_UNITS[power]]))
