"""Editors of a game: what they get to print, what they never get, and how they cease to be editors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.game.talk.press import edits
from judge.service.people.dossiers import dossier, erase
from judge.service.upkeep.moving import move_in, pack_game, unpack_game
from judge.testing.casting import player_of, seat_everybody
from judge.testing.stage import Playhouse
from judge.testing.theatre import GM
from judge.testing.transcript import ReceivedLetter
from tests.service.conftest import staffed

OLGA, FRANCE, ENGLAND = "olga@zine.test", player_of("FRANCE"), player_of("ENGLAND")
BALTIC = "judge+baltic@judge.test"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Playhouse]:
    """A game that runs, and Olga, who prints it."""
    stage = Playhouse(tmp_path, config=lambda var: replace(staffed(var), open_creation=True))
    seat_everybody(stage, "baltic")
    stage.begin()
    stage.send(OLGA, "register")
    stage.send(GM, f"editor {OLGA}", to=BALTIC)
    yield stage
    stage.close()


def editors(stage: Playhouse) -> list[str]:
    """Addresses, as the game has them and as its readers are listed."""
    with stage.house.store.read() as view:
        listed = {row.person_id for row in view.lists.subscribers("game:baltic")}
        persons = stage.game("baltic").editors
        assert set(persons) <= listed
        return [view.people.addresses(person)[0].address for person in persons]


def last(stage: Playhouse, subject: str) -> ReceivedLetter:
    return [letter for letter in stage.inbox(OLGA) if subject in letter.subject][-1]


def texts(letter: ReceivedLetter) -> list[tuple[str, str]]:
    """The text files that go with a letter, by their names."""
    named = [(str(part.get_filename() or ""), part) for part in letter.message.walk()]
    return [(name, str(part.get_content()).replace("\r\n", "\n")) for name, part in named if name.endswith(".txt")]


def test_the_file_to_print_is_public_and_fits_a_page(house: Playhouse) -> None:
    house.send(ENGLAND, "F Lon-Eng\nF Edi-Nwg\nA Lvp-Wal", to=BALTIC)
    house.send(FRANCE, "F Bre-Eng\nA Par-Bur\nA Mar-Spa", to=BALTIC)
    house.send(GM, "process S1901M", to=BALTIC)
    house.send(GM, "confirm", to=house.inbox(GM)[-1].reply_to)
    ((name, text),) = texts(last(house, "results"))
    assert name == "baltic-S1901M.txt"
    assert text.startswith("Spring and Summer '01 of the game BALTIC\n(GM is ")
    assert "(F Brest - English Channel)" in text and "(F London - English Channel)" in text
    assert "A Marseilles - Spain" in text and "Due " in text
    assert max(map(len, text.splitlines())) <= 78
    assert not any(texts(letter) for letter in house.inbox(FRANCE))
    assert not any("To print" in letter.text for letter in house.inbox(FRANCE))


@pytest.mark.parametrize("by_click", [True, False])
def test_whoever_has_enough_is_no_editor_any_more_and_the_gamemaster_hears_of_it(
    house: Playhouse, *, by_click: bool
) -> None:
    if by_click:
        way = last(house, "you are an editor").header("List-Unsubscribe")
        house.send(OLGA, "", subject="unsubscribe", to=way.partition("mailto:")[2].partition("?")[0], vouched=False)
    else:
        house.send(OLGA, "forget me")
        house.send(OLGA, "confirm", to=house.inbox(OLGA)[-1].reply_to)
    assert editors(house) == []
    assert any("no longer an editor" in letter.subject for letter in house.inbox(GM))
    seen = len(house.inbox(OLGA))
    house.send(GM, "hold", to=BALTIC)
    assert len(house.inbox(OLGA)) == seen


def test_a_person_erased_by_the_operator_edits_nothing(house: Playhouse) -> None:
    assert dossier(house.house, OLGA)["editor_of"] == ["baltic"]
    erase(house.house, OLGA)
    assert house.game("baltic").editors == ()


def test_a_game_that_moves_takes_its_editors_along(house: Playhouse, tmp_path: Path) -> None:
    with house.house.store.read() as view:
        text = pack_game(house.house, view, "baltic", addresses=True)
    (tmp_path / "elsewhere").mkdir()
    other = Playhouse(tmp_path / "elsewhere", config=staffed)
    other.begin()
    move_in(other.house, unpack_game(other.house, text), {})
    assert editors(other) == [OLGA]
    other.close()


def test_an_editor_who_takes_a_seat_is_a_player(house: Playhouse) -> None:
    house.send(GM, "vacate Italy", to=BALTIC)
    house.send(GM, "confirm", to=house.inbox(GM)[-1].reply_to)
    house.send(OLGA, "claim Italy", to=BALTIC)
    (person,) = house.game("baltic").editors
    assert not edits(house.game("baltic"), person)
    house.send(ENGLAND, "press to editors: Who are you?", to=BALTIC)
    assert "baltic has no editor" in house.inbox(ENGLAND)[-1].text
