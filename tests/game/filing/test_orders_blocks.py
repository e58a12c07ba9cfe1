"""Conditions over several lines: IF, orders, ELSE IF, orders, ELSE, orders, ENDIF. Taken whole or not at all."""

import pytest

from judge.game.core import events as ev
from judge.game.core.commands import Decision, OrderLine, Refusal, Status, Submit
from judge.game.filing.conditional import gathered, is_block
from judge.game.filing.kept import MakePlan, UsePlan
from judge.game.instructions.conditions import Condition, read_condition
from judge.game.instructions.facts import Trouble
from judge.game.table.speculation import Speculation, speculate
from judge.history import played_phase
from tests.support.builders import Table


def filed(table: Table, power: str = "GERMANY") -> list[str]:
    sheet = table.game.sheets.get(power)
    return [line.order for line in sheet.lines] if sheet else []


def sent(table: Table, text: str, *, turn: str = "") -> Decision:
    lines = tuple(OrderLine(number, line) for number, line in enumerate(text.strip().splitlines(), 1))
    answer = table.tell(Submit(lines, turn=turn), table.player("GERMANY"))
    assert isinstance(answer, Decision), answer
    return answer


def test_each_unit_of_a_block_gets_one_conditional_order(table: Table) -> None:
    answer = sent(table, "IF France A Par\nA Mun - Bur\nF Kie - Hol\nELSE\nA Mun - Tyr\nENDIF")
    assert filed(table) == [
        "IF FRANCE A PAR IN THEN A MUN - BUR ELSE A MUN - TYR",
        "IF FRANCE A PAR IN THEN F KIE - HOL",
    ]
    assert [(verdict.line, verdict.status) for verdict in sorted(answer.verdicts, key=lambda v: v.line)] == [
        (number, Status.TAKEN) for number in range(1, 7)
    ]


def test_a_branch_that_is_silent_about_a_unit_leaves_it_what_was_written_above(table: Table) -> None:
    sent(table, "A Ber - Kie\nIF France A Par\nA Mun - Bur\nELSE IF France A Bur\nA Ber - Mun\nENDIF")
    assert filed(table) == [
        "IF FRANCE A PAR IN THEN A MUN - BUR",
        "IF FRANCE A PAR IN THEN A BER - KIE ELSE IF FRANCE A BUR IN THEN A BER - MUN ELSE A BER - KIE",
    ]


def test_a_branch_that_is_silent_about_a_unit_without_orders_leaves_it_standing(table: Table) -> None:
    sent(table, "IF France A Par\nF Kie - Hol\nELSE\nA Mun - Bur\nENDIF")
    assert "IF FRANCE A PAR IN THEN A MUN H ELSE A MUN - BUR" in filed(table)


def test_builds_of_a_block_go_by_their_place(fallen: Table) -> None:
    sent(fallen, "if A Bur retreats to Gas then\nbuild A Mun\nelse\nbuild A Ber\nendif")
    assert filed(fallen) == ["IF ANY A BUR R GAS THEN A MUN B ELSE A BER B"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("IF France A Par\nA Mun - Bur\nA Ber - Mun", "no ENDIF"),
        ("IF Xanadu A Par\nA Mun - Bur\nENDIF", "Xanadu"),
        ("IF France A Par\nA Mun - Bur\nELSE\nA Mun H\nELSE\nA Mun - Tyr\nENDIF", "follows the ELSE"),
        ("IF France A Par\nIF France A Mar\nA Mun - Bur\nENDIF\nENDIF", "inside another"),
        ("IF France A Par\nA Mun - Bur\nand so on\nENDIF", "is not an order"),
        ("IF France A Par\nA Mun - Lapland\nENDIF", "No place"),
        ("IF France A Par\nELSE\nENDIF", "no order in the condition"),
        ("IF A Mun supports A Ber\nA Ber H\nENDIF", "at the same time"),
    ],
)
def test_of_a_block_that_cannot_be_used_nothing_goes_on_file(table: Table, text: str, why: str) -> None:
    answer = sent(table, text)
    assert filed(table) == []
    assert any(
        why.lower() in verdict.sentence.lower() for verdict in answer.verdicts if verdict.status is Status.REFUSED
    )
    assert not [verdict for verdict in answer.verdicts if verdict.status is Status.TAKEN and verdict.order]


