"""Logging: one structured line per mail and per turn, as JSON or as text; never a body, a token or an address."""

from __future__ import annotations

import errno
import json
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

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
