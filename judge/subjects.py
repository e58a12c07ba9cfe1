"""Subjects that are one folder each, found because the folder is there, as rule systems are.

A folder of `judge` with a `verbs.py` is a subject: `verbs.py` says what can be written, `subject.py` what the running
judge does for it, and any of its modules may answer (`@answers`). It stands above `judge.service`, so that the packages
below find it by name and import none of it; `verbs.py` itself needs nothing above `judge.mail`. What `judge.acts`
declares is found the same way.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

_HOUSE = Path(__file__).parent


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in _HOUSE.glob("*/verbs.py")))


def modules(name: str) -> tuple[ModuleType, ...]:
    """The module of this name in every subject."""
    return tuple(import_module(f"judge.{subject}.{name}") for subject in _names())


def load_all() -> None:
    """Import every module of every subject, so that whatever it answers is heard."""
    for subject in _names():
        for found in iter_modules([str(_HOUSE / subject)]):
            import_module(f"judge.{subject}.{found.name}")


@cache
def acts() -> tuple[Any, ...]:
    """What the files of `judge.acts` declare in `ACTS`, in the order of their names."""
    modules = (import_module(f"judge.acts.{found.name}") for found in iter_modules([str(_HOUSE / "acts")]))
    return tuple(one for module in modules for one in getattr(module, "ACTS", ()))
