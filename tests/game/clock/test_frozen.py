"""While the game waits for somebody late, the sets that are in stand, whatever is sent."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.filing.kept import Always, MakePlan, UsePlan
from judge.game.filing.standing import standing
from judge.game.filing.submitting import DropLine, SameAgain, Undo
from judge.game.table.substitutes import GiveProxy, OrderByProxy
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
OTHERS = ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@pytest.fixture
def waiting() -> Table:
    """Fall 1901, in the grace: France is late, everybody else complete. Germany has a plan, and France its proxy."""
    table = Table(MAPS, {"freeze_others": "yes", "proxy": "yes"}).seated().started()
    for power in (*OTHERS, "FRANCE"):
        table.orders(power, "all hold")
    table.tick(table.game.deadline.at)  # type: ignore[union-attr]
    assert str(table.game.phase) == "F1901M"
    for power in OTHERS:
        table.orders(power, "all hold")
    table.orders("GERMANY", "A Mun - Tyr")
    table.orders("GERMANY", "F Kie - Xanadu")
    table.tell(MakePlan("east", ("A Mun - Sil",)), table.player("GERMANY"))
    table.tell(GiveProxy("FRANCE"), table.player("GERMANY"))
    table.tell(GiveProxy("GERMANY"), table.player("FRANCE"))
    table.tick(table.game.deadline.at)  # type: ignore[union-attr]
    table.now += timedelta(hours=1)
    return table


def lines(*texts: str) -> tuple[cmd.OrderLine, ...]:
    return tuple(cmd.OrderLine(number, text) for number, text in enumerate(texts, 1))


BY_GERMANY: dict[str, cmd.Command] = {
    "orders": cmd.Submit(lines("A Mun - Sil")),
    "replace all": cmd.Submit(lines("A Mun - Sil"), replace=True),
    "of the phase": cmd.Submit(lines("A Mun - Sil"), turn="F1901M"),
    "clear": cmd.Clear(),
    "undo": Undo(),
    "use plan": UsePlan("east"),
}


@pytest.mark.parametrize("command", BY_GERMANY.values(), ids=BY_GERMANY.keys())
def test_no_command_of_its_player_changes_a_set_that_is_in(waiting: Table, command: cmd.Command) -> None:
    before = waiting.game.sheets["GERMANY"].lines
    answer = waiting.tell(command, replace(waiting.player("GERMANY"), arrived=waiting.now))
    assert isinstance(answer, Refusal) and answer.slug == "frozen"
    assert waiting.game.sheets["GERMANY"].lines == before


def test_same_again_says_that_a_set_that_is_in_stays_as_it_is(waiting: Table) -> None:
    before = waiting.game.sheets["GERMANY"].lines
    answer = waiting.tell(SameAgain(), replace(waiting.player("GERMANY"), arrived=waiting.now))
    assert isinstance(answer, Decision) and not answer.events
    assert answer.said == "Your orders on file stay as they are."
    assert waiting.game.sheets["GERMANY"].lines == before


def test_nor_does_the_holder_of_its_proxy_even_one_who_is_late(waiting: Table) -> None:
    answer = waiting.tell(OrderByProxy("GERMANY", lines("A Mun - Sil")), waiting.player("FRANCE"))
    assert isinstance(answer, Refusal) and answer.slug == "frozen"


BESIDE: dict[str, Callable[[Table], tuple[cmd.Command, cmd.Actor]]] = {
    "the late player": lambda table: (cmd.Submit(lines("all hold")), table.player("FRANCE")),
    "for the late player": lambda table: (OrderByProxy("FRANCE", lines("A Par H")), table.player("GERMANY")),
    "ahead": lambda table: (cmd.Submit(lines("build A Mun"), turn="W1901A"), table.player("GERMANY")),
    "for always": lambda table: (Always("A Mun H"), table.player("GERMANY")),
    "in time": lambda table: (
        cmd.Submit(lines("A Mun - Sil")),
        replace(table.player("GERMANY"), arrived=table.game.deadline.at),  # type: ignore[union-attr]
    ),
    "a line dropped": lambda table: (DropLine(), table.player("GERMANY")),
}


@pytest.mark.parametrize("case", BESIDE.values(), ids=BESIDE.keys())
def test_what_stands_beside_the_frozen_sets_goes_on(
    waiting: Table, case: Callable[[Table], tuple[cmd.Command, cmd.Actor]]
) -> None:
    assert isinstance(waiting.tell(*case(waiting)), Decision)


def test_the_game_waits_for_the_late_player_alone(waiting: Table) -> None:
    assert [power for power in (*OTHERS, "FRANCE") if standing(waiting.game, power).late] == ["FRANCE"]
