"""A real daemon in a process of its own, and a judge under test that is one: mail by SMTP on loopback, letters in local
Maildirs.

The processes are forked from one that has read the program already (and nothing else), since to read it takes several
times as long as to start a judge.
"""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import runpy
import smtplib
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import cache
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from weakref import WeakSet

import judge
from judge import resources
from judge.config import Config
from judge.service.core.judge import open_judge
from judge.service.posting.post import Post
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.store.rows import Delivery, DeliveryState, LetterState, MailState
from judge.testing.doubles import Arrow, FileClock, misprinted
from judge.testing.rehearsed_daemon import beside, read, write
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import OPEN, START, JudgeUnderTest, RawMail, rehearsal_config
from judge.transport.maildir import MaildirCourier, mailboxes, read_mailbox

PATIENCE = 180.0
"""Seconds of real time after which a daemon that does not come to rest is given up; busy machines are slow ones."""
_PAUSE = 0.01


class DaemonProcess:
    """`judge run` on the database in `folder`. Its log is daemon.log there, its configuration judge.toml.

    `clock_file`: where it reads the time from. `only`: what it does of all. `prepare` is called in the child before
    the judge starts, and must be a function that can be pickled: for limits.
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock_file: Path | None = None,
        only: str = "",
        prepare: Callable[[], None] | None = None,
    ) -> None:
        self._only = only
        self.folder = folder
        self.port = 0
        self.prepare = prepare
        self._clock_file = clock_file
        self._process: ForkServerProcess | None = None

    @property
    def running(self) -> bool:
        """Whether it was started and lives."""
        return self._process is not None and self._process.is_alive()

    @property
    def died(self) -> bool:
        """Whether it was started and lives no more."""
        return self._process is not None and not self._process.is_alive()

    @property
    def pid(self) -> int:
        """Its number in the system."""
        assert self._process is not None and self._process.pid is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """All that it has said so far."""
        return (self.folder / "daemon.log").read_text(encoding="utf-8", errors="replace")

    def configure(self, config: Config) -> None:
        """Write the configuration that the next start reads."""
        (self.folder / "judge.toml").write_text(as_toml(config), encoding="utf-8")

    def start(self) -> bool:
        """Start it, and wait until its door is open. Returns whether it is; its log says why not."""
        listening = self.folder / "listen.json"
        listening.unlink(missing_ok=True)
        clock = [] if self._clock_file is None else ["--clock-file", str(self._clock_file)]
        only = ["--only", self._only] if self._only else []
        words = ["--config", str(self.folder / "judge.toml"), "run", *clock, *only]
        log = self.folder / "daemon.log"
        self._process = _forks().Process(target=_run, args=(words, log, dict(os.environ), self.prepare))
        self._process.start()
        _STARTED.add(self._process)
        self.wait(lambda: self.died or _places(listening) is not None)
        if smtp := (_places(listening) or {}).get("smtp"):
            self.port = int(smtp.rpartition(":")[2])
        return self.running

    def stop(self) -> None:
        """SIGTERM, and wait for its end. Nothing for one that never ran."""
        if self._process is not None:
            self._process.terminate()
            self._process.join(PATIENCE)

    def kill(self) -> None:
        """SIGKILL, wherever it stands."""
        assert self._process is not None
        self._process.kill()
        self._process.join(PATIENCE)

    def wait(self, until: Callable[[], bool]) -> None:
        """Wait for something. Raises RuntimeError when patience is at its end."""
        give_up = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > give_up:
                raise RuntimeError(f"the daemon does not come to rest; its log is {self.folder / 'daemon.log'}")
            time.sleep(_PAUSE)


_STARTED: WeakSet[ForkServerProcess] = WeakSet()


@cache
def _forks() -> ForkServerContext:
    """Where processes come from that have read the program."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["judge.cli.run", "judge.testing.rehearsed_daemon"])
    atexit.register(_end_all)
    return context


def _end_all() -> None:
    """Nobody waits for a daemon that was left running."""
    for process in list(_STARTED):
        process.kill()


