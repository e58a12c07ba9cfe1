"""An issue on paper: its pages, its words, and that words of others never become a program."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from judge.board.load import load_board
from judge.mail.letters.rendering import TemplateError
from judge.zine.html import ZinePrinter
from judge.zine.issue import Issue, Item, ItemKind, Markup, Report, Statistics, StatTable, ZineChapter
from judge.zine.pdf import Paper, print_pdf
from judge.zine.pictures import UnfitPicture, draw_maps, fit_picture
from tests.zine.sample import ROOT, sample_issue
from tests.zine.test_text import PRINTER, golden


def dots(width: int = 60, height: int = 40) -> bytes:
    """A small picture."""
    file = io.BytesIO()
    Image.new("L", (width, height), 200).save(file, "PNG")
    return file.getvalue()


@cache
def printed(paper: Paper) -> PdfReader:
    pictures = dict.fromkeys(sample_issue().pictures, dots())
    return PdfReader(io.BytesIO(print_pdf(sample_issue(), PRINTER, pictures, paper)))


def test_the_words_on_a4_are_the_golden_ones() -> None:
    pages = ["\n".join(line.rstrip() for line in page.extract_text().split("\n")) for page in printed(Paper.A4).pages]
    golden("issue-96-a4.txt", "\n\n".join(f"-- page {n} --\n{text}" for n, text in enumerate(pages, 1)) + "\n")


@pytest.mark.parametrize(
    ("paper", "size", "count"),
    [
        (Paper.A4, (595, 842), 3), (Paper.LETTER, (612, 792), 4), (Paper.A5, (420, 595), 8),
        (Paper.BOOKLET, (842, 595), 4),
    ],
)  # fmt: skip
def test_each_paper_has_its_pages(paper: Paper, size: tuple[int, int], count: int) -> None:
    pages = printed(paper).pages
    assert len(pages) == count
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in pages} == {size}


def test_a_booklet_is_in_the_order_in_which_it_is_folded() -> None:
    """The first sheet has the last page left of the first; its back the second left of the last but one."""
    order = [8, 1, 2, 7, 6, 3, 4, 5]
    single = [page.extract_text() for page in printed(Paper.A5).pages]
    sides = [page.extract_text() for page in printed(Paper.BOOKLET).pages]
    for side, (left, right) in zip(sides, zip(order[::2], order[1::2], strict=True), strict=True):
        assert single[left - 1].split("\n")[-1] in side
        assert single[right - 1].split("\n")[-1] in side


def test_an_issue_goes_to_print_without_its_pictures() -> None:
    reader = PdfReader(io.BytesIO(print_pdf(sample_issue(), PRINTER, {})))
    text = " ".join("\n".join(page.extract_text() for page in reader.pages).split())
    assert "[Picture: Two fleets stare at each other across the Channel]" in text


def wide_issue() -> Issue:
    """Tables of twenty years, one of somebody else's and one in an article, and one of ours with much to read."""
    years = " ".join(map(str, range(1901, 1921)))
    hero = replace(sample_issue().chapters[1].entries[0], reports=(Report("Fall '20", words=f"Power      {years}"),))
    row = f"| {years.replace(' ', ' | ')} |"
    article = f"{row}\n{'|---' * 20}|\n{row}"
    results = StatTable(
        "Results of all games", ("Game", "Number", "Began", "Ended", "Year", "Result", "GM"),
        (("TANNENBURG", "2027AB", "2027-01-03", "2027-11-09", "1909", "A draw of Austria-Hungary, England, France and "
          "Turkey, agreed by all who were left", "Eric Brosius"),),
    )  # fmt: skip
    return replace(
        sample_issue(),
        chapters=(ZineChapter(1, ("Hero",), entries=(hero,)),),
        items=(Item(1, ItemKind.ARTICLE, article, title="Twenty years", markup=Markup.MARKDOWN),),
        statistics=(Statistics("The register", (results,)),),
    )


