"""What cannot wait and cannot go by mail of ours: nothing is sent, the database is damaged, the disk is full.

The operator's own command (`alarm` in judge.toml) gets it as a mail on its standard input: a pager, a script, a line to
another server. It is told each finding at once, and once a day as long as it lasts; a failure is logged,
tried again before long, and disturbs nothing else.
"""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

log = logging.getLogger("judge.daemon")

AGAIN, AFTER_FAILURE = timedelta(days=1), timedelta(minutes=10)
PATIENCE = 30.0
"""Seconds that the command may take."""

Run = Callable[[Sequence[str], bytes], int]


def _run(command: Sequence[str], text: bytes) -> int:
    done = subprocess.run(command, input=text, timeout=PATIENCE, check=False, capture_output=True)
    return done.returncode


class Alarm:
    """Remembers what it has told. `command`: empty where none is configured; `judge`: its name, for the subject."""

    def __init__(self, command: Sequence[str], judge: str, *, run: Run = _run) -> None:
        self._command = tuple(command)
        self._judge = judge
        self._run = run
        self._told: dict[str, datetime] = {}

    def look(self, findings: Sequence[str], now: datetime) -> None:
        """Tell what is new among what keeps the judge from its work."""
        self._told = {one: at for one, at in self._told.items() if one in findings}
        fresh = [one for one in findings if now - self._told.get(one, datetime.min.replace(tzinfo=now.tzinfo)) >= AGAIN]
        if not fresh or not self._command:
            return
        self._told |= dict.fromkeys(fresh, now)
        try:
            code = self._run(self._command, self._mail(fresh))
        except (OSError, subprocess.SubprocessError) as error:
            log.error("the alarm command cannot be run: %s", error)
            code = -1
        if code:
            log.error("the alarm command failed", extra={"code": code})
            self._told |= dict.fromkeys(fresh, now - AGAIN + AFTER_FAILURE)

    def _mail(self, findings: Sequence[str]) -> bytes:
        lines = [f"Subject: {self._judge} needs you", "", *findings, "", "More: judge health, judge doctor", ""]
        return "\n".join(lines).encode()
