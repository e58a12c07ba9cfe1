"""More time: free extensions, votes, the Gamemaster's own, and the brakes on all of them.

The deadline is Friday 22 January 2027, 24:00 in New York.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.game.clock.extensions import CallExtensionVote
from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import VoteClosed
from judge.game.settings.bundles import PRESETS
from judge.game.table.vacancies import Claim
from judge.game.talk.ballots import Vote
from judge.pace import to_wall, zone_info
from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[3] / "maps"
ZONE = zone_info("America/New_York")
DUE = datetime(2027, 1, 22, 23, 59, tzinfo=ZONE).astimezone(UTC) + timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def table() -> Table:
    return Table(MAPS, dict(PRESETS["houserules-003"])).seated().started(DUE)


def wall(table: Table) -> str:
    return f"{to_wall(table.running.deadline.at, ZONE):%a %d %b %H:%M}"


def used(table: Table, power: str) -> int:
    seat = table.game.seat_of(power)
    assert seat is not None
    return table.game.extensions.get(seat.person or 0, 0)


def ask(table: Table, power: str, before: timedelta, command: cmd.Command | None = None) -> Decision | Refusal:
    """A power asks for more time, so long before the deadline of the moment."""
    table.now = table.running.deadline.at - before
    return table.tell(command or cmd.Extend(), table.player(power))


def slug(answer: Decision | Refusal) -> str:
    return answer.slug if isinstance(answer, Refusal) else ""


def test_a_day_and_a_minute_before_is_in_time(table: Table) -> None:
    answer = ask(table, "TURKEY", DAY + timedelta(minutes=1))
    assert isinstance(answer, Decision) and "1 left" in answer.said
    assert wall(table) == "Tue 26 Jan 00:00"
    assert used(table, "TURKEY") == 1


def test_less_than_a_day_before_is_too_late_and_a_vote_is_offered(table: Table) -> None:
    answer = ask(table, "TURKEY", DAY - timedelta(minutes=5))
    assert isinstance(answer, Refusal) and (answer.slug, answer.mend) == ("too-late", "call extension vote")
    assert used(table, "TURKEY") == 0


def test_what_counts_is_when_the_request_reached_us(table: Table) -> None:
    """It came in time, and lay unread for two hours."""
    player = table.player("TURKEY")
    table.now = DUE - 23 * HOUR
    in_time = cmd.Actor(player.role, player.seat, player.person, arrived=DUE - 25 * HOUR)
    assert isinstance(table.tell(cmd.Extend(), in_time), Decision)
    assert wall(table) == "Tue 26 Jan 00:00"


def test_two_for_each_player_and_no_third(table: Table) -> None:
    assert [slug(ask(table, "TURKEY", 2 * DAY)) for _ in range(3)] == ["", "", "none-left"]
    assert slug(ask(table, "FRANCE", 2 * DAY)) == ""


def test_whoever_leaves_and_comes_back_has_no_more_extensions_than_before(table: Table) -> None:
    """They are counted by person: neither another seat nor a second time in the old one renews them."""
    turkey = table.player("TURKEY")
    assert [slug(ask(table, "TURKEY", 2 * DAY)) for _ in range(2)] == ["", ""]
    table.tell(cmd.Leave(for_good=True), turkey)
    table.tell(Claim("TURKEY"), cmd.Actor(cmd.Role.STRANGER, "", turkey.person))
    assert used(table, "TURKEY") == 2
    assert slug(ask(table, "TURKEY", 2 * DAY)) == "none-left"


def test_a_replacement_has_extensions_of_his_own(table: Table) -> None:
    ask(table, "TURKEY", 2 * DAY)
    table.tell(cmd.Leave(for_good=True), table.player("TURKEY"))
    table.tell(Claim("TURKEY"), cmd.Actor(cmd.Role.STRANGER, "", 9))
    assert used(table, "TURKEY") == 0


def test_the_same_request_within_ten_minutes_is_one(table: Table) -> None:
    ask(table, "TURKEY", 3 * DAY)
    table.now += timedelta(minutes=9)
    answer = table.tell(cmd.Extend(), table.player("TURKEY"))
    assert isinstance(answer, Decision) and answer.events == () and "granted already" in answer.said
    assert wall(table) == "Tue 26 Jan 00:00" and used(table, "TURKEY") == 1


def test_after_ten_minutes_or_in_other_words_it_is_another(table: Table) -> None:
    ask(table, "TURKEY", 5 * DAY)
    table.now += timedelta(minutes=11)
    table.tell(cmd.Extend(), table.player("TURKEY"))
    table.tell(cmd.Extend(DAY), table.gm)
    assert used(table, "TURKEY") == 2 and wall(table) == "Sat 30 Jan 00:00"


def test_the_gamemasters_own_mail_twice_is_one_too(table: Table) -> None:
    for _ in range(5):
        table.tell(cmd.Extend(DAY, "power cut"), table.gm)
        table.now += timedelta(minutes=1)
    assert wall(table) == "Sun 24 Jan 00:00"


def test_one_grant_is_seven_days_at_most(table: Table) -> None:
    assert slug(ask(table, "TURKEY", 2 * DAY, cmd.Extend(8 * DAY))) == "too-long"
    answer = table.tell(cmd.Extend(8 * DAY), table.gm)
    assert isinstance(answer, Refusal) and answer.mend == "help deadline"


def test_what_players_add_to_one_turn_has_an_end(table: Table) -> None:
    """Four times three days are twelve; a fifth would make fifteen of fourteen."""
    for power in ("TURKEY", "FRANCE", "ITALY", "RUSSIA"):
        assert slug(ask(table, power, 2 * DAY)) == ""
    assert slug(ask(table, "GERMANY", 2 * DAY)) == "cap"
    assert slug(ask(table, "GERMANY", 2 * DAY, CallExtensionVote())) == "cap"
    assert slug(ask(table, "GERMANY", 2 * DAY, cmd.Extend(2 * DAY))) == ""


def test_the_gamemaster_may_at_any_time_and_gives_his_reason(table: Table) -> None:
    """During the suspension too, and then from the end of it that was promised."""
    table.tick(DUE)
    table.now = DUE + 5 * HOUR
    table.tell(cmd.Extend(DAY, "power cut at my place"), table.gm)
    [event] = table.last
    assert isinstance(event, ev.DeadlineSet)
    assert (event.why, event.reason) == ("extended", "power cut at my place")
    assert wall(table) == "Tue 26 Jan 00:00"


# --- by vote --------------------------------------------------------------------------------------------------------


def call(table: Table, power: str = "GERMANY", before: timedelta = HOUR) -> Decision | Refusal:
    return ask(table, power, before, CallExtensionVote())


def vote(table: Table, *powers: str, aye: bool = True) -> None:
    for power in powers:
        table.tell(Vote(aye=aye), table.player(power))


def test_four_of_seven_carry_it_at_once(table: Table) -> None:
    """It does not count against the caller's two."""
    call(table)
    vote(table, "FRANCE", "ITALY")
    assert wall(table) == "Sat 23 Jan 00:00"
    vote(table, "RUSSIA")
    assert [type(event).__name__ for event in table.last] == ["VoteCast", "VoteClosed", "DeadlineSet"]
    assert wall(table) == "Tue 26 Jan 00:00"
    assert used(table, "GERMANY") == 0 and not table.game.votes


