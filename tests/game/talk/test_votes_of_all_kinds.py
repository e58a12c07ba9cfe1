"""Concessions, amendments of the house rules, polls, headlines: who decides, when, and what everybody learns."""

from judge.game.core import commands as cmd
from judge.game.core.commands import Decision, Refusal
from judge.game.core.events import VoteClosed
from judge.game.core.model import Stage
from judge.game.core.parts import Amendment
from judge.game.talk.ballots import (
    ObjectHeadlines,
    ProposeAmendment,
    ProposeConcession,
    ProposeDraw,
    ProposePoll,
    RulesAmended,
    Vote,
)
from tests.support.builders import Table


def say(table: Table, word: str, *powers: str, number: int = 0) -> None:
    for power in powers:
        table.tell(Vote(aye=word == "aye", vote=number), table.player(power))


def others(table: Table, *not_these: str) -> list[str]:
    return [power for power in table.game.board.powers if power not in not_these]


def closed(table: Table) -> list[VoteClosed]:
    return [event for event in table.last if isinstance(event, VoteClosed)]


def slug(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.slug


def test_a_concession_names_the_winner(table: Table) -> None:
    table.tell(ProposeConcession("ENGLAND"), table.player("FRANCE"))
    say(table, "aye", *others(table, "FRANCE"))
    table.process()
    ending = table.game.ending
    assert ending is not None and (ending.how, ending.powers) == ("concession", ("ENGLAND",))


def test_five_ayes_and_a_nay_are_no_concession(table: Table) -> None:
    table.tell(ProposeConcession("ENGLAND"), table.player("FRANCE"))
    say(table, "aye", *others(table, "FRANCE", "TURKEY"))
    say(table, "nay", "TURKEY")
    table.process()
    assert table.game.stage is Stage.RUNNING
    assert sorted(closed(table)[0].ballots.values()) == ["aye"] * 6 + ["nay"]


def test_a_game_may_do_without_concessions(table: Table) -> None:
    table.tell(cmd.ChangeSettings("concessions", "no"), table.gm)
    assert slug(table.tell(ProposeConcession("ENGLAND"), table.player("FRANCE"))) == "no-concessions"


def test_concessions_come_as_late_as_draws(table: Table) -> None:
    table.tell(cmd.ChangeSettings("draw_from", "F1905"), table.gm)
    assert slug(table.tell(ProposeConcession("ENGLAND"), table.player("FRANCE"))) == "too-early"


def test_a_draw_of_some_needs_a_game_that_allows_it(table: Table) -> None:
    some = ProposeDraw(("ENGLAND", "FRANCE"))
    assert slug(table.tell(some, table.player("FRANCE"))) == "dias"
    table.tell(cmd.ChangeSettings("dias", "no"), table.gm)
    assert isinstance(table.tell(some, table.player("FRANCE")), Decision)


def test_of_two_draws_that_pass_the_larger_counts(table: Table) -> None:
    table.tell(cmd.ChangeSettings("dias", "no"), table.gm)
    for powers in (("ENGLAND", "FRANCE"), ("ENGLAND", "FRANCE", "TURKEY")):
        table.tell(ProposeDraw(powers), table.player("FRANCE"))
    for number in (1, 2):
        say(table, "aye", *others(table, "FRANCE"), number=number)
    table.process()
    assert table.game.ending is not None and len(table.game.ending.powers) == 3
    assert len(closed(table)) == 2  # the other one does not end silently


def test_who_proposes_the_draw_that_is_open_votes_for_it(table: Table) -> None:
    table.tell(ProposeDraw(), table.player("FRANCE"))
    answer = table.tell(ProposeDraw(), table.player("ENGLAND"))
    assert isinstance(answer, Decision) and answer.said.startswith("Your aye on vote 1 is counted")
    assert len(table.game.votes) == 1


def test_four_of_seven_amend_the_house_rules_from_the_next_turn_on(table: Table) -> None:
    table.tell(ProposeAmendment("F1905", "draw_from"), table.player("FRANCE"))
    say(table, "aye", "ENGLAND", "ITALY", "RUSSIA")
    assert table.game.settings.draw_from == ""
    table.process()
    assert table.game.settings.draw_from == "F1905" and table.game.rules_version == 2


def test_three_ayes_and_no_nay_do_not_carry_an_amendment(table: Table) -> None:
    table.tell(ProposeAmendment("F1905", "draw_from"), table.player("FRANCE"))
    say(table, "aye", "ENGLAND", "ITALY")
    table.at_the_deadline().process()
    assert not closed(table)[0].passed
    assert table.game.settings.draw_from == "" and table.game.rules_version == 1


def test_a_rule_may_be_put_into_words(table: Table) -> None:
    table.tell(ProposeAmendment("Retreats and builds together, no split."), table.gm)
    say(table, "aye", "ENGLAND", "ITALY", "RUSSIA", "TURKEY")
    table.process()
    amended = next(event for event in table.last if isinstance(event, RulesAmended))
    assert amended.version == 2
    assert table.game.amendments == (Amendment(2, "Retreats and builds together, no split."),)


def test_amendments_that_cannot_be_are_refused(table: Table) -> None:
    france = table.player("FRANCE")
    assert slug(table.tell(ProposeAmendment("5", "dice"), france)) == "no-setting"
    assert slug(table.tell(ProposeAmendment("loeb", "map"), france)) == "frozen"
    assert slug(table.tell(ProposeAmendment("perhaps", "dias"), france)) == "bad-setting"
    assert slug(table.tell(ProposeAmendment("yes", "dias"), france)) == "no-change"


def test_a_poll_binds_nobody_and_is_announced(table: Table) -> None:
    table.tell(ProposePoll("Shall we pause over Christmas?"), table.player("FRANCE"))
    assert table.game.votes[1].votes == {}  # who asks need not have an opinion
    say(table, "aye", "ENGLAND")
    table.at_the_deadline().process()
    assert closed(table)[0].passed and table.game.stage is Stage.RUNNING


def test_the_vote_of_a_player_who_left_does_not_count(table: Table) -> None:
    table.tell(ProposeDraw(), table.player("FRANCE"))
    say(table, "nay", "TURKEY")
    table.tell(cmd.Vacate("TURKEY"), table.gm)
    say(table, "aye", *others(table, "FRANCE", "TURKEY"))
    table.process()
    assert table.game.stage is Stage.ENDED


def test_one_objection_ends_the_headlines(table: Table) -> None:
    table.tell(ObjectHeadlines(), table.player("ITALY"))
    assert not table.game.settings.headlines
    again = table.tell(ObjectHeadlines(), table.player("FRANCE"))
    assert isinstance(again, Decision) and again.events == ()
