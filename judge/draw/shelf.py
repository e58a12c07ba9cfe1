"""Boards' pictures, each read once."""

from __future__ import annotations

from pathlib import Path

from judge.board.load import base_of
from judge.board.model import Board
from judge.draw.schematic import schematic
from judge.draw.topology import Topology, read_topology

FOLDER, FILE = "picture", "topology.json"
"""Where a board's picture lies in the board's folder."""


class BoardPictures:
    """Call it with a board to get its picture: the one made from geography, else a schematic one. That is also for a
    board to which a rule system gave other spaces than are in its picture.
    """

    def __init__(self, maps: Path) -> None:
        self._maps = maps
        self._made: dict[Path, Topology | None] = {}
        self._found: dict[tuple[str, frozenset[str]], Topology] = {}

    def __call__(self, board: Board) -> Topology:
        """Raises ValueError for a file that is no picture."""
        key = (board.key, frozenset(board.locations()))
        if key not in self._found:
            made = self._of_geography(board.key)
            self._found[key] = made if made is not None and _holds(made, board) else schematic(board)
        return self._found[key]

    def _of_geography(self, key: str) -> Topology | None:
        path = picture_of(self._maps / key)
        if path not in self._made:
            self._made[path] = read_topology(path) if path.is_file() else None
        return self._made[path]


def _holds(picture: Topology, board: Board) -> bool:
    """Whether every place of a board is in a picture."""
    coasts = {place for place in board.locations() if "/" in place}
    return all(
        board.provinces.keys() <= spots.keys() and coasts <= picture.coasts[naming].keys()
        for naming, spots in picture.spots.items()
    )


def picture_file(folder: Path) -> Path:
    """The file of a board's own picture, which need not be there."""
    return folder / FOLDER / FILE


def picture_of(folder: Path) -> Path:
    """The file of the picture on which a board is drawn: its own, else that of the board it is based on; it need not be
    there.
    """
    own = picture_file(folder)
    base = None if own.is_file() else base_of(folder)
    return own if base is None else picture_file(base)
