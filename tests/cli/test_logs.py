"""The log under trouble: each cause is told once a minute with its count, and nothing else is kept back."""

from __future__ import annotations

import errno
import io
import logging
import os
from collections.abc import Iterator

import pytest

from judge.cli.common import Damper, _Structured


class Log:
    """A logger of its own with a clock that stands still."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.out = io.StringIO()
        self.log = logging.getLogger(f"judge.test.{id(self)}")
        self.log.propagate = False
        handler = logging.StreamHandler(self.out)
        handler.addFilter(Damper(monotonic=lambda: self.now))
        handler.setFormatter(_Structured(as_json=False))
        self.log.addHandler(handler)
        self.log.setLevel(logging.INFO)

    @property
    def lines(self) -> list[str]:
        return self.out.getvalue().splitlines()

    def stumble(self, error: Exception) -> None:
        try:
            raise error
        except Exception:
            self.log.exception("a loop stumbled")


@pytest.fixture
def log() -> Iterator[Log]:
    yield Log()


def test_one_cause_is_told_once_a_minute_with_its_count(log: Log) -> None:
    for _ in range(500):
        log.stumble(KeyError("a"))
        log.now += 0.1
    assert sum("Traceback" in line for line in log.lines) == 1
    log.now += 60
    log.stumble(KeyError("b"))
    assert sum("Traceback" in line for line in log.lines) == 2
    assert "kept_back=499" in log.out.getvalue()


def test_without_files_there_is_a_sentence_and_no_traceback(log: Log) -> None:
    for number in (errno.EMFILE, errno.ENFILE) * 300:
        log.stumble(OSError(number, os.strerror(number), f"/some/file/{log.now}"))
    assert len(log.lines) == 1
    assert "no more files can be opened; raise the limit" in log.lines[0]


def test_different_causes_and_different_mails_are_each_told(log: Log) -> None:
    log.stumble(KeyError("a"))
    log.stumble(ValueError("a"))
    for mail in range(20):
        log.log.error("mail failed", extra={"mail": mail})
    assert sum("Traceback" in line for line in log.lines) == 2
    assert sum("mail failed" in line for line in log.lines) == 20


def test_what_is_no_trouble_is_never_kept_back(log: Log) -> None:
    for _ in range(20):
        log.log.info("sent")
    assert len(log.lines) == 20


def test_the_memory_of_causes_has_a_bound(log: Log) -> None:
    for mail in range(5000):
        log.log.error("mail failed", extra={"mail": mail})
    damper = log.log.handlers[0].filters[0]
    assert isinstance(damper, Damper) and len(damper._seen) <= 1000
