"""Each question that no system of ours answers otherwise is answered otherwise here, and seen to be asked."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.duty import duty
from judge.adjudicate.legality import legality
from judge.board.load import load_board
from judge.board.model import Board, Location, province_of
from judge.board.position import Position, start_position
from judge.board.unit import Unit
from judge.mail.vocabulary.help import HelpPage, Shows, find_page
from judge.orders.family import FAMILY
from judge.orders.kinds import kinds_on
from judge.orders.model import Build, Move, Order
from judge.orders.reader import read_line
from judge.orders.reading import ReadOptions
from judge.rules import Rules
from judge.rules.model import RULE_SYSTEMS
from judge.rules.questions import IN_BATTLE, Questions, Term
from tests.support.ways import legal_moves

Make = Callable[..., Position]
VARIANTS = Path(__file__).resolve().parents[2] / "judge" / "variants"


def played(position: Position, rules: Rules, *lines: str) -> Adjudication:
    """Each line is "FRANCE A Mar - Spa"."""
    orders: list[Order] = []
    for line in lines:
        power, _, text = line.partition(" ")
        (reading,) = read_line(text, position, power)
        assert reading.order is not None, (line, reading)
        orders.append(reading.order)
    return adjudicate(position, orders, rules)


def became(result: Adjudication) -> dict[str, str]:
    """Unit -> the reason of what became of its order."""
    return {str(getattr(each.order, "unit", each.order)): each.reason for each in result.outcomes}


# -- Where a unit may go: the fleet that waits for the ice (as in Global Diplomacy II, F17) ------------------------


class Ice(Rules):
    """Fleets in St Petersburg only hold in 1901."""

    def barred(self, position: Position, unit: Unit, to: Location) -> str:
        frozen = position.phase.year == 1901 and province_of(unit.at) == "STP" and unit.kind == "F"
        return "still-frozen" if frozen else ""


@pytest.fixture
def north(position: Make) -> Position:
    return position("russia  F STP/NC, A FIN", "england  F NWY, A SWE")


def test_who_is_barred_stands_and_its_target_is_free(north: Position) -> None:
    result = played(north, Ice(), "RUSSIA F StP - Bar", "ENGLAND F Nwy - Bar")
    assert became(result) == {"F STP/NC": "still-frozen", "A FIN": "no-order", "F NWY": "moved", "A SWE": "no-order"}


def test_who_is_barred_supports_nobody_there_and_is_told_at_entry(north: Position) -> None:
    result = played(north, Ice(), "RUSSIA F StP S A Fin - Nwy", "RUSSIA A Fin - Nwy")
    assert became(result)["F STP/NC"] == "still-frozen"
    assert became(result)["A FIN"] == "held"
    fault = legality(Move(north.units[0], "BAR"), north, Ice())
    assert fault is not None
    assert fault.reason == "still-frozen"
    assert legal_moves(north, north.units[0], Ice()) == ()


def test_when_the_ice_is_gone_it_goes(position: Make) -> None:
    spring = position("russia  F STP/NC", phase="S1902M")
    assert became(played(spring, Ice(), "RUSSIA F StP - Bar")) == {"F STP/NC": "moved"}


# -- Whom a unit helps ---------------------------------------------------------------------------------------------


class Loners(Rules):
    """Nobody helps a stranger: supports and convoys are for units of one's own country."""

    def support_fault(self, position: Position, unit: Unit, of: Unit, to: Location) -> str:
        return "" if unit.power == of.power else "a-stranger"

    def carriage_fault(self, position: Position, carrier: Unit, rider: Unit) -> str:
        return "" if carrier.power == rider.power else "a-stranger"


def test_a_stranger_gets_no_support(position: Make) -> None:
    before = position("france  A PAR, A MAR", "italy  A PIE", "germany  A BUR")
    lines = ("FRANCE A Par - Bur", "ITALY A Pie S A Mar", "FRANCE A Mar S A Par - Bur")
    result = played(before, Loners(), *lines)
    assert became(result)["A PIE"] == "a-stranger"
    assert became(result)["A PAR"] == "moved", "one's own support counts as ever"


