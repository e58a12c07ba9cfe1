"""A storm of deadlines on a real daemon, while other people write: when letters leave, how long the others wait.

    python -m tests.bench.storm [--a-second MAILS] [--no-maps] [--beside "COMMAND {pid}"] [GAMES ...]  (default: 200)

So many games fall due at one moment, with pictures, beside twenty in which nothing is due. `judge run` runs as a
process on SQLite and sends to a relay on this machine that offers PIPELINING. From a moment before the deadline to the
last letter, players of the twenty send orders, one after the other.

Printed: seconds from the deadline to the first letter with its map and to the last letter; how many results show one
map, and two; from the taking of each mail to its hearing, and to its answer at the relay; processor time a game of the
judge's processes, which a busy machine changes little; the most memory that each had (VmHWM), and the most that all had
together (PSS, which counts a shared page once).
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import smtplib
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import make_url

from judge.clock import SystemClock
from judge.config import Config, Relay
from judge.service.core.judge import Judge, open_judge
from judge.store.rows import LetterState, MailState
from judge.testing.doubles import FakeClock
from judge.testing.process import DaemonProcess
from judge.testing.under_test import rehearsal_config
from tests.bench import relay as relays
from tests.bench.full_judge import FIVE_UNITS, add_games, order_mail, seat_addresses
from tests.bench.memory import resident
from tests.bench.reference import loop

QUIET = 20
"""Games in which nothing is due, whose players write."""
LEAD = timedelta(seconds=20)
"""In which the daemon starts and settles before the deadline."""
_ONE_SESSION = 100
"""Mails over one connection."""
_now = SystemClock().now
_TICK = os.sysconf("SC_CLK_TCK")
_GONE = (
    "SELECT count(*), count(done_at) FROM deliveries JOIN letters ON letters.id = letter_id"
    " WHERE kind = 'results' AND game LIKE 'storm%'"
)


class Writers:
    """Players of the quiet games, who write till they are stopped."""

    def __init__(self, port: int, seats: list[tuple[str, str, str]], a_second: float) -> None:
        self._port, self._seats, self._gap = port, seats, 1 / a_second
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.sent: list[str] = []

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _write(self) -> None:
        chance = random.Random(1)
        while not self._stop.is_set():
            with smtplib.SMTP("127.0.0.1", self._port, timeout=120) as line:
                for _ in range(_ONE_SESSION):
                    if self._stop.wait(self._gap):
                        return
                    self._send(line, chance)

    def _send(self, line: smtplib.SMTP, chance: random.Random) -> None:
        number = len(self.sent)
        address, token, power = self._seats[number * 5 % len(self._seats)]
        units = FIVE_UNITS[power]
        orders = [f"{unit} S {chance.choice([u for u in units if u != unit])}" for unit in units]
        line.sendmail(address, [token], order_mail(number, address, token, orders))
        self.sent.append(f"bench.{number}@players.test")


class Watcher:
    """Looks at a process and its children: the most memory, and their processor time."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.most: dict[int, float] = {}
        self.pss = 0.0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def family(self) -> list[int]:
        """The process and all that it has started, without those that start others for Python."""
        found, at = [self._process], 0
        while at < len(found):
            with suppress(OSError):
                children = Path(f"/proc/{found[at]}/task/{found[at]}/children").read_text(encoding="ascii").split()
                for thread in Path(f"/proc/{found[at]}/task").iterdir():
                    children += (thread / "children").read_text(encoding="ascii").split()
                found += [child for child in dict.fromkeys(map(int, children)) if child not in found]
            at += 1
        return found

    def processor(self) -> dict[int, float]:
        """Seconds that each has had of a processor."""
        spent = {}
        for process in self.family():
            with suppress(OSError):
                fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
                spent[process] = (int(fields[11]) + int(fields[12])) / _TICK
        return spent

    def _look(self) -> None:
        while not self._stop.wait(0.5):
            together = 0.0
            for process in self.family():
                with suppress(OSError, AssertionError):
                    self.most[process] = resident(process, "VmHWM")
                    together += _pss(process)
            self.pss = max(self.pss, together)


