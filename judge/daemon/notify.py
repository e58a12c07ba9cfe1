"""What the service manager is told: that we are ready, what we do, and every so often that we are alive (sd_notify(3)).

systemd names a socket in $NOTIFY_SOCKET and, where the unit has WatchdogSec=, the longest silence it bears in
$WATCHDOG_USEC. Without them nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping

log = logging.getLogger("judge.daemon")


class Manager:
    """The service manager of this process, if it has one. Being told never fails: it is only told."""

    def __init__(self, environ: Mapping[str, str], *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._socket = environ.get("NOTIFY_SOCKET", "")
        self._monotonic = monotonic
        self._every = _pause(environ)
        self._last = 0.0
        self._silent = False

    def ready(self, doing: str) -> None:
        """The wires are open: whoever waits for us may go on."""
        self._tell(f"READY=1\nSTATUS={doing}")

    def starting(self, doing: str) -> None:
        """What takes its time before we are ready: a large database that is read through or changed."""
        self._tell(f"STATUS={doing}")

    def stopping(self) -> None:
        """We were asked to stop, and finish what is in hand."""
        self._tell("STOPPING=1\nSTATUS=finishing what is in hand")

    def watch(self, alive: Callable[[], bool]) -> None:
        """To be called often. Says that we are alive, as often as the watchdog needs it and as long as it is true."""
        if not self._every or self._monotonic() < self._last + self._every:
            return
        self._last = self._monotonic()
        if alive():
            self._silent = False
            self._tell("WATCHDOG=1")
        elif not self._silent:
            self._silent = True
            log.error("no sweep has ended for too long; the watchdog is told nothing more")

    def _tell(self, words: str) -> None:
        if not self._socket:
            return
        name = "\0" + self._socket[1:] if self._socket.startswith("@") else self._socket
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as wire:
                wire.sendto(words.encode(), name)
        except OSError as error:
            log.warning("the service manager cannot be told: %s", error.strerror)


def of_this_process() -> Manager:
    """The manager that started us. Its variables are taken away: processes that we start are not to speak for us."""
    manager = Manager(os.environ)
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        os.environ.pop(name, None)
    return manager


def _pause(environ: Mapping[str, str]) -> float:
    """Seconds between signs of life: a third of what the watchdog bears; 0 without one, or when it watches another."""
    said, whom = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not said.isdigit() or (whom and whom != str(os.getpid())):
        return 0.0
    return int(said) / 1e6 / 3
