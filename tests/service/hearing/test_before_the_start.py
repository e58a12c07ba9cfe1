"""Who one is, and who has joined, before a game begins: names that are changed, and players whom the GM removes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.testing.casting import player_of
from judge.testing.local import LocalJudge
from judge.testing.under_test import GM
from tests.service.conftest import person_of, staffed
from tests.support.standing import seated

JANE, OLGA = player_of("FRANCE"), player_of("ITALY")
SECRET_GAMES = "except in games that keep names secret until their end"


@pytest.fixture
def gathering(tmp_path: Path) -> Iterator[LocalJudge]:
    """An open game; Jane and Olga have joined it."""
    stage = seated(tmp_path, stage="open", config=staffed)
    stage.begin()
    for address, name in ((JANE, "Jane"), (OLGA, "Olga")):
        stage.send(address, f"register name {name}")
        stage.send(address, "join baltic")
    yield stage
    stage.close()


def last(stage: LocalJudge, address: str) -> str:
    """The last letter to somebody, as text on one line."""
    return " ".join(stage.inbox(address)[-1].text.split())


def told(stage: LocalJudge, line: str) -> str:
    """A line from the Gamemaster, who says yes where he is asked; the answer."""
    stage.send(GM, line, to="judge+baltic@judge.test")
    stage.send(GM, "confirm", to=stage.inbox(GM)[-1].reply_to)
    return last(stage, GM)


def test_a_name_in_register_replaces_the_one_on_file(gathering: LocalJudge) -> None:
    gathering.send(JANE, "register name Jane Doe zone Europe/Berlin")
    jane = person_of(gathering, JANE)
    assert (jane.name, jane.zone) == ("Jane Doe", "Europe/Berlin")
    assert (
        f"others know you as Jane Doe, {SECRET_GAMES}. Times in your letters are printed in Europe/Berlin too."
        in last(gathering, JANE)
    )


def test_register_without_a_name_says_which_one_is_on_file(gathering: LocalJudge) -> None:
    gathering.send(JANE, "register")
    assert f"You are registered; others know you as Jane, {SECRET_GAMES}." in last(gathering, JANE)
    assert person_of(gathering, JANE).name == "Jane"


def test_a_player_who_has_only_joined_is_removed_by_address_and_told(gathering: LocalJudge) -> None:
    answer = told(gathering, f'eject {JANE} reason "no word for a week"')
    assert "1 of 7 have joined baltic. They come back only if you `approve` or `invite` them." in answer
    assert "The Gamemaster has taken you off the list of those who have joined baltic, before its start" in last(
        gathering, JANE
    )
    assert "no word for a week" in last(gathering, JANE)
    assert [seat.person for seat in gathering.game("baltic").seats.values()] == [person_of(gathering, OLGA).id]


def test_a_player_who_was_removed_comes_back_by_the_gamemasters_word_alone(gathering: LocalJudge) -> None:
    told(gathering, f"remove {JANE}")
    gathering.send(JANE, "join baltic")
    assert "The Gamemaster of baltic has said no; only they can let you in." in last(gathering, JANE)
    told(gathering, "approve Jane")
    assert "Welcome to baltic" in last(gathering, JANE) or "welcome" in gathering.inbox(JANE)[-1].subject
    assert len(gathering.game("baltic").seats) == 2


def test_a_player_is_removed_by_name_too(gathering: LocalJudge) -> None:
    """The list of those who have joined shows names; in what case they are written is all the same."""
    name = person_of(gathering, JANE).name
    assert 'No power and no player is named "nobody at all" in baltic.' in told(gathering, "eject nobody at all")
    assert "1 of 7 have joined baltic." in told(gathering, f"remove player {name.upper()}")
    assert [seat.person for seat in gathering.game("baltic").seats.values()] == [person_of(gathering, OLGA).id]
    gathering.send(GM, "undo", subject="baltic")
    assert "They have a seat: 2 of 7." in last(gathering, GM)
    assert len(gathering.game("baltic").seats) == 2


def test_a_power_that_is_not_drawn_yet_has_nobody_to_remove(gathering: LocalJudge) -> None:
    assert "The powers of baltic are not drawn yet; give the player's name or address." in told(
        gathering, "eject France"
    )
    assert "Nobody with that address plays in baltic." in told(gathering, "eject nobody@players.test")
    assert len(gathering.game("baltic").seats) == 2


def test_one_undo_takes_a_setting_back_with_the_number_of_players_that_moved_with_it(gathering: LocalJudge) -> None:
    gathering.send(GM, "set unplayed Italy", to="judge+baltic@judge.test")
    assert "so that many players are needed" in last(gathering, GM)
    gathering.send(GM, "undo", to="judge+baltic@judge.test")
    settings = gathering.game("baltic").settings
    assert (settings.unplayed, settings.players) == ((), 7)
