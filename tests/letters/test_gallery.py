"""Every kind of letter as it comes out of real play: its text, its page, its pictures (`judge gallery`)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.mail.letters.layout import columns
from judge.testing.exhibition import SHOWS, Exhibits, kind_of, page_of, play
from judge.testing.letters import ReceivedLetter
from tests.support.webpage import Page, contrast

ROOT = Path(__file__).parents[2]
FILES = sorted(SHOWS.glob("*.mail"))
NAMES = [
    f"{file.stem}/{name}"
    for file in FILES
    for name in re.findall(r"^show (\S+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
]
ENOUGH = 4.5
"""Contrast of words and what is behind them (WCAG 2.2, AA)."""


@cache
def room(name: str) -> Exhibits:
    return play(SHOWS / f"{name}.mail")


def letter(name: str) -> ReceivedLetter:
    show, _, which = name.partition("/")
    return room(show).letters[which]


def test_every_kind_of_letter_hangs_in_it() -> None:
    kinds = {path.name for path in (ROOT / "templates").iterdir() if (path / "text.txt").is_file()}
    shown = {kind_of(letter(name)) for name in NAMES}
    assert kinds - shown == {"imported"}, "what an import understood is enclosed in its receipt"
    assert "WHAT I UNDERSTOOD" in letter("beside-the-game/imported").text


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_text_is_wider_than_78_columns(name: str) -> None:
    assert [line for line in letter(name).lines if columns(line) > 78] == []
    assert columns(letter(name).subject) <= 78


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_valid_small_and_whole(name: str) -> None:
    """Gmail cuts pages at about 100 kB; nothing is fetched and nothing runs."""
    page = page_of(letter(name))
    links = [
        value
        for element in Page(page).root.all()
        for key, value in element.attributes.items()
        if key in ("href", "src")
    ]
    assert len(page.encode()) < 100_000
    assert all(link.startswith(("mailto:", "cid:")) for link in links)
    assert not re.search(r"url\(|@import|javascript:", page)
    cids = {str(part["Content-ID"]).strip("<>") for part in letter(name).message.walk() if part["Content-ID"]}
    assert {link.removeprefix("cid:") for link in links if link.startswith("cid:")} == cids


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_words_stand_out_from_what_is_behind_them(name: str, dark: bool) -> None:  # noqa: FBT001
    """In the light nothing but the styles at the elements counts: many programs take the rest away."""
    weak = [
        (round(contrast(colour, behind), 2), colour, behind, words[:40])
        for words, colour, behind in Page(page_of(letter(name))).colours(dark=dark)
        if contrast(colour, behind) < ENOUGH
    ]
    assert weak == []


def test_the_command_writes_mails_texts_pages_and_a_list(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["gallery", str(tmp_path), str(SHOWS / "beside-the-game.mail"), "--no-pictures"])
    assert done.exit_code == 0, done.output
    written = sorted(path.name for path in (tmp_path / "beside-the-game").iterdir())
    shown = [name.partition("/")[2] for name in NAMES if name.startswith("beside")]
    assert {f"{name}{end}" for name in shown for end in (".txt", ".html", ".eml")} <= set(written)
    assert "digest-deadline.ics" not in written and "results-judged-anew-deadline.ics" in written
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)"', index)
    assert sorted(links) == sorted(f"beside-the-game/{name}" for name in written)


def test_a_conversation_that_goes_otherwise_is_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "wrong.mail"
    file.write_text("game baltic\nas france\n-> status\n<- To: nobody@else.test\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["gallery", str(tmp_path / "out"), str(file)])
    assert done.exit_code == 1
    assert "no letter came" in done.output
