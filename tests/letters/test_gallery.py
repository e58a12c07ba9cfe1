"""Every kind of letter as it comes out of real play: its text, its page, its pictures (`judge gallery`)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from email import message_from_bytes, policy
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.game.core.commands import Role
from judge.mail.letters import Posting, Printer, compose
from judge.mail.letters.layout import columns
from judge.mail.vocabulary.help import Shows, find_page
from judge.report.core.letter import Letter
from judge.testing.exhibition import SHOWS, Exhibits, kind_of, page_of, play
from judge.testing.transcript import Difference, ReceivedLetter
from tests.support.builders import START
from tests.support.gallery import gallery
from tests.support.webpage import Page, contrast

ROOT = Path(__file__).parents[2]
FILES = sorted(SHOWS.glob("*.mail"))
NAMES = [
    f"{file.stem}/{name}"
    for file in FILES
    for name in re.findall(r"^show (\S+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
]
PAGED = [name for name in NAMES if "/issue-" not in name]
"""Those whose pages are laid out as letters; issues of zines have looks of their own (tests/zine)."""
GOLDEN = sorted(path.stem for path in (Path(__file__).parent / "golden").glob("*.mail"))
PRESS = Printer(ROOT / "templates")
HELPED = ("undo", "wait", "ready", "extension", "archive", "help")
"""What buttons send that not every text beside them names: `help` does."""
ENOUGH = 4.5
"""Contrast of words and what is behind them (WCAG 2.2, AA)."""


@cache
def _played(name: str) -> Exhibits | Difference:
    """Played once, however it ends: a show that goes otherwise is not played again for each of its letters."""
    try:
        return play(SHOWS / f"{name}.mail")
    except Difference as difference:
        return difference


def room(name: str) -> Exhibits:
    shown = _played(name)
    if isinstance(shown, Difference):
        raise shown
    return shown


@cache
def letters() -> dict[str, Letter]:
    return gallery(ROOT / "maps")


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


@pytest.mark.parametrize("name", PAGED)
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
@pytest.mark.parametrize("name", PAGED)
def test_words_stand_out_from_what_is_behind_them(name: str, dark: bool) -> None:  # noqa: FBT001
    """In the light nothing but the styles at the elements counts: many programs take the rest away."""
    weak = [
        (round(contrast(colour, behind), 2), colour, behind, words[:40])
        for words, colour, behind in Page(page_of(letter(name))).colours(dark=dark)
        if contrast(colour, behind) < ENOUGH
    ]
    assert weak == []


def test_the_words_of_a_picture_say_what_changed() -> None:
    """Who came where, what bounced, who was driven out or destroyed, who must retreat; no list of orders."""
    page = Page(page_of(letter("the-sample-game/results-f1902m")))
    orders, position = [element.attributes["alt"] for element in page.root.all("img")]
    assert orders.startswith("Map of Fall 1902 moves. Moves that succeeded: ") and len(orders) < 500
    for told in (
        "England into St Petersburg; Turkey into Rumania.",
        "Moves bounced in ",
        "Driven out: ",
        "Destroyed: the fleet in Rumania (Russia).",
    ):
        assert told in orders
    for told in ("French A Burgundy: Gascony, Paris.", "Russian F Rumania has no retreat"):
        assert told in position
    shown = {name for name in PAGED for element in Page(page_of(letter(name))).root.all("img") if element}
    assert all("Map" in e.attributes["alt"] for name in shown for e in Page(page_of(letter(name))).root.all("img"))


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


def test_the_text_alone_suffices_to_play() -> None:
    """Whoever sees no page can write what its buttons would: unit or word is named in the text, or in `help`."""
    texts = {name: letter(name).text for name in PAGED}
    for name, text in texts.items():
        page = Page(page_of(letter(name)))
        links = [element.attributes["href"] for element in page.root.all("a") if "button" in element.classes]
        said = " ".join(text.split()).lower()
        for line in (unquote(link.partition("&body=")[2]) for link in links):
            asked = [part.partition("______")[0].rstrip(" -").lower() for part in line.split("\r\n") if part]
            assert line in HELPED or all(part in said for part in asked), (name, line)
    assert "F Ankara - ______" in texts["the-sample-game/late"]
    assert "help" in texts["the-sample-game/status"], "what is not in the letter is told by help"


@pytest.mark.parametrize("word", HELPED)
def test_a_word_that_only_a_button_says_is_in_the_help(word: str) -> None:
    page = find_page(word, Role.PLAYER)
    assert page is not None and page.shows in (Shows.OVERVIEW, Shows.TOPIC, Shows.VERB)


HOSTILE = 'x"><script>alert(1)</script><img src=x onerror=y>&\r\nBcc: thief@evil.test\nEND:VCALENDAR\x1b\u202e'


@pytest.mark.parametrize("where", ["frame", "everywhere"])
@pytest.mark.parametrize("name", GOLDEN)
def test_a_hostile_name_stays_words_in_page_and_calendar(name: str, where: str) -> None:
    """Names of games are bounded where they are made; pages and calendars hold whatever a view says all the same."""
    shown = hostile(letters()[name].view, where)
    fresh = replace(letters()[name], view=shown)
    posting = Posting("a@b.test", "", "judge@judge.test", "judge@judge.test", START, "judge.test", b"k")
    mail = compose(fresh.kind, fresh.idem_key, json.loads(fresh.frozen()), posting, PRESS)
    parsed = message_from_bytes(mail.mime, policy=policy.default)
    assert not parsed.defects and parsed["Bcc"] is None
    for part in parsed.walk():
        if part.get_content_type() == "text/html":
            page = str(part.get_content())
            Page(page.replace("\r\n", "\n"))
            assert "<script" not in page and "<img" not in page and "\x1b" not in page and "\u202e" not in page
        if part.get_content_type() == "text/calendar":
            lines = str(part.get_content()).splitlines()
            assert lines.count("END:VCALENDAR") == 1 and lines[-1] == "END:VCALENDAR"
            assert not any(line.startswith("Bcc") for line in lines)


def hostile(view: Any, where: str) -> Any:
    """A view in words with a hostile text for the name of its game, or for every text that people may write."""
    told = PRESS.spoken(view)
    if where == "frame":
        return {**told, "frame": {**told["frame"], "game": HOSTILE, "to": HOSTILE, "variant": HOSTILE}}
    return _exchanged(told)


_OURS = {
    "due_at",
    "kind",
    "page",
    "role",
    "terrain",
    "coasts",
    "turn",
    "at",
    "zone",
    "own",
    "what",
    "colour",
    "status",
    "form",
    "acts",
    "systems",
    "count",
    "base64",
}
"""Fields that we write and a program reads."""


def _exchanged(value: Any, name: str = "") -> Any:
    if name in _OURS or (isinstance(value, dict) and value.keys() & {"zone", "what"}):
        return value
    if isinstance(value, dict):
        return {key: _exchanged(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_exchanged(item) for item in value]
    return HOSTILE if isinstance(value, str) and value else value


def test_of_a_conversation_that_shows_none_every_letter_hangs_in_it(tmp_path: Path) -> None:
    talk = ROOT / "tests" / "transcripts" / "bad-line.mail"
    assert "\nshow " not in talk.read_text(encoding="utf-8")
    done = CliRunner().invoke(cli, ["gallery", "--no-pictures", str(tmp_path), str(talk)])
    assert done.exit_code == 0 and done.output.startswith("1 letter;"), done.output
    assert "ok: A Paris - Burgundy" in (tmp_path / "bad-line" / "01-france-receipt.txt").read_text(encoding="utf-8")
