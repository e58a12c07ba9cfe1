"""What must be decided before a game opens, and what counts as deciding it."""

from pathlib import Path

import pytest

from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Context, Decision, Refusal
from judge.game.core.events import from_json, to_json
from judge.game.core.model import Stage
from judge.game.office.desk import create
from judge.game.table.deciding import MATTERS, Matter, TakePreset, undecided
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"


def bare(settings: dict[str, str] | None = None) -> Table:
    """A game for which nothing was said, but what is said here; the table itself always says `nmr`."""
    return Table(MAPS, settings, preset="")


def names(table: Table) -> list[str]:
    return [matter.name for matter in undecided(table.game)]


def test_values_that_nobody_chose_are_no_decisions() -> None:
    assert names(bare({"nmr": ""})) == [matter.name for matter in MATTERS]
    answer = bare().tell(cmd.Open(), bare().gm)
    assert isinstance(answer, Refusal)
    assert answer.slug == "undecided" and "4 things are still to be decided" in answer.sentence


@pytest.mark.parametrize("matter", MATTERS, ids=lambda matter: matter.name)
def test_the_line_that_the_checklist_offers_decides_its_matter(matter: Matter) -> None:
    table = bare({"nmr": ""})
    _, name, value = matter.line.split(maxsplit=2)
    table.tell(cmd.ChangeSettings(name, value), table.gm)
    assert matter.name not in names(table) and len(names(table)) == len(MATTERS) - 1


def test_saying_the_value_that_it_has_already_decides_too() -> None:
    table = bare()
    shown = "white, black"
    answer = table.tell(cmd.ChangeSettings("press", shown), table.gm)
    assert isinstance(answer, Decision) and "now decided" in answer.said
    assert "press" not in names(table)
    answer = table.tell(cmd.ChangeSettings("press", shown), table.gm)
    assert isinstance(answer, Decision) and not answer.events and "already" in answer.said


def test_a_policy_that_was_emptied_again_is_undecided_even_after_a_preset() -> None:
    table = bare()
    table.tell(TakePreset("standard"), table.gm)
    table.tell(cmd.ChangeSettings("nmr", ""), table.gm)
    assert names(table) == ["nmr"]


@pytest.mark.parametrize(("name", "value"), [("rules", "1982"), ("paradox", "thundar"), ("choices", "paradox=1971")])
def test_paradoxes_are_settled_by_naming_the_rules_or_the_rule(name: str, value: str) -> None:
    assert "paradox" not in names(bare({name: value}))


def test_a_single_rule_joins_those_that_differ_already() -> None:
    table = bare({"choices": "waiving=by-order", "paradox": "thundar"})
    assert table.game.settings.choices == ("paradox=thundar", "waiving=by-order")
    table.tell(cmd.ChangeSettings("paradox", "szykman"), table.gm)
    assert table.game.settings.choices == ("paradox=szykman", "waiving=by-order")
    wrong = table.tell(cmd.ChangeSettings("paradox", "coin"), table.gm)
    assert isinstance(wrong, Refusal) and "szykman" in wrong.sentence


def test_a_preset_decides_everything_and_keeps_what_it_does_not_speak_of() -> None:
    table = bare({"zone": "Europe/Berlin"})
    table.tell(TakePreset("fast"), table.gm)
    assert not names(table)
    assert (str(table.game.settings.moves), table.game.settings.zone) == ("1d", "Europe/Berlin")
    table.tell(cmd.Open(), table.gm)
    assert table.game.stage is Stage.OPEN
    late = table.tell(TakePreset("standard"), table.gm)
    assert isinstance(late, Refusal) and late.slug == "opened"


def test_players_may_not_take_a_preset() -> None:
    table = bare()
    answer = table.tell(TakePreset("fast"), cmd.Actor(cmd.Role.STRANGER, "", 3))
    assert isinstance(answer, Refusal) and answer.slug == "gm-only"


def test_a_game_made_before_there_was_a_checklist_has_everything_decided() -> None:
    created = to_json(bare().events[0])
    del created["decided"]
    event = from_json("GameCreated", 1, created)
    assert isinstance(event, ev.GameCreated) and event.decided == (ev.EVERYTHING,)


def test_a_game_is_not_promised_to_fewer_players_than_it_can_begin_with() -> None:
    hall = bare()
    answer = hall.tell(cmd.ChangeSettings("players", "5"), hall.gm)
    assert isinstance(answer, Refusal) and answer.mend == "set players 7"
    assert isinstance(hall.tell(cmd.ChangeSettings("players", "7"), hall.gm), Decision)
    made = create(cmd.Create("five", "standard", (("players", "5"),)), Context(hall.gm, hall.now, systems=hall.systems))
    assert isinstance(made, Refusal) and made.slug == "players"
