"""Draw votes: unanimous, silence is nay, proposers public, ballots at the close."""

from datetime import datetime, timedelta

from judge.game.core import commands as cmd
from judge.game.core import events as ev
from judge.game.core.commands import Refusal
from judge.game.core.events import LadderStep, VoteClosed
from judge.game.core.model import Stage
from judge.game.talk.ballots import ProposeConcession, ProposeDraw, Vote
from judge.game.talk.closing import CarryVote
from tests.support.builders import Table


def propose(table: Table, power: str) -> None:
    table.tell(ProposeDraw(), table.player(power))


def vote(table: Table, power: str, *, aye: bool) -> object:
    return table.tell(Vote(aye=aye), table.player(power))


def others(table: Table, proposer: str) -> list[str]:
    return [power for power in table.game.board.powers if power != proposer]


def closed(table: Table) -> VoteClosed:
    return next(event for event in table.last if isinstance(event, VoteClosed))


def test_a_draw_that_all_want_ends_the_game_before_adjudication(table: Table) -> None:
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND"):
        vote(table, power, aye=True)
    table.process()
    assert table.game.stage is Stage.ENDED
    assert table.game.ending is not None and len(table.game.ending.powers) == 7
    assert not any(isinstance(event, ev.PhaseAdjudicated) for event in table.last)


def test_one_silent_player_is_one_nay(table: Table) -> None:
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND")[:-1]:
        vote(table, power, aye=True)
    table.at_the_deadline().process()
    assert not closed(table).passed
    assert sorted(closed(table).ballots.values()) == ["aye"] * 6 + ["silent"]
    assert table.game.stage is Stage.RUNNING


def test_a_turn_played_early_leaves_a_vote_open_for_the_silent(table: Table) -> None:
    """Whoever relies on the moment that the call named may vote until then; only who has voted nay ends it sooner."""
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND")[:-1]:
        vote(table, power, aye=True)
    table.process()
    named = table.game.votes[1].until
    assert named is not None and table.game.stage is Stage.RUNNING
    while 1 in table.game.votes:
        table.at_the_deadline().process()
    assert closed(table).at >= named
    assert sorted(closed(table).ballots.values()) == ["aye"] * 6 + ["silent"]


def test_the_last_ballot_before_the_close_counts(table: Table) -> None:
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND"):
        vote(table, power, aye=True)
    vote(table, "TURKEY", aye=False)
    table.process()
    turkey = table.game.seat_of("TURKEY")
    assert turkey is not None
    assert closed(table).ballots[turkey.id] == "nay"


def test_draws_may_be_barred_until_a_season_is_over(table: Table) -> None:
    table.tell(cmd.ChangeSettings("draw_from", "F1901"), table.gm)
    early = table.tell(ProposeDraw(), table.player("ENGLAND"))
    assert isinstance(early, Refusal) and early.slug == "too-early"
    table.process()
    still = table.tell(ProposeDraw(), table.player("ENGLAND"))
    assert isinstance(still, Refusal)
    table.process()
    assert not isinstance(table.tell(ProposeDraw(), table.player("ENGLAND")), Refusal)


def test_the_gamemaster_and_vacant_seats_do_not_vote(table: Table) -> None:
    propose(table, "ENGLAND")
    refused = table.tell(Vote(aye=True), table.gm)
    assert isinstance(refused, Refusal)
    table.tell(cmd.Vacate("TURKEY"), table.gm)
    for power in others(table, "ENGLAND"):
        if power != "TURKEY":
            vote(table, power, aye=True)
    table.process()
    assert table.game.stage is Stage.ENDED  # B66a: all who are active said aye


# --- when a vote ends -----------------------------------------------------------------------------------


def all_say_aye(table: Table, but: tuple[str, ...] = ()) -> None:
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND"):
        if power not in but:
            vote(table, power, aye=True)


def due(table: Table) -> datetime:
    return table.running.deadline.at


def kinds(table: Table) -> list[str]:
    return [type(event).__name__ for event in table.last]


def test_a_draw_that_all_want_ends_the_game_at_the_deadline_without_orders_and_nobody_is_late(table: Table) -> None:
    all_say_aye(table)
    table.tick(due(table) - timedelta(minutes=1))
    assert table.game.stage is Stage.RUNNING
    table.tick(due(table))
    assert kinds(table)[:2] == ["VoteClosed", "GameEnded"]


def test_until_then_an_aye_may_be_taken_back(table: Table) -> None:
    all_say_aye(table)
    vote(table, "TURKEY", aye=False)
    table.tick(due(table))
    assert table.game.stage is Stage.RUNNING and "LateCalled" in kinds(table)


