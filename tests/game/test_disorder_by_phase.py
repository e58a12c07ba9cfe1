"""Civil disorder is judged phase by phase: complete orders for one phase count, whatever the rest of the turn lacks."""

from __future__ import annotations

from pathlib import Path

from judge.game.events import PhaseAdjudicated
from judge.testing.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"


def test_who_ordered_his_moves_is_not_in_disorder_for_builds_that_he_did_not_send() -> None:
    """Found by a soak: moves, retreats and builds under one deadline, and a builder who sent only his moves."""
    table = Table(MAPS, {"nmr": "disorder", "seasons": "2"}).seated().started()
    table.orders("ITALY", "A ven-tri", "A rom-apu", "F nap-ion")
    table.process()
    table.orders("ITALY", "F ion-tun", "A apu h", "A ven-tri" if table.game.position.at("VEN") else "A tri h")  # type: ignore[union-attr]
    table.process()
    played = {event.phase: event for event in table.last if isinstance(event, PhaseAdjudicated)}
    assert "ITALY" not in played["F1901M"].disorder
    assert "ITALY" in played["W1901A"].disorder
