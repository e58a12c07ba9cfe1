"""Every line with one meaning is understood, every other is asked back or refused: the table of tolerance.txt."""

from __future__ import annotations

from typing import Protocol

from judge.board.position import Position
from judge.orders.reader import read_line
from judge.orders.reading import ReadOptions


class Case(Protocol):
    """A line of the table (see conftest.py)."""

    position: Position
    power: str | None
    options: ReadOptions
    text: str
    orders: tuple[str, ...]
    slug: str
    candidates: tuple[str, ...] | None
    corrected: bool


def test_a_line_comes_to_what_the_table_says(case: Case) -> None:
    readings = read_line(case.text, case.position, case.power, options=case.options)
    if not case.slug:
        assert [reading.problem for reading in readings] == [None] * len(case.orders)
        assert tuple(str(reading.order) for reading in readings) == case.orders
        assert any(reading.corrected for reading in readings) == case.corrected
        return
    problems = [reading.problem for reading in readings if reading.problem]
    assert [problem.slug for problem in problems] == [case.slug]
    problem = problems[0]
    assert problem.sentence
    if case.candidates is not None:
        assert tuple(str(candidate) for candidate in problem.candidates) == case.candidates
