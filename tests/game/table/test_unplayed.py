"""Fewer players than powers, by the Gamemaster's choice: the powers that nobody plays stand as in civil disorder."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.model import Stage
from tests.support.builders import Table

MAPS = Path(__file__).parents[3] / "maps"


def seated(**settings: str) -> Table:
    table = Table(MAPS, settings)
    table.tell(cmd.Open(), table.gm)
    for person in range(1, table.game.settings.players + 1):
        table.tell(cmd.Join(()), cmd.Actor(cmd.Role.STRANGER, "", person))
    table.tell(cmd.Start(), table.gm)
    return table


def test_as_many_players_are_needed_as_powers_are_left() -> None:
    game = seated(unplayed="Italy and Turkey").game
    assert game.stage is Stage.RUNNING and game.settings.players == 5
    assert game.unplayed == {"ITALY", "TURKEY"} and len(game.seats) == 5


def test_their_units_stand_and_are_disbanded_when_dislodged() -> None:
    table = seated(unplayed="Italy")
    table.orders("AUSTRIA", "A Vie - Tyr", "F Tri - Adr", "A Bud H")
    table.process()
    table.orders("AUSTRIA", "A Tyr - Ven", "F Adr S A Tyr - Ven", "A Bud H")
    table.process()
    position = table.game.position
    assert position is not None and {str(unit) for unit in position.of("ITALY")} == {"A ROM", "F NAP"}
    assert str(table.game.phase) != "F1901R", "nobody is asked to retreat for them"


def test_nobody_waits_for_them_and_they_share_no_draw() -> None:
    table = seated(unplayed="Italy")
    assert "ITALY" not in table.game.sharers and "ITALY" not in table.game.survivors
    for power in table.game.rules.for_players(table.game.board):
        table.orders(power, "hold all")
    table.process()
    assert str(table.game.phase) == "F1901M"


def test_the_number_of_players_moves_with_it() -> None:
    table = Table(MAPS, {})
    answer = table.tell(cmd.ChangeSettings("unplayed", "Italy, Germany"), table.gm)
    assert isinstance(answer, Decision) and "5 seats" in answer.said
    assert table.game.settings.players == 5
    table.tell(cmd.ChangeSettings("unplayed", "none"), table.gm)
    assert table.game.settings.players == 7 and not table.game.board.powers["ITALY"].minor


@pytest.mark.parametrize(
    ("unplayed", "said"),
    [
        ("Sweden", '"Sweden" is not a power of this board'),
        ("Austria, England, France, Germany, Italy, Russia", "at least 2 powers"),
    ],
)
def test_what_cannot_be_is_refused(unplayed: str, said: str) -> None:
    table = Table(MAPS, {})
    answer = table.tell(cmd.ChangeSettings("unplayed", unplayed), table.gm)
    assert isinstance(answer, Refusal) and said in answer.sentence


def test_rules_that_give_the_power_to_a_player_go_first() -> None:
    table = Table(MAPS, {}, preset="four")
    answer = table.tell(cmd.ChangeSettings("unplayed", "Italy"), table.gm)
    assert isinstance(answer, Refusal) and "a player holds Italy" in answer.sentence


def test_not_more_may_have_joined_than_would_have_a_seat() -> None:
    table = Table(MAPS, {})
    table.tell(cmd.Open(), table.gm)
    for person in range(1, 7):
        table.tell(cmd.Join(()), cmd.Actor(cmd.Role.STRANGER, "", person))
    answer = table.tell(cmd.ChangeSettings("unplayed", "Italy, Germany"), table.gm)
    assert isinstance(answer, Refusal) and "take one off the list first" in answer.sentence and not answer.mend
    assert table.game.settings.players == 7
