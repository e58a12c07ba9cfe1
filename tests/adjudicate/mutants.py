"""Break each rule of the adjudicator in turn, and see that the tests notice.

    python tests/adjudicate/mutants.py [NAME ...]

Every mutant is one change to a copy of the program; `mutants.toml` lists them. The case files and the adjudicator's
tests run over the copy; a mutant that they let pass is printed, and the exit code is 1.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TESTS = ("tests/cases", "tests/adjudicate")


PATIENCE = 120
"""Seconds; the tests take a few."""


class Mutant(NamedTuple):
    """One broken rule: in which module of judge what is replaced by what."""

    name: str
    module: str
    old: str
    new: str


_LISTED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["mutant"]
MUTANTS = tuple(Mutant(**each) for each in _LISTED)


def place(home: Path, module: str) -> Path:
    """The file of a module of judge: "adjudicate.solve"."""
    return home.joinpath("judge", *module.split(".")).with_suffix(".py")


def survives(mutant: Mutant, home: Path, tests: Sequence[str] = TESTS) -> bool:
    """Whether the tests let a mutant pass."""
    path = place(home, mutant.module)
    sound = path.read_text(encoding="utf-8")
    assert sound.count(mutant.old) == 1, f"{mutant.name}: the line to break occurs {sound.count(mutant.old)} times"
    path.write_text(sound.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        return run_tests(home, tests).returncode == 0
    except subprocess.TimeoutExpired:
        return False  # a mutant that never comes to an end has been noticed
    finally:
        path.write_text(sound, encoding="utf-8")


def run_tests(home: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """The tests over a copy of the program."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not long", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=home, capture_output=True, check=False, timeout=PATIENCE, text=True)


def copy(home: Path) -> None:
    """What the tests need, in a place of its own."""
    ignore = shutil.ignore_patterns("__pycache__", "test_mutants.py")
    for name in ("judge", "maps", "templates/languages", "tests/support", "tests/bench", *TESTS):
        shutil.copytree(ROOT / name, home / name, ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", home)


def survivors(names: list[str], tests: Sequence[str] = TESTS) -> list[str]:
    """The mutants of these names (all, if none is given) that the tests do not notice. They pass over a sound copy."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        copy(home)
        sound = run_tests(home, tests)
        assert sound.returncode == 0, f"the tests do not pass over a sound copy: {sound.stdout[-2000:]}"
        return [each.name for each in MUTANTS if (not names or each.name in names) and survives(each, home, tests)]


def main() -> None:
    found = survivors(sys.argv[1:])
    for name in found:
        print(f"nobody noticed: {name}")
    print(f"{len(MUTANTS)} mutants known, {len(found)} unnoticed")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
