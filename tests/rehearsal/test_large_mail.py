"""A mail of five megabytes is turned away at the door, by word of the listener; nothing is kept and nothing changes."""

from pathlib import Path

import pytest

from judge.testing.casting import seat_everybody
from judge.testing.process import Tour
from judge.testing.stage import Playhouse
from judge.testing.theatre import Theatre

LARGE = "A par-bur\n" * (5 * 1024 * 1024 // 10)


@pytest.mark.parametrize("house", [Playhouse, Tour], ids=["stage", "daemon"])
def test_a_large_mail_is_turned_away_and_the_next_one_is_heard(
    house: type[Playhouse] | type[Tour], tmp_path: Path
) -> None:
    theatre: Theatre = house(tmp_path)
    seat_everybody(theatre, "baltic")
    theatre.begin()
    theatre.send("france@players.test", LARGE, subject="baltic")
    assert len(theatre.refused) == 1
    with theatre.house.store.read() as view:
        assert view.inbox.list() == ()
    theatre.send("france@players.test", "A par-bur", subject="baltic")
    assert "set 1 for France" in theatre.inbox("france@players.test")[-1].subject
    theatre.close()
