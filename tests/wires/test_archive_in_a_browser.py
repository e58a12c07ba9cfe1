"""The static archive in a real browser (Chromium): it fits a desk and a phone, styles and script load under the strict
policy of its pages, the arrow keys turn the phases, and the rules of accessibility hold.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from random import Random

import pytest

from judge import resources
from judge.raster import plain_png
from judge.testing.casting import seat_everybody
from judge.testing.local import LocalJudge
from judge.zine.archive import gathered, write
from tests.support.chromium import Tab
from tests.zine.played import EDITOR, QUICK, found_zine, play, player

pytestmark = pytest.mark.wires

WIDTHS = (1100, 375)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Archive:
    """`home`: its address; `pages`: the paths of its pages."""

    home: str
    pages: list[str]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    home, site = tmp_path_factory.mktemp("judge"), tmp_path_factory.mktemp("site")
    stage = LocalJudge(home)
    stage.begin()
    seat_everybody(stage, "running", QUICK, who=player)
    play(stage, "running", 3, Random(1))
    found_zine(stage, ("running",))
    stage.send(EDITOR, "zine approve 96")
    with stage.judge.store.read() as view:
        found = gathered(stage.judge, view, resources.folder("maps"))
    write(found, site, (resources.folder("templates"),), lambda picture: plain_png(picture.svg(), 300))
    stage.stop()
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Archive(f"http://127.0.0.1:{server.server_port}/", pages)
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_fits_with_its_style_and_its_pictures(tab: Tab, archive: Archive, width: int) -> None:
    tab.screen(width)
    for page in archive.pages:
        tab.open(archive.home + page)
        assert tab.js("document.documentElement.scrollWidth") <= width, page
        assert tab.js("[...document.images].every((one) => one.complete && one.naturalWidth > 0)"), page
        if "/96/" not in page:  # an issue brings a style of its own
            assert tab.js("getComputedStyle(document.body).maxWidth") == "1152px", page


def test_a_table_for_which_there_is_room_is_not_moved_sideways(tab: Tab, archive: Archive) -> None:
    """A column of centres beside that of powers is seen at once on a telephone."""
    tab.screen(375)
    tab.open(f"{archive.home}games/running/index.html")
    hidden = """[...document.querySelectorAll('.wide table')].filter((one) => one.rows[0].cells.length < 4 &&
        one.scrollWidth > one.parentElement.clientWidth).map((one) => one.textContent.slice(0, 60))"""
    assert tab.js(hidden) == []


def test_the_arrow_keys_turn_the_phases(tab: Tab, archive: Archive) -> None:
    tab.open(f"{archive.home}games/running/index.html")
    for key, page in (("ArrowRight", "S1901M"), ("ArrowRight", "F1901M"), ("ArrowLeft", "S1901M")):
        tab.key(key)
        tab.until(f"location.pathname.endsWith('/{page}.html') && document.readyState === 'complete'")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_serious_is_found_by_the_rules_of_accessibility(
    tab: Tab, archive: Archive, axe: str, *, dark: bool
) -> None:
    tab.screen(1100, dark=dark)
    found = {}
    for page in archive.pages:
        tab.open(archive.home + page)
        found[page] = tab.findings(axe)
    assert {page: some for page, some in found.items() if some} == {}
