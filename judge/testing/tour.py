"""A theatre with a real daemon: a process of its own, mail by SMTP on loopback, letters in local Maildirs."""

from __future__ import annotations

import json
import os
import smtplib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import judge
from judge import resources
from judge.config import Config
from judge.service.core.house import open_house
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.store.rows import Delivery, DeliveryState, LetterState, MailState
from judge.testing.clock import FileClock
from judge.testing.kills import Arrow
from judge.testing.letters import ReceivedLetter
from judge.testing.mails import RawMail
from judge.testing.misprints import misprinted
from judge.testing.theatre import OPEN, START, Theatre, rehearsal_config
from judge.testing.understudy import beside, read, write
from judge.transport.maildir_out import MaildirCourier, mailboxes, read_mailbox

PATIENCE = 180.0
"""Seconds of real time after which a daemon that does not come to rest is given up; busy machines are slow ones."""
_PAUSE = 0.01
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
        self._process: subprocess.Popen[bytes] | None = None
        self._dead = ""
        self._begun = False
        self._asked = 0
        self._waiting: list[RawMail] = []
        self._parsed: dict[str, list[ReceivedLetter]] = {}
        self._seen = start
        (self.folder / "judge.toml").write_text(_toml(self._config), encoding="utf-8")

    @property
    def dead(self) -> str:
        if self._process is not None and self._process.poll() is not None and not self._dead:
            self._dead = "dead"
        return self._dead

    @property
    def armed(self) -> str:
        return read(beside(self.clock.path, "kill"))

    def begin(self) -> None:
        self.settle()
        self._begun = True
        self._start()
        self.settle()

    def deliver(self, mail: RawMail) -> None:
        if self.dead:
            self._waiting.append(mail)
            return
        try:
            with smtplib.SMTP("127.0.0.1", self._port, timeout=PATIENCE) as line:
                line.sendmail(mail.mail_from, list(mail.rcpts), mail.raw, mail_options=_extensions(mail))
        except smtplib.SMTPResponseException as answer:
            if answer.smtp_code >= 500:
                self.refused.append(mail)
            else:
                self._waiting.append(mail)
        except smtplib.SMTPRecipientsRefused:
            self.refused.append(mail)
        except (smtplib.SMTPException, OSError):
            self._wait(lambda: bool(self.dead))
            self._waiting.append(mail)

    def settle(self) -> None:
        if not self._begun:
            self._settle_scenery()
            return
        before = None
        while not self.dead and before != (before := self._fingerprint()):
            self._ask()
            self._wait(lambda: read(beside(self.clock.path, "told")) == str(self._asked) or bool(self.dead))
            self._wait(lambda: bool(self.dead) or self._quiet())
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
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
            self._dead = self._dead or "stopped"

    def restart(self, *, misprint: str = "") -> None:
        self.stop()
        maps = misprinted(resources.folder("maps"), self.folder / "misprinted", misprint) if misprint else None
        (self.folder / "judge.toml").write_text(_toml(replace(self._config, maps=maps)), encoding="utf-8")
        beside(self.clock.path, "kill").unlink(missing_ok=True)
        if self.now - self._seen > _OUTAGE_FROM:
            self.quiet_until = self.now + self._config.backlog_window
        self._dead = ""
        self._start()
        waiting, self._waiting = self._waiting, []
        for mail in waiting:
            self.deliver(mail)
        self.settle()

    def kill_at(self, arrow: str) -> None:
        write(beside(self.clock.path, "kill"), Arrow(arrow))

    def kill(self) -> None:
        """SIGKILL, wherever it stands."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)
        self._dead = "dead"

    def close(self) -> None:
        self.stop()
        self.house.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _start(self) -> None:
        listening = self.folder / "listen.json"
        listening.unlink(missing_ok=True)
        home = str(Path(judge.__file__).resolve().parent.parent)
        command = "import sys; from judge.cli import main; sys.exit(main())"
        with open(self.folder / "daemon.log", "ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable, "-c", command, "--config", str(self.folder / "judge.toml"),
                    "run", "--clock-file", str(self.clock.path),
                ],
                stdout=log, stderr=log, env={**os.environ, "PYTHONPATH": home},
            )  # fmt: skip
        self._wait(lambda: bool(self.dead) or bool(_places(listening)))
        if not self.dead:
            self._port = int(_places(listening)["smtp"].rpartition(":")[2])

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
        return not any(_in_hand(line.delivery, now) for line in lines)

    def _wait(self, until: Callable[[], bool]) -> None:
        give_up = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > give_up:
                raise RuntimeError(f"the daemon does not come to rest; its log is {self.folder / 'daemon.log'}")
            time.sleep(_PAUSE)


def _extensions(mail: RawMail) -> list[str]:
    """What a client asks of the server for this mail; addresses beyond ASCII need RFC 6531."""
    plain = all(address.isascii() for address in (mail.mail_from, *mail.rcpts))
    return ["BODY=8BITMIME"] if plain else ["BODY=8BITMIME", "SMTPUTF8"]


def _places(listening: Path) -> dict[str, str]:
    try:
        places: dict[str, str] = json.loads(listening.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return places


def _toml(config: Config) -> str:
    gms = ", ".join(json.dumps(gm) for gm in config.gms)
    paths = f"[paths]\nmaps = {json.dumps(str(config.maps))}\n" if config.maps else ""
    return (
        f"{paths}[judge]\ndomain = {json.dumps(config.domain)}\ngms = [{gms}]\n"
        f"[mail]\nauthserv_id = {json.dumps(config.authserv_id)}\nverdicts = {json.dumps(config.verdicts)}\n"
        f"trusted_mx = {json.dumps(list(config.trusted_mx))}\npictures = {json.dumps(config.pictures)}\n"
        f"[smtp]\nlisten = {json.dumps(config.smtp_listen)}\n[log]\nformat = {json.dumps(config.log)}\n"
    )


def _in_hand(delivery: Delivery, now: datetime) -> bool:
    """Whether a delivery is being carried, or should be: a leased one is looked at again only when its lease lapses."""
    if delivery.state is DeliveryState.LEASED:
        return True
    return delivery.next_try is not None and delivery.next_try <= now
