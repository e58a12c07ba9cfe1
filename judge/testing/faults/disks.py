"""The disk and the database: full, read-only, held, damaged."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from judge.testing.faults.breakage import MANY, fault
from judge.testing.faults.findings import Findings
from judge.testing.faults.trial import Trial

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
        trial.house.close()
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        said = trial.judge("run")
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
        trial.house.close()
        sound = _break_events(folder / "judge.db")
        said = trial.judge("run")
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
