"""A theatre with a real daemon: a process of its own, mail by SMTP on loopback, letters in local Maildirs."""

from __future__ import annotations

import smtplib
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from judge import resources
from judge.config import Config
from judge.service.core.house import open_house
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.store.rows import LetterState, MailState
from judge.testing.clock import FileClock
from judge.testing.kills import Arrow
from judge.testing.mails import RawMail
from judge.testing.matching import ReceivedLetter
from judge.testing.misprints import misprinted
from judge.testing.process import PATIENCE, DaemonProcess, in_hand
from judge.testing.theatre import OPEN, START, Theatre, rehearsal_config
from judge.testing.understudy import beside, read, write
from judge.transport.maildir import MaildirCourier, mailboxes, read_mailbox

_OUTAGE_FROM = timedelta(minutes=2)


class Tour(Theatre):
    """A judge in a process of its own. `house` only looks into its database."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        start: datetime = START,
        config: Callable[[Path], Config] = rehearsal_config,
    ) -> None:
        super().__init__()
        self._temporary = tempfile.TemporaryDirectory(prefix="judge-tour-") if folder is None else None
        self.folder = folder if folder is not None else Path(self._temporary.name)  # type: ignore[union-attr]
        self.clock = FileClock(self.folder / "clock")
        self.clock.set(start)
        self._config = config(self.folder)
        self.house = open_house(self._config, clock=self.clock, upgrade=True, careless=True)
        self.daemon = DaemonProcess(self.folder, clock_file=self.clock.path)
        self._dead = ""
        self._begun = False
        self._asked = 0
        self._waiting: list[RawMail] = []
        self._parsed: dict[str, list[ReceivedLetter]] = {}
        self._seen = start
        self.daemon.configure(self._config)

    @property
    def dead(self) -> str:
        if self.daemon.died and not self._dead:
            self._dead = "dead"
        return self._dead

    @property
    def armed(self) -> str:
        return read(beside(self.clock.path, "kill"))

    def appoint(self, operator: str) -> None:
        self._config = replace(self._config, operator=operator)
        self.house = replace(self.house, config=self._config)
        self.daemon.configure(self._config)

    def begin(self) -> None:
        self.settle()
        self._begun = True
        self.daemon.start()
        self.settle()

    def deliver(self, mail: RawMail) -> None:
        if self.dead:
            self._waiting.append(mail)
            return
        try:
            with smtplib.SMTP("127.0.0.1", self.daemon.port, timeout=PATIENCE) as line:
                line.sendmail(mail.mail_from, list(mail.rcpts), mail.raw, mail_options=_extensions(mail))
        except smtplib.SMTPResponseException as answer:
            if answer.smtp_code >= 500:
                self.refused.append(mail)
            else:
                self._waiting.append(mail)
        except smtplib.SMTPRecipientsRefused:
            self.refused.append(mail)
        except (smtplib.SMTPException, OSError):
            self.daemon.wait(lambda: bool(self.dead))
            self._waiting.append(mail)

    def settle(self) -> None:
        if not self._begun:
            self._settle_scenery()
            return
        before = None
        while not self.dead and before != (before := self._fingerprint()):
            self._ask()
            self.daemon.wait(lambda: read(beside(self.clock.path, "told")) == str(self._asked) or bool(self.dead))
            self.daemon.wait(lambda: bool(self.dead) or self._quiet())
        self._seen = self.now

    def set_clock(self, moment: datetime) -> None:
        if moment < self.now:
            raise ValueError("the clock cannot go back")
        self.clock.set(moment)

    def _ask(self) -> None:
        """Ask the daemon for a sweep."""
        self._asked += 1
        write(beside(self.clock.path, "ask"), str(self._asked))

    def inbox(self, address: str) -> list[ReceivedLetter]:
        known = self._parsed.setdefault(address.lower(), [])
        for mail in read_mailbox(self.folder / "mail", address)[len(known) :]:
            known.append(ReceivedLetter(mail.number, address.lower(), mail.raw))
        return list(known)

    def everything(self) -> list[ReceivedLetter]:
        return [letter for name in mailboxes(self.folder / "mail") for letter in self.inbox(name)]

    def stop(self) -> None:
        if self.daemon.running or self.daemon.died:
            self.daemon.stop()
            self._dead = self._dead or "stopped"

    def restart(self, *, misprint: str = "") -> None:
        self.stop()
        maps = misprinted(resources.folder("maps"), self.folder / "misprinted", misprint) if misprint else None
        self.daemon.configure(replace(self._config, maps=maps))
        beside(self.clock.path, "kill").unlink(missing_ok=True)
        if self.now - self._seen > _OUTAGE_FROM:
            self.quiet_until = self.now + self._config.backlog_window
        self._dead = ""
        self.daemon.start()
        waiting, self._waiting = self._waiting, []
        for mail in waiting:
            self.deliver(mail)
        self.settle()

    def kill_at(self, arrow: str) -> None:
        write(beside(self.clock.path, "kill"), Arrow(arrow))

    def kill(self) -> None:
        """SIGKILL, wherever it stands."""
        self.daemon.kill()
        self._dead = "dead"

    def close(self) -> None:
        self.stop()
        self.house.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _settle_scenery(self) -> None:
        """Before the daemon starts, the letters of the scenery are carried out from here."""
        post = Post(self.house, MaildirCourier(self.folder / "mail"))
        sweep(self.house, Surroundings())
        post.run()

    def _fingerprint(self) -> tuple[int, ...]:
        with self.house.store.read() as view:
            mails, copies = view.inbox.counts(), view.outbox.counts()
            events = sum(view.events.last_seq(key) for key in view.events.games())
        return (events, *(mails[state] for state in sorted(mails)), -1, *(copies[state] for state in sorted(copies)))

    def _quiet(self) -> bool:
        """Nothing is left that could be carried out now."""
        with self.house.store.read() as view:
            if view.inbox.counts().get(MailState.NEW) or view.letters.list(states=(LetterState.COMPOSING,), limit=1):
                return False
            if view.outbox.paused():
                return True
            lines = view.outbox.list(states=OPEN, letter_states=(LetterState.READY,), limit=100_000)
        now = self.now
        return not any(in_hand(line.delivery, now) for line in lines)


def _extensions(mail: RawMail) -> list[str]:
    """What a client asks of the server for this mail; addresses beyond ASCII need RFC 6531."""
    plain = all(address.isascii() for address in (mail.mail_from, *mail.rcpts))
    return ["BODY=8BITMIME"] if plain else ["BODY=8BITMIME", "SMTPUTF8"]
