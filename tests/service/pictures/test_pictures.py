"""Maps in letters: which letter shows which, drawn once, never in the way, and nothing in them that is a secret."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge import resources
from judge.draw import BoardPictures
from judge.report.played.results import BIG, ORDERS, PART, POSITION
from judge.service.core.judge import Judge
from judge.service.pictures.artist import BIG_WIDTH, PART_WIDTH, Artist, Atelier, CannotDraw, Easel, GivenUp
from judge.service.pictures.gallery import Gallery, Hung
from judge.service.pictures.sketch import Shown, Sketch, picture_of, sketch_of
from judge.service.posting.post import Post
from judge.store import Transaction
from judge.store.rows import NewLetter, PictureRow
from judge.testing.casting import seat_everybody
from judge.testing.local import LocalJudge
from judge.testing.sink import MemoryPost
from judge.testing.transcript import ReceivedLetter
from judge.testing.under_test import GM

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
def stage(tmp_path: Path, artist: Sketcher) -> Iterator[LocalJudge]:
    under_test = LocalJudge(tmp_path, artist=artist)
    seat_everybody(under_test, "baltic", {"nmr": "hold", "moves": "7d"})
    under_test.begin()
    yield under_test
    under_test.close()


def play_the_opening(stage: LocalJudge) -> None:
    for power, orders in OPENING.items():
        stage.send(f"{power}@players.test", orders, subject="baltic")
    stage.advance(timedelta(days=8))


def last(stage: LocalJudge, address: str, kind: str) -> ReceivedLetter:
    return [letter for letter in stage.inbox(address) if letter.header("X-Judge-Kind") == kind][-1]


def pictures(letter: ReceivedLetter) -> list[EmailMessage]:
    return [part for part in letter.message.walk() if part.get_content_maintype() == "image"]


def words(letter: ReceivedLetter) -> list[str]:
    return [part.get_payload(decode=True).decode() for part in pictures(letter)]  # type: ignore[union-attr]


def page(letter: ReceivedLetter) -> str:
    body = letter.message.get_body(("html",))
    return str(body.get_content()) if body is not None else ""


def test_the_words_for_a_picture_say_what_changed(stage: LocalJudge) -> None:
    """For who hears them: what moved where, what was turned back, and which centres have changed hands."""
    play_the_opening(stage)
    orders, position = re.findall(r'<img [^>]*alt="([^"]*)"', page(last(stage, FRANCE, "results")))
    assert orders.startswith("Map of Spring 1901 moves. Moves that succeeded: ")
    assert "New in centres: France into Spain" in orders and "Moves bounced in Burgundy" in orders
    assert len(orders) < 300
    assert "of the position. No centre changed hands." in position
    stage.advance(timedelta(days=8))
    (autumn,) = (one for one in stage.inbox(FRANCE) if "F1901 Moves: results" in one.subject)
    _, position = re.findall(r'<img [^>]*alt="([^"]*)"', page(autumn))
    assert "Centres that changed hands: France gained Spain; Germany gained Denmark." in position


def test_results_show_what_was_ordered_and_where_everything_stands(stage: LocalJudge) -> None:
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    assert words(letter) == [
        "baltic, S1901M-orders.png, version 1: Spring 1901 moves",
        "baltic, F1901M-position.png, version 1: Before Fall 1901 moves",
    ]
    assert [part.get_filename() for part in pictures(letter)] == ["S1901M-orders.png", "F1901M-position.png"]


def test_every_picture_that_a_page_shows_is_in_its_mail_and_nothing_comes_from_elsewhere(stage: LocalJudge) -> None:
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    inside = {part["Content-ID"].strip("<>") for part in pictures(letter)}
    assert set(re.findall(r'src="cid:([^"]+)"', page(letter))) == inside
    assert not re.search(r"https?:|//[a-z]|url\(|<script|<link|<iframe", page(letter))


def test_a_picture_is_drawn_once_however_many_read_it(stage: LocalJudge, artist: Sketcher) -> None:
    play_the_opening(stage)
    drawn = [sketch.shown for sketch in artist.asked]
    assert len(drawn) == len(set(drawn))
    assert len([one for one in stage.everything() if "results" in one.subject and pictures(one)]) >= 8


def test_everybody_gets_the_same_pictures(stage: LocalJudge) -> None:
    """So that none of them tells more to one than to another."""
    play_the_opening(stage)
    seen = {tuple(words(one)) for one in stage.everything() if one.header("X-Judge-Kind") == "results"}
    assert len(seen) == 1


def test_centres_that_changed_hands_are_ringed_though_nobody_had_to_retreat(
    stage: LocalJudge, artist: Sketcher
) -> None:
    """Compared with where everything stood when the moves were written, not with the retreats that were passed over."""
    play_the_opening(stage)
    stage.advance(timedelta(days=8))
    drawn = {
        sketch.shown.phase: picture_of(sketch, stage.judge.shelf, BoardPictures(resources.folder("maps")))
        for sketch in artist.asked
        if sketch.shown.what == POSITION
    }
    rings = {phase: sum("8.4" in dot.inside for dot in picture.dots) for phase, picture in drawn.items()}
    assert rings == {"S1901M": 0, "F1901M": 0, "W1901A": 2, "S1902M": 0}, "Spain and Denmark"
    assert "changed hands" in drawn["W1901A"].outside


def test_no_picture_shows_orders_before_they_are_exposed(stage: LocalJudge, artist: Sketcher) -> None:
    for power, orders in OPENING.items():
        stage.send(f"{power}@players.test", orders, subject="baltic")
    stage.send(FRANCE, "status", subject="baltic")
    assert [sketch.shown.what for sketch in artist.asked] == [POSITION]
    assert all(sketch.outcomes == () for sketch in artist.asked)


def test_of_a_board_that_no_telephone_can_show_each_reader_gets_their_part_too(tmp_path: Path) -> None:
    """The orders of all, then what concerns the reader of them and of the position; for who has no power, where the
    board is crowded. A board that can be read whole has no parts in its letters.
    """
    artist = Sketcher()
    world = LocalJudge(tmp_path / "world", artist=artist)
    seat_everybody(world, "atlas", {"nmr": "hold"}, preset="global2")
    world.begin()
    world.send("england@players.test", "F lon-nth", subject="atlas")
    world.advance(timedelta(days=30))
    names = {
        who: [part.get_filename() for part in pictures(last(world, address, "results"))]
        for who, address in (("england", "england@players.test"), ("", GM))
    }
    for who, found in names.items():
        whole, orders, position = found
        phase = str(whole).partition("-")[0]
        part = "-".join(filter(None, ("part", who)))
        assert (whole, orders) == (f"{phase}-orders.png", f"{phase}-orders-{part}.png")
        assert str(position).endswith(f"-position-{part}.png")
    assert "Map of " in page(last(world, GM, "results"))
    assert "where the board is crowded" in page(last(world, GM, "results"))
    assert "your part of the board (England)" in page(last(world, "england@players.test", "results"))
    world.close()


@pytest.mark.parametrize(
    ("line", "kind", "form", "said"),
    [
        ("map big", "/big", "png", ", large"),
        ("map larger please", "/big", "png", ", large"),
        ("map mine", "/part FRANCE", "png", ", your part of the board"),
        ("map of my part of the board as svg", "/svg/part FRANCE", "svg", ", your part of the board"),
        ("map mine pdf", "/pdf", "pdf", ", black and white"),
    ],
)
def test_a_map_comes_in_large_and_of_ones_own_part(
    stage: LocalJudge, artist: Sketcher, line: str, kind: str, form: str, said: str
) -> None:
    """A page for the printer is the whole board, as large as the paper. The orders on file stay as they were."""
    stage.send(FRANCE, OPENING["france"], subject="baltic")
    stage.send(FRANCE, line, subject="baltic")
    shown = artist.asked[-1].shown
    assert shown.kind == f"position/1{kind}" and shown.form == form
    answer = stage.inbox(FRANCE)[-1]
    assert any(said in one for one in answer.lines), answer.lines
    stage.advance(timedelta(days=8))
    assert any("F Mid-Atlantic Ocean, A Spain, A Burgundy" in one for one in last(stage, FRANCE, "results").lines)


def test_what_is_drawn_of_a_part_holds_what_concerns_its_power(stage: LocalJudge, artist: Sketcher) -> None:
    """Drawn as the daemon draws it: a part, and a large one, of a real game."""
    play_the_opening(stage)
    easel = Easel(resources.folder("maps"))
    orders = next(sketch for sketch in artist.asked if sketch.shown.what == ORDERS)
    sizes = {}
    for extent, powers in (("", ()), ("big", ()), ("part", ("FRANCE",)), ("part", ())):
        named = replace(orders, shown=replace(orders.shown, extent=extent, powers=powers))
        png = easel.draw(named)
        sizes[extent, powers] = (int.from_bytes(png[16:20]), len(png))
        assert png == easel.draw(named), "the same again"
        svg = easel.draw(replace(named, shown=replace(named.shown, form="svg")))
        assert svg.startswith(b"<svg")
    assert [wide for wide, _ in sizes.values()] == [900, BIG_WIDTH, PART_WIDTH, PART_WIDTH]
    assert sizes["big", ()][1] < 300_000


def test_the_first_call_for_orders_shows_the_board(stage: LocalJudge) -> None:
    assert words(last(stage, FRANCE, "started")) == ["baltic, S1901M-position.png, version 1: Before Spring 1901 moves"]


def test_what_is_stored_is_small_and_what_is_sent_is_whole(stage: LocalJudge) -> None:
    """Seven letters need not keep the same picture seven times; the relay gets every octet of it."""
    play_the_opening(stage)
    with stage.judge.store.read() as view:
        stored = [view.letters.mime(letter.id) or b"" for letter in view.letters.list(kind="results")]
    assert stored and all(
        b"Content-Transfer-Encoding: base64" in mime and b"\0picture:baltic/" in mime for mime in stored
    )
    assert all(b"\0" not in letter.raw for letter in stage.everything())


def test_a_letter_goes_without_a_picture_that_cannot_be_drawn_and_says_so(stage: LocalJudge, artist: Sketcher) -> None:
    artist.trouble = "the brush broke"
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    assert not pictures(letter)
    assert "The maps were not ready when this letter left." in page(letter)


def test_the_text_says_the_same_with_pictures_and_without(stage: LocalJudge, tmp_path: Path) -> None:
    play_the_opening(stage)
    bare = LocalJudge(tmp_path / "bare")
    seat_everybody(bare, "baltic", {"nmr": "hold", "moves": "7d"})
    bare.begin()
    play_the_opening(bare)
    assert last(bare, FRANCE, "results").lines == last(stage, FRANCE, "results").lines
    bare.close()


# --- drawing beside everything else -------------------------------------------------------------------------------


PRINTED = Shown(POSITION, "S1901M", 1, printed=True)


def beside(stage: LocalJudge, artist: Artist | None, told: list[str] | None = None) -> Gallery:
    """A gallery as the daemon has it. `told`: what the operator hears of."""

    def tell(judge: Judge, unit: Transaction, key: str, **_: object) -> None:
        if told is not None:
            told.append(key)

    return Gallery(stage.judge, artist, tell, hands=1)


def hung(stage: LocalJudge, gallery: Gallery, *shown: Shown, asked: bool = False, again: bool = False) -> Hung:
    with stage.judge.store.read() as view:
        return gallery.hang(view, "baltic", shown or (PRINTED,), asked=asked, again=again)


def test_a_letter_whose_picture_is_being_drawn_lets_the_others_pass(stage: LocalJudge, artist: Sketcher) -> None:
    gallery = beside(stage, artist)
    first = hung(stage, gallery)
    assert (first.pictures, first.missing) == ((), 1) and first.waits
    stage.set_clock(stage.now + timedelta(minutes=5))
    assert not hung(stage, gallery).waits, "not for ever"
    gallery.work(_once())
    assert [one for one, _ in hung(stage, gallery).pictures] == [PRINTED]


def test_a_letter_that_was_written_long_ago_waits_as_long_as_others(stage: LocalJudge, artist: Sketcher) -> None:
    """After an outage, or when it was held back: patience begins when a picture is first asked for."""
    gallery = beside(stage, artist)
    stage.set_clock(stage.now + timedelta(hours=8))
    assert hung(stage, gallery).waits


def test_pictures_that_were_asked_for_are_waited_for_longer(stage: LocalJudge, artist: Sketcher) -> None:
    gallery = beside(stage, artist)
    other = replace(PRINTED, form="svg")
    assert hung(stage, gallery, PRINTED, other).missing == 2
    gallery.work(_once())
    stage.set_clock(stage.now + timedelta(minutes=2))
    assert not hung(stage, gallery, PRINTED, other).waits
    assert hung(stage, gallery, PRINTED, other, asked=True).waits


class Fragile(Sketcher):
    """Raises these one after the other before it draws."""

    def __init__(self, *troubles: Exception) -> None:
        super().__init__()
        self.troubles = list(troubles)

    def draw(self, sketch: Sketch) -> bytes:
        if self.troubles:
            raise self.troubles.pop(0)
        return super().draw(sketch)


def test_a_drawing_that_was_broken_off_is_begun_again(stage: LocalJudge) -> None:
    """A process that was killed, or had no turn on a busy machine, says nothing about the picture."""
    told: list[str] = []
    gallery = beside(stage, Fragile(GivenUp("killed")), told)
    assert hung(stage, gallery).waits
    gallery.work(_once())
    assert hung(stage, gallery).waits
    gallery.work(_once())
    assert hung(stage, gallery).missing == 0 and told == []


@pytest.mark.parametrize(
    "troubles",
    [(GivenUp("killed"), GivenUp("killed")), (CannotDraw("no such board"),), (TypeError("of anybody's making"),)],
    ids=["broken off twice", "impossible", "unforeseen"],
)
def test_a_picture_that_cannot_be_drawn_costs_that_picture_and_is_told_once(
    stage: LocalJudge, troubles: tuple[Exception, ...]
) -> None:
    told: list[str] = []
    artist = Fragile(*troubles)
    gallery = beside(stage, artist, told)
    for _ in troubles:
        assert hung(stage, gallery).waits
        gallery.work(_once())
    assert not hung(stage, gallery).waits
    assert told == ["picture/baltic/S1901M/position/1/bw"]
    hung(stage, gallery, Shown(POSITION, "S1901M", 1, form="svg"))
    gallery.work(_once())
    assert [sketch.shown.form for sketch in artist.asked] == ["svg"], "the others are drawn, and it is not tried again"
    stage.set_clock(stage.now + timedelta(hours=2))
    assert hung(stage, gallery).waits, "later somebody may ask again"


def test_a_process_that_draws_nothing_leaves_letters_to_the_one_that_does(stage: LocalJudge, artist: Sketcher) -> None:
    elsewhere = beside(stage, None)
    stage.set_clock(stage.now + timedelta(minutes=5))
    assert hung(stage, elsewhere).waits
    gallery = beside(stage, artist)
    hung(stage, gallery)
    gallery.work(_once())
    assert [one for one, _ in hung(stage, elsewhere).pictures] == [PRINTED]


def test_of_two_processes_that_draw_one_picture_both_send_the_one_that_is_kept(stage: LocalJudge) -> None:
    """A letter is signed as it was composed, and sent with what is kept."""

    class Slow(Sketcher):
        def draw(self, sketch: Sketch) -> bytes:
            hung(stage, quick)
            quick.work(_once())
            return b"another"

    quick, slow = beside(stage, Sketcher()), beside(stage, Slow())
    hung(stage, slow)
    slow.work(_once())
    assert hung(stage, slow).pictures == hung(stage, quick).pictures != ()


def test_nobody_waits_for_a_second_picture_that_will_not_come_in_time(stage: LocalJudge, artist: Sketcher) -> None:
    """On a busy evening a thousand others are drawn before it."""
    gallery = beside(stage, artist)
    for year in range(1902, 3902):
        hung(stage, gallery, Shown(ORDERS, f"S{year}M", 1))
    first, second = Shown(ORDERS, "S1901M", 1), replace(PRINTED, form="svg")
    assert hung(stage, gallery, second).waits, "alone it is waited for"
    with stage.judge.store.write() as unit:
        unit.pictures.put(PictureRow("baltic", "S1901M", first.kind, "image/png", b"there"))
    assert hung(stage, gallery, first, second).waits is None, "it goes with the one that is there"
    assert hung(stage, gallery, first, second, asked=True).waits


def test_letters_are_composed_when_the_pictures_that_they_wait_for_have_come_and_not_taken_up_before(
    tmp_path: Path, artist: Sketcher
) -> None:
    bare = LocalJudge(tmp_path / "bare")
    seat_everybody(bare, "baltic", {"nmr": "hold", "moves": "7d"})
    bare.begin()
    play_the_opening(bare)
    came: list[str] = []
    gallery = Gallery(bare.judge, artist, lambda *_, **__: None, hands=1, ready=came.append)
    post = Post(bare.judge, MemoryPost(), gallery=gallery)
    with bare.judge.store.write() as unit:
        results = next(one for one in unit.letters.list(kind="results") if one.person_id)
        for number in range(2):
            unit.letters.add(
                NewLetter(
                    f"again/{number}", f"<{number}@x>", results.kind, results.view, (FRANCE,), bare.now,
                    game=results.game, seat=results.seat, person_id=results.person_id,
                )
            )  # fmt: skip
    assert post.compose_all() == 2 and post.compose_all() == 0
    for expected in (0, 2):
        gallery.work(_once())
        post.picture_came(came.pop())
        assert post.compose_all() == expected, "both pictures belong to them"
    with bare.judge.store.read() as view:
        again = [view.letters.by_key(f"again/{number}") for number in range(2)]
        assert [view.letters.mime(one.id).count(b"\0picture:") for one in again if one] == [2, 2]  # type: ignore[union-attr]
        assert {one.attempts for one in again if one} == {1}
    bare.close()


def test_nobody_waits_longer_than_a_picture_is_waited_for(stage: LocalJudge, artist: Sketcher) -> None:
    gallery = beside(stage, artist)
    first = hung(stage, gallery)
    assert first.waits == timedelta(minutes=4, seconds=30) and len(first.awaits) == 1
    stage.set_clock(stage.now + timedelta(minutes=4, seconds=28))
    assert hung(stage, gallery).waits == timedelta(seconds=2)


def test_drawn_first_is_what_answers_a_mail_then_what_letters_show_then_parts_of_wide_boards(
    stage: LocalJudge, artist: Sketcher
) -> None:
    play_the_opening(stage)
    artist.asked.clear()
    gallery = beside(stage, artist)
    orders, position, part, asked = (
        Shown(what, "S1901M", 1, printed=True, extent=extent, powers=powers)
        for what, extent, powers in (
            (ORDERS, "", ()), (POSITION, "", ()), (POSITION, PART, ("FRANCE",)), (POSITION, BIG, ()),
        )
    )  # fmt: skip
    hung(stage, gallery, orders, part)
    hung(stage, gallery, orders, position)
    hung(stage, gallery, asked, asked=True)
    gallery.work(_once(4))
    assert [sketch.shown for sketch in artist.asked] == [asked, orders, position, part]


def test_what_waits_in_line_for_a_letter_moves_up_when_somebody_asks_for_it(
    stage: LocalJudge, artist: Sketcher
) -> None:
    gallery = beside(stage, artist)
    before, wanted = replace(PRINTED, form="svg"), PRINTED
    hung(stage, gallery, before)
    hung(stage, gallery, wanted)
    hung(stage, gallery, wanted, asked=True)
    artist.asked.clear()
    gallery.work(_once(2))
    assert [sketch.shown for sketch in artist.asked] == [wanted, before]


def test_a_letter_that_has_waited_for_its_first_picture_takes_up_no_second_one_that_it_had_let_go(
    stage: LocalJudge, artist: Sketcher
) -> None:
    gallery = beside(stage, artist)
    for version in range(2, 202):
        hung(stage, gallery, replace(PRINTED, version=version))
    first, second = PRINTED, replace(PRINTED, form="svg")
    assert len(hung(stage, gallery, first, second).awaits) == 1
    gallery.work(_once(201))
    assert hung(stage, gallery, first, second, again=True).waits is None, "though nobody is in line any more"
    assert hung(stage, gallery, first, second).waits, "others may ask for it"


def test_a_picture_that_is_being_drawn_when_the_judge_stops_is_told_to_nobody(stage: LocalJudge) -> None:
    told: list[str] = []

    class Interrupted(Sketcher):
        def draw(self, sketch: Sketch) -> bytes:
            gallery.close()
            raise CannotDraw("the process that draws ended")

    gallery = beside(stage, Interrupted(), told)
    hung(stage, gallery)
    gallery.work(_once())
    assert told == []


def _once(times: int = 1):  # type: ignore[no-untyped-def]
    """A `stop` that lets so many pictures be drawn: it is asked before each one is waited for, and after."""
    answers = iter([False] * 2 * times)
    return lambda: next(answers, True)


# --- artists ------------------------------------------------------------------------------------------------------


@pytest.fixture
def sketch(stage: LocalJudge) -> Sketch:
    with stage.judge.store.read() as view:
        found = sketch_of(view, stage.judge.keeper, "baltic", Shown(POSITION, "S1901M", 1, form="svg"))
    assert found is not None
    return found


def test_an_atelier_draws_what_an_easel_draws_and_begins_anew_when_its_process_died(sketch: Sketch) -> None:
    maps = resources.folder("maps")
    atelier = Atelier(maps)
    assert atelier.draw(sketch) == Easel(maps).draw(sketch)
    assert atelier._process is not None
    atelier._process.kill()
    atelier._process.join()
    with pytest.raises(GivenUp, match="the process that draws ended"):
        atelier.draw(sketch)
    assert atelier.draw(sketch).startswith(b"<svg")
    atelier.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_from_the_terminal_breaks_off_no_drawing(sketch: Sketch) -> None:
    """It reaches all processes of the judge, which itself says when its drawing process is to end."""
    atelier = Atelier(resources.folder("maps"))
    first = atelier.draw(sketch)
    assert atelier._process is not None
    os.kill(atelier._process.pid or 0, signal.SIGINT)
    assert atelier.draw(sketch) == first
    process = atelier._process
    atelier.close()
    assert not process.is_alive()


def test_a_program_that_forgets_its_atelier_ends_all_the_same() -> None:
    code = (
        "from pathlib import Path\nfrom judge import resources\nfrom judge.service.pictures.artist import Atelier\n"
        "if __name__ == '__main__':\n    Atelier(resources.folder('maps'))._opened()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_drawing_that_takes_too_long_is_given_up(sketch: Sketch) -> None:
    atelier = Atelier(resources.folder("maps"), longest=0.0)
    with pytest.raises(GivenUp, match="more than 0 seconds"):
        atelier.draw(sketch)
    atelier.close()


def test_a_rule_system_shows_what_it_wants_to_be_seen(tmp_path: Path) -> None:
    under_test = LocalJudge(tmp_path, artist=Easel(resources.folder("maps")))
    seat_everybody(under_test, "baltic", {"rules": "capitals", "nmr": "hold"})
    under_test.begin()
    letter = ask(under_test, "map svg")
    (drawn,) = [part for part in letter.message.walk() if part.get_content_type() == "image/svg+xml"]
    assert b">II<" in drawn.get_payload(decode=True)
    under_test.close()


def test_there_is_no_picture_of_what_never_was(stage: LocalJudge) -> None:
    with stage.judge.store.read() as view:
        for shown in (Shown(ORDERS, "S1901M", 1), Shown(POSITION, "F1950M", 1)):
            assert sketch_of(view, stage.judge.keeper, "baltic", shown) is None


# --- asked for by mail --------------------------------------------------------------------------------------------


def names(letter: ReceivedLetter) -> list[str]:
    files = [
        part for part in letter.message.walk() if part.get_filename() and part.get_content_type() != "text/calendar"
    ]
    return [str(part.get_filename()) for part in files]


def ask(stage: LocalJudge, line: str, *, by: str = FRANCE) -> ReceivedLetter:
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
def test_maps_come_on_demand(stage: LocalJudge, line: str, files: list[str]) -> None:
    play_the_opening(stage)
    letter = ask(stage, line)
    assert names(letter) == files
    assert "Along with this letter" in letter.text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("map X1999", '"X1999" is not a phase; write one like F1901.'),
        ("map F1950", "baltic has no F1950 Moves to show."),
        ("map S1902M", "baltic has no S1902 Moves to show."),
    ],
)
def test_a_map_of_what_never_was_is_refused_with_a_reason(stage: LocalJudge, line: str, said: str) -> None:
    play_the_opening(stage)
    letter = ask(stage, line)
    assert not names(letter) and said in " ".join(letter.text.split())


def test_before_the_start_there_is_no_map(tmp_path: Path, artist: Sketcher) -> None:
    under_test = LocalJudge(tmp_path, artist=artist)
    seat_everybody(under_test, "baltic", stage="open")
    under_test.begin()
    assert "baltic has not begun" in ask(under_test, "map", by=GM).text
    assert not artist.asked
    under_test.close()


def test_two_wishes_in_one_mail_are_one_answer(stage: LocalJudge) -> None:
    letter = ask(stage, "map bw\nstatus")
    assert names(letter) == ["S1901M-position-bw.png"]
    assert "baltic" in letter.text


def test_an_asked_map_that_cannot_be_drawn_is_not_promised(stage: LocalJudge, artist: Sketcher) -> None:
    artist.trouble = "the brush broke"
    text = " ".join(ask(stage, "map bw").text.split())
    assert "cannot be drawn at the moment" in text and "Along with this letter" not in text


# --- every letter that shows a position ---------------------------------------------------------------------------


def test_what_was_only_tried_is_marked_as_such_and_shown_to_its_asker_alone(
    stage: LocalJudge, artist: Sketcher
) -> None:
    letter = ask(stage, "what if\nA Par - Bur\nA Mun - Bur")
    assert names(letter) == ["S1901M-orders-speculation.png", "S1901M-after-speculation.png"]
    tried = [sketch for sketch in artist.asked if sketch.stamps]
    assert [sketch.stamps for sketch in tried] == [("Speculation: nothing was ordered",)] * 2
    assert [len(sketch.outcomes) for sketch in tried] == [22, 0]
    with stage.judge.store.read() as view:
        assert not view.pictures.get("baltic", "S1901M", tried[0].shown.kind), "kept for nobody"
        (row,) = view.letters.list(kind="speculation")
        assert b"\0picture:" not in (view.letters.mime(row.id) or b"")
    assert names(ask(stage, "map", by="germany@players.test")) == ["S1901M-position.png"]


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("map what if\nA Par - Bur", ["S1901M-orders-speculation.png", "S1901M-after-speculation.png"]),
        ("map of what if A Par - Bur", ["S1901M-orders-speculation.png", "S1901M-after-speculation.png"]),
        ("map what if bw\nA Par - Bur", ["S1901M-orders-speculation-bw.png", "S1901M-after-speculation-bw.png"]),
        ("what if pdf\nA Par - Bur", ["S1901M-orders-speculation.pdf", "S1901M-after-speculation.pdf"]),
    ],
)
def test_maps_of_a_dry_run_come_in_any_form_also_to_those_who_want_none(
    stage: LocalJudge, line: str, files: list[str]
) -> None:
    ask(stage, "my format text")
    assert names(ask(stage, "what if A Par - Bur")) == []
    letter = ask(stage, line)
    assert names(letter) == files and "SPECULATION - for you alone" in letter.text


def test_a_dry_run_that_leaves_a_stand_off_and_a_dislodgement_says_so(stage: LocalJudge, artist: Sketcher) -> None:
    """What is shown after it is made of the orders, too: they say where nobody may retreat."""
    play_the_opening(stage)
    orders = "A Spa - Por\nF MAO S A Spa - Por\nF Den - Swe\nF StP/sc - Bot\nA Mun - Bur\nA Par - Bur"
    ask(stage, f"what if\n{orders}")
    after = [sketch for sketch in artist.asked if sketch.stamps][-1]
    assert after.after is not None
    assert bool(after.outcomes) == bool(after.after.get("dislodged"))


def test_a_preview_is_pictured_for_the_gamemaster(stage: LocalJudge, artist: Sketcher) -> None:
    stage.send(FRANCE, OPENING["france"], subject="baltic")
    letter = ask(stage, "preview", by=GM)
    assert names(letter) == ["S1901M-orders-preview.png", "S1901M-after-preview.png"]
    assert artist.asked[-1].stamps == ("Preview: for the Gamemaster alone",)
    assert "preview, not played" in page(letter)


def test_whoever_asks_how_a_game_stands_sees_it_seated_or_not(stage: LocalJudge) -> None:
    stage.send("new@players.test", "register Nora New", subject="hello")
    assert names(ask(stage, "status", by=FRANCE)) == ["S1901M-position.png"]
    assert names(ask(stage, "status", by="new@players.test")) == ["S1901M-position.png"]


def test_strangers_are_sent_no_maps_and_none_is_promised(stage: LocalJudge) -> None:
    """An address that nothing proves may be anybody's: its answers are short."""
    assert names(ask(stage, "status", by="who@elsewhere.test")) == []
    letter = ask(stage, "map", by="who@elsewhere.test")
    assert names(letter) == [] and "Along with this letter" not in letter.text


