"""The mail of the robots that play the demo: when each of them writes, and in answer to which letter.

Whether a robot writes follows from how its orders stand, not from what it remembers of having written: whoever lacks
orders writes, as soon as the judge has read what they wrote before. So no mail that is refused, lost or overtaken ends
a game.
"""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from random import Random

from judge.daemon.robots import reply_to_press, think_of_business, think_of_turn, write
from judge.game.core.model import Game, Running
from judge.game.filing.standing import State, standing
from judge.report.core.letter import Kind
from judge.service.core.house import House
from judge.store.rows import MailState
from judge.transport.maildir_out import read_mailbox

_LONGEST = timedelta(minutes=1)
"""Between two mails for one phase; the first comes after a pause of the demo, each later one after twice the last."""

_OF_ITS_OWN = (Kind.CONFIRM, Kind.HELD, Kind.AWAITED)
"""Letters whose reply address is not the seat's, but waits for a yes."""


@dataclass(frozen=True, slots=True)
class _Written:
    """The last mail with orders of one robot. `times`: how often it has written for this phase."""

    phase: str
    message_id: str
    at: datetime
    times: int


class RobotMail:
    """The robots' mail of one game. `send` hands a mail to the judge and raises where it does not take it."""

    def __init__(
        self, house: House, key: str, send: Callable[[EmailMessage], None], chance: Random, *, pause: float
    ) -> None:
        self._house = house
        self._key = key
        self._send = send
        self._chance = chance
        self._pause = pause
        self._written: dict[str, _Written] = {}
        self._heard: dict[str, int] = {}

    def write_orders(self, game: Running) -> str:
        """Let the next robot that lacks orders write one mail. Returns its power, "" if none has to write now."""
        for power in self.lacking(game):
            if self._may_write(game, power) and self._write(game, power):
                return power
        return ""

    def lacking(self, game: Running) -> list[str]:
        """The powers of robots for whose orders the game waits."""
        return [power for power in owing(game) if self._plays(game, power)]

    def new_press(self, game: Game) -> Iterable[tuple[str, bytes, str]]:
        """The press that came since this was asked last: the power that it came to ("" for the Gamemaster), the letter
        and its words. What lay there already when the robots began is old.
        """
        for power in (*game.board.powers, ""):
            local = local_part(power)
            letters = read_mailbox(self._house.config.var / "mail", self.address(local))
            first = self._heard.setdefault(local, len(letters))
            self._heard[local] = len(letters)
            for letter in letters[first:]:
                if words := _press_in(letter.raw):
                    yield power, letter.raw, words

    def answer_press(self, game: Running, power: str, letter: bytes, to: str) -> None:
        """A sentence to whoever plays `to`, in answer to a letter of press."""
        said = reply_to_press(game, power, self._chance)
        message = self._mail(power, letter, f"press to {game.named([to])}\n{said}\nendpress")
        answered = _read(letter)
        message["Subject"] = f"Re: {answered['Subject']}"
        message["In-Reply-To"] = str(answered["Message-ID"])
        self._send(message)

    def address(self, local: str) -> str:
        """An address of the demo."""
        return f"{local}@{self._house.config.domain}"

    def _plays(self, game: Game, power: str) -> bool:
        """Whether the robot of this name has the seat, and not a human being."""
        seat = game.seat_of(power)
        with self._house.store.read() as view:
            robot = view.people.by_address(self.address(local_part(power)))
        return seat is not None and robot is not None and seat.person == robot.id

    def _may_write(self, game: Running, power: str) -> bool:
        """Not while a mail of its own waits to be read, and less and less often while nothing comes of it."""
        last = self._written.get(power)
        if last is None or last.phase != str(game.phase):
            return True
        with self._house.store.read() as view:
            mail = view.inbox.by_reference(last.message_id)
        if mail is not None and mail.state is MailState.NEW:
            return False
        seconds: float = self._pause * 2 ** min(last.times, 10)
        return self._house.clock.now() >= last.at + min(_LONGEST, timedelta(seconds=seconds))

    def _write(self, game: Running, power: str) -> bool:
        """Send orders for the position as it is. A robot answers no letter with them: the newest that it has may still
        be about the phase before. That letter's reply address proves who writes.
        """
        letters = read_mailbox(self._house.config.var / "mail", self.address(local_part(power)))
        raws = (letter.raw for letter in reversed(letters))
        newest = next((raw for raw in raws if _read(raw)["X-Judge-Kind"] not in _OF_ITS_OWN), None)
        if newest is None:
            return False
        orders = think_of_turn(game, power, self._chance)
        business = think_of_business(game, power)
        message = self._mail(power, newest, "\n".join((write(orders, game.board, self._chance), *business)).strip())
        message["Subject"] = f"{self._key}: {game.named([power])}"
        self._send(message)
        last = self._written.get(power)
        times = last.times + 1 if last is not None and last.phase == str(game.phase) else 0
        self._written[power] = _Written(str(game.phase), message["Message-ID"], self._house.clock.now(), times)
        return True

    def _mail(self, power: str, letter: bytes, text: str) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self.address(local_part(power))
        message["To"] = str(_read(letter)["Reply-To"])
        message["Date"] = format_datetime(self._house.clock.now())
        message["Message-ID"] = make_msgid(domain=self._house.config.domain)
        message.set_content(f"{text}\n")
        return message


def owing(game: Running) -> list[str]:
    """The powers for whose orders the game waits, or for a mend of what was asked back in them."""
    found = ((power, standing(game, power)) for power in game.board.powers)
    owed = [power for power, stands in found if stands.state is not State.NOTHING_NEEDED and not stands.settled]
    if not game.deliberates:
        return owed
    players = game.rules.for_players(game.board)
    return [power for power in players if not (game.deeds.get(power) or game.sheets.get(power))]


def local_part(power: str) -> str:
    """The local part of the address of the robot that plays a power; of "": of the one that is the Gamemaster."""
    return power.lower().replace(" ", "-") or "gm"


def _read(raw: bytes) -> EmailMessage:
    found = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def _press_in(raw: bytes) -> str:
    """The words of press in a letter, one line; "" in any other letter."""
    letter = _read(raw)
    body = letter.get_body(("plain",)) if letter["X-Judge-Kind"] == Kind.PRESS else None
    lines = body.get_content().splitlines() if body is not None else []
    return " ".join(line.removeprefix("|").strip() for line in lines if line.startswith("|"))
