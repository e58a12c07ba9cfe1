"""Sandboxes: one person for all powers, on every board; going back, editing, how long they stay; nothing counts."""

from datetime import timedelta

import pytest

from judge.board.phase import PhaseKind
from judge.board.position import position_to_json
from judge.game.clock.clockwork import next_wake
from judge.game.core import commands as cmd
from judge.game.core.commands import Refusal
from judge.game.core.events import GameEnded, PhaseAdjudicated
from judge.game.core.model import Begun, Stage
from judge.game.office.reliability import counted
from judge.game.settings.bundles import PRESETS, bundle
from judge.game.settings.table import settings_from_text
from judge.game.table.sandbox import (
    FADING,
    KEPT,
    START,
    EditBoard,
    GoOn,
    PracticeCleared,
    SandboxFading,
    ShareSandbox,
    StepBack,
    board_settings,
)
from judge.game.table.scoring import score_of
from tests.support.builders import Table

OTHER = cmd.Actor(cmd.Role.STRANGER, "", 9)


@pytest.fixture
def sandbox(table: Table) -> Table:
    return table.in_sandbox()


def do(table: Table, command: cmd.Command) -> object:
    return table.tell(command, cmd.Actor(cmd.Role.PLAYER, "1", 1, "a mail"))


def play(table: Table) -> None:
    """The player says `process`, and the clock looks at the game."""
    do(table, GoOn())
    table.tick(table.now)


def units(table: Table, power: str) -> set[str]:
    assert isinstance(table.game, Begun)
    return {str(unit) for unit in table.game.position.of(power)}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_board_is_played_by_one_person_and_goes_back_to_where_it_began(table: Table, preset: str) -> None:
    table.in_sandbox(board_settings(settings_from_text(bundle(preset))))
    game = table.game
    assert isinstance(game, Begun) and game.position.phase.kind is not PhaseKind.TALKS
    began = position_to_json(game.position)
    for _ in range(5):
        play(table)
    assert isinstance(table.game, Begun) and table.game.position.phase != game.position.phase
    do(table, StepBack(START))
    assert isinstance(table.game, Begun)
    assert position_to_json(table.game.position) == began
    assert (table.game.chart, table.game.past, table.game.sheets) == (game.chart, (), {})


def test_what_was_ordered_is_on_file_again_and_is_not_played_before_a_word(sandbox: Table) -> None:
    sandbox.orders("FRANCE", "A Par - Bur", "A Mun - Ruh")
    play(sandbox)
    do(sandbox, StepBack())
    assert [str(line.order) for line in sandbox.game.sheets["FRANCE"].lines] == ["A PAR - BUR"]
    assert str(sandbox.tick(sandbox.now).game.phase) == "S1901M"
    play(sandbox)
    assert units(sandbox, "FRANCE") == {"A BUR", "A MAR", "F BRE"}


def test_a_phase_in_which_every_unit_has_an_order_is_played_by_itself_even_after_going_back(sandbox: Table) -> None:
    sandbox.orders("FRANCE", *[f"{unit} H" for power in sandbox.game.board.powers for unit in units(sandbox, power)])
    assert next_wake(sandbox.game, sandbox.now) == sandbox.now
    sandbox.tick(sandbox.now)
    do(sandbox, StepBack())
    assert next_wake(sandbox.game, sandbox.now) != sandbox.now
    sandbox.orders("FRANCE", "A Par - Bur")
    assert str(sandbox.tick(sandbox.now).game.phase) == "F1901M"
    assert "A BUR" in units(sandbox, "FRANCE")


def test_a_phase_played_again_has_a_number_of_its_own_so_that_no_picture_shows_another_one(sandbox: Table) -> None:
    play(sandbox)
    do(sandbox, StepBack())
    play(sandbox)
    do(sandbox, EditBoard("phase S1901M"))
    play(sandbox)
    played = [event for event in sandbox.events if isinstance(event, PhaseAdjudicated)]
    assert [event.phase for event in played] == ["S1901M"] * 3
    assert len({event.version for event in played}) == 3


