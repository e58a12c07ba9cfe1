"""A mailbox that is watched: news by IDLE, lines that break, pauses while the server is away."""

import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest
from imapclient import IMAPClient

from judge.transport.imap_in import ImapAccount, ImapHabits, ImapSource, LineLost, MailBox
from tests.support.imap_server import PASSWORD, USER, ImapServer
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT, PATIENCE, until
from tests.transport.mailbox import MAIL, account

LONG = 10 * PATIENCE
"""A slice of IDLE that no test waits for."""


@pytest.fixture
def server() -> Iterator[ImapServer]:
    with ImapServer() as running:
        yield running


class Watch:
    """A source running in its thread, its pauses written down and cut short."""

    def __init__(self, server: ImapServer, tray: Tray, habits: ImapHabits, *, password: str = PASSWORD) -> None:
        self.pauses: list[float] = []
        self.stop = threading.Event()
        self.source = ImapSource(
            account(server, password=password),
            tray,
            now=lambda: MOMENT,
            habits=habits,
            wait=self._pause,
            chance=lambda: 0.0,
        )
        self.thread = threading.Thread(target=self.source.run, args=(self.stop,), daemon=True)

    def _pause(self, stop: threading.Event, seconds: float) -> None:
        self.pauses.append(seconds)
        stop.wait(0.01)


@contextmanager
def watching(
    server: ImapServer, tray: Tray, *, habits: ImapHabits | None = None, password: str = PASSWORD
) -> Iterator[Watch]:
    watch = Watch(server, tray, habits or ImapHabits(idle_slice=0.2), password=password)
    watch.thread.start()
    try:
        yield watch
    finally:
        watch.stop.set()
        watch.thread.join(PATIENCE)
    assert not watch.thread.is_alive(), "a source must stop when it is told to"


def test_idle_pushes_new_mail(server: ImapServer, tray: Tray) -> None:
    with watching(server, tray, habits=ImapHabits(idle_slice=30.0)):
        until(server.idling)
        server.put(MAIL)
        until(lambda: len(tray.arrivals) == 1)


def test_news_in_the_packet_that_confirms_idle_is_heard_at_once(server: ImapServer, tray: Tray) -> None:
    server.late_mails.append(MAIL)
    with watching(server, tray, habits=ImapHabits(idle_slice=LONG)):
        until(lambda: server.folder("Processed") == [MAIL])
    assert len(tray.arrivals) == 1


def test_a_server_that_tells_its_count_whenever_it_is_asked_to_idle_is_not_asked_all_the_time(tray: Tray) -> None:
    with ImapServer() as server:
        server.tells_count = True
        with watching(server, tray, habits=ImapHabits(idle_slice=LONG)):
            until(lambda: server.commands.count("IDLE") == 2 and server.idling())
            server.put(MAIL)
            until(lambda: len(tray.arrivals) == 1)
        assert server.commands.count("IDLE") <= 4


def test_mail_that_nobody_announced_is_found_after_the_slice(server: ImapServer, tray: Tray) -> None:
    with watching(server, tray):
        until(server.idling)
        server.put_quietly(MAIL)
        until(lambda: len(tray.arrivals) == 1)


def test_a_line_cut_in_idle_is_noticed_and_rebuilt(server: ImapServer, tray: Tray) -> None:
    with watching(server, tray, habits=ImapHabits(idle_slice=30.0)) as watch:
        until(server.idling)
        server.cut()
        until(lambda: server.connections == 2)
        until(server.idling)
        server.put(MAIL)
        until(lambda: len(tray.arrivals) == 1)
        assert watch.pauses == [1.0], "noticed at once, no hot loop"


def test_pauses_grow_while_the_server_is_away_and_start_again_afterwards(server: ImapServer, tray: Tray) -> None:
    server.answers["SELECT"] = deque(["NO [UNAVAILABLE]"] * 7)
    with watching(server, tray, habits=ImapHabits(idle_slice=30.0)) as watch:
        until(server.idling)
        assert watch.pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0]
        server.cut()
        until(lambda: len(watch.pauses) == 8)
        assert watch.pauses[-1] == 1.0


def test_a_refused_login_is_not_repeated_in_haste(server: ImapServer, tray: Tray) -> None:
    with watching(server, tray, password="wrong") as watch:
        until(lambda: len(watch.pauses) >= 2)
    assert set(watch.pauses) == {60.0}


def test_without_idle_the_mailbox_is_polled(tray: Tray) -> None:
    with (
        ImapServer(["MOVE"]) as server,
        watching(server, tray, habits=ImapHabits(poll_interval=17.0)) as watch,
    ):
        until(lambda: bool(watch.pauses))
        server.put(MAIL)
        until(lambda: len(tray.arrivals) == 1)
        assert set(watch.pauses) == {17.0}
        assert "IDLE" not in server.commands


def test_a_connection_is_renewed_when_it_has_grown_old(server: ImapServer, tray: Tray) -> None:
    with watching(server, tray, habits=ImapHabits(idle_slice=0.01, longest_connection=0.02)) as watch:
        until(lambda: server.connections >= 3)
        assert watch.pauses == [], "growing old is no failure"
        assert "LOGOUT" in server.commands


def test_a_goodbye_in_idle_ends_the_connection(server: ImapServer, tray: Tray) -> None:
    with pytest.raises(LineLost, match="goodbye"):
        stub_box([[(b"BYE", b"shutting down")]]).wait_for_news(1.0, threading.Event(), time.monotonic)


def test_a_line_that_wakes_us_for_nothing_is_declared_dead() -> None:
    box = stub_box([[], [], []])
    stop = threading.Event()
    assert [box.wait_for_news(5.0, stop, time.monotonic) for _ in range(2)] == [False, False]
    with pytest.raises(LineLost, match="for nothing"):
        box.wait_for_news(5.0, stop, time.monotonic)


def test_polling_for_a_deadline_while_the_watch_idles(server: ImapServer, tray: Tray) -> None:
    with watching(server, tray, habits=ImapHabits(idle_slice=30.0)) as watch:
        until(server.idling)
        server.put_quietly(MAIL)
        assert watch.source.poll_once() == 1
        assert server.folder("Processed") == [MAIL]


def test_a_server_that_talks_nonsense_does_not_end_the_watch(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL)
    server.answers["UID SEARCH"] = deque(["* SEARCH one two\r\nTAG OK found"])
    with watching(server, tray) as watch:
        until(lambda: len(tray.arrivals) == 1)
        assert watch.pauses == [1.0]


class StubClient:
    """An IMAP client whose `idle_check` answers from a list, at once."""

    def __init__(self, answers: list[list[tuple[Any, ...]]]) -> None:
        self._answers = deque(answers)

    def has_capability(self, name: str) -> bool:
        return True

    def folder_exists(self, name: str) -> bool:
        return True

    def select_folder(self, name: str) -> dict[bytes, int]:
        return {b"UIDVALIDITY": 1}

    def idle(self) -> None:
        """Nothing to do."""

    def socket(self) -> socket.socket:
        return socket.socket()

    @property
    def _imap(self) -> object:
        return None

    def idle_check(self, timeout: float) -> list[tuple[Any, ...]]:
        return self._answers.popleft()

    def idle_done(self) -> tuple[bytes, list[tuple[Any, ...]]]:
        return b"done", []


def stub_box(answers: list[list[tuple[Any, ...]]]) -> MailBox:
    somewhere = ImapAccount("main", "127.0.0.1", USER, PASSWORD)
    return MailBox(somewhere, cast(IMAPClient, StubClient(answers)))
