"""Called by hatchling when a wheel or a source archive is built.

It writes down from which commit the archive comes, which `judge --version` says (`judge/release.py`); a wheel that is
built from a source archive takes over its word. And where `JUDGE_COMPILED` is set to anything, it compiles the
adjudicator: deploy/README.md says what that is good for. Only then a wheel needs a C compiler, and is for one version
of Python and one kind of machine.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {"wheel": "judge/_data/commit", "sdist": "commit"}

COMPILED = {
    "adjudicate": "bout company convoys jsonin jsonl knots lower movement settle solve why",
    "board": "chart status unit",
    "orders": "canonical reader scene",
}
"""Folder of judge -> the modules that are compiled: all in which adjudicating spends its time, and none that rule
systems, which stay interpreted, take as the base of a class of their own.
"""
GROUP = "judge.compiled"
"""The library in which all of them are, less the ending that mypyc gives it."""
CHECKED = ("--strict", "--ignore-missing-imports", "--config-file=", "--no-error-summary")
"""How mypy reads them, whatever the configuration of the checkout."""


class Hook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds what is made to what is built; an editable installation asks git when it is asked, and is interpreted."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What building needs beyond hatchling."""
        return ["mypy>=2.4", "setuptools>=65"] if self._compiles() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """`version` is "standard" or "editable"."""
        if version == "editable":
            return
        self._made = tempfile.TemporaryDirectory()
        made = Path(self._made.name)
        if commit := _commit(Path(self.root)):
            (made / "commit").write_text(commit)
            build_data["force_include"][str(made / "commit")] = PLACES[self.target_name]
        if self._compiles():
            compile_modules(Path(self.root), made)
            for library in (made / "lib").rglob("*.*"):
                build_data["force_include"][str(library)] = str(library.relative_to(made / "lib"))
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind but the archive."""
        if hasattr(self, "_made"):
            self._made.cleanup()

    def _compiles(self) -> bool:
        return self.target_name == "wheel" and bool(os.environ.get("JUDGE_COMPILED"))


def compile_modules(root: Path, made: Path) -> None:
    """Compile the adjudicator of the source at `root`; the libraries are in `made`/lib, as they lie in a wheel."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    paths = [f"judge/{folder}/{name}.py" for folder, names in COMPILED.items() for name in names.split()]
    version = f"--python-version={sys.version_info.major}.{sys.version_info.minor}"
    arguments = [*CHECKED, version, f"--cache-dir={made / 'cache'}", *paths]
    with chdir(root):
        extensions = mypycify(arguments, debug_level="1", target_dir=str(made / "c"), group_name=GROUP)
        compiling = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        compiling.build_lib, compiling.build_temp = str(made / "lib"), str(made / "objects")
        compiling.ensure_finalized()
        compiling.run()


def _commit(root: Path) -> str:
    """The commit of the source, "" where nobody knows it."""
    noted = root / "commit"
    return noted.read_text() if noted.is_file() else _head(root)


def _head(root: Path) -> str:
    """The short name of the commit that is checked out, "" where this is no checkout."""
    if not (root / ".git").exists():
        return ""
    asked = subprocess.run(
        ["git", "-C", str(root), "describe", "--always", "--dirty=+", "--exclude=*"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return asked.stdout.strip()
