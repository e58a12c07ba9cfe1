"""Who is late for a line that was asked back, and what ends it. One row a case; a tuple is a mail."""

from datetime import timedelta
from pathlib import Path

import pytest

from judge.game.clock.clockwork import early_moment, processing_moment
from judge.game.clock.holds import HoldGame, Resume
from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.model import Running
from judge.game.filing.standing import State, standing
from judge.game.filing.submitting import DropLine
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
FULL = ("A Par H", "A Mar H", "F Bre H")
Mails = tuple[tuple[str, ...], ...]

MOVES: dict[str, tuple[Mails, State, tuple[str, ...]]] = {
    "asked back": ((("A Par - Rome",),), State.NEEDS_CORRECTION, ("A Par - Rome",)),
    "put right": ((("A Par - Rome",), ("A Par H",)), State.PARTIAL, ()),
    "put right in one mail": ((("A Par - Xanadu", "A Par H"),), State.PARTIAL, ()),
    "another unit ordered": ((("A Par - Rome",), ("A Mar H",)), State.NEEDS_CORRECTION, ("A Par - Rome",)),
    "a slip beside a good order": ((("A Par H",), ("A Par - Rome",)), State.PARTIAL, ("A Par - Rome",)),
    "a slip beside a full set": ((FULL, ("A Par - Rome",)), State.COMPLETE, ("A Par - Rome",)),
    "that slip put right": ((FULL, ("A Par - Rome",), ("A Par - Bur",)), State.COMPLETE, ()),
    "the same slip twice": ((FULL, ("A Par - Rome",), ("A Par - Rome",)), State.COMPLETE, ("A Par - Rome",)),
    "no unit named": ((("A Xanadu H",), ("A Par H",)), State.NEEDS_CORRECTION, ("A Xanadu H",)),
    "no unit named, in a full set": (((*FULL, "A Xanadu H"),), State.NEEDS_CORRECTION, ("A Xanadu H",)),
    "then a full set": ((("A Xanadu H",), FULL), State.COMPLETE, ()),
    "somebody else's unit": ((("A Mun - Bur",), ("A Par H",)), State.NEEDS_CORRECTION, ("A Mun - Bur",)),
    "that in a full set": (((*FULL, "A Mun - Bur"),), State.COMPLETE, ("A Mun - Bur",)),
    "chatter": ((("A Par H", "Thanks, all.", "A question: may I retreat to Wales?"),), State.PARTIAL, ()),
    "nothing but chatter": ((("Thanks, all.",),), State.MISSING, ()),
}


@pytest.mark.parametrize(("mails", "state", "open_lines"), MOVES.values(), ids=MOVES.keys())
def test_moves(table: Table, mails: Mails, state: State, open_lines: tuple[str, ...]) -> None:
    for mail in mails:
        table.orders("FRANCE", *mail)
    found = standing(table.game, "FRANCE")
    assert (found.state, tuple(fault.text for fault in found.faults)) == (state, open_lines)
    assert found.late == (state in (State.MISSING, State.NEEDS_CORRECTION))


@pytest.fixture
def winter(table: Table) -> Table:
    """Winter 1901: France may build two."""
    for mail in (("A Par - Bur", "A Mar - Spa", "F Bre - Mao"), ("A Bur H", "A Spa H", "F Mao - Por")):
        table.all_orders({"FRANCE": mail}).process()
    assert str(table.game.phase) == "W1901A"
    return table


BUILDS: dict[str, tuple[Mails, State, tuple[str, ...], tuple[str, ...]]] = {
    "as many": ((("build A Par", "build F Bre"),), State.COMPLETE, (), ("A PAR B", "F BRE B")),
    "one, and one left": ((("build A Par",),), State.PARTIAL, (), ("A PAR B",)),
    "no kind": ((("build Mar",),), State.NEEDS_CORRECTION, ("build Mar",), ()),
    "its kind": ((("build Mar",), ("build A Mar",)), State.PARTIAL, (), ("A MAR B",)),
    "another instead": ((("build Mar",), ("build A Par",)), State.PARTIAL, (), ("A PAR B",)),
    "one good beside it": (
        (("build Mar", "build A Par"),), State.NEEDS_CORRECTION, ("build Mar",), ("A PAR B",)
    ),
    "too many in one mail": (
        (("build A Par", "build F Bre", "build A Mar"),), State.NEEDS_CORRECTION,
        ("build A Par", "build F Bre", "build A Mar"), (),
    ),
    "too many with a waive": (
        (("waive", "build A Par", "build A Mar"),), State.NEEDS_CORRECTION,
        ("waive", "build A Par", "build A Mar"), (),
    ),
    "then as many": (
        (("build A Par", "build F Bre", "build A Mar"), ("build A Par", "build A Mar")), State.COMPLETE, (),
        ("A PAR B", "A MAR B"),
    ),
    "the rest waived, of which there is none": (
        (("build A Par", "build F Bre", "waive the rest"),), State.COMPLETE, (), ("A PAR B", "F BRE B")
    ),
    "a newer one": (
        (("build A Par", "build F Bre"), ("build A Mar",)), State.COMPLETE, (), ("F BRE B", "A MAR B")
    ),
}  # fmt: skip


@pytest.mark.parametrize(("mails", "state", "open_lines", "filed"), BUILDS.values(), ids=BUILDS.keys())
def test_builds(winter: Table, mails: Mails, state: State, open_lines: tuple[str, ...], filed: tuple[str, ...]) -> None:
    for mail in mails:
        winter.orders("FRANCE", *mail)
    found = standing(winter.game, "FRANCE")
    assert (found.state, tuple(fault.text for fault in found.faults)) == (state, open_lines)
    assert tuple(line.order for line in winter.game.sheets["FRANCE"].lines) == filed


