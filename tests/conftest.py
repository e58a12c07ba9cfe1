"""What holds for every test: a thread that outlives its test must not keep the whole run from ending."""

import os
import sys
import threading

import pytest

_STATUS = 0


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
