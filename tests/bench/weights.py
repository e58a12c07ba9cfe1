"""What mails of results weigh, and what of them: text, page, the picture of the whole board, the reader's part.

    python -m tests.bench.weights [TURNS] [BOARD ...]      (default: five turns of each board)

A board's game is played by robots to its fourth year, where units and orders are many (on the board of the world, where
they are so from the start, to its second); from then on the pictures are really drawn. Weighed is what goes through the
wire: pictures and pages with what coding them for a mail costs. The figures are the same in every run.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator, Mapping
from datetime import timedelta
from email.message import EmailMessage
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from types import MappingProxyType

from judge import resources
from judge.daemon.robots import think_of_turn
from judge.game.core.model import Begun
from judge.service.pictures.artist import CannotDraw, Easel
from judge.service.pictures.sketch import Sketch
from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge

GAMES: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "standard": {},
    "calhamer1958": {"map": "calhamer1958", "rules": "1958"},
    "pulsipher1914": {"map": "pulsipher1914", "rules": "1914"},
    "european": {"map": "european", "rules": "european"},
    "global2": {"map": "global2", "rules": "global2"},
})  # fmt: skip
"""Board -> the settings of a game on it."""
_KINDS = ("mail", "text", "page", "board", "part")
_CROWDED_FROM = {"global2": 1}
"""Years after which units are many, where not three."""


class LateEasel:
    """Draws nothing until it is told to, which is quicker."""

    def __init__(self) -> None:
        self._easel = Easel(resources.folder("maps"))
        self.draws = False

    def draw(self, sketch: Sketch) -> bytes:
        """The file. Raises CannotDraw."""
        if not self.draws:
            raise CannotDraw("not yet")
        return self._easel.draw(sketch)

    def close(self) -> None:
        """Nothing is open."""


def crowded_turns(folder: Path, board: str) -> Generator[list[EmailMessage], None, None]:
    """The mails of results of each turn from the middle of a game on, with their pictures; endless."""
    easel, chance = LateEasel(), Random(7)
    stage = LocalJudge(folder, artist=easel)
    try:
        seat_everybody(stage, "baltic", {"nmr": "hold", "moves": "7d", "retreats": "7d", **GAMES[board]})
        stage.begin()
        until = _year(stage) + _CROWDED_FROM.get(board, 3)
        while _year(stage) < until:
            _play_a_turn(stage, chance)
        easel.draws = True
        while True:
            before = len(stage.everything())
            _play_a_turn(stage, chance)
            new = stage.everything()[before:]
            yield [letter.message for letter in new if letter.header("X-Judge-Kind") == "results"]
    finally:
        stage.close()


def _play_a_turn(stage: LocalJudge, chance: Random) -> None:
    """Everybody's orders come in, and the deadline passes."""
    game = stage.game("baltic")
    assert isinstance(game, Begun)
    for hand in game.rules.seats(game.board):
        orders = [str(order) for power in hand for order in think_of_turn(game, power, chance)]
        if orders:
            stage.send(player_of(hand[0]), "\n".join(orders), subject="baltic")
    stage.advance(timedelta(days=8))


def _year(stage: LocalJudge) -> int:
    game = stage.game("baltic")
    assert isinstance(game, Begun)
    return game.position.phase.year


def weighed(mail: EmailMessage) -> dict[str, int]:
    """Octets of a whole mail and of its kinds of parts, coded as they go."""
    found = dict.fromkeys(_KINDS, 0) | {"mail": len(mail.as_bytes())}
    for part in mail.walk():
        if part.is_multipart():
            continue
        kind = {"text/plain": "text", "text/html": "page", "image/png": "board"}.get(part.get_content_type(), "")
        kind = "part" if kind == "board" and "-part" in str(part.get_filename()) else kind
        if kind:
            found[kind] += len(str(part.get_payload()))
    return found


def main(turns: int, names: list[str]) -> None:
    """Weigh and print: a row for each board."""
    print("| board | mails | mail | text | page | boards | parts |\n|---|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            play = crowded_turns(Path(folder), name)
            mails = [weighed(mail) for mail in chain.from_iterable(next(play) for _ in range(turns))]
            play.close()
        cells = [
            _cell([mail[kind] for mail in mails if mail[kind]]) for kind in ("mail", "text", "page", "board", "part")
        ]
        print(f"| {name} | {len(mails)} | {' | '.join(cells)} |", flush=True)


def _cell(octets: list[int]) -> str:
    """Median and largest, in kB."""
    return f"{median(octets) / 1000:.0f}, {max(octets) / 1000:.0f}" if octets else ""


if __name__ == "__main__":
    main(int((sys.argv[1:2] or ["5"])[0]), sys.argv[2:] or list(GAMES))
