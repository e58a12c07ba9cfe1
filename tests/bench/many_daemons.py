"""Mails heard a second by one, two and four daemons on one PostgreSQL, and the share of the time that transactions
waited for the locks that keep them apart.

    python -m tests.bench.many_daemons [MAILS] [GAMES]

The mails, of five orders each, lie in the inbox when the daemons start. PostgreSQL waits for the disk with every
commit, as it does by default. It needs root and Debian's postgresql; everything runs on this machine, so that daemons,
and the database share its processors.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

from judge.service.intake.door import new_mail
from judge.store.rows import MailState
from judge.transport.ports import Arrival
from tests.support.many import ManyDaemons
from tests.support.postgres import empty_database, missing, running

PORT = 18100


def measure(server: str, daemons: int, mails: int, games: int) -> tuple[float, float]:
    """Mails heard a second, and seconds waited for the database's locks in each second of a daemon."""
    with tempfile.TemporaryDirectory() as folder:
        many = ManyDaemons(empty_database(server), Path(folder), daemons=daemons, games=games)
        for number, daemon in enumerate(many.daemons):
            config = replace(many.judge.config, var=daemon.folder, health_listen=f"127.0.0.1:{PORT + number}")
            daemon.configure(config)
        chance, now = random.Random(1), many.judge.clock.now()
        with many.judge.store.write() as unit:
            for number in range(mails):
                author = many.authors[number * 7919 % len(many.authors)]
                raw = many.next_mail(author, chance)[2]
                arrival = Arrival(raw, "smtp", f"bench:{number}", author.address, (author.to,), now, "127.0.0.1")
                unit.inbox.put(new_mail(many.judge, arrival))
        many.start()
        already, start = _heard(many), time.monotonic()
        while _heard(many) < mails:
            time.sleep(0.05)
        spent = time.monotonic() - start
        waited = sum(_waited(number) for number, _ in enumerate(many.daemons))
        many.close()
    return (mails - already) / spent, waited / spent / daemons


def _heard(many: ManyDaemons) -> int:
    with many.judge.store.read() as view:
        return view.inbox.counts().get(MailState.PROCESSED, 0)


def _waited(number: int) -> float:
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT + number}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    found = re.search(r"^judge_database_wait_seconds_sum (\S+)", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def main() -> None:
    mails = int(sys.argv[1]) if len(sys.argv) > 1 else 1600
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    if reason := missing():
        sys.exit(reason)
    with running(durable=True) as server:
        for daemons in (1, 2, 4):
            rate, waited = measure(server, daemons, mails, games)
            print(f"{daemons} daemons: {rate:5.0f} mails heard a second; {100 * waited:4.1f} % of the time waiting")


if __name__ == "__main__":
    main()