def _pss(process: int) -> float:
    """Megabytes of a process, each shared page divided among those who share it (proc(5))."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def open_storm(folder: Path, games: int, port: int, *, maps: bool) -> tuple[Judge, Config, datetime]:
    """A judge in a folder, and the moment at which the games of the storm are due: when they are all made, and the
    daemon has settled.
    """
    config = replace(rehearsal_config(folder), pictures=maps, log="text", relay=Relay("127.0.0.1", port))
    begun = _now()
    clock = FakeClock(begun - timedelta(days=1))
    judge = open_judge(config, clock=clock, upgrade=True)
    add_games(judge, [f"quiet{number}" for number in range(QUIET)], (("nmr", "hold"), ("moves", "14d")))
    due = begun + LEAD + (_now() - begun) * 1.5 * (1 + games / QUIET)
    clock.set(due - timedelta(days=1))
    add_games(judge, [f"storm{number}" for number in range(games)], (("nmr", "hold"), ("moves", "1d")))
    with judge.store.write() as unit:  # the letters of their beginning are none of ours
        for letter in unit.letters.list(states=[LetterState.COMPOSING], limit=1_000_000):
            unit.letters.withdraw(letter.id)
            unit.letters.broken(letter.id, "")
    return judge, config, due


def measure(games: int, *, a_second: float, maps: bool, beside: str) -> str:
    """The figures of one storm, a line each."""
    with tempfile.TemporaryDirectory() as name, relays.relay() as relay:
        folder = Path(name)
        judge, config, due = open_storm(folder, games, relay.port, maps=maps)
        seats = [seat for seat in seat_addresses(judge) if ".quiet" in seat[0]]
        daemon = DaemonProcess(folder)
        daemon.configure(config)
        if not daemon.start():
            raise RuntimeError(daemon.log)
        watcher, writers = Watcher(daemon.pid), Writers(daemon.port, seats, a_second)
        watcher.start()
        _sleep_until(due - timedelta(seconds=3))
        before = watcher.processor()
        writers.start()
        profiler = subprocess.Popen(shlex.split(beside.format(pid=daemon.pid))) if beside else None
        _sleep_until(due)
        _until_quiet(judge, 7 * games)
        writers.stop()
        time.sleep(3)
        after = watcher.processor()
        watcher.stop()
        if profiler is not None:
            profiler.wait()
        daemon.stop()
        came = relay.letters()
        waits = _heard(judge, writers.sent)
        judge.close()
    each = _each(games, watcher, daemon.pid, before, after)
    return f"{_told(games, due.timestamp(), came, waits)}\n   processor: {each}; PSS of all {watcher.pss:.0f} MB"


def _sleep_until(moment: datetime) -> None:
    left = (moment - _now()).total_seconds()
    if left < 0:
        raise RuntimeError("the games were made too slowly")
    time.sleep(left)


def _until_quiet(judge: Judge, letters: int) -> None:
    """Until all results have gone. Asked of SQLite itself: looking costs the judge as little as may be."""
    database = make_url(judge.config.database).database or ""
    give_up = time.monotonic() + 1200
    with closing(sqlite3.connect(database)) as db:
        while time.monotonic() < give_up:
            time.sleep(1)
            written, gone = db.execute(_GONE).fetchone()
            if written >= letters and gone == written:
                return
    raise RuntimeError("the storm does not come to its end")


def _heard(judge: Judge, sent: list[str]) -> dict[str, tuple[float, float]]:
    """Message-ID -> when a mail was taken, and when it was heard, in seconds of the epoch."""
    found = {}
    with judge.store.read() as view:
        for mail in view.inbox.list(states=[MailState.PROCESSED], limit=1_000_000):
            if mail.message_id and mail.finished_at:
                key = mail.message_id.strip("<>")
                found[key] = (mail.received_at.timestamp(), mail.finished_at.timestamp())
    return {key: found[key] for key in sent if key in found}


def _told(games: int, due: float, came: list[relays.Came], waits: dict[str, tuple[float, float]]) -> str:
    storm = [letter for letter in came if ".storm" in letter.to and letter.moment >= due]
    shown = [letter for letter in storm if letter.pictures]
    both = [letter for letter in shown if letter.pictures > 1]
    answered = {letter.answers: letter.moment for letter in came if letter.answers}
    heard = sorted(after - before for before, after in waits.values())
    answers = sorted(answered[key] - taken for key, (taken, _) in waits.items() if key in answered)
    return (
        f"{games} games: first letter {_since(due, storm[:1])}, with its map {_since(due, shown[:1])}, "
        f"last of {len(storm)} {_since(due, storm[-1:])}\n"
        f"   with a map {len(shown) / len(storm):.0%}, with two {len(both) / len(storm):.0%}\n"
        f"   mails meanwhile: heard {_waits(heard)}; answered {_waits(answers)}"
    )


def _each(games: int, watcher: Watcher, main: int, before: dict[int, float], after: dict[int, float]) -> str:
    """What each process did and had."""
    found = []
    for process, most in watcher.most.items():
        work = after.get(process, 0.0) - before.get(process, 0.0)
        name = "main" if process == main else "beside"
        found.append(f"{name} {1000 * work / games:.0f} ms a game, {most:.0f} MB")
    return "; ".join(found)


def _since(deadline: float, letters: list[relays.Came]) -> str:
    return f"{letters[0].moment - deadline:.1f} s" if letters else "never"


def _waits(seconds: list[float]) -> str:
    if len(seconds) < 2:
        return "never"
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return f"{len(seconds)}, p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s, at most {seconds[-1]:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.storm", description=__doc__)
    parser.add_argument("games", type=int, nargs="*", default=[200])
    parser.add_argument("--a-second", type=float, default=5.0, help="mails that the others write")
    parser.add_argument("--no-maps", action="store_true")
    parser.add_argument("--beside", default="", help="a command that looks at the daemon meanwhile, such as a profiler")
    options = parser.parse_args()
    for games in options.games:
        print(f"(a million rounds take {1000 * loop():.0f} ms, load {os.getloadavg()[0]:.1f})")
        print(measure(games, a_second=options.a_second, maps=not options.no_maps, beside=options.beside), flush=True)


if __name__ == "__main__":
    main()
