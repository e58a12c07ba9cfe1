"""Civil disorder is judged phase by phase: complete orders for one phase count, whatever the rest of the turn lacks."""

from __future__ import annotations

from pathlib import Path

from judge.game.core.events import PhaseAdjudicated
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"


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
