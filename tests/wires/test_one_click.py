"""A click in a letter to an onlooker reaches the judge through the nginx of deploy/nginx; nothing else does, and the
secret in its path is written down nowhere.
"""

from __future__ import annotations

import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from judge.cli.init import filled
from judge.transport.listener import Endpoint
from judge.transport.web import http_listener
from tests.wires.conftest import Servers, free_ports, listens, until

pytestmark = pytest.mark.wires

TOKEN = "abcdefghijklmnopqrstuvwxyz23456"
AROUND = """
daemon off;
user root;
pid {run}/nginx.pid;
error_log {run}/error.log;
events {{ }}
http {{
    access_log {run}/access.log;
    client_body_temp_path {run}/body;
    proxy_temp_path {run}/proxy;
    fastcgi_temp_path {run}/fastcgi;
    uwsgi_temp_path {run}/uwsgi;
    scgi_temp_path {run}/scgi;
    server {{
        listen 127.0.0.1:{port};
        include {run}/judge.conf;
    }}
}}
"""
"""What a site has already."""


@dataclass
class Wishes:
    """What came through."""

    tokens: list[str] = field(default_factory=list)

    def wish(self, token: str, /) -> None:
        self.tokens.append(token)


@dataclass
class Web:
    """A web server and the judge's listener behind it."""

    url: str
    wishes: Wishes
    run: Path

    def post(self, path: str, body: bytes = b"List-Unsubscribe=One-Click") -> int:
        """The status of the answer."""
        try:
            with urllib.request.urlopen(f"{self.url}{path}", data=body, timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code


@pytest.fixture
def web(servers: Servers, tmp_path: Path) -> Iterator[Web]:
    wishes = Wishes()
    listener = http_listener(wishes, Endpoint("127.0.0.1", 0))
    where = listener.start()
    (port,) = free_ports(1)
    (tmp_path / "nginx.conf").write_text(AROUND.format(run=tmp_path, port=port))
    (tmp_path / "judge.conf").write_text(filled("nginx/judge.conf", {"HTTP": str(where)}))
    command = ["nginx", "-e", str(tmp_path / "error.log"), "-c", str(tmp_path / "nginx.conf")]
    with subprocess.Popen(command, env={"PATH": "/usr/sbin:/usr/bin"}) as running:
        try:
            until(lambda: listens(port) or running.poll() is not None, seconds=20)
            assert running.poll() is None, (tmp_path / "error.log").read_text()
            yield Web(f"http://127.0.0.1:{port}", wishes, tmp_path)
        finally:
            running.terminate()
            listener.stop()


def test_one_click_is_heard_and_its_secret_stands_in_no_log(web: Web) -> None:
    assert web.post(f"/u/{TOKEN}") == 200
    assert web.wishes.tokens == [TOKEN]
    assert web.post("/elsewhere") == 404
    assert web.post(f"/u/{TOKEN}", b"x" * 5000) == 413
    logs = "".join((web.run / name).read_text() for name in ("access.log", "error.log"))
    assert TOKEN not in logs and "/elsewhere" in logs


def test_while_the_judge_is_away_no_log_learns_the_secret_either(web: Web, servers: Servers) -> None:
    (port,) = free_ports(1)
    page = (web.run / "judge.conf").read_text()
    (web.run / "judge.conf").write_text(filled("nginx/judge.conf", {"HTTP": f"127.0.0.1:{port}"}))
    assert page != (web.run / "judge.conf").read_text()
    subprocess.run(["nginx", "-c", str(web.run / "nginx.conf"), "-s", "reload"], check=True, env={"PATH": "/usr/sbin"})
    until(lambda: web.post(f"/u/{TOKEN}") == 502, seconds=20)
    assert TOKEN not in "".join((web.run / name).read_text() for name in ("access.log", "error.log"))
