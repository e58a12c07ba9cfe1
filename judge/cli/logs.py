"""Logging: one structured line per mail and per turn, as JSON or as text; never a body, a token or an address."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
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


def set_up(form: str) -> None:
    """Log to standard error. `form`: "json" or "text"."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Structured(as_json=form == "json"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("judge").setLevel(logging.INFO)


def silence() -> None:
    """No log at all, for commands that speak to a person."""
    logging.getLogger("judge").setLevel(logging.CRITICAL)
