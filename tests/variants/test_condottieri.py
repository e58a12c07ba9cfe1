"""What a system does around the battle: standing orders, dues, chance, deeds, what is read out, who orders neutrals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

from judge.adjudicate import Adjudication, adjudicate
from judge.adjudicate.legality import legality
from judge.board.model import Board, province_of
from judge.board.position import Position
from judge.game.core.commands import Clear, Command, Decision, Refusal
from judge.game.core.events import PhaseAdjudicated
from judge.game.core.evolve import rebuild
from judge.game.core.model import Stage
from judge.game.filing.overtaken import later_words
from judge.game.filing.submitting import Do
from judge.history import played_phase, read_out
from judge.orders.model import Move, Order, Support
from judge.orders.reader import read_line
from judge.report.core.letter import plain
from judge.report.played.results import results_of
from judge.testing.local import LocalJudge
from judge.testing.rehearsal import rehearse
from judge.testing.transcript import read_transcript
from tests.support.builders import Table
from tests.variants.condottieri import ITALY, SYSTEM
from tests.variants.rule_systems import enter
from tests.variants.test_whole_games import everybody_orders, started

RULES = SYSTEM.rules
HERE = Path(__file__).resolve().parent

Make = Callable[..., Position]


@pytest.fixture(autouse=True)
def _rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch)


def judged(position: Position, *lines: str, lot: int = 0) -> Adjudication:
    """Each line is "FRANCE A Mar - Spa"."""
    orders: list[Order] = []
    for line in lines:
        power, _, text = line.partition(" ")
        (reading,) = read_line(text, position, power)
        assert reading.order is not None, (line, reading)
        orders.append(reading.order)
    return adjudicate(position, orders, RULES, lot=lot)


def ends(result: Adjudication) -> dict[str, str]:
    return {str(outcome.order): outcome.reason for outcome in result.outcomes}


def purses(position: Position) -> dict[str, int]:
    return {power: purse["ducats"] for power, purse in position.accounts.items()}


# -- Standing orders -----------------------------------------------------------------------------------------------


def test_units_that_nobody_orders_follow_their_standing_orders(position: Make) -> None:
    before = position("italy  A ROM, A VEN", "austria  A TRI, A TYR")
    result = judged(before, "AUSTRIA A Tri - Ven", "AUSTRIA A Tyr S A Tri - Ven")
    assert ends(result)["A ROM S A VEN"] == "supported"
    assert ends(result)["A TRI - VEN"] == "held"


def test_an_order_goes_before_the_standing_one(position: Make) -> None:
    before = position("italy  A ROM, A VEN", "austria  A TRI, A TYR")
    result = judged(before, "AUSTRIA A Tri - Ven", "AUSTRIA A Tyr S A Tri - Ven", "ITALY A Rom - Nap")
    assert ends(result)["A ROM - NAP"] == "moved"
    assert ends(result)["A TRI - VEN"] == "moved"


# -- Dues ----------------------------------------------------------------------------------------------------------


def rich(position: Position, ducats: int) -> Position:
    return replace(position, accounts=MappingProxyType({"ENGLAND": MappingProxyType({"ducats": ducats})}))


def test_orders_are_paid_for_in_the_order_in_which_they_are_given(position: Make) -> None:
    before = rich(position("england  F LON, F EDI, A LVP"), 1)
    result = judged(before, "ENGLAND F Edi - Nwg", "ENGLAND F Lon - Nth", "ENGLAND A Lvp - Wal")
    assert {str(unit) for unit in result.after.units} == {"F LON", "F NWG", "A WAL"}
    assert next(o.reason for o in result.outcomes if o.order.unit.at == "LON") == "not-paid"  # type: ignore[union-attr]
    assert purses(result.after) == {"ENGLAND": 0}


def test_only_the_last_order_for_a_unit_is_paid_for(position: Make) -> None:
    result = judged(rich(position("england  F LON"), 1), "ENGLAND F Lon - Eng", "ENGLAND F Lon - Nth")
    assert str(result.after.units[0]) == "F NTH"


def test_what_nobody_could_pay_is_refused_at_entry(position: Make) -> None:
    before = rich(position("england  F LON"), 0)
    wrong = legality(Move(before.units[0], "NTH"), before, RULES)
    assert wrong is not None and wrong.reason == "not-paid"


# -- Chance --------------------------------------------------------------------------------------------------------


def test_the_lot_of_a_phase_names_who_gets_more(board: Board) -> None:
    fall = replace(RULES.start(board), phase=RULES.calendar.read("F1901R"))
    for lot, power in enumerate(board.powers):
        after = purses(judged(fall, lot=lot).after)
        assert {p for p, ducats in after.items() if ducats == 4} == {power}
        assert set(after.values()) == {3, 4}


def test_a_game_draws_its_lots_once(board: Board) -> None:
    table = started("condottieri")
    for _ in range(2):
        table.process()
    assert table.game.position is not None
    lucky = [power for power, ducats in purses(table.game.position).items() if ducats == 4]
    assert len(lucky) == 1
    assert rebuild(table.events, table.systems).position == table.game.position


# -- Orders that are not read out ----------------------------------------------------------------------------------


def test_the_cause_of_a_failure_does_not_name_who_helped_in_secret(board: Board) -> None:
    table = started("condottieri")
    table.all_orders({"FRANCE": ["A Mar - Bur", "A Par S A Mar - Bur"], "GERMANY": ["A Mun - Bur"]}).process()
    (event,) = (event for event in table.events if isinstance(event, PhaseAdjudicated))
    whole = next(result for result in played_phase(event, board).results if str(result.order) == "A MUN - BUR")
    assert [str(unit) for unit in whole.outcome.by] == ["A MAR", "A PAR"]
    (row,) = (one for one in read_out(event, table.game).results if str(one.order) == "A MUN - BUR")
    assert ([str(unit) for unit in row.outcome.by], row.outcome.strengths) == (["A MAR"], None)
    text = json.dumps(plain(results_of(event, table.game, explain=True)))
    assert "bounced" in text or "rivals" in text
    assert "Paris" not in text and " against " not in text


@pytest.mark.parametrize("seed", range(4))
def test_nothing_read_out_rests_on_what_is_secret(board: Board, seed: int) -> None:
    """Robots play two years: of no order the end names a unit whose own order is secret, or counts supports."""
    table, chance = started("condottieri"), Random(seed)
    while table.game.stage is Stage.RUNNING and table.running.position.phase.year < 1903:
        everybody_orders(table, chance)
        table.process()
    for event in (event for event in table.events if isinstance(event, PhaseAdjudicated)):
        orders = {result.unit: result.order for result in played_phase(event, board).results if result.unit}
        for result in read_out(event, table.game).results:
            assert result.outcome.strengths is None
            target = province_of(result.order.to) if isinstance(result.order, Move) else ""
            helpers = [unit for unit in result.outcome.by if isinstance(orders.get(unit), Support)]
            assert all(province_of(unit.at) == target for unit in helpers)
        assert not re.search(r"\d against \d", json.dumps(plain(results_of(event, table.game, explain=True))))


# -- Deeds ---------------------------------------------------------------------------------------------------------


def raised(table: Table) -> list[str]:
    return [str(deed) for deed in table.game.deeds.get("FRANCE", ())]


def test_clear_withdraws_deeds_without_orders_too(board: Board) -> None:
    table = started("condottieri")
    table.tell(Do("banner", "Paris"), table.player("FRANCE"))
    assert raised(table) == ["banner Paris"]
    done = table.tell(Clear(), table.player("FRANCE"))
    assert isinstance(done, Decision) and done.said == "Your banner is withdrawn; nothing is on file now."
    assert raised(table) == []
    again = table.tell(Clear(), table.player("FRANCE"))
    assert isinstance(again, Refusal) and again.slug == "nothing-on-file"


@pytest.mark.parametrize("command", [Do("banner", "Marseilles"), Do("banner", "none"), Clear()], ids=str)
def test_a_deed_of_a_later_mail_stands_when_an_older_one_is_confirmed(board: Board, command: Command) -> None:
    table = started("condottieri")
    france, came = table.player("FRANCE"), table.now
    table.now += timedelta(hours=1)
    table.tell(Do("banner", "Paris"), france)
    later = later_words(table.game, ((event, event.at) for event in table.events), came)
    refused = table.tell(command, replace(france, later=later))
    assert isinstance(refused, Refusal) and refused.slug == "overtaken"
    assert raised(table) == ["banner Paris"]


# -- Powers in no player's hand ------------------------------------------------------------------------------------


def with_tunis(table: Table, owner: str) -> None:
    """The game stands as if this power owned Tunis when the phase began."""
    position = table.game.position
    assert position is not None
    given = MappingProxyType({**position.owners, "TUN": owner})
    table.game = replace(table.game, position=replace(position, owners=given))
    table.process()


def test_who_has_the_authority_orders_the_units(board: Board) -> None:
    table = started("condottieri")
    assert table.game.unplayed == {ITALY}
    with_tunis(table, "FRANCE")
    seat = table.game.seat_of(ITALY)
    assert seat is not None and seat.powers == ("FRANCE", ITALY)
    table.orders("FRANCE", "A Rome - Apulia")
    assert [line.order for line in table.game.sheets[ITALY].lines] == ["A ROM - APU"]
    with_tunis(table, "TURKEY")
    assert table.game.position is not None
    assert "A APU" in {str(unit) for unit in table.game.position.of(ITALY)}
    seat = table.game.seat_of(ITALY)
    assert seat is not None and seat.powers == ("TURKEY", ITALY)


def test_orders_are_void_when_another_gets_the_authority(board: Board) -> None:
    table = started("condottieri")
    with_tunis(table, "FRANCE")
    table.orders("FRANCE", "for F1901: A Rome - Apulia", "A Rome - Tuscany", "F Bre - Mao")
    with_tunis(table, "TURKEY")
    assert ITALY not in table.game.sheets and ITALY not in table.game.kept


# -- By mail -------------------------------------------------------------------------------------------------------


def test_it_is_played_by_mail(tmp_path: Path) -> None:
    file = HERE / "condottieri.mail"
    rehearse(
        read_transcript(file.read_text(encoding="utf-8"), file.name), lambda start: LocalJudge(tmp_path, start=start)
    )
