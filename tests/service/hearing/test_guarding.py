"""At the edges of a guarded table: letters that come back, vacancies, games at once, taking back, hidden names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.testing.casting import player_of, seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import staffed
from tests.service.posting.test_bounces import bounce
from tests.support.standing import seated

JANE, OLGA, ANNA = player_of("FRANCE"), player_of("ITALY"), "anna@club.test"


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[LocalJudge]:
    """An open game without players, and one that runs."""
    stage = seated(tmp_path, stage="open", config=lambda var: replace(staffed(var), open_creation=True))
    seat_everybody(stage, "verdun")
    stage.begin()
    yield stage
    stage.close()


def said(stage: LocalJudge, address: str) -> str:
    return " ".join(stage.inbox(address)[-1].text.split())


def told(stage: LocalJudge, line: str, *, by: str = GM, game: str = "baltic") -> str:
    stage.send(by, line, to=f"judge+{game}@judge.test")
    return said(stage, by)


def accept(stage: LocalJudge, address: str, words: str = "accept") -> None:
    stage.send(address, words, to=stage.inbox(address)[-1].reply_to, vouched=False)


def test_an_invitation_that_comes_back_is_told_with_its_address_and_sent_no_more(judge: LocalJudge) -> None:
    told(judge, f"invite {ANNA}")
    bounce(judge, judge.inbox(ANNA)[-1])
    assert f"Your invitation to {ANNA} came back as undeliverable" in said(judge, GM)
    assert "came back" in told(judge, f"invite {ANNA}") and len(judge.inbox(ANNA)) == 1


def test_whoever_has_as_many_games_as_are_taken_is_told_so_and_may_be_invited_all_the_same(judge: LocalJudge) -> None:
    told(judge, "set max_games 1")
    told(judge, "join baltic", by=JANE)
    assert "itself included; you play one game now" in said(judge, JANE)
    assert not judge.game("baltic").seats
    told(judge, "set max_games 2")
    told(judge, "join baltic", by=JANE)
    assert len(judge.game("baltic").seats) == 1


def test_observers_write_to_the_players_only_where_the_setting_says_so(judge: LocalJudge) -> None:
    judge.send(ANNA, "observe verdun")
    for value, heard in (("no", False), ("yes", True)):
        told(judge, f"set press_from_observers {value}", game="verdun")
        told(judge, f"press to all: A fine game, {value}.", by=ANNA, game="verdun")
        assert any(f"A fine game, {value}." in letter.text for letter in judge.inbox(JANE)) is heard


@pytest.mark.parametrize("words", ["accept", "claim FRANCE"])
def test_an_invited_person_takes_a_vacant_power_of_a_private_game(judge: LocalJudge, words: str) -> None:
    told(judge, "set access invitation", game="verdun")
    judge.send(GM, "vacate FRANCE\nconfirm", to=judge.inbox(GM)[-1].reply_to)
    seat = judge.game("verdun").seat_of("FRANCE")
    if seat is not None and seat.filled:  # a second word is asked for
        judge.send(GM, "confirm", to=judge.inbox(GM)[-1].reply_to)
    seat = judge.game("verdun").seat_of("FRANCE")
    assert seat is not None and not seat.filled
    told(judge, "claim FRANCE", by=OLGA.replace("@", ".other@"), game="verdun")
    told(judge, f"invite {ANNA}", game="verdun")
    assert "invites you to take over France" in said(judge, ANNA)
    accept(judge, ANNA, words)
    seat = judge.game("verdun").seat_of("FRANCE")
    assert seat is not None and seat.filled


def test_taking_back_and_going_back_leave_invitations_as_they_were(judge: LocalJudge) -> None:
    told(judge, f"invite {ANNA}")
    told(judge, "undo")
    accept(judge, ANNA)
    assert "has taken this invitation back" in said(judge, ANNA)
    told(judge, "set access approval")
    told(judge, "join baltic", by=JANE)
    told(judge, "refuse 1 reason full")
    told(judge, "undo")
    assert "cannot be followed" not in said(judge, GM)
    for line in ("nudge: Please.", "advertise", "pass phrase copper kettle"):
        told(judge, line)
        told(judge, "undo")
        assert "ERROR" not in said(judge, GM)


def test_no_letter_of_an_anonymous_table_names_a_player_or_an_address(tmp_path: Path) -> None:
    stage = LocalJudge(tmp_path, config=lambda var: replace(staffed(var), open_creation=True))
    stage.begin()
    stage.send(GM, "register name Gina Master")
    stage.send(GM, "create fog preset standard\nanonymous = yes\nreserve = 3\nopen")
    people = [f"secret{number}@club.test" for number in range(9)]
    for number, address in enumerate(people):
        told(stage, f"invite {address}", game="fog")
        accept(stage, address, f"accept\nmy name Hidden{number} Person")
    stage.send(ANNA, "hear of games")
    told(stage, "advertise", game="fog")
    told(stage, "start", game="fog")
    told(stage, "nudge: Please.", game="fog")
    for reader in (*people, ANNA):
        for question in ("status fog", "list", "house rules fog", "players fog"):
            stage.send(reader, question)
        for letter in stage.inbox(reader):
            text = letter.subject + letter.text
            others = [other for other in people if other != reader]
            assert not [other for other in others if other in text or other.partition("@")[0] in text]
            own = f"Hidden{people.index(reader)}" if reader in people else "nobody"
            assert "Hidden" not in text.replace(own, ""), letter.text
    stage.close()
