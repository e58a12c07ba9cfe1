"""An error of the judge itself, made on purpose: a copy of the maps in which one border is missing.

A judge that is started on such a copy adjudicates wrongly wherever the border counts, with the same orders and the same
rules: what a Gamemaster has `rollback` and `amend` for. The product knows nothing of it; the rehearsal names another
folder of maps, as any operator may.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

_BORDER = re.compile(r"([A-Z]{3})-([A-Z]{3})")


def misprinted(maps: Path, folder: Path, border: str, *, board: str = "standard") -> Path:
    """A copy of the maps in `folder`, in which nobody passes between the two provinces of `border` ("TYR-VEN").

    Raises ValueError for what is no border of the board.
    """
    match = _BORDER.fullmatch(border.upper())
    if match is None:
        raise ValueError(f"{border!r} is no border; write it like TYR-VEN")
    shutil.copytree(maps, folder, dirs_exist_ok=True)
    sheet = folder / board / "board.toml"
    text = sheet.read_text(encoding="utf-8")
    for one, other in (match.groups(), match.groups()[::-1]):
        line = re.search(rf'^{one} = ".*\b{other}\b.*"$', text, re.MULTILINE)
        if line is not None:
            sheet.write_text(text.replace(line[0], re.sub(rf" {other}\b", "", line[0])), encoding="utf-8")
            return folder
    raise ValueError(f"there is no border {border} on the board {board}")
