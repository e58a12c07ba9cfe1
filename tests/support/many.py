"""Several daemons, each `judge run` in a process and a folder of its own, on one PostgreSQL full of games; and people
who write to them as mail servers do: what is not acknowledged is sent again, to another one.
"""

from __future__ import annotations

import random
import smtplib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.config import Config
from judge.service.core.house import House
from judge.service.trust.patience import PAILS, Sort
from judge.store.rows import DeliveryState, LetterState, MailState
from judge.testing.process import DaemonProcess
from judge.testing.theatre import DOMAIN, rehearsal_config
from tests.bench.house_full_of_games import FIVE_UNITS, open_full_house, order_mail, seat_addresses

_ANSWERED = int(min(pail.room for pail in PAILS[Sort.DONE]))
"""Mails with orders in a row that one person gets receipts for."""

_WAITING = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)


@dataclass
class Author:
    """Somebody with a seat, and what they have written: the number and the lines of each acknowledged mail."""

    address: str
    to: str
    power: str
    sent: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)


class ManyDaemons:
    """The daemons and their games. `house` looks into the same database."""

    def __init__(self, url: str, folder: Path, *, daemons: int, games: int, roles: Sequence[str] = ()) -> None:
        self.house: House = open_full_house(folder, games, config=self._config(url, folder / "looker"))
        self.daemons: list[DaemonProcess] = []
        for number in range(daemons):
            place = folder / f"daemon{number}"
            place.mkdir()
            daemon = DaemonProcess(place, only=roles[number] if roles else "")
            daemon.configure(self._config(url, place))
            self.daemons.append(daemon)
        self.authors = [Author(*seat) for seat in seat_addresses(self.house)]
        self._numbers = iter(range(1_000_000))
        self._lock = threading.Lock()

    @staticmethod
    def _config(url: str, var: Path) -> Config:
        return replace(rehearsal_config(var), store_url=url, domain=DOMAIN)

    def start(self) -> None:
        for daemon in self.daemons:
            assert daemon.start(), daemon.log

    def close(self) -> None:
        for daemon in self.daemons:
            daemon.stop()
        self.house.close()

    def next_mail(self, author: Author, chance: random.Random) -> tuple[int, tuple[str, ...], bytes]:
        """Orders of an author that no earlier mail of theirs gave: some of the units hold, some support others."""
        with self._lock:
            number = next(self._numbers)
        units = FIVE_UNITS[author.power]
        lines = tuple(
            f"{unit} H" if chance.random() < 0.5 else f"{unit} S {chance.choice([u for u in units if u != unit])}"
            for unit in units
        )
        return number, lines, order_mail(number, author.address, author.to, list(lines))

    def deliver(self, author: Author, raw: bytes, chance: random.Random, *, stop: Callable[[], bool]) -> bool:
        """Hand a mail to one daemon after the other until one says that it has it."""
        while not stop():
            daemon = chance.choice([one for one in self.daemons if one.port] or self.daemons)
            with suppress(OSError, smtplib.SMTPException), smtplib.SMTP("127.0.0.1", daemon.port, timeout=10) as line:
                line.sendmail(author.address, [author.to], raw)
                return True
            time.sleep(0.05)
        return False

    def write(self, authors: Sequence[Author], seed: int, *, stop: Callable[[], bool], most: int = 10**9) -> None:
        """These authors write, one after the other and again and again, till told to stop; none of them more than
        one person gets answers to at once.
        """
        chance = random.Random(seed)
        while not stop() and most > 0:
            eager = [author for author in authors if len(author.sent) < _ANSWERED]
            if not eager:
                time.sleep(0.05)
            for author in eager:
                number, lines, raw = self.next_mail(author, chance)
                if self.deliver(author, raw, chance, stop=stop):
                    author.sent.append((number, lines))
                most -= 1
                if stop() or most <= 0:
                    return

    def at_rest(self) -> bool:
        """Whether every mail is heard, and every letter gone."""
        with self.house.store.read() as view:
            mails, letters, copies = view.inbox.counts(), view.letters.counts(), view.outbox.counts()
        left = mails.get(MailState.NEW, 0) + letters.get(LetterState.COMPOSING, 0)
        return not left and not sum(copies.get(state, 0) for state in _WAITING)

    def unrest(self) -> str:
        """What is not at rest, for whoever has waited for it in vain."""
        with self.house.store.read() as view:
            mails = [(m.id, m.lease_owner, m.attempts) for m in view.inbox.list(states=[MailState.NEW], limit=20)]
            letters = view.letters.list(states=[LetterState.COMPOSING], limit=20)
            copies = view.outbox.list(states=_WAITING, limit=20)
            daemons = view.daemons.all()
        composing = [one.id for one in letters]
        return "\n".join(map(str, (mails, composing, [one.delivery for one in copies], *daemons)))

    def letters(self) -> Iterator[bytes]:
        """Every copy that any of them sent."""
        for daemon in self.daemons:
            yield from (path.read_bytes() for path in daemon.folder.glob("mail/*/new/*"))


def in_threads(works: Sequence[Callable[[], object]]) -> list[threading.Thread]:
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    return threads
