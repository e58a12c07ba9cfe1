"""A table to play at, in memory."""

from pathlib import Path

import pytest

from judge.testing.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"


@pytest.fixture
def table() -> Table:
    """A running game of seven, Spring 1901."""
    return Table(MAPS).seated().started()


@pytest.fixture
def hall() -> Table:
    """A game that was only just created."""
    return Table(MAPS)
