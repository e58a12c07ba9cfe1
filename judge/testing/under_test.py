"""A theatre: a whole judge that can be written to as players' programs would, whose clock can be moved, that can be
killed and started again.

There are two: `judge.testing.local.LocalJudge` in this process, and `judge.testing.process.DaemonUnderTest`, a real
daemon in a process of its own. A rehearsal does not know which one it plays in.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.header import Header
from email.utils import format_datetime, getaddresses
from pathlib import Path

from judge.config import Config
from judge.game.core.model import Game
from judge.service.core.judge import Judge
from judge.store import View
from judge.store.rows import DeliveryState, GameRow
from judge.testing.transcript import Headers, ReceivedLetter, address

AUTHSERV = "mx.judge.test"
"""The name under which the rehearsal's own mail server gives its word for a sender."""


@dataclass(frozen=True)
class RawMail:
    """A mail ready for the wire: bytes and envelope."""

    raw: bytes
    mail_from: str
    rcpts: tuple[str, ...]


def build(
    headers: Sequence[tuple[str, str]], body: str, *, now: datetime, number: int, to: str, vouched: bool
) -> RawMail:
    """A mail from what a script says of it; what it does not say is filled in.

    `To` defaults to `to`, `Date` to the moment, `Message-ID` to a number of this rehearsal; a header that is given
    without a value is left out. `Return-Path` and `Delivered-To` say the envelope. Where the script gives no
    `Authentication-Results` and `vouched` is set, our server gives its word for the sender's domain.
    """
    given = {name.lower() for name, _ in headers}
    fields = [(name, value) for name, value in headers if value]
    sender = address(_value(fields, "from"))
    host = sender.rpartition("@")[2] or "nowhere.test"
    _default(fields, given, "To", to)
    _default(fields, given, "Date", format_datetime(now))
    _default(fields, given, "Message-ID", f"<rehearsal.{number}@{host}>")
    _default(fields, given, "MIME-Version", "1.0")
    _default(fields, given, "Content-Type", "text/plain; charset=utf-8")
    if "content-type" not in given:
        _default(fields, given, "Content-Transfer-Encoding", "8bit")
    if vouched and "authentication-results" not in given:
        fields.append(("Authentication-Results", f"{AUTHSERV}; dmarc=pass header.from={host}"))
    fields = stamped(fields, sender)
    head = "".join(f"{name}: {_encoded(name, value)}\r\n" for name, value in fields)
    raw = head.encode("utf-8", "surrogateescape") + b"\r\n" + _octets(body)
    return RawMail(raw, _envelope_from(fields, sender), _recipients(fields))


def stamped(fields: Sequence[tuple[str, str]], sender: str) -> list[tuple[str, str]]:
    """The fields as our own mail server hands them on: its verdicts above its Received line, that above all others."""
    verdicts = [(name, value) for name, value in fields if name.lower() == "authentication-results"]
    if not verdicts:
        return list(fields)
    others = [one for one in fields if one not in verdicts]
    client = sender.rpartition("@")[2] or "nowhere.test"
    return [*verdicts, ("Received", f"from {client} ({client} [192.0.2.66]) by {AUTHSERV} with ESMTP"), *others]


def resent(mail: RawMail, *, by: str) -> RawMail:
    """The same mail by another route: one more trace header, below what our own server wrote on top."""
    head, _, rest = mail.raw.partition(b"\r\nReceived:") if mail.raw.startswith(b"Authentication") else (b"", b"", b"")
    line = f"Received: from elsewhere by {by}\r\n".encode("ascii")
    if not rest:
        return RawMail(line + mail.raw, mail.mail_from, mail.rcpts)
    own, _, theirs = rest.partition(b"\r\n")
    return RawMail(head + b"\r\nReceived:" + own + b"\r\n" + line + theirs, mail.mail_from, mail.rcpts)


def _default(fields: list[tuple[str, str]], given: set[str], name: str, value: str) -> None:
    if name.lower() not in given:
        fields.append((name, value))


def _value(fields: Sequence[tuple[str, str]], name: str) -> str:
    return next((value for key, value in fields if key.lower() == name), "")


def _envelope_from(fields: Sequence[tuple[str, str]], sender: str) -> str:
    path = _value(fields, "return-path").strip()
    return path.strip("<>") if path else sender


