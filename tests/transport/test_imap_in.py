"""IMAP as a source of mail, against a small server with the bad habits of large ones."""

import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, cast

import pytest
from imapclient import IMAPClient

from judge.testing.imap_server import PASSWORD, USER, ImapServer
from judge.testing.sink import Tray
from judge.transport.imap_box import ImapAccount, LineLost, MailBox
from judge.transport.imap_in import ImapHabits, ImapSource
from judge.transport.ports import Arrival, SourceUnreachable, TemporaryTrouble, content_mark
from tests.transport.conftest import MOMENT, PATIENCE, until

LONG = 10 * PATIENCE
"""A slice of IDLE that no test waits for."""

MAIL = b"From: anna@x.test\r\nSubject: orders\r\n\r\nA PAR - BUR\r\n"


@pytest.fixture
def server() -> Iterator[ImapServer]:
    with ImapServer() as running:
        yield running


def account(server: ImapServer, *, password: str = PASSWORD) -> ImapAccount:
    return ImapAccount("main", server.host, USER, password, server.port, tls="none", read_timeout=PATIENCE)


def source(server: ImapServer, tray: Tray, *, habits: ImapHabits | None = None) -> ImapSource:
    return ImapSource(account(server), tray, now=lambda: MOMENT, habits=habits, chance=lambda: 0.0)


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


def test_a_mail_is_taken_and_moved_to_processed(server: ImapServer, tray: Tray) -> None:
    zone = timezone(timedelta(hours=2))
    server.put(MAIL, arrived=datetime(1901, 4, 1, 14, 30, tzinfo=zone))
    assert source(server, tray).poll_once() == 1
    (arrival,) = tray.arrivals
    assert arrival == Arrival(
        raw=MAIL,
        source="imap:main",
        transport_key=f"imap:main:{content_mark(MAIL)}:7:1",
        mail_from="",
        rcpt_to=(),
        received_at=datetime(1901, 4, 1, 12, 30, tzinfo=UTC),
        peer="",
    )
    assert (server.folder("INBOX"), server.folder("Processed")) == ([], [MAIL])


def test_our_folders_are_made_once(server: ImapServer, tray: Tray) -> None:
    source(server, tray).poll_once()
    source(server, tray).poll_once()
    assert [command for command in server.commands if "CREATE" in command] == [
        'CREATE "Processed"',
        'CREATE "Quarantine"',
    ]


def test_a_folder_that_another_judge_makes_first_is_as_good(server: ImapServer, tray: Tray) -> None:
    server.folders["Processed"] = []
    server.answers["LIST"] = deque(["OK nothing there"])
    server.answers["CREATE"] = deque(["NO [ALREADYEXISTS] somebody was faster"])
    server.put(MAIL)
    assert source(server, tray).poll_once() == 1


def test_a_mail_is_moved_only_after_it_is_stored(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL)
    tray.trouble_for = lambda mail: True
    with pytest.raises(SourceUnreachable, match="1 mails could not be stored"):
        source(server, tray).poll_once()
    assert server.folder("INBOX") == [MAIL]
    tray.trouble_for = lambda mail: False
    assert source(server, tray).poll_once() == 1


def test_one_mail_with_trouble_does_not_delay_the_others(server: ImapServer, tray: Tray) -> None:
    for n in range(60):
        server.put(MAIL + b"%d" % n)
    tray.trouble_for = lambda mail: mail.transport_key.endswith(":31")
    with pytest.raises(SourceUnreachable):
        source(server, tray).poll_once()
    assert len(tray.arrivals) == 59
    assert server.folder("INBOX") == [MAIL + b"30"]


def test_a_crash_between_storing_and_moving_changes_nothing(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL)
    server.answers["UID MOVE"] = deque(["NO [UNAVAILABLE] try later"])
    with pytest.raises(SourceUnreachable):
        source(server, tray).poll_once()
    ticks = iter([100.0, 130.0, 160.0])
    box = ImapSource(account(server), tray, now=lambda: MOMENT, tick=lambda: next(ticks))
    for folder in ("INBOX", "INBOX", "Processed"):
        assert box.poll_once() == 1
        assert server.folder(folder) == [MAIL], "left for a minute to whoever stored it"
    assert len(tray.arrivals) == 1, "the same transport key"