def test_a_vacant_seat_is_offered_with_the_board(stage: LocalJudge) -> None:
    stage.send("new@players.test", "register Nora New", subject="hello")
    stage.send("new@players.test", "standby", subject="hello")
    stage.send(FRANCE, "leave baltic for good", subject="baltic")
    offers = [one for one in stage.inbox("new@players.test") if one.header("X-Judge-Kind") == "vacancy"]
    assert offers and all(names(one) for one in offers if "needs a player" in one.text)


def test_the_last_letters_show_how_it_ended(stage: LocalJudge, artist: Sketcher) -> None:
    play_the_opening(stage)
    stage.send(GM, "end game enough", subject="baltic")
    stage.send(GM, "confirm", to=stage.inbox(GM)[-1].reply_to, subject="yes")
    letter = last(stage, FRANCE, "ended")
    assert names(letter) == ["F1901M-final.png"]
    assert artist.asked[-1].title == "Final position"
    assert names(ask(stage, "map"))[-1] == "F1901M-final.png"
    assert names(ask(stage, "status")) == ["F1901M-final.png"]


def test_who_may_order_anew_sees_the_board_again(stage: LocalJudge) -> None:
    play_the_opening(stage)
    stage.send(GM, 'reopen S1901M reason "mails were lost"', subject="baltic")
    stage.send(GM, "yes", to=stage.inbox(GM)[-1].reply_to, subject="Re: baltic")
    (notice,) = [one for one in stage.inbox(FRANCE) if one.header("X-Judge-Kind") == "notice" and names(one)]
    assert names(notice) == ["S1901M-position.png"]


