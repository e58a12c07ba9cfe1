"""`undo` of what the Gamemaster did to the clock, in every state of the clock: all is as before and everybody whom the
act was told is told of that, or it is refused with what stands in the way.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.core.model import Game
from tests.support.tables import FRANCE, GAME, Hall, Table

ACTS = ("extend 24h", "deadline 20 Jan 2027 18:00", "hold reason holidays", "hold until 14 Jan 2027", "resume")
STATES = (*(pytest.param(state, marks=pytest.mark.long) for state in ("moves", "ordered", "held")), "grace",
          "held grace")  # fmt: skip


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    return Hall(tmp_path_factory.mktemp("hall"))


def clock(game: Game) -> dict[str, object]:
    """What players rely on: by when orders are due, who is late, until when the game waits, and whether it is held."""
    due = game.deadline
    assert due is not None
    kept = {name: getattr(due, name) for name in ("at", "called", "late", "grace", "called_at", "terms")}
    return kept | {"held": (game.held_since, game.held_reason, game.held_until)}


def said(table: Table) -> str:
    """The answer to the Gamemaster's last mail."""
    return " ".join(next(one for one in reversed(table.written) if one.to == "gm@players.test").text.split())


def wrong(table: Table, act: str) -> str:
    """What is wrong with taking an act back; "" for nothing."""
    before = table.stage.game(GAME)
    table.say("gm", act)
    told = any(letter.to == FRANCE for letter in table.written)
    if clock(table.stage.game(GAME)) == clock(before):
        return ""
    table.say("gm", "undo")
    if "Taken back" not in said(table):
        return f"refused: {said(table)}"
    if clock(now := table.stage.game(GAME)) != clock(before):
        return f"{clock(now)}, not {clock(before)}"
    return "" if any(letter.to == FRANCE for letter in table.written) or not told else "nobody is told"


@pytest.mark.parametrize("state", STATES)
def test_the_clock_is_put_back(hall: Hall, state: str) -> None:
    with hall.at(state.split()[-1]) as table:
        for act in ACTS[:4] if state != "held" else ACTS:
            if state == "held grace":
                table.say("gm", "hold reason holidays")
            assert wrong(table, act) == "", act
            table.reset()


def test_the_grace_that_runs_again_ends_as_was_promised(hall: Hall) -> None:
    with hall.at("grace") as table:
        before = table.stage.game(GAME).deadline
        table.say("gm", "extend 24h")
        table.say("gm", "undo")
        assert "The game waits until" in said(table) and before is not None and before.grace is not None
        table.stage.advance(to=before.grace + timedelta(hours=1))
        assert not table.stage.game(GAME).seats["6"].filled  # Russia


def test_what_has_come_and_passed_is_not_taken_back(hall: Hall) -> None:
    """The answer names what stands in the way: the moment that was put off has passed, or its grace has."""
    with hall.at("grace") as table:
        table.say("gm", "extend 72h")
        table.stage.advance(timedelta(days=2))
        table.say("gm", "undo")
        assert "The time of grace before it would have ended" in said(table) and "has passed" in said(table)
        table.stage.advance(timedelta(days=3))
        table.say("gm", "undo")
        assert "That deadline has come and passed." in said(table)


def test_those_who_rely_on_more_time_have_notice(hall: Hall) -> None:
    with hall.at("grace") as table:
        table.say("gm", "extend 72h")
        table.stage.advance(timedelta(hours=40))
        table.say("gm", "undo")
        assert "A deadline can be brought forward only with" in said(table)


def test_one_act_after_the_other_leads_back_to_the_grace(hall: Hall) -> None:
    with hall.at("grace") as table:
        before = clock(table.stage.game(GAME))
        for line in ("extend 24h", "extend 48h", "undo", "undo"):
            table.say("gm", line)
        assert clock(table.stage.game(GAME)) == before
