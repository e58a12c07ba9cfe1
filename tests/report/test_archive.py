"""The record of a game as files: complete for others to read, and nothing in it that was not published."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.game.core import commands as cmd
from judge.game.settings.table import with_setting
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.game.talk.epilogue import Statement
from judge.mail.letters import Printer, files_of
from judge.report.core.letter import Kind, Member, Received, plain
from judge.report.reply.archive import archive_enclosure, archive_view, export_view
from judge.report.reply.receipt import answer_to_person
from tests.support.builders import OFFICE, Table, cast_of
from tests.support.sample import sample_game

ROOT = Path(__file__).parents[2]


@pytest.fixture
def over() -> Table:
    """The sample game, with words of all kinds, ended as a draw."""
    table = sample_game(ROOT / "maps", 5)
    table.tell(cmd.SendPress("Peace to all.", everyone=True), table.player("FRANCE"))
    table.tell(cmd.SendPress("Only for England.", to=("ENGLAND",)), table.player("FRANCE"))
    black = cmd.SendPress("Austria will never forget.", everyone=True, colour=cmd.Colour.BLACK, dateline="VIENNA")
    table.tell(black, table.player("ITALY"))
    table.tell(ProposeDraw(), table.player("ENGLAND"))
    for power in table.game.survivors:
        table.tell(Vote(aye=True), table.player(power))
    table.process()
    table.tell(Statement("I never dared to leave Rome."), table.player("ITALY"))
    return table


def files(table: Table) -> dict[str, str]:
    view = plain(archive_view(table.game, table.events, cast_of()))
    return {file.name: file.text for file in files_of(Kind.ARCHIVE, view, Printer(ROOT / "templates"))}


def record(table: Table) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files(table)["tannenburg.json"])
    return found


def test_there_is_one_to_read_and_one_for_programs(over: Table) -> None:
    assert set(files(over)) == {"tannenburg.txt", "tannenburg.json"}
    assert all(len(line) <= 78 for line in files(over)["tannenburg.txt"].splitlines())


def test_every_phase_has_its_position_orders_and_outcomes(over: Table) -> None:
    phases = record(over)["phases"]
    assert [phase["phase"] for phase in phases] == ["S1901M", "F1901M", "W1901A", "S1902M", "F1902M"]
    first = phases[0]
    assert first["position"]["units"]["FRANCE"] == ["F BRE", "A MAR", "A PAR"]
    assert {"power", "order", "written", "results", "reason"} == set(first["orders"][0])
    assert sum(order["power"] == "FRANCE" for order in first["orders"]) == 3


def test_each_position_is_what_the_phase_before_came_to(over: Table) -> None:
    assert over.game.position is not None
    final = record(over)["final"]
    assert final["units"]["ITALY"] == [str(unit) for unit in over.game.position.of("ITALY")]
    assert sum(map(len, final["centres"].values())) == len(over.game.position.owners)
    assert final["dislodged"]


def test_the_end_is_told_with_players_points_and_votes(over: Table) -> None:
    found = record(over)
    assert found["result"]["how"] == "draw" and len(found["result"]["powers"]) == 7
    assert {"power": "France", "players": "Cleo", "centres": 4, "fate": "shares the draw"} in found["players"]
    assert found["points"]["Russia"]["c-diplo"] == "45" and found["votes"][-1]["passed"]


def test_nothing_is_in_it_that_was_not_published(over: Table) -> None:
    text = "".join(files(over).values())
    assert "Peace to all." in text and "Austria will never forget." in text
    assert "Only for England." not in text
    assert record(over)["press"][-1]["source"] == "VIENNA" and "Emil" not in json.dumps(record(over)["press"])


def test_statements_are_in_it_once_they_are_unsealed(over: Table) -> None:
    assert "never dared" not in "".join(files(over).values())
    assert over.game.epilogue is not None
    over.tick(over.game.epilogue.until)
    assert "never dared" in "".join(files(over).values())


def test_of_a_game_that_goes_on_it_is_what_everybody_has_seen() -> None:
    table = sample_game(ROOT / "maps", 5)
    table.orders("FRANCE", "A Burgundy - Gascony")
    found = record(table)
    assert found["result"] is None and found["statements"] == [] and found["points"] == {}
    assert len(found["phases"]) == 5


def test_what_players_wrote_is_in_it_only_where_the_game_published_it(over: Table) -> None:
    assert {order["written"] for phase in record(over)["phases"] for order in phase["orders"]} == {""}
    shown = replace(over.game, settings=with_setting(over.game.settings, "show_orders", "verbatim"))
    view = plain(archive_view(shown, over.events, cast_of()))
    assert any(order["written"] for phase in view["record"]["phases"] for order in phase["orders"])


def test_archive_and_export_agree_on_how_many_phases_were_processed(over: Table) -> None:
    """Phases that asked nothing of anybody are no processed ones, whichever of the two one reads."""
    exported = export_view(over.game, over.events, {}).view["phases"]
    assert exported == len(record(over)["phases"]) == 5
    view = archive_enclosure(archive_view(over.game, over.events, cast_of()))
    received = Received("1", over.now, "0" * 64)
    letter = answer_to_person(Member(1, "Ada"), received, (), office=OFFICE, game=over.game, enclosures=(view,))
    assert f"{exported} phases processed" in Printer(ROOT / "templates").print(letter.kind, letter.view).text