def test_an_imported_position_is_pictured_as_it_was_understood(tmp_path: Path, artist: Sketcher) -> None:
    under_test = LocalJudge(tmp_path, artist=artist)
    seat_everybody(under_test, "baltic", stage="open")
    under_test.begin()
    lines = "import position F1903M\nFrance: A Par, F Bre\nRussia: F StP/sc\nFrance owns Par, Bre\nRussia owns StP"
    letter = ask(under_test, lines, by=GM)
    assert names(letter) == ["F1903M-position-imported.png"]
    (drawn,) = artist.asked
    assert (drawn.stamps, drawn.title) == (("Imported: not played here",), "Before Fall 1903 moves")
    assert drawn.after is not None and len(drawn.after["units"]) == 3
    under_test.close()


def test_practice_is_pictured(stage: LocalJudge) -> None:
    stage.send(FRANCE, "practice", subject="hello")
    assert names(last(stage, FRANCE, "practice")) == ["S1901M-position.png"]


def test_the_map_of_somebodys_practice_is_for_nobody_else(stage: LocalJudge) -> None:
    stage.send(FRANCE, "practice", subject="hello")
    with stage.judge.store.read() as view:
        (key,) = [row.key for row in view.games.list() if row.key != "baltic"]
    letter = ask(stage, f"map {key}", by="germany@players.test")
    assert names(letter) == [] and "practice game" in letter.text


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
def test_a_reader_says_what_comes_with_the_text(stage: LocalJudge, wish: str, comes: set[str], said: str) -> None:
    assert said in " ".join(ask(stage, wish).text.split())
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    assert parts(letter) == comes
    other = last(stage, "germany@players.test", "results")
    assert parts(other) == {"text/plain", "text/html", "image/png", "text/calendar"}, "a wish is its author's alone"


