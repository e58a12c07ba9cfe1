"""What holds for every test: a thread that outlives its test must not keep the whole run from ending, a command that
silenced our logs or hid our files in one test leaves them as they were in the next, and no test fails because the
machine is slow today.
"""

import logging
import os
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from judge import resources
from judge.store import people, unit
from judge.store.engine import file_of, parse
from judge.store.files import private_file
from judge.store.schema import Upgraded, upgrade

_STATUS = 0

# A password is checked as in earnest, with fewer rounds: what it costs to guess one is no concern of tests.
people._SCRYPT_COST = 2**4


@cache
def _new_database() -> tuple[Upgraded, bytes]:
    """What the migrations make of nothing, and the file."""
    with TemporaryDirectory(prefix="judge-new-") as folder:
        path = Path(folder) / "judge.db"
        done = upgrade(f"sqlite:///{path}", migrations=resources.folder("migrations"))
        return done, path.read_bytes()


def _upgrade_or_copy(url: str, *, migrations: Path) -> Upgraded:
    """A database that is made where there is none passes through the migrations once in a process, and is copied."""
    path = file_of(parse(url))
    if path is None or path.exists() or not path.parent.is_dir() or migrations != resources.folder("migrations"):
        return upgrade(url, migrations=migrations)
    done, new = _new_database()
    private_file(path).write_bytes(new)
    return done


vars(unit)["upgrade_schema"] = _upgrade_or_copy

settings.register_profile("unhurried", parent=settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def _logs_speak() -> None:
    """Commands that answer in JSON silence the log of their process; a test is no such process."""
    logging.getLogger("judge").setLevel(logging.NOTSET)


@pytest.fixture(autouse=True)
def _files_are_made_as_before() -> Iterator[None]:
    """Commands keep the judge's files from others by the umask of their process; a mail server of a later test needs to
    be read by its own users."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus: int) -> None:
    """Remember how the run ended."""
    global _STATUS
    _STATUS = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Name what is still running, and end without waiting for it; a test that failed half way may have left it."""
    left = [t.name for t in threading.enumerate() if t is not threading.main_thread() and not t.daemon]
    if left:
        print(f"still running: {', '.join(left)}", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_STATUS)
