"""Order mails per second, from the first byte to the last receipt row committed, against a bare sink in the same run.

    python -m tests.bench.order_mails [MAILS] [ROUNDS]

Eight SMTP sessions send mails of five orders each to 50 open games in one process. The bare sink is an aiosmtpd
handler that stores each mail in SQLite with the same settings (WAL, FULL, BEGIN IMMEDIATE) and answers 250.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import smtplib
import socket
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from sqlalchemy import make_url

from judge.board.model import Board
from judge.service.core.judge import Judge
from tests.bench.full_judge import FIVE_UNITS, open_full_judge, order_mail, seat_addresses

SESSIONS = 8
GAMES = 50
SLICE = 1000
"""Mails that judge and sink take by turns, so that a machine whose pace changes is the same to both."""


class Sink:
    """Stores what comes and says 250."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")
        self._lock = threading.Lock()

    def _store(self, raw: bytes) -> None:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("INSERT INTO mail (raw) VALUES (?)", (raw,))
            self._db.execute("COMMIT")

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        await asyncio.to_thread(self._store, envelope.content)
        return "250 stored"


def send_all(port: int, mails: list[tuple[str, str, bytes]], waited: Connection | None = None) -> None:
    """Eight sessions share the mails out; runs in a process of its own. `waited` is sent how many seconds each mail
    took from its MAIL to the answer to its last byte.
    """
    spent: list[float] = []

    def session(part: list[tuple[str, str, bytes]]) -> None:
        with smtplib.SMTP("127.0.0.1", port, timeout=120) as smtp:
            for sender, recipient, raw in part:
                begun = time.perf_counter()
                smtp.sendmail(sender, [recipient], raw)
                spent.append(time.perf_counter() - begun)

    threads = [threading.Thread(target=session, args=(mails[n::SESSIONS],)) for n in range(SESSIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if waited is not None:
        waited.send(spent)


def five_lines(board: Board, power: str, chance: random.Random) -> list[str]:
    """An order for each unit of a power, to anywhere it can go."""
    lines = []
    for unit in FIVE_UNITS[power]:
        kind, at = unit.split()
        lines.append(f"{unit} - {chance.choice(board.reach(kind, at))}")
    return lines


def time_sink(mails: list[tuple[str, str, bytes]]) -> float:
    """Seconds from the first byte to the last 250."""
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        controller = Controller(Sink(Path(folder) / "sink.db"), hostname="127.0.0.1", port=port)
        controller.start()
        start = time.perf_counter()
        _run(port, mails)
        spent = time.perf_counter() - start
        controller.stop()
    return spent


def time_judge(judge: Judge, port: int, mails: list[tuple[str, str, bytes]]) -> tuple[float, float, list[float]]:
    """Seconds from the first byte to the last receipt row committed, of processor time that the judge spent, and for
    which each mail's sender waited.
    """
    before, worked = _letters(judge), time.process_time()
    start = time.perf_counter()
    waits, waited = multiprocessing.Pipe(duplex=False)
    sender = multiprocessing.get_context("fork").Process(target=send_all, args=(port, mails, waited))
    sender.start()
    while _letters(judge) < before + len(mails):
        time.sleep(0.05)
    spent = time.perf_counter() - start
    worked = time.process_time() - worked
    waiting = waits.recv()
    sender.join()
    return spent, worked, waiting


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def _run(port: int, mails: list[tuple[str, str, bytes]]) -> None:
    process = multiprocessing.get_context("fork").Process(target=send_all, args=(port, mails))
    process.start()
    process.join()


def _letters(judge: Judge) -> int:
    """Every mail brings one receipt, and nothing else writes a letter here. Asked of SQLite itself: whatever the store
    reads to answer would count as work of the judge.
    """
    with closing(sqlite3.connect(make_url(judge.config.database).database or "")) as db:
        number: int = db.execute("SELECT coalesce(max(id), 0) FROM letters").fetchone()[0]
    return number


def main() -> None:
    from judge.daemon.running import Daemon

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory() as folder:
        judge = open_full_judge(Path(folder), GAMES)
        seats, board, chance = seat_addresses(judge), judge.shelf.board("standard"), random.Random(1)
        batches = []
        for lap in range(rounds):
            numbers = range(lap * count, (lap + 1) * count)
            picked = [(number, *seats[number % len(seats)]) for number in numbers]
            batches.append(
                [(a, token, order_mail(n, a, token, five_lines(board, power, chance))) for n, a, token, power in picked]
            )
        daemon = Daemon(judge, carry_letters=False)
        daemon.start()
        port = daemon.wires.endpoints["smtp"].port
        ratios = []
        for lap, mails in enumerate(batches, start=1):
            bare = ours = work = 0.0
            waits: list[float] = []
            for part in (mails[n : n + SLICE] for n in range(0, count, SLICE)):
                bare += time_sink(part)
                spent, worked, waited = time_judge(judge, port, part)
                ours, work = ours + spent, work + worked
                waits += waited
            ratios.append(bare / ours)
            print(
                f"round {lap}: judge {count / ours:5.0f} mails/s ({1000 * work / count:.1f} ms of processor time a "
                f"mail; 99 of 100 taken within {1000 * statistics.quantiles(waits, n=100)[98]:.0f} ms)   "
                f"bare sink {count / bare:5.0f} mails/s   ratio {bare / ours:.2f}"
            )
        daemon.stop()
        print(f"median ratio {statistics.median(ratios):.2f} (wanted: 0.50)")


if __name__ == "__main__":
    main()