def test_the_last_aye_in_the_grace_ends_the_waiting(table: Table) -> None:
    all_say_aye(table, but=("TURKEY",))
    table.tick(due(table))
    assert "GameEnded" not in kinds(table)
    vote(table, "TURKEY", aye=True)
    table.tick(table.now + timedelta(minutes=1))
    assert table.game.stage is Stage.ENDED


def test_who_leaves_holds_no_vote_open(table: Table) -> None:
    all_say_aye(table, but=("TURKEY",))
    table.tell(cmd.Vacate("TURKEY"), table.gm)
    table.tick(due(table))
    assert table.game.stage is Stage.ENDED


def test_a_power_without_a_player_shares_in_no_draw(table: Table) -> None:
    """Whoever leaves while the vote is open, or before it, has no share."""
    all_say_aye(table, but=("TURKEY",))
    table.tell(cmd.Vacate("TURKEY"), table.gm)
    assert "TURKEY" in table.game.survivors
    table.tick(due(table))
    assert table.game.ending is not None and set(table.game.ending.powers) == set(table.game.survivors) - {"TURKEY"}


def test_nobody_names_a_vacant_power_in_a_draw_or_concedes_to_it(table: Table) -> None:
    table.tell(cmd.ChangeSettings("dias", "no"), table.gm)
    table.tell(cmd.Vacate("TURKEY"), table.gm)
    for command in (ProposeDraw(("FRANCE", "TURKEY")), ProposeConcession("TURKEY")):
        answer = table.tell(command, table.player("FRANCE"))
        assert isinstance(answer, Refusal) and answer.slug == "no-player"


def test_a_draw_of_two_of_whom_one_leaves_is_no_victory(table: Table) -> None:
    table.tell(cmd.ChangeSettings("dias", "no"), table.gm)
    table.tell(ProposeDraw(("FRANCE", "TURKEY")), table.player("FRANCE"))
    for power in table.game.board.powers:
        vote(table, power, aye=True)
    table.tell(cmd.Vacate("TURKEY"), table.gm)
    table.process()
    assert table.game.stage is Stage.RUNNING
    assert closed(table).why == "no-player"


def test_a_vote_closes_with_the_results_of_moves_only(fallen: Table) -> None:
    propose(fallen, "ENGLAND")
    assert fallen.game.phase is not None and fallen.game.phase.kind == "R"
    while fallen.game.phase.kind != "M":
        fallen.process()
        assert fallen.game.votes and "VoteClosed" not in kinds(fallen)
    fallen.process()
    assert not fallen.game.votes and not closed(fallen).passed


def test_a_draw_that_all_want_goes_before_retreats_too(fallen: Table) -> None:
    all_say_aye(fallen)
    fallen.tick(due(fallen))
    assert fallen.game.stage is Stage.ENDED


def test_three_of_seven_end_the_game_only_with_the_gamemasters_word(table: Table) -> None:
    gone = ("AUSTRIA", "GERMANY", "ITALY", "TURKEY")
    all_say_aye(table, but=gone)
    for power in gone:
        table.tell(cmd.Vacate(power), table.gm)
    assert [event.number for event in table.last if isinstance(event, LadderStep) and event.kind == "word"] == [1]
    table.tick(due(table))
    assert "GameEnded" not in kinds(table)
    assert not isinstance(table.tell(CarryVote(1), table.gm), Refusal)
    table.tick(table.now + timedelta(minutes=1))
    assert table.game.stage is Stage.ENDED


def test_without_that_word_the_vote_ends_as_not_carried(table: Table) -> None:
    gone = ("AUSTRIA", "GERMANY", "ITALY", "TURKEY")
    all_say_aye(table, but=gone)
    for power in gone:
        table.tell(cmd.Vacate(power), table.gm)
    table.process()
    assert not closed(table).passed and closed(table).why == "no-word"


def test_his_word_carries_nothing_that_not_all_want(table: Table) -> None:
    propose(table, "ENGLAND")
    refused = table.tell(CarryVote(1), table.gm)
    assert isinstance(refused, Refusal) and refused.slug == "not-wanted"


def test_of_two_carried_votes_the_one_with_more_sharers_counts(table: Table) -> None:
    table.tell(ProposeConcession("ENGLAND"), table.player("FRANCE"))
    for power in others(table, "FRANCE"):
        table.tell(Vote(aye=True, vote=1), table.player(power))
    table.tell(ProposeDraw(), table.player("FRANCE"))
    for power in others(table, "FRANCE"):
        table.tell(Vote(aye=True, vote=2), table.player(power))
    table.tick(due(table))
    assert table.game.ending is not None and table.game.ending.how == "draw"


def test_the_gamemaster_who_closes_the_game_closes_its_votes(table: Table) -> None:
    propose(table, "ENGLAND")
    table.tell(cmd.EndGame("by agreement"), table.gm)
    assert kinds(table)[:2] == ["VoteClosed", "GameEnded"]
