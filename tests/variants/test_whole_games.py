"""Every system is played by robots for some years: nothing is refused, no invariant breaks, every letter fits, the log
rebuilds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

from judge.board.phase import PhaseKind
from judge.daemon.robots import think_of_turn, write
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Status
from judge.game.core.events import GameCreated
from judge.game.core.evolve import begin, evolve
from judge.game.core.model import Game, Stage
from judge.mail.letters import Posting, Printer, compose
from judge.mail.script.copies import is_courtesy
from judge.report.core.letter import Cast, Member
from judge.report.mailing import letters_for
from judge.rules.calendar import Step
from judge.rules.model import SYSTEM_PRESETS
from tests.support.builders import GM, OFFICE, Table
from tests.variants.rule_systems import RULE_SYSTEMS as OF_TESTS
from tests.variants.rule_systems import enter

ROOT = Path(__file__).resolve().parents[2]
PHASES = 11
"""Of one game: more than two years."""


@pytest.fixture(scope="module")
def press() -> Printer:
    return Printer(ROOT / "templates")


@pytest.fixture(autouse=True)
def _rooms_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch)


@pytest.mark.parametrize("preset", sorted({*SYSTEM_PRESETS, *(name for system in OF_TESTS for name in system.presets)}))
def test_a_game_is_played_by_robots(preset: str, press: Printer) -> None:
    table = started(preset)
    cast = cast_of(table)
    chance = Random(preset)
    for _ in range(PHASES):
        everybody_orders(table, chance)
        table.process()
        check_position(table.game)
        for letter in letters_for(table.before, table.last, table.game, cast):
            stored = json.loads(letter.frozen())
            text = compose(letter.kind, letter.idem_key, stored, posting(), press).text
            wide = [line for line in text.splitlines() if len(line) > 78]
            assert not wide, (letter.kind, wide)
        if table.game.stage is Stage.ENDED:
            break
    assert rebuilt(table).position == table.game.position


@pytest.mark.long
@pytest.mark.parametrize("preset", ["1958", "1958-six", "1958-five"])
def test_a_game_of_1958_is_played_by_robots_to_its_end(preset: str) -> None:
    table = started(preset, {"end_after": "F1912"})
    chance = Random(preset)
    while table.game.stage is Stage.RUNNING:
        everybody_orders(table, chance)
        table.process()
        check_position(table.game)
    assert table.game.stage is Stage.ENDED
    assert rebuilt(table).position == table.game.position


def started(preset: str, settings: Mapping[str, str] = MappingProxyType({})) -> Table:
    """A game of the preset, with these settings, and a player at every power."""
    table = Table(ROOT / "maps", settings, preset=preset)
    table.tell(cmd.Open(), table.gm)
    for person in range(1, table.game.settings.players + 1):
        table.tell(cmd.Join(()), cmd.Actor(cmd.Role.STRANGER, "", person))
    table.tell(cmd.Start(), table.gm)
    assert table.game.stage is Stage.RUNNING, table.answer
    return table


def everybody_orders(table: Table, chance: Random) -> None:
    """Every player's robot sends its mail; nothing of it may be refused, but for names that it misspells on purpose."""
    for power in table.game.rules.for_players(table.game.board):
        text = write(think_of_turn(table.running, power, chance), table.game.board, chance)
        lines = [line for line in text.splitlines() if not is_courtesy(line)]  # as mails are read
        if not lines:
            continue
        answer = table.orders(power, *lines)
        if isinstance(answer, Decision):
            refused = [each for each in answer.verdicts if each.status is Status.REFUSED]
            assert {each.reason for each in refused} <= {"no-such-place", "two-meanings", "not-paid"}, (power, refused)


def check_position(game: Game) -> None:
    """Nothing is wrong with it, and after the adjustments nobody has too many units."""
    position = game.position
    assert position is not None
    assert position.status(game.rules.stacks(position)) == (), position.phase
    if any(step.kind is PhaseKind.ADJUSTMENTS for step in steps_since_moves(game)):
        ledgers = (game.rules.ledgers(position, power).values() for power in game.board.powers)
        assert all(due >= 0 for dues in ledgers for due in dues)


def steps_since_moves(game: Game) -> list[Step]:
    """The phases between the last moves and the present phase, if that is for moves."""
    assert game.phase is not None
    steps, here = game.calendar.steps, game.calendar.steps.index(game.calendar.step(game.phase))
    before = [steps[here - back] for back in range(1, len(steps))] if game.phase.kind is PhaseKind.MOVES else []
    return list(takewhile(lambda step: step.kind is not PhaseKind.MOVES, before))


def rebuilt(table: Table) -> Game:
    first, *others = table.events
    assert isinstance(first, GameCreated)
    game = begin(first, table.systems)
    for event in others:
        game = evolve(game, event, table.systems)
    return game


def cast_of(table: Table) -> Cast:
    people = {n: Member(n, f"Player {n}", f"p{n}@players.test", "", "") for n in (*range(1, 35), GM)}
    return Cast(MappingProxyType(people), OFFICE)


def posting() -> Posting:
    return Posting(
        to="p@players.test", to_name="P", from_address="judge@judge.test", reply_to="judge+kq7wseat@judge.test",
        date=datetime(2027, 1, 1, 12, tzinfo=UTC), domain="judge.test", secret=b"a key for tests",
    )  # fmt: skip
