"""Civil disorder in the middle of a game (XIV): nobody waits for a vacant power, until somebody takes it over."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import PhaseAdjudicated
from judge.game.filing.standing import seats_behind, standings
from judge.game.table.vacancies import Claim, Disorder, Revive
from tests.support.builders import Table

MAPS = Path(__file__).parents[3] / "maps"


@pytest.fixture
def table() -> Table:
    """A running game in which Italy has no player."""
    table = Table(MAPS, {}).seated().started()
    table.tell(cmd.Vacate("ITALY"), table.gm)
    return table


def test_nobody_waits_for_a_power_in_disorder(table: Table) -> None:
    assert [seat.powers for seat in seats_behind(table.game) if not seat.filled] == [("ITALY",)]
    answer = table.tell(Disorder("ITALY"), table.gm)
    assert isinstance(answer, Decision) and "revive Italy" in answer.said
    assert "ITALY" not in {one.power for one in standings(table.game)}
    assert "ITALY" in table.game.unplayed


def test_its_units_stand_and_have_no_retreat(table: Table) -> None:
    table.tell(Disorder("ITALY"), table.gm)
    table.orders("AUSTRIA", "A Vie - Tyr", "F Tri - Adr", "A Bud H")
    table.process()
    table.orders("AUSTRIA", "A Tyr - Ven", "F Adr S A Tyr - Ven", "A Bud H")
    table.process()
    position = table.game.position
    assert position is not None and {str(unit) for unit in position.of("ITALY")} == {"A ROM", "F NAP"}


def test_revived_it_is_waited_for_like_any_vacant_power(table: Table) -> None:
    table.tell(Disorder("ITALY"), table.gm)
    table.tell(Revive("ITALY"), table.gm)
    assert "ITALY" in {power for seat in seats_behind(table.game) for power in seat.powers}


def test_whoever_takes_it_over_ends_the_disorder(table: Table) -> None:
    table.tell(Disorder("ITALY"), table.gm)
    table.now += timedelta(hours=1)
    table.tell(Claim("ITALY"), cmd.Actor(cmd.Role.STRANGER, "", 33))
    seat = table.game.seat_of("ITALY")
    assert seat is not None and seat.person == 33 and not seat.disorder
    assert "ITALY" not in table.game.unplayed


def test_what_cannot_be_is_refused(table: Table) -> None:
    played = table.tell(Disorder("FRANCE"), table.gm)
    assert isinstance(played, Refusal) and played.mend == "vacate France"
    not_so = table.tell(Revive("ITALY"), table.gm)
    assert isinstance(not_so, Refusal) and not_so.mend == "disorder Italy"
    forming = Table(MAPS, {})
    early = forming.tell(Disorder("ITALY"), forming.gm)
    assert isinstance(early, Refusal) and "set unplayed Italy" in early.sentence


# -- phase by phase: complete orders for one phase count, whatever the rest of the turn lacks --


def test_who_ordered_his_moves_is_not_in_disorder_for_the_retreat_that_follows() -> None:
    """Found by a soak: moves and retreats under one deadline, a player whose moves are in and whose unit is driven out.

    He could not order the retreat before he knew of it; he was called a collapsed government in his moves.
    """
    table = Table(MAPS, {"nmr": "disorder", "seasons": "2"}).seated().started()
    table.all_orders({"ITALY": ["A ven h", "A rom h", "F nap h"], "AUSTRIA": ["A vie-tyr", "F tri h", "A bud h"]})
    table.process()
    table.all_orders({"ITALY": ["A ven h", "A rom h", "F nap h"]})
    table.all_orders({"AUSTRIA": ["A tyr-ven", "F tri s A tyr-ven", "A bud h"]})
    table.process()
    played = {event.phase: event for event in table.last if isinstance(event, PhaseAdjudicated)}
    assert "ITALY" not in played["F1901M"].disorder
    assert "FRANCE" in played["F1901M"].disorder
    assert "ITALY" in played["F1901R"].disorder
