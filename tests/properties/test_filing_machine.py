"""A state machine over one player's mails: good lines, slips, slips put right, halves, chatter, second thoughts.

The model beside it follows, word by word, the rule on who is late for a line that was asked back, and knows nothing of
how the judge keeps its sets:

- what is on file is what was sent, and what is adjudicated; a unit without an order holds;
- late is who has nothing on file, a slip in the place of a good order, or a line that names nobody;
- nothing is processed early while a line that was asked back waits; with all in, half an hour later it is;
- the game built again from its events, as they are stored, is the same game.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from judge.adjudicate.outcome import outcomes_from_json
from judge.board.position import position_from_json
from judge.board.unit import Unit
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import from_json, to_json
from judge.game.core.evolve import rebuild
from judge.game.filing.standing import standing
from judge.game.filing.submitting import DropLine, Undo
from judge.orders.model import Build, Waive, power_of
from judge.report.seat.onfile import filed_set
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"
ME = "GERMANY"
OTHERS = ("AUSTRIA", "ENGLAND", "FRANCE", "ITALY", "RUSSIA", "TURKEY")
CHATTER = ("Thanks, all.", "A question: may I retreat to Wales?", "What a fine morning it is")
LOST = ("A Xanadu - Bur", "F Lyonesse H")
"""Lines that are meant as orders and name no unit."""
ABROAD = "A Par H"
"""Somebody else's unit, while it stands there."""

kinds = st.sampled_from(("good", "good", "move", "illegal", "unreadable"))
mails = st.lists(
    st.one_of(
        st.tuples(kinds, st.integers(0, 5)),
        st.tuples(st.just("chatter"), st.integers(0, 2)),
        st.tuples(st.sampled_from(("lost", "abroad")), st.integers(0, 1)),
    ),
    min_size=1,
    max_size=5,
)


class Model:
    """What the rule says is on file and still open: (unit id, or what else it is, text, number of the mail)."""

    def __init__(self) -> None:
        self.on_file: dict[int, str] = {}
        self.before: dict[int, str] | None = None
        self.open: list[tuple[int | str, str, int]] = []
        self.number = 0

    def mail(self, lines: Sequence[tuple[str, int | str, str]], units: Sequence[Unit]) -> None:
        self.number += 1
        ordered = any(kind == "good" for kind, _, _ in lines)
        before = dict(self.on_file)
        for kind, unit, text in lines:
            if kind == "good" and isinstance(unit, int):
                self.open = [one for one in self.open if one[0] != unit]
                self.on_file[unit] = text
            elif kind != "chatter":
                self.open = [one for one in self.open if one[1] != text]
                self.open.append((unit, text, self.number))
        if ordered and set(self.on_file) >= {unit.id for unit in units}:
            self.open = [one for one in self.open if isinstance(one[0], int) or one[2] == self.number]
        if self.on_file != before:
            self.before = before

    def late(self, units: Sequence[Unit]) -> bool:
        full = set(self.on_file) >= {unit.id for unit in units}
        slips = any(isinstance(unit, int) and unit not in self.on_file for unit, _, _ in self.open)
        lost = any(unit == "lost" or (unit == "abroad" and not full) for unit, _, _ in self.open)
        return not self.on_file or slips or lost


