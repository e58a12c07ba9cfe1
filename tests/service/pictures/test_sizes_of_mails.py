"""How large the mails are that bring results: with their pictures they stay small, on every board.

A board's game is played by robots to its fourth year, where units and orders are many (on the board of the world, where
they are so from the start, to its second); from then on the pictures are really drawn. Whole mails are weighed: text,
page, pictures, and what coding them costs.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from judge import resources
from judge.daemon.robots import think_of_turn
from judge.game.core.model import Begun
from judge.service.pictures.artist import CannotDraw, Easel
from judge.service.pictures.sketch import Sketch
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge

GAMES: dict[str, dict[str, str]] = {
    "standard": {},
    "calhamer1958": {"map": "calhamer1958", "rules": "1958"},
    "pulsipher1914": {"map": "pulsipher1914", "rules": "1914"},
    "european": {"map": "european", "rules": "european"},
    "global2": {"map": "global2", "rules": "global2"},
}
"""Board -> the settings of a game on it."""
LARGEST, WITH_PARTS = 250_000, 330_000
"""Octets of a mail with two pictures of the whole board, or one; the same with the parts of a board that is too wide to
be read on a telephone, in which these may come to as much again.
"""
YEARS = {"global2": 1}


class LateEasel:
    """Draws nothing until it is told to, which is quicker."""

    def __init__(self) -> None:
        self._easel = Easel(resources.folder("maps"))
        self.draws = False

    def draw(self, sketch: Sketch) -> bytes:
        if not self.draws:
            raise CannotDraw("not yet")
        return self._easel.draw(sketch)

    def close(self) -> None:
        """Nothing is open."""


def play_a_turn(stage: LocalJudge, chance: Random) -> None:
    """Everybody's orders come in, and the deadline passes."""
    game = stage.game("baltic")
    assert isinstance(game, Begun)
    for hand in game.rules.seats(game.board):
        orders = [str(order) for power in hand for order in think_of_turn(game, power, chance)]
        if orders:
            stage.send(player_of(hand[0]), "\n".join(orders), subject="baltic")
    stage.advance(timedelta(days=8))


def year_of(stage: LocalJudge) -> int:
    """In which year the game is."""
    game = stage.game("baltic")
    assert isinstance(game, Begun)
    return game.position.phase.year


@pytest.mark.parametrize("board", sorted(GAMES))
def test_results_with_two_pictures_are_small(tmp_path: Path, board: str) -> None:
    easel, chance = LateEasel(), Random(7)
    stage = LocalJudge(tmp_path, artist=easel)
    seat_everybody(stage, "baltic", {"nmr": "hold", "moves": "7d", "retreats": "7d", **GAMES[board]})
    stage.begin()
    until = year_of(stage) + YEARS.get(board, 3)
    while year_of(stage) < until:
        play_a_turn(stage, chance)
    easel.draws, before = True, len(stage.everything())
    for _ in range(2):
        play_a_turn(stage, chance)
    results = [one for one in stage.everything()[before:] if one.header("X-Judge-Kind") == "results"]
    stage.close()
    assert len(results) > 10
    for letter in results:
        pictures = [part for part in letter.message.walk() if part.get_content_type() == "image/png"]
        parts = sum(len(str(one.get_payload())) for one in pictures if "-part" in str(one.get_filename()))
        assert len(pictures) >= 2, letter.subject
        assert len(letter.message.as_bytes()) - parts < LARGEST, letter.subject
        assert len(letter.message.as_bytes()) < (WITH_PARTS if parts else LARGEST), letter.subject
