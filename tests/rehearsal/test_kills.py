"""The judge is killed wherever it can be, and started again: no mail is lost, no letter tells what did not happen.

The measure is the same story played without a death: in the end every game stands alike, and everybody has read the
same letters. A letter may come twice (its Message-ID tells); a mail whose sender was not told that we have it is sent
again and recognised.
"""

from __future__ import annotations

import random
import re
import shutil
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.service.upkeep.backups import HEARTBEAT
from judge.store.rows import MailState
from judge.testing.casting import player_of, seat_everybody
from judge.testing.doubles import Arrow
from judge.testing.local import LocalJudge
from judge.testing.process import DaemonUnderTest
from judge.testing.transcript import body_of
from judge.testing.under_test import JudgeUnderTest

GAME = "baltic"
SETTINGS = {"moves": "1d", "retreats": "12h", "adjustments": "12h", "nmr": "hold", "reminders": "4h", "early": "no"}
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
LINES = {
    "AUSTRIA": ("A bud-ser", "F tri-alb", "A vie-gal", "A ser S A tri", "A vie-bud"),
    "ENGLAND": ("F lon-nth", "F edi-nwg", "A lvp-yor", "F nth C A yor-nwy", "A yor-nwy"),
    "FRANCE": ("A par-bur", "A mar S A par-bur", "F bre-xyz", "A bur-mun", "F bre-mao"),
    "GERMANY": ("F kie-den", "A mun-bur", "A ber-kie", "A ruh-hol", "A mun h"),
    "ITALY": ("A ven-tri", "F nap-ion", "A rom-apu", "A apu-tun", "F ion C A apu-tun"),
    "RUSSIA": ("A war-gal", "F sev-bla", "A mos-ukr", "F stp-bot", "F bot-swe"),
    "TURKEY": ("A con-bul", "F ank-bla", "A smy-arm", "A bul-gre", "A arm-sev"),
}
EXTRAS = (
    "press to all\nPeace in our time.",
    "status",
    "wait",
    "good evening",
    "draw",
    "aye",
    "press grey to Italy\nHm.",
)

_OWN = re.compile(r"\(mail \d+, |sha256 [0-9a-f]+|^Proof: \S+|Your check phrase: .*")

Outcome = tuple[object, Counter[tuple[str, str, str]]]
_KNOWN: dict[tuple[int, int], Outcome] = {}
"""How the story of a seed and a number of turns ends when nobody dies."""

Story = list[tuple[str, str] | timedelta]


def story(seed: int, *, turns: int = 2) -> Story:
    """Turns of mails and time, the same for the same seed."""
    chance = random.Random(seed)
    steps: Story = []
    for _ in range(turns):
        for power in chance.sample(POWERS, 3):
            text = "\n".join(chance.sample(LINES[power], 3))
            steps.append((player_of(power), f"{text}\n{chance.choice(EXTRAS)}" if chance.random() < 0.4 else text))
        if chance.random() < 0.3:
            steps.append((player_of(chance.choice(POWERS)), "history"))
        steps.append(timedelta(hours=24))
    return steps


class Mishaps:
    """Where a judge under test is to die next, drawn by lot; it rises at once, at the same moment of its own clock."""

    def __init__(self, seed: int, deaths: int, arrows: tuple[Arrow, ...]) -> None:
        self._chance = random.Random(seed)
        self._arrows = arrows
        self.left = deaths
        self.died: list[str] = []

    def arm(self, kill_at: Callable[[str, int], None]) -> None:
        """Choose the next death, if there is to be one."""
        if self.left:
            self.left -= 1
            kill_at(self._chance.choice(self._arrows), self._chance.randint(1, 4))


class Undying(LocalJudge):
    """A stage that rises again as often as it falls."""

    mishaps = Mishaps(0, 0, ())

    def settle(self) -> None:
        super().settle()
        while self.dead and self.dead != "stopped":
            self.mishaps.died.append(self.dead)
            self.restart()
            self.mishaps.arm(lambda arrow, nth: self.kill_at(arrow, nth=nth))
            super().settle()


def tell(under_test: JudgeUnderTest, steps: Story) -> None:
    """Let a story happen."""
    for step in steps:
        if isinstance(step, timedelta):
            under_test.advance(step)
        else:
            under_test.send(step[0], step[1], subject=GAME)


def outcome(under_test: JudgeUnderTest) -> Outcome:
    """What is left in the end: the game, and what everybody has read (a letter that came twice counts once)."""
    game = under_test.game(GAME)
    assert game.position is not None
    state = (
        str(game.phase),
        sorted(f"{unit.power} {unit}" for unit in game.position.units),
        sorted(game.position.owners.items()),
        sorted((power, line.order) for power, sheet in game.sheets.items() for line in sheet.lines),
        [seat.wait for seat in game.seats.values()],
        sorted(game.votes),
        game.press_sent,
    )
    letters = {}
    for letter in under_test.everything():
        text = "\n".join(_OWN.sub("", line) for line in body_of(letter))
        letters[letter.to, letter.message_id] = (letter.to, letter.subject, text)
    return state, Counter(letters.values())


