"""Answers to monitoring: `/health`, `/health/live`, `/health/ready` and `/metrics`, on a listener of their own.

Alive is a daemon whose sweep still gives signs; whoever finds it dead restarts it. Ready is one that takes mail, turns
pages and sends letters; restarting one that is not ready mends nothing, and each finding says what does.

What Prometheus reads are counts and ages from the database, asked when somebody asks us, so that no figure is lost with
a restart, and the waits that only this process knows. Nothing here names a person or a game.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, PlatformCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from judge.daemon.memory import held, open_files
from judge.game.core.model import Stage
from judge.service.core.house import House
from judge.service.upkeep.wellbeing import look, room
from judge.store import StoreTrouble
from judge.store.rows import DeliveryState, MailState
from judge.transport.listener import CannotListen, Endpoint, read_endpoint

Family = CounterMetricFamily | GaugeMetricFamily
Silent = Callable[[], dict[str, float]]
"""Source of mail -> seconds since it last answered well."""
Ready = Callable[[], bool]


class Measures:
    """The figures of one daemon. `silent`: asked for the sources that mail is fetched from; `ready`: whether it can do
    its work.
    """

    def __init__(self, house: House, silent: Silent, ready: Ready) -> None:
        self._registry = CollectorRegistry()
        PlatformCollector(registry=self._registry)
        self._registry.register(_OfTheDatabase(house, silent, ready))
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
    def __init__(self, house: House, silent: Silent, ready: Ready) -> None:
        self._house = house
        self._silent = silent
        self._ready = ready

    def describe(self) -> Iterator[Family]:
        """Nothing: the database is not asked before somebody asks us."""
        yield from ()

    def collect(self) -> Iterator[Family]:
        """The figures as they stand."""
        now = look(self._house)
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
        yield _one("judge_disk_free_bytes", "Room on the disk of the judge's folder", room(self._house.config).free)
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


log = logging.getLogger("judge.daemon")

Start = Callable[..., Any]


class Watchtower:
    """Serves a daemon's health and figures. `alive`: does it still move; `findings`: why it is not ready, a sentence
    each; `figures`: for Prometheus. Raises CannotListen where the place is taken or is no HOST:PORT.
    """

    def __init__(
        self,
        listen: str,
        *,
        alive: Callable[[], bool],
        findings: Callable[[], Sequence[str]],
        figures: Callable[[], bytes],
    ) -> None:
        self._alive = alive
        self._findings = findings
        self._figures = figures
        where = read_endpoint(listen)
        if where.path:
            raise CannotListen(f"health.listen: {listen} is no HOST:PORT")
        try:
            self._server = make_server(where.host, where.port, self._answer, _Patient, _Quiet)
        except OSError as error:
            raise CannotListen(f"health.listen: {listen} cannot be used ({error.strerror})") from error
        self.endpoint = Endpoint(where.host, self._server.server_port)

    def start(self) -> None:
        """Answer from now on, in a thread."""
        threading.Thread(target=self._server.serve_forever, name="watch", daemon=True).start()

    def stop(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        status, kind, body = self._reply(str(environ.get("PATH_INFO", "")), str(environ.get("REQUEST_METHOD", "")))
        headers = [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")]
        start(f"{status.value} {status.phrase}", headers)
        return [body]

    def _reply(self, path: str, method: str) -> tuple[HTTPStatus, str, bytes]:
        if method not in ("GET", "HEAD"):
            return HTTPStatus.METHOD_NOT_ALLOWED, "text/plain", b"GET\n"
        if path == "/metrics":
            return self._measured()
        if path not in ("/health", "/health/live", "/health/ready"):
            return HTTPStatus.NOT_FOUND, "text/plain", b"/health, /health/live, /health/ready, /metrics\n"
        alive, findings = self._alive(), list(self._findings())
        well = alive if path.endswith("live") else alive and not findings
        facts = {"live": alive, "ready": alive and not findings, "findings": findings}
        status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
        return status, "application/json", json.dumps(facts).encode() + b"\n"

    def _measured(self) -> tuple[HTTPStatus, str, bytes]:
        try:
            return HTTPStatus.OK, CONTENT_TYPE_LATEST, self._figures()
        except StoreTrouble as trouble:
            return HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", f"{trouble}\n".encode()


class _Patient(WSGIServer):
    """One question after the other; who asks and says nothing is not waited for."""

    timeout = 5


class _Quiet(WSGIRequestHandler):
    timeout = 5

    def log_message(self, format: str, *args: Any) -> None:
        """Questions of monitoring are no news."""
