"""Queued letters carried to a local sink per second, against smtplib sending the same bytes in the same run.

    python -m tests.bench.drain [LETTERS [MILLISECONDS]]

With MILLISECONDS the sink takes so long for each letter, as relays do that look into what they take.
Our side claims by lease, sends each letter from an envelope address of its own and commits each fate as soon as it is
known; the other side is a loop over smtplib's sendmail on one connection. The sink runs in a process of its own.
"""

from __future__ import annotations

import smtplib
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from judge.config import Config, Relay
from judge.service.core.judge import Judge, open_judge
from judge.service.posting.post import Post
from judge.store.rows import DeliveryState, NewLetter
from judge.transport.smtp_out import RelayServer, SmtpCourier
from tests.bench.relay import relay
from tests.support.stores import written

TEXT = "\r\n".join(f"FRANCE   A Paris - Burgundy    line {n} of a report as long as most" for n in range(40))


def letter(number: int) -> bytes:
    """A letter of about 3 KB."""
    head = (
        f"From: judge@localhost\r\nTo: p{number}@players.test\r\nSubject: report {number}\r\nMessage-ID: <{number}@x>"
    )
    return f"{head}\r\n\r\n{TEXT}\r\n".encode()


def fill(judge: Judge, count: int) -> None:
    """So many composed letters in the outbox."""
    now = judge.clock.now() - timedelta(minutes=1)
    for first in range(0, count, 500):
        with judge.store.write() as unit:
            for number in range(first, min(count, first + 500)):
                new = NewLetter(f"bench/{number}", f"<{number}@x>", "press", "{}", (f"p{number}@players.test",), now)
                unit.letters.composed(written(unit, new), letter(number), subject="report")


def time_post(port: int, count: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        judge = open_judge(Config(var=Path(folder)), upgrade=True)
        fill(judge, count)
        server = RelayServer("127.0.0.1", port, tls="none")
        post = Post(judge, SmtpCourier(lambda domain: server, helo="localhost", connections=Relay().connections))
        start = time.perf_counter()
        post.send_all()
        spent = time.perf_counter() - start
        post.close()
        with judge.store.read() as view:
            assert view.outbox.counts() == {DeliveryState.SENT: count}
        judge.close()
    return count / spent


def time_smtplib(port: int, count: int) -> float:
    letters = [(f"p{number}@players.test", letter(number)) for number in range(count)]
    start = time.perf_counter()
    with smtplib.SMTP("127.0.0.1", port) as smtp:
        for address, raw in letters:
            smtp.sendmail("judge@localhost", [address], raw)
    return count / (time.perf_counter() - start)


def main() -> None:
    count, pause = map(int, [*sys.argv[1:], *("10000", "0")[len(sys.argv) - 1 :]])
    with relay(pause=pause / 1000) as there:
        bare = time_smtplib(there.port, count)
        rate = time_post(there.port, count)
    print(f"smtplib {bare:7.0f} letters/s   judge {rate:7.0f} letters/s   ratio {rate / bare:.2f}   ({count} letters)")


if __name__ == "__main__":
    main()