def nothing_is_lost(under_test: JudgeUnderTest) -> None:
    """Every mail that was offered stands in the inbox, settled; every letter that was written has gone."""
    with under_test.judge.store.read() as view:
        mails = view.inbox.list(limit=100_000)
        open_lines = [line for line in view.outbox.list(limit=100_000) if str(line.delivery.state) != "sent"]
    settled = (MailState.PROCESSED, MailState.IGNORED, MailState.DUPLICATE)
    assert [(mail.id, mail.state, mail.traceback) for mail in mails if mail.state not in settled] == []
    assert len({mail.message_id for mail in mails}) == len(under_test.sent)
    assert open_lines == []


@pytest.fixture(scope="module")
def scenery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a running game; every test begins with a copy of it."""
    folder = tmp_path_factory.mktemp("scenery")
    stage = LocalJudge(folder)
    seat_everybody(stage, GAME, SETTINGS)
    stage.close()
    return folder


def _copy(scenery: Path, to: Path) -> Path:
    to.mkdir()
    shutil.copy(scenery / "judge.db", to / "judge.db")
    return to


def _undisturbed(scenery: Path, folder: Path, seed: int, *, turns: int = 2) -> Outcome:
    if (seed, turns) not in _KNOWN:
        _KNOWN[seed, turns] = _tell_undisturbed(scenery, folder, story(seed, turns=turns))
    return _KNOWN[seed, turns]


def _tell_undisturbed(scenery: Path, folder: Path, steps: Story) -> Outcome:
    stage = LocalJudge(_copy(scenery, folder))
    tell(stage, steps)
    nothing_is_lost(stage)
    result = outcome(stage)
    stage.close()
    return result


def _die_often(scenery: Path, folder: Path, seed: int, deaths: int, arrows: tuple[Arrow, ...]) -> list[str]:
    wanted = _undisturbed(scenery, folder / "undisturbed", seed)
    stage = Undying(_copy(scenery, folder / "disturbed"))
    stage.mishaps = Mishaps(seed, deaths, arrows)
    stage.mishaps.arm(lambda arrow, nth: stage.kill_at(arrow, nth=nth))
    tell(stage, story(seed))
    nothing_is_lost(stage)
    state, letters = outcome(stage)
    assert state == wanted[0]
    assert letters == wanted[1]
    stage.close()
    return stage.mishaps.died


@pytest.mark.parametrize("arrow", list(Arrow))
def test_one_death_at_each_arrow(arrow: Arrow, scenery: Path, tmp_path: Path) -> None:
    assert _die_often(scenery, tmp_path, seed=7, deaths=1, arrows=(arrow,)) == [arrow]


@pytest.mark.parametrize("seed", range(3))
def test_many_deaths(seed: int, scenery: Path, tmp_path: Path) -> None:
    assert len(_die_often(scenery, tmp_path, seed=seed, deaths=8, arrows=tuple(Arrow))) > 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_hundreds_of_deaths(seed: int, scenery: Path, tmp_path: Path) -> None:
    _die_often(scenery, tmp_path, seed=seed, deaths=12, arrows=tuple(Arrow))


class UndyingTour(DaemonUnderTest):
    """A daemon that is killed and started again at the same moment of its own clock.

    So nobody strikes while the clock moves on and the daemon has not noticed: that would be an outage, which gives the
    games their time back.
    """

    risen = 0

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._clock_stands = threading.Lock()

    def settle(self) -> None:
        super().settle()
        while self.dead == "dead":
            self.risen += 1
            self.restart()
            super().settle()

    def set_clock(self, moment: datetime) -> None:
        with self._clock_stands:
            self.settle()
            super().set_clock(moment)
            self._ask()
            self.daemon.wait(lambda: self._noticed(moment) or bool(self.dead))

    def strike(self) -> None:
        """Death comes at any moment at which the clock stands."""
        with self._clock_stands:
            self.kill()

    def _noticed(self, moment: datetime) -> bool:
        with self.judge.store.read() as view:
            return view.meta.get(HEARTBEAT) == moment.isoformat()


def _sigkill(scenery: Path, folder: Path, seed: int, *, arrows: tuple[Arrow, ...] = (), turns: int = 1) -> int:
    """Tell a story to a daemon that dies before some mails and turns: at an arrow, or at any moment whatever."""
    wanted = _undisturbed(scenery, folder / "undisturbed", seed, turns=turns)
    chance = random.Random(seed)
    with closing(UndyingTour(_copy(scenery, folder / "disturbed"))) as tour:
        tour.begin()
        for step in story(seed, turns=turns):
            killer = threading.Timer(chance.uniform(0.0, 0.25), tour.strike)
            if arrows:
                tour.kill_at(chance.choice(arrows))
            elif chance.random() < 0.7:
                killer.start()
            tell(tour, [step])
            killer.cancel()
            killer.join() if killer.is_alive() else None
        tour.settle()
        nothing_is_lost(tour)
        assert outcome(tour) == wanted
        return tour.risen


def test_a_daemon_dies_at_the_arrows(scenery: Path, tmp_path: Path) -> None:
    assert _sigkill(scenery, tmp_path, 3, arrows=tuple(Arrow)) > 1


def test_a_daemon_dies_at_any_moment(scenery: Path, tmp_path: Path) -> None:
    assert _sigkill(scenery, tmp_path, 5) > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_a_daemon_dies_hundreds_of_times(seed: int, scenery: Path, tmp_path: Path) -> None:
    _sigkill(scenery, tmp_path, seed, arrows=tuple(Arrow) if seed % 2 else (), turns=3)
