"""The Gamemaster at the table: ordering for a power, headlines, the veil, disqualification, his office."""

from datetime import timedelta

import pytest

from judge.acts.office import Adopt, Deputize, DismissDeputy, HandOver
from judge.game.clock.holds import HoldGame
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import from_json, to_json
from judge.game.core.model import Stage
from judge.game.office.rulings import Disqualify, Headline, ImportPosition, OrderAs, Reveal
from judge.game.table.vacancies import Claim
from tests.support.builders import GM, Table

HAL = 8


def slug(result: Decision | Refusal) -> str:
    assert isinstance(result, Refusal), result
    return result.slug


def as_france(*lines: str) -> OrderAs:
    return OrderAs("FRANCE", tuple(cmd.OrderLine(n, text) for n, text in enumerate(lines, 1)))


# --- orders for a power -------------------------------------------------------------------------------------------


def test_the_gamemaster_files_orders_for_a_power_under_his_own_name(table: Table) -> None:
    table.tell(as_france("A Par - Bur"), table.gm)
    [filed] = table.last
    assert isinstance(filed, ev.OrdersFiled) and (filed.power, filed.by) == ("FRANCE", "gm")
    assert slug(table.tell(as_france("A Par - Bur"), table.player("ENGLAND"))) == "gm-only"


def test_a_slip_of_his_is_no_fault_of_the_player(table: Table) -> None:
    table.orders("FRANCE", "A Par - Bur", "A Mar H", "F Bre H")
    then = table.game.sheets["FRANCE"]
    answer = table.tell(as_france("A Par - Moon"), table.gm)
    assert isinstance(answer, Decision) and not answer.events and answer.verdicts[0].sentence
    assert table.game.sheets["FRANCE"] == then
    table.tell(as_france("A Par - Moon", "A Mar - Spa"), table.gm)
    assert table.game.sheets["FRANCE"].faults == ()


# --- headlines ----------------------------------------------------------------------------------------------------


def test_a_headline_waits_for_the_next_report_and_goes_with_it(table: Table) -> None:
    table.tell(Headline("Quiet  in the west"), table.gm)
    assert table.game.headline == "Quiet in the west"
    table.process()
    assert table.game.headline == ""


def test_there_are_no_headlines_once_a_player_objected(table: Table) -> None:
    table.tell(cmd.ChangeSettings("headlines", "no"), table.gm)
    assert slug(table.tell(Headline("War!"), table.gm)) == "no-headlines"


# --- the veil and the record --------------------------------------------------------------------------------------


def test_the_veil_can_be_lifted_once(table: Table) -> None:
    assert slug(table.tell(Reveal(), table.gm)) == "known"


def test_disqualification_needs_a_reason_and_bars_the_player(table: Table) -> None:
    assert slug(table.tell(Disqualify("GERMANY"), table.gm)) == "no-reason"
    germany = table.player("GERMANY")
    table.tell(Disqualify("GERMANY", "forged a letter"), table.gm)
    [event] = table.last
    assert isinstance(event, ev.SeatVacated) and (event.why, event.reason) == ("disqualified", "forged a letter")
    assert germany.person in table.game.barred
    assert slug(table.tell(Claim("GERMANY"), cmd.Actor(cmd.Role.STRANGER, "", germany.person))) == "barred"


# --- the office ---------------------------------------------------------------------------------------------------


def test_a_deputy_acts_until_the_day_named_and_is_logged_beside_the_gamemaster(table: Table) -> None:
    table.tell(Deputize(HAL, table.now + timedelta(days=10)), table.gm)
    assert table.game.is_deputy(HAL, table.now)
    assert not table.game.is_deputy(HAL, table.now + timedelta(days=11))
    deputy = cmd.Actor(cmd.Role.GM, cmd.GM_SEAT, GM, deputy=HAL)
    table.tell(HoldGame("holidays"), deputy)
    [event] = table.last
    assert (event.by, event.deputy) == ("gm", HAL)
    assert from_json("GameHeld", 1, to_json(event)) == event


