"""Answers to monitoring: `/health`, `/health/live`, `/health/ready` and `/metrics`, on a listener of their own.

Alive is a daemon whose sweep still gives signs; whoever finds it dead restarts it. Ready is one that takes mail, turns
pages and sends letters; restarting one that is not ready mends nothing, and each finding says what does.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CONTENT_TYPE_LATEST

from judge.store import StoreTrouble
from judge.transport.listener import CannotListen, Endpoint, read_endpoint

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
