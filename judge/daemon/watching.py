"""What the process shows of itself: answers to monitoring, signs of life for the service manager, and how it keeps its
memory small.

Monitoring asks `/health`, `/health/live`, `/health/ready` and `/metrics`, on a listener of their own.

Alive is a daemon whose sweep still gives signs; whoever finds it dead restarts it. Ready is one that takes mail, turns
pages and sends letters; restarting one that is not ready mends nothing, and each finding says what does.

What Prometheus reads are counts and ages from the database, asked when somebody asks us, so that no figure is lost with
a restart, and the waits that only this process knows. Nothing here names a person or a game.

systemd names a socket in $NOTIFY_SOCKET and, where the unit has WatchdogSec=, the longest silence it bears in
$WATCHDOG_USEC. Without them nothing is sent.

What is there when it starts (modules, templates, prepared queries, boards) stays as long as it runs; looking it all
through again and again is a tenth of its work on a busy evening. Our values are trees without cycles, which are freed
when they are let go; the collector finds little, and may come less often.

What is freed stays with the process: the C library keeps pages between which something small still lives, a few
megabytes more with every thousand mails. With each sweep it is asked to return them.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, PlatformCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from judge.game.core.model import Stage
from judge.service.core.judge import Judge
from judge.service.upkeep.wellbeing import look, room
from judge.store import StoreTrouble
from judge.store.rows import DeliveryState, MailState
from judge.transport.listener import CannotListen, Listener, read_endpoint
from judge.transport.web import web_listener

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


Family = CounterMetricFamily | GaugeMetricFamily
Silent = Callable[[], dict[str, float]]
"""Source of mail -> seconds since it last answered well."""
Ready = Callable[[], bool]


class Measures:
    """The figures of one daemon. `silent`: asked for the sources that mail is fetched from; `ready`: whether it can do
    its work.
    """

    def __init__(self, judge: Judge, silent: Silent, ready: Ready) -> None:
        self._registry = CollectorRegistry()
        PlatformCollector(registry=self._registry)
        self._registry.register(_OfTheDatabase(judge, silent, ready))
        self._answers = Histogram(
            "judge_answer_seconds", "From the arrival of a mail to the moment its answer was sent",
            buckets=(1, 2, 5, 10, 30, 60, 300, 900, 3600, 21600), registry=self._registry,
        )  # fmt: skip
        self._waits = Histogram(
            "judge_database_wait_seconds", "Waits for the database's write lock",
            buckets=(0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 30), registry=self._registry,
        )  # fmt: skip

    def answered(self, after: timedelta) -> None:
        """A mail's answer was sent."""
        self._answers.observe(after.total_seconds())

    def waited(self, seconds: float) -> None:
        """A transaction waited for the write lock."""
        self._waits.observe(seconds)

    def text(self) -> bytes:
        """All of it as Prometheus reads it. Raises StoreTrouble."""
        return generate_latest(self._registry)


