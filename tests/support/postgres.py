"""A PostgreSQL of our own, in a folder, on a socket there: for tests and for measuring. It needs root and the Debian
package; `missing` says what is not here.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import create_engine


def missing() -> str:
    """Why no PostgreSQL can be started here; "" where one can."""
    if not _programs() or os.geteuid() != 0:
        return "PostgreSQL missing, or nobody here may start it (tests/wires/install.sh brings it)"
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg missing (pip install 'diplomacy-judge[postgres]')"
    return ""


class PostgresServer:
    """A server in `folder`, reached by its socket there. `durable`: commits wait for the disk; `settings`: more of its
    configuration, by name.
    """

    def __init__(self, folder: Path, *, durable: bool = False, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._settings = {"fsync": "on" if durable else "off", **(settings or {})}

    @property
    def url(self) -> str:
        """The URL of its databases, with the place of their name."""
        return f"postgresql+psycopg://judge@/{{}}?host={self.folder}"

    @property
    def log(self) -> str:
        """What it has said."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def make(self) -> None:
        """A new cluster. Small segments of its log, so that it needs little room."""
        shutil.chown(self.folder, "postgres", "postgres")
        self.run("initdb", "-A", "trust", "-U", "judge", "--no-sync", "--wal-segsize=1", "-D", str(self.data))

    def follow(self, primary: PostgresServer) -> None:
        """Be a standby of another server, which streams to it."""
        shutil.chown(self.folder, "postgres", "postgres")
        self.run("pg_basebackup", "-h", str(primary.folder), "-U", "judge", "-D", str(self.data), "-R", "-c", "fast")

    def start(self) -> bool:
        """Start it, as often as it takes to get rid of what is left of a killed one; whether it runs."""
        for _ in range(60):
            if self.try_to_start():
                return True
            time.sleep(0.5)
        return False

    def try_to_start(self) -> bool:
        """Whether it runs now; not while it does already, and begins again by itself."""
        options = " ".join(f"-c {name}={value}" for name, value in self._settings.items())
        words = ("-D", str(self.data), "-o", f"-k {self.folder} -h '' {options}", "-l", str(self.folder / "log"))
        with suppress(subprocess.CalledProcessError):
            self.run("pg_ctl", *words, "-w", "-t", "60", "start")
            return True
        return False

    def stop(self, how: str = "immediate") -> None:
        """Stop it, if it runs: "fast" ends all sessions in order, "immediate" is as good as a crash."""
        if (self.data / "postmaster.pid").exists():
            with suppress(subprocess.CalledProcessError):
                self.run("pg_ctl", "-D", str(self.data), "-m", how, "-w", "stop")

    def kill(self) -> None:
        """SIGKILL to its first process; the others find out."""
        os.kill(int((self.data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

    def promote(self) -> None:
        """A standby becomes the server."""
        self.run("pg_ctl", "-D", str(self.data), "-w", "promote")

    def run(self, program: str, *words: str) -> None:
        """One of PostgreSQL's programs, as its user. Raises CalledProcessError."""
        as_them = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        with open(self.folder / "said", "ab") as said:  # the server keeps what it inherits open: no pipes
            command = [*as_them, str(_programs()[-1] / program), *words]
            subprocess.run(command, cwd=self.folder, stdout=said, stderr=said, check=True)


@contextmanager
def running(*, durable: bool = False) -> Iterator[str]:
    """A server; the URL of its databases, with the place of their name. `durable`: commits wait for the disk."""
    with short_folder() as folder:
        server = PostgresServer(folder, durable=durable)
        server.make()
        assert server.start(), server.log
        try:
            yield server.url
        finally:
            server.stop()


@contextmanager
def short_folder() -> Iterator[Path]:
    """A folder for a server: its socket wants a short path."""
    folder = Path(tempfile.mkdtemp(prefix="wires-pg-", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def empty_database(server: str) -> str:
    """The URL of a new database of a server."""
    name = f"judge{time.monotonic_ns()}"
    admin = create_engine(server.format("postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    admin.dispose()
    return server.format(name)


def _programs() -> list[Path]:
    """Where the programs of each installed version are."""
    return sorted(Path("/usr/lib/postgresql").glob("*/bin"))
