"""A game in every state it can be in, with every kind of person around it, each state made once and copied after that.

hall = Hall(folder)                      # folder: where the states are kept
with hall.at("grace") as table:
    table.say(GM, "extend 24h")
    table.said(GM)
    table.reset()                        # as it was at first
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judge.config import Config
from judge.service.core.persons import add_gm
from judge.store.rows import Mail, StoredEvent
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM, rehearsal_config

NEW_YEAR = datetime(2027, 1, 1, 12, 0, tzinfo=UTC)
"""A moment ahead of the dates in the examples of help."""
GAME = "tannenburg"
"""The game's name is that of the examples."""
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
FRANCE, ITALY = player_of("FRANCE"), player_of("ITALY")
DEPUTY, OBSERVER, RESERVE, KNOWN, UNKNOWN, FORMER, INVITED, OPERATOR = (
    "dora@deputy.test", "olga@watch.test", "rita@reserve.test", "karl@known.test", "ulf@unknown.test",
    "felix@former.test", "ina@invited.test", "operator@site.test",
)  # fmt: skip
NAMES = {
    GM: "Gina Master", DEPUTY: "Dora Vizequeen", OBSERVER: "Olga Lookwell", RESERVE: "Rita Waitlong",
    KNOWN: "Karl Passerby", FORMER: "Felix Wasthere",
    **{player_of(power): f"Player {power.title()}" for power in POWERS},
}  # fmt: skip
ADDRESSES = {"invited": INVITED, "gm": GM, "deputy": DEPUTY, "player": FRANCE, "former": FORMER, "observer": OBSERVER,
             "reserve": RESERVE, "known": KNOWN, "unknown": UNKNOWN, "operator": OPERATOR}  # fmt: skip
WRITERS = ("gm", "deputy", "player", "former", "observer", "reserve", "known", "unknown", "operator", "unproved",
           "denied", "stolen")  # fmt: skip
"""Kinds of writers; the last three write in the Gamemaster's name: without proof, against our server's word, and from
another address to the Gamemaster's own reply address."""
GOVERNING = ("gm", "deputy")


class Table:
    """One state of the game, in a judge that can be set back to it."""

    def __init__(self, stage: LocalJudge, password: str, kept: Path, key: str = GAME) -> None:
        self.stage, self.password, self._kept, self.key = stage, password, kept, key
        self._now = stage.now
        self._mark = 0

    @property
    def seat_of_gm(self) -> str:
        """The Gamemaster's own reply address."""
        letters = [one for one in self.stage.inbox(GM) if GAME in one.subject and "+" in one.reply_to]
        return letters[-1].reply_to if letters else f"judge+{self.key}@judge.test"

    def say(self, kind: str, text: str, *, subject: str = "") -> None:
        """A mail about the game from a kind of writer; grave acts of the Gamemaster are proved by their password."""
        self._mark = len(self.stage.post.letters)
        to, line = f"judge+{self.key}@judge.test", text
        if kind in ADDRESSES:
            if kind == "gm":
                line = f"password {self.password}\n{text}"
            self.stage.send(ADDRESSES[kind], line, to=to, subject=subject)
        elif kind == "unproved":
            self.stage.send(GM, line, to=to, subject=subject, vouched=False)
        elif kind == "denied":
            verdict = {"Authentication-Results": "mx.judge.test; dmarc=fail header.from=players.test"}
            self.stage.send(GM, line, to=self.seat_of_gm, subject=subject, headers=verdict)
        else:
            self.stage.send(KNOWN, line, to=self.seat_of_gm, subject=subject)

    @property
    def written(self) -> list[ReceivedLetter]:
        """All letters that the last mail brought about."""
        return self.stage.post.letters[self._mark :]

    @property
    def mail(self) -> Mail:
        """The row of the last mail."""
        with self.stage.judge.store.read() as view:
            return view.inbox.list(limit=100_000)[-1]

    @property
    def log(self) -> tuple[StoredEvent, ...]:
        """The events of all games."""
        with self.stage.judge.store.read() as view:
            return tuple(event for row in view.games.list() for event in view.events.load(row.key))

    def reset(self) -> None:
        """Everything as it was when the state was reached."""
        self.stage.stop()
        for path in self.stage.folder.glob("judge.db*"):
            path.unlink()
        shutil.copy(self._kept / "judge.db", self.stage.folder / "judge.db")
        self.stage.set_clock(self._now)
        self.stage.restart()


