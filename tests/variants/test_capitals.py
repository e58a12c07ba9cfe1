"""Capitals: two units of a power may stand together in its capital, and are worth one (1958)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.duty import duty
from judge.adjudicate.legality import legality
from judge.board.position import Position, position_from_json, position_to_json
from judge.orders.model import Build, Order
from judge.orders.reader import read_line
from judge.variants import rules_for
from tests.variants.test_whole_games import started

Make = Callable[..., Position]

RULES = rules_for("capitals")


def played(position: Position, *lines: str) -> Adjudication:
    """Each line is "FRANCE A Par - Bur"; units that share a space are numbered: "FRANCE A Par#2 - Bur"."""
    orders: list[Order] = []
    for line in lines:
        power, _, text = line.partition(" ")
        readings = read_line(text, position, power)
        assert [reading.problem for reading in readings] == [None], (line, readings)
        orders += [reading.order for reading in readings if reading.order is not None]
    return adjudicate(position, orders, RULES)


def stand(result: Adjudication, power: str) -> list[str]:
    return sorted(str(unit) for unit in result.after.of(power))


@pytest.fixture
def two(position: Make) -> Position:
    return position("france  A PAR, A PAR, A GAS", "germany  A BUR, A PIC, A MUN")


def test_each_of_two_goes_its_own_way(two: Position) -> None:
    result = played(two, "FRANCE A Par#1 - Bre", "FRANCE A Par#2 H")
    assert stand(result, "FRANCE") == ["A BRE", "A GAS", "A PAR"]
    gone = next(unit for unit in result.after.units if unit.at == "BRE")
    assert gone.id == two.at("PAR")[0].id


def test_the_second_is_the_second(two: Position) -> None:
    result = played(two, "FRANCE A Par#2 - Bre")
    assert next(unit for unit in result.after.units if unit.at == "BRE").id == two.at("PAR")[1].id


def test_they_are_worth_one_in_defence_and_driven_out_together(two: Position) -> None:
    result = played(two, "GERMANY A Bur - Par", "GERMANY A Pic S A Bur - Par")
    assert [str(lost.unit) for lost in result.after.dislodged] == ["A PAR#1", "A PAR#2"]
    assert all("BUR" not in lost.options for lost in result.after.dislodged)


def test_one_alone_does_not_drive_them_out(two: Position) -> None:
    assert played(two, "GERMANY A Bur - Par").after.dislodged == ()


def test_support_for_one_of_them_holds_both(two: Position) -> None:
    result = played(two, "GERMANY A Bur - Par", "GERMANY A Pic S A Bur - Par", "FRANCE A Gas S A Par#2")
    assert result.after.dislodged == ()


def test_of_two_the_one_that_stays_keeps_the_capital(two: Position) -> None:
    result = played(two, "FRANCE A Par#1 - Bre", "GERMANY A Bur - Par")
    assert stand(result, "FRANCE") == ["A BRE", "A GAS", "A PAR"]
    assert stand(result, "GERMANY") == ["A BUR", "A MUN", "A PIC"]


def test_when_both_leave_another_may_come(two: Position) -> None:
    result = played(two, "FRANCE A Par#1 - Bre", "FRANCE A Par#2 - Bur", "GERMANY A Bur - Par")
    assert "A BRE" in stand(result, "FRANCE")
    assert "A BUR" in stand(result, "GERMANY"), "the second came the other way and met it"


def test_a_unit_moves_in_beside_one_that_is_there(position: Make) -> None:
    result = played(position("france  A PAR, A GAS"), "FRANCE A Gas - Par")
    assert stand(result, "FRANCE") == ["A PAR#1", "A PAR#2"]


def test_no_third_comes_in(two: Position) -> None:
    assert stand(played(two, "FRANCE A Gas - Par"), "FRANCE") == ["A GAS", "A PAR#1", "A PAR#2"]


def test_two_do_not_come_in_at_once(position: Make) -> None:
    result = played(position("france  A PAR, A GAS, A PIC"), "FRANCE A Gas - Par", "FRANCE A Pic - Par")
    assert stand(result, "FRANCE") == ["A GAS", "A PAR", "A PIC"]


def test_nobody_moves_in_beside_a_stranger(position: Make) -> None:
    result = played(position("france  A GAS", "germany  A PAR"), "FRANCE A Gas - Par")
    assert stand(result, "FRANCE") == ["A GAS"]


def test_nobody_retreats_to_where_one_of_two_stayed(position: Make) -> None:
    before = position("france  A PAR, A PAR, A GAS", "germany  A MAR, A SPA", "italy  A BUR")
    result = played(before, "FRANCE A Par#1 - Pic", "GERMANY A Spa - Gas", "GERMANY A Mar S A Spa - Gas")
    (lost,) = result.after.dislodged
    assert lost.options == ("BRE",)


def test_a_capital_with_one_unit_takes_a_second_build_but_no_third(position: Make) -> None:
    winter = position("france  A PAR", "owns france PAR MAR BRE POR", "germany  A MAR, A BRE", phase="W1901A")
    due = duty(winter, "FRANCE", RULES)
    assert (due.builds, due.sites) == (1, (("A", "PAR"),))
    assert legality(Build("FRANCE", "A", "PAR"), winter, RULES) is None
    after = played(winter, "FRANCE build A Par", "FRANCE build A Par").after
    assert [str(unit) for unit in after.of("FRANCE")] == ["A PAR#1", "A PAR#2"]


def test_an_empty_capital_takes_two(position: Make) -> None:
    winter = position("france  A GAS", "owns france PAR MAR BRE", "germany  A MAR, A BRE", phase="W1901A")
    assert duty(winter, "FRANCE", RULES).builds == 2
    after = adjudicate(winter, [Build("FRANCE", "A", "PAR"), Build("FRANCE", "A", "PAR")], RULES).after
    assert [str(unit) for unit in after.of("FRANCE")] == ["A GAS", "A PAR#1", "A PAR#2"]


def test_a_position_with_stacks_is_stored_and_read_back(two: Position) -> None:
    assert position_from_json(position_to_json(two), two.board) == two


def test_what_is_filed_for_one_of_two_is_carried_out_by_that_one() -> None:
    """Through a whole game: read from a mail, kept in an event, carried out when the page is turned."""
    table = started("capitals")
    table.orders("FRANCE", "A Mar - Bur")
    table.process()
    table.orders("FRANCE", "A Bur - Par")
    for _ in range(2):
        table.process()
    first, second = table.running.position.at("PAR")
    table.orders("FRANCE", "A Par#2 - Bur", "A Par#1 H")
    assert [line.unit for line in table.game.sheets["FRANCE"].lines] == [second.id, first.id]
    table.process()
    where = {unit.id: unit.at for unit in table.running.position.of("FRANCE")}
    assert (where[first.id], where[second.id]) == ("PAR", "BUR")
