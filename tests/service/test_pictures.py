"""Maps in letters: which letter shows which, drawn once, never in the way, and nothing in them that is a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge import resources
from judge.service.pictures.artist import Atelier, CannotDraw, Easel
from judge.service.pictures.gallery import Gallery
from judge.service.pictures.shown import ORDERS, POSITION, Shown
from judge.service.pictures.sketch import Sketch, sketch_of
from judge.testing.casting import seat_everybody
from judge.testing.letters import ReceivedLetter
from judge.testing.stage import Playhouse

OPENING = {
    "france": "A par-bur\nA mar-spa\nF bre-mao",
    "germany": "A mun-bur\nA ber-kie\nF kie-den",
}
FRANCE, GM = "france@players.test", "gm@judge.test"


class Sketcher:
    """Draws nothing: a picture is the words of what it was asked for. `asked`: all of that."""

    def __init__(self) -> None:
        self.asked: list[tuple[Sketch, str]] = []
        self.trouble = ""

    def draw(self, sketch: Sketch, form: str) -> bytes:
        self.asked.append((sketch, form))
        if self.trouble:
            raise CannotDraw(self.trouble)
        return f"{form} of {sketch.game}, {sketch.shown.name}, version {sketch.shown.version}: {sketch.title}".encode()

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def artist() -> Sketcher:
    return Sketcher()


@pytest.fixture
def stage(tmp_path: Path, artist: Sketcher) -> Iterator[Playhouse]:
    theatre = Playhouse(tmp_path, artist=artist)
    seat_everybody(theatre, "baltic", {"nmr": "hold", "moves": "7d"})
    theatre.begin()
    yield theatre
    theatre.close()


def play_the_opening(stage: Playhouse) -> None:
    for power, orders in OPENING.items():
        stage.send(f"{power}@players.test", orders, subject="baltic")
    stage.advance(timedelta(days=8))


def last(stage: Playhouse, address: str, kind: str) -> ReceivedLetter:
    return [letter for letter in stage.inbox(address) if letter.header("X-Judge-Kind") == kind][-1]


def pictures(letter: ReceivedLetter) -> list[EmailMessage]:
    return [part for part in letter.message.walk() if part.get_content_maintype() == "image"]


def words(letter: ReceivedLetter) -> list[str]:
    return [part.get_payload(decode=True).decode() for part in pictures(letter)]  # type: ignore[union-attr]


def page(letter: ReceivedLetter) -> str:
    body = letter.message.get_body(("html",))
    return str(body.get_content()) if body is not None else ""


def test_results_show_what_was_ordered_and_where_everything_stands(stage: Playhouse) -> None:
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    assert words(letter) == [
        "png of baltic, S1901M-orders, version 1: Spring 1901 moves",
        "png of baltic, F1901M-position, version 1: Before Fall 1901 moves",
    ]
    assert [part.get_filename() for part in pictures(letter)] == ["S1901M-orders.png", "F1901M-position.png"]


def test_every_picture_that_a_page_shows_is_in_its_mail_and_nothing_comes_from_elsewhere(stage: Playhouse) -> None:
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    inside = {part["Content-ID"].strip("<>") for part in pictures(letter)}
    assert set(re.findall(r'src="cid:([^"]+)"', page(letter))) == inside
    assert not re.search(r"https?:|//[a-z]|url\(|<script|<link|<iframe", page(letter))


def test_a_picture_is_drawn_once_however_many_read_it(stage: Playhouse, artist: Sketcher) -> None:
    play_the_opening(stage)
    drawn = [(sketch.shown, form) for sketch, form in artist.asked]
    assert len(drawn) == len(set(drawn))
    assert len([one for one in stage.everything() if "results" in one.subject and pictures(one)]) >= 8


def test_everybody_gets_the_same_pictures(stage: Playhouse) -> None:
    """So that none of them tells more to one than to another."""
    play_the_opening(stage)
    seen = {tuple(words(one)) for one in stage.everything() if one.header("X-Judge-Kind") == "results"}
    assert len(seen) == 1


def test_no_picture_shows_orders_before_they_are_exposed(stage: Playhouse, artist: Sketcher) -> None:
    for power, orders in OPENING.items():
        stage.send(f"{power}@players.test", orders, subject="baltic")
    stage.send(FRANCE, "status", subject="baltic")
    assert [sketch.shown.what for sketch, _ in artist.asked] == [POSITION]
    assert all(sketch.outcomes == () for sketch, _ in artist.asked)


def test_the_first_call_for_orders_shows_the_board(stage: Playhouse) -> None:
    assert words(last(stage, FRANCE, "started")) == [
        "png of baltic, S1901M-position, version 1: Before Spring 1901 moves"
    ]


def test_what_is_stored_is_small_and_what_is_sent_is_whole(stage: Playhouse) -> None:
    """Seven letters need not keep the same picture seven times; the relay gets every octet of it."""
    play_the_opening(stage)
    with stage.house.store.read() as view:
        stored = [view.letters.mime(letter.id) or b"" for letter in view.letters.list(kind="results")]
    assert stored and all(
        b"Content-Transfer-Encoding: base64" in mime and b"\0picture:baltic/" in mime for mime in stored
    )
    assert all(b"\0" not in letter.raw for letter in stage.everything())


def test_a_letter_goes_without_a_picture_that_cannot_be_drawn_and_says_so(stage: Playhouse, artist: Sketcher) -> None:
    artist.trouble = "the brush broke"
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    assert not pictures(letter)
    assert "The maps were not ready when this letter left." in page(letter)


def test_the_text_says_the_same_with_pictures_and_without(stage: Playhouse, tmp_path: Path) -> None:
    play_the_opening(stage)
    bare = Playhouse(tmp_path / "bare")
    seat_everybody(bare, "baltic", {"nmr": "hold", "moves": "7d"})
    bare.begin()
    play_the_opening(bare)
    assert last(bare, FRANCE, "results").lines == last(stage, FRANCE, "results").lines
    bare.close()


# --- drawing beside everything else -------------------------------------------------------------------------------


def test_a_letter_whose_picture_is_being_drawn_lets_the_others_pass(stage: Playhouse, artist: Sketcher) -> None:
    gallery = Gallery(stage.house, artist, lambda *_, **__: None, beside=True)
    shown = (Shown(POSITION, "S1901M", 1, printed=True),)
    with stage.house.store.read() as view:
        hung = gallery.hang(view, "baltic", shown, timedelta(seconds=5))
        assert (hung.pictures, hung.waits, hung.missing) == ((), True, 1)
        assert not gallery.hang(view, "baltic", shown, timedelta(minutes=5)).waits, "not for ever"
    gallery.work(_once())
    with stage.house.store.read() as view:
        assert [one for one, _ in gallery.hang(view, "baltic", shown, timedelta(seconds=6)).pictures] == list(shown)


def test_what_was_fought_is_drawn_before_where_anything_stands(stage: Playhouse, artist: Sketcher) -> None:
    play_the_opening(stage)
    artist.asked.clear()
    gallery = Gallery(stage.house, artist, lambda *_, **__: None, beside=True)
    position, orders = (Shown(what, "S1901M", 1, printed=True) for what in (POSITION, ORDERS))
    with stage.house.store.read() as view:
        gallery.hang(view, "baltic", (position, orders), timedelta())
    gallery.work(_once(2))
    assert [sketch.shown for sketch, _ in artist.asked] == [orders, position]


def _once(times: int = 1):  # type: ignore[no-untyped-def]
    """A `stop` that lets so many pictures be drawn: it is asked before each one is waited for, and after."""
    answers = iter([False] * 2 * times)
    return lambda: next(answers, True)


# --- artists ------------------------------------------------------------------------------------------------------


@pytest.fixture
def sketch(stage: Playhouse) -> Sketch:
    with stage.house.store.read() as view:
        found = sketch_of(view, stage.house.keeper, "baltic", Shown(POSITION, "S1901M", 1))
    assert found is not None
    return found


def test_an_atelier_draws_what_an_easel_draws_and_begins_anew_when_its_process_died(sketch: Sketch) -> None:
    maps = resources.folder("maps")
    atelier = Atelier(maps)
    assert atelier.draw(sketch, "svg") == Easel(maps).draw(sketch, "svg")
    assert atelier._process is not None
    atelier._process.kill()
    atelier._process.join()
    with pytest.raises(CannotDraw, match="the process that draws ended"):
        atelier.draw(sketch, "svg")
    assert atelier.draw(sketch, "svg").startswith(b"<svg")
    atelier.close()


def test_a_drawing_that_takes_too_long_is_given_up(sketch: Sketch) -> None:
    atelier = Atelier(resources.folder("maps"), longest=0.0)
    with pytest.raises(CannotDraw, match="more than 0 seconds"):
        atelier.draw(sketch, "png")
    atelier.close()


def test_there_is_no_picture_of_what_never_was(stage: Playhouse) -> None:
    with stage.house.store.read() as view:
        for shown in (Shown(ORDERS, "S1901M", 1), Shown(POSITION, "F1950M", 1)):
            assert sketch_of(view, stage.house.keeper, "baltic", shown) is None
