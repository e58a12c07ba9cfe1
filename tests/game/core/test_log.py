"""Events are the truth: stored as JSON they come back equal, and rebuilt from them the game is the same."""

import json
from pathlib import Path

import pytest

from judge.game import FEATURES
from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.events import UPCASTERS, from_json, kinds, to_json
from judge.game.core.evolve import REGISTRY, Feature, Registry, TakenTwice, rebuild
from judge.game.filing.standing import State, standing
from judge.game.talk.ballots import ProposeDraw
from tests.support.builders import Table


def played() -> list[str]:
    return ["A Par - Bur", "A Mar - Spa", "F Bre - Mao"]


def busy(table: Table) -> Table:
    table.orders("FRANCE", *played())
    table.tell(cmd.SendPress("Peace?", to=("GERMANY",)), table.player("FRANCE"))
    table.tell(cmd.Wait(on=True), table.player("FRANCE"))
    table.tell(ProposeDraw(), table.player("ITALY"))
    table.tell(cmd.Note("A fine start."), table.gm)
    table.process()
    table.tell(HoldGame("holiday"), table.gm)
    table.tell(Resume(), table.gm)
    table.tell(cmd.Assign("TURKEY", 8), table.gm)
    table.tell(cmd.EndGame("enough"), table.gm)
    return table


def test_every_event_comes_back_from_its_json(table: Table) -> None:
    for event in busy(table).events:
        text = json.dumps(to_json(event))
        assert from_json(type(event).__name__, event.VERSION, json.loads(text)) == event


def test_a_game_rebuilt_from_its_log_is_the_same_game(table: Table) -> None:
    busy(table)
    again = rebuild(table.events, table.systems)
    assert again == table.game


def test_every_kind_of_event_has_a_handler() -> None:
    special = {ev.GameCreated, ev.SettingChanged}
    assert set(kinds().values()) - special == set(REGISTRY.evolvers)


def test_two_features_cannot_answer_for_one_event() -> None:
    registry = Registry()
    with pytest.raises(TakenTwice, match="GameOpened is answered for twice"):
        registry.add([*FEATURES, Feature(evolve={ev.GameOpened: lambda game, event: game})])


# -- A log that an older program wrote still rebuilds: its events go through their upcasters --


FOLDER = Path(__file__).resolve().parents[1] / "logs"


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