def test_a_stranger_is_not_carried(position: Make) -> None:
    before = position("france  F ENG", "england  A LON")
    result = played(before, Loners(), "FRANCE F Eng C A Lon - Bre", "ENGLAND A Lon - Bre")
    assert became(result) == {"F ENG": "a-stranger", "A LON": "not-carried"}


# -- On which terms a unit goes ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Terms(Rules):
    """Armies that leave Munich go on the given terms."""

    term: Term = Term.MEEK

    def terms(self, position: Position, order: Move) -> frozenset[Term]:
        return frozenset({self.term}) if order.unit.at == "MUN" else frozenset()


def test_who_is_meek_keeps_nobody_out(position: Make) -> None:
    before = position("germany  A MUN", "france  A MAR")
    result = played(before, Terms(term=Term.MEEK), "GERMANY A Mun - Bur", "FRANCE A Mar - Bur")
    assert [str(unit) for unit in result.after.of("FRANCE")] == ["A BUR"]
    assert [str(unit) for unit in result.after.of("GERMANY")] == ["A MUN"]


def test_who_needs_an_army_does_not_get_in_alone(position: Make) -> None:
    rules = Terms(term=Term.NEEDS_ARMY)
    before = position("germany  A MUN, A RUH")
    alone = played(before, rules, "GERMANY A Mun - Bur")
    assert [str(unit) for unit in alone.after.units] == ["A MUN", "A RUH"]
    assert became(alone)["A MUN"] == "needs-army"
    helped = played(before, rules, "GERMANY A Mun - Bur", "GERMANY A Ruh S A Mun - Bur")
    assert [str(unit) for unit in helped.after.units] == ["A BUR", "A RUH"]


def test_who_is_unpaid_has_no_strength(position: Make) -> None:
    before = position("germany  A MUN, A RUH", "france  A BUR")
    lines = ("GERMANY A Mun - Bur", "GERMANY A Ruh S A Mun - Bur")
    assert [str(lost.unit) for lost in played(before, Rules(), *lines).after.dislodged] == ["A BUR"]
    assert played(before, Terms(term=Term.UNPAID), *lines).after.dislodged == ()


# -- What is asked of whom, retreats, the end ----------------------------------------------------------------------


class Odds(Rules):
    """Fleets need no orders; retreats lead home only; who has four units has won."""

    def asked(self, position: Position, power: str) -> tuple[Unit, ...]:
        return tuple(unit for unit in position.of(power) if unit.kind == "A")

    def retreats(self, position: Position, unit: Unit, options: tuple[Location, ...]) -> tuple[Location, ...]:
        return tuple(to for to in options if position.board.home_of.get(province_of(to)) == unit.power)

    def ranking(self, position: Position) -> Mapping[str, int]:
        return {power: len(position.of(power)) for power in position.board.powers}

    def needed(self, board: Board) -> int:
        return 4

    def start(self, board: Board) -> Position:
        return start_position(board, ("FRANCE", "RUSSIA"))

    def seats(self, board: Board) -> tuple[tuple[str, ...], ...]:
        return (("RUSSIA",), ("FRANCE",))

    def room(self, position: Position, province: str) -> int:
        return 0

    def removal_order(self, position: Position, power: str) -> tuple[Unit, ...]:
        return position.of(power)[::-1]


def test_only_who_is_asked_owes_an_order(position: Make) -> None:
    before = position("france  A PAR, F BRE")
    assert [str(unit) for unit in duty(before, "FRANCE", Odds()).units] == ["A PAR"]
    assert [str(unit) for unit in duty(before, "FRANCE", Rules()).units] == ["A PAR", "F BRE"]


def test_a_retreat_leads_only_where_the_rules_let_it(position: Make) -> None:
    before = position("france  A BUR", "germany  A MUN, A RUH")
    lines = ("GERMANY A Mun - Bur", "GERMANY A Ruh S A Mun - Bur")
    (lost,) = played(before, Odds(), *lines).after.dislodged
    assert lost.options == ("MAR", "PAR")


def test_what_is_counted_decides_who_wins(position: Make) -> None:
    before = position("france  A PAR, A BUR, A MAR, F BRE", "owns germany MUN")
    assert Odds().winner(before) == "FRANCE"
    assert Rules().winner(before) is None


