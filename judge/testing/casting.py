"""Scenery: games at a certain stage, set up without the mails that lead there, and chance that repeats itself.

The first lines of a conversation file: which games there are, who runs them, what time it is.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from judge.board.model import Board
from judge.game.core import commands as cmd
from judge.game.core.commands import Context, Decision
from judge.game.core.model import Game
from judge.game.decide import decide
from judge.game.office.desk import create
from judge.game.settings.table import find_setting
from judge.service.core.keeper import GameChange
from judge.service.core.persons import GmExists, add_gm, enrol
from judge.service.posting.outgoing import post_letters
from judge.store import Transaction
from judge.testing.transcript import Direction, Expected, Transcript, TranscriptError, TranscriptMail
from judge.testing.under_test import GM, START, JudgeUnderTest

STAGES = ("forming", "open", "running")


def player_of(power: str) -> str:
    """The address of whoever plays a power.

    >>> player_of("FRANCE")
    'france@players.test'
    """
    return f"{power.lower().replace('_', '-').replace(' ', '-')}@players.test"


def seat_everybody(
    under_test: JudgeUnderTest,
    key: str,
    settings: Mapping[str, str] | None = None,
    *,
    preset: str = "standard",
    stage: str = "running",
    gm: str = GM,
    deadline: datetime | None = None,
    who: Callable[[str], str] = player_of,
) -> Game:
    """A game with a Gamemaster and, unless it is only forming or open, a player at each seat: `who` by power.

    Raises ValueError where the game refuses a setting. The letters that players get on the way are sent.
    """
    setter = _Setter(under_test, key)
    setter.found(gm, cmd.Create(key, preset, tuple({"nmr": "grace", **(settings or {})}.items())))
    if stage != "forming":
        setter.tell(gm, cmd.Open())
    if stage == "running":
        for power in setter.firsts:
            setter.tell(who(power), cmd.Join(((power,),)), name=f"Player {setter.board.powers[power].name}")
        setter.tell(gm, cmd.Start(deadline))
    under_test.settle()
    return under_test.game(key)


class _Setter:
    """Gives commands to one game on behalf of persons known by their addresses."""

    def __init__(self, under_test: JudgeUnderTest, key: str) -> None:
        self._under_test = under_test
        self._judge = under_test.judge
        self._key = key

    @property
    def firsts(self) -> tuple[str, ...]:
        """Of each seat, the power after which its player is called."""
        return tuple(hand[0] for hand in self._under_test.game(self._key).rules.seats(self.board))

    @property
    def board(self) -> Board:
        return self._under_test.game(self._key).board

    def found(self, gm: str, command: cmd.Create) -> None:
        """Make the game."""
        judge, now = self._judge, self._under_test.now
        with judge.store.write() as unit:
            person = enrol(judge, unit, gm, name="Gina Master", verified=True)
            actor = cmd.Actor(cmd.Role.GM, cmd.GM_SEAT, person.id)
            decision = create(command, Context(actor, now, systems=judge.shelf))
            if not isinstance(decision, Decision):
                raise ValueError(decision.sentence)
            change = judge.keeper.create(decision.events[0])  # type: ignore[arg-type]
            self._keep(unit, change)
        judge.keeper.settle(change)

    def tell(self, address: str, command: cmd.Command, *, name: str = "") -> None:
        """One command from a person."""
        judge, now = self._judge, self._under_test.now
        with judge.store.write() as unit:
            person = enrol(judge, unit, address, name=name, verified=True)
            game = judge.keeper.load(unit, self._key)
            assert game is not None
            actor = cmd.Actor(cmd.Role.STRANGER, person=person.id)
            if game.gm == person.id:
                actor = cmd.Actor(cmd.Role.GM, cmd.GM_SEAT, person.id)
            decision = decide(game, command, Context(actor, now, judge.lot, judge.shelf))
            if not isinstance(decision, Decision):
                raise ValueError(decision.sentence)
            change = GameChange(game, game)
            judge.keeper.apply(change, decision.events)
            self._keep(unit, change)
        judge.keeper.settle(change)

    def _keep(self, unit: Transaction, change: GameChange) -> None:
        self._judge.keeper.save(unit, change, self._under_test.now, self._judge.entropy)
        post_letters(self._judge, unit, change, self._under_test.now)


class Chance:
    """Lots and random bytes that are the same in every run of one seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._count = 0

    def lot(self) -> int:
        """A seed for a drawing of lots."""
        return int.from_bytes(self.entropy(7), "big")

    def entropy(self, length: int) -> bytes:
        """Random bytes in name only."""
        self._count += 1
        return hashlib.shake_256(f"{self._seed}/{self._count}".encode("ascii")).digest(length)


