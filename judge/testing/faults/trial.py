"""One trial: a running judge, a world that writes to it and reads its letters, what may break, what is found.

Players under load: they mail orders for all their units again and again, and keep what nobody took off their hands.

Like a mail server they offer a mail until somebody says that it is theirs now: after a 4xx, a broken line or silence
they offer the same bytes again, later. A mail that was refused for good is noted as such.
"""

from __future__ import annotations

import smtplib
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from judge.clock import SystemClock
from judge.config import Relay
from judge.daemon.robots import think
from judge.game.core.model import Begun
from judge.orders.spelled import order_words
from judge.service.core.judge import open_judge
from judge.store.rows import DeliveryState, LetterState, MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.doubles import FileClock
from judge.testing.local import LocalJudge
from judge.testing.process import DaemonProcess, command, environment, in_hand
from judge.testing.sink import SinkServer
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import OPEN, RawMail, build, rehearsal_config

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


@dataclass(frozen=True)
class Findings:
    """What a trial found. `lost`, `false`: sentences, none when the judge kept its promises. `told`: other letters than
    receipts by subject, with their number. `noticed`: what the trial itself saw on the way.
    """

    mails: int
    letters: int
    twice: int
    lost: tuple[str, ...]
    false: tuple[str, ...]
    told: tuple[tuple[str, int], ...]
    noticed: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether both promises were kept."""
        return not self.lost and not self.false


def says_so(letter: ReceivedLetter) -> bool:
    """Whether a letter tells that the mail could not be dealt with."""
    return "could not be dealt with" in letter.subject


SETTINGS = {"moves": "30d", "retreats": "30d", "adjustments": "30d", "nmr": "hold", "reminders": "none", "early": "no"}
"""Of the games under load: no deadline passes unless the trial means it to."""

WELL = ""


@dataclass
class Trial:
    """A judge in `folder` with so many games of seven players. `clock`: a file's, for a judge that is told the time."""

    folder: Path
    games: int = 2
    settings: dict[str, str] = field(default_factory=dict)
    clock: FileClock | None = None
    shifted: Path | None = None
    """A file with the seconds by which the judge's clock parts from the world's."""
    prepare: Callable[[], None] | None = None
    noticed: list[str] = field(default_factory=list)
    set_aside: set[str] = field(default_factory=set)
    """Message-IDs of mails that were in quarantine."""

    def __enter__(self) -> Self:
        self.relay = SinkServer().start()
        config = rehearsal_config(self.folder)
        self._config = replace(config, relay=Relay(host="127.0.0.1", port=self.relay.port))
        self.daemon = DaemonProcess(
            self.folder, clock_file=self.clock.path if self.clock else self.shifted, prepare=self.prepare
        )
        self.daemon.configure(self._config)
        self._set_the_stage()
        self.judge = open_judge(self._config)
        self.players = Players([self.game(key) for key in self.keys], self.judge.config.address)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.daemon.stop()
        self.relay.stop()
        self.judge.close()

    # --- what the trial does ---

    def start(self) -> None:
        """Start the judge. Raises RuntimeError when it does not come up."""
        if not self.daemon.start():
            raise RuntimeError(f"the judge does not start: {self.daemon.log[-500:]}")

    def load(self, mails: int, *, sessions: int = 8) -> None:
        """So many mails more, offered once; what is not taken stays with the players."""
        self.players.write(mails, self.now)
        self.players.offer(lambda: self.daemon.port, sessions=sessions)

    @contextmanager
    def under_load(self, mails: int, *, sessions: int = 8) -> Iterator[threading.Thread]:
        """The same beside what is done meanwhile."""
        busy = threading.Thread(target=self.load, args=(mails,), kwargs={"sessions": sessions})
        busy.start()
        try:
            yield busy
        finally:
            busy.join()

    def recover(self) -> None:
        """Everything works again. Start what died, offer what waits, and wait until everything is answered and
        delivered. What the relay refused for good goes once more, as an operator would have it.
        """
        self.relay.mood = WELL
        if not self.daemon.running:
            self.start()
        self.daemon.wait(self._everything_taken)
        self.daemon.wait(self._everything_heard)
        self._retry_quarantined()
        self.daemon.wait(self._everything_heard)
        self._by_hand()
        self.daemon.wait(self._everything_sent)

    def shell(self, *words: str) -> str:
        """A command of the shell, beside the running judge; what it printed."""
        done = subprocess.run(
            [*command(self.folder), *words], env=environment(), capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    # --- what it sees ---

    @property
    def now(self) -> datetime:
        """The time of the world, which the judge's clock may part from."""
        return self.clock.now() if self.clock else self.judge.clock.now()

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The games."""
        return tuple(f"game{number}" for number in range(self.games))

    def game(self, key: str) -> Begun:
        """A game as the database has it."""
        with self.judge.store.read() as view:
            game = self.judge.keeper.load(view, key)
        assert isinstance(game, Begun)
        return game

    def letters(self) -> list[ReceivedLetter]:
        """What the relay took since the trial began."""
        return [
            ReceivedLetter(number, mail.rcpt_to[0], mail.data) for number, mail in enumerate(self.relay.mails, start=1)
        ]

    def findings(self) -> Findings:
        """What is to be said against the judge, once it has recovered."""
        letters = self.letters()
        answers: dict[str, list[ReceivedLetter]] = {}
        for letter in letters:
            answers.setdefault(letter.header("In-Reply-To"), []).append(letter)
        known = {mail.message_id for mail in self.players.mails}
        copies = Counter((letter.message_id, letter.to) for letter in letters)
        others = Counter(letter.subject for letter in letters if letter.header("In-Reply-To") not in known)
        return Findings(
            mails=len(self.players.mails),
            letters=len(letters),
            twice=sum(count - 1 for count in copies.values()),
            lost=tuple(self._lost(answers)),
            false=(*self._false(answers), *self._false_on_file()),
            told=tuple(others.most_common()),
            noticed=tuple(self.noticed),
        )

    # --- the promises ---

    def _lost(self, answers: dict[str, list[ReceivedLetter]]) -> Iterator[str]:
        """No mail is lost: it is in the database, and its author has an answer."""
        stored = Counter(self._stored())
        for mail in self.players.mails:
            if mail.refused:
                yield f"{mail.message_id} was turned away: {mail.refused}"
            elif not mail.taken:
                yield f"{mail.message_id} was never taken"
            elif not stored[mail.message_id]:
                yield f"{mail.message_id} was taken, and is not in the database"
            elif mail.message_id not in answers:
                yield f"{mail.message_id} has no answer"

    def _false(self, answers: dict[str, list[ReceivedLetter]]) -> Iterator[str]:
        """No receipt says what is not so: each one names every order of the mail that it answers, and goes to whoever
        wrote it.
        """
        for mail in self.players.mails:
            for letter in answers.get(mail.message_id, ()):
                if letter.to.lower() != mail.sender:
                    yield f"the receipt of {mail.message_id} went to {letter.to}"
                lines = " ".join(letter.text.split())
                missing = [order for order in mail.orders.values() if order not in lines]
                if missing and not (mail.message_id in self.set_aside and says_so(letter)):
                    yield f"the receipt of {mail.message_id} ({letter.subject}) does not name {', '.join(missing)}"

    def _false_on_file(self) -> Iterator[str]:
        """What the last receipt of everybody says is what the game has on file."""
        for key in self.keys:
            game = self.game(key)
            for power in game.board.powers:
                last = self.players.last_of(key, power)
                sheet = game.sheets.get(power)
                filed = {line.unit for line in sheet.lines} if sheet else set()
                if last is not None and filed != set(last.orders):
                    yield f"{power} in {key} has orders for {sorted(map(str, filed))} on file"
                if last is not None and sheet is not None and (wrong := self._others(last, key, power)):
                    yield f"{power} in {key}: on file is {wrong[0]!r}, the last mail says {wrong[1]!r}"

    def _others(self, last: OrderMail, key: str, power: str) -> tuple[str, str] | None:
        """The first order on file that is another than that of the last mail."""
        for line in self.game(key).sheets[power].lines:
            if line.unit is not None and line.text.strip() != last.orders.get(line.unit):
                return line.text, last.orders.get(line.unit, "")
        return None

    def _stored(self) -> list[str]:
        with self.judge.store.read() as view:
            mails = view.inbox.list(limit=1_000_000)
        return [mail.message_id or "" for mail in mails if mail.state is not MailState.DUPLICATE]

    # --- recovery ---

    def _everything_taken(self) -> bool:
        self.players.offer(lambda: self.daemon.port)
        return not self.players.waiting()

    def _everything_heard(self) -> bool:
        with self.judge.store.read() as view:
            composing = view.letters.list(states=(LetterState.COMPOSING,), limit=1)
            return not view.inbox.counts().get(MailState.NEW) and not composing

    def _retry_quarantined(self) -> None:
        """What was in hand at three deaths is set aside, and its author told so; the operator lets it be heard."""
        with self.judge.store.read() as view:
            aside = view.inbox.list(states=(MailState.QUARANTINED,), limit=1_000_000)
        for mail in aside:
            self.shell("quarantine", "retry", str(mail.id))
        self.set_aside |= {mail.message_id or "" for mail in aside}
        if aside:
            self.noticed.append(f"{len(aside)} mails had been set aside and were heard by hand")

    def _by_hand(self) -> None:
        """What the operator does about letters that do not go by themselves."""
        with self.judge.store.write() as unit:
            if why := unit.outbox.paused():
                self.noticed.append(f"the outbox was paused: {why}")
                unit.outbox.resume()
            refused = unit.outbox.list(states=(DeliveryState.FAILED, DeliveryState.DEFERRED), limit=100_000)
            for line in refused:
                unit.outbox.retry(line.delivery.id, self.now)
        failed = [line for line in refused if line.delivery.state is DeliveryState.FAILED]
        if failed:
            self.noticed.append(f"{len(failed)} letters had been given up and were sent by hand")

    def at_rest(self) -> bool:
        """Whether everything is heard, and nothing goes out at this moment of the clock."""
        if not self._everything_heard():
            return False
        with self.judge.store.read() as view:
            lines = view.outbox.list(states=OPEN, letter_states=(LetterState.READY,), limit=100_000)
        return not any(in_hand(line.delivery, self.now) for line in lines)

    def _everything_sent(self) -> bool:
        with self.judge.store.read() as view:
            return not view.outbox.list(states=OPEN, letter_states=(LetterState.READY,), limit=1)

    def _set_the_stage(self) -> None:
        """Games and their players, made in this process before the daemon starts; their first letters go nowhere."""
        start = self.clock.now() if self.clock else SystemClock().now()
        under_test = LocalJudge(self.folder, start=start, config=lambda _: self._config)
        try:
            for key in self.keys:
                seat_everybody(under_test, key, {**SETTINGS, **self.settings}, who=partial(address_in, key))
        finally:
            under_test.close()


MANY = 40
"""Mails of a short load."""

Play = Callable[[Path, int], Findings]


@dataclass(frozen=True)
class Breakage:
    """`what` breaks, in the words of a list. `play` runs a whole trial in an empty folder, at a scale."""

    name: str
    what: str
    play: Play
    root: bool = False
    """Whether only root can cause it: it wants a file system of its own."""


FAULTS: dict[str, Breakage] = {}


def fault(name: str, what: str, *, root: bool = False) -> Callable[[Play], Play]:
    """Enter a function in the list of faults."""

    def enter(play: Play) -> Play:
        FAULTS[name] = Breakage(name, what, play, root)
        return play

    return enter
