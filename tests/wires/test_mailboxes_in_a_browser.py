"""The page of a demo in a real browser (Chromium): a turn is played by keyboard alone, pages fit a desk and a phone
by day and by night, all of it works without scripts, and nothing in a letter runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.browser.app import Browser
from judge.daemon.demo import KEY, YOU
from judge.testing.local import LocalJudge
from judge.testing.under_test import rehearsal_config
from judge.transport.maildir import write_mail
from tests.browser.conftest import HOSTILE, letter, running_demo
from tests.support.chromium import Tab

pytestmark = pytest.mark.wires

_LOW = """[...document.querySelectorAll('.button, button')]
    .filter((one) => one.offsetHeight && one.offsetHeight < 40).length"""
SCREENS = [(1100, False), (1100, True), (375, False), (375, True)]
COMPLETE = "document.readyState === 'complete' && "


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, tab: Tab) -> Iterator[str]:
    """The address of the first mailbox of a demo, whose visitor has a letter with a map."""
    config = replace(rehearsal_config(tmp_path_factory.mktemp("demo")), pictures=True)
    with running_demo(config) as (address, you):
        tab.screen(1100)
        tab.open(address)
        tab.until(COMPLETE + "document.body.innerText.includes('orders by')", 120)
        yield f"{address}mail/{you}/"


def focus(tab: Tab, wanted: str) -> None:
    """Press Tab until the focus is on what an expression about `it` wants; every stop on the way shows it."""
    for _ in range(40):
        tab.key("Tab")
        assert tab.focus_is_seen() or tab.js("document.activeElement.tagName") in ("IFRAME", "BODY")
        if tab.js(f"((it) => {wanted})(document.activeElement)"):
            return
    raise AssertionError(f"the keyboard does not reach {wanted}")


def test_a_turn_is_played_by_keyboard_alone(tab: Tab, demo: str) -> None:
    tab.screen(1100)
    tab.open(demo)
    focus(tab, "it.tagName === 'A' && it.textContent === 'Answer'")
    tab.key("Enter")
    tab.until(COMPLETE + "document.activeElement.id === 'body'")
    tab.type("A Paris - Burgundy\nA Marseilles - Spain\nF Brest - Mid")
    tab.key("Tab")
    assert tab.js("document.activeElement.textContent") == "Send"
    tab.key("Enter")
    tab.until(COMPLETE + "document.title.includes('set 1 for France - COMPLETE')")
    # The results come into the list by themselves, and are told to who cannot see it.
    tab.until("document.getElementById('news').textContent !== '' && document.body.innerText.includes('results')", 120)
    assert tab.js("document.getElementById('news').getAttribute('role')") == "status"
    focus(tab, "it.textContent.includes('S1901 Moves: results')")
    tab.key("Enter")
    tab.until(COMPLETE + "document.querySelector('h1').textContent.includes('S1901 Moves: results')")
    assert {"S1901M-orders.png"} <= set(tab.js("[...document.querySelectorAll('.file')].map((one) => one.textContent)"))


def test_a_letter_is_shown_with_its_own_style_and_map_and_its_button_opens_the_form(tab: Tab, demo: str) -> None:
    tab.screen(1100)
    number = letter_with(tab, demo, "orders by")
    tab.open(f"{demo}{number}/letter.html")
    tab.until("document.images.length > 0 && [...document.images].every((one) => one.naturalWidth > 300)")
    assert tab.js("getComputedStyle(document.querySelector('.page')).maxWidth") != "none"
    tab.js("document.querySelector('a.button').click()")
    tab.until(COMPLETE + "document.activeElement.id === 'body'")
    assert "______" in tab.js("document.activeElement.value")


def letter_with(tab: Tab, demo: str, words: str) -> str:
    """The number of the newest letter with these words in its subject."""
    tab.open(demo)
    link = tab.js(f"[...document.querySelectorAll('#list a')].find((one) => one.innerText.includes('{words}')).href")
    return str(re.search(r"/(\d+)/$", link)[1])  # type: ignore[index]


def every_page(demo: str, number: str) -> list[str]:
    home = demo.partition("mail/")[0]
    return [
        demo, f"{demo}{number}/", f"{demo}{number}/text", f"{demo}{number}/answer", f"{demo}write",
        demo.replace(f"/{YOU}@", "/gm@"), f"{home}log/{KEY}", f"{home}site/games/{KEY}/index.html",
    ]  # fmt: skip


@pytest.mark.parametrize(("width", "dark"), SCREENS)
def test_every_page_fits_the_screen(tab: Tab, demo: str, width: int, *, dark: bool) -> None:
    number = letter_with(tab, demo, "orders by")
    tab.screen(width, dark=dark)
    for page in every_page(demo, number):
        tab.open(page)
        assert tab.js("document.documentElement.scrollWidth") <= width, page
        assert tab.js("document.styleSheets.length") == 1, page
        assert width > 375 or tab.js(_LOW) == 0, f"a thumb misses what is to be pressed: {page}"
        if "/site/" not in page:
            paper = tab.js("getComputedStyle(document.querySelector('main')).backgroundColor")
            assert (paper == "rgb(33, 31, 24)") is dark, page


@pytest.mark.parametrize(("width", "dark"), SCREENS)
def test_nothing_serious_is_found_by_the_rules_of_accessibility(
    tab: Tab, demo: str, axe: str, width: int, *, dark: bool
) -> None:
    number = letter_with(tab, demo, "orders by")
    tab.screen(width, dark=dark)
    found = {}
    for page in every_page(demo, number):
        tab.open(page)
        found[page.partition("/mail/")[2]] = tab.findings(axe)
    assert {page: some for page, some in found.items() if some} == {}


def test_the_arrow_keys_turn_the_phases_and_a_link_leads_back(tab: Tab, demo: str) -> None:
    tab.screen(1100)
    tab.open(f"{demo.partition('mail/')[0]}site/games/{KEY}/index.html")
    tab.key("ArrowRight")
    tab.until(COMPLETE + "location.pathname.endsWith('/S1901M.html')")
    assert tab.js("document.querySelector('.map img').naturalWidth") > 500
    tab.key("ArrowRight")
    tab.until(COMPLETE + "location.pathname.endsWith('/now.html')")
    tab.js("[...document.querySelectorAll('nav a')].find((one) => one.textContent === 'Letters').click()")
    tab.until(COMPLETE + f"location.href === '{demo}'")


def test_without_scripts_the_receipt_comes_all_the_same(tab: Tab, demo: str) -> None:
    tab.screen(375)
    number = letter_with(tab, demo, "results")
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.open(f"{demo}{number}/answer")
        tab.js("document.getElementById('body').value = 'help'; document.querySelector('button').click()")
        tab.until(COMPLETE + "document.querySelector('iframe') && !location.pathname.endsWith('/answer')")
        assert not tab.js(f"location.pathname.endsWith('/{number}/')")
    finally:
        tab.call("Emulation.setScriptExecutionDisabled", value=False)


def test_nothing_in_a_letter_runs_or_reaches_the_page(tab: Tab, tmp_path: Path) -> None:
    stage = LocalJudge(tmp_path)
    write_mail(stage.judge.config.var / "mail" / "you@judge.test", 1, letter(1, page=HOSTILE))
    page = Browser(stage.judge, "127.0.0.1:0", smtp=lambda: None)
    try:
        address = f"{page.start()}mail/you@judge.test/1/"
        tab.screen(1100)
        tab.open(address)
        assert "Orders, please 1" in tab.js("document.title")
        assert tab.js("document.querySelector('iframe').contentDocument") is None, "it belongs to nobody"
        tab.open(f"{address}letter.html")
        assert tab.js("document.title") == "Hello" and tab.js("self.origin") == "null"
        tab.js("document.querySelector('p[onclick]').click(); document.getElementById('trap').click()")
        assert tab.js("document.title") == "Hello" and tab.js("location.href").endswith("/letter.html")
        assert tab.js("getComputedStyle(document.body).color") == "rgb(17, 17, 17)", "its own style works"
    finally:
        page.stop()
        stage.close()
