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
from judge.testing.local import LocalJudge
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM
from tests.service.conftest import staffed

OLGA, FRANCE, ENGLAND = "olga@zine.test", player_of("FRANCE"), player_of("ENGLAND")
BALTIC = "judge+baltic@judge.test"


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[LocalJudge]:
    """A game that runs, and Olga, who prints it."""
    stage = LocalJudge(tmp_path, config=lambda var: replace(staffed(var), open_creation=True))
    seat_everybody(stage, "baltic")
    stage.begin()
    stage.send(OLGA, "register")
    stage.send(GM, f"editor {OLGA}", to=BALTIC)
    yield stage
    stage.close()


def editors(stage: LocalJudge) -> list[str]:
    """Addresses, as the game has them and as its readers are listed."""
    with stage.judge.store.read() as view:
        listed = {row.person_id for row in view.lists.subscribers("game:baltic")}
        persons = stage.game("baltic").editors
        assert set(persons) <= listed
        return [view.people.addresses(person)[0].address for person in persons]


def last(stage: LocalJudge, subject: str) -> ReceivedLetter:
    return [letter for letter in stage.inbox(OLGA) if subject in letter.subject][-1]


def texts(letter: ReceivedLetter) -> list[tuple[str, str]]:
    """The text files that go with a letter, by their names."""
    named = [(str(part.get_filename() or ""), part) for part in letter.message.walk()]
    return [(name, str(part.get_content()).replace("\r\n", "\n")) for name, part in named if name.endswith(".txt")]


def test_the_file_to_print_is_public_and_fits_a_page(judge: LocalJudge) -> None:
    judge.send(ENGLAND, "F Lon-Eng\nF Edi-Nwg\nA Lvp-Wal", to=BALTIC)
    judge.send(FRANCE, "F Bre-Eng\nA Par-Bur\nA Mar-Spa", to=BALTIC)
    judge.send(GM, "process S1901M", to=BALTIC)
    judge.send(GM, "confirm", to=judge.inbox(GM)[-1].reply_to)
    ((name, text),) = texts(last(judge, "results"))
    assert name == "baltic-S1901M.txt"
    assert text.startswith("Spring and Summer '01 of the game BALTIC\n(GM is ")
    assert "(F Brest - English Channel)" in text and "(F London - English Channel)" in text
    assert "A Marseilles - Spain" in text and "Due " in text
    assert max(map(len, text.splitlines())) <= 78
    assert not any(texts(letter) for letter in judge.inbox(FRANCE))
    assert not any("To print" in letter.text for letter in judge.inbox(FRANCE))


@pytest.mark.parametrize("by_click", [True, False])
def test_whoever_has_enough_is_no_editor_any_more_and_the_gamemaster_hears_of_it(
    judge: LocalJudge, *, by_click: bool
) -> None:
    if by_click:
        way = last(judge, "you are an editor").header("List-Unsubscribe")
        judge.send(OLGA, "", subject="unsubscribe", to=way.partition("mailto:")[2].partition("?")[0], vouched=False)
    else:
        judge.send(OLGA, "forget me")
        judge.send(OLGA, "confirm", to=judge.inbox(OLGA)[-1].reply_to)
    assert editors(judge) == []
    assert any("no longer an editor" in letter.subject for letter in judge.inbox(GM))
    seen = len(judge.inbox(OLGA))
    judge.send(GM, "hold", to=BALTIC)
    assert len(judge.inbox(OLGA)) == seen


def test_a_person_erased_by_the_operator_edits_nothing(judge: LocalJudge) -> None:
    assert dossier(judge.judge, OLGA)["editor_of"] == ["baltic"]
    erase(judge.judge, OLGA)
    assert judge.game("baltic").editors == ()


def test_a_game_that_moves_takes_its_editors_along(judge: LocalJudge, tmp_path: Path) -> None:
    with judge.judge.store.read() as view:
        text = pack_game(judge.judge, view, "baltic", addresses=True)
    (tmp_path / "elsewhere").mkdir()
    other = LocalJudge(tmp_path / "elsewhere", config=staffed)
    other.begin()
    move_in(other.judge, unpack_game(other.judge, text), {})
    assert editors(other) == [OLGA]
    other.close()


def test_an_editor_who_takes_a_seat_is_a_player(judge: LocalJudge) -> None:
    judge.send(GM, "vacate Italy", to=BALTIC)
    judge.send(GM, "confirm", to=judge.inbox(GM)[-1].reply_to)
    judge.send(OLGA, "claim Italy", to=BALTIC)
    (person,) = judge.game("baltic").editors
    assert not edits(judge.game("baltic"), person)
    judge.send(ENGLAND, "press to editors: Who are you?", to=BALTIC)
    assert "baltic has no editor" in judge.inbox(ENGLAND)[-1].text
