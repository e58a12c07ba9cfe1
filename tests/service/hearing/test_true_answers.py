"""Answers that were false under some condition: each is put to that condition, and says what is so."""

from __future__ import annotations

import pytest

from judge.report.core.letter import Kind
from judge.service.posting.bounces import advice
from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import agreed, seat_address

FRANCE, AUSTRIA = player_of("FRANCE"), player_of("AUSTRIA")
NEW = "jean@new.test"
HAL = "hal@elsewhere.test"


def last_said(stage: LocalJudge, address: str) -> str:
    """The last letter to an address, in one line."""
    return " ".join(stage.inbox(address)[-1].text.split())


def asked(stage: LocalJudge, address: str, line: str) -> str:
    """What the answer to a line says."""
    stage.send(address, line)
    return last_said(stage, address)


def vacated(stage: LocalJudge) -> None:
    """Austria has no player now."""
    agreed(stage, AUSTRIA, "leave for good")
    assert not stage.game("baltic").seats[stage.game("baltic").seat_of("AUSTRIA").id].filled  # type: ignore[union-attr]


def test_a_claim_is_proposed_only_to_whom_it_is_granted(table: LocalJudge) -> None:
    """Whoever plays in the game, or runs it, is refused."""
    vacated(table)
    assert "There is a vacancy now; to take it, reply with: claim baltic Austria" in asked(table, HAL, "standby")
    for insider in (FRANCE, GM):
        answer = asked(table, insider, "standby")
        assert "I shall write when a seat falls vacant." in answer and "claim" not in answer


def test_nobody_stands_by_for_a_game_of_his_own(table: LocalJudge) -> None:
    """He would never be asked, whatever he was told."""
    assert "You take part in baltic yourself." in asked(table, FRANCE, "standby baltic")


def test_who_stands_by_in_any_game_still_does_after_leaving_the_list_of_one(table: LocalJudge) -> None:
    asked(table, HAL, "standby")
    asked(table, HAL, "standby baltic")
    assert "You still stand by in any game, baltic among them" in asked(table, HAL, "standby off baltic")
    assert "You stand by no longer." in asked(table, HAL, "standby off")
    assert "You did not stand by." in asked(table, HAL, "standby off")


def test_an_observer_who_took_a_seat_still_gets_letters_when_he_observes_no_longer(table: LocalJudge) -> None:
    asked(table, HAL, "observe baltic")
    vacated(table)
    asked(table, HAL, "claim baltic Austria")
    answer = asked(table, HAL, "unobserve baltic")
    assert "as you take part in it, you still get its letters" in answer


def test_letters_about_addresses_name_the_moment_at_which_they_lapse(table: LocalJudge) -> None:
    """ "In three days" and "for thirty days" are false for whoever reads them later."""
    agreed(table, FRANCE, f"my address {NEW}")
    assert "The request expires on Mon 4 Mar 1901, 12:00 UTC." in last_said(table, NEW)
    table.send(NEW, "confirm", to=table.inbox(NEW)[-1].reply_to, vouched=False)
    assert "Until Sun 31 Mar 1901, 12:00 UTC that takes the change back." in last_said(table, FRANCE)


def test_a_stray_yes_is_not_told_that_nothing_waits(table: LocalJudge) -> None:
    """A mail in his name waits; his yes went to another address than its letter's."""
    table.send(FRANCE, "leave", to=seat_address(table, FRANCE))
    answer = asked(table, FRANCE, "confirm")
    assert "A yes or no counts only in an answer to the letter that asks for it." in answer
    assert "Nothing waits" not in answer


@pytest.mark.parametrize(
    ("kind", "waits", "excused", "extend"),
    [
        (Kind.RESULTS, True, True, True),
        (Kind.RESULTS, False, False, True),
        (Kind.ENDED, False, False, False),
    ],
)
def test_nothing_is_extended_after_the_end(kind: Kind, *, waits: bool, excused: bool, extend: bool) -> None:
    said = " ".join(advice(kind, waits=waits))
    assert ("Nobody is called late" in said, "extend" in said) == (excused, extend)


def test_the_gamemaster_of_games_that_come_together_waits_for_none(table: LocalJudge) -> None:
    """He is not counted, and would wait for ever."""
    assert "do not play in them" in asked(table, GM, "queue")
    with table.judge.store.read() as view:
        gm = view.people.by_address(GM)
        assert gm is not None and not view.lists.subscriptions(gm.id)


def test_the_last_one_in_a_queue_reads_when_the_game_begins(table: LocalJudge) -> None:
    """ "Tomorrow" is false for whoever reads it then."""
    answers = [asked(table, f"p{number}@elsewhere.test", "queue") for number in range(7)]
    assert "You wait for a game; 6 of 7 have come together." in answers[5]
    last = [" ".join(letter.text.split()) for letter in table.inbox("p6@elsewhere.test")]
    assert any("Sat 2 Mar 1901, 12:00 UTC" in text for text in last) and "tomorrow" not in "".join(last)
