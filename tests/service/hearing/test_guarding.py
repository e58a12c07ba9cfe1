"""At the edges of a guarded table: letters that come back, vacancies, games at once, taking back, hidden names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.testing.casting import player_of, seat_everybody
from judge.testing.stage import Playhouse
from judge.testing.theatre import GM
from tests.service.conftest import staffed
from tests.service.posting.test_bounces import bounce
from tests.support.standing import seated

JANE, OLGA, ANNA = player_of("FRANCE"), player_of("ITALY"), "anna@club.test"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Playhouse]:
    """An open game without players, and one that runs."""
    stage = seated(tmp_path, stage="open", config=lambda var: replace(staffed(var), open_creation=True))
    seat_everybody(stage, "verdun")
    stage.begin()
    yield stage
    stage.close()


def said(stage: Playhouse, address: str) -> str:
    return " ".join(stage.inbox(address)[-1].text.split())


def told(stage: Playhouse, line: str, *, by: str = GM, game: str = "baltic") -> str:
    stage.send(by, line, to=f"judge+{game}@judge.test")
    return said(stage, by)


def accept(stage: Playhouse, address: str, words: str = "accept") -> None:
    stage.send(address, words, to=stage.inbox(address)[-1].reply_to, vouched=False)


def test_an_invitation_that_comes_back_is_told_with_its_address_and_sent_no_more(house: Playhouse) -> None:
    told(house, f"invite {ANNA}")
    bounce(house, house.inbox(ANNA)[-1])
    assert f"Your invitation to {ANNA} came back as undeliverable" in said(house, GM)
    assert "came back" in told(house, f"invite {ANNA}") and len(house.inbox(ANNA)) == 1


def test_whoever_has_as_many_games_as_are_taken_is_told_so_and_may_be_invited_all_the_same(house: Playhouse) -> None:
    told(house, "set max_games 1")
    told(house, "join baltic", by=JANE)
    assert "itself included; you play one game now" in said(house, JANE)
    assert not house.game("baltic").seats
    told(house, "set max_games 2")
    told(house, "join baltic", by=JANE)
    assert len(house.game("baltic").seats) == 1


def test_observers_write_to_the_players_only_where_the_setting_says_so(house: Playhouse) -> None:
    house.send(ANNA, "observe verdun")
    for value, heard in (("no", False), ("yes", True)):
        told(house, f"set press_from_observers {value}", game="verdun")
        told(house, f"press to all: A fine game, {value}.", by=ANNA, game="verdun")
        assert any(f"A fine game, {value}." in letter.text for letter in house.inbox(JANE)) is heard


@pytest.mark.parametrize("words", ["accept", "claim FRANCE"])
def test_an_invited_person_takes_a_vacant_power_of_a_private_game(house: Playhouse, words: str) -> None:
    told(house, "set access invitation", game="verdun")
    house.send(GM, "vacate FRANCE\nconfirm", to=house.inbox(GM)[-1].reply_to)
    seat = house.game("verdun").seat_of("FRANCE")
    if seat is not None and seat.filled:  # a second word is asked for
        house.send(GM, "confirm", to=house.inbox(GM)[-1].reply_to)
    seat = house.game("verdun").seat_of("FRANCE")
    assert seat is not None and not seat.filled
    told(house, "claim FRANCE", by=OLGA.replace("@", ".other@"), game="verdun")
    told(house, f"invite {ANNA}", game="verdun")
    assert "invites you to take over France" in said(house, ANNA)
    accept(house, ANNA, words)
    seat = house.game("verdun").seat_of("FRANCE")
    assert seat is not None and seat.filled


def test_taking_back_and_going_back_leave_invitations_as_they_were(house: Playhouse) -> None:
    told(house, f"invite {ANNA}")
    told(house, "undo")
    accept(house, ANNA)
    assert "has taken this invitation back" in said(house, ANNA)
    told(house, "set access approval")
    told(house, "join baltic", by=JANE)
    told(house, "refuse 1 reason full")
    told(house, "undo")
    assert "cannot be followed" not in said(house, GM)
    for line in ("nudge: Please.", "advertise", "pass phrase copper kettle"):
        told(house, line)
        told(house, "undo")
        assert "ERROR" not in said(house, GM)


def test_no_letter_of_an_anonymous_table_names_a_player_or_an_address(tmp_path: Path) -> None:
    stage = Playhouse(tmp_path, config=lambda var: replace(staffed(var), open_creation=True))
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
