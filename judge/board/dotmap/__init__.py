"""Boards in the `.map` text format that DPjudge and the Python package `diplomacy` share, turned into board.toml.

    text, remarks = imported(read_map("colonial", folder_of_files))

`read.py` knows the format, `passing.py` who may pass where by it, `write.py` ours. Whatever of a file has no
counterpart here is a remark: nothing is left out without a word.
"""

from judge.board.dotmap.read import MapError, MapFile, read_map
from judge.board.dotmap.write import board_toml

__all__ = ["MapError", "MapFile", "board_toml", "read_map"]
