"""`judge play`: a whole game at the terminal, in the language of the mails. No network, no waiting: robots play the
other powers, and the clock moves on as soon as every order is in.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import click

from judge.board.load import load_board
from judge.cli.common import silence
from judge.cli.letterbox import from_here, unpack
from judge.daemon.robots import think_of_turn, write
from judge.game.core.model import Begun, Game, Running, Stage
from judge.game.filing.standing import State, standing
from judge.resources import folder
from judge.service.pictures.artist import Easel
from judge.testing import local
from judge.testing.casting import player_of, seat_everybody
from judge.testing.transcript import ReceivedLetter

KEY = "practice"
PROMPT = "> "
HELP = """\
You play {power}. Write what you would write in a mail, as many lines as you like, and end it with an empty line:
orders, press to Germany, status, help. Two words are for this terminal: "wait" lets the clock run to the deadline,
"quit" ends the game. A letter with a map names its file: open it with a program that shows pictures.
"""


@click.command("play")
@click.option("--power", default="FRANCE", show_default=True, help="The power that is yours.")
@click.option("--seed", type=int, default=None, help="The same seed gives the same robots.")
@click.option(
    "--maps",
    "pictures",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the maps of the letters go; a new folder for temporary files, if nothing is said.",
)
def play_command(power: str, seed: int | None, pictures: Path | None) -> None:
    """Play a game of Diplomacy against robots, at this terminal."""
    mine = _power(power)
    silence()
    with tempfile.TemporaryDirectory(prefix="judge-play-") as place:
        stage = local.LocalJudge(Path(place), artist=Easel(folder("maps")))
        try:
            seat_everybody(stage, KEY)
            stage.begin()
            maps = pictures or Path(tempfile.mkdtemp(prefix="judge-maps-"))
            Table(stage, mine, Random(seed), click.echo, maps).play(_mails())
        finally:
            stage.close()


class Table:
    """One game between a person and six robots; `say` prints, and the pictures of letters go into `maps`."""

    def __init__(
        self, stage: local.LocalJudge, mine: str, chance: Random, say: Callable[[str], None], maps: Path
    ) -> None:
        self._stage = stage
        self._mine = mine
        self._chance = chance
        self._say = say
        self._maps = maps
        self._read = 0

    def play(self, mails: Iterator[str]) -> None:
        """Run until the game or the input ends."""
        self._say(HELP.format(power=self._game.board.powers[self._mine].name))
        self._read_letters()
        while self._game.stage is Stage.RUNNING:
            self._robots()
            if standing(self._game, self._mine).state is State.NOTHING_NEEDED:
                self._to_the_deadline()
                self._read_letters()
                continue
            mail = next(mails, "quit")
            if mail.strip().lower() in ("quit", "exit"):
                break
            if mail.strip().lower() == "wait":
                self._to_the_deadline()
            elif mail.strip():
                self._stage.send(player_of(self._mine), mail, to=self._reply_address())
                self._read_letters()
                self._move_on()
            self._read_letters()

    @property
    def _game(self) -> Game:
        return self._stage.game(KEY)

    def _robots(self) -> None:
        """Every robot that owes orders mails them."""
        game = self._game
        for power in game.board.powers:
            open_ones = standing(game, power).state not in (State.COMPLETE, State.NOTHING_NEEDED)
            if power != self._mine and open_ones and isinstance(game, Begun):
                orders = think_of_turn(game, power, self._chance)
                address = player_of(power)
                to = self._stage.inbox(address)[-1].reply_to
                self._stage.send(address, write(orders, game.board, self._chance), to=to)

    def _move_on(self) -> None:
        """Move the clock on once our own orders are complete."""
        game = self._game
        if game.deadline is not None and standing(game, self._mine).state in (State.COMPLETE, State.NOTHING_NEEDED):
            self._to_the_deadline()

    def _to_the_deadline(self) -> None:
        """Move the clock until the phase is processed, at the latest to the deadline."""
        game = self._game
        while isinstance(game, Running):
            version = game.deadline.version
            self._robots()
            self._stage.advance(to=max(game.deadline.at, self._stage.now), until=partial(self._has_moved_on, version))
            if self._has_moved_on(version):
                return
            game = self._game

    def _has_moved_on(self, version: int) -> bool:
        """Whether the deadline with this version is no longer what the game waits for."""
        deadline = self._game.deadline
        return deadline is None or deadline.version != version or bool(deadline.called)

    def _reply_address(self) -> str:
        return self._stage.inbox(player_of(self._mine))[-1].reply_to

    def _read_letters(self) -> None:
        letters = self._stage.inbox(player_of(self._mine))
        for number, letter in enumerate(letters[self._read :], self._read + 1):
            self._say(_shown(letter, unpack(letter.message, self._maps, number)))
        self._read = len(letters)


def _shown(letter: ReceivedLetter, files: Sequence[Path]) -> str:
    maps = "".join(f"\nMap: {from_here(file)}" for file in files if file.suffix == ".png")
    text = "\n".join(line for line in letter.text.splitlines() if not line.startswith("=-=-"))
    return f"{'=' * 78}\nSubject: {letter.subject}{maps}\n{text}"


def _power(text: str) -> str:
    board = load_board(folder("maps") / "standard")
    found = [key for key, power in board.powers.items() if text.lower() in (key.lower(), power.name.lower())]
    if not found:
        names = ", ".join(power.name for power in board.powers.values())
        raise click.ClickException(f'there is no power "{text}"; there are {names}')
    return found[0]


def _mails() -> Iterator[str]:
    """Mails typed at the terminal, each ended by an empty line."""
    lines: list[str] = []
    while True:
        if sys.stdin.isatty():
            click.echo(PROMPT, nl=False)
        line = sys.stdin.readline()
        if not line:
            if lines:
                yield "\n".join(lines)
            return
        text = line.rstrip("\n")
        word = text.strip().lower()
        if word in ("quit", "exit"):
            yield from ("\n".join(lines), word) if lines else (word,)
            lines = []
        elif word == "wait" and not lines:
            yield word
        elif text.strip():
            lines.append(text)
        elif lines:
            yield "\n".join(lines)
            lines = []
