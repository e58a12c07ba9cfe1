"""Maps in letters: which letter shows which, drawn once, never in the way, and nothing in them that is a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge import resources
from judge.report.reply.maps import ORDERS, POSITION
from judge.service.pictures.artist import Atelier, CannotDraw, Easel
from judge.service.pictures.gallery import Gallery
from judge.service.pictures.shown import Shown
from judge.service.pictures.sketch import Sketch, sketch_of
from judge.testing.casting import seat_everybody
from judge.testing.letters import ReceivedLetter
from judge.testing.stage import Playhouse
from judge.testing.theatre import GM

OPENING = {
    "france": "A par-bur\nA mar-spa\nF bre-mao",
    "germany": "A mun-bur\nA ber-kie\nF kie-den",
}
FRANCE = "france@players.test"


class Sketcher:
    """Draws nothing: a picture is the words of what it was asked for. `asked`: all of that."""

    def __init__(self) -> None:
        self.asked: list[Sketch] = []
        self.trouble = ""

    def draw(self, sketch: Sketch) -> bytes:
        self.asked.append(sketch)
        if self.trouble:
            raise CannotDraw(self.trouble)
        return f"{sketch.game}, {sketch.shown.name}, version {sketch.shown.version}: {sketch.title}".encode()

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
        "baltic, S1901M-orders.png, version 1: Spring 1901 moves",
        "baltic, F1901M-position.png, version 1: Before Fall 1901 moves",
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
    drawn = [sketch.shown for sketch in artist.asked]
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
    assert [sketch.shown.what for sketch in artist.asked] == [POSITION]
    assert all(sketch.outcomes == () for sketch in artist.asked)


def test_the_first_call_for_orders_shows_the_board(stage: Playhouse) -> None:
    assert words(last(stage, FRANCE, "started")) == ["baltic, S1901M-position.png, version 1: Before Spring 1901 moves"]


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
    assert [sketch.shown for sketch in artist.asked] == [orders, position]


def test_a_picture_that_is_being_drawn_when_the_judge_stops_is_told_to_nobody(stage: Playhouse) -> None:
    told: list[object] = []

    class Interrupted(Sketcher):
        def draw(self, sketch: Sketch) -> bytes:
            gallery.close()
            raise CannotDraw("the process that draws ended")

    gallery = Gallery(stage.house, Interrupted(), lambda *facts, **_: told.append(facts), beside=True)
    with stage.house.store.read() as view:
        gallery.hang(view, "baltic", (Shown(POSITION, "S1901M", 1, printed=True),), timedelta())
    gallery.work(_once())
    assert told == []


def _once(times: int = 1):  # type: ignore[no-untyped-def]
    """A `stop` that lets so many pictures be drawn: it is asked before each one is waited for, and after."""
    answers = iter([False] * 2 * times)
    return lambda: next(answers, True)


# --- artists ------------------------------------------------------------------------------------------------------


@pytest.fixture
def sketch(stage: Playhouse) -> Sketch:
    with stage.house.store.read() as view:
        found = sketch_of(view, stage.house.keeper, "baltic", Shown(POSITION, "S1901M", 1, form="svg"))
    assert found is not None
    return found


def test_an_atelier_draws_what_an_easel_draws_and_begins_anew_when_its_process_died(sketch: Sketch) -> None:
    maps = resources.folder("maps")
    atelier = Atelier(maps)
    assert atelier.draw(sketch) == Easel(maps).draw(sketch)
    assert atelier._process is not None
    atelier._process.kill()
    atelier._process.join()
    with pytest.raises(CannotDraw, match="the process that draws ended"):
        atelier.draw(sketch)
    assert atelier.draw(sketch).startswith(b"<svg")
    atelier.close()


def test_a_drawing_that_takes_too_long_is_given_up(sketch: Sketch) -> None:
    atelier = Atelier(resources.folder("maps"), longest=0.0)
    with pytest.raises(CannotDraw, match="more than 0 seconds"):
        atelier.draw(sketch)
    atelier.close()


def test_there_is_no_picture_of_what_never_was(stage: Playhouse) -> None:
    with stage.house.store.read() as view:
        for shown in (Shown(ORDERS, "S1901M", 1), Shown(POSITION, "F1950M", 1)):
            assert sketch_of(view, stage.house.keeper, "baltic", shown) is None


# --- asked for by mail --------------------------------------------------------------------------------------------


def names(letter: ReceivedLetter) -> list[str]:
    files = [
        part for part in letter.message.walk() if part.get_filename() and part.get_content_type() != "text/calendar"
    ]
    return [str(part.get_filename()) for part in files]


def ask(stage: Playhouse, line: str, *, by: str = FRANCE) -> ReceivedLetter:
    stage.send(by, line, subject="baltic")
    return stage.inbox(by)[-1]


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("map", ["S1901M-orders.png", "F1901M-position.png"]),
        ("map S1901", ["S1901M-orders.png", "F1901M-position.png"]),
        ("map spring 1901", ["S1901M-orders.png", "F1901M-position.png"]),
        ("map baltic F1901", ["F1901M-position.png"]),
        ("map bw", ["S1901M-orders-bw.png", "F1901M-position-bw.png"]),
        ("map svg", ["S1901M-orders.svg", "F1901M-position.svg"]),
        ("map of S1901 as PDF please", ["S1901M-orders.pdf", "F1901M-position.pdf"]),
        ("map gif", ["S1901M-orders.png", "F1901M-position.png"]),
    ],
)
def test_maps_come_on_demand(stage: Playhouse, line: str, files: list[str]) -> None:
    play_the_opening(stage)
    letter = ask(stage, line)
    assert names(letter) == files
    assert "Along with this letter" in letter.text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("map X1999", '"X1999" is no phase; write one like F1901.'),
        ("map F1950", "baltic has no F1950 Moves to show."),
        ("map S1902M", "baltic has no S1902 Moves to show."),
    ],
)
def test_a_map_of_what_never_was_is_refused_with_a_reason(stage: Playhouse, line: str, said: str) -> None:
    play_the_opening(stage)
    letter = ask(stage, line)
    assert not names(letter) and said in " ".join(letter.text.split())


def test_before_the_start_there_is_no_map(tmp_path: Path, artist: Sketcher) -> None:
    theatre = Playhouse(tmp_path, artist=artist)
    seat_everybody(theatre, "baltic", stage="open")
    theatre.begin()
    assert "baltic has not begun" in ask(theatre, "map", by=GM).text
    assert not artist.asked
    theatre.close()


def test_two_wishes_in_one_mail_are_one_answer(stage: Playhouse) -> None:
    letter = ask(stage, "map bw\nstatus")
    assert names(letter) == ["S1901M-position-bw.png"]
    assert "baltic" in letter.text


def test_an_asked_map_that_cannot_be_drawn_is_not_promised(stage: Playhouse, artist: Sketcher) -> None:
    artist.trouble = "the brush broke"
    text = " ".join(ask(stage, "map bw").text.split())
    assert "cannot be drawn at the moment" in text and "Along with this letter" not in text


# --- what a reader wants ------------------------------------------------------------------------------------------


def parts(letter: ReceivedLetter) -> set[str]:
    return {part.get_content_type() for part in letter.message.walk() if not part.is_multipart()}


@pytest.mark.parametrize(
    ("wish", "comes", "said"),
    [
        ("my format text", {"text/plain", "text/calendar"}, "come as text, and with their deadlines"),
        ("my format text only", {"text/plain"}, "come as text, and without their deadlines"),
        (
            "my format no calendar",
            {"text/plain", "text/html", "image/png"},
            "as text, as a page and with maps, and without",
        ),
        ("my format: no maps", {"text/plain", "text/html", "text/calendar"}, "come as text and as a page, and with"),
        (
            "my format text with maps",
            {"text/plain", "image/png", "text/calendar"},
            "come as text and with maps, and with",
        ),
        (
            "my format html",
            {"text/plain", "text/html", "image/png", "text/calendar"},
            "as text, as a page and with maps",
        ),
    ],
)
def test_a_reader_says_what_comes_with_the_text(stage: Playhouse, wish: str, comes: set[str], said: str) -> None:
    assert said in " ".join(ask(stage, wish).text.split())
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    assert parts(letter) == comes
    other = last(stage, "germany@players.test", "results")
    assert parts(other) == {"text/plain", "text/html", "image/png", "text/calendar"}, "a wish is its author's alone"


def test_who_wants_no_maps_gets_those_that_he_asks_for(stage: Playhouse) -> None:
    ask(stage, "my format text")
    letter = ask(stage, "map")
    assert names(letter) == ["S1901M-position.png"]
    assert [part.get_content_disposition() for part in pictures(letter)] == ["attachment"]


def test_a_form_that_nobody_knows_is_asked_back(stage: Playhouse) -> None:
    assert '"morse" is no form of a letter' in ask(stage, "my format morse").text
