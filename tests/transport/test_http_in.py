"""One click by HTTP: what acts and what does not, what is never told, and what a rude client gets."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace

import pytest

from judge.transport.listener import Listener, ListenerLimits
from judge.transport.ports import TemporaryTrouble
from judge.transport.web import WEB_LIMITS, http_listener
from tests.transport.conftest import LOOPBACK, PATIENCE, until

TOKEN = "abcdefghijklmnopqrstuvwxyz23456"
ONE_CLICK = b"List-Unsubscribe=One-Click"
MULTIPART = (
    b"--b\r\nContent-Disposition: form-data; name=List-Unsubscribe\r\n\r\nOne-Click\r\n--b--\r\n",
    b'--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\nX: y\r\n\r\nOne-Click\r\n--b--\r\n',
)
CHUNKED = f"POST /u/{TOKEN} HTTP/1.1\r\nHost: judge.test\r\nTransfer-Encoding: chunked\r\n\r\n".encode()


class Judge:
    """Writes down every wish; `trouble` says that it cannot be stored, `later` keeps its caller waiting."""

    def __init__(self) -> None:
        self.wishes: list[str] = []
        self.trouble: Exception | None = None
        self.later: Future[None] | None = None

    def wish(self, token: str, /) -> Future[None] | None:
        if self.trouble is not None:
            raise self.trouble
        self.wishes.append(token)
        return self.later


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def listener(judge: Judge) -> Iterator[Listener]:
    with opened(judge, WEB_LIMITS) as running:
        yield running


@contextmanager
def opened(judge: Judge, limits: ListenerLimits) -> Iterator[Listener]:
    running = http_listener(judge, LOOPBACK, title="Judge <& Co>", limits=limits)
    running.start()
    try:
        yield running
    finally:
        running.stop(grace=1.0)


def connect(listener: Listener) -> socket.socket:
    line = socket.create_connection((listener.endpoint.host, listener.endpoint.port), timeout=PATIENCE)
    line.settimeout(PATIENCE)
    return line


def hear(line: socket.socket) -> bytes:
    """Everything until the other side hangs up."""
    heard = b""
    try:
        while piece := line.recv(65_536):
            heard += piece
    except ConnectionResetError:
        pass
    return heard


def ask(listener: Listener, request: bytes) -> tuple[int, str]:
    """(status, whole answer) to these bytes."""
    with connect(listener) as line:
        line.sendall(request)
        answer = hear(line).decode()
    return int(answer.split(" ")[1]), answer


def post(listener: Listener, token: str = TOKEN, body: bytes = ONE_CLICK, *, more: bytes = b"") -> tuple[int, str]:
    head = f"POST /u/{token} HTTP/1.1\r\nHost: judge.test\r\nContent-Length: {len(body)}\r\n".encode()
    return ask(listener, head + more + b"\r\n" + body)


def get(listener: Listener, place: str = f"/u/{TOKEN}", method: str = "GET") -> tuple[int, str]:
    return ask(listener, f"{method} {place} HTTP/1.1\r\nHost: judge.test\r\n\r\n".encode())


@pytest.mark.parametrize("body", [ONE_CLICK, ONE_CLICK + b"\r\n", b"a=b&" + ONE_CLICK + b"&c=d", *MULTIPART])
def test_a_post_of_the_field_stores_the_wish(listener: Listener, judge: Judge, body: bytes) -> None:
    status, answer = post(listener, body=body)
    assert (status, judge.wishes) == (200, [TOKEN])
    assert "Done." in answer and "<form" not in answer


@pytest.mark.parametrize("place", [f"/judge/u/{TOKEN}?x=1", f"/u/{TOKEN.upper()}", f"https://judge.test/u/{TOKEN}"])
def test_whatever_stands_before_or_behind_the_place_is_the_web_servers_business(
    listener: Listener, judge: Judge, place: str
) -> None:
    request = (
        f"POST {place} HTTP/1.1\r\nHost: judge.test\r\nContent-Length: {len(ONE_CLICK)}\r\n\r\n".encode() + ONE_CLICK
    )
    assert ask(listener, request)[0] == 200 and judge.wishes == [TOKEN]


def test_a_body_in_chunks_is_heard_too(listener: Listener, judge: Judge) -> None:
    assert ask(listener, CHUNKED + b"1a\r\n" + ONE_CLICK + b"\r\n0\r\n\r\n")[0] == 200
    assert judge.wishes == [TOKEN]


def test_a_get_shows_a_button_and_changes_nothing(listener: Listener, judge: Judge) -> None:
    status, answer = get(listener)
    assert (status, judge.wishes) == (200, [])
    assert '<form method="post">' in answer and 'name="List-Unsubscribe" value="One-Click"' in answer
    assert "Judge &lt;&amp; Co&gt;" in answer
    assert "<script" not in answer and "default-src 'none'" in answer


def test_a_head_is_a_get_without_the_page(listener: Listener, judge: Judge) -> None:
    status, answer = get(listener, method="HEAD")
    assert (status, judge.wishes) == (200, []) and answer.endswith("\r\n\r\n")


def test_a_post_without_the_field_does_nothing(listener: Listener, judge: Judge) -> None:
    for body in (b"", b"List-Unsubscribe=Maybe", b"xList-Unsubscribe=One-Click", b"x=List-Unsubscribe=One-Click"):
        assert post(listener, body=body)[0] == 400
    assert judge.wishes == []


def test_every_token_gets_the_same_answers_and_none_is_repeated(listener: Listener) -> None:
    tokens = (TOKEN, "a" * 31, "short", "")
    assert len({post(listener, token) for token in tokens}) == 1
    assert len({get(listener, f"/u/{token}") for token in tokens}) == 1
    assert TOKEN not in post(listener)[1] + get(listener)[1]


def test_no_token_is_logged(listener: Listener, judge: Judge, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        post(listener)
        judge.trouble = RuntimeError(f"broken at {TOKEN}")
        post(listener)
    assert "RuntimeError" in caplog.text and TOKEN not in caplog.text


@pytest.mark.parametrize("trouble", [TemporaryTrouble("disk full at /secret"), RuntimeError("secret")])
def test_what_cannot_be_stored_is_said_to_come_again(listener: Listener, judge: Judge, trouble: Exception) -> None:
    judge.trouble = trouble
    status, answer = post(listener)
    assert status == 503 and "retry-after" in answer and "secret" not in answer


def test_the_answer_waits_for_the_commit(listener: Listener, judge: Judge) -> None:
    judge.later = Future()
    body = (
        f"POST /u/{TOKEN} HTTP/1.1\r\nHost: judge.test\r\nContent-Length: {len(ONE_CLICK)}\r\n\r\n".encode() + ONE_CLICK
    )
    with connect(listener) as line:
        line.sendall(body)
        line.settimeout(0.2)
        with pytest.raises(TimeoutError):
            line.recv(1)
        line.settimeout(PATIENCE)
        judge.later.set_result(None)
        assert hear(line).startswith(b"HTTP/1.1 200 ")


def test_a_request_may_come_in_pieces(listener: Listener, judge: Judge) -> None:
    request = (
        f"POST /u/{TOKEN} HTTP/1.1\r\nHost: judge.test\r\nContent-Length: {len(ONE_CLICK)}\r\n\r\n".encode() + ONE_CLICK
    )
    with connect(listener) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(request), 7):
            line.sendall(request[start : start + 7])
            time.sleep(0.001)
        assert hear(line).startswith(b"HTTP/1.1 200 ")
    assert judge.wishes == [TOKEN]


def test_who_waits_for_a_word_before_the_body_gets_it(listener: Listener, judge: Judge) -> None:
    head = f"POST /u/{TOKEN} HTTP/1.1\r\nHost: judge.test\r\nContent-Length: {len(ONE_CLICK)}\r\n"
    with connect(listener) as line:
        line.sendall(head.encode() + b"Expect: 100-continue\r\n\r\n")
        assert line.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        line.sendall(ONE_CLICK)
        assert hear(line).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: judge.test\r\n\r\n", 404),
        (b"GET /u/a/b HTTP/1.1\r\nHost: judge.test\r\n\r\n", 404),
        (b"GET /u/../etc/passwd HTTP/1.1\r\nHost: judge.test\r\n\r\n", 404),
        (b"DELETE /u/abc HTTP/1.1\r\nHost: judge.test\r\n\r\n", 405),
        (b"OPTIONS /u/abc HTTP/1.1\r\nHost: judge.test\r\n\r\n", 405),
        (b"GET /u/abc HTTP/1.1\r\n\r\n", 400),
        (b"EHLO judge.test\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
        (b"POST /u/abc HTTP/1.1\r\nHost: judge.test\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400),
        (b"POST /u/abc HTTP/1.1\r\nHost: judge.test\r\nContent-Length: 999999\r\n\r\n", 413),
        (CHUNKED + b"1000\r\n" + b"x" * 4096 + b"\r\n1000\r\n" + b"x" * 4096 + b"\r\n0\r\n\r\n", 413),
        (b"GET /" + b"x" * 20_000, 400),
        (b"GET /u/abc HTTP/1.1\r\n" + b"X: y\r\n" * 5_000, 400),
    ],
    ids=lambda value: value if isinstance(value, int) else "",
)
def test_everything_else_is_refused_briefly(
    listener: Listener, judge: Judge, request_bytes: bytes, status: int
) -> None:
    assert ask(listener, request_bytes)[0] == status
    assert judge.wishes == []


def test_a_second_request_on_one_line_is_not_heard(listener: Listener, judge: Judge) -> None:
    one = (
        f"POST /u/{TOKEN} HTTP/1.1\r\nHost: judge.test\r\nContent-Length: {len(ONE_CLICK)}\r\n\r\n".encode() + ONE_CLICK
    )
    answer = ask(listener, one + one.replace(b"abc", b"xyz"))[1]
    assert answer.count("HTTP/1.1") == 1 and "connection: close" in answer
    assert judge.wishes == [TOKEN]


def test_who_dawdles_is_sent_away(judge: Judge) -> None:
    with opened(judge, replace(WEB_LIMITS, idle=0.05)) as listener, connect(listener) as line:
        line.sendall(b"POST /u/abc HTTP/1.1\r\nHost: judge.test\r\nContent-Length: 5\r\n\r\n")
        assert hear(line).startswith(b"HTTP/1.1 408 ")


def test_no_more_than_so_many_at_once(judge: Judge) -> None:
    with opened(judge, replace(WEB_LIMITS, connections=2)) as listener:
        guests = [connect(listener) for _ in range(2)]
        with connect(listener) as third:
            assert hear(third).startswith(b"HTTP/1.1 503 ")
        for guest in guests:
            guest.close()
        until(lambda: get(listener)[0] == 200)


def test_it_closes_with_somebody_on_the_line(judge: Judge) -> None:
    with opened(judge, WEB_LIMITS) as listener, connect(listener) as line:
        line.sendall(b"POST /u/abc HTTP/1.1\r\nHost: judge.test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        assert b"100" in line.recv(100)
        listener.stop(grace=1.0)
        assert hear(line) == b""


def test_no_thread_is_left_behind(judge: Judge) -> None:
    before = threading.active_count()
    with opened(judge, WEB_LIMITS) as listener:
        assert post(listener)[0] == 200
    assert threading.active_count() <= before
