"""The static archive in a real browser (Chromium): it fits a desk and a phone, styles and script load under the strict
policy of its pages, and the arrow keys turn the phases.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge import resources
from judge.raster import plain_png
from judge.testing.casting import seat_everybody
from judge.testing.stage import Playhouse
from judge.zine.archive import gathered, write
from tests.zine.played import EDITOR, QUICK, found_zine, play, player

pytestmark = pytest.mark.wires

LOOKING = """<!doctype html><title>looking</title><pre id="found"></pre><script>
const seen = [], pages = %s, widths = [1100, 375];
const wait = (frame) => new Promise((done) => { frame.onload = done; });
(async () => {
  const frame = document.createElement("iframe");
  frame.height = 800;
  document.body.append(frame);
  for (const width of widths) for (const page of pages) {
    frame.width = width;
    frame.style.border = 0;
    const loaded = wait(frame);
    frame.src = page;
    await loaded;
    const inside = frame.contentDocument, root = inside.documentElement;
    seen.push({page, width, needs: root.scrollWidth, maxWidth: getComputedStyle(inside.body).maxWidth,
      pictures: [...inside.images].every((one) => one.complete && one.naturalWidth > 0)});
  }
  const turned = [];
  const loaded = wait(frame);
  frame.src = "games/running/index.html";
  await loaded;
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) {
    const next = wait(frame);
    frame.contentDocument.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    await next;
    turned.push(frame.contentWindow.location.pathname);
  }
  document.getElementById("found").textContent = JSON.stringify({seen, turned});
})();
</script>"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def chromium() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if (found := shutil.which(name)) is not None:
            return found
    if os.environ.get("JUDGE_WIRES") == "require":
        pytest.fail("Chromium is missing (tests/wires/install.sh brings it)")
    pytest.skip("Chromium is missing (tests/wires/install.sh brings it)")


@pytest.fixture(scope="module")
def looked_at(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the browser says of every page at two widths, and where the arrow keys led."""
    home, site = tmp_path_factory.mktemp("judge"), tmp_path_factory.mktemp("site")
    stage = Playhouse(home)
    stage.begin()
    seat_everybody(stage, "running", QUICK, who=player)
    play(stage, "running", 3, Random(1))
    found_zine(stage, ("running",))
    stage.send(EDITOR, "zine approve 96")
    with stage.house.store.read() as view:
        found = gathered(stage.house, view, resources.folder("maps"))
    write(found, site, (resources.folder("templates"),), lambda picture: plain_png(picture.svg(), 300))
    stage.stop()
    pages = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    (site / "looking.html").write_text(LOOKING % json.dumps(pages))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {"pages": pages, **_seen(chromium, f"http://127.0.0.1:{server.server_port}/looking.html", home)}
    finally:
        server.shutdown()
        server.server_close()


def _seen(chromium: str, address: str, home: Path) -> dict[str, Any]:
    command = [
        chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={home / 'browser'}", "--window-size=1300,900", "--virtual-time-budget=60000", "--dump-dom",
        address,
    ]  # fmt: skip
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    match = re.search(r'<pre id="found">(.+?)</pre>', told, re.DOTALL)
    assert match is not None, told[-2000:]
    found: dict[str, Any] = json.loads(unescape(match[1]))
    return found


def test_every_page_fits_a_desk_and_a_phone(looked_at: dict[str, Any]) -> None:
    seen = looked_at["seen"]
    assert len(seen) == 2 * len(looked_at["pages"])
    assert [one for one in seen if one["needs"] > one["width"]] == []


def test_the_style_and_the_pictures_are_loaded(looked_at: dict[str, Any]) -> None:
    assert all(one["pictures"] for one in looked_at["seen"])
    ours = [one for one in looked_at["seen"] if "/96/" not in one["page"]]  # an issue brings a style of its own
    assert all(one["maxWidth"] == "1152px" for one in ours)


def test_the_arrow_keys_turn_the_phases(looked_at: dict[str, Any]) -> None:
    assert [path.rpartition("/")[2] for path in looked_at["turned"]] == ["S1901M.html", "F1901M.html", "S1901M.html"]
