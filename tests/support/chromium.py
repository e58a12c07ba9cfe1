"""A headless Chromium that tests steer over a pipe: the protocol of its developer tools, without a library.

`width` and `dark` are what a person's screen is like. Keys go where a keyboard's would: to whatever has the focus.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

AXE = "axe-core-4.14.1"
"""The rules of accessibility that `tests/wires/install.sh` fetches."""
PATIENCE = 60.0
"""Seconds after which an answer is not waited for."""
_CODES = {"Tab": 9, "Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "End": 35, "Space": 32}


class Tab:
    """One page of the browser."""

    def __init__(self, out: int, back: int) -> None:
        self._out = out
        self._back = back
        self._rest = b""
        self._number = 0
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def call(self, method: str, **params: Any) -> Any:
        """What the browser answers to a command. AssertionError where it refuses."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": params}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._out, json.dumps(asked).encode() + b"\0")
        while True:
            told = self._hear()
            if told.get("id") == self._number:
                assert "error" not in told, (method, told["error"])
                return told["result"]

    def _hear(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            assert select.select([self._back], [], [], PATIENCE)[0], "the browser does not answer"
            piece = os.read(self._back, 65_536)
            assert piece, "the browser has gone"
            self._rest += piece
        one, _, self._rest = self._rest.partition(b"\0")
        told: dict[str, Any] = json.loads(one)
        return told

    def screen(self, width: int, height: int = 800, *, dark: bool = False) -> None:
        """Be a screen of so many pixels, of somebody who likes it dark or not."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address: str) -> None:
        """Go there, and wait until all of it is there."""
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def js(self, expression: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        told = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def until(self, condition: str, seconds: float = PATIENCE) -> None:
        """Wait until an expression is true, across pages. AssertionError if it does not become so."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.js(condition):
                    return
            except AssertionError:  # the page is just being left
                pass
            time.sleep(0.1)
        raise AssertionError(
            f"{condition} did not come true at {self.js('location.href')}: {self.js('document.body.innerText')}"
        )

    def key(self, name: str, *, shift: bool = False) -> None:
        """Press a key once."""
        text = {"Enter": "\r", "Space": " "}.get(name, "")
        key = {"key": " " if name == "Space" else name, "code": name, "windowsVirtualKeyCode": _CODES[name],
               "modifiers": 8 if shift else 0}  # fmt: skip
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def type(self, text: str) -> None:
        """Write, where the focus is."""
        self.call("Input.insertText", text=text)

    def focus_is_seen(self) -> bool:
        """Whether what has the focus shows it."""
        return bool(self.js("getComputedStyle(document.activeElement).outlineStyle !== 'none'"))

    def findings(self, axe: str) -> list[str]:
        """What the rules of axe-core find serious or worse in the page, each with where."""
        self.js(axe + "; true")
        told = self.js("axe.run(document, {iframes: false}).then((found) => JSON.stringify(found.violations))")
        return [
            f"{one['id']} ({one['impact']}): {one['help']}: {[node['html'][:150] for node in one['nodes']][:3]}"
            for one in json.loads(told)
            if one["impact"] in ("serious", "critical")
        ]

    def picture(self, file: Path) -> None:
        """What the screen shows, as a PNG."""
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


def axe_core() -> str:
    """The script with the rules of accessibility, "" where it was not fetched."""
    shelf = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "diplomacy-judge" / AXE
    return (shelf / "axe.min.js").read_text("utf-8") if (shelf / "axe.min.js").is_file() else ""


@contextmanager
def chromium(program: str, home: Path) -> Iterator[Tab]:
    """A browser with one page; `home`: a folder of its own."""
    there, out = os.pipe()
    back, here = os.pipe()
    words = [
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--remote-debugging-pipe", f"--user-data-dir={home}", "about:blank",
    ]  # fmt: skip
    shell = ["bash", "-c", f'exec "$@" 3<&{there} 4>&{here}', "sh", *words]
    with subprocess.Popen(
        shell, pass_fds=(there, here), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        os.close(there)
        os.close(here)
        try:
            yield Tab(out, back)
        finally:
            os.close(out)
            os.close(back)
            running.terminate()
