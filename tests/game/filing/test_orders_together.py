"""The lines of a mail are read together: what one of them means may hang on its neighbours."""

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Status
from judge.game.filing.standing import State, standing
from tests.support.builders import Table


def on_file(table: Table, power: str) -> list[str]:
    sheet = table.game.sheets.get(power)
    return sorted(line.order for line in sheet.lines) if sheet else []


def verdicts(answer: object) -> list[tuple[int, Status]]:
    assert isinstance(answer, Decision)
    return [(verdict.line, verdict.status) for verdict in answer.verdicts]


def test_all_others_hold_means_the_units_that_no_line_names(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur", "all others hold")
    assert on_file(table, "FRANCE") == ["A MAR H", "A PAR - BUR", "F BRE H"]  # written out for each unit


def test_blanket_orders_may_be_refused(table: Table) -> None:
    table.tell(cmd.ChangeSettings("blanket", "no"), table.gm)
    answer = table.orders("FRANCE", "A Par - Bur", "all others hold")
    assert verdicts(answer)[1] == (2, Status.REFUSED)
    assert on_file(table, "FRANCE") == ["A PAR - BUR"]


def test_an_order_broken_over_two_lines_is_one_order(table: Table) -> None:
    table.orders("FRANCE", "A Par -", "Burgundy", "A Mar H")
    assert on_file(table, "FRANCE") == ["A MAR H", "A PAR - BUR"]


def test_verdicts_bear_the_line_numbers_of_the_mail(table: Table) -> None:
    written = (cmd.OrderLine(4, "A Par - Bur"), cmd.OrderLine(9, "A Mar - Rom"))
    answer = table.tell(cmd.Submit(written), table.player("FRANCE"))
    assert verdicts(answer) == [(4, Status.TAKEN), (9, Status.REFUSED)]


def test_chatter_is_no_fault(table: Table) -> None:
    answer = table.orders("FRANCE", "A Par - Bur", "A Mar H", "F Bre H", "Thanks all, see you in Paris")
    assert verdicts(answer)[3] == (4, Status.IGNORED)
    assert standing(table.game, "FRANCE").state is State.COMPLETE


def test_two_orders_for_one_unit_are_asked_back_where_no_mistakes_are_allowed(table: Table) -> None:
    answer = table.orders("FRANCE", "A Par - Bur", "A Par - Pic", "A Mar H")
    assert verdicts(answer) == [(1, Status.REFUSED), (2, Status.REFUSED), (3, Status.TAKEN)]
    assert on_file(table, "FRANCE") == ["A MAR H"]


def test_elsewhere_the_last_order_for_a_unit_counts(table: Table) -> None:
    table.tell(cmd.ChangeSettings("no_mistakes", "no"), table.gm)
    table.orders("FRANCE", "A Par - Bur", "A Par - Pic")
    assert on_file(table, "FRANCE") == ["A PAR - PIC"]


def test_a_retreat_and_the_rest_of_the_builds_waived(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas", "build A Par", "waive the rest")
    assert on_file(fallen, "FRANCE") == ["A BUR R GAS", "A PAR B", "WAIVE"]
    assert standing(fallen.game, "FRANCE").state is State.COMPLETE


@pytest.mark.parametrize("lines", [("A Mun - Lon", "A Mun - Bur"), ("A Mun - Bur", "A Mun - Lon")])
def test_of_two_lines_for_one_unit_the_possible_one_counts(table: Table, lines: tuple[str, str]) -> None:
    """The last one that is legal counts; what is impossible is never offered."""
    answer = table.orders("GERMANY", *lines)
    assert isinstance(answer, Decision)
    assert [line.order for line in table.game.sheets["GERMANY"].lines] == ["A MUN - BUR"]
    statuses = {verdict.text: verdict.status for verdict in answer.verdicts}
    assert statuses["A Mun - Bur"] is Status.TAKEN
    assert statuses["A Mun - Lon"] is (Status.REFUSED if lines[-1] == "A Mun - Lon" else Status.IGNORED)
    assert "A MUN - LON" not in {candidate for verdict in answer.verdicts for candidate in verdict.candidates}
