"""Pixels: small enough for a mail, the same by the fast way as by the plain one, and a page for the printer."""

from __future__ import annotations

import io
import re
import zlib
from dataclasses import replace
from random import Random

import pytest
from PIL import Image, ImageChops, ImageStat

from judge.adjudicate import adjudicate
from judge.board.load import load_board
from judge.board.position import start_position
from judge.draw import BoardPictures, Caption, Look, Picture, orders_picture, position_picture
from judge.draw.parts import part_for
from judge.raster import PAPERS, Plates, finished_png, part_png, plain_png, to_pdf
from judge.rules import RULES_1976
from tests.bench import plausible
from tests.draw.conftest import MAPS
from tests.draw.scenes import position


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    """Orders and positions of some plausible phases, each with about thirty units."""
    board, random = load_board(MAPS / "standard"), Random(3)
    topology, made = BoardPictures(MAPS)(board), []
    for before, orders in plausible.phases(random, board, 2):
        result = adjudicate(before, orders, RULES_1976)
        caption = Caption("tannenburg", str(before.phase))
        made.append(orders_picture(topology, before, result.outcomes, caption))
        made.append(position_picture(topology, result.after, caption))
    return made


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def test_two_pictures_of_900_pixels_go_into_a_mail_of_250_kilobytes(pictures: list[Picture]) -> None:
    plates = Plates()
    for picture in pictures:
        png = finished_png(picture, 900, plates)
        assert opened(png).width == 900
        assert len(png) < 72_000  # four octets for three, and words beside them


def test_a_power_of_several_colours_is_drawn() -> None:
    """England of 1958, whose units are red, white and blue."""
    board = load_board(MAPS / "calhamer1958")
    picture = position_picture(BoardPictures(MAPS)(board), start_position(board), Caption("", ""))
    assert opened(finished_png(picture, 300, Plates())).width == 300


def test_the_fast_way_shows_the_same_as_the_plain_one(pictures: list[Picture]) -> None:
    plates = Plates()
    for picture in pictures[:2]:
        both = finished_png(picture, 900, plates), plain_png(picture.svg(), 900)
        assert len({opened(png).size for png in both}) == 1
        # A line's pixels have its colour whole on the one, and are softened on the other: seen from a little farther.
        fast, plain = (opened(png).convert("RGB").reduce(2) for png in both)
        apart = ImageChops.difference(fast, plain).convert("L")
        assert ImageStat.Stat(apart).mean[0] < 3.0
        far = apart.point(lambda value: 255 if value > 60 else 0)
        assert ImageStat.Stat(far).mean[0] / 255 < 0.004


def test_plates_serve_again_and_are_not_kept_for_ever(pictures: list[Picture]) -> None:
    plates = Plates(most=2)
    first = plates.of(pictures[0], 300)
    assert plates.of(pictures[0], 300) is first
    for width in (301, 302):
        plates.of(pictures[0], width)
    assert plates.of(pictures[0], 300) is not first


@pytest.mark.parametrize("paper", sorted(PAPERS))
def test_a_page_for_the_printer_is_grey_and_fits_the_paper(paper: str) -> None:
    board = load_board(MAPS / "standard")
    caption = Caption("Łódź (1)", "Before Spring 1901 moves")
    picture = position_picture(BoardPictures(MAPS)(board), start_position(board), caption, Look(printed=True))
    pdf = to_pdf(picture, paper)
    assert pdf.startswith(b"%PDF-1.4") and pdf.endswith(b"%%EOF\n")
    assert len(pdf) < 900_000
    width, height = PAPERS[paper]
    found = re.search(rb"q ([\d.]+) 0 0 ([\d.]+) ([\d.]+) ([\d.]+) cm", pdf)
    assert found is not None
    wide, high, left, low = map(float, found.groups())
    assert left >= 27 and low >= 27 and left + wide <= width - 27 and low + high <= height - 27
    image = re.search(rb"/Width (\d+) /Height (\d+) .*?stream\n(.*?)\nendstream", pdf, re.DOTALL)
    assert image is not None
    across, down = int(image[1]), int(image[2])
    assert len(zlib.decompress(image[3])) == (across + 1) // 2 * down
    assert across / wide * 72 == pytest.approx(300, rel=0.01)


def test_the_table_of_a_pdf_points_at_its_objects() -> None:
    board = load_board(MAPS / "standard")
    topology = BoardPictures(MAPS)(board)
    pdf = to_pdf(position_picture(topology, start_position(board), Caption("", ""), Look(printed=True)))
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start : start + 4] == b"xref"
    places = [int(line[:10]) for line in pdf[start:].splitlines() if line.endswith(b"n ")]
    assert [pdf[at : at + 7] for at in places] == [b"%d 0 obj" % n for n in range(1, 7)]


def test_a_part_has_no_more_octets_than_it_may_and_is_as_sharp_as_that_lets_it_be() -> None:
    board = load_board(MAPS / "global2")
    picture = position_picture(BoardPictures(MAPS)(board), start_position(board), Caption("baltic", "Before Spring"))
    part = part_for(picture, board, ["ENGLAND"])
    whole = part_png(part, 704)
    assert opened(whole).width == 704 and part_png(part, 704, len(whole)) == whole
    most = len(whole) * 3 // 4
    less = part_png(part, 704, most)
    assert 0.9 * most < len(less) < 1.05 * most
    assert 500 < opened(less).width < 704


def test_a_part_shows_each_in_their_own_colours() -> None:
    """In a part with English units alone no name of a sea, edge or frame has the colour of anybody else's units."""
    board = load_board(MAPS / "global2")
    begun = position(board, {"ENGLAND": "F LON, F NTH, A EGY"})
    stands = replace(begun, owners={code: power for code, power in begun.owners.items() if power == "ENGLAND"})
    picture = position_picture(BoardPictures(MAPS)(board), stands, Caption("baltic", "Before Fall 1904 moves"))
    seen = opened(part_png(part_for(picture, board, ["ENGLAND"]), 528)).convert("RGB")
    pixels = seen.tobytes()
    colours = {f"#{pixels[n : n + 3].hex()}" for n in range(0, len(pixels), 3)}
    paints, white = dict(picture.paints), "#ffffff"  # Russia's, and that of the letters on units
    strangers = {paint.strong for power, paint in paints.items() if power != "ENGLAND"} - {white}
    assert len(strangers) > 5
    assert picture.paints["ENGLAND"].strong in colours
    assert colours & strangers == set()
