"""Called by hatchling when a wheel or a source archive is built: writes down from which commit it comes.

`judge --version` says it; see `judge/release.py`. A wheel that is built from a source archive takes over its word.
"""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"wheel": "judge/_data/commit", "sdist": "commit"}


class CommitHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts a file with the commit into what is built; an editable installation asks git when it is asked."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """`version` is "standard" or "editable"."""
        root = Path(self.root)
        if version == "editable":
            return
        noted = root / "commit"
        commit = noted.read_text() if noted.is_file() else _head(root)
        if not commit:
            return
        self._note = Path(self.directory) / "commit"
        self._note.parent.mkdir(parents=True, exist_ok=True)
        self._note.write_text(commit)
        build_data["force_include"][str(self._note)] = PLACES[self.target_name]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind but the archive."""
        if hasattr(self, "_note"):
            self._note.unlink(missing_ok=True)


def _head(root: Path) -> str:
    """The short name of the commit that is checked out, "" where this is no checkout."""
    if not (root / ".git").exists():
        return ""
    asked = subprocess.run(
        ["git", "-C", str(root), "describe", "--always", "--dirty=+", "--exclude=*"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return asked.stdout.strip()
