"""From a game's settings to its board and rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from judge.board.load import load_board
from judge.board.model import Board
from judge.game.core.model import System
from judge.game.settings.redrawn import without_players, won_with
from judge.game.settings.table import Settings
from judge.resources import Stamp, stamp
from judge.rules.model import Rules
from judge.variants import rules_for

MOST = 64
"""Boards with their rules that are kept: more than a judge has games of different kinds. A first year of its own makes
another board, of 1 to 2 MB once it is played on, and Gamemasters have 8,000 years to choose from.
"""


class Shelf:
    """Boards and rules, each loaded once, and those that were asked for last kept as games want them. Call it with
    settings to get a System; ValueError names what is unknown.
    """

    def __init__(self, maps: Path) -> None:
        self._maps = maps
        self._board: Callable[[str], Board] = lru_cache(maxsize=None)(self._load)
        self._redrawn: Callable[[str, str, int, tuple[str, ...]], Board] = lru_cache(maxsize=MOST)(self._redraw)
        self._system = lru_cache(maxsize=MOST)(self._build)

    def __call__(self, settings: Settings) -> System:
        redrawn = settings.unplayed, settings.victory
        return self._system(settings.map, settings.rules, settings.first_year, settings.choices, *redrawn)

    def board(self, key: str) -> Board:
        """The board under maps/KEY. Raises ValueError with the names there are."""
        return self._board(key)

    def played(self, map_key: str, rules_key: str) -> Board:
        """The board under maps/KEY as rules want it; once for both, since boards are known by identity."""
        return self._redrawn(map_key, rules_key, 0, ())

    def boards(self) -> tuple[str, ...]:
        """The names of all boards."""
        return tuple(sorted(p.parent.name for p in self._maps.glob("*/board.toml")))

    def _load(self, key: str) -> Board:
        if key not in self.boards():
            raise ValueError(f'there is no board "{key}"; there are {", ".join(self.boards())}')
        return load_board(self._maps / key)

    def _redraw(self, map_key: str, rules_key: str, year: int, choices: tuple[str, ...]) -> Board:
        return _chosen(rules_for(rules_key), choices).board(self.board(map_key).begun_in(year))

    def _build(
        self,
        map_key: str,
        rules_key: str,
        year: int,
        choices: tuple[str, ...],
        unplayed: tuple[str, ...],
        victory: int,
    ) -> System:
        rules = _chosen(rules_for(rules_key), choices)
        shown = tuple(choice for choice in choices if _pair(choice)[0] in rules.on_board)
        board = without_players(self._redrawn(map_key, rules_key, year, shown), unplayed, rules)
        return System(won_with(board, victory, rules), rules)


def shelf_of(maps: Path) -> Shelf:
    """The shelf of a folder of boards: one for all who ask in this process, until a file of the folder changes."""
    return _shelf(maps, stamp(maps))


@lru_cache(maxsize=4)
def _shelf(maps: Path, _files: Stamp) -> Shelf:
    return Shelf(maps)


def _chosen(rules: Rules, choices: tuple[str, ...]) -> Rules:
    return rules.with_choices(dict(_pair(choice) for choice in choices)) if choices else rules


def _pair(choice: str) -> tuple[str, str]:
    name, sign, value = choice.partition("=")
    if not sign:
        raise ValueError(f'"{choice}" is not a choice; write one like paradox=szykman')
    return name.strip(), value.strip()
