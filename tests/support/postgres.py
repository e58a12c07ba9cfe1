"""A PostgreSQL of our own, in a folder, on a socket there: for tests and for measuring. It needs root and the Debian
package; `missing` says what is not here.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine


def missing() -> str:
    """Why no PostgreSQL can be started here; "" where one can."""
    if not _programs() or os.geteuid() != 0:
        return "PostgreSQL missing, or nobody here may start it (tests/wires/install.sh brings it)"
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg missing (pip install 'diplomacy-judge[postgres]')"
    return ""


@contextmanager
def running(*, durable: bool = False) -> Iterator[str]:
    """A server; the URL of its databases, with the place of their name. `durable`: commits wait for the disk."""
    folder = Path(tempfile.mkdtemp(prefix="wires-pg-", dir="/tmp"))  # sockets want short paths
    shutil.chown(folder, "postgres", "postgres")
    data = folder / "data"

    def run(program: str, *words: str) -> None:
        as_them = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        with open(folder / "said", "ab") as said:  # the server keeps what it inherits open: no pipes
            subprocess.run(
                [*as_them, str(_programs()[-1] / program), *words], cwd=folder, stdout=said, stderr=said, check=True
            )

    run("initdb", "-A", "trust", "-U", "judge", "--no-sync", "-D", str(data))
    options = f"-k {folder} -h ''{'' if durable else ' -F'}"
    run("pg_ctl", "-D", str(data), "-o", options, "-l", str(folder / "log"), "-w", "start")
    try:
        yield f"postgresql+psycopg://judge@/{{}}?host={folder}"
    finally:
        run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)


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
