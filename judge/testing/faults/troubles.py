"""All faults by name: `judge faults` plays them."""

from __future__ import annotations

from pathlib import Path

from judge.testing.faults import deaths, disks, machines, relays
from judge.testing.faults.breakage import FAULTS
from judge.testing.faults.findings import Findings

ROOMS = (deaths, relays, disks, machines)
"""Importing a room enters its faults."""


def play(name: str, folder: Path, *, scale: int = 1) -> Findings:
    """One fault, in an empty folder. Raises KeyError for a name that there is not."""
    return FAULTS[name].play(folder, scale)
