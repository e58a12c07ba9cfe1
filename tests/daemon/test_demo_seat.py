"""Whoever came to the demo plays it on with the robots, and has another power for the asking; a robot takes the one
that they leave.
"""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from random import Random

import pytest

from judge.board.phase import Phase
from judge.daemon.demo import KEY, YOU, YOURS, Demo
from judge.daemon.robots import owing, think_of_turn
from judge.daemon.running import Daemon
from judge.game.core.model import Running
from judge.service.core.judge import open_judge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import rehearsal_config
from judge.transport.maildir import read_mailbox

PATIENCE = 60.0


class Visitor:
    """Somebody at the demo, with a mail program."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._address = f"{YOU}@{daemon.judge.config.domain}"

    def inbox(self) -> list[ReceivedLetter]:
        letters = read_mailbox(self._daemon.judge.config.var / "mail", self._address)
        return [ReceivedLetter(number, self._address, letter.raw) for number, letter in enumerate(letters, 1)]

    def answers(self, text: str) -> None:
        """Answer the last letter."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self._address, self.inbox()[-1].reply_to, "Re: demo"
        mail["Message-ID"] = f"<{time.monotonic_ns()}@here.test>"
        mail.set_content(text)
        place = self._daemon.wires.endpoints["smtp"]
        with smtplib.SMTP(place.host, place.port, timeout=PATIENCE) as line:
            line.send_message(mail)

    def game(self) -> Running:
        """The game as it stands."""
        with self._daemon.judge.store.read() as view:
            game = self._daemon.judge.keeper.load(view, KEY)
        assert isinstance(game, Running)
        return game

    def is_past(self, phase: Phase) -> bool:
        """Whether that phase is over."""
        return self.game().phase != phase

    def plays(self) -> tuple[str, ...]:
        game = self.game()
        with self._daemon.judge.store.read() as view:
            person = view.people.by_address(self._address)
        assert person is not None
        seat = game.seat_held_by(person.id)
        assert all(other.filled for other in game.seats.values()) or seat is None
        return seat.powers if seat is not None else ()


def wait_for(met: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not met():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    daemon = Daemon(open_judge(rehearsal_config(tmp_path), upgrade=True, careless=True))
    robots = Demo(daemon, pause=0.05, seed=1)
    daemon.start()
    robots.start()
    visitor = Visitor(daemon)
    wait_for(lambda: bool(visitor.inbox()))
    yield visitor
    robots.stop()
    daemon.stop()


def test_a_visitor_plays_on_into_the_next_year(visitor: Visitor) -> None:
    chance = Random(1)
    while (game := visitor.game()).position.phase.year == 1901:
        if YOURS in owing(game):
            visitor.answers("\n".join(str(order) for order in think_of_turn(game, YOURS, chance)))
        wait_for(partial(visitor.is_past, game.phase))


def test_another_power_is_given_for_the_asking_and_a_robot_takes_the_old_one(visitor: Visitor) -> None:
    assert visitor.plays() == (YOURS,)
    visitor.answers("press to gm\nMay I play Turkey, please?\nendpress\n")
    wait_for(lambda: visitor.plays() == ("TURKEY",))
    wait_for(lambda: "you play Turkey" in " ".join(letter.subject for letter in visitor.inbox()))
    visitor.answers("press to gm\nI'd rather be Italy, or Austria.\nendpress\nA Con H")
    wait_for(lambda: any("A Constantinople H" in letter.text for letter in visitor.inbox()))
    assert visitor.plays() == ("TURKEY",), "who names two is given neither"
