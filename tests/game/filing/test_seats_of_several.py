"""One player, several powers: one mail holds the orders of all of them, however it says whose each is (XIV.2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from judge.board.phase import Phase
from judge.game.core.commands import Decision, OrderLine, Status, Submit, Verdict
from judge.game.filing.standing import seats_behind
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"


@pytest.fixture
def four() -> Table:
    """Four players; Austria and France are one seat's."""
    return Table(MAPS, preset="four", settings={"players": "4", "rules": "four"}).seated().started()


@pytest.fixture
def winter(four: Table) -> Table:
    """France has two builds open, Austria one; Germany and Turkey have none."""
    assert four.game.position is not None
    lost = {"A PAR", "F BRE", "A VIE"}
    units = tuple(unit for unit in four.game.position.units if str(unit) not in lost)
    position = replace(four.game.position, units=units, phase=Phase.read("W1901A"))
    four.game = replace(four.game, position=position)
    return four


def filed(table: Table, power: str) -> list[str]:
    sheet = table.game.sheets.get(power)
    return [line.order for line in sheet.lines] if sheet else []


def sent(table: Table, *lines: str) -> tuple[Verdict, ...]:
    """A mail from the player of Austria and France."""
    answer = table.orders("FRANCE", *lines)
    assert isinstance(answer, Decision), answer
    return answer.verdicts


def test_the_powers_are_drawn_in_hands(four: Table) -> None:
    assert [seat.powers for seat in four.game.seats.values()] == [
        ("ENGLAND",), ("AUSTRIA", "FRANCE"), ("GERMANY", "TURKEY"), ("ITALY", "RUSSIA"),
    ]  # fmt: skip


def test_a_unit_says_whose_its_order_is(four: Table) -> None:
    sent(four, "A Par - Bur", "A Vie - Gal", "F Bre - Mao", "A Mar S A Par - Bur", "F Tri - Alb", "A Bud - Ser")
    assert filed(four, "FRANCE") == ["A PAR - BUR", "F BRE - MAO", "A MAR S A PAR - BUR"]
    assert filed(four, "AUSTRIA") == ["A VIE - GAL", "F TRI - ALB", "A BUD - SER"]


def test_all_hold_is_said_to_all_powers_and_below_a_name_to_one(four: Table) -> None:
    sent(four, "All units hold")
    assert len(filed(four, "FRANCE")) == len(filed(four, "AUSTRIA")) == 3


@pytest.mark.parametrize("lines", [("France: all hold",), ("FRANCE", "all hold"), ("France:", "all hold")])
def test_a_name_says_for_which_power_all_hold(four: Table, lines: tuple[str, ...]) -> None:
    sent(four, *lines)
    assert len(filed(four, "FRANCE")) == 3
    assert filed(four, "AUSTRIA") == []


def test_all_others_hold_leaves_what_the_same_mail_orders(four: Table) -> None:
    sent(four, "A Par - Bur", "all others hold")
    assert sorted(filed(four, "FRANCE")) == ["A MAR H", "A PAR - BUR", "F BRE H"]
    assert len(filed(four, "AUSTRIA")) == 3


def test_a_line_that_fits_no_power_is_answered_once(four: Table) -> None:
    (verdict,) = sent(four, "A Mun - Bur")
    assert (verdict.status, verdict.reason) == (Status.REFUSED, "not-your-unit")
    (verdict,) = sent(four, "A Par - Timbuktu")
    assert verdict.reason == "no-such-place"
    assert four.game.sheets["FRANCE"].faults[0].unit is not None, "the unit is known, and whose it is"


@pytest.mark.parametrize(
    "line",
    ["build A Par", "France: build A Par", "FRANCE build A Par", "FRANCE B A Par", "A PAR B", "France: A Par",
     "[France] build A Par", "France builds an army in Paris"],
)  # fmt: skip
def test_the_home_or_the_name_says_whose_a_build_is(winter: Table, line: str) -> None:
    (verdict,) = sent(winter, line)
    assert verdict.status is Status.TAKEN, verdict
    assert filed(winter, "FRANCE") == ["A PAR B"]
    assert filed(winter, "AUSTRIA") == []


def test_a_build_in_the_home_of_the_players_other_power_is_refused_for_the_power_that_is_named(winter: Table) -> None:
    (verdict,) = sent(winter, "Austria: build A Par")
    assert verdict.reason == "not-a-home-centre"  # each country adjusts by itself
    assert filed(winter, "FRANCE") == []