def test_it_is_known_how_far_one_can_go_back(sandbox: Table) -> None:
    assert isinstance(do(sandbox, StepBack()), Refusal)
    for _ in range(4):
        play(sandbox)
    refusal = do(sandbox, StepBack("F1912M"))
    assert isinstance(refusal, Refusal) and "S1901M, F1901M" in refusal.sentence
    do(sandbox, StepBack(steps=2))
    assert str(sandbox.game.phase) == "S1902M"


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ("A Par at Bur; A Bur at Gas", ['No single unit on the board is "A Bur".']),
        ("add France A Mun; F Kie at Boh", ["A fleet cannot stand in Boh.", "Two units would stand in Munich."]),
        ("centre Bur France; centre Par Gondor", ["not a centre", "not a power"]),
        ("A Par", ['I cannot read "A Par"']),
        ("phase W1901M", ["not a phase of this game"]),
        ("phase F1901R", ["follows from moves"]),
        (".", ["Say what to change"]),
        ("A Par at Par", ["that already"]),
    ],
)
def test_an_edit_is_refused_with_everything_that_is_wrong_with_it(
    sandbox: Table, changes: str, faults: list[str]
) -> None:
    before = sandbox.game
    refusal = do(sandbox, EditBoard(changes))
    assert isinstance(refusal, Refusal) and sandbox.game is before
    assert [fault for fault in faults if fault not in refusal.sentence] == []


def test_an_empty_board_is_filled_piece_by_piece(sandbox: Table) -> None:
    do(sandbox, EditBoard("clear; add France A Bur, add Germany A Mun; phase F1907M; centre Mun nobody"))
    assert (units(sandbox, "FRANCE"), units(sandbox, "GERMANY"), units(sandbox, "ITALY")) == (
        {"A BUR"},
        {"A MUN"},
        set(),
    )
    sandbox.orders("FRANCE", "A Bur - Mun", "A Mun - Ber")
    play(sandbox)
    assert isinstance(sandbox.game, Begun) and sandbox.game.position.owners["MUN"] == "FRANCE"
    do(sandbox, EditBoard("reset"))
    assert (str(sandbox.game.phase), len(units(sandbox, "RUSSIA"))) == ("S1901M", 4)


def test_orders_stay_for_units_that_an_edit_leaves_alone(sandbox: Table) -> None:
    sandbox.orders("FRANCE", "A Par - Bur", "A Mar H")
    do(sandbox, EditBoard("A Par at Pic"))
    assert [str(line.order) for line in sandbox.game.sheets["FRANCE"].lines] == ["A MAR H"]


def test_nobody_else_orders_edits_or_shares_it(sandbox: Table) -> None:
    for command in (StepBack(), EditBoard("clear"), ShareSandbox(), GoOn()):
        assert isinstance(sandbox.tell(command, OTHER), Refusal)


def test_in_another_game_it_is_said_how_to_take_a_position_out_of_it(table: Table) -> None:
    refusal = table.seated().started().tell(StepBack(), table.player("FRANCE"))
    assert isinstance(refusal, Refusal) and refusal.mend == f"sandbox {table.game.key}"


def test_it_goes_a_month_after_the_last_mail_and_its_player_is_told_before(sandbox: Table) -> None:
    sandbox.now += timedelta(days=10)
    sandbox.orders("FRANCE", "A Par H")
    last = sandbox.now
    assert next_wake(sandbox.game, sandbox.now) == last + KEPT - FADING
    assert any(isinstance(event, SandboxFading) for event in sandbox.tick(last + KEPT - FADING).last)
    ended = next(event for event in sandbox.tick(last + KEPT).last if isinstance(event, GameEnded))
    assert ended.reason == "lapsed"
    assert any(isinstance(event, PracticeCleared) for event in sandbox.tick(last + KEPT + timedelta(days=1)).last)
    assert next_wake(sandbox.game, sandbox.now) is None


def test_a_sandbox_that_is_won_is_not_rated_and_one_can_go_back_before_that(sandbox: Table) -> None:
    won = list(sandbox.game.board.centres)[:18]
    do(sandbox, EditBoard(f"phase F1907M; {'; '.join(f'centre {centre} France' for centre in won)}"))
    play(sandbox)
    assert sandbox.game.stage is Stage.ENDED and score_of(sandbox.game) is None
    assert counted(sandbox.game, sandbox.events) == {}
    do(sandbox, StepBack())
    assert (sandbox.game.stage, str(sandbox.game.phase)) == (Stage.RUNNING, "F1907M")