WORDS = ("game", "map", "rules", "now", "gm", "vouch", "operator")
"""Directions that belong to the scenery while nothing has happened yet."""


@dataclass
class GamePlan:
    """One game of the scenery."""

    key: str
    settings: dict[str, str] = field(default_factory=dict)
    preset: str = "standard"
    stage: str = "running"
    gm: str = ""
    deadline: datetime | None = None


@dataclass
class Scenery:
    """What stands before the first mail. `gms`: Gamemasters who may create games, each with a password."""

    now: datetime = START
    games: list[GamePlan] = field(default_factory=list)
    gms: list[str] = field(default_factory=list)
    vouching: bool = True
    operator: str = ""

    def read(self, direction: Direction) -> None:
        """Take one line of the scenery in. Raises TranscriptError."""
        try:
            words = shlex.split(f"{direction.verb} {direction.rest}")
        except ValueError as error:
            raise TranscriptError(f"line {direction.at}: {error}") from error
        if len(words) % 2:
            raise TranscriptError(f"line {direction.at}: scenery is written in pairs, such as: map standard")
        for name, value in zip(words[::2], words[1::2], strict=True):
            try:
                self._take(name.lower(), value)
            except ValueError as error:
                raise TranscriptError(f"line {direction.at}: {error}") from error

    def _take(self, name: str, value: str) -> None:
        if name == "now":
            self.now = datetime.fromisoformat(value)
        elif name == "vouch":
            self.vouching = _flag(value)
        elif name == "game":
            self.games.append(GamePlan(value))
        elif name == "gm":
            self._take_gm(value)
        elif name == "operator":
            self.operator = value
        elif not self.games:
            raise ValueError(f"`{name}` belongs to a game; name the game first")
        elif name == "stage":
            if value not in STAGES:
                raise ValueError(f"a game's stage is one of {', '.join(STAGES)}")
            self.games[-1].stage = value
        elif name == "preset":
            self.games[-1].preset = value
        elif name == "deadline":
            self.games[-1].deadline = datetime.fromisoformat(value)
        elif (setting := find_setting(name)) is not None:
            self.games[-1].settings[setting.name] = value
        else:
            raise ValueError(f"there is no setting {name!r}")

    def _take_gm(self, address: str) -> None:
        if self.games:
            self.games[-1].gm = address
        else:
            self.gms.append(address)

    def build(self, under_test: JudgeUnderTest) -> dict[str, str]:
        """Set everything up; returns the names it gives values to: `password`, of the last Gamemaster added.

        Raises TranscriptError where a game refuses what the file asks for.
        """
        known = {}
        under_test.vouching = self.vouching
        if self.operator:
            under_test.appoint(self.operator)
        for address in self.gms:
            try:
                known["password"] = add_gm(under_test.judge, address).password
            except (ValueError, GmExists) as error:
                raise TranscriptError(f"gm {address}: {error}") from error
        for plan in self.games:
            try:
                seat_everybody(
                    under_test, plan.key, plan.settings, preset=plan.preset, stage=plan.stage, gm=plan.gm or GM,
                    deadline=plan.deadline,
                )  # fmt: skip
            except ValueError as error:
                raise TranscriptError(f"game {plan.key}: {error}") from error
        return known


def _flag(word: str) -> bool:
    if word not in ("yes", "no"):
        raise ValueError(f"{word!r} is neither yes nor no")
    return word == "yes"


def scenery_of(transcript: Transcript) -> tuple[Scenery, list[TranscriptMail | Expected | Direction]]:
    """What a conversation begins with, and its steps behind that. Raises TranscriptError."""
    scenery, steps = Scenery(), list(transcript.steps)
    while steps and isinstance(first := steps[0], Direction) and first.verb in WORDS:
        scenery.read(first)
        del steps[0]
    return scenery, steps