def test_a_name_before_an_order_is_for_its_line_only(winter: Table) -> None:
    sent(winter, "France: build A Par", "build A Vie")
    assert filed(winter, "FRANCE") == ["A PAR B"]
    assert filed(winter, "AUSTRIA") == ["A VIE B"]


def test_a_name_on_a_line_of_its_own_holds_until_the_next(winter: Table) -> None:
    sent(winter, "FRANCE", "build A Par", "waive", "AUSTRIA:", "waive")
    assert filed(winter, "FRANCE") == ["A PAR B", "WAIVE"]
    assert filed(winter, "AUSTRIA") == ["WAIVE"]


def test_a_unit_says_more_than_a_name_above_it(four: Table) -> None:
    sent(four, "France:", "A Par - Bur", "A Vie - Gal")
    assert filed(four, "FRANCE") == ["A PAR - BUR"]
    assert filed(four, "AUSTRIA") == ["A VIE - GAL"]


def test_two_powers_on_one_line(winter: Table) -> None:
    sent(winter, "France: build A Par, build F Bre; Austria: build A Vie")
    assert filed(winter, "FRANCE") == ["A PAR B", "F BRE B"]
    assert filed(winter, "AUSTRIA") == ["A VIE B"]


def test_waive_is_asked_back_where_two_powers_have_a_build_open(winter: Table) -> None:
    (verdict,) = sent(winter, "waive")
    assert (verdict.status, verdict.reason) == (Status.REFUSED, "which-power")
    assert verdict.candidates == ("Austria-Hungary: waive", "France: waive")
    assert "which of them is this for?" in verdict.sentence
    (verdict,) = sent(winter, verdict.candidates[0])
    assert verdict.status is Status.TAKEN
    assert filed(winter, "AUSTRIA") == ["WAIVE"]
    assert not winter.game.sheets["FRANCE"].faults if "FRANCE" in winter.game.sheets else True


def test_waive_goes_to_the_only_power_with_a_build_open(winter: Table) -> None:
    sent(winter, "build A Vie", "waive")
    assert filed(winter, "AUSTRIA") == ["A VIE B"]
    assert filed(winter, "FRANCE") == ["WAIVE"]


def test_all_builds_are_waived_by_one_line(winter: Table) -> None:
    sent(winter, "waive all")
    assert filed(winter, "AUSTRIA") == ["WAIVE"]
    assert filed(winter, "FRANCE") == ["WAIVE", "WAIVE"]


def test_who_owes_orders_for_one_power_is_late_once(four: Table) -> None:
    sent(four, "France: all hold")
    assert [seat.powers for seat in seats_behind(four.game)].count(("AUSTRIA", "FRANCE")) == 1
    sent(four, "Austria: all hold")
    assert ("AUSTRIA", "FRANCE") not in [seat.powers for seat in seats_behind(four.game)]


def test_orders_ahead_are_for_whichever_power_they_fit_when_their_phase_comes(four: Table) -> None:
    lines = (OrderLine(1, "A Gal - Rum"), OrderLine(2, "A Bur - Bel"))
    four.tell(Submit(lines, turn="F1901M"), replace(four.player("FRANCE"), mail="ahead"))
    sent(four, "A Par - Bur", "A Vie - Gal")
    four.process()
    assert str(four.game.phase) == "F1901M"
    assert filed(four, "FRANCE") == ["A BUR - BEL"]
    assert filed(four, "AUSTRIA") == ["A GAL - RUM"]
    assert [sheet.faults for sheet in four.game.sheets.values()] == [(), ()]


def test_a_condition_over_several_lines_holds_orders_for_both(winter: Table) -> None:
    """Of a block each power has what is for its own units and homes."""
    block = ("IF Germany A Mun", "Build A Paris", "Austria: build A Vienna", "ELSE", "Build F Brest", "ENDIF")
    assert {verdict.status for verdict in sent(winter, *block)} == {Status.TAKEN}
    assert [("A PAR B" in line, "F BRE B" in line) for line in filed(winter, "FRANCE")] == [(True, True)]
    assert ["A VIE B" in line for line in filed(winter, "AUSTRIA")] == [True]


def test_a_condition_with_a_line_that_is_nobodys_is_asked_back_whole(winter: Table) -> None:
    block = ("IF Germany A Mun", "Build A Paris", "Build A Xyzzy", "ENDIF")
    sent(winter, *block)
    assert filed(winter, "FRANCE") == filed(winter, "AUSTRIA") == []
