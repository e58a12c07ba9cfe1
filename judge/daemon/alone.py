"""One daemon a database: two on one SQLite file would both send its letters and process its deadlines.

The lock is held by the open file, so that it dies with its process however that ends; what stands in the file is only
for whoever reads the refusal. Everything else (`judge feed`, `judge gm`, `judge doctor` ...) works beside a daemon.
"""

from __future__ import annotations

import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from judge.config import Config
from judge.store.engine import file_of, parse
from judge.store.files import private_file


class NotAlone(Exception):
    """Another daemon holds the lock; the message says which process, and what to do."""


class Alone:
    """The lock of one daemon, from `take` to `free`, or to the end of the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def take(self) -> None:
        """Raises NotAlone, OSError."""
        private_file(self._path)
        file = self._path.open("r+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = file.read().strip()
            file.close()
            raise NotAlone(_refusal(self._path, holder)) from error
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file

    def free(self) -> None:
        """Release the lock. The file stays: removing it could remove the lock of a third process."""
        if self._file is not None:
            self._file.close()
            self._file = None


def running_since(config: Config) -> datetime | None:
    """When the judge took its lock that runs on this database; None if none runs."""
    path = lock_of(config)
    if not path.exists():
        return None
    alone = Alone(path)
    try:
        alone.take()
    except NotAlone:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    alone.free()
    return None


def lock_of(config: Config) -> Path:
    """Where the lock of this judge's database lies: beside an SQLite file, else in var/."""
    database = file_of(parse(config.database))
    return (database or config.var / "judge").resolve().with_name(f"{(database or Path('judge')).name}.lock")


def _refusal(path: Path, holder: str) -> str:
    process = f"process {holder}" if holder.isdigit() else "another process"
    return (
        f"another judge runs on this database already ({process} holds {path}); stop it first, or give this one a "
        "configuration of its own (another paths.var, or another store.url)"
    )