def test_a_deputy_cannot_give_the_game_away(table: Table) -> None:
    deputy = cmd.Actor(cmd.Role.GM, cmd.GM_SEAT, GM, deputy=HAL)
    assert slug(table.tell(HandOver(HAL), deputy)) == "deputy"
    assert slug(table.tell(Deputize(HAL, table.now + timedelta(days=9)), deputy)) == "deputy"


@pytest.mark.parametrize(("days", "reason"), [(-1, "in-the-past"), (200, "too-long")])
def test_a_deputy_is_for_a_while(table: Table, days: int, reason: str) -> None:
    assert slug(table.tell(Deputize(HAL, table.now + timedelta(days=days)), table.gm)) == reason


def test_players_are_no_deputies_and_a_deputy_can_be_dismissed(table: Table) -> None:
    assert slug(table.tell(Deputize(3, table.now + timedelta(days=9)), table.gm)) == "plays"
    assert slug(table.tell(DismissDeputy(), table.gm)) == "no-deputy"
    table.tell(Deputize(HAL, table.now + timedelta(days=9)), table.gm)
    table.tell(DismissDeputy(), table.gm)
    assert not table.game.is_deputy(HAL, table.now)


def test_a_game_changes_hands_when_both_say_so(table: Table) -> None:
    stranger = cmd.Actor(cmd.Role.STRANGER, "", HAL)
    assert slug(table.tell(Adopt(), stranger)) == "not-offered"
    table.tell(HandOver(HAL), table.gm)
    assert table.game.gm == GM
    table.tell(Adopt(), stranger)
    assert (table.game.gm, table.game.gm_tenure, table.game.heir) == (HAL, 2, 0)


def test_the_operator_finds_an_orphan_a_new_gamemaster_who_does_not_play_in_it(table: Table) -> None:
    operator = cmd.Actor(cmd.Role.OPERATOR)
    assert slug(table.tell(Adopt(3), operator)) == "gm-plays"
    table.tell(Adopt(HAL), operator)
    assert table.game.gm == HAL


# --- games begun elsewhere ----------------------------------------------------------------------------------------

BY_HAND = """France: A Par, F Bre, A Mar
England: F Lon, F North Sea
Russia: F StP/sc, A Mos
France owns Par, Bre, Mar, Spain
England owns Lon, Edi, Lvp
Russia owns StP, Mos"""


def test_a_game_run_by_hand_goes_on_where_it_was(hall: Table) -> None:
    hall.tell(ImportPosition("F1903M", BY_HAND), hall.gm)
    hall.seated().started()
    assert hall.game.stage is Stage.RUNNING and str(hall.game.phase) == "F1903M"
    position = hall.game.position
    assert position is not None
    assert {str(unit) for unit in position.of("RUSSIA")} == {"F STP/SC", "A MOS"}
    assert position.centres("FRANCE") == ("BRE", "MAR", "PAR", "SPA")
    assert len({unit.id for unit in position.units}) == 7


def test_without_lists_of_centres_homes_and_what_is_occupied_count(hall: Table) -> None:
    hall.tell(ImportPosition("S1902M", "France: A Par, A Bel\nGermany: A Mun"), hall.gm)
    assert hall.game.imported is not None
    assert hall.game.imported.owners["BEL"] == "FRANCE" and hall.game.imported.owners["KIE"] == "GERMANY"


@pytest.mark.parametrize(
    ("phase", "text", "reason"),
    [
        ("Easter", "France: A Par", "no-phase"),
        ("S1902M", "", "no-units"),
        ("S1902M", "Atlantis: A Par", "no-power"),
        ("S1902M", "France: A North Sea", "no-place"),
        ("S1902M", "France: F Spain", "which-coast"),
        ("S1902M", "France: A Par, F Bre\nEngland: A Par", "crowded"),
        ("S1902M", "France owns Burgundy", "no-centre"),
    ],
)
def test_a_faulty_list_is_refused_with_its_reason(hall: Table, phase: str, text: str, reason: str) -> None:
    assert slug(hall.tell(ImportPosition(phase, text), hall.gm)) == reason


def test_a_running_game_is_not_replaced_by_another_position(table: Table) -> None:
    assert slug(table.tell(ImportPosition("S1902M", "France: A Par"), table.gm)) == "begun"