def test_of_two_judges_the_one_that_stored_a_mail_moves_it(server: ImapServer) -> None:
    class Interrupted(Tray):
        """Between the first judge's commit and its MOVE the second judge comes by."""

        seen = 0

        def take(self, mail: Arrival, /) -> bool:
            fresh = super().take(mail)
            if fresh:
                self.seen = source(server, self).poll_once()
            return fresh

    server.put(MAIL)
    tray = Interrupted()
    assert source(server, tray).poll_once() == 1 and tray.seen == 1
    assert sum(command.startswith("UID MOVE") for command in server.commands) == 1
    assert (server.folder("INBOX"), server.folder("Processed")) == ([], [MAIL])


def test_without_move_a_mail_is_copied_marked_and_expunged_by_uid(tray: Tray) -> None:
    with ImapServer(["IDLE", "UIDPLUS"]) as server:
        server.put(MAIL)
        source(server, tray).poll_once()
        assert (server.folder("INBOX"), server.folder("Processed")) == ([], [MAIL])
        assert not any(command == "EXPUNGE" for command in server.commands)


def test_without_move_a_crash_after_the_copy_leaves_no_second_copy(tray: Tray) -> None:
    with ImapServer(["IDLE", "UIDPLUS"]) as server:
        server.put(MAIL)
        server.answers["UID STORE"] = deque(["NO [UNAVAILABLE] try later"])
        with pytest.raises(SourceUnreachable):
            source(server, tray).poll_once()
        assert server.folder("INBOX") == server.folder("Processed") == [MAIL]
        same_size = MAIL[::-1]
        server.put(same_size)
        assert source(server, tray, habits=ImapHabits(patience=0.0)).poll_once() == 2
        assert (server.folder("INBOX"), sorted(server.folder("Processed"))) == ([], sorted([MAIL, same_size]))
        assert not any("PAR" in command or "anna" in command for command in server.commands)


def test_without_move_and_uidplus_marked_mail_is_left_lying_and_not_taken_again(tray: Tray) -> None:
    with ImapServer(["IDLE"]) as server:
        server.put(MAIL)
        box = source(server, tray)
        assert (box.poll_once(), box.poll_once()) == (1, 0)
        assert server.folder("Processed") == [MAIL]


def test_flags_set_by_others_mean_nothing(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL).flags |= {b"\\Seen", b"\\Deleted"}
    assert source(server, tray).poll_once() == 1


def test_reading_does_not_mark_a_mail_as_seen(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL)
    source(server, tray).poll_once()
    fetches = [command for command in server.commands if "BODY" in command]
    assert fetches and all("BODY.PEEK[]" in command for command in fetches)


def test_no_text_of_a_mail_enters_a_command(server: ImapServer, tray: Tray) -> None:
    server.put(b"Message-ID: <x\r\nX1 STORE 1:* +FLAGS (\\Deleted)\r\n\r\nX2 EXPUNGE\r\n")
    server.put(b'Subject: " LOGOUT\r\n\r\n')
    source(server, tray).poll_once()
    assert all("X1" not in command and "X2" not in command for command in server.commands)
    assert not any(command.startswith("UID SEARCH") and command != "UID SEARCH ALL" for command in server.commands)


def test_an_oversize_mail_is_set_aside_unread(server: ImapServer, tray: Tray) -> None:
    big = b"Subject: big\r\n\r\n" + b"x" * 200_000
    server.put(big)
    server.put(MAIL)
    told: list[tuple[Arrival, int]] = []
    box = ImapSource(
        account(server),
        tray,
        now=lambda: MOMENT,
        habits=ImapHabits(max_bytes=100_000),
        oversize=lambda head, size: told.append((head, size)),
    )
    assert box.poll_once() == 1
    assert server.folder("Quarantine") == [big]
    ((head, size),) = told
    assert size == len(big) and head.raw == big[:65_536]
    assert not any("BODY.PEEK[])" in command and "FETCH 1 " in command for command in server.commands)