def test_what_stands_above_and_below_a_bad_block_is_taken(table: Table) -> None:
    sent(table, "F Kie - Hol\nIF Xanadu\nA Mun - Bur\nENDIF\nA Ber - Kie")
    assert filed(table) == ["F KIE - HOL", "A BER - KIE"]


def test_the_branch_that_holds_is_carried_out(table: Table) -> None:
    sent(table, "IF NOT (France A Par OR France A Bur)\nA Mun - Bur\nELSE\nA Mun - Tyr\nENDIF")
    table.process()
    [played] = [event for event in table.last if isinstance(event, ev.PhaseAdjudicated)]
    assert "A MUN - TYR" in [str(result.order) for result in played_phase(played, table.game.board).results]


def test_a_block_ahead_of_its_phase_is_kept_whole_and_bound_when_it_comes(table: Table) -> None:
    answer = sent(table, "IF France A Par\nA Mun - Bur\nELSE\nA Mun - Tyr\nENDIF", turn="F1901M")
    assert not any(verdict.status is Status.REFUSED for verdict in answer.verdicts)
    table.process()
    assert filed(table) == ["IF FRANCE A PAR IN THEN A MUN - BUR ELSE A MUN - TYR"]


def test_a_bad_block_ahead_of_its_phase_is_refused_at_once(table: Table) -> None:
    answer = sent(table, "IF France A Par\nA Mun - Bur", turn="F1901M")
    assert [verdict.status for verdict in answer.verdicts] == [Status.REFUSED, Status.IGNORED]
    assert not table.game.kept


def test_a_plan_may_hold_a_block(table: Table) -> None:
    lines = ("IF France A Par", "A Mun - Bur", "ELSE", "A Mun - Tyr", "ENDIF")
    table.tell(MakePlan("west", lines), table.player("GERMANY"))
    assert not filed(table)
    table.tell(UsePlan("west"), table.player("GERMANY"))
    assert filed(table) == ["IF FRANCE A PAR IN THEN A MUN - BUR ELSE A MUN - TYR"]


def test_a_dry_run_tries_no_conditions(table: Table) -> None:
    lines = [OrderLine(n, text) for n, text in enumerate(["A Ber H", "IF France A Par", "A Mun - Bur", "ENDIF"], 1)]
    tried = speculate(table.game, lines, ("GERMANY",))
    assert not isinstance(tried, Refusal) and isinstance(tried, Speculation)
    assert [verdict.status for verdict in tried.verdicts] == [Status.TAKEN, Status.REFUSED]


def test_branches_of_one_line_each_need_no_endif(table: Table) -> None:
    sent(table, "if France A Par then A Mun - Bur\nelse A Mun - Tyr\nF Kie - Hol")
    assert filed(table) == ["IF FRANCE A PAR IN THEN A MUN - BUR ELSE A MUN - TYR", "F KIE - HOL"]


def test_lines_without_a_block_stay_apart(table: Table) -> None:
    lines = [OrderLine(1, "A Mun H"), OrderLine(2, "if France A Par then A Ber H")]
    assert list(gathered(lines, table.game.board)) == lines
    assert not any(is_block(line.text) for line in lines)


# --- brackets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "joined"),
    [
        ("(A Par or A Bur) and F Bre", "ANY A PAR IN OR ANY A BUR IN AND ANY F BRE IN"),
        ("F Bre and (A Par or A Bur)", "ANY A PAR IN OR ANY A BUR IN AND ANY F BRE IN"),
        ("not (A Par or A Bur)", "NOT ANY A PAR IN AND NOT ANY A BUR IN"),
        ("A Par and (A Bur and A Gas)", "ANY A PAR IN AND ANY A BUR IN AND ANY A GAS IN"),
        ("((A Par))", "ANY A PAR IN"),
        ("F StP(nc) or A Mos", "ANY F STP IN OR ANY A MOS IN"),
    ],
)
def test_brackets_are_turned_into_a_row_of_facts(table: Table, written: str, joined: str) -> None:
    condition = read_condition(written, table.game.board, "GERMANY")
    assert isinstance(condition, Condition), condition
    assert str(condition) == joined


@pytest.mark.parametrize("written", ["(A Par or A Bur) and (A Mar or A Gas)", "(A Par or A Bur", "A Par) or A Bur"])
def test_brackets_that_no_row_of_facts_can_say_are_asked_back(table: Table, written: str) -> None:
    trouble = read_condition(written, table.game.board, "GERMANY")
    assert isinstance(trouble, Trouble) and "brackets" in trouble.sentence
