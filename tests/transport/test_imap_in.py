"""IMAP as a source of mail, against a small server with the bad habits of large ones."""

import socket
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from judge.transport.imap_in import ImapAccount, ImapHabits, ImapSource
from judge.transport.ports import Arrival, SourceUnreachable, TemporaryTrouble, content_mark
from tests.support.imap_server import PASSWORD, USER, ImapServer
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT
from tests.transport.mailbox import MAIL, account, source


@pytest.fixture
def server() -> Iterator[ImapServer]:
    with ImapServer() as running:
        yield running


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


def test_what_was_taken_can_be_asked_for_again(server: ImapServer, tray: Tray) -> None:
    """For a judge that was restored from a backup: from a moment on, what it does not know, and nothing is moved."""
    hour = timedelta(hours=1)
    for number, at in enumerate((MOMENT - 48 * hour, MOMENT - hour, MOMENT + hour, MOMENT + 2 * hour)):
        server.put(MAIL + b"%d" % number, arrived=at)
    watched = source(server, tray)
    watched.poll_once()
    tray.arrivals.clear()
    moves = len([command for command in server.commands if "MOVE" in command])
    assert watched.recall(MOMENT, lambda raw: raw == MAIL + b"2") == 1
    (arrival,) = tray.arrivals
    assert (arrival.raw, arrival.received_at) == (MAIL + b"3", MOMENT + 2 * hour)
    assert arrival.transport_key == f"imap:main:{content_mark(MAIL + b'3')}:Processed:7:4"
    assert len([command for command in server.commands if "MOVE" in command]) == moves
    server.cut_line = lambda command: "before" if "FETCH" in command else ""
    with pytest.raises(SourceUnreachable):
        watched.recall(MOMENT, lambda raw: False)
