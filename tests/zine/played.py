"""Games that robots play by mail, for what is read from their history: a whole judge hears every mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random

from judge.daemon.robots import think_of_turn
from judge.game.core.model import Running
from judge.service.core.persons import enrol
from judge.store.zines import ChapterRow, ZinePersonRow, ZineRow
from judge.testing.local import LocalJudge

QUICK = {"nmr": "hold", "reminders": "none", "recall": "10m"}
GUNBOAT = {**QUICK, "anonymous": "yes", "press": "white, grey, black"}


def player(power: str) -> str:
    """The address of whoever plays a power, of which no part is a word that anything else is called."""
    return f"zq{power.lower()[::-1]}@hidden.test"


EDITOR = "eric@zine.test"


def found_zine(stage: LocalJudge, games: Sequence[str]) -> None:
    """A zine that prints some games, whose next issue is #96."""
    with stage.judge.store.write() as unit:
        person = enrol(stage.judge, unit, EDITOR, name="Eric Brosius", verified=True)
        unit.zines.put(ZineRow("protocol", "Electronic Protocol", "running", 95, stage.now, stage.now))
        unit.zines.put_person(ZinePersonRow("protocol", "editor", 0, person.id, stage.now))
        unit.zines.put_chapter(ChapterRow("protocol", 1, tuple(games)))


def play(stage: LocalJudge, key: str, turns: int, chance: Random, *, black: bool = False) -> None:
    """So many turns of a game; if `black`, somebody writes black press to everybody in each of them."""
    for _ in range(turns):
        game = stage.game(key)
        if not isinstance(game, Running):
            return
        if black:
            author = chance.choice(sorted(game.survivors))
            stage.send(player(author), f"black press to all: BLACK-{game.phase}", subject=key)
        for power in game.survivors:
            if orders := think_of_turn(game, power, chance):
                stage.send(player(power), "\n".join(map(str, orders)), subject=key)
        turn = game.phase
        stage.advance(timedelta(days=30), until=lambda turn=turn: stage.game(key).phase != turn)  # type: ignore[misc]
