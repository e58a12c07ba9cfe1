"""Letters in another manner: for the ear, without columns, rules and signs; terse; explained."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from judge import resources
from judge.board.load import available_boards, load_board
from judge.mail.letters import Printer
from judge.mail.letters.layout import columns
from judge.mail.quoting import SENTINEL
from judge.report.core.letter import Letter
from tests.support.gallery import gallery
from tests.support.webpage import Page

TEMPLATES = Path(__file__).parents[2] / "templates"
MANNERS = TEMPLATES / "manners"
MAPS = resources.folder("maps")
NAMES = sorted(path.stem for path in (Path(__file__).parent / "golden").glob("*.mail"))
SIGNS = {"was", "failed"}
"""Heads of columns."""
SPOKEN = Printer(MANNERS / "spoken", TEMPLATES, aloud=True, own_pages=False)
TERSE = Printer(MANNERS / "terse", TEMPLATES, own_pages=False)
USUAL = Printer(TEMPLATES)


@cache
def letters() -> dict[str, Letter]:
    return gallery(TEMPLATES.parent / "maps")


def text_of(press: Printer, name: str, *, explain: bool = False) -> str:
    letter = letters()[name]
    return press.print(letter.kind, letter.view, explain=explain).text.removeprefix(SENTINEL)


@pytest.mark.parametrize("name", NAMES)
def test_a_letter_for_the_ear_has_no_columns_rules_or_tables(name: str) -> None:
    text = text_of(SPOKEN, name)
    assert all(columns(line) <= 78 for line in text.split("\n"))
    own = [line for line in text.split("\n") if not line.startswith("|")]  # somebody's words are theirs
    assert [line for line in own if re.search(r"\S {2,}\S", line)] == []
    assert [line for line in own if re.search(r"[-=_]{7,}|[|]|\( \)", line)] == []
    page = Page(SPOKEN.print(letters()[name].kind, letters()[name].view).html)
    assert not {"table", "pre"} & {element.name for element in page.root.all()} or "ORDER FORM" in text


@pytest.mark.parametrize("name", NAMES)
def test_a_letter_for_the_ear_says_all_that_the_other_says(name: str) -> None:
    told = set(re.findall(r"\w+", text_of(SPOKEN, name).lower()))
    written = set(re.findall(r"\b[a-z]\w+", text_of(USUAL, name).lower()))
    assert sorted(written - told - SIGNS) == []


def test_orders_and_outcomes_are_sentences() -> None:
    text = " ".join(text_of(SPOKEN, "results-fall-1902").split())
    assert "France: fleet Picardy supports army Burgundy to Belgium: given, not enough." in text
    assert "army Norway to St Petersburg: ok, 2 against 1." in text
    assert "army Burgundy to Belgium: failed; DISLODGED by German army Ruhr (3 against 1)." in text
    assert "Russia: 4 centres, was 6, loses Rumania and St Petersburg." in text
    assert "Reply with: A Burgundy - Gascony" in text, "what is to be sent stays as it is to be sent"


def test_a_power_keeps_its_name_for_the_ear() -> None:
    """Labels in capitals are lowered to be read out, and a power's name comes out as its board writes it."""
    names = {power.name for key in available_boards(MAPS) for power in load_board(MAPS / key).powers.values()}
    lowered = {name.capitalize() for name in names} - names
    assert "Austria-hungary" in lowered
    texts = {letter: text_of(SPOKEN, letter) for letter in NAMES}
    assert [(letter, name) for letter, text in texts.items() for name in lowered if name in text] == []


def test_a_terse_report_has_codes_and_is_much_shorter() -> None:
    usual, terse = text_of(USUAL, "results-fall-1902"), text_of(TERSE, "results-fall-1902")
    assert len(terse) < 0.8 * len(usual)
    assert (
        "(A BUR - BEL)" in terse
        and "A Burgundy - Belgium" not in terse.partition("ORDER FORM")[0].partition("MOVES")[2]
    )
    assert "A BUR - BEL: failed; DISLODGED by German A Ruhr (3 against 1)" in " ".join(terse.split())


@pytest.mark.parametrize("name", NAMES)
def test_a_terse_letter_keeps_the_width_and_what_is_to_be_done(name: str) -> None:
    text, view = text_of(TERSE, name), letters()[name].view
    assert all(columns(line) <= 78 for line in text.split("\n"))
    for line in (view.get("desk") or {}).get("form", ()) if "ORDER FORM" in text_of(USUAL, name) else ():
        assert f"> {line}" in text


def test_explanations_come_to_who_wants_them() -> None:
    assert "IN SENTENCES" not in text_of(USUAL, "results-fall-1902")
    text = text_of(USUAL, "results-fall-1902", explain=True)
    assert "IN SENTENCES" in text
    assert "IN SENTENCES" not in text_of(USUAL, "results-fall-1902")
