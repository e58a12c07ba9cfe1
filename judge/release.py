"""Which judge this is: the version, the commit that it was made from, and whether its adjudicator is compiled."""

from __future__ import annotations

import subprocess
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from judge import __version__

_HERE = Path(__file__).resolve().parent


def release() -> str:
    """ "0.1.0 (3d2a71c), interpreted"; a "+" behind the commit: with changes of one's own. Without the commit where
    nobody knows it (a copy of the files without their history).
    """
    commit = _built_from() or _checked_out()
    made = f"{__version__} ({commit})" if commit else __version__
    return f"{made}, {'compiled' if is_compiled() else 'interpreted'}"


def is_compiled() -> bool:
    """Whether this Python finds the adjudicator as machine code, which it takes rather than the source beside it."""
    return any((_HERE / "adjudicate" / f"solve{ending}").exists() for ending in EXTENSION_SUFFIXES)


def _built_from() -> str:
    """The commit that a wheel was built from; "" in a checkout."""
    note = _HERE / "_data" / "commit"
    return note.read_text(encoding="ascii").strip() if note.is_file() else ""


def _checked_out() -> str:
    """The commit of a checkout; "" without git."""
    if not (_HERE.parent / ".git").exists():
        return ""
    ask = ["git", "-C", str(_HERE.parent), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, check=False, timeout=10).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""
