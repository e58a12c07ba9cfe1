"""What a Gamemaster may put right of 1914: "points Germany 30", "factors Germany Italy 9", "control Belgium France"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.board.model import Board
from judge.board.names import gazetteer_of
from judge.board.position import Position
from judge.languages import tell
from judge.rules.questions import Remembered
from judge.variants.pulsipher1914.state import CONTROLLER, FACTORS, POINTS

_POINTS = re.compile(r"points\s+(?:of\s+)?(\S+)\s+(?:are\s+|is\s+)?(\d{1,4})", re.IGNORECASE)
_FACTORS = re.compile(r"factors\s+(?:of\s+)?(\S+)\s+(?:in\s+)?(\S+)\s+(?:are\s+|is\s+)?(\d{1,3})", re.IGNORECASE)
_CONTROL = re.compile(r"control\s+(?:of\s+)?(\S+)\s+(?:is\s+|to\s+|by\s+)?(\S+)", re.IGNORECASE)


class PulsipherCorrections:
    """Points, factors and control."""

    def read(self, text: str, position: Position) -> Remembered | None:
        """What a line says."""

        def one(word: str) -> str:
            found = gazetteer_of(position.board).power(word.strip(" ,.").lower())
            return found[0] if len(found) == 1 else ""

        if (match := _POINTS.fullmatch(text)) and (power := one(match[1])):
            return Remembered(power, POINTS, int(match[2]))
        if (match := _FACTORS.fullmatch(text)) and (power := one(match[1])) and (where := one(match[2])):
            return Remembered(f"{power}/{where}", FACTORS, str(int(match[3]) or ""))
        if (match := _CONTROL.fullmatch(text)) and (where := one(match[1])):
            nobody, whose = match[2].lower() in ("nobody", "none"), one(match[2])
            if nobody or whose:
                return Remembered(where, CONTROLLER, "" if nobody else whose)
        return None

    def words(self, change: Remembered, board: Board) -> str:
        """The same as a sentence."""
        key, name, value = change
        if name == CONTROLLER:
            whose = board.powers[str(value)].name if value else "nobody"
            return tell("{powers} is controlled by {whose}", powers=board.powers[key].name, whose=whose)
        if name == FACTORS:
            power, _, where = key.partition("/")
            return f"{board.powers[power].name} has {value or 0} {name} in {board.powers[where].name}"
        return f"{board.powers[key].name} has {value} {name}"

    def between(self, was: Position, now: Position) -> Iterator[str]:
        """What became of points, factors and control."""
        for power, purses in now.accounts.items():
            amount = purses.get(POINTS, 0)
            if was.accounts.get(power, {}).get(POINTS) != amount:
                yield f"points {power} {amount}"
        for key in sorted({*was.marks, *now.marks}):
            old, new = was.marks.get(key, {}), now.marks.get(key, {})
            if old.get(FACTORS) != new.get(FACTORS):
                yield f"factors {key.replace('/', ' ')} {new.get(FACTORS, 0)}"
            if old.get(CONTROLLER) != new.get(CONTROLLER):
                yield f"control {key} {new.get(CONTROLLER, 'nobody')}"


CORRECTIONS = PulsipherCorrections()
