"""Threads that each run one loop, and survive every trouble of it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from judge.service.intake.door import Door
from judge.store import StoreDamaged, StoreTrouble

log = logging.getLogger("judge.daemon")

DAMAGED = "the judge's database is damaged; its operator has to restore a backup"


class Loops:
    """The threads of a process, until it is to stop. A database found damaged closes the door."""

    door: Door

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def _spawn(self, name: str, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=self._keep_running, args=(run,), name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _keep_running(self, run: Callable[[], None]) -> None:
        """Run a loop again whenever it raises; the exception is logged."""
        while not self._stop.is_set():
            self._guarded(run)

    def _guarded(self, work: Callable[[], object]) -> bool:
        """Call it; an exception is logged and followed by a short pause. Returns whether it succeeded."""
        try:
            work()
        except StoreTrouble as trouble:
            if isinstance(trouble, StoreDamaged):
                self.door.closed = DAMAGED
            log.error("store trouble: %s", trouble)
            self._stop.wait(1.0)
            return False
        except Exception:
            log.exception("a loop stumbled", extra={"loop": threading.current_thread().name})
            self._stop.wait(1.0)
            return False
        return True
