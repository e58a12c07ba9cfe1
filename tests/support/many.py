"""Several daemons, each `judge run` in a process and a folder of its own, on one PostgreSQL full of games; and people
who write to them as mail servers do: what is not acknowledged is sent again, to another one.
"""

from __future__ import annotations

import json
import random
import smtplib
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from pathlib import Path

from judge.config import Config
from judge.service.core.judge import Judge
from judge.service.trust.patience import PAILS, Sort
from judge.service.upkeep.moving import rebuild_all
from judge.store import StoreTrouble
from judge.store.rows import DeliveryState, LetterState, Mail, MailState
from judge.testing.process import PATIENCE, DaemonProcess
from judge.testing.under_test import DOMAIN, rehearsal_config
from tests.bench.full_judge import FIVE_UNITS, open_full_judge, order_mail, seat_addresses

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
    """The daemons and their games. `judge` looks into the same database."""

    def __init__(self, url: str, folder: Path, *, daemons: int, games: int, roles: Sequence[str] = ()) -> None:
        self.judge: Judge = open_full_judge(folder, games, config=self._config(url, folder / "looker"))
        self.daemons: list[DaemonProcess] = []
        for number in range(daemons):
            place = folder / f"daemon{number}"
            place.mkdir()
            daemon = DaemonProcess(place, only=roles[number] if roles else "")
            daemon.configure(self._config(url, place))
            self.daemons.append(daemon)
        self.authors = [Author(*seat) for seat in seat_addresses(self.judge)]
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
        self.judge.close()

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
        with self.judge.store.read() as view:
            mails, letters, copies = view.inbox.counts(), view.letters.counts(), view.outbox.counts()
        left = mails.get(MailState.NEW, 0) + letters.get(LetterState.COMPOSING, 0)
        return not left and not sum(copies.get(state, 0) for state in _WAITING)

    def unrest(self) -> str:
        """What is not at rest, for whoever has waited for it in vain."""
        with self.judge.store.read() as view:
            mails = [(m.id, m.lease_owner, m.attempts) for m in view.inbox.list(states=[MailState.NEW], limit=20)]
            letters = view.letters.list(states=[LetterState.COMPOSING], limit=20)
            copies = view.outbox.list(states=_WAITING, limit=20)
            daemons = view.daemons.all()
        composing = [one.id for one in letters]
        return "\n".join(map(str, (mails, composing, [one.delivery for one in copies], *daemons)))

    @property
    def acknowledged(self) -> int:
        """How many mails somebody was told that we have."""
        return sum(len(author.sent) for author in self.authors)

    def come_to_rest(self) -> None:
        """Wait till everything is heard and gone."""
        end = time.monotonic() + PATIENCE
        while not self._rests():
            assert time.monotonic() < end, self.unrest()
            time.sleep(0.2)

    def _rests(self) -> bool:
        with suppress(StoreTrouble):  # our own connection may be the last to know that the server was away
            return self.at_rest()
        return False

    def check_promises(self) -> None:
        """Once at rest: every mail that was acknowledged is there, acted once and was answered once; the mails of each
        author were heard in their order, and what each game says can be built again from its log.
        """
        numbers = {f"<bench.{number}@players.test>": lines for author in self.authors for number, lines in author.sent}
        with self.judge.store.read() as view:
            mails = [mail for mail in view.inbox.list(limit=100_000) if mail.message_id in numbers]
            letters = view.letters.list(limit=100_000)
            assert set(view.outbox.counts()) == {DeliveryState.SENT}
        # What was acknowledged is there, was heard, and acted once, whoever was killed with it in hand.
        acted = Counter(mail.message_id for mail in mails if mail.state is not MailState.DUPLICATE)
        assert acted == Counter(dict.fromkeys(numbers, 1))
        assert {mail.state for mail in mails} <= {MailState.PROCESSED, MailState.DUPLICATE}
        heard = {mail.id for mail in mails if mail.state is MailState.PROCESSED}
        answers = Counter(letter.mail_id for letter in letters if letter.mail_id in heard)
        assert answers == Counter(dict.fromkeys(heard, 1))
        # A letter may have gone twice where one died between the relay's word and its commit: then it is the same.
        copies: dict[str, set[bytes]] = defaultdict(set)
        for raw in self.letters():
            copies[str(message_from_bytes(raw)["Message-ID"])].add(raw.partition(b"\n\n")[2])
        assert len(copies) == len(letters) and {len(bodies) for bodies in copies.values()} == {1}
        for author in self.authors:
            own = [mail for mail in mails if mail.envelope_from == author.address and mail.state is MailState.PROCESSED]
            self._check_last_word(author, own)
        assert not [finding.drift for finding in rebuild_all(self.judge) if finding.drift]

    def _check_last_word(self, author: Author, own: Sequence[Mail]) -> None:
        """The mails of an author were heard in their order, so that the last one stands."""
        moments = [mail.finished_at for mail in own if mail.finished_at is not None]
        assert moments == sorted(moments) and len(moments) == len(author.sent), author.address
        if not own:
            return
        with self.judge.store.read() as view:
            game = self.judge.keeper.load(view, author.address.partition(".")[2].partition("@")[0])
        commands = json.loads(own[-1].verdict or "")["commands"]
        taken = {one["order"] for one in commands if one["status"] == "taken"}
        assert game is not None and taken <= {line.order for line in game.sheets[author.power].lines}

    def letters(self) -> Iterator[bytes]:
        """Every copy that any of them sent."""
        for daemon in self.daemons:
            yield from (path.read_bytes() for path in daemon.folder.glob("mail/*/new/*"))


def in_threads(works: Sequence[Callable[[], object]]) -> list[threading.Thread]:
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    return threads
