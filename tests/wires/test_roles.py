"""What a daemon does of all there is to do (`judge run --only`), in processes of their own on one PostgreSQL."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from judge.config import Config
from judge.testing.process import PATIENCE, DaemonProcess
from tests.support.many import ManyDaemons
from tests.wires.conftest import until

pytestmark = pytest.mark.wires

SENDS, DRAWS = "receive,work,turn,send", "draw"


class WithPictures(ManyDaemons):
    """Daemons whose letters show maps."""

    @staticmethod
    def _config(url: str, var: Path) -> Config:
        return replace(ManyDaemons._config(url, var), pictures=True)


@pytest.fixture
def two(url: str, tmp_path: Path) -> Iterator[tuple[ManyDaemons, DaemonProcess, DaemonProcess]]:
    """One that does everything but draw, and one that draws."""
    many = WithPictures(url, tmp_path, daemons=2, games=1, roles=(SENDS, DRAWS))
    many.start()
    yield many, *many.daemons  # type: ignore[misc]
    many.close()


def ask_for_map(many: ManyDaemons, sender: DaemonProcess) -> None:
    author = many.authors[0]
    text = f"From: {author.address}\r\nTo: {author.to}\r\nSubject: map\r\n\r\nmap\r\n"
    with smtplib.SMTP("127.0.0.1", sender.port, timeout=PATIENCE) as line:
        line.sendmail(author.address, [author.to], text.encode())


def pictures(many: ManyDaemons) -> list[Message]:
    parts = (part for raw in many.letters() for part in message_from_bytes(raw).walk())
    return [part for part in parts if part.get_content_maintype() == "image"]


def children(daemon: DaemonProcess) -> list[str]:
    """The processes that a daemon has beside it."""
    return [pid for told in Path(f"/proc/{daemon.pid}/task").glob("*/children") for pid in told.read_text().split()]


def test_pictures_are_drawn_by_the_daemon_that_draws(two: tuple[ManyDaemons, DaemonProcess, DaemonProcess]) -> None:
    many, sends, draws = two
    ask_for_map(many, sends)
    until(lambda: bool(pictures(many)), seconds=PATIENCE)
    assert children(draws) and not children(sends)


def test_where_nobody_draws_any_more_the_one_that_sends_does(
    two: tuple[ManyDaemons, DaemonProcess, DaemonProcess],
) -> None:
    many, sends, draws = two
    draws.kill()
    ask_for_map(many, sends)
    until(lambda: bool(pictures(many)), seconds=PATIENCE)
    assert children(sends)
