"""How often control goes from one package of the judge to another, in five lives of a running game.

    python -m tests.bench.lives [--table [ROWS]] [LIFE ...]

The lives: an order line becomes a receipt, a deadline becomes seven letters, `set grace 24h`, a black press, a `vote
draw`. Each begins as a mail, an answer to a letter, comes to the door (or the clock to the deadline) and ends as its
letters are stored; they are not composed. Everything is done in one game first, unmeasured, and then in another: what
a judge keeps between two mails it has.

What counts: each time code of the judge is entered by a call, or a generator goes on, its caller is the nearest frame
of the judge below it. Frames of libraries, of `judge.testing`, and code that dataclasses write themselves are passed
over. `calls` are those entries, `file` and `package` those of them whose caller lives in another file or another
top-level package (`judge.report`, `judge.clock`). Returns do not count. The figures are the same in every run.

With `--table` the crossings are listed, caller and callee, most frequent first.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import CodeType, FrameType

import judge
from judge.service.intake.door import new_mail
from judge.service.intake.worker import Worker
from judge.service.turning.barrier import Surroundings
from judge.service.turning.sweep import sweep
from judge.store.unit import View
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import START, build, plain
from judge.transport.ports import Arrival

LIVES = ("order", "deadline", "grace", "press", "vote")

_MAILS = {
    "order": ("france@players.test", "A Par - Bur"),
    "grace": ("gm@players.test", "set grace 24h"),
    "press": ("germany@players.test", "press black as Rome to France\nMeet me in Burgundy.\nendpress"),
    "vote": ("italy@players.test", "vote draw"),
}
_OPENING = {"AUSTRIA": "A Bud - Ser", "ENGLAND": "F Lon - Nth", "FRANCE": "A Par - Bur", "GERMANY": "A Mun - Bur",
            "ITALY": "A Ven - Pie", "RUSSIA": "A War - Gal", "TURKEY": "A Con - Bul"}  # fmt: skip
_SETTINGS = {"press": "white, grey, black", "moves": "7d", "nmr": "hold", "reminders": "none"}
_GAMES = {"caspian": 7, "euxine": 9, "baltic": 30, "adriatic": 32}
"""Each game with its deadline, in days. The first two live through that; what mails bring about must not be told then.
"""
_MADE = vars(View)["inbox"].__get__.__func__.__code__
"""What makes a repository when it is first asked for."""
_HOME = str(Path(judge.__file__).parent) + "/"


class Counted:
    """What was called while one life was lived. Use it as a context manager around that life."""

    def __init__(self) -> None:
        self.calls = 0
        self.repositories = 0
        """Made by their transactions: those that were asked for."""
        self.files: set[str] = set()
        self.functions: set[tuple[str, str]] = set()
        self.of_file = 0
        self.crossings: Counter[tuple[str, str]] = Counter()
        """(caller, callee) -> how often, each as "game/decide.py:decide"."""
        self._known: dict[CodeType, str] = {}

    def __enter__(self) -> Counted:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    @property
    def of_package(self) -> int:
        return self.crossings.total()

    def _note(self, frame: FrameType, event: str, _arg: object) -> None:
        if event != "call" or not (file := self._file(frame)):
            return
        self.calls += 1
        self.files.add(file)
        self.functions.add((file, frame.f_code.co_qualname))
        self.repositories += frame.f_code is _MADE
        below = frame.f_back
        while below is not None and not self._file(below):
            below = below.f_back
        if below is None or (caller := self._file(below)) == file:
            return
        self.of_file += 1
        if _package(caller) != _package(file):
            self.crossings[f"{caller}:{below.f_code.co_qualname}", f"{file}:{frame.f_code.co_qualname}"] += 1

    def _file(self, frame: FrameType) -> str:
        """The file of a frame, from the top of the package; "" for code that is none of the judge's own."""
        code = frame.f_code
        if (known := self._known.get(code)) is None:
            name = code.co_filename
            inside = name.startswith(_HOME) and not name.startswith(_OUTSIDE)
            known = self._known[code] = name[len(_HOME) :] if inside else ""
        return known


