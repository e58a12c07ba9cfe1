"""How the running judge collects garbage, and gives back what it no longer needs.

What is there when it starts (modules, templates, prepared queries, boards) stays as long as it runs; looking it all
through again and again is a tenth of its work on a busy evening. Our values are trees without cycles, which are freed
when they are let go; the collector finds little, and may come less often.

What is freed stays with the process: the C library keeps pages between which something small still lives, a few
megabytes more with every thousand mails. With each sweep it is asked to return them.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

YOUNG = 20_000
"""Objects made and not yet let go before the collector looks at the youngest; Python's own answer is 700."""


def calm_collector() -> None:
    """Freeze the objects that exist now, and collect less often from now on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 50)


def give_back() -> bool:
    """Return freed pages to the system; some milliseconds. False where the C library has no way to (only GNU's has)."""
    trim = _trim()
    return trim is not None and trim(0) in (0, 1)


def held() -> int | None:
    """Bytes of memory that this process has; None where the system does not tell.

    The service may see processes alone of /proc (`ProcSubset=pid`), so nothing but our own folder there is read.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_files() -> int | None:
    """Files and lines that this process has open; None where the system does not tell."""
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return None


@cache
def _trim() -> Callable[[int], int] | None:
    # Where no memory may be made executable, or there is no C library to be had, that is no reason not to run.
    try:
        import ctypes

        trim = ctypes.CDLL(None).malloc_trim
        trim.argtypes, trim.restype = (ctypes.c_size_t,), ctypes.c_int
    except (ImportError, OSError, AttributeError, MemoryError):
        return None
    found: Callable[[int], int] = trim
    return found
