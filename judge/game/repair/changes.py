"""Changes of a position by hand, kept in the log as facts, and told in the language of whoever reads of them.

Logs of earlier versions have them in words alone, which are told as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.board.position import unit_from_json, unit_to_json
from judge.game.core.model import Game
from judge.game.repair.edits import BEGUN, CLEARED, Edit, edit_words
from judge.languages import tell

Change = Edit | str
"""One change: of a unit or a centre; else one of the whole board, `BEGUN`, `CLEARED` or the code of a phase."""


def changes_to_json(changes: Sequence[Change]) -> list[Any]:
    """Changes as plain JSON: texts, and of an edit the fields that say something."""
    return [change if isinstance(change, str) else _fields(change) for change in changes]


def _fields(edit: Edit) -> dict[str, Any]:
    found: dict[str, Any] = {
        "was": edit.was and unit_to_json(edit.was), "now": edit.now and unit_to_json(edit.now), "centre": edit.centre,
        "owner": edit.owner, "mark": edit.mark and list(edit.mark), "account": edit.account and list(edit.account),
    }  # fmt: skip
    return {name: value for name, value in found.items() if value}


def _edit(data: dict[str, Any]) -> Edit:
    fields: dict[str, Any] = {name: unit_from_json(data[name]) for name in ("was", "now") if name in data}
    fields |= {name: tuple(data[name]) for name in ("mark", "account") if name in data}
    return Edit(centre=data.get("centre", ""), owner=data.get("owner", ""), **fields)


def changes_told(game: Game, kept: Sequence[Any], words: Sequence[str]) -> tuple[str, ...]:
    """What an event says was changed, in the language that is spoken. `words`: as its author read it, which is all
    that older logs have.
    """
    if not kept:
        return tuple(words)
    return tuple(_told(game, change) for change in kept)


def _told(game: Game, change: Any) -> str:
    if not isinstance(change, str):
        return edit_words(_edit(change), game.board)
    return tell(change) if change in (BEGUN, CLEARED) else game.calendar.title(change)