def test_the_table_is_laid_as_the_rules_want_it(board: Board) -> None:
    assert {unit.power for unit in Odds().start(board).units} == {"FRANCE", "RUSSIA"}


def test_without_room_nothing_is_built_and_removals_go_in_their_order(position: Make) -> None:
    winter = position("france  A GAS", "owns france PAR MAR BRE", phase="W1901A")
    assert duty(winter, "FRANCE", Odds()).builds == 0
    assert legality(Build("FRANCE", "A", "PAR"), winter, Odds()) is not None
    many = position("france  A WAR, A PAR", "owns france PAR", phase="W1901A")
    assert [str(unit) for unit in adjudicate(many, (), Odds()).after.units] == ["A WAR"]
    assert [str(unit) for unit in adjudicate(many, (), Rules()).after.units] == ["A PAR"]


# -- Words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["F Nth C A Lon - Bel", "F NTH C A LON - BEL", "F Nth convoys A London to Belgium"])
def test_a_kind_of_order_that_the_rules_do_not_know_is_refused(position: Make, line: str) -> None:
    before = position("england  F NTH, A LON")
    known = ReadOptions(kinds=FAMILY.without("convoy"))
    (reading,) = read_line(line, before, "ENGLAND", options=known)
    assert reading.problem is not None
    assert reading.problem.sentence == (
        'No unit has the order "convoy" in this game; in this phase a unit may move, hold or support.'
    )
    (reading,) = read_line(line, before, "ENGLAND")
    assert str(reading.order) == "F NTH C A LON - BEL"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("A Lon", "in this phase a unit may move, hold or support."),
        ("build A Lon", "This phase is for moves: a unit may move, hold or support."),
    ],
)
def test_no_sentence_offers_a_kind_of_order_that_the_rules_do_not_know(position: Make, line: str, said: str) -> None:
    known = ReadOptions(kinds=FAMILY.without("convoy"))
    (reading,) = read_line(line, position("england  F NTH, A LON"), "ENGLAND", options=known)
    assert reading.problem is not None and said in reading.problem.sentence


def test_help_knows_the_orders_of_the_rules(position: Make) -> None:
    """Where nobody is carried over sea there is no page about it, and no example of it."""
    assert find_page("convoy", kinds=FAMILY.names) == HelpPage(Shows.TOPIC, "convoy")
    assert find_page("convoy", kinds=FAMILY.names - {"convoy"}) != HelpPage(Shows.TOPIC, "convoy")


# -- The list ------------------------------------------------------------------------------------------------------


def test_readme_of_the_rooms_lists_every_question_once() -> None:
    listed = re.findall(r"^\| (`[^|]*`) \|", (VARIANTS / "README.md").read_text(), re.MULTILINE)
    named = [name.strip("` ") for cell in listed for name in cell.split(",") if not cell.endswith(".py`")]
    methods = [name for name, _ in inspect.getmembers(Questions, inspect.isfunction) if not name.startswith("_")]
    assert sorted(named) == sorted(methods)


def test_a_system_is_asked_in_battle_only_what_it_answers() -> None:
    assert Rules.answered == frozenset()
    assert Ice.answered == {"barred"}
    assert Loners.answered == {"support_fault", "carriage_fault"}
    assert set(IN_BATTLE) <= {name for name, _ in inspect.getmembers(Questions, inspect.isfunction)}


@pytest.mark.parametrize("file", sorted((VARIANTS / "examples").glob("[a-z]*.py")), ids=lambda file: file.stem)
def test_an_example_is_short_and_nobody_else_knows_of_it(file: Path) -> None:
    assert len(file.read_text().splitlines()) < 60
    package = VARIANTS.parent
    elsewhere = [path for path in package.rglob("*.py") if VARIANTS not in path.parents]
    words = (f"variants.examples.{file.stem}", f'"{file.stem.replace("_", "-")}"')
    assert not [path.name for path in elsewhere if any(word in path.read_text() for word in words)]


def test_who_knows_a_board_alone_reads_the_orders_of_the_system_that_drew_it() -> None:
    for key, system in RULE_SYSTEMS.items():
        for bundle in system.presets.values():
            drawn = system.rules.board(load_board(VARIANTS.parents[1] / "maps" / bundle.get("map", "standard")))
            assert kinds_on(drawn) is system.rules.kinds(), key
