"""A Maildir as a source of mail: taken once, tidied away, nothing lost in trouble."""

import errno
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.transport.maildir import MaildirSource
from judge.transport.ports import Arrival, SourceUnreachable, TemporaryTrouble
from tests.support.tray import Tray
from tests.transport.conftest import MOMENT, PATIENCE


def drop(folder: Path, name: str, raw: bytes = b"Subject: x\r\n\r\nx", *, minute: int = 0) -> Path:
    for part in ("tmp", "new"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    draft = folder / "tmp" / name
    draft.write_bytes(raw)
    stamp = datetime(1999, 1, 1, 12, minute, tzinfo=UTC).timestamp()
    os.utime(draft, (stamp, stamp))
    return draft.rename(folder / "new" / name)


def source(folder: Path, tray: Tray) -> MaildirSource:
    return MaildirSource(folder, tray, now=lambda: MOMENT)


def test_mails_are_taken_in_order_of_arrival_and_moved_to_cur(tmp_path: Path, tray: Tray) -> None:
    drop(tmp_path, "b.1", minute=1)
    drop(tmp_path, "a.2", minute=2)
    assert source(tmp_path, tray).poll_once() == 2
    assert [arrival.transport_key.rpartition(":")[2] for arrival in tray.arrivals] == ["b.1", "a.2"]
    assert sorted(path.name for path in (tmp_path / "cur").iterdir()) == ["a.2:2,S", "b.1:2,S"]
    assert list((tmp_path / "new").iterdir()) == []


def test_arrival_is_the_time_of_the_file(tmp_path: Path, tray: Tray) -> None:
    drop(tmp_path, "a.1", minute=7)
    source(tmp_path, tray).poll_once()
    (arrival,) = tray.arrivals
    assert arrival.received_at == datetime(1999, 1, 1, 12, 7, tzinfo=UTC)
    assert (arrival.source, arrival.mail_from, arrival.rcpt_to, arrival.peer) == ("maildir", "", (), "")


def test_a_missing_maildir_is_made(tmp_path: Path, tray: Tray) -> None:
    assert source(tmp_path / "box", tray).poll_once() == 0
    assert (tmp_path / "box" / "new").is_dir()


def test_trouble_leaves_the_mail_where_it_is(tmp_path: Path, tray: Tray) -> None:
    path = drop(tmp_path, "a.1")
    box = source(tmp_path, tray)
    tray.trouble_for = lambda mail: True
    with pytest.raises(SourceUnreachable, match="told to have trouble"):
        box.poll_once()
    assert path.exists() and box.silent_for() is None
    tray.trouble_for = lambda mail: False
    assert box.poll_once() == 1
    assert box.silent_for() == 0.0


def test_one_mail_with_trouble_does_not_delay_the_others(tmp_path: Path, tray: Tray) -> None:
    for n in range(60):
        drop(tmp_path, f"{n:02}", minute=n)
    tray.trouble_for = lambda mail: mail.transport_key.endswith(":07")
    with pytest.raises(SourceUnreachable):
        source(tmp_path, tray).poll_once()
    assert len(tray.arrivals) == 59
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["07"]


def test_a_crash_between_storing_and_tidying_changes_nothing(tmp_path: Path, tray: Tray) -> None:
    drop(tmp_path, "a.1")
    source(tmp_path, tray).poll_once()
    (tmp_path / "cur" / "a.1:2,S").rename(tmp_path / "new" / "a.1")
    source(tmp_path, tray).poll_once()
    assert len(tray.arrivals) == 1, "the same transport key"


def test_another_mail_under_a_name_that_was_used_before_is_another_mail(tmp_path: Path, tray: Tray) -> None:
    for text in (b"one", b"two"):
        drop(tmp_path, "orders.eml", text)
        source(tmp_path, tray).poll_once()
    assert [arrival.raw for arrival in tray.arrivals] == [b"one", b"two"]


def test_an_oversize_mail_is_set_aside_and_reported(tmp_path: Path, tray: Tray) -> None:
    drop(tmp_path, "big.1", b"Subject: big\r\n\r\n" + b"x" * 200)
    told: list[tuple[Arrival, int]] = []
    box = MaildirSource(
        tmp_path, tray, now=lambda: MOMENT, max_bytes=100, oversize=lambda head, size: told.append((head, size))
    )
    assert box.poll_once() == 0
    assert tray.arrivals == []
    assert (tmp_path / ".Quarantine" / "new" / "big.1").exists()
    assert told[0][1] == 216 and told[0][0].raw.startswith(b"Subject: big")


def test_an_oversize_mail_waits_until_somebody_can_be_told(tmp_path: Path, tray: Tray) -> None:
    drop(tmp_path, "big.1", b"x" * 200)
    drop(tmp_path, "a.1", minute=1)

    def told(head: Arrival, size: int) -> None:
        raise TemporaryTrouble("the disk is full")

    box = MaildirSource(tmp_path, tray, now=lambda: MOMENT, max_bytes=100, oversize=told)
    with pytest.raises(SourceUnreachable, match="disk is full"):
        box.poll_once()
    assert (tmp_path / "new" / "big.1").exists() and len(tray.arrivals) == 1


def test_a_mail_that_cannot_be_read_is_set_aside_after_three_attempts(
    tmp_path: Path, tray: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop(tmp_path, "bad.1")
    drop(tmp_path, "a.1", minute=1)
    whole, told = os.open, []

    def failing(path: Path, flags: int) -> int:
        if Path(path).name == "bad.1" and not flags & os.O_DIRECTORY:
            raise OSError(errno.EIO, "the disk is bad")
        return whole(path, flags)

    monkeypatch.setattr(os, "open", failing)
    box = MaildirSource(
        tmp_path, tray, now=lambda: MOMENT, oversize=lambda head, size: told.append((head.transport_key, head.raw))
    )
    for _ in range(2):
        with pytest.raises(SourceUnreachable, match="cannot read a mail"):
            box.poll_once()
    assert len(tray.arrivals) == 1, "the good one does not wait"
    assert box.poll_once() == 0
    assert (tmp_path / ".Quarantine" / "new" / "bad.1").exists() and box.silent_for() == 0.0
    assert [(key.rpartition(":")[2], raw) for key, raw in told] == [("bad.1", b"")]


def test_links_and_folders_are_not_followed(tmp_path: Path, tray: Tray) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"Subject: secret\r\n\r\n")
    drop(tmp_path / "box", "a.1")
    (tmp_path / "box" / "new" / "link").symlink_to(secret)
    (tmp_path / "box" / "new" / "folder").mkdir()
    (tmp_path / "box" / "new" / ".hidden").write_bytes(b"x")
    assert source(tmp_path / "box", tray).poll_once() == 1


def test_a_folder_that_is_no_folder_is_unreachable(tmp_path: Path, tray: Tray) -> None:
    (tmp_path / "box").write_text("in the way")
    with pytest.raises(SourceUnreachable):
        source(tmp_path / "box", tray).poll_once()


def test_the_watch_takes_what_comes_until_it_is_stopped(tmp_path: Path) -> None:
    stop, seen = threading.Event(), threading.Event()

    class Signalling(Tray):
        def take(self, mail: Arrival, /) -> bool:
            seen.set()
            return super().take(mail)

    tray = Signalling()
    box = MaildirSource(tmp_path, tray, now=lambda: MOMENT, interval=0.01)
    thread = threading.Thread(target=box.run, args=(stop,), daemon=True)
    thread.start()
    drop(tmp_path, "a.1")
    assert seen.wait(PATIENCE)
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive() and len(tray.arrivals) == 1
