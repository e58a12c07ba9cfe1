"""What several commands need: the judge on its configuration, whose files they make, answers a machine may read, and
the log as JSON or as text.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import pwd
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from judge.config import Config, ConfigError, find_config, load_config
from judge.resources import folder

if TYPE_CHECKING:
    from judge.service.core.judge import Judge


def be_private() -> None:
    """Set the umask of this process so that new files and folders are private."""
    os.umask(0o077)


def act_as_owner(var: Path) -> None:
    """If this process is root's and the folder is another user's, be that user from here on; else do nothing."""
    if os.geteuid() != 0:
        return
    try:
        owner = var.stat().st_uid
    except OSError:
        return
    if owner != 0:
        become(owner)


def must_reach(uid: int) -> None:
    """Raises ClickException if this user cannot read the program: root may have installed it below /root."""
    os.seteuid(uid)
    try:
        reached = all(os.access(file, os.R_OK, effective_ids=True) for file in (os.__file__, __file__))
    finally:
        os.seteuid(0)
    if not reached:
        raise click.ClickException(
            f"the judge's own user (number {uid}) cannot read {sys.prefix} or its Python, where this program lies; "
            "install it where everybody can: deploy/RUNBOOK.md, step 1"
        )


def become(uid: int) -> None:
    """Be this user for the rest of the process, in all its groups. Raises OSError."""
    try:
        user = pwd.getpwuid(uid)
        os.initgroups(user.pw_name, user.pw_gid)
        os.setgid(user.pw_gid)
    except KeyError:  # a number without a name, as in containers
        os.setgroups([])
        os.setgid(uid)
    os.setuid(uid)


NUMBER = click.IntRange(0, 2**63 - 1)
"""What mails, letters and deliveries are numbered with."""

json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")


def configured(context: click.Context) -> Config:
    """The configuration that the options and the environment name; a mistake in it ends the command.

    What a command makes from then on is for the judge's eyes only; what is meant for others says so. Root's commands
    go on as the user whom the judge's folder belongs to.
    """
    be_private()
    config = read_configuration(context)
    act_as_owner(config.var)
    return config


def read_configuration(context: click.Context) -> Config:
    """The same for a command that only reads it: what that writes is its caller's."""
    try:
        return load_config(find_config(context.find_root().obj))
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


def boards_folder(context: click.Context, given: Path | None = None) -> Path:
    """Where the boards lie: the folder given, else that of the configuration, else the one that ships."""
    return given or configured(context).maps or folder("maps")


def check_boards(maps: Path) -> None:
    """Raises ClickException with what `judge map lint` says of every board that cannot be used."""
    from judge.board.sheet import BoardError
    from judge.service.core.judge import Shelf

    shelf, wrong = Shelf(maps), []
    for name in shelf.boards():
        try:
            shelf.board(name)
        except BoardError as error:
            wrong.append(f"the board {name} cannot be used; see: judge map lint {name}\n{error}")
    if not shelf.boards():
        wrong.append(f"there are no boards in {maps}; mend paths.maps")
    if wrong:
        raise click.ClickException("\n".join(wrong))


@contextmanager
def judge(context: click.Context, *, upgrade: bool = False) -> Iterator[Judge]:
    """An open judge for one command."""
    from judge.service.core.judge import open_judge
    from judge.store import StoreError

    config = configured(context)
    try:
        opened = open_judge(config, upgrade=upgrade)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    try:
        yield opened
    finally:
        opened.close()


def say_json(value: Any) -> None:
    """One object on one line."""
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def table(rows: Sequence[tuple[str, ...]], heads: tuple[str, ...]) -> None:
    """A plain table with aligned columns."""
    widths = [max(len(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    for row in (heads, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _Structured(logging.Formatter):
    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        facts: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "log": record.name,
            "event": record.getMessage(),
        }
        facts.update(
            {key: value for key, value in vars(record).items() if key not in _PLAIN and value not in ("", None)}
        )
        if record.exc_info:
            facts["traceback"] = self.formatException(record.exc_info)
        if self._as_json:
            return json.dumps(facts, default=str)
        head = f"{facts.pop('at')} {facts.pop('level')} {facts.pop('log')} {facts.pop('event')}"
        trace = facts.pop("traceback", "")
        tail = " ".join(f"{key}={value}" for key, value in facts.items())
        return f"{head} {tail}".rstrip() + (f"\n{trace}" if trace else "")


class Damper(logging.Filter):
    """Lets the same trouble through once a minute: a thousand tracebacks of one cause hide every other line.

    Lines are the same that say the same of the same things; of two exceptions it counts where and as what they were
    raised. The next one that is let through says how many were kept back (`kept_back`). That no file can be opened any
    more is one sentence without a traceback, wherever it is met.
    """

    def __init__(self, *, seconds: float = 60.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds = seconds
        self._monotonic = monotonic
        self._seen: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line is to be written."""
        if record.levelno < logging.WARNING:
            return True
        key = self._key(record)
        now = self._monotonic()
        since, kept_back = self._seen.get(key, (now - self._seconds, 0))
        if now - since < self._seconds:
            self._seen[key] = since, kept_back + 1
            return False
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[key] = now, 0
        if kept_back:
            record.kept_back = kept_back
        return True

    def _key(self, record: logging.LogRecord) -> object:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OSError) and error.errno in _NO_FILES:
            record.msg, record.args, record.exc_info = _OUT_OF_FILES, (), None
            return _OUT_OF_FILES
        if error is not None:
            return record.name, record.msg, type(error), _raised_at(error.__traceback__)
        facts = {name: value for name, value in vars(record).items() if name not in _PLAIN}
        return record.name, record.getMessage(), repr(sorted(facts.items()))


_MOST_SEEN = 1000
_NO_FILES = (errno.EMFILE, errno.ENFILE)
_OUT_OF_FILES = "no more files can be opened; raise the limit (ulimit -n, LimitNOFILE=) and restart the judge"


def _raised_at(trace: TracebackType | None) -> tuple[str, int]:
    """File and line of the innermost frame."""
    if trace is None:
        return "", 0
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename, trace.tb_lineno


def set_up(form: str) -> None:
    """Log to standard error. `form`: "json" or "text"."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Damper())
    handler.setFormatter(_Structured(as_json=form == "json"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("judge").setLevel(logging.INFO)


def silence() -> None:
    """No log at all, for commands that speak to a person."""
    logging.getLogger("judge").setLevel(logging.CRITICAL)