def _recipients(fields: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    named = _value(fields, "delivered-to") or ", ".join(v for k, v in fields if k.lower() in ("to", "cc"))
    return tuple(dict.fromkeys(found.lower() for _, found in getaddresses([named]) if "@" in found))


def _encoded(name: str, value: str) -> str:
    if name.lower() == "subject" and not value.isascii():
        return Header(value, "utf-8").encode()
    return value


def _octets(body: str) -> bytes:
    text = body if body.endswith("\n") or not body else body + "\n"
    return text.replace("\n", "\r\n").encode("utf-8", "surrogateescape")


def plain(sender: str, subject: str, text: str, headers: Mapping[str, str]) -> tuple[list[tuple[str, str]], str]:
    """Headers and body of a simple mail, for `build`."""
    return [("From", sender), ("Subject", subject), *headers.items()], text


def as_answer(headers: Headers, answered: ReceivedLetter) -> Headers:
    """Headers of a reply to a letter, where the conversation does not give its own."""
    given = {name.lower() for name, _ in headers}
    subject = answered.subject
    usual = [
        ("From", answered.to),
        ("Subject", subject if subject.lower().startswith("re:") else f"Re: {subject}"),
        ("In-Reply-To", answered.message_id),
        ("References", f"{answered.header('References')} {answered.message_id}".strip()),
    ]
    return [*headers, *((name, value) for name, value in usual if name.lower() not in given)]


START = datetime(1901, 3, 1, 12, 0, tzinfo=UTC)
DOMAIN = "judge.test"
GM = "gm@players.test"

OPEN = (DeliveryState.READY, DeliveryState.DEFERRED, DeliveryState.LEASED)
"""States of deliveries that are still to be tried."""


def rehearsal_config(var: Path) -> Config:
    """The configuration of a judge that plays before no audience."""
    return Config(var=var, domain=DOMAIN, gms=(GM,), authserv_id=AUTHSERV, smtp_listen="127.0.0.1:0", log="json",
                  pictures=False, weekly=None)  # fmt: skip


class JudgeUnderTest(ABC):
    """What a rehearsal asks of a judge. `judge` looks into the same database, whoever works on it."""

    judge: Judge
    vouching = True
    """Whether our own mail server gives its word for senders, unless a mail says otherwise."""

    def __init__(self) -> None:
        self.sent: list[RawMail] = []
        self.refused: list[RawMail] = []
        """Mails that the door turned away for good: unknown recipients, too large."""
        self.numbered = 0
        self.quiet_until: datetime | None = None
        """After an outage: the moment from which phases are adjudicated again."""

    @abstractmethod
    def appoint(self, operator: str) -> None:
        """Name the operator of this judge, before anything happens."""

    @property
    def now(self) -> datetime:
        """The judge's time."""
        return self.judge.clock.now()

    @property
    def address(self) -> str:
        """The judge's own address."""
        return self.judge.config.address

    def send(
        self,
        sender: str,
        text: str,
        *,
        to: str = "",
        subject: str = "",
        headers: Mapping[str, str] | None = None,
        vouched: bool | None = None,
    ) -> None:
        """One mail, and all that comes of it."""
        self.perform(*plain(sender, subject, text, headers or {}), to=to, vouched=vouched)

    def perform(self, headers: list[tuple[str, str]], body: str, *, to: str = "", vouched: bool | None = None) -> None:
        """A mail by its headers and body, and all that comes of it."""
        self.numbered += 1
        trusted = self.vouching if vouched is None else vouched
        mail = build(headers, body, now=self.now, number=self.numbered, to=to or self.address, vouched=trusted)
        self.offer(mail)

    def offer(self, mail: RawMail) -> None:
        """Bring a mail to the door, and wait for all that comes of it."""
        self.sent.append(mail)
        self.deliver(mail)
        self.settle()

    def advance(
        self, by: timedelta | None = None, *, to: datetime | None = None, until: Callable[[], bool] = lambda: False
    ) -> None:
        """Move the clock on, halting at every moment at which the judge means to do something; no further than to the
        first of these after which `until` is so.
        """
        end = to if to is not None else self.now + (by or timedelta())
        self.settle()
        while not until() and (moment := self._next_moment(end)) is not None:
            self.set_clock(moment)
            self.settle()
        if until():
            return
        self.set_clock(end)
        self.settle()

    def game(self, key: str) -> Game:
        """A game as the database has it. Raises KeyError."""
        with self.judge.store.read() as view:
            game = self.judge.keeper.load(view, key)
        if game is None:
            raise KeyError(key)
        return game

    def _next_moment(self, end: datetime) -> datetime | None:
        now = self.now
        if self.dead:
            return None
        with self.judge.store.read() as view:
            rows = view.games.list()
            moments = [row.next_due_at for row in rows]
            moments.append(view.zines.next_at())
            moments += self._awaited(view, rows)
            moments += [line.delivery.next_try for line in view.outbox.list(states=OPEN, limit=100_000)]
        moments.append(self.quiet_until)
        return min((moment for moment in moments if moment is not None and now < moment <= end), default=None)

    def _awaited(self, view: View, rows: Sequence[GameRow]) -> list[datetime]:
        """Where a phase is held up: until when it waits at most."""
        stuck = (row.key for row in rows if row.next_due_at is not None and row.next_due_at <= self.now)
        games = (game for key in stuck if (game := self.judge.keeper.load(view, key)) is not None)
        return [word.until for game in games for word in game.awaited.values()]

    @property
    @abstractmethod
    def dead(self) -> str:
        """Why nobody is at work, "" while somebody is."""

    @property
    @abstractmethod
    def armed(self) -> str:
        """The arrow at which the judge is still to die, "" for none."""

    @abstractmethod
    def begin(self) -> None:
        """The scenery stands; from now on the judge works by itself."""

    @abstractmethod
    def deliver(self, mail: RawMail) -> None:
        """Hand a mail to the judge's door. A mail that cannot be taken now is offered again after the restart."""

    @abstractmethod
    def settle(self) -> None:
        """Wait until the judge has done everything that is to be done at this moment."""

    @abstractmethod
    def set_clock(self, moment: datetime) -> None:
        """Move the clock to a moment, without halting on the way."""

    @abstractmethod
    def inbox(self, address: str) -> list[ReceivedLetter]:
        """All letters that have reached an address, in order."""

    @abstractmethod
    def everything(self) -> list[ReceivedLetter]:
        """All letters that have reached anybody, each mailbox in order."""

    @abstractmethod
    def stop(self) -> None:
        """End the judge in an orderly way; nobody is at work until the restart."""

    @abstractmethod
    def restart(self, *, misprint: str = "") -> None:
        """Start the judge again on the same database, after ending it if it is at work.

        `misprint`: the border that is missing on its maps this time (`judge.testing.doubles`).
        """

    @abstractmethod
    def kill_at(self, arrow: str) -> None:
        """Let the judge die when it next reaches an arrow."""

    @abstractmethod
    def close(self) -> None:
        """Close everything."""