_OUTSIDE = (_HOME + "testing/", _HOME + "languages.py")
"""Doubles; and what says a sentence in a language, which is asked wherever there is one, and asks nobody."""


def _package(file: str) -> str:
    return file.partition("/")[0].removesuffix(".py")


def games_of(life: str) -> tuple[str, str]:
    """The game in which it is lived once unmeasured, and the one in which it is measured."""
    return ("caspian", "euxine") if life == "deadline" else ("baltic", "adriatic")


def play(stage: LocalJudge, life: str, game: str) -> Counted:
    """One life, in one game of a stage. Raises RuntimeError where no letter came of it."""
    work = prepared(stage, life, game)
    before = _letters(stage)
    with Counted() as counted:
        work()
    if _letters(stage) == before:
        raise RuntimeError(f"no letter came of {life}")
    stage.settle()
    return counted


def prepared(stage: LocalJudge, life: str, game: str) -> Callable[[], object]:
    """What one life in a game is, from the mail, or the deadline, to its letters; all that comes before is done."""
    return _deadline(stage, game) if life == "deadline" else _mail(stage, life, game)


def _deadline(stage: LocalJudge, game: str) -> Callable[[], object]:
    for power, line in _OPENING.items():
        stage.send(player_of(power), line, subject=game)
    deadline = stage.game(game).deadline
    assert deadline is not None
    stage.clock.set(deadline.at + timedelta(minutes=1))
    return lambda: sweep(stage.judge, Surroundings())


def _mail(stage: LocalJudge, life: str, game: str) -> Callable[[], object]:
    sender, text = _MAILS[life]
    answered = next(letter for letter in reversed(stage.inbox(sender)) if f"[{game}]" in letter.subject)
    stage.numbered += 1
    mail = build(
        *plain(sender, f"Re: {answered.subject}", text, {}),
        now=stage.now, number=stage.numbered, to=answered.reply_to, vouched=True,
    )  # fmt: skip
    arrival = Arrival(mail.raw, "smtp", f"life/{stage.numbered}", mail.mail_from, mail.rcpts, stage.now, "127.0.0.1")
    worker = Worker(stage.judge)

    def work() -> None:
        with stage.judge.store.write() as unit:
            unit.inbox.put(new_mail(stage.judge, arrival))
        worker.drain()

    return work


def _letters(stage: LocalJudge) -> int:
    with stage.judge.store.read() as view:
        return len(view.outbox.list(limit=100_000))


def opened() -> LocalJudge:
    """A stage with the games in which lives are lived."""
    stage = LocalJudge()
    for game, days in _GAMES.items():
        seat_everybody(stage, game, _SETTINGS, deadline=START + timedelta(days=days))
    stage.begin()
    return stage


def measure(lives: tuple[str, ...]) -> dict[str, Counted]:
    """Each of the lives, lived once before, so that everything has been loaded."""
    stage = opened()
    found = {}
    for life in lives:
        first, then = games_of(life)
        play(stage, life, first)
        found[life] = play(stage, life, then)
    stage.close()
    return found


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.bench.lives")
    asked.add_argument("lives", nargs="*", metavar="LIFE", help=", ".join(LIVES))
    asked.add_argument("--table", nargs="?", type=int, const=40, default=0, metavar="ROWS")
    told = asked.parse_args()
    if unknown := set(told.lives) - set(LIVES):
        asked.error(f"no such life: {', '.join(sorted(unknown))}")
    print(f"{'life':10}{'files':>8}{'functions':>11}{'calls':>8}{'file':>8}{'package':>9}{'repositories':>14}")
    for life, counted in measure(tuple(told.lives) or LIVES).items():
        print(
            f"{life:10}{len(counted.files):8}{len(counted.functions):11}{counted.calls:8}{counted.of_file:8}"
            f"{counted.of_package:9}{counted.repositories:14}"
        )
        for (caller, callee), count in counted.crossings.most_common(told.table):
            print(f"{count:6}  {caller.replace('<locals>.', '')} -> {callee.replace('<locals>.', '')}")


if __name__ == "__main__":
    main()
