"""Everything that can break: the process, the disk and the database, the relay, what the machine gives."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from socket import create_connection

from judge.testing.doubles import FileClock
from judge.testing.faults.trial import FAULTS, MANY, Findings, Trial, fault, games_for
from judge.testing.rehearsed_daemon import beside, read, write
from judge.testing.sink import HANG


@fault("few-descriptors", "64 file descriptors, and a hundred lines that say nothing")
def few_descriptors(folder: Path, scale: int) -> Findings:
    """The door may put everybody off meanwhile; afterwards all is as before."""
    with Trial(folder, prepare=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (64, 64))) as trial:
        with ExitStack() as idle:
            for _ in range(100):
                try:
                    idle.enter_context(create_connection(("127.0.0.1", trial.daemon.port), timeout=5))
                except OSError:
                    break
            trial.load(MANY * scale)
            trial.noticed.append(f"{len(trial.players.waiting())} mails were put off meanwhile")
        trial.recover()
        return trial.findings()


@fault("clock-steps", "the machine's clock jumps two days ahead over a deadline, and back")
def clock_steps(folder: Path, scale: int) -> Findings:
    """No phase runs, nobody is late, and the door is closed until the time is right again."""
    offset = folder / "clock"
    offset.write_text("+0", encoding="ascii")
    with Trial(folder, settings={"moves": "1d", "nmr": "grace"}, shifted=offset) as trial:
        trial.load(MANY)
        phases = {key: trial.game(key).phase for key in trial.keys}
        write(offset, "+172800")
        trial.load(MANY * scale)
        time.sleep(35)  # longer than a sweep
        trial.load(MANY)
        trial.noticed.append(f"{len(trial.players.waiting())} mails were put off while the clock was wrong")
        moved = [key for key in trial.keys if trial.game(key).phase != phases[key]]
        trial.noticed.append(f"phases that ran meanwhile: {', '.join(moved) or 'none'}")
        write(offset, "+0")
        time.sleep(35)
        trial.recover()
        return trial.findings()


@fault("many-mails", "3,000 mails for each point of the scale: memory, threads and descriptors")
def many_mails(folder: Path, scale: int) -> Findings:
    """What the process holds after each sixth of the mails, when it has come to rest."""
    with Trial(folder, games=games_for(3000 * scale)) as trial:
        held = []
        for _ in range(6):
            trial.load(500 * scale)
            trial.recover()
            held.append(_held(trial.daemon.pid))
        for name in held[0]:
            figures = ", ".join(str(each[name]) for each in held)
            trial.noticed.append(f"{name}, after each {500 * scale} mails: {figures}")
        return trial.findings()


def _held(pid: int) -> dict[str, int]:
    time.sleep(35)  # longer than a sweep, which gives memory back
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {
        "memory in kB": int(fields["VmRSS"].split()[0]),
        "threads": int(fields["Threads"]),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
    }


@fault("killed", "SIGKILL at any moment under load, again and again")
def killed(folder: Path, scale: int) -> Findings:
    """Three deaths at scale 1."""
    chance = random.Random(scale)
    with Trial(folder, games=games_for(3 * scale * MANY)) as trial:
        for _ in range(3 * scale):
            with trial.under_load(MANY):
                time.sleep(chance.uniform(0.02, 0.8))
                trial.daemon.kill()
            trial.start()
        trial.noticed.append(f"{3 * scale} deaths")
        trial.recover()
        return trial.findings()


@fault("killed-in-checkpoint", "death while the database's log is written back into its file")
def killed_in_checkpoint(folder: Path, scale: int) -> Findings:
    """A second process does nothing but write the log back; it and the judge die together."""
    chance = random.Random(scale)
    with Trial(folder, games=games_for(3 * scale * MANY)) as trial:
        for _ in range(3 * scale):
            with trial.under_load(MANY):
                writer = subprocess.Popen([sys.executable, "-c", _WRITE_BACK, str(trial.folder / "judge.db")])
                time.sleep(chance.uniform(0.2, 0.9))
                writer.kill()
                trial.daemon.kill()
                writer.wait()
            trial.start()
        trial.noticed.append(f"{3 * scale} deaths")
        trial.recover()
        return trial.findings()


_WRITE_BACK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
while True:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
"""


PAGE = 4096


@fault("disk-full", "no room on the disk, then room again", root=True)
def disk_full(folder: Path, scale: int) -> Findings:
    """A disk of 24 MB that somebody else fills up."""
    with _small_disk(folder, megabytes=24), Trial(folder) as trial:
        trial.load(MANY)
        filler = folder / "filler"
        with trial.under_load(MANY * scale):
            _fill(filler)
            time.sleep(3)
        trial.load(MANY)
        waiting = len(trial.players.waiting())
        trial.noticed.append(f"{waiting} mails were put off while the disk was full")
        filler.unlink()
        trial.recover()
        return trial.findings()


@fault("read-only", "the judge starts on a disk that may not be written", root=True)
def read_only(folder: Path, scale: int) -> Findings:
    """It must not start, and say why; mail waits with those who send it."""
    with _small_disk(folder, megabytes=24), Trial(folder) as trial:
        trial.load(MANY * scale)
        trial.daemon.stop()
        trial.judge.close()
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        said = trial.shell("run")
        trial.noticed.append(f"started on a read-only disk it says: {said.strip().splitlines()[-1][:200]}")
        trial.load(MANY)
        subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
        trial.recover()
        return trial.findings()


