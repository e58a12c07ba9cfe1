"""Games that stand already: the same scenery is set up once in a process and copied for every test that begins there.

To seat seven players and print their letters takes longer than most of what is tested on them. A copy has the database,
the letters that were delivered and the place in the sequence of chance, so that nobody can tell it from the first.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from judge.config import Config
from judge.testing.casting import Scenery, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import START, JudgeUnderTest, rehearsal_config
from judge.transport.ports import Parcel


@dataclass(frozen=True, slots=True)
class Standing:
    """A stage as it was left. `known`: the values to which its scenery gave names."""

    database: Path
    letters: tuple[ReceivedLetter, ...]
    parcels: tuple[Parcel, ...]
    drawn: int
    known: Mapping[str, str]


class _Copied(LocalJudge):
    """A stage on which the scenery of another stands."""

    def stand(self, first: Standing) -> None:
        """Take up letters and chance where the other left them."""
        self.post.letters.extend(first.letters)
        self.post.tried.extend(first.parcels)
        self._chance._count = first.drawn


class StandingScenery(Scenery):
    """Scenery that stands already where a conversation begins."""

    known: Mapping[str, str] = {}

    def build(self, under_test: JudgeUnderTest) -> dict[str, str]:
        """Nothing is left to do but to vouch as the scenery says."""
        under_test.vouching = self.vouching
        if self.operator:
            under_test.appoint(self.operator)
        return dict(self.known)


_STANDING: dict[tuple[str, ...], Standing] = {}


def seated(
    folder: Path,
    settings: Mapping[str, str] | None = None,
    *,
    key: str = "baltic",
    stage: str = "running",
    config: Callable[[Path], Config] = rehearsal_config,
) -> LocalJudge:
    """A judge in an empty folder with one game, as `seat_everybody` makes it.

    `config`: none that signs letters with a key of its folder, since the letters so far have the signature of another.
    """
    settings = dict(settings or {})

    def build(first: LocalJudge) -> dict[str, str]:
        seat_everybody(first, key, settings, stage=stage)
        return {}

    return _copy((key, stage, repr(settings)), build, folder, START, config)[0]


def set_up(folder: Path, scenery: Scenery) -> tuple[LocalJudge, StandingScenery]:
    """A judge in an empty folder with the scenery of a conversation, and that scenery without its work.

    Raises TranscriptError where a game refuses what the scenery asks for.
    """
    stage, known = _copy((repr(scenery),), scenery.build, folder, scenery.now, rehearsal_config)
    done = StandingScenery(scenery.now, scenery.games, scenery.gms, scenery.vouching, scenery.operator)
    done.known = known
    return stage, done


def _copy(
    what: tuple[str, ...],
    build: Callable[[LocalJudge], Mapping[str, str]],
    folder: Path,
    start: datetime,
    config: Callable[[Path], Config],
) -> tuple[LocalJudge, Mapping[str, str]]:
    folder.mkdir(parents=True, exist_ok=True)
    what = (*what, repr(config(folder)).replace(str(folder), "var"))
    if what not in _STANDING:
        home = Path(tempfile.mkdtemp(dir=_home().name))
        first = LocalJudge(home, start=start, config=config)
        known = build(first)
        first.close()
        post = first.post
        _STANDING[what] = Standing(
            home / "judge.db", tuple(post.letters), tuple(post.tried), first._chance._count, known
        )
    standing = _STANDING[what]
    shutil.copyfile(standing.database, folder / "judge.db")
    stage = _Copied(folder, start=start, config=config)
    stage.stand(standing)
    return stage, standing.known


@cache
def _home() -> tempfile.TemporaryDirectory[str]:
    """Goes with the process."""
    return tempfile.TemporaryDirectory(prefix="judge-standing-")