class Hall:
    """Makes states, and keeps them in a folder."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None, preset: str = "standard") -> None:
        self._folder, self._settings = folder, {"press": "white, grey, black", **(settings or {})}
        self._preset, self._opened = preset, 0
        self._made: dict[str, tuple[datetime, str, list[ReceivedLetter]]] = {}

    @contextmanager
    def at(self, state: str) -> Iterator[Table]:
        """The game in a state, one of `STATES`."""
        self._make(state)
        now, password, letters = self._made[state]
        self._opened += 1
        folder = self._folder / f"{state}-{self._opened}"
        shutil.copytree(self._folder / state, folder)
        stage = _opened(folder, now, letters)
        try:
            yield Table(stage, password, self._folder / state, OTHER_BOARDS.get(state, GAME))
        finally:
            stage.close()
            shutil.rmtree(folder)

    def _make(self, state: str) -> None:
        if state in self._made:
            return
        parent, act = STATES[state]
        folder = self._folder / state
        if parent:
            self._make(parent)
            now, password, letters = self._made[parent]
            shutil.copytree(self._folder / parent, folder)
            stage = _opened(folder, now, letters)
        else:
            stage = LocalJudge(folder, start=NEW_YEAR, config=_config)
            password = add_gm(stage.judge, GM).password
        act(_Scene(stage, password, self._settings, self._preset))
        stage.close()
        self._made[state] = (stage.now, password, list(stage.post.letters))


def _opened(folder: Path, now: datetime, letters: list[ReceivedLetter]) -> LocalJudge:
    """A judge on the database in a folder. Its lots and Message-IDs are none that were there before."""
    stage = LocalJudge(folder, start=now, config=_config, seed=1000 + len(letters))
    stage.numbered = 1000 * (1 + len(letters))
    stage.post.letters.extend(letters)
    return stage


def _config(var: Path) -> Config:
    var.mkdir(parents=True, exist_ok=True)
    return replace(rehearsal_config(var), operator=OPERATOR)


class _Scene:
    """What is done to bring a state about."""

    def __init__(self, stage: LocalJudge, password: str, settings: Mapping[str, str], preset: str) -> None:
        self.stage, self._password, self._settings, self._preset = stage, password, settings, preset

    def seat(self, at: str) -> None:
        """A new game, with its people."""
        seat_everybody(self.stage, GAME, self._settings, preset=self._preset, stage=at)
        self.stage.begin()
        for address in (DEPUTY, OBSERVER, RESERVE, KNOWN, FORMER):
            self.say(address, f"register name {NAMES[address]}", to="")

    def say(self, who: str, text: str, *, to: str = GAME) -> None:
        """A mail to the game."""
        line = f"password {self._password}\n{text}" if who == GM else text
        self.stage.send(who, line, to=f"judge+{to}@judge.test" if to else "")

    def all_but(self, absent: str, text: str) -> None:
        """The same mail from everybody at the table but one."""
        for power in POWERS:
            if power != absent:
                self.say(player_of(power), text)

    def day(self, days: float = 1) -> None:
        """Time goes by."""
        self.stage.advance(timedelta(days=days))


def _forming(scene: _Scene) -> None:
    scene.seat("forming")


def _open(scene: _Scene) -> None:
    scene.seat("open")
    scene.say(GM, f"deputy {DEPUTY} until 5 March 2027")
    scene.say(OBSERVER, f"observe {GAME}")
    for power in ("FRANCE", "ITALY"):
        scene.say(player_of(power), f"join {GAME} name Player {power.title()}")
    scene.say(FORMER, f"join {GAME}")
    scene.say(FORMER, f"leave {GAME} for good")


def _approval(scene: _Scene) -> None:
    scene.say(GM, "set access approval")
    scene.say(RESERVE, f"join {GAME}")
    scene.say(GM, f"invite {INVITED}")


def _full(scene: _Scene) -> None:
    for power in POWERS:
        scene.say(player_of(power), f"join {GAME} name Player {power.title()}")
    scene.say(RESERVE, f"join {GAME}")


def _moves(scene: _Scene) -> None:
    scene.seat("running")
    scene.say(GM, f"deputy {DEPUTY} until 5 March 2027")
    scene.say(OBSERVER, f"observe {GAME}")
    scene.say(RESERVE, f"standby {GAME}")
    scene.say(GM, f"assign Italy to {FORMER}")
    scene.say(GM, f"assign Italy to {ITALY}")


def _ordered(scene: _Scene) -> None:
    scene.all_but("FRANCE", "all hold")
    scene.say(player_of("GERMANY"), "replace all\nA Mun - Ruh\nA Ber - Mun\nF Kie - Den")
    scene.say(FRANCE, "A Par - Bur\nA Mar S A Par - Bur\nF Bre - Mao")


def _fall(scene: _Scene) -> None:
    _ordered(scene)
    scene.day(0.1)


def _retreats(scene: _Scene) -> None:
    """Germany beats the army in Burgundy out of its place."""
    scene.all_but("FRANCE", "all hold")
    scene.say(player_of("GERMANY"), "replace all\nA Mun - Bur\nA Ruh S A Mun - Bur\nF Den H")
    scene.say(FRANCE, "A Bur H\nA Mar - Spa\nF Mao - Por")
    scene.day(0.1)


def _adjustments(scene: _Scene) -> None:
    scene.all_but("FRANCE", "all hold")
    scene.say(FRANCE, "A Bur H\nA Mar - Spa\nF Mao - Por")
    scene.day(0.1)


def _held(scene: _Scene) -> None:
    scene.say(GM, "hold reason holidays")


def _grace(scene: _Scene) -> None:
    """Everybody ordered but Russia, who is late."""
    scene.all_but("RUSSIA", "all hold")
    scene.day(7.2)


def _out(scene: _Scene) -> None:
    """France has no units and no centres any more."""
    gone = "remove A Paris; remove A Marseilles; remove F Brest"
    scene.say(GM, f"correct position {gone}; centre Paris Germany; centre Marseilles Italy; centre Brest England")


def _played(scene: _Scene) -> None:
    """The first phase is over, with nothing ordered."""
    scene.say(GM, f"process {scene.stage.game(GAME).phase} despite missing orders")


def _voting(scene: _Scene) -> None:
    scene.say(player_of("ENGLAND"), "propose draw")
    scene.say(FRANCE, "aye 1")
    scene.say(player_of("TURKEY"), "poll: Shall we pause?")


def _vacant(scene: _Scene) -> None:
    scene.say(player_of("RUSSIA"), f"leave {GAME} for good")


def _won_by_word(scene: _Scene) -> None:
    scene.say(GM, "end game by agreement")


def _drawn(scene: _Scene) -> None:
    scene.say(player_of("ENGLAND"), "propose draw")
    scene.all_but("ENGLAND", "aye 1")
    scene.day(8)


def _archived(scene: _Scene) -> None:
    scene.day(60)


def _cancelled(scene: _Scene) -> None:
    scene.say(GM, "end game nobody comes")


def _taken_back(scene: _Scene) -> None:
    scene.say(GM, 'rollback S1901M reason "a support was judged wrongly"')


def _reopened(scene: _Scene) -> None:
    scene.say(GM, 'reopen S1901M reason "three mails were lost"')


def _waiting_mail(scene: _Scene) -> None:
    """A mail in France's name waits for a word."""
    scene.stage.send(FRANCE, "A Par - Pic", to=f"judge+{GAME}@judge.test", vouched=False)


