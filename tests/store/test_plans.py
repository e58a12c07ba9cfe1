"""No statement of an ordinary day reads a whole table that grows: the hundredth game costs what the first one did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import START, build

_GROWING = "inbox|mail_bytes|events|snapshots|letters|letter_bytes|deliveries|persons|addresses"
_SCAN = re.compile(rf"SCAN ({_GROWING})\b")


class Plans:
    """How SQLite carries out each statement that it is given."""

    def __init__(self) -> None:
        self.of: dict[str, list[str]] = {}

    def note(self, connection: Connection, cursor: Any, statement: str, given: Any, context: Any, many: Any) -> None:
        """Ask for the plan of a statement that is new."""
        if statement in self.of or not statement.lstrip().startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
            return
        own = connection.connection.cursor()
        one = given[0] if isinstance(given, list) else given
        self.of[statement] = [row[3] for row in own.execute(f"EXPLAIN QUERY PLAN {statement}", one)]
        own.close()


@pytest.fixture
def plans() -> Iterator[Plans]:
    """Watches every statement of the test."""
    found = Plans()
    event.listen(Engine, "before_cursor_execute", found.note)
    yield found
    event.remove(Engine, "before_cursor_execute", found.note)


def test_a_day_of_a_game(tmp_path: Path, plans: Plans) -> None:
    stage = LocalJudge(tmp_path)
    seat_everybody(stage, "baltic")
    stage.begin()
    plans.of.clear()
    headers = [("From", player_of("FRANCE")), ("Subject", "baltic"), ("Message-ID", "<one@players.test>")]
    stage.offer(build(headers, "A Par - Bur\nstatus\nhistory", now=START, number=1, to=stage.address, vouched=True))
    game = stage.game("baltic")
    assert game.deadline is not None
    stage.set_clock(game.deadline.at)
    stage.settle()
    stage.close()
    assert len(plans.of) > 50
    whole = {statement: plan for statement, plan in plans.of.items() for step in plan if _SCAN.search(step)}
    assert not whole


def test_one_letter_is_set_out_without_a_look_at_the_others(tmp_path: Path, plans: Plans) -> None:
    stage = LocalJudge(tmp_path)
    seat_everybody(stage, "baltic")
    stage.begin()
    stage.close()
    begins = "UPDATE deliveries SET next_try=CASE"
    [plan] = [plan for statement, plan in plans.of.items() if statement.startswith(begins)]
    assert "letter_id=?" in plan[0]
