"""What the tests of the store share: a fresh store, and a second opening of the same file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge import resources
from judge.store import Store
from tests.support.stores import fresh_store, same_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A fresh store."""
    with fresh_store(tmp_path) as opened:
        yield opened


@pytest.fixture
def reopened(tmp_path: Path, store: Store) -> Iterator[Callable[[str], Store]]:
    """Opens the same database once more, as another process would; the name goes into its leases."""
    opened: list[Store] = []

    def open_again(instance: str) -> Store:
        opened.append(same_store(tmp_path / "judge.db", instance=instance))
        return opened[-1]

    yield open_again
    for each in opened:
        each.close()


@pytest.fixture
def migrations() -> Path:
    """The folder of the migrations."""
    return resources.folder("migrations")
