"""What the demo says to whoever starts it again."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from judge.board.phase import PhaseKind
from judge.daemon.demo import YOURS, Demo, _example
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Status
from tests.support.builders import Table

MAPS = Path(__file__).parents[2] / "maps"


@pytest.mark.parametrize("gone", [False, True])
def test_france_is_yours_as_long_as_you_play_it(*, gone: bool) -> None:
    table = Table(MAPS, {}).seated().started()
    if gone:
        table.tell(cmd.Vacate(YOURS), table.gm)
    seat = table.game.seat_of(YOURS)
    people = SimpleNamespace(by_address=lambda address: SimpleNamespace(id=3))
    assert seat is not None and (seat.person == 3) is not gone
    judge = SimpleNamespace(
        config=SimpleNamespace(domain="judge.test", var=Path()),
        store=SimpleNamespace(read=lambda: nullcontext(SimpleNamespace(people=people))),
        keeper=SimpleNamespace(load=lambda view, key: table.game),
    )
    daemon: Any = SimpleNamespace(judge=judge)
    said = Demo(daemon)._say()
    assert ("FRANCE is yours." in said) is not gone
    assert ("--reply 0 tour" in said) is not gone, "a mail that answers no letter proves nothing, and few are answered"
    assert ("you play in it no more." in said) is gone


@pytest.mark.parametrize("preset", ["standard", "european", "global2", "1958", "1914"])
def test_the_orders_that_it_proposes_can_be_sent(preset: str) -> None:
    """At the start and in later phases, to whoever starts the judge again."""
    table = Table(MAPS, {}, preset=preset).seated().started()
    for _ in range(4):
        if table.game.phase is not None and table.game.phase.kind is PhaseKind.MOVES:
            answer = table.orders(YOURS, *shlex.split(_example(table.game)))
            assert isinstance(answer, Decision)
            assert {verdict.status for verdict in answer.verdicts} == {Status.TAKEN}
        else:
            assert shlex.split(_example(table.game)), table.game.phase
        table.process()