def test_where_mistakes_count_the_first_legal_builds_do() -> None:
    """adjudication.md: 4.D.4, first legal ones."""
    table = Table(MAPS, {"no_mistakes": "no"}).seated().started()
    for mail in (("A Par - Bur", "A Mar - Spa", "F Bre - Mao"), ("A Bur H", "A Spa H", "F Mao - Por")):
        table.all_orders({"FRANCE": mail}).process()
    answer = table.orders("FRANCE", "build F Par", "build A Par", "build F Bre", "build A Mar")
    assert isinstance(answer, Decision)
    assert "the first 2 that you wrote count" in answer.verdicts[-1].sentence
    table.process()
    assert {"A PAR", "F BRE"} <= {str(unit) for unit in table.running.position.of("FRANCE")}


# --- drop that line -----------------------------------------------------------------------------------------------


def dropped(table: Table, command: DropLine) -> Decision | Refusal:
    return table.tell(command, table.player("FRANCE"))


def test_a_line_is_dropped_and_the_set_stays(table: Table) -> None:
    table.orders("FRANCE", "A Mar H", "A Par - Rome")
    assert isinstance(dropped(table, DropLine()), Decision)
    assert standing(table.game, "FRANCE").state is State.PARTIAL
    assert [line.order for line in table.game.sheets["FRANCE"].lines] == ["A MAR H"]


def test_of_several_lines_one_is_named(table: Table) -> None:
    table.orders("FRANCE", "A Mar - Rome", "A Par - Rome")
    assert isinstance(answer := dropped(table, DropLine()), Refusal)
    assert answer.mend.split("\n") == ["drop line 1", "drop line 2", "drop all lines"]
    assert isinstance(dropped(table, DropLine(number=2)), Decision)
    assert [fault.text for fault in standing(table.game, "FRANCE").faults] == ["A Mar - Rome"]
    assert isinstance(dropped(table, DropLine(words="a mar - rome")), Decision)
    assert isinstance(dropped(table, DropLine()), Refusal)


SLIPS = [
    [("A Mar - Rome", "A Par - Rome")],
    [("A Mar - Rome",), ("A Par - Rome",)],
    [("A Xan H", "A Xan H, A Par - Rome"), ("A Xan H Bur",)],
    [("A Par - Rome; A Mar - Rome", "F Bre - Rome")],
    [("A Xanadu", "F Bre - Rome"), ("A Xanadu - Bur", "A Xanadu - Burma")],
]
"""Mails with lines that are asked back."""


@pytest.mark.parametrize("mails", SLIPS)
def test_what_a_refusal_says_to_write_drops_that_line_and_no_other(table: Table, mails: list[tuple[str, ...]]) -> None:
    for mail in mails:
        table.orders("FRANCE", *mail)
    while isinstance(answer := dropped(table, DropLine()), Refusal) and answer.slug == "which-line":
        open_ones = standing(table.game, "FRANCE").faults
        said = [line.removeprefix("drop line ") for line in answer.mend.split("\n")[:-1]]
        assert len(said) == len({(fault.mail, fault.line) for fault in open_ones})
        word = said[-1]
        dropped(table, DropLine(number=int(word)) if word.isdigit() else DropLine(words=word))
        last = open_ones[-1]
        assert standing(table.game, "FRANCE").faults == tuple(
            fault for fault in open_ones if (fault.mail, fault.line) != (last.mail, last.line)
        )
    table.orders("FRANCE", *mails[0])
    assert isinstance(dropped(table, DropLine(every=True)), Decision)
    assert not standing(table.game, "FRANCE").faults


def test_clear_and_replace_all_end_every_question(table: Table) -> None:
    table.orders("FRANCE", "A Par - Rome")
    assert isinstance(table.tell(cmd.Clear(), table.player("FRANCE")), Decision)
    assert standing(table.game, "FRANCE").state is State.MISSING
    table.orders("FRANCE", "A Par - Rome")
    table.tell(cmd.Submit((cmd.OrderLine(1, "A Mar H"),), replace=True), table.player("FRANCE"))
    assert standing(table.game, "FRANCE").state is State.PARTIAL


# --- early processing ---------------------------------------------------------------------------------


def ready(settings: dict[str, str]) -> Table:
    """Everything is in."""
    table = Table(MAPS, {"early": "yes", **settings}).seated().started()
    for power in table.game.board.powers:
        table.orders(power, "all hold")
    return table


def due(game: Running) -> timedelta | None:
    """How long before the deadline it is processed."""
    moment = processing_moment(game)
    return None if moment is None else game.deadline.at - moment


def test_half_an_hour_after_the_last_thing_that_held_it_up() -> None:
    table = ready({})
    half = timedelta(minutes=30)
    assert early_moment(table.game) == table.now + half
    table.tell(cmd.Wait(on=True), table.player("ITALY"))
    assert due(table.running) == timedelta(0)
    table.now += timedelta(hours=5)
    table.tell(cmd.Wait(on=False), table.player("ITALY"))
    assert early_moment(table.game) == table.now + half
    table.now += timedelta(minutes=10)
    table.orders("ITALY", "A Rom - Moscow")
    assert early_moment(table.game) is None and due(table.running) == timedelta(0)
    table.now += timedelta(hours=5)
    dropped_one = table.tell(DropLine(), table.player("ITALY"))
    assert isinstance(dropped_one, Decision) and early_moment(table.game) == table.now + half
    table.tell(HoldGame("a holiday"), table.gm)
    assert early_moment(table.game) is None
    table.now += timedelta(hours=5)
    table.tell(Resume(), table.gm)
    assert early_moment(table.game) == table.now + half