@fault("locked", "somebody else holds the database for a minute")
def locked(folder: Path, scale: int) -> Findings:
    """Eight seconds at scale 1, which is longer than the judge waits; a minute from scale 8 on."""
    with Trial(folder) as trial:
        trial.load(MANY)
        with closing(sqlite3.connect(folder / "judge.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with trial.under_load(MANY):
                time.sleep(min(8 * scale, 60))
                other.execute("ROLLBACK")
        trial.recover()
        return trial.findings()


@fault("corrupt-page", "a page of the database is overwritten, and put back from a copy")
def corrupt_page(folder: Path, scale: int) -> Findings:
    """From the moment at which the judge meets it no mail is taken; the rest waits with those who send it."""
    with Trial(folder) as trial:
        trial.load(MANY * scale)
        trial.recover()
        trial.daemon.stop()
        trial.judge.close()
        sound = _break_events(folder / "judge.db")
        said = trial.shell("run")
        trial.noticed.append(f"started on a damaged database it says: {said.strip().splitlines()[-1][:200]}")
        trial.load(MANY)
        shutil.copy(sound, folder / "judge.db")
        trial.recover()
        return trial.findings()


@contextmanager
def _small_disk(folder: Path, *, megabytes: int) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _fill(filler: Path) -> None:
    with filler.open("wb", buffering=0) as file:
        for block in (1 << 20, 1 << 14, 1 << 12):
            try:
                while True:
                    file.write(b"\0" * block)
            except OSError:
                continue


def _break_events(database: Path) -> Path:
    """Nonsense over the root page of the events; returns where the sound file was put."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
    sound = database.with_name("sound.db")
    shutil.copy(database, sound)
    with database.open("r+b") as file:
        file.seek((int(root) - 1) * PAGE)
        file.write(b"\xa5" * PAGE)
    return sound


def _moody(mood: str, seconds: float) -> Callable[[Path, int], Findings]:
    def play(folder: Path, scale: int) -> Findings:
        with Trial(folder, games=games_for(MANY * (scale + 1))) as trial:
            trial.load(MANY)
            trial.relay.mood = mood
            with trial.under_load(MANY * scale):
                time.sleep(seconds)
            trial.recover()
            return trial.findings()

    return play


fault("relay-450", "the relay puts every recipient off")(_moody("450 4.2.1 Mailbox busy, try again later", 2))
fault("relay-421", "the relay closes its door")(_moody("421 4.3.2 Service closing, try again later", 2))
fault("relay-550", "the relay refuses every recipient")(_moody("550 5.7.1 Message rejected as spam", 2))
fault("relay-552", "every mailbox is full")(_moody("552 5.2.2 Mailbox full", 2))
fault("relay-hangs", "the relay takes the line and says nothing")(_moody(HANG, 5))


@fault("relay-gone", "nobody answers at the relay's port")
def relay_gone(folder: Path, scale: int) -> Findings:
    """It vanishes in the middle of a load and comes back."""
    with Trial(folder) as trial:
        with trial.under_load(MANY * scale):
            trial.relay.stop()
        trial.load(MANY)
        time.sleep(2)
        trial.relay.start()
        trial.recover()
        return trial.findings()


@fault("relay-too-fast", "the provider says that we are too fast, and has its rest, by a clock that is told the time")
def relay_too_fast(folder: Path, scale: int) -> Findings:
    """Nothing more goes there for a while; then everything goes without anybody's help."""
    clock = FileClock(folder / "clock")
    clock.set(datetime(2027, 1, 8, 12, tzinfo=UTC))
    with Trial(folder, clock=clock) as trial:
        trial.relay.mood = "421 4.7.0 Too many messages from your address, slow down"
        trial.load(MANY * scale)
        _pass(trial, clock, timedelta(minutes=1))
        trial.relay.mood = ""
        for _ in range(6):
            _pass(trial, clock, timedelta(minutes=30))
        trial.noticed.append(f"{len(trial.relay.mails)} letters had arrived three hours later")
        trial.recover()
        return trial.findings()


@fault("relay-away-for-six-hours", "six hours without a relay, by a clock that is told the time")
def relay_away(folder: Path, scale: int) -> Findings:
    """The judge tries and waits as its table says; everything arrives in the end without anybody's help."""
    clock = FileClock(folder / "clock")
    clock.set(datetime(2027, 1, 8, 12, tzinfo=UTC))
    with Trial(folder, clock=clock) as trial:
        trial.load(MANY)
        trial.relay.stop()
        for _ in range(12):
            trial.load(5 * scale)
            _pass(trial, clock, timedelta(minutes=30))
        trial.noticed.append(f"{len(trial.relay.mails)} letters had arrived after six hours without a relay")
        trial.relay.start()
        for _ in range(12):
            _pass(trial, clock, timedelta(minutes=30))
        trial.noticed.append(f"{len(trial.relay.mails)} letters had arrived six hours later")
        trial.recover()
        return trial.findings()


def _pass(trial: Trial, clock: FileClock, by: timedelta) -> None:
    """Let time pass, and wait until the judge has done what it can at that moment."""
    clock.set(clock.now() + by)
    number = str(int(read(beside(clock.path, "told")) or 0) + 1)
    write(beside(clock.path, "ask"), number)
    trial.daemon.wait(lambda: read(beside(clock.path, "told")) == number and trial.at_rest())


def play(name: str, folder: Path, *, scale: int = 1) -> Findings:
    """One fault, in an empty folder. Raises KeyError for a name that there is not."""
    return FAULTS[name].play(folder, scale)
