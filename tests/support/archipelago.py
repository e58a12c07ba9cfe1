"""A board that nobody plays on: a square of seas that all hang together, with a coast all round.

Its convoy chains are longer and more tangled than those of any real board: here the adjudicator works hardest.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType

from judge import resources
from judge.board.load import load_board
from judge.board.model import Board, Border, Power, Province, Terrain
from judge.board.phase import Phase


@cache
def board_named(key: str) -> Board:
    """The board that a case file names: one of those that ship, or this one."""
    return archipelago() if key == "archipelago" else load_board(resources.folder("maps") / key)


def archipelago(side: int = 7) -> Board:
    """A square of seas with a coast all round; diagonal neighbours touch too."""
    provinces: dict[str, Province] = {}
    for row in range(side + 2):
        for column in range(side + 2):
            inside = 0 < row <= side and 0 < column <= side
            code = f"{'S' if inside else 'C'}{row}{column}"
            provinces[code] = Province(code, code, Terrain.SEA if inside else Terrain.COAST, centre=not inside)
    borders = []
    codes = list(provinces)
    for place, one in enumerate(codes):
        for other in codes[place + 1 :]:
            if max(abs(int(one[1]) - int(other[1])), abs(int(one[2]) - int(other[2]))) == 1:
                land = one[0] == other[0] == "C"
                borders.append(Border(one, other, frozenset("AF" if land else "F")))
    powers = {name: Power(name, name.title(), name.title(), name[0], (), ()) for name in ("RED", "BLUE", "GREEN")}
    return Board("archipelago", "Archipelago", MappingProxyType(provinces), MappingProxyType(powers), tuple(borders),
                 Phase.read("S1901M"), 99)  # fmt: skip
