"""A rollback restores every field of a game that belongs to the phase, whatever happened since, and keeps the others.

Each field of `Game` is listed here once. A new one must be given a place: that is the question which the rollback
answers, and it is easily forgotten.
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.acts.absences import AbsenceNoted, Away
from judge.acts.office import Deputize, HandOver
from judge.game.clock.turnover import SplitTurn
from judge.game.core import commands as cmd
from judge.game.core.commands import Refusal
from judge.game.core.evolve import rebuild
from judge.game.core.model import Game, Stage
from judge.game.core.parts import Seat
from judge.game.filing.kept import Always, MakePlan, UsePlan
from judge.game.filing.submitting import SameAgain, Undo
from judge.game.office.rulings import Headline, OrderAs
from judge.game.repair.correcting import CorrectPosition
from judge.game.repair.rewriting import RollBack, RollForward
from judge.game.table.filling import Approve, SetPhrase, TurnAway
from judge.game.table.vacancies import Claim, Decline, Invite, Withdraw, is_invited
from judge.game.talk.ballots import ProposeAmendment, ProposeDraw, Vote
from judge.game.talk.epilogue import Diary
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"

RESTORED = (
    "stage", "position", "sheets", "chart", "played", "withdrawals", "split", "turn_opened_at", "results_version",
    "ending", "epilogue", "courtesy", "practice", "reopened", "deeds",
)  # fmt: skip
"""As they were ahead of the phase."""

MOVED_ON = (
    "seq", "deadline", "versions", "past", "replay", "held_since", "held_reason", "held_until", "notes",
    "headline", "kept", "seats",
)  # fmt: skip
"""Made of both: each has its own test below."""

KEPT = (
    "awaited", "key", "system", "gm", "settings", "created_at", "tenures", "votes", "votes_called", "returns", "barred",
    "extensions",
    "always", "plans", "rules_version", "amendments", "press_sent", "outgoing", "diaries", "statements", "seed",
    "gm_tenure", "deputy", "editors", "heir", "imported", "begins", "decided", "secret", "gathering", "appeals",
    "appeals_made", "ended_votes",
)  # fmt: skip
"""Said and done between people, whatever the board looks like: as they are now."""


def test_every_field_of_a_game_has_its_place_in_a_rollback() -> None:
    assert sorted((*RESTORED, *MOVED_ON, *KEPT)) == sorted(field.name for field in fields(Game))


def test_every_field_of_a_seat_has_its_place_too() -> None:
    turn = ("wait", "wait_until", "waits", "offer", "begun", "proxy")
    person = ("id", "person", "tenure", "powers", "preferences", "terms", "since", "disorder", "vacant_since",
              "substitute")  # fmt: skip
    assert {field.name for field in fields(Seat)} == {*turn, *person, "absences"}


def busy(table: Table, dice: Random, *, acts: int) -> None:
    """Whatever may happen in a turn, in any order."""
    powers = [power for power in table.game.board.powers if table.game.seat_of(power)]
    for _ in range(acts):
        player = table.player(dice.choice(powers))
        units = [unit for unit in (table.game.position.units if table.game.position else ()) if player.seat]
        unit = dice.choice(units)
        reach = table.game.board.reach(unit.kind, unit.at)
        act = dice.choice(
            (
                cmd.Submit((cmd.OrderLine(1, f"{unit} - {dice.choice(reach)}"),)) if reach else cmd.Wait(on=True),
                cmd.Wait(on=dice.random() < 0.5),
                cmd.Extend(),
                cmd.SendPress("Shall we?", to=(dice.choice(powers),)),
                ProposeDraw(),
                Vote(aye=dice.random() < 0.5),
                ProposeAmendment("No press on Sundays."),
                MakePlan("west", (f"{unit} H",)),
                Always(f"{unit} H"),
                Diary("They lie."),
                SplitTurn(),
            )
        )
        seat = table.game.seat_of(unit.power)
        assert seat is not None
        owner = cmd.Actor(cmd.Role.PLAYER, seat.id, seat.person or 0)
        table.tell(act, owner if isinstance(act, (cmd.Submit, MakePlan, Always)) else player)
        gm = dice.choice(
            (
                cmd.Note(f"note {dice.random()}"),
                Headline(f"headline {dice.random()}"),
                CorrectPosition(f"{unit} at {dice.choice(reach)}") if reach else cmd.Note("none"),
                cmd.ChangeSettings("press", dice.choice(("white", "grey", "black"))),
                Deputize(8, table.now + timedelta(days=20)),
                HandOver(9),
            )
        )
        if dice.random() < 0.4:
            table.tell(gm, table.gm)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), turns=st.integers(1, 3), acts=st.integers(1, 6))
def test_whatever_happened_a_rollback_restores_what_belongs_to_the_phase(seed: int, turns: int, acts: int) -> None:
    dice, table = Random(seed), Table(MAPS).seated().started()
    busy(table, dice, acts=acts)
    then = table.game
    for _ in range(turns):
        table.now += timedelta(days=7)
        table.process()
        busy(table, dice, acts=acts)
    now = table.game
    table.tell(RollBack(str(then.phase)), table.gm)
    back = table.game
    assert {name: getattr(back, name) for name in RESTORED} == {name: getattr(then, name) for name in RESTORED}
    assert {name: getattr(back, name) for name in KEPT} == {name: getattr(now, name) for name in KEPT}
    _made_of_both(then, now, back)
    assert rebuild(table.events, table.systems) == back


def gathering(table: Table, dice: Random, *, acts: int) -> None:
    """Whatever brings people to the table of a game that runs, and away from it, in any order."""
    gm, powers = table.gm, tuple(table.game.board.powers)
    for number in range(acts):
        known, newcomer = tuple(table.game.gathering.invitations), dice.randint(20, 40)
        ticket = dice.choice(known) if known else "none"
        stranger = cmd.Actor(cmd.Role.STRANGER, "", newcomer)
        seat = dice.choice(tuple(table.game.seats.values()))
        who, word = dice.choice(
            (
                (gm, cmd.Vacate(dice.choice(powers))),
                (gm, Invite((f"ticket-{table.game.seq}-{number}",), table.now + timedelta(days=dice.randint(1, 30)))),
                (gm, Withdraw((ticket,))),
                (gm, SetPhrase(dice.choice(("", "a-hash")))),
                (gm, cmd.ChangeSettings("access", dice.choice(("open", "approval", "invitation", "phrase")))),
                (gm, Approve(newcomer)),
                (gm, TurnAway(newcomer, "full")),
                (stranger, cmd.Join()),
                (stranger, Claim(dice.choice(powers))),
                (stranger, Claim(ticket=ticket)),
                (stranger, Decline(ticket)),
                (cmd.Actor(cmd.Role.PLAYER, seat.id, seat.person or 0), cmd.Leave(for_good=True)),
            )
        )  # fmt: skip
        table.tell(word, who)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), turns=st.integers(1, 2), acts=st.integers(1, 12))
def test_a_rollback_leaves_who_came_to_the_table_as_it_is(seed: int, turns: int, acts: int) -> None:
    """An invitation that was answered, withdrawn or declined stays so, and one that is open can be answered; who sits
    sits, who waits waits. Nothing of it happens a second time when the phases are played again.
    """
    dice, table = Random(seed), Table(MAPS, {"reserve": "3"}).seated()
    for person in range(11, 15):
        table.tell(cmd.Join(), cmd.Actor(cmd.Role.STRANGER, "", person))
    table.started()
    for _ in range(turns):
        gathering(table, dice, acts=acts)
        table.now += timedelta(days=7)
        table.process()
    gathering(table, dice, acts=acts)
    before = table.game
    if isinstance(table.tell(RollBack(), table.gm), Refusal):
        return
    for word in (None, RollForward()):
        if word is not None:
            table.tell(word, table.gm)
        assert table.game.gathering == before.gathering
        assert {seat.person for seat in table.game.seats.values()} == {seat.person for seat in before.seats.values()}
        assert rebuild(table.events, table.systems) == table.game
    for ticket, invitation in table.game.gathering.invitations.items():
        good = is_invited(table.game, ticket, table.now)
        assert good is (invitation.state == "open" and table.now <= invitation.until)
        said = table.tell(Decline(ticket), cmd.Actor(cmd.Role.STRANGER, "", 50))
        assert isinstance(said, Refusal) is not good, said
    assert rebuild(table.events, table.systems) == table.game


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), acts=st.integers(1, 12))
def test_whatever_happens_during_a_rollback_the_orders_of_then_stay_as_they_were(seed: int, acts: int) -> None:
    """Nobody orders, by whatever word, the Gamemaster included."""
    dice, table = Random(seed), Table(MAPS).seated().started()
    busy(table, dice, acts=3)
    table.process().tell(RollBack(), table.gm)
    then = table.game.sheets
    for _ in range(acts):
        power = dice.choice(tuple(table.game.board.powers))
        seat = table.game.seat_of(power)
        assert seat is not None
        player = cmd.Actor(cmd.Role.PLAYER, seat.id, seat.person or 0)
        lines = (cmd.OrderLine(1, "all hold"),)
        who, word = dice.choice(
            (
                (player, cmd.Submit(lines)), (player, cmd.Clear()), (player, Undo()), (player, SameAgain()),
                (player, UsePlan("west")), (table.gm, OrderAs(power, lines)), (table.gm, cmd.Vacate(power)),
                (table.gm, cmd.Assign(power, dice.randint(20, 99))), (player, cmd.Leave(for_good=True)),
            )
        )  # fmt: skip
        table.tell(word, who)
        assert table.game.sheets == then, word
    assert rebuild(table.events, table.systems) == table.game


def _made_of_both(then: Game, now: Game, back: Game) -> None:
    assert then.deadline is not None and now.deadline is not None and back.deadline is not None
    assert replace(back.deadline, version=0) == replace(then.deadline, version=0)
    assert back.deadline.version > max(then.deadline.version, now.deadline.version)
    assert back.past == then.past
    assert back.replay is not None and back.replay.phase == str(then.phase) and back.held_since is not None
    assert back.notes == (*then.notes, *now.notes)
    assert back.headline == (now.headline or then.headline)
    for key, seat in back.seats.items():
        old, new = then.seats[key], now.seats[key]
        assert (seat.wait, seat.offer, seat.begun, seat.proxy) == (old.wait, old.offer, old.begun, old.proxy)
        assert seat.waits == old.waits | new.waits
        assert replace(seat, wait=new.wait, waits=new.waits, offer=new.offer, begun=new.begun) == new


def test_a_game_that_had_ended_runs_again(table_of_an_ended_game: Table) -> None:
    table = table_of_an_ended_game
    assert table.game.ending is not None
    table.tell(RollBack(), table.gm)
    assert table.game.stage is Stage.RUNNING and table.game.ending is None and table.game.epilogue is None


@pytest.fixture
def table_of_an_ended_game() -> Table:
    table = Table(MAPS).seated().started().process()
    table.tell(cmd.EndGame("by agreement"), table.gm)
    return table


def test_what_was_printed_with_void_results_is_printed_with_those_that_replace_them() -> None:
    table = Table(MAPS).seated().started()
    table.tell(cmd.Note("Norway touches St Petersburg."), table.gm)
    table.tell(Headline("Quiet in the west"), table.gm)
    table.process()
    table.tell(cmd.Note("Written afterwards."), table.gm)
    table.tell(RollBack(), table.gm)
    assert list(table.game.notes) == ["Norway touches St Petersburg.", "Written afterwards."]
    assert table.game.headline == "Quiet in the west"
    table.tell(RollForward(), table.gm)
    assert not table.game.notes and not table.game.headline


def test_a_new_player_of_the_seat_is_not_bound_by_the_flags_of_the_old_one() -> None:
    table = Table(MAPS).seated().started()
    table.tell(cmd.Wait(on=True), table.player("FRANCE"))
    table.process()
    table.tell(cmd.Assign("FRANCE", 8), table.gm)
    table.tell(RollBack(), table.gm)
    seat = table.game.seat_of("FRANCE")
    assert seat is not None and seat.person == 8 and not seat.wait


def test_absences_announced_since_then_stay() -> None:
    table = Table(MAPS).seated().started().process()
    table.tell(Away(table.now + timedelta(days=3), table.now + timedelta(days=5)), table.player("FRANCE"))
    assert any(isinstance(event, AbsenceNoted) for event in table.last)
    table.tell(RollBack(), table.gm)
    seat = table.game.seat_of("FRANCE")
    assert seat is not None and seat.absences
