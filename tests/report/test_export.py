"""An export of a game that runs holds what everybody has seen on the board, and not a word more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from judge.board.position import Position, position_from_json
from judge.game.core import commands as cmd
from judge.game.core.events import PhaseAdjudicated
from judge.game.core.model import Game
from judge.game.filing.kept import MakePlan
from judge.game.repair.rewriting import RollBack
from judge.game.talk.ballots import ProposeDraw, Vote
from judge.game.talk.epilogue import Diary, Statement
from judge.orders.reader import read_orders
from judge.report.reply.archive import FORMS, archive_view, export_view, public_record
from tests.report.conftest import MAPS
from tests.support.builders import NAMES, Table, cast_of
from tests.support.sample import FALL_1902, sample_game

MARK = "xyzzy"
"""Stands in everything that is nobody's business."""


def files_of(table: Table, form: str = "") -> dict[str, str]:
    """Name -> text of the files of an export."""
    record = public_record(table.game, table.events)
    return {one["name"]: one["text"] for one in export_view(table.game, table.events, record, form).view["files"]}


def with_secrets(table: Table) -> Table:
    """Marked words wherever a player or the Gamemaster can write some."""
    for number, (power, other) in enumerate((("FRANCE", "ITALY"), ("GERMANY", "TURKEY"), ("ENGLAND", "FRANCE"))):
        player = table.player(power)
        table.tell(cmd.SendPress(f"{MARK} private {number}", to=(other,)), player)
        black = cmd.SendPress(f"{MARK} black", everyone=True, colour=cmd.Colour.BLACK, dateline=f"{MARK} Rome")
        table.tell(black, player)
        table.tell(cmd.SendPress(f"{MARK} white", everyone=True), player)
        table.tell(Diary(f"{MARK} diary"), player)
        table.tell(Statement(f"{MARK} statement"), player)
        table.tell(MakePlan("north", (f"F Bre - Eng {MARK}",)), player)
    table.tell(cmd.Note(f"{MARK} note"), table.gm)
    table.tell(ProposeDraw(), table.player("TURKEY"))
    table.tell(Vote(aye=True), table.player("RUSSIA"))
    return table


STAGES = {
    "forming": lambda: Table(MAPS),
    "seated": lambda: Table(MAPS).seated(),
    "begun": lambda: with_secrets(Table(MAPS).seated().started()),
    "retreats": lambda: with_secrets(sample_game(MAPS, 5)),
    "moves": lambda: with_secrets(sample_game(MAPS, 4)),
    "anonymous": lambda: with_secrets(sample_game(MAPS, 4, {"anonymous": "yes"})),
    "taken back": lambda: taken_back(with_secrets(sample_game(MAPS, 4))),
}


def taken_back(table: Table) -> Table:
    table.tell(RollBack("F1901M"), table.gm)
    return table


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_on_file_no_ballot_no_press_and_nobody_is_in_it(stage: str) -> None:
    """Orders on file are orders that no phase has told of: each is looked for in every file."""
    table = STAGES[stage]()
    if table.game.position is not None and str(table.game.phase) == "F1902M":
        table.all_orders(FALL_1902)
    files = files_of(table)
    assert set(files) == {f"tannenburg{end}" for end in ENDS[: 3 if table.game.position else 1]}
    for name, text in files.items():
        assert MARK not in text, name
        assert not re.search(rf"\b({'|'.join(NAMES)}|Gina)\b|@|aye|nay|ballot|seed|secret", text), name
        told = {order for phase in public_record(table.game, table.events)["phases"] for order in orders_in(phase)}
        for sheet in table.game.sheets.values():
            filed = {str(line.instruction) for line in sheet.lines}
            assert not {order for order in filed - told if re.search(rf"\b{re.escape(order)}\b", text)}, name


ENDS = (".json", "-diplomacy.json", "-datc.txt")


def orders_in(phase: dict[str, Any]) -> Iterator[str]:
    return (order["order"] for order in phase["orders"])


def test_it_holds_every_phase_that_counts_once_and_in_its_order() -> None:
    table = sample_game(MAPS, 4)
    phases = ["S1901M", "F1901M", "W1901A", "S1902M"]
    assert [phase["phase"] for phase in public_record(table.game, table.events)["phases"]] == phases
    table.tell(RollBack("F1901M"), table.gm)
    record = public_record(table.game, table.events)
    assert [phase["phase"] for phase in record["phases"]] == ["S1901M"] and record["phase"] == "F1901M"
    table.process()
    assert [phase["version"] for phase in public_record(table.game, table.events)["phases"]] == [1, 2]


def test_one_format_can_be_had_by_itself() -> None:
    table = sample_game(MAPS, 1)
    for form, end in zip(FORMS, ENDS, strict=True):
        assert list(files_of(table, form)) == [f"tannenburg{end}"]


def test_what_is_over_is_exported_whole() -> None:
    table = with_secrets(sample_game(MAPS, 2))
    table.tell(cmd.EndGame("by agreement"), table.gm)
    whole = archive_view(table.game, table.events, cast_of()).record.json
    text = export_view(table.game, table.events, whole, "json").view["files"][0]["text"]
    assert json.loads(text)["players"] and f"{MARK} white" in text and f"{MARK} diary" in text
    assert f"{MARK} private" not in text, "what was said to some stays between them"


def test_the_cases_say_what_was_ordered_and_where_everything_stood() -> None:
    """Read with the reader of mails, each case gives the orders and both positions of its phase back."""
    table = sample_game(MAPS)
    text = files_of(table, "datc")["tannenburg-datc.txt"]
    found = re.findall(r"CASE tannenburg (\w+)\n(.*?)\nORDERS\n(.*?)\nPOSTSTATE\n(.*?)\nEND\n", text, re.DOTALL)
    played = [event for event in table.events if isinstance(event, PhaseAdjudicated)]
    assert [case[0] for case in found] == [event.phase for event in played]
    for (_, before, ordered, after), event in zip(found, played, strict=True):
        start, end = (position_from_json(one, table.game.board) for one in (event.before, event.after))
        assert units_in(before, "PRESTATE") == units_of(start)
        assert units_in(f"POSTSTATE\n{after}", "POSTSTATE") == units_of(end)
        lines = [line.partition(": ")[2] for line in ordered.splitlines()]
        read = {str(reading.order).replace(" R ", " - ") for reading in read_orders("\n".join(lines), start, None)}
        given = {str(one["order"]) for one in orders_given(event, table.game)}
        assert {each.replace(" R ", " - ") for each in given} == read


def orders_given(event: PhaseAdjudicated, game: Game) -> Iterator[dict[str, Any]]:
    record = public_record(game, [event])
    nobodys = ("no-order", "no-retreat-ordered", "nowhere-to-retreat", "unused", "removed-in-disorder")
    return (
        order for order in record["phases"][0]["orders"] if order["reason"] not in (*nobodys, "dislodged-without-order")
    )


def units_in(text: str, heading: str) -> set[str]:
    block = text.partition(f"{heading}\n")[2]
    lines = re.match(r"(?: {4}.*\n?)*", block)
    assert lines is not None
    return {line.partition(": ")[2] for line in lines[0].splitlines()}


def units_of(position: Position) -> set[str]:
    return {str(unit) for unit in position.units}
