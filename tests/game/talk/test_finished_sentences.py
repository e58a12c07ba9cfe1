"""What a player is told is a sentence, made where it is known what it begins with: letters change no capital of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.game.core.commands import Decision, Status
from tests.support.builders import Table

_ROOMS = ("orders", "game", "mail", "acts", "service", "variants", "zine")
_SENTENCE_AT = {"Refusal": 1, "Question": 1, "Unclear": 1, "Problem": 1, "Trouble": 1}
_ENDS = (".", "?", "!", ")", "`", '"', "'")
_BEHIND_A_COLON = ": "
"""What is to be written may stand at the end, behind a colon."""


def _spoken() -> Iterator[tuple[str, str, str]]:
    """(where, how it begins, how it ends) of every refusal that stands in the code; "" where that is computed."""
    judge = Path(__file__).parents[3] / "judge"
    for path in (file for room in _ROOMS for file in sorted((judge / room).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or name not in _SENTENCE_AT:
                continue
            said = next((word.value for word in node.keywords if word.arg == "sentence"), None)
            said = node.args[_SENTENCE_AT[name]] if len(node.args) > _SENTENCE_AT[name] else said
            parts = said.values if isinstance(said, ast.JoinedStr) else [said]
            first, last = (part.value if isinstance(part, ast.Constant) else "" for part in (parts[0], parts[-1]))
            whole = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
            yield f"{path.name}:{node.lineno}", str(first), "" if _BEHIND_A_COLON in whole else str(last)


def test_no_refusal_begins_small_or_without_an_end() -> None:
    found = list(_spoken())
    assert len(found) > 300
    assert [where for where, first, _ in found if first[:1].islower()] == []
    assert [where for where, _, last in found if last and not last.endswith(_ENDS)] == []


@pytest.mark.parametrize("power", ["ENGLAND", "RUSSIA"])
def test_what_a_unit_cannot_do_is_said_in_sentences(table: Table, power: str) -> None:
    board = table.game.board
    assert table.game.position is not None
    units = [unit for unit in table.game.position.units if unit.power == power]
    for unit in units:
        for place in board.provinces:
            for line in (f"{unit} - {place}", f"{unit} S A MUN - {place}", f"{unit} C A BER - {place}"):
                answer = table.orders(power, line)
                assert isinstance(answer, Decision)
                for verdict in answer.verdicts:
                    if verdict.status is Status.REFUSED:
                        assert not verdict.sentence[:1].islower() and verdict.sentence.endswith(_ENDS), verdict
