"""Mails taken in per second by SMTP, LMTP and IMAP, until each is committed, against a bare sink in the same run.

    python -m tests.bench.intake [MAILS]

Nothing is processed: this is the way from the wire to the inbox. The bare sink is an aiosmtpd handler that stores each
mail in SQLite with the same settings and answers 250. The IMAP server runs in a process of its own.
"""

from __future__ import annotations

import multiprocessing
import smtplib
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from judge.config import Config
from judge.service.core.judge import Judge, open_judge
from judge.service.intake.door import Door
from judge.store import InboxWriter
from judge.transport.imap_in import ImapAccount, ImapSource
from judge.transport.listener import read_endpoint
from judge.transport.smtp_in import lmtp_listener, smtp_listener
from tests.bench.order_mails import SESSIONS, time_sink
from tests.support.imap_server import ImapServer

Mails = list[tuple[str, str, bytes]]
FORK = multiprocessing.get_context("fork")


def some_mails(count: int, wire: str) -> Mails:
    """Order mails as players send them, about 700 bytes each; no two are alike."""
    lines = "\r\n".join(("A Par - Bur", "A Mar S A Par - Bur", "F Bre - Mid", "A Gas H", "A Pic - Bel"))
    return [
        (
            f"player{n}@players.test",
            "judge@localhost",
            (
                f"Received: from mail.players.test by mx.localhost; Fri, 1 Jan 2027 12:00:00 +0000\r\n"
                f"From: Player {n} <player{n}@players.test>\r\nTo: judge@localhost\r\nSubject: baltic\r\n"
                f"Date: Fri, 1 Jan 2027 12:00:00 +0000\r\nMessage-ID: <{wire}.{n}@players.test>\r\n"
                f"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
                f"{lines}\r\n\r\n-- \r\nPlayer {n}\r\n"
            ).encode(),
        )
        for n in range(count)
    ]


def send_all(kind: type[smtplib.SMTP], port: int, mails: Mails) -> None:
    """Eight sessions share the mails out."""

    def session(part: Mails) -> None:
        with kind("127.0.0.1", port, timeout=120) as wire:
            for sender, recipient, raw in part:
                wire.sendmail(sender, [recipient], raw)

    threads = [threading.Thread(target=session, args=(mails[n::SESSIONS],)) for n in range(SESSIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def waiting(judge: Judge) -> int:
    with judge.store.read() as view:
        return sum(view.inbox.counts().values())


def time_listener(judge: Judge, door: Door, kind: type[smtplib.SMTP], mails: Mails) -> float:
    make = smtp_listener if kind is smtplib.SMTP else lmtp_listener
    listener = make(door, read_endpoint("127.0.0.1:0"), now=judge.clock.now)
    port, before = listener.start().port, waiting(judge)
    sender = FORK.Process(target=send_all, args=(kind, port, mails))
    start = time.perf_counter()
    sender.start()
    sender.join()
    spent = time.perf_counter() - start
    listener.stop()
    assert waiting(judge) == before + len(mails)
    return len(mails) / spent


def serve_imap(mails: Mails, pipe: Connection) -> None:
    with ImapServer() as server:
        for _, _, raw in mails:
            server.put_quietly(raw)
        pipe.send(server.port)
        pipe.recv()


def time_imap(judge: Judge, door: Door, mails: Mails) -> float:
    ours, theirs = FORK.Pipe()
    server = FORK.Process(target=serve_imap, args=(mails, theirs))
    server.start()
    account = ImapAccount("bench", "127.0.0.1", "judge", "secret", port=ours.recv(), tls="none")
    source = ImapSource(account, door, now=judge.clock.now)
    start = time.perf_counter()
    taken = source.poll_once()
    spent = time.perf_counter() - start
    ours.send("end")
    server.join()
    assert taken == len(mails)
    return taken / spent


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    bare = count / time_sink(some_mails(count, "bare"))
    print(f"bare sink by SMTP   {bare:7.0f} mails/s")
    with tempfile.TemporaryDirectory() as folder:
        judge = open_judge(Config(var=Path(folder)), upgrade=True)
        with InboxWriter(judge.store) as writer:
            door = Door(judge, writer)
            wires: dict[str, Callable[[Mails], float]] = {
                "SMTP": lambda mails: time_listener(judge, door, smtplib.SMTP, mails),
                "LMTP": lambda mails: time_listener(judge, door, smtplib.LMTP, mails),
                "IMAP": lambda mails: time_imap(judge, door, mails),
            }
            for name, run in wires.items():
                rate = run(some_mails(count, name.lower()))
                print(f"judge by {name}       {rate:7.0f} mails/s   ratio {rate / bare:.2f}")
            door.close()
        judge.close()


if __name__ == "__main__":
    main()
