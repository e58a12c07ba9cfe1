"""Conditional orders rest on published facts, and builds on retreats; never on what others do at the same time (6E)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Status
from judge.game.instructions.conditions import Ways, condition_from_json, condition_to_json, read_branches
from judge.game.instructions.facts import Trouble
from judge.history import played_phase
from judge.orders.reader import looks_like_order
from tests.support.archipelago import board_named
from tests.support.builders import Table

CASES = {
    # As people write them -> as they go on file.
    "if A Bur is disbanded build A Par else build F Bre": "IF ANY A BUR D THEN build A Par ELSE build F Bre",
    "B A Paris if German A Picardy retreats to Belgium, else B A Marseilles": (
        "IF GERMANY A PIC R BEL THEN B A Paris ELSE B A Marseilles"
    ),
    "build A Par if German A Pic retreats to Bel [and not to Paris], otherwise build A Marseilles": (
        "IF GERMANY A PIC R BEL AND NOT GERMANY A PIC R PAR THEN build A Par ELSE build A Marseilles"
    ),
    "If Germany's A Pic does not retreat to Paris, build A Par": "IF NOT GERMANY A PIC R PAR THEN build A Par",
    "unless A Bur retreats, build A Par": "IF NOT ANY A BUR R ANYWHERE THEN build A Par",
    "build F Bre unless there is a fleet in the English Channel": "IF NOT ANY F ENG IN THEN build F Bre",
    "if there is a German unit in Burgundy then A Par H else A Par - Bur": (
        "IF GERMANY UNIT BUR IN THEN A Par H ELSE A Par - Bur"
    ),
    "IF Germany A Bur AND NOT Italy F Lyo THEN A Mar - Bur": (
        "IF GERMANY A BUR IN AND NOT ITALY F LYO IN THEN A Mar - Bur"
    ),
    "if I own Belgium and Holland is German, A Par - Pic": "IF FRANCE OWNS BEL AND GERMANY OWNS HOL THEN A Par - Pic",
    "A Par - Bur if Germany holds Munich or Bur is French": ("IF GERMANY OWNS MUN OR FRANCE OWNS BUR THEN A Par - Bur"),
    "if A Bur retreats to Gas or is disbanded build A Par": ("IF ANY A BUR R GAS OR ANY A BUR D THEN build A Par"),
    "if Austria owns Ser build A Vie else if Turkey owns Ser build A Bud else build A Tri": (
        "IF AUSTRIA OWNS SER THEN build A Vie ELSE IF TURKEY OWNS SER THEN build A Bud ELSE build A Tri"
    ),
}


def read(table: Table, text: str) -> Ways | Trouble | None:
    board = table.game.board
    return read_branches(text, board, "FRANCE", lambda line: looks_like_order(line, board))


@pytest.mark.parametrize("written", CASES)
def test_every_way_of_writing_comes_to_one_form(table: Table, written: str) -> None:
    branches = read(table, written)
    assert isinstance(branches, tuple), branches
    said = [f"IF {way.condition} THEN {way.order}" if way.condition else way.order for way in branches]
    assert " ELSE ".join(said) == CASES[written]
    conditions = [way.condition for way in branches if way.condition]
    assert [condition_from_json(condition_to_json(each)) for each in conditions] == conditions


@pytest.mark.parametrize("written", CASES.values())
def test_the_form_on_file_is_read_back_as_itself(table: Table, written: str) -> None:
    """It is kept as a line when results are taken back."""
    branches = read(table, written)
    assert isinstance(branches, tuple), branches
    said = [f"IF {way.condition} THEN {way.order}" if way.condition else way.order for way in branches]
    assert " ELSE ".join(said) == written


WORDS = (
    *("if", "if not", "not", "unless", "provided that", "in case", "then", "else", "or else", "otherwise", "and", "or"),
    *(
        "A Par - Bur",
        "A Bur",
        "Germany",
        "owns",
        "Munich",
        "retreats",
        "there is a fleet in",
        "H",
        ",",
        ";",
        ".",
        "[",
        "]",
    ),
)


@given(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
@settings(max_examples=400, deadline=None)
def test_any_words_around_a_condition_are_read_or_asked_back(text: str) -> None:
    board = board_named("standard")
    found = read_branches(text, board, "FRANCE", lambda line: looks_like_order(line, board))
    assert found is None or isinstance(found, (tuple, Trouble))


@pytest.mark.parametrize("line", ["if not sunny then A Par - Bur", "A Par - Bur, else A Par H if Germany owns Munich"])
def test_a_condition_in_an_unknown_form_is_asked_back(table: Table, line: str) -> None:
    decision = table.orders("FRANCE", line)
    assert isinstance(decision, Decision)
    assert [(verdict.status, verdict.reason) for verdict in decision.verdicts] == [
        (Status.REFUSED, "condition-unclear")
    ]


@pytest.mark.parametrize(
    "written",
    [
        "build A Par if Germany builds F Kie",
        "A Par - Bur if A Mun moves to Ruh",
        "A Par - Bur if Germany supports it",
        "if A Mun holds then A Par - Bur",
        "build A Par if England waives",
    ],
)
def test_what_others_order_at_the_same_time_is_nobodys_condition(table: Table, written: str) -> None:
    trouble = read(table, written)
    assert isinstance(trouble, Trouble) and trouble.slug == "simultaneous"


@pytest.mark.parametrize(
    "written", ["A Par - Bur if the weather is fine", "if Xanadu is French, A Par H", "A Par H if"]
)
def test_a_condition_that_is_not_clear_is_asked_back(table: Table, written: str) -> None:
    trouble = read(table, written)
    assert isinstance(trouble, Trouble) and trouble.slug == "condition-unclear"


def test_lines_without_a_condition_are_left_alone(table: Table) -> None:
    assert read(table, "A Par - Bur") is None


def filed(table: Table) -> list[str]:
    return [line.order for line in table.game.sheets["FRANCE"].lines]


CHOICE = "build A Paris if A Burgundy retreats to Gascony, else build A Marseilles"


def test_a_build_may_depend_on_a_retreat(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas", CHOICE, "build F Bre")
    assert "IF ANY A BUR R GAS THEN A PAR B ELSE A MAR B" in filed(fallen)
    fallen.process()
    position = fallen.game.position
    assert position is not None
    assert {"A GAS", "A PAR", "F BRE"} <= {str(unit) for unit in position.of("FRANCE")}


@pytest.mark.parametrize("mark", [";", ",", ", and", ", then"])
def test_a_retreat_before_a_conditional_build_hangs_on_nothing(fallen: Table, mark: str) -> None:
    answer = fallen.orders("FRANCE", f"A Bur - Gas{mark} build A Par if A Bur retreats to Gas, else build A Mar")
    assert isinstance(answer, Decision)
    assert [verdict.status for verdict in answer.verdicts] == [Status.TAKEN] * 2
    assert fallen.game.sheets["FRANCE"].lines[0].order == "A BUR R GAS"


def test_the_other_way_is_taken_where_the_condition_does_not_hold(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Par", CHOICE, "build F Bre")
    fallen.process()
    position = fallen.game.position
    assert position is not None
    assert {"A PAR", "A MAR", "F BRE"} <= {str(unit) for unit in position.of("FRANCE")}


def test_the_results_remember_what_the_order_depended_on(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas", CHOICE)
    fallen.process()
    winter = next(e for e in fallen.last if isinstance(e, ev.PhaseAdjudicated) and e.phase == "W1901A")
    results = played_phase(winter, fallen.game.board).results
    build = next(result for result in results if str(result.order) == "A PAR B")
    assert str(build.filed) == "IF ANY A BUR R GAS THEN A PAR B ELSE A MAR B"


def test_a_build_may_depend_on_a_unit_that_is_lost(fallen: Table) -> None:
    fallen.orders("FRANCE", "A Bur - Gas; build A Paris if A Bur is disbanded else build F Brest")
    assert filed(fallen) == ["A BUR R GAS", "IF ANY A BUR D THEN A PAR B ELSE F BRE B"]
    fallen.process()
    position = fallen.game.position
    assert position is not None
    assert "F BRE" in {str(unit) for unit in position.of("FRANCE")}


def test_no_retreat_depends_on_another(fallen: Table) -> None:
    answer = fallen.orders("FRANCE", "A Bur - Gas if German A Mun retreats to Ruh")
    assert isinstance(answer, Decision)
    assert answer.verdicts[0].status is Status.REFUSED and answer.verdicts[0].clause == "6E"


def test_a_move_may_depend_on_who_stands_where(table: Table) -> None:
    table.orders("FRANCE", "if Germany owns Paris then A Par H else A Par - Bur", "A Mar H", "F Bre H")
    table.process()
    position = table.game.position
    assert position is not None and "A BUR" in {str(unit) for unit in position.of("FRANCE")}


def test_a_build_on_anothers_build_is_refused_with_the_rule(fallen: Table) -> None:
    answer = fallen.tell(
        cmd.Submit((cmd.OrderLine(1, "build A Par if Germany builds F Kiel"),)), fallen.player("FRANCE")
    )
    assert isinstance(answer, Decision)
    assert answer.verdicts[0].status is Status.REFUSED and answer.verdicts[0].clause == "6E"


@pytest.mark.parametrize(
    "verb", ["-", "->", "to", "attacks", "moves to", "goes to", "retreats to", "supports", "enters"]
)
def test_no_move_depends_on_what_others_do_at_the_same_time(table: Table, verb: str) -> None:
    """In every wording, and with nothing on file after it."""
    for line in (f"if German A Mun {verb} Bur then A Par H", f"A Par H if German A Mun {verb} Bur else A Par - Pic"):
        answer = table.orders("FRANCE", line)
        assert isinstance(answer, Decision)
        assert [verdict.status for verdict in answer.verdicts] == [Status.REFUSED], line
    assert not table.game.sheets["FRANCE"].lines


@pytest.mark.parametrize(
    "line", ["A Par - Mos if Burgundy is French", "if Germany owns Mun then A Par H else F Par - Mos"]
)
def test_each_way_out_of_a_condition_must_be_possible(table: Table, line: str) -> None:
    answer = table.orders("FRANCE", line)
    assert isinstance(answer, Decision)
    assert [verdict.status for verdict in answer.verdicts] == [Status.REFUSED]
