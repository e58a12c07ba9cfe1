"""The first lines of a conversation file: which games there are, who runs them, what time it is."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from datetime import datetime

from judge.game.settings.table import find_setting
from judge.service.core.persons import GmExists, add_gm
from judge.testing.casting import STAGES, seat_everybody
from judge.testing.theatre import GM, START, Theatre
from judge.testing.transcript import Direction, Expected, Transcript, TranscriptError, TranscriptMail

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

    def build(self, theatre: Theatre) -> dict[str, str]:
        """Set everything up; returns the names it gives values to: `password`, of the last Gamemaster added.

        Raises TranscriptError where a game refuses what the file asks for.
        """
        known = {}
        theatre.vouching = self.vouching
        if self.operator:
            theatre.appoint(self.operator)
        for address in self.gms:
            try:
                known["password"] = add_gm(theatre.house, address).password
            except (ValueError, GmExists) as error:
                raise TranscriptError(f"gm {address}: {error}") from error
        for plan in self.games:
            try:
                seat_everybody(
                    theatre, plan.key, plan.settings, preset=plan.preset, stage=plan.stage, gm=plan.gm or GM,
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
