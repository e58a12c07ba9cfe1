"""The order form of every phase and rule system, sent back as it stands, filled in, or filled in here and there: what
was written is on file, and nothing else is; no line of it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from judge.daemon.robots import think_of_turn
from judge.game.core.commands import Decision, Role, Status, Submit
from judge.game.core.model import Stage
from judge.mail.quoting import classify_lines
from judge.mail.script import Script, ScriptContext, read_script
from judge.mail.script.copies import came_back_unfilled
from judge.orders.model import Build, Disband, Order, Waive, power_of
from judge.orders.spelled import order_words, unit_text
from judge.report.core.letter import Member
from judge.report.core.naming import power_name
from judge.report.seat.desk import BLANK, desk
from tests.support.builders import Table
from tests.support.sample import sample_game
from tests.variants.rule_systems import enter
from tests.variants.test_whole_games import started

MAPS = Path(__file__).parents[2] / "maps"
PRESETS = ("standard", "european", "global2", "two", "recruits", "garrisons", "february", "condottieri")
"""One for each way of asking for orders: several powers of a player, several accounts, business beside orders."""
MARKS = ("", " > ", "> ", "> > ")
"""How mail programs quote."""
PENS = ("{}", "{}______", "___{}___", "______ {}", "{} ______")
"""Where people write who leave the blanks of a form."""
PLAYERS = 4
"""Whose forms are tried in each phase."""
YEAR = 5
"""Phases of one."""


@pytest.mark.parametrize("preset", PRESETS)
def test_what_was_written_on_a_form_is_filed_and_nothing_else(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    enter(monkeypatch)
    table, chance = started(preset), Random(preset)
    for _ in range(YEAR):
        if table.game.stage is Stage.ENDED:
            break
        seats = sorted((one.id, one.powers) for one in table.game.seats.values())
        for seat, powers in chance.sample(seats, min(PLAYERS, len(seats))):
            sent_back(table, seat, powers, chance)
        table.process()


@pytest.fixture
def venice_lost() -> Table:
    """Winter 1901: France may build, Italy has to remove a unit."""
    table = Table(MAPS).seated().started()
    table.all_orders({"FRANCE": ["A Mar - Pie"], "ITALY": ["A Ven - Apu"]}).process()
    return table.all_orders({"FRANCE": ["A Pie - Ven"]}).process()


@pytest.fixture
def fall_1902() -> Table:
    """The sample game's retreats, which come with the adjustments of the winter."""
    return sample_game(MAPS, 5)


@pytest.mark.parametrize("scene", ["venice_lost", "fall_1902"])
def test_on_forms_of_retreats_builds_and_removals_too(scene: str, request: pytest.FixtureRequest) -> None:
    table = request.getfixturevalue(scene)
    for one in list(table.game.seats.values()):
        sent_back(table, one.id, one.powers, Random(one.id))


def sent_back(table: Table, seat: str, powers: tuple[str, ...], chance: Random) -> None:
    """One player's form: as it stands, then a part of it filled in, then all of it."""
    form = desk(table.running, seat, Member(1, "P", "p@players.test")).form
    if not form:
        return
    for mark in MARKS[:2]:
        script = read(table, powers, form, [mark + line for line in form])
        assert came_back_unfilled(script, form), (form, mark, script)
    wanted = [order for power in powers for order in think_of_turn(table.running, power, chance)]
    check(table, powers, form, [order for order in wanted if chance.random() < 0.5], chance)
    check(table, powers, form, wanted, chance)


def check(table: Table, powers: tuple[str, ...], form: tuple[str, ...], wanted: list[Order], chance: Random) -> None:
    """These orders, written on their lines of the form, are what the mail gives, and the game takes them."""
    mark, pen = chance.choice(MARKS), chance.choice(PENS)
    filled, orders = filled_in(table, powers, form, wanted, pen)
    script = read(table, powers, form, [mark + line for line in filled])
    assert not script.unread, (filled, script.unread)
    given = [line for one in script.said for line in submitted(one.request)]
    assert len(given) == len(orders), (filled, given)
    unpaid: set[str] = set()
    for one in script.said:
        assert isinstance(one.request, Submit)
        answer = table.tell(one.request, table.player(powers[0]))
        assert isinstance(answer, Decision), (filled, answer)
        bad = [verdict for verdict in answer.verdicts if verdict.status is not Status.TAKEN]
        assert {verdict.reason for verdict in bad} <= {"not-paid"}, (filled, bad)
        unpaid |= {verdict.order for verdict in bad}
    on_file = {line.order for power in powers if (sheet := table.game.sheets.get(power)) for line in sheet.lines}
    assert on_file == {str(order) for order in orders} - unpaid, (filled, on_file)


def submitted(request: object) -> list[str]:
    return [line.text for line in request.lines] if isinstance(request, Submit) else []


def read(table: Table, powers: tuple[str, ...], form: tuple[str, ...], lines: list[str]) -> Script:
    """The mail as it is read from the seat."""
    game = table.running
    context = ScriptContext(
        now=table.now, zone=ZoneInfo("UTC"), role=Role.PLAYER, game=game.key, board=game.board, position=game.position,
        powers=powers, games={game.key: game.board}, calendar_of=lambda key: game.calendar,
        business_of=lambda key: game.rules.business(), form=form, domain="judge.test",
    )  # fmt: skip
    return read_script(classify_lines(lines), subject="", context=context)


def filled_in(
    table: Table, powers: tuple[str, ...], form: tuple[str, ...], wanted: list[Order], pen: str
) -> tuple[list[str], list[Order]]:
    """(the form with these orders on it, those that have a line there)."""
    lines, used = list(form), []
    for order in wanted:
        for line, written in written_on(table, powers, order):
            if line in lines:
                lines[lines.index(line)] = line.replace(BLANK, pen.format(written))
                used.append(order)
                break
    return lines, used


def written_on(table: Table, powers: tuple[str, ...], order: Order) -> Iterator[tuple[str, str]]:
    """(a line of a form, what is written on its blank) of an order; nothing for a waived build, which needs no word."""
    board = table.game.board
    whose = f"{power_name(power_of(order), board)}: " if len(powers) > 1 else ""
    if isinstance(order, Waive):
        return
    if isinstance(order, Build):
        yield f"{whose}BUILD {BLANK}", order_words(order, board).removeprefix("build ").removeprefix("BUILD ")
        return
    unit = unit_text(order.unit, board)
    tail = order_words(order, board).removeprefix(unit).strip()
    yield f"{unit} - {BLANK}", tail.removeprefix("- ")
    if isinstance(order, Disband):
        yield f"{whose}REMOVE {BLANK}", unit


def test_lines_of_a_form_propose_nothing() -> None:
    """A form has blanks alone: nothing on it is sent unless somebody writes it."""
    table = Table(MAPS).seated().started()
    for seat in table.game.seats:
        form = desk(table.game, seat, Member(1, "P", "p@players.test")).form
        assert form and all(line.endswith(BLANK) for line in form)
