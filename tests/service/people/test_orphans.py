"""A game that lost its Gamemaster goes on under another one, by the operator's word."""

from pathlib import Path

import pytest

from judge.service.turning.orphans import CannotAdopt, give_to
from judge.testing.casting import player_of
from tests.support.standing import seated


def test_the_operator_gives_an_orphan_away_and_everybody_is_told(tmp_path: Path) -> None:
    stage = seated(tmp_path)
    stage.begin()
    stage.send("carla@players.test", "register name Carla")
    give_to(stage.judge, "baltic", "carla@players.test")
    stage.settle()
    assert "Carla is the new Gamemaster of baltic." in stage.inbox(player_of("FRANCE"))[-1].text
    letter = stage.inbox("carla@players.test")[-1]
    stage.send("carla@players.test", "process S1901M", to=letter.reply_to)
    stage.send("carla@players.test", "confirm", to=stage.inbox("carla@players.test")[-1].reply_to)
    assert str(stage.game("baltic").phase) == "F1901M"
    stage.close()


@pytest.mark.parametrize(
    ("key", "address", "said"),
    [
        ("nowhere", "france@players.test", "no game named nowhere"),
        ("baltic", "x@y.test", "not registered"),
        ("baltic", "france@players.test", "leave it first"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, key: str, address: str, said: str) -> None:
    stage = seated(tmp_path)
    stage.begin()
    with pytest.raises(CannotAdopt, match=said):
        give_to(stage.judge, key, address)
    stage.close()
