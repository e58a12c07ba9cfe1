"""Players under load: they mail orders for all their units again and again, and keep what nobody took off their hands.

Like a mail server they offer a mail until somebody says that it is theirs now: after a 4xx, a broken line or silence
they offer the same bytes again, later. A mail that was refused for good is noted as such.
"""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from random import Random

from judge.daemon.robots import think
from judge.game.core.model import Begun
from judge.orders.spelled import order_words
from judge.testing.casting import player_of
from judge.testing.mails import RawMail, build

MOST_EACH = 50
"""Mails of one player in a trial."""
PATIENCE = 30.0
"""Seconds that a player's server waits for a word of the judge's."""

Orders = dict[int, str]
"""Unit -> its order as receipts spell it."""


@dataclass
class OrderMail:
    """A mail with orders for every unit of a power, and what became of it at the door."""

    game: str
    power: str
    sender: str
    message_id: str
    raw: RawMail
    orders: Orders
    offered: int = 0
    taken: bool = False
    """Whether the judge said that it has it."""
    refused: str = ""
    """The answer that turned it away for good."""


class Players:
    """Everybody in some games. `mails` are all that they ever wrote, in the order in which they wrote them."""

    def __init__(self, games: Sequence[Begun], judge: str, *, seed: int = 1) -> None:
        self._games = games
        self._judge = judge
        self._chance = Random(seed)
        self._turn = 0
        self._lock = threading.Lock()
        self.mails: list[OrderMail] = []

    def write(self, count: int, now: datetime) -> list[OrderMail]:
        """So many more mails, seat by seat."""
        seats = [(game, power) for game in self._games for power in game.board.powers]
        fresh = []
        for _ in range(count):
            game, power = seats[self._turn % len(seats)]
            fresh.append(self._one(game, power, now))
            self._turn += 1
        self.mails += fresh
        return fresh

    def offer(self, port: Callable[[], int], *, sessions: int = 8) -> None:
        """Offer everything that waits, several at a time; one player's mails one after the other, as they came."""
        waiting: dict[tuple[str, str], list[OrderMail]] = {}
        for mail in self.waiting():
            waiting.setdefault((mail.game, mail.power), []).append(mail)
        with ThreadPoolExecutor(sessions) as pool:
            list(pool.map(lambda mails: self._deliver(mails, port), waiting.values()))

    def waiting(self) -> list[OrderMail]:
        """What nobody has taken or refused yet."""
        return [mail for mail in self.mails if not mail.taken and not mail.refused]

    def last_of(self, game: str, power: str) -> OrderMail | None:
        """The last mail of a power that the judge has."""
        own = [mail for mail in self.mails if mail.taken and (mail.game, mail.power) == (game, power)]
        return own[-1] if own else None

    def _deliver(self, mails: Iterable[OrderMail], port: Callable[[], int]) -> None:
        for mail in mails:
            self._offer(mail, port)
            if not (mail.taken or mail.refused):
                return  # those after it would overtake it

    def _offer(self, mail: OrderMail, port: Callable[[], int]) -> None:
        mail.offered += 1
        try:
            with smtplib.SMTP("127.0.0.1", port(), timeout=PATIENCE) as line:
                line.sendmail(mail.raw.mail_from, list(mail.raw.rcpts), mail.raw.raw)
        except smtplib.SMTPRecipientsRefused as refused:
            answer = next(iter(refused.recipients.values()))
            if answer[0] >= 500:
                mail.refused = f"{answer[0]} {answer[1]!r}"
        except smtplib.SMTPResponseException as answer:
            if answer.smtp_code >= 500:
                mail.refused = f"{answer.smtp_code} {answer.smtp_error!r}"
        except (smtplib.SMTPException, OSError):
            pass  # the line broke, or nobody is there: the mail stays here
        else:
            mail.taken = True

    def _one(self, game: Begun, power: str, now: datetime) -> OrderMail:
        number = self._turn + 1
        orders = {
            order.unit.id: order_words(order, game.board)
            for order in think(game.position, power, game.rules, self._chance)
            if hasattr(order, "unit")
        }
        sender = address_in(game.key, power)
        text = "\n".join([*orders.values(), "", f"this is mail {number}"])
        headers = [("From", sender), ("Subject", game.key), ("Message-ID", f"<load.{number}@players.test>")]
        raw = build(headers, text, now=now, number=number, to=self._judge, vouched=True)
        return OrderMail(game.key, power, sender, f"<load.{number}@players.test>", raw, orders)


def address_in(game: str, power: str) -> str:
    """The address of whoever plays a power in a game; nobody plays in two."""
    return player_of(power).replace("@", f".{game}@")


def games_for(mails: int) -> int:
    """How many games so many mails need. The judge answers nobody without end: sixty mails a day of one sort."""
    return max(2, -(-mails // (7 * MOST_EACH)))