def test_who_wants_no_maps_gets_those_that_he_asks_for(stage: LocalJudge) -> None:
    ask(stage, "my format text")
    letter = ask(stage, "map")
    assert names(letter) == ["S1901M-position.png"]
    assert [part.get_content_disposition() for part in pictures(letter)] == ["attachment"]


def test_a_form_that_nobody_knows_is_asked_back(stage: LocalJudge) -> None:
    assert '"morse" is not a form of a letter' in ask(stage, "my format morse").text


def test_who_reads_in_the_dark_gets_pictures_on_dark_ground(stage: LocalJudge, artist: Sketcher) -> None:
    """All of them by `my pictures dark`, those of one answer by `map dark`; nobody else's are other than before, and no
    mail brings both faces. A page does not dim what is dark already.
    """
    stage.send(FRANCE, "my pictures dark")
    assert "The maps are on dark ground." in stage.inbox(FRANCE)[-1].text
    play_the_opening(stage)
    letter = last(stage, FRANCE, "results")
    names = [part.get_filename() for part in pictures(letter)]
    assert names == ["S1901M-orders-dark.png", "F1901M-position-dark.png"]
    assert len(re.findall(r'class="[^"]*night[^"]*"', page(letter))) == 2
    others = last(stage, "germany@players.test", "results")
    assert [part.get_filename() for part in pictures(others)] == ["S1901M-orders.png", "F1901M-position.png"]
    assert 'night"' not in page(others)
    stage.send("germany@players.test", "map dark", subject="baltic")
    asked = stage.inbox("germany@players.test")[-1]
    assert {str(part.get_filename())[-9:] for part in pictures(asked)} == {"-dark.png"}
    drawn = [picture_of(one, stage.judge.shelf, BoardPictures(resources.folder("maps"))) for one in artist.asked]
    assert {picture.look.theme.name for picture in drawn} == {"light", "dark"}
    stage.send(FRANCE, "my pictures light")
    stage.send(FRANCE, "map", subject="baltic")
    assert not any("dark" in str(part.get_filename()) for part in pictures(stage.inbox(FRANCE)[-1]))
    stage.send(FRANCE, "map bw dark", subject="baltic")
    assert not any("dark" in str(part.get_filename()) for part in pictures(stage.inbox(FRANCE)[-1]))