def test_three_do_not_and_the_end_is_said_at_the_deadline(table: Table) -> None:
    """No silent end."""
    call(table)
    vote(table, "FRANCE", "ITALY")
    table.tick(DUE)
    closed = [event for event in table.last if isinstance(event, VoteClosed)]
    assert [(event.passed, event.why) for event in closed] == [(False, "deadline")]
    assert any(isinstance(event, ev.LateCalled) for event in table.last)


def test_it_closes_as_soon_as_it_cannot_pass(table: Table) -> None:
    call(table)
    vote(table, "FRANCE", "ITALY", "RUSSIA", aye=False)
    assert table.game.votes
    vote(table, "TURKEY", aye=False)
    assert not table.game.votes
    assert wall(table) == "Sat 23 Jan 00:00"


def test_a_ballot_may_change_before_it_is_decided(table: Table) -> None:
    call(table)
    vote(table, "FRANCE", "ITALY")
    vote(table, "ITALY", aye=False)
    vote(table, "RUSSIA")
    assert table.game.votes, "France, Russia and Germany are three"


def test_the_vacant_neither_vote_nor_count(table: Table) -> None:
    """Five active players: three carry it (B66a)."""
    table.tell(cmd.Leave(for_good=True), table.player("TURKEY"))
    table.tell(cmd.Leave(for_good=True), table.player("AUSTRIA"))
    call(table)
    vote(table, "FRANCE", "ITALY")
    assert wall(table) == "Tue 26 Jan 00:00"


def test_one_at_a_time_and_before_the_deadline(table: Table) -> None:
    call(table)
    assert slug(call(table, "FRANCE")) == "vote-open"
    other = Table(MAPS, dict(PRESETS["houserules-003"])).seated().started(DUE)
    assert slug(call(other, before=-HOUR)) == "too-late"


def test_a_vote_called_while_everything_is_in_ends_with_the_phase(table: Table) -> None:
    call(table)
    for power in table.game.board.powers:
        table.orders(power, *[f"{unit.kind} {unit.at} H" for unit in table.running.position.of(power)])
    table.tick(DUE)
    assert [event.passed for event in table.last if isinstance(event, VoteClosed)] == [False]
