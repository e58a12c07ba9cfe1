"""Events are the truth: stored as JSON they come back equal, and rebuilt from them the game is the same."""

import json

import pytest

from judge.game import FEATURES
from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.events import from_json, kinds, to_json
from judge.game.core.evolve import REGISTRY, Feature, Registry, TakenTwice, rebuild
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
