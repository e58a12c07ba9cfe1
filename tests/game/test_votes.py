"""Draw votes: unanimous, silence is nay, proposers public, ballots at the close (B61-B67)."""

from judge.game import commands as cmd
from judge.game import events as ev
from judge.game.model import Stage
from judge.game.refusal import Refusal
from judge.testing.builders import Table


def propose(table: Table, power: str) -> None:
    table.tell(cmd.ProposeDraw(), table.player(power))


def vote(table: Table, power: str, *, aye: bool) -> object:
    return table.tell(cmd.Vote(aye=aye), table.player(power))


def others(table: Table, proposer: str) -> list[str]:
    return [power for power in table.game.board.powers if power != proposer]


def closed(table: Table) -> ev.VoteClosed:
    return next(event for event in table.last if isinstance(event, ev.VoteClosed))


def test_a_draw_that_all_want_ends_the_game_before_adjudication(table: Table) -> None:
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND"):
        vote(table, power, aye=True)
    table.process()
    assert table.game.stage is Stage.ENDED
    assert table.game.ending is not None and len(table.game.ending.powers) == 7
    assert not any(isinstance(event, ev.PhaseAdjudicated) for event in table.last)


def test_one_silent_player_is_one_nay(table: Table) -> None:
    """B62."""
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND")[:-1]:
        vote(table, power, aye=True)
    table.process()
    assert not closed(table).passed
    assert sorted(closed(table).ballots.values()) == ["aye"] * 6 + ["silent"]
    assert table.game.stage is Stage.RUNNING


def test_the_last_ballot_before_the_close_counts(table: Table) -> None:
    """B66."""
    propose(table, "ENGLAND")
    for power in others(table, "ENGLAND"):
        vote(table, power, aye=True)
    vote(table, "TURKEY", aye=False)
    table.process()
    turkey = table.game.seat_of("TURKEY")
    assert turkey is not None
    assert closed(table).ballots[turkey.id] == "nay"


def test_draws_may_be_barred_until_a_season_is_over(table: Table) -> None:
    """B61, R02."""
    table.tell(cmd.Change("draw_from", "F1901"), table.gm)
    early = table.tell(cmd.ProposeDraw(), table.player("ENGLAND"))
    assert isinstance(early, Refusal) and early.slug == "too-early"
    table.process()
    still = table.tell(cmd.ProposeDraw(), table.player("ENGLAND"))
    assert isinstance(still, Refusal)
    table.process()
    assert not isinstance(table.tell(cmd.ProposeDraw(), table.player("ENGLAND")), Refusal)


def test_the_gamemaster_and_vacant_seats_do_not_vote(table: Table) -> None:
    propose(table, "ENGLAND")
    refused = table.tell(cmd.Vote(aye=True), table.gm)
    assert isinstance(refused, Refusal)
    table.tell(cmd.Vacate("TURKEY"), table.gm)
    for power in others(table, "ENGLAND"):
        if power != "TURKEY":
            vote(table, power, aye=True)
    table.process()
    assert table.game.stage is Stage.ENDED  # B66a: all who are active said aye
