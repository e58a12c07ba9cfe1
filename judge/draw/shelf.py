"""Boards' pictures, each read once."""

from __future__ import annotations

from pathlib import Path

from judge.board.model import Board
from judge.draw.schematic import schematic
from judge.draw.topology import Topology, read_topology

FOLDER, FILE = "picture", "topology.json"
"""Where a board's picture lies in the board's folder."""


class BoardPictures:
    """Call it with a board to get its picture: the one made from geography, else a schematic one."""

    def __init__(self, maps: Path) -> None:
        self._maps = maps
        self._found: dict[str, Topology] = {}

    def __call__(self, board: Board) -> Topology:
        """Raises ValueError for a file that is no picture."""
        if board.key not in self._found:
            path = picture_file(self._maps / board.key)
            self._found[board.key] = read_topology(path) if path.is_file() else schematic(board)
        return self._found[board.key]


def picture_file(folder: Path) -> Path:
    """The file of a board's picture, which need not be there."""
    return folder / FOLDER / FILE
