"""What cannot wait and cannot go by mail of ours: nothing is sent, the database is damaged, the disk is full.

The operator's own command (`alarm` in judge.toml) gets it as a mail on its standard input: a pager, a script, a line to
another server. It is told each finding at once, and once a day as long as it lasts; a failure is logged,
tried again before long, and disturbs nothing else.

A source of mail that falls silent (a password that has expired, a server that has moved) is told of by mail, long
before a deadline has to wait for what lies there.
"""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from judge.service.core.judge import Judge
from judge.service.posting.operator import tell_operator
from judge.transport.ports import MailSource

log = logging.getLogger("judge.daemon")

AGAIN, AFTER_FAILURE = timedelta(days=1), timedelta(minutes=10)
RUN_SECONDS = 30.0
"""Seconds that the command may take."""

Run = Callable[[Sequence[str], bytes], int]


def _run(command: Sequence[str], text: bytes) -> int:
    done = subprocess.run(command, input=text, timeout=RUN_SECONDS, check=False, capture_output=True)
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


SILENT_FOR = timedelta(hours=1)
"""How long a source may be out of reach before anybody is told; IMAP servers are restarted now and then."""


class Silence:
    """Remembers whom it has told of; `since`: when this process began to ask."""

    def __init__(self, since: datetime) -> None:
        self._since = since
        self._told: set[str] = set()

    def look(self, judge: Judge, sources: Sequence[MailSource]) -> None:
        """Tell the operator of each source that has been silent for too long: once, and again the next day."""
        now = judge.clock.now()
        for source in sources:
            silent = _silence(source, now - self._since)
            if silent < SILENT_FOR:
                self._told.discard(source.name)
                continue
            if source.name not in self._told:
                log.error("a source is silent", extra={"source": source.name, "minutes": _minutes(silent)})
            self._told.add(source.name)
            if judge.config.operator:
                self._tell(judge, source.name, silent, now)

    def _tell(self, judge: Judge, name: str, silent: timedelta, now: datetime) -> None:
        key = f"source/{name}/{now.date().isoformat()}"
        with judge.store.read() as view:
            if view.letters.by_key(f"judge/operator/{key}") is not None:
                return
        with judge.store.write() as unit:
            tell_operator(
                judge, unit, key, subject=f"mail cannot be fetched: {name}",
                items=(
                    f"For {_minutes(silent)} minutes I have not been able to read {name}. Mail that comes there "
                    "waits, and every deadline that falls due waits for it.",
                    "The log says why. A password that has changed is the usual reason: put the new one into its file "
                    "and restart the judge.",
                ),
            )  # fmt: skip


def _minutes(span: timedelta) -> int:
    return span // timedelta(minutes=1)


def _silence(source: MailSource, asked: timedelta) -> timedelta:
    seconds = source.silent_for()
    return asked if seconds is None else timedelta(seconds=seconds)
