"""Processor time that one mail of five orders costs, read, stored and heard in groups of twenty, in one thread.

    python -m tests.bench.hearing [MAILS] [LAPS]

No sessions, no waiting: the figure differs by a few hundredths from run to run, where that of `order_mails` differs by
a third. To compare two states of the code, run this file in both, by turns, and take the least of the laps.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
from pathlib import Path

from judge.service.core.judge import Judge
from judge.service.intake.door import new_mail
from judge.service.intake.worker import Worker
from judge.transport.ports import Arrival
from tests.bench.full_judge import open_full_judge, order_mail, seat_addresses
from tests.bench.order_mails import five_lines

GAMES = 20
GROUP = 20


def lap(judge: Judge, worker: Worker, mails: list[Arrival]) -> float:
    """Milliseconds of processor time a mail."""
    begun = time.thread_time()
    for first in range(0, len(mails), GROUP):
        with judge.store.write() as unit:
            for mail in mails[first : first + GROUP]:
                unit.inbox.put(new_mail(judge, mail))
        worker.drain()
    return (time.thread_time() - begun) / len(mails) * 1000


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 280
    laps = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    with tempfile.TemporaryDirectory() as folder:
        judge = open_full_judge(Path(folder), GAMES)
        seats, board, chance = seat_addresses(judge), judge.shelf.board("standard"), random.Random(1)
        worker = Worker(judge)
        gc.collect()
        gc.freeze()
        spent = []
        for number in range(laps):
            mails = []
            for at in range(number * count, (number + 1) * count):
                author, token, power = seats[at % len(seats)]
                raw = order_mail(at, author, token, five_lines(board, power, chance))
                mails.append(Arrival(raw, "smtp", f"bench/{at}", author, (token,), judge.clock.now(), "127.0.0.1"))
            spent.append(lap(judge, worker, mails))
            print(f"lap {number + 1}: {spent[-1]:.2f} ms of processor time a mail")
        print(f"least {min(spent):.2f} ms")
        judge.close()


if __name__ == "__main__":
    main()
