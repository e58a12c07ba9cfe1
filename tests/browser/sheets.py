"""Every page of a folder on a desk and on a telephone, by day and by night: sheets to look at, and what a program
can see is wrong with them.

    judge gallery LETTERS --language de
    python -m tests.browser.sheets LETTERS SHEETS

Named are pages wider than the screen, text that is too small, buttons too low for a thumb, and what axe-core finds
serious (once `tests/wires/install.sh` has fetched it). Needs Chromium.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from base64 import b64decode
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from tests.support.chromium import Tab, axe_core, chromium

SCREENS = [(1100, False), (1100, True), (375, False), (375, True)]
TEXT, BUTTON, LABEL = 11, 40, 20
"""CSS pixels: the least size of text, and the least height of a button; letters of a label that stays in one line."""
_SHOT, _ACROSS, _SEEN = 2200, {1100: 4, 375: 8}, {1100: 0.42, 375: 0.6}
"""How much of a page is seen, from its top; pages beside each other; how small they are shown."""
_SHEET = 2
"""Rows of a sheet."""

_WIDER = "document.documentElement.scrollWidth - innerWidth"
_SMALL = f"""[...document.body.querySelectorAll('*')].filter((one) =>
 [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
 parseFloat(getComputedStyle(one).fontSize) < {TEXT}).map((one) => one.textContent.trim()).slice(0, 3)"""
_LOW = f"""[...document.querySelectorAll('a.button')].filter((one) =>
 one.getBoundingClientRect().height < {BUTTON}).map((one) => one.textContent).slice(0, 3)"""
_BROKEN = f"""[...document.querySelectorAll('.rows:not(.tall) .label')].filter((one) =>
 one.textContent.trim().length <= {LABEL} && one.firstElementChild?.getClientRects().length > 1)
 .map((one) => one.textContent.trim()).slice(0, 3)"""


def found_wrong(tab: Tab, width: int, axe: str) -> Iterator[str]:
    """What a program can see is wrong with the page that is open."""
    if (more := tab.js(_WIDER)) > 0:
        yield f"{more} pixels wider than the screen"
    if small := tab.js(_SMALL):
        yield f"too small: {small}"
    if broken := tab.js(_BROKEN):
        yield f"labels in several lines: {broken}"
    if width < 500 and (low := tab.js(_LOW)):
        yield f"too low for a thumb: {low}"
    if axe:
        yield from tab.findings(axe)


def _shot(tab: Tab) -> Image.Image:
    data = tab.call("Page.captureScreenshot", format="jpeg", quality=90)["data"]
    return Image.open(io.BytesIO(b64decode(data))).convert("RGB")


def sheet(shots: Sequence[tuple[str, Image.Image]], width: int) -> Image.Image:
    """Pages beside and below each other, each under its name."""
    scale = _SEEN[width]
    wide, high = round(width * scale) + 12, round(_SHOT * scale) + 26
    page = Image.new("RGB", (wide * _ACROSS[width], high * -(-len(shots) // _ACROSS[width])), "#808080")
    pen = ImageDraw.Draw(page)
    for n, (name, shot) in enumerate(shots):
        row, column = divmod(n, _ACROSS[width])
        small = shot.resize((round(shot.width * scale), round(shot.height * scale)), Image.Resampling.LANCZOS)
        page.paste(small, (column * wide + 6, row * high + 20))
        pen.text((column * wide + 8, row * high + 5), name, fill="#ffffff")
    return page


def main(letters: Path, sheets: Path) -> None:
    """Look at all pages, print what is wrong, write the sheets."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or "google-chrome"
    pages = sorted(page for page in letters.rglob("*.html") if page.name != "index.html")
    sheets.mkdir(parents=True, exist_ok=True)
    axe = axe_core()
    with tempfile.TemporaryDirectory() as home, chromium(program, Path(home)) as tab:
        for width, dark in SCREENS:
            face = f"{width}-{'dark' if dark else 'light'}"
            tab.screen(width, _SHOT, dark=dark)
            shots = []
            for page in pages:
                name = page.relative_to(letters).with_suffix("").as_posix()
                tab.open(page.resolve().as_uri())
                for wrong in found_wrong(tab, width, axe):
                    print(f"{face} {name}: {wrong}")
                shots.append((name, _shot(tab)))
            each = _ACROSS[width] * _SHEET
            for n in range(0, len(shots), each):
                sheet(shots[n : n + each], width).save(sheets / f"{face}-{n // each + 1:02}.png")
    print(f"{len(pages)} pages on {len(SCREENS)} screens")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
