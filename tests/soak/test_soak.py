"""Games with rogues in every seat, under a judge that is killed, restarted and has its clock set wrong.

What must hold, whatever happens: every mail has one disposition, nothing belongs to a deadline twice, nobody is late
whose orders are in, every change is told to those whom it concerns, no letter has two forms, names stay hidden in
anonymous games, the board stays possible, and the log rebuilds and adjudicates again to what was played.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.game.core.model import Game
from judge.store.rows import NewEvent
from judge.testing.casting import seat_everybody
from judge.testing.local import LocalJudge
from tests.support.soak import Mischief, Soak

CALM = Mischief(kill=0, restart=0, downtime=0, clock=0)


def findings(folder: Path, *, seed: int, games: int, until: int, mischief: Mischief | None = None) -> list[str]:
    """What a soak has to say against the judge."""
    soak = Soak(folder, seed=seed, games=games, until=until, mischief=mischief)
    try:
        soak.run()
        return soak.findings()
    finally:
        soak.close()


def test_one_year_of_a_game_with_much_mischief(tmp_path: Path) -> None:
    troubles = Mischief(kill=0.08, restart=0.03, downtime=0.03, clock=0.03)
    assert findings(tmp_path, seed=2, games=1, until=1902, mischief=troubles) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 9))
def test_six_kinds_of_games_over_years(tmp_path: Path, seed: int) -> None:
    assert findings(tmp_path, seed=seed, games=6, until=1903) == []


@pytest.mark.long
def test_twenty_games_at_once(tmp_path: Path) -> None:
    assert findings(tmp_path, seed=20, games=20, until=1902) == []


def test_the_soak_sees_what_is_wrong(tmp_path: Path) -> None:
    """A late call of somebody who had ordered, written into the log behind the judge's back, is found in every way."""
    soak = Soak(tmp_path, seed=1, games=1, until=1901, mischief=CALM)
    try:
        soak.run()
        assert soak.findings() == []
        before = soak.stage.game("game0")
        soak.stage.send("france@players.test", "A par-bur\nA mar-spa\nF bre-mao", subject="game0")
        soak.promises.promise(before, "FRANCE", "france@players.test")
        call_late(soak, soak.stage.game("game0"), "FRANCE")
        said = "\n".join(soak.findings())
        assert "LateCalled of FRANCE, whose orders for S1901M are in" in said
        assert "nobody told seat gm of LateCalled" in said
        assert "game0: seq: the card says" in said
    finally:
        soak.close()


def test_a_mail_that_is_held_names_no_other_player_of_an_anonymous_game(tmp_path: Path) -> None:
    """Found by a soak: Turkey's player wrote to England's own address, and England was shown his."""
    stage = LocalJudge(tmp_path)
    try:
        seat_everybody(stage, "baltic", {"anonymous": "yes"})
        stage.begin()
        seat_of_england = stage.inbox("england@players.test")[-1].reply_to
        stage.send("turkey@players.test", "A lvp-yor", to=seat_of_england)
        letter = stage.inbox("england@players.test")[-1]
        assert "came from an address that is not yours" in " ".join(letter.text.split())
        assert b"turkey@players.test" not in letter.raw
    finally:
        stage.close()


def call_late(soak: Soak, game: Game, power: str) -> None:
    """Write a late call into the log behind the judge's back."""
    seat = game.seat_of(power)
    assert seat is not None and game.deadline is not None
    facts: dict[str, Any] = {
        "at": soak.stage.now.isoformat(), "by": "judge", "seats": [seat.id], "version": game.deadline.version,
        "grace": None,
    }  # fmt: skip
    with soak.stage.judge.store.write() as unit:
        unit.events.append(game.key, game.seq, [NewEvent("LateCalled", 1, json.dumps(facts))], at=soak.stage.now)
