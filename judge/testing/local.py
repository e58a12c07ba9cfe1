"""A whole judge in one process and a temporary folder, under a clock that is moved by hand.

    stage = Playhouse(tmp_path)
    seat_everybody(stage, "baltic")
    stage.begin()
    stage.send("france@players.test", "A par-bur", subject="baltic")
    print(stage.inbox("france@players.test")[-1].text)
    stage.advance(timedelta(days=7))

The same input gives the same output: lots and keys come from counters.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import cast

from judge import resources
from judge.config import Config
from judge.service.core.judge import Judge, open_judge
from judge.service.intake.door import Door, new_mail
from judge.service.intake.worker import Worker
from judge.service.pictures.artist import Artist
from judge.service.pictures.gallery import Gallery
from judge.service.posting.operator import tell_operator
from judge.service.posting.post import Post
from judge.service.turning.barrier import Outage, Surroundings, make_up, outage_between
from judge.service.turning.sweep import sweep
from judge.store import InboxWriter
from judge.testing.casting import Chance
from judge.testing.doubles import Arrow, FakeClock, Killed, MortalStore, misprinted, raise_killed
from judge.testing.sink import MemoryPost
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import START, JudgeUnderTest, RawMail, rehearsal_config
from judge.transport.ports import Arrival, Courier

_ROUNDS = 100
_OLD_MAILS = 1_000_000
"""Of a folder in which a judge was at work before."""


class LocalJudge(JudgeUnderTest):
    """An in-process judge. `post` holds what it sent; `judge` is open unless `dead` says why not. Its letters show
    pictures where there is an `artist`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        start: datetime = START,
        config: Callable[[Path], Config] = rehearsal_config,
        seed: int = 1,
        courier: Courier | None = None,
        artist: Artist | None = None,
    ) -> None:
        super().__init__()
        self._artist = artist
        self._temporary = tempfile.TemporaryDirectory(prefix="judge-stage-") if folder is None else None
        self.folder = folder if folder is not None else Path(self._temporary.name)  # type: ignore[union-attr]
        self.clock = FakeClock(start)
        self.post = MemoryPost()
        self._courier = courier or self.post
        self._config = replace(config(self.folder), pictures=artist is not None)
        self._chance = Chance(seed)
        self._armed = ""
        self._spared = 0
        self._dead = ""
        self._waiting: list[RawMail] = []
        self._outage: Outage | None = None
        self._seen = start
        self._open()
        with self.judge.store.read() as view:
            self._arrivals = len(view.inbox.list(limit=_OLD_MAILS))

    @property
    def dead(self) -> str:
        return self._dead

    def appoint(self, operator: str) -> None:
        self._config = replace(self._config, operator=operator)
        self.judge.close()
        self._open()

    def begin(self) -> None:
        self.settle()

    def deliver(self, mail: RawMail) -> None:
        if self._dead:
            self._waiting.append(mail)
            return
        try:
            self._take_in(mail)
        except Killed as death:
            self._fall(death)
            self._waiting.append(mail)

    def settle(self) -> None:
        if self._dead:
            return
        try:
            self._work()
        except Killed as death:
            self._fall(death)
        self._seen = self.clock.now()

    def set_clock(self, moment: datetime) -> None:
        self.clock.set(moment)

    def inbox(self, address: str) -> list[ReceivedLetter]:
        return self.post.to(address)

    def everything(self) -> list[ReceivedLetter]:
        return list(self.post.letters)

    def stop(self) -> None:
        if not self._dead:
            self.judge.close()
            self._dead = "stopped"

    def restart(self, *, misprint: str = "") -> None:
        self.stop()
        self._dead, self._armed = "", ""
        self._open(misprint=misprint)
        self._note_outage()
        waiting, self._waiting = self._waiting, []
        for mail in waiting:
            self.deliver(mail)
        self.settle()

    def kill_at(self, arrow: str, *, nth: int = 1) -> None:
        """Let the judge die when it comes to an arrow for the nth time."""
        self._armed, self._spared = Arrow(arrow), nth - 1

    @property
    def armed(self) -> str:
        """The arrow at which the judge is still to die."""
        return self._armed

    def close(self) -> None:
        self.stop()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _open(self, *, misprint: str = "") -> None:
        maps = misprinted(resources.folder("maps"), self.folder / "misprinted", misprint) if misprint else None
        judge = open_judge(
            replace(self._config, maps=maps) if maps else self._config,
            clock=self.clock,
            lot=self._chance.lot,
            entropy=self._chance.entropy,
            upgrade=True,
            careless=True,
            instance="stage",
        )
        self.judge: Judge = replace(judge, store=MortalStore(judge.store, lambda: self._armed, self._die))
        self._give_back()
        self._door = Door(self.judge, cast(InboxWriter, None))
        self._worker = Worker(self.judge)
        gallery = Gallery(self.judge, self._artist, tell_operator) if self._artist is not None else None
        self._carrier = Post(self.judge, self._courier, jitter=lambda: 0.5, gallery=gallery)

    def _give_back(self) -> None:
        """As the daemon does when it starts: what a dead process had in hand is free again."""
        with self.judge.store.write() as unit:
            for room in (unit.inbox, unit.letters, unit.outbox):
                room.give_back("stage", self.clock.now())

    def _take_in(self, mail: RawMail) -> None:
        """What the listener does: unknown recipients and mails that are too large do not come in."""
        if len(mail.raw) > self._config.max_bytes or not any(self._door.knows(rcpt) for rcpt in mail.rcpts):
            self.refused.append(mail)
            return
        key = f"stage:{self._arrivals + 1}"
        arrival = Arrival(mail.raw, "smtp", key, mail.mail_from, mail.rcpts, self.clock.now(), "127.0.0.1")
        with self.judge.store.write() as unit:
            unit.inbox.put(new_mail(self.judge, arrival))
        self._arrivals += 1

    def _work(self) -> None:
        around = Surroundings(outage=self._outage, backlog_window=self._config.backlog_window)
        for _ in range(_ROUNDS):
            heard = self._worker.drain()
            struck = sweep(self.judge, around)
            carried = self._carrier.run()
            if not (heard or struck or carried):
                return
        raise RuntimeError("the judge does not come to rest")

    def _note_outage(self) -> None:
        now = self.clock.now()
        if (outage := outage_between(self._seen, now)) is not None:
            self._outage = outage
            self.quiet_until = now + self._config.backlog_window
            make_up(self.judge, outage)

    def _die(self, arrow: str) -> None:
        if self._spared:
            self._spared -= 1
            return
        raise_killed(arrow)

    def _fall(self, death: Killed) -> None:
        self._dead = str(death)
        self._armed = ""
        self.judge.close()
