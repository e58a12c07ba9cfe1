"""A soak: many games at once, rogues in every seat, a judge that dies, is restarted and has its clock set wrong.

    soak = Soak(folder, seed=7, games=6, until=1903)
    soak.run()
    assert not soak.findings()

One seed gives one soak, mail by mail. What it holds against the judge is in `tests.support.promises`.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from judge.game.clock.clockwork import in_time
from judge.game.core.model import Game, Stage
from judge.service.posting.outgoing import reply_address
from judge.service.turning.barrier import held_mails
from judge.testing.casting import seat_everybody
from judge.testing.doubles import Arrow
from judge.testing.local import LocalJudge as JudgeUnderTest
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM, build
from tests.support.promises import Promises
from tests.support.rogues import Desk, Errand, misbehave

QUICK = {
    "moves": "1d", "retreats": "12h", "adjustments": "12h", "reminders": "12h, 4h", "min_phase": "12h",
    "min_minor": "6h", "grace": "12h", "extension_length": "6h", "max_extension": "1d", "extension_cap": "1d",
    "takeover_extension": "6h", "min_notice": "2h", "press": "white, grey, black", "results_within": "6h",
}  # fmt: skip
TABLES: tuple[Mapping[str, str], ...] = (
    {"nmr": "grace"},
    {"nmr": "hold", "anonymous": "yes"},
    {"nmr": "disorder", "early": "no", "no_mistakes": "no"},
    {"nmr": "wait", "seasons": "3", "hide_late": "yes"},
    {"nmr": "grace", "anonymous": "yes", "no_mistakes": "no", "zone": "America/New_York"},
    {"nmr": "removals", "seasons": "2", "explain": "yes"},
)
"""Settings of the games of a soak, in turn; each with QUICK beneath."""

PATIENCE = timedelta(days=2)
"""How long after a deadline the Gamemaster takes a game in hand that stands still."""


@dataclass(frozen=True, slots=True)
class Mischief:
    """How likely each trouble is before each mail."""

    kill: float = 0.02
    restart: float = 0.01
    downtime: float = 0.01
    clock: float = 0.01


class Soak:
    """`run` plays until every game has reached the year `until` or has ended."""

    def __init__(
        self, folder: Path, *, seed: int, games: int, until: int = 1902, mischief: Mischief | None = None
    ) -> None:
        self.stage = JudgeUnderTest(folder, seed=seed)
        self.promises = Promises(self.stage)
        self._chance = Random(seed)
        self._mischief = mischief or Mischief()
        self._until = until
        self._errands: list[tuple[datetime, int, str, str, Errand]] = []
        """When, a number that keeps the order, the game and phase it was meant for, the mail."""
        self._planned: dict[str, tuple[str, int]] = {}
        self._pushed: dict[str, datetime] = {}
        self._letters: dict[tuple[str, str], ReceivedLetter] = {}
        self._paths: dict[str, str] = {}
        self._old: list[str] = []
        self._read = self._tried = self._count = 0
        self._off = timedelta()
        for number in range(games):
            table = {**QUICK, **TABLES[number % len(TABLES)]}
            seat_everybody(self.stage, f"game{number}", table)
        self.keys = tuple(f"game{number}" for number in range(games))

    def run(self) -> None:
        """Play. Raises RuntimeError if the games do not come to their end."""
        self.stage.begin()
        for _ in range(100_000):
            running = self._running()
            if not running:
                break
            self._read_letters()
            for game in running:
                self._plan(game)
            self._step()
        else:
            raise RuntimeError("the soak does not come to an end")
        if self.stage.dead:
            self.stage.restart()
        self.stage.advance(timedelta(hours=2))
        self._read_letters()

    def findings(self) -> list[str]:
        """Every promise that was broken, as a sentence."""
        return self.promises.findings()

    def close(self) -> None:
        """Let go of everything."""
        self.stage.close()

    def _running(self) -> list[Game]:
        games = (self.stage.game(key) for key in self.keys)
        return [game for game in games if game.stage is Stage.RUNNING and game.position.phase.year < self._until]  # type: ignore[union-attr]

    # --- planning -------------------------------------------------------------------------------------------------

    def _plan(self, game: Game) -> None:
        """At each new turn, and when its deadline moves, everybody makes up his mind."""
        assert game.deadline is not None
        turn = (str(game.phase), game.deadline.version)
        if self._planned.get(game.key) == turn:
            self._take_in_hand(game)
            return
        again = self._planned.get(game.key, ("",))[0] == turn[0]
        self._planned[game.key] = turn
        for seat in game.seats.values():
            for power in seat.powers:
                if not seat.filled:
                    self._fill(game, power)
                elif not again or self._chance.random() < 0.3:
                    for errand in misbehave(self._desk(game, power, seat.person or 0)):
                        self._push(game, errand)

    def _desk(self, game: Game, power: str, person: int) -> Desk:
        assert game.deadline is not None
        with self.stage.judge.store.read() as view:
            address = next(row.address for row in view.people.addresses(person) if row.primary)
        others = [key for key in self.keys if key != game.key]
        return Desk(
            game=game,
            power=power,
            address=address,
            home=self.stage.address,
            left=max(game.deadline.at - self.stage.now, timedelta(hours=1)),
            chance=self._chance,
            letter=self._letters.get((address, game.key)),
            old_address=self._chance.choice(self._old) if self._old else "",
            other_game=self._chance.choice(others) if others else "",
            return_path=self._paths.get(address, ""),
        )

    def _push(self, game: Game, errand: Errand) -> None:
        self._count += 1
        moment = self.stage.now + errand.after
        heapq.heappush(self._errands, (moment, self._count, game.key, str(game.phase), errand))

    def _fill(self, game: Game, power: str) -> None:
        """Somebody new comes by, proves himself, and is given the power or claims it."""
        self._count += 1
        address = f"spare{self._count}@players.test"
        name = f"Spare {self._count} Player"
        word = power.lower()
        self._push(game, _mail(f"{name} <{address}>", "register", self.stage.address, timedelta(minutes=20)))
        if self._chance.random() < 0.5:
            self._push(game, self._from_gm(game, f"assign {word} to {address}", timedelta(minutes=40)))
        else:
            to = self.stage.address.replace("@", f"+{game.key}@")
            self._push(game, _mail(address, f"claim {word}", to, timedelta(minutes=40)))

    def _take_in_hand(self, game: Game) -> None:
        """A game that stands still long after its deadline: the Gamemaster resumes, processes, waives held mails."""
        assert game.deadline is not None
        last = self._pushed.get(game.key, game.deadline.at)
        if self.stage.now < max(last, game.deadline.at) + PATIENCE:
            return
        self._pushed[game.key] = self.stage.now
        for seat in game.seats.values():
            if not seat.filled and seat.powers:
                self._fill(game, seat.powers[0])
        with self.stage.judge.store.read() as view:
            waiting = [mail for mail in held_mails(view, game, self.stage.now) if in_time(game, mail.came)]
        despite = " despite " + " ".join(str(mail.number) for mail in waiting[-40:]) if waiting else ""
        command = f"process {game.phase}{despite}" if game.held_since is None else "resume"
        self._push(game, self._from_gm(game, command, timedelta(hours=2)))

    def _from_gm(self, game: Game, text: str, after: timedelta) -> Errand:
        with self.stage.judge.store.read() as view:
            to = reply_address(self.stage.judge, view.games.seat, "gm", game.key, self.stage.now)
        return _mail(GM, text, to, after)

    # --- carrying out ---------------------------------------------------------------------------------------------

    def _step(self) -> None:
        """Let the next mail come in, and whatever trouble comes with it."""
        if self.stage.dead:
            self._come_back()
        if not self._errands:
            self._pass(self.stage.now + timedelta(hours=6))
            return
        moment, _, key, phase, errand = heapq.heappop(self._errands)
        self._trouble()
        self._pass(moment)
        self._carry(key, phase, errand)

    def _pass(self, moment: datetime) -> None:
        if moment > self.stage.now:
            self.stage.advance(to=moment)

    def _trouble(self) -> None:
        chance, likely = self._chance, self._mischief
        if chance.random() < likely.kill and not self.stage.dead:
            self.stage.kill_at(chance.choice(list(Arrow)))
        if chance.random() < likely.restart:
            self.stage.restart()
        if chance.random() < likely.downtime:
            self.stage.stop()
            self.stage.set_clock(self.stage.now + timedelta(minutes=chance.choice((1, 20, 90, 600, 2000))))
            self.stage.restart()
        if self._off or chance.random() < likely.clock:
            self._set_clock_wrong()

    def _set_clock_wrong(self) -> None:
        """By an hour or a day, forwards or backwards, over a restart; a while later it is put right."""
        if self._off and self._chance.random() > 0.2:
            return
        step = -self._off or self._chance.choice((-1, 1)) * self._chance.choice((timedelta(hours=1), timedelta(days=1)))
        self._off = step if not self._off else timedelta()
        self.stage.stop()
        self.stage.clock.step(step)
        self.stage.restart()

    def _come_back(self) -> None:
        """Some time after its death the judge is started again."""
        self.stage.set_clock(self.stage.now + timedelta(minutes=self._chance.choice((0, 1, 10, 200))))
        self.stage.restart()

    def _carry(self, key: str, phase: str, errand: Errand) -> None:
        number, stage = self.stage.numbered + 1, self.stage
        heads = [*errand.headers]
        if errand.dated:
            heads.append(("Date", f"{stage.now + errand.dated:%a, %d %b %Y %H:%M:%S +0000}"))
        mail = build(heads, errand.body, now=stage.now, number=number, to=errand.to, vouched=errand.vouched)
        mail = replace(mail, rcpts=(errand.to,))
        stage.numbered = number
        before = stage.game(key)
        for _ in range(errand.copies):
            stage.offer(mail)
        if errand.undoes:
            self.promises.forget(key)
        elif errand.sure and not stage.dead and str(before.phase) == phase:
            self.promises.promise(before, errand.sure, errand.headers[0][1])

    def _read_letters(self) -> None:
        """Players look into their mailboxes; whoever is asked for a confirmation gives it, denies it or forgets."""
        for letter in self.stage.post.letters[self._read :]:
            found = re.search(r"\[(\w+)\]", letter.subject)
            self._letters[letter.to, found[1] if found else ""] = letter
            if found and self._chance.random() < 0.01:
                self._old.append(letter.reply_to)
            for errand in self._consent(letter):
                self._push(self.stage.game(self.keys[0]), errand)
        self._read = len(self.stage.post.letters)
        for parcel in self.stage.post.tried[self._tried :]:
            self._paths[parcel.rcpt_to[0]] = parcel.mail_from
        self._tried = len(self.stage.post.tried)

    def _consent(self, letter: ReceivedLetter) -> Iterator[Errand]:
        if letter.header("X-Judge-Kind") not in ("held", "confirm"):
            return
        word = self._chance.choice(("yes", "confirm", "no, never", ""))
        if word:
            yield _mail(letter.to, word, letter.reply_to, timedelta(minutes=self._chance.randrange(5, 400)))


def _mail(sender: str, text: str, to: str, after: timedelta) -> Errand:
    return Errand(after, (("From", sender), ("Subject", "a word to the judge")), text, to)