def test_an_oversize_mail_waits_until_somebody_can_be_told(server: ImapServer, tray: Tray) -> None:
    server.put(b"Subject: big\r\n\r\n" + b"x" * 2000)
    server.put(MAIL)
    troubles = [TemporaryTrouble("the disk is full")]

    def told(head: Arrival, size: int) -> None:
        if troubles:
            raise troubles.pop()

    box = ImapSource(account(server), tray, now=lambda: MOMENT, habits=ImapHabits(max_bytes=1000), oversize=told)
    with pytest.raises(SourceUnreachable, match="1 mails could not be stored"):
        box.poll_once()
    assert (len(server.folder("INBOX")), server.folder("Quarantine")) == (1, []) and len(tray.arrivals) == 1
    box.poll_once()
    assert (server.folder("INBOX"), len(server.folder("Quarantine"))) == ([], 1)


def test_a_mail_that_the_server_cannot_show_is_set_aside_after_three_attempts(server: ImapServer, tray: Tray) -> None:
    bad = server.put(b"broken")
    server.put(MAIL)
    server.unreadable = {bad.uid}
    box = source(server, tray)
    for _ in range(2):
        with pytest.raises(SourceUnreachable):
            box.poll_once()
    assert [arrival.raw for arrival in tray.arrivals] == [MAIL], "the good one does not wait"
    assert box.poll_once() == 0
    assert server.folder("Quarantine") == [b"broken"]


def test_large_batches_are_fetched_in_bearable_groups(server: ImapServer, tray: Tray) -> None:
    for _ in range(10):
        server.put(MAIL + b"x" * 1000)
    box = source(server, tray, habits=ImapHabits(batch_bytes=3000))
    assert box.poll_once() == 10
    bodies = [command for command in server.commands if "BODY.PEEK[]" in command]
    assert len(bodies) == 5


def test_a_new_uidvalidity_is_a_new_identity(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL)
    source(server, tray).poll_once()
    server.renumber()
    server.put(MAIL + b"another")
    source(server, tray).poll_once()
    assert [arrival.transport_key[-4:] for arrival in tray.arrivals] == [":7:1", ":8:1"]


def test_a_mailbox_that_counts_from_one_again_loses_no_mail(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL)
    source(server, tray).poll_once()
    server.renumber()
    server.uidvalidity = 7
    server.put(MAIL + b"another")
    source(server, tray).poll_once()
    assert [arrival.raw for arrival in tray.arrivals] == [MAIL, MAIL + b"another"]


def test_two_workers_do_not_disturb_each_other(server: ImapServer, tray: Tray) -> None:
    server.put(MAIL)
    server.put(MAIL + b"2")
    server.answers["UID MOVE"] = deque(["NO [EXPUNGEISSUED] some are gone"])
    assert source(server, tray).poll_once() == 2
    assert server.folder("INBOX") == []


def test_an_unreachable_server_is_said_to_be_so(tray: Tray) -> None:
    with ImapServer() as gone:
        box = source(gone, tray)
    with pytest.raises(SourceUnreachable, match="imap:main"):
        box.poll_once()
    assert box.silent_for() is None


def test_health_is_the_time_since_the_last_good_search(server: ImapServer, tray: Tray) -> None:
    moments = deque([MOMENT, MOMENT + timedelta(minutes=3)])
    box = ImapSource(account(server), tray, now=moments.popleft)
    box.poll_once()
    assert box.silent_for() == 180.0


def test_a_silent_server_is_given_up(server: ImapServer, tray: Tray) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    mute = ImapAccount(
        "mute",
        "127.0.0.1",
        USER,
        PASSWORD,
        listening.getsockname()[1],
        tls="none",
        connect_timeout=0.1,
        read_timeout=0.1,
    )
    with listening, pytest.raises(SourceUnreachable):
        ImapSource(mute, tray, now=lambda: MOMENT).poll_once()


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
