"""A table to play at, in memory."""

from pathlib import Path

import pytest

from tests.support.builders import Table

MAPS = Path(__file__).resolve().parents[2] / "maps"


@pytest.fixture
def table() -> Table:
    """A running game of seven, Spring 1901."""
    return Table(MAPS).seated().started()


@pytest.fixture
def hall() -> Table:
    """A game that was only just created."""
    return Table(MAPS)


@pytest.fixture
def fallen(table: Table) -> Table:
    """Fall 1901, retreats: the French army in Burgundy is dislodged; Germany and France will build."""
    table.all_orders(
        {"FRANCE": ["A Par - Bur", "A Mar - Spa", "F Bre - Mao"], "GERMANY": ["A Mun - Ruh", "A Ber - Mun"]}
    )
    table.process()
    table.all_orders(
        {
            "FRANCE": ["A Bur H", "A Spa H", "F Mao - Por"],
            "GERMANY": ["A Mun - Bur", "A Ruh S A Mun - Bur", "F Kie - Den"],
        }
    )
    return table.process()