class FilingMachine(RuleBasedStateMachine):
    """Germany writes; the others are complete whenever it matters."""

    @initialize(early=st.sampled_from(("yes", "no")))
    def begin(self, early: str) -> None:
        self.table = Table(MAPS, {"early": early, "moves": "7d", "reminders": "none"}).seated().started()
        self.model = Model()
        self.rebuilt = 0

    # --- what Germany does ----------------------------------------------------------------------------------------

    @rule(wanted=mails)
    def writes(self, wanted: list[tuple[str, int]]) -> None:
        written: list[tuple[str, int | str, str]] = []
        for kind, number in wanted:
            line = self.line(kind, number)
            if line[0] == "good" and any(one[:2] == line[:2] for one in written):
                continue  # two different orders for one unit are asked back: another story
            written.append(line)
        answer = self.table.orders(ME, *[text for _, _, text in written])
        assert isinstance(answer, Decision)
        self.model.mail(written, self.units)

    def line(self, kind: str, number: int) -> tuple[str, int | str, str]:
        if kind == "chatter":
            return kind, "", CHATTER[number]
        if kind == "lost":
            return kind, "lost", LOST[number]
        if kind == "abroad":
            return kind, "abroad", ABROAD
        unit = self.units[number % len(self.units)]
        if kind == "illegal":
            reach = self.table.game.board.reach(unit.kind, unit.at)
            return kind, unit.id, f"{unit} - {next(far for far in ('ANK', 'POR') if far not in reach)}"
        if kind == "unreadable":
            return kind, unit.id, f"{unit} - Xanadu"
        free = [place for place in self.table.game.board.reach(unit.kind, unit.at) if self.is_free(place)]
        return "good", unit.id, f"{unit} - {free[0]}" if kind == "move" and free else f"{unit} H"

    def is_free(self, place: str) -> bool:
        position = self.table.game.position
        assert position is not None
        return all(unit.at[:3] != place[:3] for unit in position.units)

    @rule()
    def orders_all(self) -> None:
        self.table.orders(ME, *[f"{unit} H" for unit in self.units])
        self.model.mail([("good", unit.id, f"{unit} H") for unit in self.units], self.units)
        assert not standing(self.table.game, ME).late

    @rule()
    def clears(self) -> None:
        answer = self.table.tell(cmd.Clear(), self.table.player(ME))
        assert isinstance(answer, Refusal) == (not self.model.on_file and not self.model.open)
        self.model.on_file, self.model.open, self.model.before = {}, [], dict(self.model.on_file)

    @rule()
    def drops_all(self) -> None:
        answer = self.table.tell(DropLine(every=True), self.table.player(ME))
        assert isinstance(answer, Refusal) == (not self.model.open)
        self.model.open = []

    @rule()
    def undoes_and_redoes(self) -> None:
        """Twice `undo` brings the same set back; what was asked back in between is not."""
        before = self.filed()
        if isinstance(self.table.tell(Undo(), self.table.player(ME)), Decision):
            assert isinstance(self.table.tell(Undo(), self.table.player(ME)), Decision)
        assert self.filed() == before
        left = {fault.text for fault in standing(self.table.game, ME).faults}
        self.model.open = [one for one in self.model.open if one[1] in left]

    # --- what happens ---------------------------------------------------------------------------------------------

    @rule()
    def a_day_goes_by(self) -> None:
        """Half an hour after the last of the orders, and not while a question is open."""
        assert self.table.game.deadline is not None
        if self.table.now + timedelta(days=1) >= self.table.game.deadline.at:
            return
        self.others_order()
        expected = dict(self.model.on_file)
        full = set(expected) >= {unit.id for unit in self.units}
        may = self.table.game.settings.early and full and not self.model.open
        phase = self.table.game.phase
        self.table.tick(self.table.now + timedelta(minutes=29))
        assert self.table.game.phase == phase
        self.table.tick(self.table.now + timedelta(minutes=1))
        assert (self.table.game.phase != phase) == may
        if may:
            self.check_results(expected)
        self.table.now += timedelta(hours=20)

    @rule()
    def the_deadline_comes(self) -> None:
        self.others_order()
        game = self.table.game
        assert game.deadline is not None
        expected, late, phase = dict(self.model.on_file), self.model.late(self.units), game.phase
        self.table.tick(max(game.deadline.at, self.table.now))
        called = [event for event in self.table.last if isinstance(event, ev.LateCalled)]
        assert bool(called) == late
        if not late:
            assert self.table.game.phase != phase
            self.check_results(expected)
            return
        assert self.table.game.phase == phase
        self.orders_all()
        expected = dict(self.model.on_file)
        self.table.tick(self.table.now + timedelta(minutes=30))
        assert self.table.game.phase != phase, "whoever has put everything right is waited for no longer"
        self.check_results(expected)

    # --- what must hold -------------------------------------------------------------------------------------------

    @invariant()
    def what_is_on_file_is_what_was_sent(self) -> None:
        assert self.filed() == self.model.on_file
        found = standing(self.table.game, ME)
        assert found.late == self.model.late(self.units)
        assert {fault.text for fault in found.faults} == {text for _, text, _ in self.model.open}
        shown = filed_set(self.table.game, None, found)
        assert len(shown.lines) == len(self.model.on_file)

    @invariant()
    def the_log_tells_the_same(self) -> None:
        if len(self.table.events) < self.rebuilt + 25:
            return
        self.rebuilt = len(self.table.events)
        stored = [(type(e).__name__, e.VERSION, json.loads(json.dumps(to_json(e)))) for e in self.table.events]
        again = rebuild([from_json(*row) for row in stored], self.table.systems)
        assert again.sheets == self.table.game.sheets

    @property
    def units(self) -> tuple[Unit, ...]:
        position = self.table.game.position
        assert position is not None
        return position.of(ME)

    def filed(self) -> dict[int, str]:
        sheet = self.table.game.sheets.get(ME)
        return {line.unit: line.order for line in sheet.lines if line.unit is not None} if sheet else {}

    def others_order(self) -> None:
        assert self.table.game.position is not None
        for power in OTHERS:
            self.table.orders(power, *[f"{unit} H" for unit in self.table.game.position.of(power)])

    def check_results(self, expected: dict[int, str]) -> None:
        """The results have the orders that were on file, and nothing else; then on to the next moves."""
        played = next(event for event in self.table.last if isinstance(event, ev.PhaseAdjudicated))
        units = {unit.id: unit for unit in position_from_json(played.before, self.table.game.board).units}
        outcomes = outcomes_from_json(played.outcomes, units)
        given = [one.order for one in outcomes if one.reason != "no-order" and power_of(one.order) == ME]
        assert {order.unit.id: str(order) for order in given if not isinstance(order, (Build, Waive))} == expected
        self.model = Model()
        while self.table.game.phase is not None and self.table.game.phase.kind != "M":
            for power in (ME, *OTHERS):
                self.table.orders(power, "waive all")
            self.table.tick(self.table.game.deadline.at if self.table.game.deadline else self.table.now)


FilingMachine.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestFilingMachine = FilingMachine.TestCase