def _run(words: list[str], log: Path, environment: dict[str, str], prepare: Callable[[], None] | None) -> None:
    """The judge's command in this process, which was just forked."""
    os.environ.clear()
    os.environ.update(environment)
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.close(out)
    if prepare is not None:
        prepare()
    sys.argv = ["judge", *words]
    runpy.run_module("judge.cli", run_name="__main__")


def command(folder: Path) -> list[str]:
    """The judge's command line for the configuration in a folder."""
    code = "import sys; from judge.cli import main; sys.exit(main())"
    return [sys.executable, "-c", code, "--config", str(folder / "judge.toml")]


def environment() -> dict[str, str]:
    """The environment of a process that is to run this very code."""
    return {**os.environ, "PYTHONPATH": str(Path(judge.__file__).resolve().parent.parent)}


def as_toml(config: Config) -> str:
    """What a rehearsal sets of a configuration, as the file's text."""
    gms = ", ".join(json.dumps(gm) for gm in config.gms)
    paths = f"[paths]\nmaps = {json.dumps(str(config.maps))}\n" if config.maps else ""
    server = config.relay
    words = {"host": server.host, "user": server.user, "password_file": server.password_file, "tls": server.tls}
    relay = "".join(f"{key} = {json.dumps(value)}\n" for key, value in words.items())
    relay = f"[relay]\nport = {server.port}\n{relay}" if server.host else ""
    store = "" if config.store_url == Config().store_url else f"[store]\nurl = {json.dumps(config.store_url)}\n"
    boxes = "".join(
        f"[[imap]]\n{''.join(f'{key} = {json.dumps(value)}{chr(10)}' for key, value in asdict(box).items())}"
        for box in config.imap
    )
    health = f"[health]\nlisten = {json.dumps(config.health_listen)}\n" if config.health_listen else ""
    return (
        f"{paths}[judge]\ndomain = {json.dumps(config.domain)}\ngms = [{gms}]\n"
        f"operator = {json.dumps(config.operator)}\n"
        f"[mail]\nauthserv_id = {json.dumps(config.authserv_id)}\nverdicts = {json.dumps(config.verdicts)}\n"
        f"trusted_mx = {json.dumps(list(config.trusted_mx))}\npictures = {json.dumps(config.pictures)}\n"
        f"[smtp]\nlisten = {json.dumps(config.smtp_listen)}\n{relay}{store}{health}{boxes}"
        f"[log]\nformat = {json.dumps(config.log)}\n"
    )


def _places(listening: Path) -> dict[str, str] | None:
    """Where a daemon listens, at no place if it takes no mail; None while it does not say so."""
    try:
        places: dict[str, str] = json.loads(listening.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return places


def in_hand(delivery: Delivery, now: datetime) -> bool:
    """Whether a delivery is being carried, or should be: a leased one is looked at again only when its lease lapses."""
    if delivery.state is DeliveryState.LEASED:
        return True
    return delivery.next_try is not None and delivery.next_try <= now


_OUTAGE_FROM = timedelta(minutes=2)


class DaemonUnderTest(JudgeUnderTest):
    """A judge in a process of its own. `judge` only looks into its database."""

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
        self.judge = open_judge(self._config, clock=self.clock, upgrade=True, careless=True)
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
        self.judge = replace(self.judge, config=self._config)
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
        self.judge.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _settle_scenery(self) -> None:
        """Before the daemon starts, the letters of the scenery are carried out from here."""
        post = Post(self.judge, MaildirCourier(self.folder / "mail"))
        sweep(self.judge, Surroundings())
        post.run()

    def _fingerprint(self) -> tuple[int, ...]:
        with self.judge.store.read() as view:
            mails, copies = view.inbox.counts(), view.outbox.counts()
            events = sum(view.events.last_seq(key) for key in view.events.games())
        return (events, *(mails[state] for state in sorted(mails)), -1, *(copies[state] for state in sorted(copies)))

    def _quiet(self) -> bool:
        """Nothing is left that could be carried out now."""
        with self.judge.store.read() as view:
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