@pytest.mark.parametrize("paper", [Paper.A4, Paper.LETTER, Paper.A5])
def test_no_table_is_printed_in_letters_that_nobody_can_read(paper: Paper) -> None:
    """What no column can hold goes across the page, and is named where it belongs and where it stands."""
    sizes: list[float] = []

    def look(text: str, place: list[float], line: list[float], _: object, size: float) -> None:
        if text.strip():
            sizes.append(abs(size * place[3] * line[3]))

    reader = PdfReader(io.BytesIO(print_pdf(wide_issue(), PRINTER, {}, paper)))
    text = "\n".join(page.extract_text(visitor_text=look) for page in reader.pages).replace("\xa0", " ")
    assert min(sizes) >= 5
    named = ["Table 1: Autumn and Winter '03 of the game HERO", "Table 2: Twenty years", "Table 3: The register"]
    for number, caption in enumerate(named, 1):
        assert (caption in text) is (f"(Table {number}, across the page)" in text) is (paper is not Paper.A5), caption


def test_the_file_is_the_same_each_time() -> None:
    first, again = (print_pdf(sample_issue(), PRINTER, {}, Paper.LETTER) for _ in range(2))
    assert first == again


def test_a_zine_has_looks_of_its_own_by_a_file_in_its_folder(tmp_path: Path) -> None:
    own = tmp_path / "zine" / "print"
    own.mkdir(parents=True)
    looks = (ROOT / "templates/zine/print/looks.typ").read_text(encoding="utf-8")
    (own / "looks.typ").write_text(looks.replace("columns: 2", "columns: 1"), encoding="utf-8")
    reader = PdfReader(io.BytesIO(print_pdf(sample_issue(), ZinePrinter(tmp_path, ROOT / "templates"), {})))
    assert len(reader.pages) > 4


def test_a_broken_template_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "zine" / "print").mkdir(parents=True)
    (tmp_path / "zine" / "print" / "words.typ").write_text("#let fitted(", encoding="utf-8")
    with pytest.raises(TemplateError, match=r"zine/print/issue\.typ: .*unclosed delimiter"):
        print_pdf(sample_issue(), ZinePrinter(tmp_path, ROOT / "templates"), {})


def test_maps_are_drawn_in_black_and_white() -> None:
    """Greys alone, broad enough for the dots of a printer, and small enough for a mail with many."""
    drawn = draw_maps(sample_issue(), ROOT / "maps", lambda key: load_board(ROOT / "maps" / key), printed=True)
    assert [*drawn] == ["tannenburg-F1902R"]
    assert len(drawn["tannenburg-F1902R"]) < 150_000
    picture = Image.open(io.BytesIO(drawn["tannenburg-F1902R"])).convert("RGB")
    assert picture.width == 1100
    assert all(max(colour) - min(colour) < 16 for _, colour in picture.getcolors(1 << 24))  # type: ignore[arg-type, union-attr]


def test_a_picture_that_was_sent_in_is_made_fit_or_refused_in_a_sentence() -> None:
    """Whatever a file says of itself, no more is read than can be printed."""
    assert Image.open(io.BytesIO(fit_picture(dots(3000, 200)))).size == (1400, 93)
    for side, said in ((7_000, "7000 by 7000 pixels"), (20_000, "far more pixels")):
        bomb = io.BytesIO()
        Image.new("1", (side, side)).save(bomb, "PNG")
        with pytest.raises(UnfitPicture, match=said):
            fit_picture(bomb.getvalue())
    for junk in (b"", b"GIF89a", b"<svg onload='x'/>", dots()[:60]):
        with pytest.raises(UnfitPicture, match="cannot be read as a picture"):
            fit_picture(junk)
    with pytest.raises(UnfitPicture, match="6 MB"):
        fit_picture(b"\0" * 6_000_000)


def test_nothing_of_a_face_is_loaded_before_it_is_printed() -> None:
    """The judge starts no slower for them: Typst, and the reader of Markdown, wait for an issue."""
    program = (
        "import sys, judge.zine.pdf, judge.zine.html, judge.zine.html, judge.zine.text, judge.zine.pictures;"
        "print(sorted({'typst', 'markdown_it', 'PIL', 'resvg_py'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
