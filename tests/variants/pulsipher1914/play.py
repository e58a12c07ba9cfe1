"""Phases of 1914 as the JSON contract writes them, for tests that read like examples of the rules."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from judge.adjudicate.jsonl import adjudicate_object
from judge.board.load import load_board
from judge.board.model import Board
from judge.variants import rules_for

RULES = rules_for("1914")
RICH = dict.fromkeys(("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA"), 50)
NATIONS = {"A": "AUSTRIA", "E": "ENGLAND", "F": "FRANCE", "G": "GERMANY", "R": "RUSSIA", "I": "ITALY", "T": "TURKEY"}


@lru_cache
def plain_board() -> Board:
    """The standard board."""
    return load_board(Path("maps/standard"))


def board() -> Board:
    """The standard board as 1914 redraws it."""
    return RULES.board(plain_board())


def play(phase: str, units: Any = "", orders: Any = "", **more: Any) -> dict[str, Any]:
    """The result of a phase. `units`: "G: A RUH, A MUN; F: A BUR"; `orders` the same, lines apart by ";;" where they
    have commas. Points are plenty unless they are given. `choices`: options of the game.
    """
    choices = more.pop("choices", {})
    rules = RULES.with_choices(choices)
    data: dict[str, Any] = {"id": 1, "phase": phase, "units": _parts(units), "orders": _parts(orders)}
    data["points"] = {**RICH, **more.pop("points", {})}
    return adjudicate_object(data | more, board() if not choices else rules.board(plain_board()), rules)


def _parts(text: Any) -> dict[str, list[str]]:
    if isinstance(text, dict):
        return text
    found: dict[str, list[str]] = {}
    for part in filter(None, (each.strip() for each in text.split("|"))):
        name, _, lines = part.partition(":")
        found[NATIONS.get(name.strip(), name.strip())] = [line.strip() for line in lines.split(";") if line.strip()]
    return found


def became(result: dict[str, Any], unit: str) -> str:
    """The first word of what became of an order."""
    return str(result["outcomes"][unit]["result"][0])


def reason(result: dict[str, Any], unit: str) -> str:
    """Why."""
    return str(result["outcomes"][unit]["reason"])
