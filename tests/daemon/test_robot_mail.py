"""A demo stands still for nobody but whoever came: in any order of what is written, read and delivered some robot has
still to act, or the judge names whom it waits for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.daemon.demo import KEY, YOU, YOURS, Demo
from judge.daemon.robots import owing, think_of_turn
from judge.game.core.model import Running
from judge.service.intake.door import new_mail
from judge.service.intake.worker import Worker
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.testing.local import LocalJudge
from judge.transport.maildir import MaildirCourier, read_mailbox
from judge.transport.ports import Arrival

ROUNDS = 60
"""In which a demo that nothing disturbs has its turn played: six robots, one mail a look."""


class Refused(Exception):
    """The listener does not take a mail."""


class SlowDemo:
    """A demo whose every step is taken by itself: robots look, mails come in, are read, letters are written and
    delivered, the page is turned.
    """

    def __init__(self, folder: Path) -> None:
        self.stage = LocalJudge(folder, courier=MaildirCourier(folder / "mail"))
        self.on_the_way: list[EmailMessage] = []
        self.refusing = False
        self.arrived = 0
        self.worker = Worker(self.stage.judge)
        self.post = Post(self.stage.judge, MaildirCourier(folder / "mail"), jitter=lambda: 0.5)
        self.demo = self._demo()
        self.demo._create()

    def _demo(self) -> Demo:
        daemon: Any = SimpleNamespace(judge=self.stage.judge, wake_post=lambda: None, findings=list)
        demo = Demo(daemon, seed=1)
        demo._robots._send = self._send
        return demo

    def _send(self, message: EmailMessage) -> None:
        if self.refusing:
            raise Refused
        self.on_the_way.append(message)

    @property
    def game(self) -> Running:
        game = self.stage.game(KEY)
        assert isinstance(game, Running)
        return game

    def look(self) -> None:
        self.stage.clock.set(self.stage.now + timedelta(seconds=1))
        try:
            self.demo.look()
        except Refused:
            assert self.refusing

    def look_in_vain(self) -> None:
        """The listener takes no mail."""
        self.refusing = True
        self.look()
        self.refusing = False

    def arrive(self, which: int) -> None:
        """One of the mails on the way comes in."""
        if self.on_the_way:
            mail = self.on_the_way.pop(which % len(self.on_the_way))
            self.arrived += 1
            key, to = f"here:{self.arrived}", (mail["To"],)
            arrival = Arrival(mail.as_bytes(), "smtp", key, mail["From"], to, self.stage.now, "127.0.0.1")
            with self.stage.judge.store.write() as unit:
                unit.inbox.put(new_mail(self.stage.judge, arrival))

    def lose(self) -> None:
        """A mail gets lost: it was taken, and nothing comes of it."""
        if self.on_the_way:
            self.on_the_way.pop(0)

    def stray(self) -> None:
        """A robot's orders are asked back: what comes in is no order that it can give."""
        if self.on_the_way:
            self.on_the_way[0].set_content("A Bla-Xyz\n")

    def read(self) -> None:
        self.worker.drain()

    def deliver(self) -> None:
        self.post.run()

    def turn(self) -> None:
        sweep(self.stage.judge, Surroundings())

    def start_again(self) -> None:
        """What the robots remembered is gone."""
        self.demo = self._demo()

    def you_write(self) -> None:
        """Whoever came sends all their orders, if any are wanted."""
        if YOURS in owing(self.game):
            orders = think_of_turn(self.game, YOURS, Random(1))
            here = self.stage.judge.config.domain
            mail = EmailMessage()
            mail["From"], mail["To"], mail["Subject"] = f"{YOU}@{here}", self._your_address(), KEY
            mail["Message-ID"] = f"<{self.arrived}.{len(self.on_the_way)}@{here}>"
            mail.set_content("\n".join(map(str, orders)) + "\n")
            self.on_the_way.append(mail)

    def _your_address(self) -> str:
        config = self.stage.judge.config
        newest = read_mailbox(config.var / "mail", f"{YOU}@{config.domain}")[-1].raw
        return next(line for line in newest.decode().splitlines() if line.startswith("Reply-To: "))[10:]

    def quiet_round(self) -> None:
        """Everything that can happen without whoever came."""
        self.look()
        while self.on_the_way:
            self.arrive(0)
        self.read()
        self.deliver()
        self.turn()


@contextmanager
def slow_demo() -> Iterator[SlowDemo]:
    with TemporaryDirectory() as folder, patch("os.fsync"):
        slow = SlowDemo(Path(folder))
        yield slow
        slow.stage.close()


STEPS = st.one_of(
    st.sampled_from(["look", "look_in_vain", "lose", "stray", "read", "deliver", "turn", "start_again", "you_write"]),
    st.just("look"),
    st.integers(0, 6),
)
"""What happens next, or which of the mails on the way comes in."""


@settings(max_examples=5)
@given(st.lists(STEPS, min_size=10, max_size=30))
def test_some_robot_acts_or_the_judge_names_whom_it_waits_for(steps: list[str | int]) -> None:
    with slow_demo() as slow:
        slow.deliver()
        for step in steps:
            getattr(slow, step)() if isinstance(step, str) else slow.arrive(step)
            assert slow.demo.waits_for(), "a demo always says what it waits for"
        _until_you_are_waited_for(slow)
        assert "waits for your orders for" in slow.demo.waits_for()
        assert "robot" not in slow.demo.waits_for()
        phase = slow.game.phase
        slow.you_write()
        slow.quiet_round()
        assert slow.game.phase != phase


def _until_you_are_waited_for(slow: SlowDemo) -> None:
    for _ in range(ROUNDS):
        slow.quiet_round()
        if owing(slow.game) == [YOURS]:
            return
    pytest.fail(f"the demo stands still: {slow.demo.waits_for()}")