class _OfTheDatabase(Collector):
    def __init__(self, judge: Judge, silent: Silent, ready: Ready) -> None:
        self._judge = judge
        self._silent = silent
        self._ready = ready

    def describe(self) -> Iterator[Family]:
        """Nothing: the database is not asked before somebody asks us."""
        yield from ()

    def collect(self) -> Iterator[Family]:
        """The figures as they stand."""
        now = look(self._judge)
        yield _by("judge_mails", "Mails in the inbox by what became of them", "state", _all(MailState, now.mails))
        yield _by(
            "judge_deliveries", "Copies of letters by where they stand", "state", _all(DeliveryState, now.deliveries)
        )
        yield _by("judge_games", "Games by stage", "stage", _all(Stage, now.games))
        lengths = {name: queue.length for name, queue in now.queues.items()}
        yield _by("judge_queue_length", "What waits", "queue", lengths)
        ages = {name: queue.age(now.now).total_seconds() for name, queue in now.queues.items()}
        yield _by("judge_queue_age_seconds", "How long the oldest in a queue has waited", "queue", ages)
        yield _one("judge_letters_broken", "Letters that cannot be written", now.broken_letters)
        yield _one("judge_outbox_paused", "1 while nothing is sent because the relay turned us away", bool(now.paused))
        yield _one("judge_turns_late", "Turns and reminders that are overdue", len(now.late))
        latest = max(now.late, default=timedelta()).total_seconds()
        yield _one("judge_turns_late_seconds", "By how much the most overdue turn is late", latest)
        yield _by("judge_source_silent_seconds", "Since a source of mail last answered well", "source", self._silent())
        yield _one("judge_ready", "0 while the judge cannot do its work: judge health says why", self._ready())
        yield _one("judge_threads", "Threads of the judge", threading.active_count())
        for name, what, figure in (
            ("judge_memory_bytes", "Memory of the judge", held()), ("judge_open_files", "Its open files", open_files()),
        ):  # fmt: skip
            if figure is not None:
                yield _one(name, what, figure)
        yield _one("judge_disk_free_bytes", "Room on the disk of the judge's folder", room(self._judge.config).free)
        if now.last_backup is not None:
            age = (now.now - now.last_backup).total_seconds()
            yield _one("judge_backup_age_seconds", "Since the last backup by judge backup", age)


def _all(kinds: type[StrEnum], counted: Mapping[Any, int]) -> dict[str, int]:
    """A figure for each kind, 0 too: Prometheus sees no rise of one that was not there before."""
    return {str(kind): counted.get(kind, 0) for kind in kinds}


def _by(name: str, what: str, label: str, values: object) -> Family:
    family = GaugeMetricFamily(name, what, labels=(label,))
    assert isinstance(values, dict)
    for key, value in sorted(values.items()):
        family.add_metric((str(key),), float(value))
    return family


def _one(name: str, what: str, value: float) -> Family:
    return GaugeMetricFamily(name, what, value=float(value))


def watch_listener(
    listen: str,
    *,
    alive: Callable[[], bool],
    findings: Callable[[], Sequence[str]],
    figures: Callable[[], bytes],
    others: Callable[[], Sequence[object]] = tuple,
) -> Listener:
    """Serves a daemon's health and figures, one question after the other; not yet started. `alive`: does it still move;
    `findings`: why it is not ready, a sentence each; `figures`: for Prometheus; `others`: what is known of the other
    daemons on this database. Raises CannotListen where the place is no HOST:PORT.
    """
    where = read_endpoint(listen)
    if where.path:
        raise CannotListen(f"health.listen: {listen} is no HOST:PORT")

    async def health(request: Request) -> Response:
        lives, found = alive(), list(findings())
        well = lives if request.url.path.endswith("live") else lives and not found
        facts = {"live": lives, "ready": lives and not found, "findings": found}
        if beside := others():
            facts["others"] = beside
        return _told(json.dumps(facts).encode() + b"\n", "application/json", well=well)

    async def metrics(_request: Request) -> Response:
        try:
            return _told(figures(), CONTENT_TYPE_LATEST)
        except StoreTrouble as trouble:
            return _told(f"{trouble}\n".encode(), "text/plain", well=False)

    async def nothing(_request: Request, _error: Exception) -> Response:
        return PlainTextResponse("/health, /health/live, /health/ready, /metrics\n", HTTPStatus.NOT_FOUND)

    routes = [Route("/metrics", metrics)]
    routes += [Route(path, health) for path in ("/health", "/health/live", "/health/ready")]
    app = Starlette(routes=routes, exception_handlers={HTTPStatus.NOT_FOUND: nothing})
    return web_listener(app, where, name="watch")


def _told(body: bytes, kind: str, *, well: bool = True) -> Response:
    status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(body, status, {"Content-Type": kind, "Cache-Control": "no-store"})


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