def _appealed(scene: _Scene) -> None:
    scene.say(player_of("GERMANY"), "appeal A Mun H because I was there first")


def _practice(scene: _Scene) -> None:
    """France plays for practice, beside the game."""
    scene.say(FRANCE, "practice", to="")


def _sandbox(scene: _Scene) -> None:
    scene.say(FRANCE, "sandbox", to="")


def _tournament(scene: _Scene) -> None:
    """Seven have entered, and the first board runs; its director is the Gamemaster of the board."""
    scene.say(GM, "create tournament cup 1 round preset standard", to="")
    for power in POWERS:
        scene.say(player_of(power), "tournament cup enter", to="")
    scene.say(GM, "tournament cup seed", to="")
    scene.say(GM, "tournament cup start", to="")


OTHER_BOARDS = {"practice": "practice-1", "sandbox": "sandbox-1", "tournament": "cup-1a"}
"""States that are about another board than the game: somebody's own, or one of a tournament."""

STATES: Mapping[str, tuple[str, Callable[[_Scene], None]]] = {
    "forming": ("", _forming), "open": ("", _open), "approval": ("open", _approval), "full": ("open", _full),
    "moves": ("", _moves), "ordered": ("moves", _ordered), "fall": ("moves", _fall), "retreats": ("fall", _retreats),
    "adjustments": ("fall", _adjustments), "held": ("moves", _held), "grace": ("moves", _grace),
    "voting": ("moves", _voting), "vacant": ("moves", _vacant), "finished": ("fall", _won_by_word),
    "drawn": ("fall", _drawn), "archived": ("drawn", _archived), "cancelled": ("open", _cancelled),
    "taken back": ("fall", _taken_back), "reopened": ("taken back", _reopened),
    "waiting mail": ("moves", _waiting_mail), "out": ("moves", _out), "played": ("moves", _played),
    "appealed": ("fall", _appealed), "practice": ("moves", _practice), "sandbox": ("moves", _sandbox),
    "tournament": ("moves", _tournament),
}  # fmt: skip
"""State -> the state from which it comes, "" for none; what brings it about."""
