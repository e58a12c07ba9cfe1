"""A log that an older program wrote still rebuilds: its events go through their upcasters."""

import json
from pathlib import Path

from judge.game.core import events as ev
from judge.game.core.events import UPCASTERS, from_json, kinds
from judge.game.core.evolve import rebuild
from judge.game.filing.standing import State, standing
from tests.support.builders import Table

FOLDER = Path(__file__).resolve().parent / "logs"


def recorded(name: str) -> list[ev.Event]:
    rows = [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    return [from_json(row["kind"], row["version"], row["data"]) for row in rows]


def test_faults_that_were_mere_texts(table: Table) -> None:
    """Schema 1 of OrdersFiled: two seasons, with lines asked back, mended, and asked back again."""
    events = recorded("orders-filed-1.jsonl")
    game = rebuild(events, table.systems)
    assert str(game.phase) == "F1901M"
    italy, germany = game.sheets["ITALY"], game.sheets["GERMANY"]
    assert [fault.text for fault in italy.faults] == ["A Tyr - Vienna is nice", "A Tyr - Boh"]
    assert [(fault.phase, fault.unit, fault.at) for fault in germany.faults] == [("F1901M", None, table.now)]
    assert [line.order for line in germany.lines] == ["F KIE - DEN"]
    assert standing(game, "ITALY").state is State.NEEDS_CORRECTION


def test_what_an_old_log_could_not_tell_makes_nobody_late_whose_orders_are_in(table: Table) -> None:
    table.events = recorded("orders-filed-1.jsonl")
    table.game = rebuild(table.events, table.systems)
    table.orders("GERMANY", "all hold")
    assert standing(table.game, "GERMANY").state is State.COMPLETE


def test_every_upcaster_leads_to_the_next_schema() -> None:
    for kind, version in UPCASTERS:
        assert version < kinds()[kind].VERSION
