"""Orders for phases to come: kept, bound when the phase comes, never applied to another."""

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal, Status
from judge.game.filing.advance import ClearKept, KeptBound
from judge.game.filing.kept import Always
from judge.game.filing.standing import State, standing
from judge.game.repair.rewriting import RollBack, RollForward
from tests.support.builders import Table


def ahead(table: Table, power: str, turn: str, *lines: str) -> object:
    written = tuple(cmd.OrderLine(number, text) for number, text in enumerate(lines, 1))
    return table.tell(cmd.Submit(written, turn=turn), table.player(power))


def filed(table: Table, power: str) -> list[str]:
    sheet = table.game.sheets.get(power)
    return sorted(line.order for line in sheet.lines) if sheet else []


def test_orders_ahead_are_kept_and_change_nothing_now(table: Table) -> None:
    answer = ahead(table, "FRANCE", "F1901M", "A Bur - Mun", "F Mao - Por")
    assert isinstance(answer, Decision)
    assert [verdict.status for verdict in answer.verdicts] == [Status.TAKEN, Status.TAKEN]
    assert filed(table, "FRANCE") == []
    assert standing(table.game, "FRANCE").late


def test_they_are_orders_when_their_phase_comes(table: Table) -> None:
    ahead(table, "FRANCE", "F1901M", "A Bur - Mun", "F Mao - Por", "A Spa H")
    table.orders("FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mao")
    table.process()
    assert str(table.game.phase) == "F1901M"
    assert filed(table, "FRANCE") == ["A BUR - MUN", "A SPA H", "F MAO - POR"]
    assert standing(table.game, "FRANCE").state is State.COMPLETE
    assert table.game.kept["FRANCE"] == {}


def test_faulty_ones_count_as_orders_to_be_put_right(table: Table) -> None:
    ahead(table, "FRANCE", "F1901M", "A Bur - Mun", "F Eng - Lon")
    table.orders("FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mao")
    table.process()
    bound = next(event for event in table.last if isinstance(event, KeptBound))
    assert bound.filed == ("A BUR - MUN",) and bound.failed[0].startswith("F Eng - Lon: ")
    assert standing(table.game, "FRANCE").state is State.NEEDS_CORRECTION


def test_a_later_mail_adds_and_replaces(table: Table) -> None:
    ahead(table, "FRANCE", "F1901M", "A Bur - Mun")
    ahead(table, "FRANCE", "F1901M", "A Bur - Bel", "F Mao - Por")
    table.orders("FRANCE", "A Par - Bur", "A Mar H", "F Bre - Mao")
    table.process()
    assert filed(table, "FRANCE") == ["A BUR - BEL", "F MAO - POR"]


def test_builds_and_retreats_ahead_wait_for_the_winter(table: Table) -> None:
    ahead(table, "FRANCE", "W1901A", "build A Par", "build F Bre")
    table.orders("FRANCE", "A Par - Bur", "A Mar - Spa", "F Bre - Mao")
    table.process()
    table.orders("FRANCE", "A Bur H", "A Spa H", "F Mao - Por")
    table.process()
    assert str(table.game.phase) == "W1901A"
    assert filed(table, "FRANCE") == ["A PAR B", "F BRE B"]


def test_a_phase_that_is_over_is_refused(table: Table) -> None:
    table.process()
    answer = ahead(table, "FRANCE", "S1901M", "A Par - Bur")
    assert isinstance(answer, Refusal) and answer.slug == "wrong-phase"


def test_nonsense_is_refused_at_once(table: Table) -> None:
    answer = ahead(table, "FRANCE", "F1901M", "A Xanadu - Mun", "A Bur - Mun")
    assert isinstance(answer, Decision)
    assert [verdict.status for verdict in answer.verdicts] == [Status.REFUSED, Status.TAKEN]


def test_the_same_mail_twice_is_kept_once(table: Table) -> None:
    ahead(table, "FRANCE", "F1901M", "A Bur - Mun")
    ahead(table, "FRANCE", "F1901M", "A Bur - Mun")
    assert table.game.kept["FRANCE"]["F1901M"] == (("A Bur - Mun",),)
    assert table.last == ()


def test_what_is_kept_can_be_withdrawn(table: Table) -> None:
    ahead(table, "FRANCE", "F1901M", "A Bur - Mun")
    table.tell(ClearKept("F1901M"), table.player("FRANCE"))
    assert table.game.kept["FRANCE"] == {}
    assert isinstance(table.tell(ClearKept("F1901M"), table.player("FRANCE")), Refusal)


def test_a_new_player_finds_nothing_kept(table: Table) -> None:
    ahead(table, "FRANCE", "F1901M", "A Bur - Mun")
    table.tell(cmd.Vacate("FRANCE"), table.gm)
    assert "FRANCE" not in table.game.kept


def test_an_order_that_always_stands_fills_the_gaps(table: Table) -> None:
    table.tell(Always("A Mar H"), table.player("FRANCE"))
    table.tell(Always("A Par S A Mar"), table.player("FRANCE"))
    table.process()
    assert filed(table, "FRANCE") == ["A MAR H"]  # Paris cannot support Marseilles, so that one waits
    assert standing(table.game, "FRANCE").state is State.PARTIAL
    table.orders("FRANCE", "A Mar - Spa")
    assert filed(table, "FRANCE") == ["A MAR - SPA"]
    table.tell(Always(), table.player("FRANCE"))
    table.process()
    assert filed(table, "FRANCE") == []


def test_it_stands_for_whoever_is_there(table: Table) -> None:
    table.tell(Always("A Mar H"), table.player("FRANCE"))
    table.orders("FRANCE", "A Mar - Spa", "A Par - Gas", "F Bre H")
    table.process()
    assert filed(table, "FRANCE") == []
    table.orders("FRANCE", "A Spa - Por", "A Gas - Mar", "F Bre H")
    table.process()
    table.process()
    assert str(table.game.phase) == "S1902M"
    assert filed(table, "FRANCE") == ["A MAR H"]  # the army that began in Paris


def test_what_always_stands_is_filed_anew_after_results_are_taken_back(table: Table) -> None:
    table.tell(Always("A Mar H"), table.player("FRANCE"))
    table.process()
    assert filed(table, "FRANCE") == ["A MAR H"]
    table.tell(RollBack("S1901M", "wrong map"), table.gm)
    table.tell(RollForward(), table.gm)
    assert str(table.game.phase) == "F1901M"
    sheet = table.game.sheets["FRANCE"]
    assert ([line.order for line in sheet.lines], sheet.faults) == (["A MAR H"], ())
